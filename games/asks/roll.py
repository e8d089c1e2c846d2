"""Roll: all seats make random numbers together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kimberley.games.asks.base import Ask, Dealer
from kimberley.games.values import Answer, Plain


@dataclass(frozen=True, slots=True)
class Roll(Ask):
    """All seats roll dice together. Answer: one number below each entry of `sides`.

    A random order of n is sides (n, n-1, ..., 1).
    """

    sides: tuple[int, ...]

    @property
    def by_chance(self) -> bool:
        return True

    def resolve(self, dealer: Dealer, choices: Mapping[int, Plain]) -> Answer:
        del choices
        return tuple(dealer.rng.randrange(side) for side in self.sides)

    @property
    def details(self) -> str:
        return "of " + ", ".join(map(str, self.sides))
