"""The final adjustment, which SPEC.md calls the last look (section 20).

Seats that may choose by what they learned in secret all answer at one fixed time. If a seat answered at once, or late,
or changed its answer, the others could tell what it learned. So a choice that changes nothing stands from the start;
whatever stands at the end counts, and none of it leaves before.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from kimberley.games.table import Plain


class FinalAdjustment:
    """One final adjustment."""

    def __init__(self, seconds: float, since: float, stands: Plain, submit: Callable[[Plain], None]) -> None:
        """Starts the time.

        Args:
            seconds: How long it lasts.
            since: The loop's time when its public cause arrived.
            stands: The choice that changes nothing.
            submit: Called with the choice that stands at the end.

        """
        self.until = since + seconds
        self._stands = stands
        self._submit = submit
        self._timer = asyncio.get_running_loop().call_at(self.until, self._over)

    def choose(self, choice: Plain) -> None:
        """Replaces the choice that stands."""
        self._stands = choice

    def cancel(self) -> None:
        self._timer.cancel()

    def _over(self) -> None:
        self._submit(self._stands)
