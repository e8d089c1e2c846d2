"""Suits and values of tiles and coins, what each suit is for, and what diamonds sell for."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from typing import Final

SUN, MOON, CLUB, DIAMOND, HEART, SPADE = range(6)
SUITS: Final = ("sun", "moon", "club", "diamond", "heart", "spade")
TILES: Final = ("market", "oasis", "war zone", "mine", "holy site", "spy’s lair")
"""What a tile is, by its suit, unless its value is 0."""
POWERS: Final = ("jumper", "scrounger", "thug", "swindler", "tough guy", "digger")
"""What the player of a suit is."""
RANKS: Final = ("0", "ace", "2", "3", "4", "5")
"""How values are called: the ace is worth 1. Piecepack sets call a 0 null."""

TILE_EFFECTS: Final = (
    "While here, you may trade as many coins as its value, or fewer, but no diamonds.",
    "While here, you may draw a heart, if the bag holds one.",
    "When you enter, it attacks with its value. Hearts reduce it; you lose one random coin for each point not blocked.",
    "While here, you may spend spades to mine diamonds, each time as many as its value, or fewer.",
    "When you enter, all your clubs go into the bag. Nobody can be attacked here.",
    "When you enter, you may peek at as many of the other players’ coins as its value, or fewer.",
)
"""What a tile does, by its suit, unless its value is 0."""
MARKET_EFFECT: Final = "When you enter, you sell all your diamonds at once, for the product of their values."
"""What a tile of value 0 does, whatever its suit: it is a black market."""
POWER_EFFECTS: Final = (
    "You may jump over one tile each time you move.",
    "You draw one extra coin each time you draw from the bag.",
    "Each club adds one more to your attacks.",
    "Your best diamond is worth two more each time you sell.",
    "Each heart is worth one more against other players.",
    "You may mine one diamond for free, once a turn on each mine.",
)
"""What a player can do, by suit."""

GOAL: Final = 600
"""Points that end the game."""
HIGHEST: Final = 5
"""The highest value."""
SWINDLE: Final = 2
"""What the swindler's best diamond is worth beyond its value."""


def payoff(values: Iterable[int], swindler: bool) -> int:
    """Returns the points for diamonds of these values sold together: their product; 0 for none."""
    ranked = sorted(values)
    if not ranked:
        return 0
    if swindler:
        ranked[-1] += SWINDLE
    return prod(ranked)
