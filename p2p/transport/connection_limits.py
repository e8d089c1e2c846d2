"""Who is at a door, and who has to go where they are too many.

A newcomer always comes in. Whoever has been there longest goes, of the origin that has most there: so who holds many
places loses its own, and an honest newcomer has the time that it needs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from p2p.address import origin

T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class Visitor:
    """`leave` ends its connection. Those `expected` go after all others."""

    origin: str
    expected: bool
    leave: Callable[[], None]


def first_to_go(visitors: Iterable[T], address: Callable[[T], str]) -> T:
    """Of visitors, the oldest first: the oldest of the origin that has most of them."""
    oldest_first = list(visitors)
    of = Counter(origin(address(visitor)) for visitor in oldest_first)
    return max(oldest_first, key=lambda visitor: of[origin(address(visitor))])


class Crowd:
    """Not more visitors than `most`, and not more than `each` of one origin."""

    def __init__(self, most: int, each: int) -> None:
        self._most, self._each = most, each
        self._visitors: dict[Visitor, None] = {}
        self._of: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._visitors)

    @property
    def crowded(self) -> bool:
        """Whether there are more than one origin may have."""
        return len(self) > self._each

    def add(self, visitor: Visitor) -> Visitor | None:
        """Lets one more in. Returns the one that has to go for it, and has been told to, or None."""
        others = list(self._visitors)
        self._visitors[visitor] = None
        self._of[visitor.origin] += 1
        if self._of[visitor.origin] > self._each:
            others = [other for other in others if other.origin == visitor.origin]
        elif len(self) <= self._most:
            return None
        goes = min(others, key=lambda other: (other.expected, -self._of[other.origin]))
        self.discard(goes)
        goes.leave()
        return goes

    def discard(self, visitor: Visitor) -> None:
        """It has gone, or is not counted any more."""
        if visitor in self._visitors:
            del self._visitors[visitor]
            self._of -= Counter([visitor.origin])
