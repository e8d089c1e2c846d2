"""The clocks of one table: pure, driven by the times that are handed in (docs/referee.md, "What is stored").

Several seats may think at once. A seat that chooses gets its increment after its choice (Fischer, US patent 4,884,255).
Times are seconds of a clock that does not go back; where one does, nothing is charged.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from games.table import Plain
from p2p.referee.cup import MOST_INCREMENT, Clock
from protocol.encoding import Malformed
from protocol.roster import MOST_SEATS

MOST_MILLISECONDS: Final = 2**53


@dataclass(frozen=True, slots=True)
class Clocks:
    """What stands for each seat at the time `since`, who runs, and what a choice adds. All in seconds."""

    stands: tuple[float, ...]
    increment: int
    running: frozenset[int] = frozenset()
    since: float = 0.0

    @classmethod
    def of(cls, seats: int, clock: Clock) -> Clocks:
        """Everybody's main time; nobody runs."""
        return cls((float(clock.main),) * seats, clock.increment)

    def turn(self, now: float, running: Iterable[int]) -> Clocks:
        """From now on these seats run, and no others."""
        return replace(self, stands=self._stand(now), running=frozenset(running), since=now)

    def paused(self, now: float) -> Clocks:
        """From now on nobody runs."""
        return self.turn(now, ())

    def chosen(self, now: float, seat: int) -> Clocks:
        """A seat that ran has chosen: it stops, and gets its increment, unless it fell before."""
        stands = list(self._stand(now))
        if seat in self.running and stands[seat] > 0:
            stands[seat] += self.increment
        return replace(self, stands=tuple(stands), running=self.running - {seat}, since=now)

    def left(self, seat: int, now: float) -> float:
        """What a seat has left, 0 at least."""
        return self._stand(now)[seat]

    def fallen(self, now: float) -> tuple[int, ...]:
        """The seats that have nothing left."""
        return tuple(seat for seat, left in enumerate(self._stand(now)) if left <= 0)

    def next_fall(self, now: float) -> float | None:
        """In how many seconds the next seat falls if nobody chooses; None where nobody runs."""
        return min((self.left(seat, now) for seat in self.running), default=None)

    def plain(self, now: float) -> Plain:
        """What is stored: milliseconds left by seat, and the increment. Who runs is not: the table says so again."""
        return tuple(round(1000 * left) for left in self._stand(now)), self.increment

    @classmethod
    def read(cls, plain: Plain) -> Clocks:
        """Clocks that were stored; nobody runs. Raises Malformed."""
        match plain:
            case (tuple() as stands, int() as increment) if type(increment) is int and 0 <= increment <= MOST_INCREMENT:
                left = [one for one in stands if type(one) is int and 0 <= one <= MOST_MILLISECONDS]
                if len(left) == len(stands) and 2 <= len(left) <= MOST_SEATS:
                    return cls(tuple(one / 1000 for one in left), increment)
        raise Malformed("not the clocks of a table")

    def _stand(self, now: float) -> tuple[float, ...]:
        gone = max(0.0, now - self.since)
        return tuple(max(0.0, left - gone) if seat in self.running else left for seat, left in enumerate(self.stands))
