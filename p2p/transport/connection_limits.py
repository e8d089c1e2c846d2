"""Limits the number of connections, and chooses the one to close when there are too many.

A newcomer always gets in. The oldest connection of the origin with the most connections is closed: an attacker that
holds many connections loses its own, and an honest newcomer has the time that it needs.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, TypeVar

from kimberley.p2p.base.token_bucket import MOST_ADDRESSES, TokenBuckets
from kimberley.p2p.transport.address import origin

log = logging.getLogger(__name__)

T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class ConnectionSlot:
    """One connection that counts toward the limits. `close` ends it. `expected` connections are closed last."""

    origin: str
    expected: bool
    close: Callable[[], None]


def choose_eviction(visitors: Iterable[T], address: Callable[[T], str]) -> T:
    """Returns the connection to close: the oldest of the origin that has the most. `visitors` are all, the oldest
    first.
    """
    oldest_first = list(visitors)
    of = Counter(origin(address(visitor)) for visitor in oldest_first)
    return max(oldest_first, key=lambda visitor: of[origin(address(visitor))])


class ConnectionLimiter:
    """At most `most` connections, and at most `per_origin` of one origin."""

    def __init__(self, most: int, per_origin: int) -> None:
        self._most, self._per_origin = most, per_origin
        self._visitors: dict[ConnectionSlot, None] = {}
        self._of: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._visitors)

    @property
    def crowded(self) -> bool:
        """Whether there are more connections than one origin may have."""
        return len(self) > self._per_origin

    def add(self, visitor: ConnectionSlot) -> ConnectionSlot | None:
        """Counts one more connection. Returns the one that was closed for it, or None."""
        others = list(self._visitors)
        self._visitors[visitor] = None
        self._of[visitor.origin] += 1
        if self._of[visitor.origin] > self._per_origin:
            others = [other for other in others if other.origin == visitor.origin]
        elif len(self) <= self._most:
            return None
        evicted = min(others, key=lambda other: (other.expected, -self._of[other.origin]))
        self.discard(evicted)
        evicted.close()
        return evicted

    def discard(self, visitor: ConnectionSlot) -> None:
        """Discards a connection that has ended, or no longer counts."""
        if visitor in self._visitors:
            del self._visitors[visitor]
            self._of -= Counter([visitor.origin])


class AcceptRateLimiter:
    """Allows `rate` connections per second for each origin and `burst` at once. Logs at most one line in ten seconds
    about rejected connections.
    """

    QUIET: Final = 10.0

    def __init__(self, rate: float, burst: float) -> None:
        self._rates = TokenBuckets(burst, rate)
        self._refused: Counter[str] = Counter()
        self._logged = -self.QUIET

    def allow(self, where: str, now: float) -> bool:
        """Returns whether one more connection from this origin is allowed now."""
        through = self._rates.try_acquire(where, now)
        if not through:
            self.count_rejection(where, now)
        return through

    def count_rejection(self, where: str, now: float) -> None:
        """Counts a rejected connection from this origin."""
        self._refused[where if where in self._refused or len(self._refused) < MOST_ADDRESSES else "elsewhere"] += 1
        if now - self._logged >= self.QUIET:
            self._logged = now
            worst, count = self._refused.most_common(1)[0]
            log.warning("Too many connections. Refused: %d (%d from %s).", self._refused.total(), count, worst)
            self._refused.clear()
