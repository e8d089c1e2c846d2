"""What the program says about itself."""

from __future__ import annotations

import sys
from functools import cache
from importlib.metadata import version


def version_line() -> str:
    """Returns the program's version, with the protocol's revision if that module is loaded."""
    protocol = sys.modules.get("kimberley.protocol.envelope")
    revision = f" · protocol {protocol.REVISION}" if protocol is not None else ""
    return f"kimberley {_installed()}{revision}"


@cache
def _installed() -> str:
    # The title says it in every frame, and the answer is in a file.
    return version("kimberley")
