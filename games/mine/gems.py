"""The gems: their colours, sizes and what they are worth."""

from __future__ import annotations

from typing import Final

COLOURS: Final = ("red", "blue", "green", "purple", "white")
"""Four are always in the bag; white only where four seats play with flawless stones."""
LETTERS: Final = "rbgpw"
WHITE: Final = 4
ALIKE: Final = 5
"""Gems of each colour and size."""

SMALL: Final = 1
MEDIUM: Final = 2
"""Sizes, in pips: what a gem weighs, and its points in the home of a seat of another colour."""
CAPACITY: Final = 3
"""Pips that a pawn can carry."""
OWN: Final = 2
FLAWLESS: Final = 3
"""How many times its points a gem of one's own colour, or a flawless one, is worth."""


def size(gem: int, each: int) -> int:
    """The pips of a gem, by its handle, where there are `each` small gems and as many medium ones."""
    return SMALL if gem < each else MEDIUM


def times(colour: int, own: int, flawless: int | None) -> int:
    """How many times its points a gem of this colour is worth to a seat of colour `own`."""
    if colour == flawless:
        return FLAWLESS
    return OWN if colour == own else 1


def bag(colours: int) -> tuple[tuple[int], ...]:
    """The parts of all gems of one size: the colour alone."""
    return tuple((colour,) for colour in range(colours) for _ in range(ALIKE))
