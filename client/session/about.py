"""What the program says about itself."""

from __future__ import annotations

import sys
from functools import cache
from importlib.metadata import version

from kimberley.p2p.base.installation import shared_file


def version_line() -> str:
    """Returns the program's version, with the protocol's revision if that module is loaded, and whether it runs from a
    copy that somebody shared.
    """
    protocol = sys.modules.get("kimberley.protocol.envelope")
    revision = f" · protocol {protocol.REVISION}" if protocol is not None else ""
    installed, is_shared = _installed()
    copy = " · a shared copy" if is_shared else ""
    return f"kimberley {installed}{revision}{copy}"


@cache
def _installed() -> tuple[str, bool]:
    """Returns the version, and whether this is a copy that somebody shared."""
    # The title shows it in every frame, and finding out reads files.
    return version("kimberley"), shared_file() is not None
