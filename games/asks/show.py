"""Show: parts of items are shown, to all or to one seat alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kimberley.games.asks.base import Ask, Dealer
from kimberley.games.values import HIDDEN, Answer, Plain


@dataclass(frozen=True, slots=True)
class Show(Ask):
    """Parts of items are shown: `parts` lists (part, seat), with None for all seats.

    Answer: for each item, one value for each of `parts`, HIDDEN to the seats that were not shown it.
    """

    items: tuple[int, ...]
    parts: tuple[tuple[int, int | None], ...]

    @property
    def by_chance(self) -> bool:
        return True

    @property
    def shown(self) -> tuple[int, ...]:
        return self.items

    def visible_answer(self, answer: Answer, seat: int | None) -> Answer:
        return tuple(
            tuple(v if to is None or to == seat else HIDDEN for v, (_, to) in zip(values, self.parts, strict=True))
            for values in answer
        )

    def resolve(self, dealer: Dealer, choices: Mapping[int, Plain]) -> Answer:
        del choices
        return tuple(tuple(dealer.parts[item][part] for part, _ in self.parts) for item in self.items)
