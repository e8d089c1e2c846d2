"""The log file of the program. Its size is limited.

Only its owner can read it, because it names the people whom the user plays with, and their addresses.
"""

from __future__ import annotations

import logging
import os
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kimberley.p2p.storage.files import open_file

if TYPE_CHECKING:
    from io import TextIOWrapper

MODE: Final = 0o600
MOST_BYTES: Final = 1 << 20
"""Largest size of the log, and of the previous one, which is kept as `NAME.1`."""


class LogFile(RotatingFileHandler):
    """Begins a new file when the old one is full, even during a run. On a full disk it silently loses lines."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, maxBytes=MOST_BYTES, backupCount=1, encoding="utf-8", errors="replace", delay=True)

    def _open(self) -> TextIOWrapper:
        return open(self.baseFilename, "a", encoding=self.encoding, errors=self.errors, opener=_privately)

    def handleError(self, record: logging.LogRecord) -> None:
        """Does nothing: the default prints a traceback on the terminal, over the screen."""


def _privately(path: str, flags: int) -> int:
    handle = open_file(Path(path), flags, MODE)
    if hasattr(os, "fchmod"):
        os.fchmod(handle, MODE)  # Others may be able to read a file from an older version.
    return handle
