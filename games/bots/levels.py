"""The levels of a game's bots: which there are, by number, and the names that games with twenty of them share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from kimberley.games.table import Game, Level

TWENTY: Final = 20
NAMES: Final = ("Apprentice", "Trader", "Dealer", "Broker", "Magnate")
"""Neighbors among twenty levels differ too little for a name of their own: four share one."""


def twenty_levels(about: Callable[[int], str]) -> tuple[Level, ...]:
    """Twenty levels. `about` says in a sentence how the level of a number plays."""
    return tuple(Level(NAMES[(n - 1) * len(NAMES) // TWENTY], about(n)) for n in range(1, TWENTY + 1))


def find_level(game: Game, number: int) -> Level:
    """A level of a game, by its number. Raises ValueError, with a sentence for a person."""
    if not 1 <= number <= len(game.levels):
        raise ValueError(f"{game.title} has levels 1 to {len(game.levels)}, not {number}")
    return game.levels[number - 1]


def nearest_level(game: Game, number: int) -> int:
    """The number of the level that comes nearest to a wanted number."""
    return min(max(number, 1), len(game.levels))


def level_label(game: Game, number: int) -> str:
    """A level as it is shown: its number and its name."""
    return f"{number} {find_level(game, number).name}"
