"""Seal: seats choose, and open nothing before the audit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kimberley.games.asks.base import Dealer, Simultaneous
from kimberley.games.spaces import Amounts, BySeat
from kimberley.games.values import HIDDEN, Answer, Plain


@dataclass(frozen=True, slots=True)
class Seal(Simultaneous):
    """Seats choose at the same time and open nothing before the audit.

    Answer by seat: one's own choice, HIDDEN for another's, None where not asked.
    """

    spaces: BySeat
    topic: str

    def visible_answer(self, answer: Answer, seat: int | None) -> Answer:
        return tuple(choice if choice is None or chooser == seat else HIDDEN for chooser, choice in enumerate(answer))

    def resolve(self, dealer: Dealer, choices: Mapping[int, Plain]) -> Answer:
        """See `Ask.resolve`. Amounts are added to their tallies."""
        bounds = tuple(space.within if isinstance(space, Amounts) else None for space in self.spaces)
        answer = dealer.choice_of_each(self.spaces, bounds, self.topic, choices)
        for space, amounts in zip(self.spaces, answer, strict=True):
            if isinstance(space, Amounts):
                assert isinstance(amounts, tuple)
                sealed = (*amounts, space.cost(amounts))
                for tally, amount in zip((*space.slots, space.within.tally), sealed, strict=True):
                    assert isinstance(amount, int)
                    dealer.tallies[tally] = dealer.total(tally) + amount
        return answer
