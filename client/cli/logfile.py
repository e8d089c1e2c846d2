"""The log of a program: for its owner alone, since it names whom one plays with and from where, and bounded."""

from __future__ import annotations

import logging
import os
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from io import TextIOWrapper

MODE: Final = 0o600
MOST_BYTES: Final = 1 << 20
"""Of the log, and of the one before it, which is kept beside it as `NAME.1`."""


class LogFile(RotatingFileHandler):
    """Begins a new file when the old one is full, within a run too. On a full disk it loses lines, and tells nobody."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, maxBytes=MOST_BYTES, backupCount=1, encoding="utf-8", errors="replace", delay=True)

    def _open(self) -> TextIOWrapper:
        return open(self.baseFilename, "a", encoding=self.encoding, errors=self.errors, opener=_privately)

    def handleError(self, record: logging.LogRecord) -> None:
        """The default prints a traceback on the terminal, where the screen is."""


def _privately(path: str, flags: int) -> int:
    handle = os.open(path, flags, MODE)
    if hasattr(os, "fchmod"):
        os.fchmod(handle, MODE)  # A version before this one let everybody read it.
    return handle
