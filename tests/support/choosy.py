"""The card game with options of many kinds. Not all of them fit every number of seats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from kimberley.games.table import Option, Plain
from tests.support.cards import CardGame, Cards

FEW: Final = 3
"""The smallest number of seats for a fifth suit."""
OPTIONS: Final = (
    Option("deck", "Deck", (("small", "small"), ("large", "large and long")), "How many cards there are."),
    Option("turns", "Length", ((0, "to the last card"), (25, "25 turns each"), (100, "100 turns each"))),
    Option("fifth", "Flawless gems", ((False, "none"), (True, "a fifth color, worth triple")), "From three on."),
    Option("first", "First to act", (("lot", "rolled by the table"), ("host", "who opened the table"))),
)


@dataclass(frozen=True)
class ChoosyCards(CardGame):
    """The options change only how many can play."""

    id: str = "choosy"
    title: str = "Choosy Cards"
    options: tuple[Option, ...] = OPTIONS
    quick: tuple[tuple[str, Plain], ...] = ()

    def start(self, seats: int, options: Mapping[str, Plain], begins: int | None = None) -> Cards:
        if options.get("fifth") and seats < FEW:
            raise ValueError(f"a fifth suit is for {FEW} and more")
        return super().start(seats, {}, begins)


CHOOSY = ChoosyCards(suits=2, values=3, rounds=1)
