"""The final adjustment, which SPEC.md calls the last look (section 20).

Seats that may choose by what they learned in secret all answer at one fixed time, or not before a quiet time is over.
If a seat answered at once, or changed its answer, the others could tell what it learned. So a choice that changes
nothing stands from the start; whatever stands when it leaves counts, and none of it leaves before.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random
from typing import Final

from kimberley.games.table import Plain
from kimberley.p2p.table.common_options import AdjustTimes

LONG_SHARE: Final = 1 / 3
"""The share of answers that leave after the quiet time although nobody is waited for."""
LONG_MEDIAN: Final = 4.0
LONG_SPREAD: Final = 0.8
"""How much later, like people who think: a lognormal time with this median, in seconds, and this spread of its
logarithm.
"""


def drawn_wait(rng: Random, times: AdjustTimes) -> float:
    """Draws the seconds before which the answer of a person's seat does not leave, whether or not the person was told
    something: so being done in the quiet time gives nothing away, and taking longer proves nothing.
    """
    if times.fixed or rng.random() >= LONG_SHARE:
        return times.quiet
    return min(times.quiet + LONG_MEDIAN * rng.lognormvariate(0, LONG_SPREAD), times.most)


class FinalAdjustment:
    """One final adjustment. It is `over` when its longest time has passed."""

    def __init__(
        self,
        times: AdjustTimes,
        since: float,
        wait: float,
        stands: Plain,
        submit: Callable[[Plain], None],
        *,
        done: bool = False,
    ) -> None:
        """Starts the time.

        Args:
            times: How long it lasts.
            since: The loop's time when its public cause arrived.
            wait: The seconds before which nothing leaves.
            stands: The choice that changes nothing.
            submit: Called with the choice that stands when it leaves.
            done: Whether the player is done from the start, so that the choice that stands leaves.

        """
        self.until = since + times.most
        self.over = False
        self._stands = stands
        self._submit = submit
        self._done = done
        self._submitted = False
        self._loop = asyncio.get_running_loop()
        self._held_until = since + wait
        self._timers = (self._loop.call_at(self._held_until, self._leave), self._loop.call_at(self.until, self._end))

    def choose(self, choice: Plain, *, final: bool) -> None:
        """Replaces the choice that stands. With `final` the player is done."""
        self._stands = choice
        self._done |= final
        if self._loop.time() >= self._held_until:
            self._leave()

    def cancel(self) -> None:
        for timer in self._timers:
            timer.cancel()

    def _leave(self) -> None:
        if self._done and not self._submitted:
            self._submitted = True
            self._submit(self._stands)

    def _end(self) -> None:
        self.over = self._done = True
        self._leave()
