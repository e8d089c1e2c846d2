"""Open: totals are shown to all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kimberley.games.asks.base import Ask, Dealer
from kimberley.games.spaces import Tally
from kimberley.games.values import Answer, Plain


@dataclass(frozen=True, slots=True)
class Open(Ask):
    """Totals are opened to all. Answer: the totals, in order, None for those of a seat that has left."""

    tallies: tuple[Tally, ...]

    def resolve(self, dealer: Dealer, choices: Mapping[int, Plain]) -> Answer:
        del choices
        return tuple(dealer.total(tally) for tally in self.tallies)

    @property
    def details(self) -> str:
        return ", ".join(dict.fromkeys(tally.name for tally in self.tallies))
