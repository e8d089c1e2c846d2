"""All cases, by section of SPEC.md. Importing this package registers them in `CASES`."""

from __future__ import annotations

import importlib
import pkgutil

from kimberley.conformance.case import CASES

for _module in sorted(module.name for module in pkgutil.iter_modules(__path__)):
    importlib.import_module(f"{__name__}.{_module}")

__all__ = ["CASES"]
