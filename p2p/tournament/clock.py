"""The clocks of one table: pure, driven by the times that are handed in (docs/referee.md, "What is stored").

Several seats may think at once. A seat that chooses gets its increment after its choice (Fischer, US patent 4,884,255).
Times are seconds of a clock that does not go back; where one does, nothing is charged.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import inf
from typing import Final

from games.table import Plain
from p2p.referee.cup import Clock
from protocol.encoding import Malformed
from protocol.roster import MOST_SEATS

MOST_STORED: Final = 2**53


@dataclass(frozen=True, slots=True)
class Clocks:
    """By seat, the seconds it has thought up to the time `since`, and those it was given so far; who thinks now.

    `given` is None at a table without a clock: then only what was thought is counted, and nobody falls.
    """

    thought: tuple[float, ...]
    given: tuple[int, ...] | None
    increment: int = 0
    running: frozenset[int] = frozenset()
    since: float = 0.0

    @classmethod
    def of(cls, seats: int, clock: Clock | None) -> Clocks:
        """Everybody's main time; nobody runs."""
        if clock is None:
            return cls((0.0,) * seats, None)
        return cls((0.0,) * seats, (clock.main,) * seats, clock.increment)

    def turn(self, now: float, running: Iterable[int]) -> Clocks:
        """From now on these seats run, and no others."""
        thought = tuple(self.used(seat, now) for seat in range(len(self.thought)))
        return replace(self, thought=thought, running=frozenset(running), since=now)

    def paused(self, now: float) -> Clocks:
        """From now on nobody runs."""
        return self.turn(now, ())

    def chosen(self, now: float, seat: int) -> Clocks:
        """A seat that ran has chosen: it stops, and gets its increment, unless it fell before."""
        stopped = self.turn(now, self.running - {seat})
        if self.given is None or seat not in self.running or self.left(seat, now) <= 0:
            return stopped
        given = tuple(one + self.increment * (number == seat) for number, one in enumerate(self.given))
        return replace(stopped, given=given)

    def used(self, seat: int, now: float) -> float:
        """The seconds that a seat has thought in this game."""
        return self.thought[seat] + (max(0.0, now - self.since) if seat in self.running else 0.0)

    def left(self, seat: int, now: float) -> float:
        """What a seat has left, 0 at least; infinity where there is no clock."""
        return inf if self.given is None else max(0.0, self.given[seat] - self.used(seat, now))

    def fallen(self, now: float) -> tuple[int, ...]:
        """The seats that have nothing left."""
        return tuple(seat for seat in range(len(self.thought)) if self.left(seat, now) <= 0)

    def next_fall(self, now: float) -> float | None:
        """In how many seconds the next seat falls if nobody chooses; None where none does."""
        soonest = min((self.left(seat, now) for seat in self.running), default=inf)
        return None if soonest == inf else soonest

    def plain(self, now: float) -> Plain:
        """What is stored: milliseconds thought by seat, seconds given, the increment. Who runs, the table will tell."""
        thought = tuple(round(1000 * self.used(seat, now)) for seat in range(len(self.thought)))
        return thought, self.given, self.increment

    @classmethod
    def read(cls, plain: Plain) -> Clocks:
        """Clocks that were stored; nobody runs. Raises Malformed."""
        match plain:
            case (tuple() as thought, tuple() | None as given, int() as increment):
                seconds = _whole(thought), None if given is None else _whole(given), _whole((increment,))[0]
                if 2 <= len(thought) <= MOST_SEATS and (given is None or len(given) == len(thought)):
                    return cls(tuple(one / 1000 for one in seconds[0]), *seconds[1:])
        raise Malformed("not the clocks of a table")


def _whole(numbers: tuple[Plain, ...]) -> tuple[int, ...]:
    whole = tuple(one for one in numbers if type(one) is int and 0 <= one <= MOST_STORED)
    if len(whole) < len(numbers):
        raise Malformed("not the clocks of a table")
    return whole
