"""A wall clock that jumps by years, back and forth, at each reading."""

from __future__ import annotations

import datetime
import time
from random import Random
from typing import Final

MOST_SECONDS: Final = 5e8
"""How far from the truth a reading is at most, in seconds: about 16 years."""


def wild_clock(seed: int = 7) -> None:
    """Makes every later reading of this process's wall clock return another year."""
    rng, plain = Random(seed), time.time

    class Wild(datetime.datetime):
        @classmethod
        def now(cls, tz: datetime.tzinfo | None = None) -> Wild:
            return cls.fromtimestamp(time.time(), tz)

    time.time = lambda: plain() + rng.uniform(-MOST_SECONDS, MOST_SECONDS)
    datetime.datetime = Wild  # type: ignore[misc]
