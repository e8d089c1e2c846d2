"""Together: seats choose at the same time, and all learn everything at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kimberley.games.asks.base import Dealer, Simultaneous
from kimberley.games.spaces import Binding, BySeat, Within
from kimberley.games.values import Answer, Hidden, Plain


@dataclass(frozen=True, slots=True)
class Together(Simultaneous):
    """Seats choose at the same time, and all learn everything at once (commit, then open).

    Answer: a choice by seat, None where not asked. `within`, by seat, bounds what the choice costs. `stands` makes it a
    last look, in which a seat may react to what it was just told in secret. It holds, by seat, the choice that changes
    nothing, HIDDEN where only that seat knows it. At a table with a person, every answer is held for a while; the
    choice that stands at the end counts.
    """

    spaces: BySeat
    within: tuple[Within | None, ...]
    topic: str
    stands: tuple[Plain | Hidden, ...] = ()

    @property
    def last_look(self) -> bool:
        """Returns whether this is a last look, which follows from public facts."""
        return bool(self.stands)

    def standing_choice(self, seat: int) -> Plain:
        stands = self.stands[seat]
        assert not isinstance(stands, Hidden)
        return stands

    def may_change(self, seat: int) -> bool:
        space = self.spaces[seat]
        return not (isinstance(space, Binding) and space.bound)

    def resolve(self, dealer: Dealer, choices: Mapping[int, Plain]) -> Answer:
        return dealer.choice_of_each(self.spaces, self.within, self.topic, choices)
