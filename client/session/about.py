"""What the program says of itself."""

from __future__ import annotations

import sys
from importlib.metadata import version


def version_line() -> str:
    """The program's version, and the protocol's revision once that part of the program is loaded."""
    protocol = sys.modules.get("protocol.envelope")
    revision = f" · protocol {protocol.REVISION}" if protocol is not None else ""
    return f"kimberley {version('kimberley')}{revision}"
