"""The ports of the last run, each in a file in the folder of the tournament: players come back to them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from kimberley.p2p.storage.files import read_file, replace

DOOR: Final = "door"
"""Where the referee listens."""
SEATS: Final = "seats"
"""Where the page for people who have only a browser is."""
MOST_PORT_BYTES: Final = 16


def last_port(path: Path) -> int | None:
    """Returns the port in a file; None if it is not known."""
    try:
        port = int(read_file(path, MOST_PORT_BYTES))
    except (OSError, ValueError):
        return None
    return port if 0 < port < 1 << 16 else None


def keep_port(path: Path, port: int) -> None:
    """Writes a port to a file, for the next run."""
    replace(path, f"{port}\n".encode())
