"""How this program is installed: from packages, or from one file that somebody shared (`p2p.sharing`)."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

SHARED_FILE: Final = "kimberley.pyz"
MORE_THAN_SHARED: Final = (
    "needs more than the shared copy. To install Kimberley, see the web page of the person who shared it with you."
)


def shared_file() -> Path | None:
    """Returns the file that somebody shared and that this program runs from. None if the program was installed."""
    # The launcher has unpacked it next to the folder of this package.
    path = Path(__file__).parents[3] / SHARED_FILE
    return path if path.is_file() else None


def own_command() -> tuple[str, ...]:
    """Returns what to start for another process of this program."""
    if (path := shared_file()) is not None:
        return sys.executable, str(path)
    return sys.executable, "-P", "-m", "kimberley.client.cli.main"
