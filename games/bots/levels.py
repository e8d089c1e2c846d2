"""The levels of a game's bots, by number, and the names that games with twenty levels share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from kimberley.games.bots.base import Bot, Level
from kimberley.games.bots.lookup import bots_of
from kimberley.games.table import Game

TWENTY: Final = 20
NAMES: Final = ("Apprentice", "Trader", "Dealer", "Broker", "Magnate")
"""Neighboring levels among twenty differ too little for names of their own: four share one."""


def twenty_levels(about: Callable[[int], str]) -> tuple[Level, ...]:
    """Returns twenty levels. `about` says in a sentence how the level of a number plays."""
    return tuple(Level(NAMES[(n - 1) * len(NAMES) // TWENTY], about(n)) for n in range(1, TWENTY + 1))


def levels_of(game: Game) -> Sequence[Level]:
    """Returns the levels of a game's bots, from the weakest; none if it has no bots."""
    bots = bots_of(game)
    return () if bots is None else bots.levels


def find_level(game: Game, number: int) -> Level:
    """Returns a level of a game, by its number. Raises ValueError, with a sentence for a person."""
    levels = levels_of(game)
    if not levels:
        raise ValueError(f"{game.title} has no bots yet, so it is played by people only")
    if not 1 <= number <= len(levels):
        raise ValueError(f"{game.title} has levels 1 to {len(levels)}, not {number}")
    return levels[number - 1]


def nearest_level(game: Game, number: int) -> int:
    """Returns the number of the level that comes nearest to a wanted number; 0 for a game without bots."""
    return min(max(number, 1), len(levels_of(game)))


def level_label(game: Game, number: int) -> str:
    """Returns a level as it is shown: its number and its name."""
    return f"{number} {find_level(game, number).name}"


def level_sentence(game: Game, number: int) -> str:
    """Says how a level plays: "Level 1 acts on impulse."."""
    about = find_level(game, number).about
    return f"Level {number} {about[0].lower()}{about[1:]}"


def make_bot(game: Game, level: int, seed: int) -> Bot:
    """Returns a bot of a level, by its number. Raises ValueError, with a sentence for a person, if there is no such
    level.
    """
    find_level(game, level)
    bots = bots_of(game)
    assert bots is not None
    return bots.bot(level, seed)
