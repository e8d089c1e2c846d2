"""Delays between attempts, shared by everything that tries again."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeVar

from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.platform import chance

T = TypeVar("T")

JITTER: Final = 0.25
"""The most by which a delay varies, as a share of it: others may have lost the same network at the same moment."""


class Backoff:
    """Seconds to wait after each failed attempt: the steps in order, then the last one again and again."""

    def __init__(self, steps: Sequence[float], jitter: float = JITTER) -> None:
        self._steps = steps
        self._jitter = jitter
        self.failures = 0
        """Failed attempts since the last success."""

    def next(self) -> float:
        """Returns the delay after one more failed attempt."""
        step = self._steps[min(self.failures, len(self._steps) - 1)]
        self.failures += 1
        return step * chance().uniform(1 - self._jitter, 1 + self._jitter)

    def reset(self) -> None:
        """Makes the next delay the first one again: an attempt has succeeded."""
        self.failures = 0


async def retry(attempt: Callable[[], Awaitable[T]], steps: Sequence[float], failed: Callable[[str], None]) -> T:
    """Returns the result of the first attempt that raises no UserError, however many it takes. Calls `failed` with each
    new reason.
    """
    backoff, reason = Backoff(steps), ""
    while True:
        try:
            return await attempt()
        except UserError as error:
            if str(error) != reason:
                failed(reason := str(error))
        await asyncio.sleep(backoff.next())
