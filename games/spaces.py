"""What may be chosen: spaces, and the tallies and limits that bound sealed amounts."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Protocol, TypeAlias, runtime_checkable

from kimberley.games.values import HIDDEN, Hidden, Plain, Unreadable


@runtime_checkable
class Space(Protocol):
    """The choices open to a seat. A space never lists them all: payments times destinations would be too many."""

    def read(self, plain: Plain) -> Plain:
        """Returns the choice that `plain` spells. Every choice has one spelling: True is not 1, and a list is not a
        tuple.

        Raises Unreadable.
        """

    def violation(self, choice: Plain) -> str | None:
        """Returns the rule that `choice` violates, in a sentence for a person, or None where it is legal. Never raises,
        whatever the data.
        """

    def cost(self, choice: Plain) -> int:
        """Returns 0: a choice costs nothing."""

    def pick(self, rng: Random) -> Plain:
        """Returns a random legal choice."""


@runtime_checkable
class Binding(Protocol):
    """A space that may leave one choice only."""

    @property
    def bound(self) -> bool:
        """Returns whether there is one choice only, as far as the seat knows."""


class BaseSpace:
    """A base for spaces whose choices add to no tally. A subclass gives `read`, `broken_rule` and `pick`."""

    def read(self, plain: Plain) -> Plain:
        """See `Space.read`."""
        raise NotImplementedError

    def broken_rule(self, choice: Plain) -> str | None:
        """Returns the rule that a choice violates, after `read` has accepted it; None where it is legal."""
        raise NotImplementedError

    def violation(self, choice: Plain) -> str | None:
        """See `Space.violation`."""
        try:
            return self.broken_rule(self.read(choice))
        except Unreadable as error:
            return str(error)

    def cost(self, choice: Plain) -> int:
        """Returns 0: a choice costs nothing."""
        del choice
        return 0


@dataclass(frozen=True, slots=True)
class Tally:
    """A running total of the amounts that one seat has sealed into it. Only that seat knows the total until it is
    opened.

    `bits` bounds it: 0 <= total < 2**bits.
    """

    seat: int
    name: str
    bits: int


@dataclass(frozen=True, slots=True)
class Within:
    """A public `limit`: `tally` and what is sealed or opened now must together not exceed it. Each seat proves that at
    once.
    """

    tally: Tally
    limit: int


@dataclass(frozen=True, slots=True)
class Amounts:
    """One whole amount for each slot. Each is added to its slot's tally, and all of them to `within.tally`.

    `most` is what the seat can still seal: known in its own state, HIDDEN in the others', which rely on the proof.
    """

    slots: tuple[Tally, ...]
    within: Within
    most: int | Hidden

    def read(self, plain: Plain) -> Plain:
        """See `Space.read`."""
        if type(plain) is not tuple or len(plain) != len(self.slots):
            raise Unreadable(f"expected one amount for each of {len(self.slots)} slots")
        if any(type(amount) is not int for amount in plain):
            raise Unreadable("an amount is a whole number")
        return plain

    def violation(self, choice: Plain) -> str | None:
        """See `Space.violation`."""
        try:
            amounts = self.read(choice)
        except Unreadable as error:
            return str(error)
        assert isinstance(amounts, tuple)
        total = 0
        for amount in amounts:
            assert isinstance(amount, int)
            if amount < 0:
                return "an amount cannot be negative"
            total += amount
        most = self.within.limit if self.most is HIDDEN else self.most
        assert isinstance(most, int)
        return f"the amounts add up to {total}, and there is only {most}" if total > most else None

    def cost(self, choice: Plain) -> int:
        """Returns 0: a choice costs nothing."""
        assert isinstance(choice, tuple)
        return sum(amount for amount in choice if isinstance(amount, int))

    def pick(self, rng: Random) -> Plain:
        """Returns random amounts within the limit."""
        left = self.within.limit if self.most is HIDDEN else self.most
        assert isinstance(left, int)
        picked = [0] * len(self.slots)
        for slot in rng.sample(range(len(picked)), len(picked)):
            picked[slot] = rng.randint(0, left) if rng.random() < 0.5 else 0
            left -= picked[slot]
        return tuple(picked)


BySeat: TypeAlias = tuple["Space | None", ...]
"""A space for each seat, None where the seat is not asked."""
