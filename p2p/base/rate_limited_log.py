"""Log lines that others can cause: the first is written at once, then at most one every ten seconds with the number of
lines left out.
"""

from __future__ import annotations

import logging
from typing import Final

from kimberley.p2p.base.platform import monotonic

QUIET_SECONDS: Final = 10.0
"""Between two lines."""


class RateLimitedLog:
    """Lines of one kind in one log."""

    def __init__(self, log: logging.Logger, level: int = logging.INFO) -> None:
        self._log = log
        self._level = level
        self._logged_at = -QUIET_SECONDS
        self._left_out = 0

    def log(self, line: str, now: float | None = None) -> None:
        """Logs `line`, which must be safe to show. `now` is in seconds, by a monotonic clock."""
        now = monotonic() if now is None else now
        if now - self._logged_at < QUIET_SECONDS:
            self._left_out += 1
            return
        more = f" (and {self._left_out} more lines like this)" if self._left_out else ""
        self._log.log(self._level, "%s%s", line, more)
        self._logged_at, self._left_out = now, 0
