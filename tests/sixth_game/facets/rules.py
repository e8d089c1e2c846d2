"""The rules: a stone, whose turn it is, who is still there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from kimberley.games.table import Answer, Ask, Decide, Plain, Result, Roll, Unreadable

MOST = 3
"""Facets that can be cut at once."""


@dataclass(frozen=True)
class Cut:
    """How many facets are cut: one to three of those that are left."""

    left: int

    def read(self, plain: Plain) -> Plain:
        if type(plain) is not int:
            raise Unreadable("a cut is a whole number of facets")
        return plain

    def violation(self, choice: Plain) -> str | None:
        if type(choice) is not int or not 1 <= choice <= MOST:
            return f"one cuts 1 to {MOST} facets"
        return f"only {self.left} facets are left" if choice > self.left else None

    def cost(self, choice: Plain) -> int:
        return 0

    def pick(self, rng: Random) -> Plain:
        return rng.randint(1, min(MOST, self.left))


@dataclass(frozen=True)
class State:
    """`left` facets are not cut. `first` is the seat that began and `turn` the one to cut, None before the lot;
    `last` the one that cut before.
    """

    left: int
    present: tuple[bool, ...]
    first: int | None = None
    turn: int | None = None
    last: int | None = None

    def ask(self) -> Ask | Result:
        if sum(self.present) == 1:
            return self._won(self.present.index(True), "the others have left")
        if self.left == 0 and self.last is not None:
            return self._won(self.last, "the last facet is cut")
        if self.turn is None:
            return Roll((len(self.present),))
        return Decide(self.turn, Cut(self.left), "cut")

    def apply(self, answer: Answer) -> State:
        if self.turn is None:
            begins = self._next(answer[0] - 1)
            return replace(self, first=begins, turn=begins)
        return replace(self, left=self.left - answer, last=self.turn, turn=self._next(self.turn))

    def leave(self, seat: int) -> State:
        """Returns the state after a seat has left: the others play on."""
        gone = replace(self, present=tuple(here and place != seat for place, here in enumerate(self.present)))
        return replace(gone, turn=gone._next(seat)) if self.turn == seat and any(gone.present) else gone

    def _next(self, seat: int) -> int:
        """The next seat that is still there."""
        seats = len(self.present)
        return next(place % seats for place in range(seat + 1, seat + 1 + seats) if self.present[place % seats])

    def _won(self, winner: int, reason: str) -> Result:
        places = tuple(1 if seat == winner else 2 if here else 3 for seat, here in enumerate(self.present))
        if 2 not in places:
            places = tuple(min(place, 2) for place in places)
        return Result(places, tuple((int(seat == winner),) for seat in range(len(places))), reason)
