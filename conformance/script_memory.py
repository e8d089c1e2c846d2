"""What a script remembers, and what its asks are made of (SPEC.md, section 27.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from kimberley.games.table import HIDDEN, Hidden, Plain, Unreadable, evolve

SPENT: Final = "spent"
"""The tally of a seat to which all its amounts are added."""


class NotSpelled(ValueError):
    """No ask is spelled like this."""

    def __init__(self, spelled: object) -> None:
        super().__init__(f"a script has no ask {spelled!r}")


@dataclass(frozen=True)
class IntegersBelow:
    """Whole numbers from 0 to below `limit`. `only` is the only one allowed; `most` is what the seat can still pay."""

    limit: int
    only: Plain | Hidden = HIDDEN
    most: int | Hidden = HIDDEN
    costs: bool = False

    @property
    def bound(self) -> bool:
        return self.limit == 1 or self.only is not HIDDEN

    def read(self, plain: Plain) -> Plain:
        if type(plain) is not int:
            raise Unreadable("a choice is a whole number")
        return plain

    def violation(self, choice: Plain) -> str | None:
        if type(choice) is not int or not 0 <= choice < self.limit:
            return f"it is not from 0 to {self.limit - 1}"
        if isinstance(self.most, int) and choice > self.most:
            return f"it is more than the {self.most} that is left"
        return (
            None
            if self.only in (HIDDEN, choice)
            else f"it sealed {self.only!r} and was told nothing, so it must choose the same"
        )

    def cost(self, choice: Plain) -> int:
        return choice if self.costs and isinstance(choice, int) else 0

    def pick(self, rng: Random) -> Plain:
        if isinstance(self.only, int):
            return self.only
        return rng.randrange(min(self.limit, self.most + 1) if isinstance(self.most, int) else self.limit)


@dataclass(frozen=True)
class ScriptMemory:
    """What the asks of a script follow from, as a seat or a spectator knows it.

    `alive` are the seats that are still there, `totals` are (seat, name of the tally, total). By seat, `sealed` is what
    it sealed last, and `told` whether it could read anything in the last disclosure.
    """

    alive: tuple[bool, ...]
    totals: tuple[tuple[int, str, int | Hidden], ...] = ()
    sealed: tuple[Plain | Hidden, ...] = ()
    told: tuple[bool | Hidden, ...] = ()

    def is_there(self, seat: int) -> bool:
        """Returns whether the table has this seat, and it has not left."""
        return 0 <= seat < len(self.alive) and self.alive[seat]

    def there(self, seats: Sequence[Plain]) -> tuple[bool, ...]:
        """Returns, by seat, whether it is one of `seats` and still there."""
        return tuple(alive and seat in seats for seat, alive in enumerate(self.alive))

    def total(self, seat: int, name: str) -> int | Hidden:
        return next((total for owner, named, total in self.totals if (owner, named) == (seat, name)), 0)

    def left_of(self, limit: int, seat: int) -> int | Hidden:
        """Returns how much of a limit a seat can still pay."""
        spent = self.total(seat, SPENT)
        return limit - spent if isinstance(spent, int) else HIDDEN

    def bound(self, seat: int) -> Plain | Hidden:
        """Returns what a seat must choose: what it sealed, if told nothing. HIDDEN if it is free or unknown."""
        informed = self.told[seat] if self.told else False
        return HIDDEN if informed is HIDDEN or informed or not self.sealed else self.sealed[seat]

    def with_totals(self, totals: Mapping[tuple[int, str], int | Hidden]) -> ScriptMemory:
        return evolve(self, totals=tuple((*key, totals[key]) for key in sorted(totals)))
