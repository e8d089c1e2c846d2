"""Log lines that others cause: one at once, and then at most one in a while, with the number of those left out."""

from __future__ import annotations

import logging
import time
from typing import Final

QUIET_SECONDS: Final = 10.0
"""Between two lines."""


class Seldom:
    """Lines of one sort in one log."""

    def __init__(self, log: logging.Logger, level: int = logging.INFO) -> None:
        self._log = log
        self._level = level
        self._said = -QUIET_SECONDS
        self._left_out = 0

    def say(self, line: str, now: float | None = None) -> None:
        """`line` is safe to show; `now` in seconds, of a clock that only goes forward."""
        now = time.monotonic() if now is None else now
        if now - self._said < QUIET_SECONDS:
            self._left_out += 1
            return
        more = f" (and {self._left_out} more lines like this)" if self._left_out else ""
        self._log.log(self._level, "%s%s", line, more)
        self._said, self._left_out = now, 0
