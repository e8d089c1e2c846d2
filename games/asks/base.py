"""What every ask says about itself.

An ask is a class with a module of its own in this package. Nothing else in `kimberley.games` knows which asks there
are, except `kimberley.games.table`, from which games import them. Two registries complete an ask: the machines in
`kimberley.protocol.asks`, and its spelling in scripts of the conformance suite, in `kimberley.conformance.asks`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Protocol

from kimberley.games.spaces import BySeat, Space, Tally, Within
from kimberley.games.values import Answer, Plain


class Dealer(Protocol):
    """Stands in for the whole table and knows everything, so that it can answer an ask: see `games.arena.Arena`."""

    rng: Random
    tallies: dict[Tally, int]
    parts: list[tuple[Plain, ...]]

    def total(self, tally: Tally) -> int:
        """Returns what is sealed into a tally so far."""

    def choice(self, seat: int, space: Space, within: Within | None, topic: str, choices: Mapping[int, Plain]) -> Plain:
        """Returns a seat's choice. Raises IllegalChoice if the rules or the limit forbid it."""

    def choice_of_each(
        self, spaces: BySeat, within: Sequence[Within | None], topic: str, choices: Mapping[int, Plain]
    ) -> tuple[Plain, ...]:
        """Returns the choice of each seat, None where it is not asked. Raises IllegalChoice."""


class Ask:
    """What the table must do next.

    A subclass is a frozen dataclass. A seat's own ask holds what only that seat knows; what it may not know is HIDDEN.
    Everything that this class answers by itself follows from public facts, and is the same in each seat's ask.
    """

    __slots__ = ()

    # -- who chooses ---------------------------------------------------------------------------------------------------

    @property
    def choosers(self) -> tuple[int, ...]:
        """The seats that must choose before the ask can be answered."""
        return ()

    def space_for(self, seat: int) -> Space | None:
        """Returns the space from which a seat must choose, or None."""
        del seat
        return None

    @property
    def by_chance(self) -> bool:
        """Returns whether chance decides something here: a draw, a roll or a deal."""
        return False

    @property
    def shown(self) -> tuple[int, ...]:
        """The items of which parts are shown here."""
        return ()

    @property
    def last_look(self) -> bool:
        """Returns whether this is a last look: a choice right after something was told in secret, held for a while so
        that its timing does not reveal what.
        """
        return False

    def standing_choice(self, seat: int) -> Plain:
        """Returns the choice that changes nothing for a seat in a last look. Only the seat's own ask and the true one
        know it.
        """
        raise NotImplementedError

    def may_change(self, seat: int) -> bool:
        """Returns whether a seat may choose anything else in a last look. The seat's own ask knows it."""
        raise NotImplementedError

    def choice_in(self, answer: Answer, seat: int) -> Plain:
        """Returns the choice of one of the `choosers` in an answer; None if the seat left instead."""
        raise NotImplementedError

    def awaits_choice(self, stage: int) -> bool:
        """Returns whether the table waits for a player's choice in this stage. A tournament's clocks run only then."""
        return stage == 0 and bool(self.choosers)

    # -- what a seat sees ----------------------------------------------------------------------------------------------

    def visible_answer(self, answer: Answer, seat: int | None) -> Answer:
        """Returns what a seat (None: a spectator) sees of the true answer."""
        del seat
        return answer

    def resolve(self, dealer: Dealer, choices: Mapping[int, Plain]) -> Answer:
        """Returns the true answer, made by a dealer that knows everything. Raises IllegalChoice."""
        raise NotImplementedError

    # -- in words ------------------------------------------------------------------------------------------------------

    @property
    def kind(self) -> str:
        """The type of the ask, in a word."""
        return type(self).__name__.lower()

    @property
    def details(self) -> str:
        """Says what distinguishes this ask from others of its kind, in words for a person; empty if nothing does."""
        return ""

    @property
    def subject(self) -> str:
        """Says what the ask is about, in words for a person."""
        return self.kind

    def describe(self, answer: Answer, names: Sequence[str], in_text: Callable[[Answer], str]) -> str:
        """Returns the ask and its answer in a sentence for a person, without the game's own words.

        `in_text` gives an answer, or a part of it, as text.
        """
        del names
        return f"{' '.join(filter(None, (self.kind, self.details)))}: {in_text(answer)}."


class Simultaneous(Ask):
    """A base for asks in which several seats choose at the same time, each from its own space."""

    __slots__ = ()

    spaces: BySeat
    topic: str

    @property
    def choosers(self) -> tuple[int, ...]:
        return tuple(seat for seat, space in enumerate(self.spaces) if space is not None)

    def space_for(self, seat: int) -> Space | None:
        return self.spaces[seat]

    def choice_in(self, answer: Answer, seat: int) -> Plain:
        choice: Plain = answer[seat]
        return choice

    @property
    def details(self) -> str:
        return self.topic

    @property
    def subject(self) -> str:
        return self.topic

    def describe(self, answer: Answer, names: Sequence[str], in_text: Callable[[Answer], str]) -> str:
        chose = ", ".join(f"{names[seat]} {in_text(answer[seat])}" for seat in self.choosers)
        return f"{self.topic}: {chose}."
