"""Makes the program that finds this on its path lack the packages that WITHOUT names: "numpy networkx"."""

import os
import sys

for name in os.environ["WITHOUT"].split():
    sys.modules[name] = None  # type: ignore[assignment]
