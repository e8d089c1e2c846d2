"""Log lines that others can cause: the first is written at once, then at most one every ten seconds with the number of
lines left out.
"""

from __future__ import annotations

import logging
from typing import Final

from kimberley.p2p.base.platform import monotonic

QUIET_SECONDS: Final = 10.0
"""Time between two lines."""


class _LineCounter:
    """Counts the lines of one kind that are left out."""

    def __init__(self) -> None:
        self._logged_at = -QUIET_SECONDS
        self._left_out = 0

    def suffix(self, now: float) -> str | None:
        """Returns what to add to a line that comes `now`; None to leave it out."""
        if now - self._logged_at < QUIET_SECONDS:
            self._left_out += 1
            return None
        lines = "line" if self._left_out == 1 else "lines"
        more = f" (and {self._left_out} more {lines} like this)" if self._left_out else ""
        self._logged_at, self._left_out = now, 0
        return more


class RateLimitedLog:
    """Lines of one kind in one log."""

    def __init__(self, log: logging.Logger, level: int = logging.INFO) -> None:
        self._log = log
        self._level = level
        self._lines = _LineCounter()

    def log(self, line: str, now: float | None = None) -> None:
        """Logs `line`, which must be safe to show. `now` is in seconds, by a monotonic clock."""
        more = self._lines.suffix(monotonic() if now is None else now)
        if more is not None:
            self._log.log(self._level, "%s%s", line, more)


class RateLimitedRecords(logging.Filter):
    """For a log whose lines others can cause: limits them by their place in the code. Records more severe than
    `gravest` pass.
    """

    def __init__(self, gravest: int = logging.WARNING) -> None:
        super().__init__()
        self._gravest = gravest
        self._places: dict[tuple[str, int], _LineCounter] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Returns whether to log the record; says in it how many were left out."""
        if record.levelno > self._gravest:
            return True
        more = self._places.setdefault((record.pathname, record.lineno), _LineCounter()).suffix(monotonic())
        if more is None:
            return False
        record.msg, record.args = f"{record.getMessage()}{more}", None
        return True
