"""The gems: their colors and sizes, and what they are worth."""

from __future__ import annotations

from typing import Final

COLORS: Final = ("red", "blue", "green", "purple", "white")
"""Four are always in the bag; white only where four seats play with flawless stones."""
LETTERS: Final = "rbgpw"
WHITE: Final = 4
ALIKE: Final = 5
"""Gems of each color and size."""

SMALL: Final = 1
MEDIUM: Final = 2
"""Sizes, in pips: what a gem weighs, and its points in the home of a seat of another color."""
NESTED: Final = 1
"""Gems of each size in a full nest."""
CAPACITY: Final = 3
"""Pips that a pawn can carry."""
OWN: Final = 2
FLAWLESS: Final = 3
"""How many times its points a gem of one's own color, or a flawless one, is worth."""


def size(gem: int, each: int) -> int:
    """Returns the pips of a gem, by its handle, where there are `each` small gems and as many medium ones."""
    return SMALL if gem < each else MEDIUM


def nest_gems(nest: int, each: int) -> tuple[int, ...]:
    """Returns the gems that fill a nest, by their handles, where there are `each` small gems and as many medium ones;
    the small ones first.
    """
    first = NESTED * nest
    return (*range(first, first + NESTED), *range(each + first, each + first + NESTED))


def times(color: int, own: int, flawless: int | None) -> int:
    """Returns how many times its points a gem of this color is worth to a seat of color `own`."""
    if color == flawless:
        return FLAWLESS
    return OWN if color == own else 1


def bag(colors: int) -> tuple[tuple[int], ...]:
    """Returns the parts of all gems of one size: the color alone."""
    return tuple((color,) for color in range(colors) for _ in range(ALIKE))
