"""The clocks of one table: pure, driven by the times given to it (docs/referee.md, "What is stored").

Several seats may think at once. A seat gets its increment after each choice (Fischer, US patent 4,884,255). Times are
in seconds of a clock that does not go back; if it does, nothing is charged.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import inf
from typing import Final

from kimberley.games.table import Plain
from kimberley.p2p.tournament.settings import TimeControl
from kimberley.protocol.encoding import Malformed
from kimberley.protocol.roster import MOST_SEATS

LOW_SECONDS: Final = 60.0
"""With less left, a clock has the color of a warning."""
MOST_STORED: Final = 2**53


@dataclass(frozen=True, slots=True)
class TableClocks:
    """The seconds that each seat has thought up to the time `since` and was given so far, and who is thinking now.

    `given` is None at a table without a clock: then thinking time is only counted, and nobody loses on time.
    """

    thought: tuple[float, ...]
    given: tuple[int, ...] | None
    increment: int = 0
    running: frozenset[int] = frozenset()
    since: float = 0.0
    added: tuple[int, ...] = ()
    """The seconds of `given` that the organizer has added, by seat; empty if there are none."""

    @classmethod
    def of(cls, seats: int, clock: TimeControl | None) -> TableClocks:
        """Returns the main time for everybody; nobody's clock runs."""
        if clock is None:
            return cls((0.0,) * seats, None)
        return cls((0.0,) * seats, (clock.main,) * seats, clock.increment)

    def extended(self, added: tuple[int, ...]) -> TableClocks:
        """Returns the clocks once the organizer has added these seconds, by seat, since the game began."""
        if self.given is None or added == self.added:
            return self
        before = self.added or (0,) * len(self.given)
        given = tuple(one + new - old for one, new, old in zip(self.given, added, before, strict=True))
        return replace(self, given=given, added=added)

    def turn(self, now: float, running: Iterable[int]) -> TableClocks:
        """Returns the clocks once those of these seats run, and no others."""
        thought = tuple(self.used(seat, now) for seat in range(len(self.thought)))
        return replace(self, thought=thought, running=frozenset(running), since=now)

    def delayed(self, seconds: float) -> TableClocks:
        """Returns the clocks without this many of the latest seconds, for which the referee itself stood still."""
        return replace(self, since=self.since + seconds)

    def paused(self, now: float) -> TableClocks:
        """Returns the clocks once none runs."""
        return self.turn(now, ())

    def chosen(self, now: float, seat: int) -> TableClocks:
        """Returns the clocks once a seat has chosen: its clock stops, and it gets its increment unless its time was
        already over.
        """
        stopped = self.turn(now, self.running - {seat})
        if self.given is None or seat not in self.running or self.left(seat, now) <= 0:
            return stopped
        given = tuple(one + self.increment * (number == seat) for number, one in enumerate(self.given))
        return replace(stopped, given=given)

    def used(self, seat: int, now: float) -> float:
        """Returns the seconds that a seat has thought in this game."""
        return self.thought[seat] + (max(0.0, now - self.since) if seat in self.running else 0.0)

    def left(self, seat: int, now: float) -> float:
        """Returns the seconds that a seat has left, at least 0; infinity without a clock."""
        return inf if self.given is None else max(0.0, self.given[seat] - self.used(seat, now))

    def fallen(self, now: float) -> tuple[int, ...]:
        """Returns the seats whose time is over."""
        return tuple(seat for seat in range(len(self.thought)) if self.left(seat, now) <= 0)

    def plain(self, now: float) -> Plain:
        """Returns the stored form: milliseconds thought by seat, seconds given, the increment, seconds added. Which
        clocks run follows from the table.
        """
        thought = tuple(round(1000 * self.used(seat, now)) for seat in range(len(self.thought)))
        return thought, self.given, self.increment, self.added

    @classmethod
    def read(cls, plain: Plain) -> TableClocks:
        """Reads stored clocks; none runs. Raises Malformed."""
        match plain:
            case (tuple() as thought, tuple() | None as given, int() as increment, tuple() as added):
                times = tuple(one / 1000 for one in _whole(thought)), None if given is None else _whole(given)
                fits = all(len(one) == len(thought) for one in (given, added or None) if one is not None)
                if 2 <= len(thought) <= MOST_SEATS and fits:
                    return cls(*times, _whole((increment,))[0], added=_whole(added))
            case (_, _, _):
                # Stored clocks may lack the added time.
                return cls.read((*plain, ()))
        raise Malformed("not the clocks of a table")


def _whole(numbers: tuple[Plain, ...]) -> tuple[int, ...]:
    whole = tuple(one for one in numbers if type(one) is int and 0 <= one <= MOST_STORED)
    if len(whole) < len(numbers):
        raise Malformed("not the clocks of a table")
    return whole
