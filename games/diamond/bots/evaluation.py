"""What the search sees on the board of Diamond: squares that lack a corner, and what a position is worth.

A set of points is an integer (`games.diamond.board`). `own` are the pieces of the side to move, `enemy` those of the
other; scores are for the side to move. What is computed for each side is computed for both at once: `both_sides` are
two sets in one integer, the second `BOTH` bits up, so far that no line on the board leads from one to the other.
"""

from __future__ import annotations

from typing import Final

from kimberley.games.diamond.board import ALL, LINES, NEXT, SIDE, SQUARES, Bits, place

PIECE: Final = 40
"""What one more piece is worth in the movement phase."""
CORNERS: Final = (0, 1, 5, 16)
"""What a square is worth by how many corners one side holds, with nothing else on it."""

BOTH: Final = 10 * SIDE
FIRST: Final = (1 << BOTH) - 1
"""All bits of the first of two sets."""

LACKING: Final = 16
"""From this bit on, a `summary` tells which squares lack one corner."""
HELD: Final = (1 << LACKING) - 1
"""The bits of a `summary` that tell what is held."""
EVEN: Final = 1 << LACKING - 1
"""Their value if both sides hold equally much, so that they are never negative."""


def both_sides(first: Bits, second: Bits) -> int:
    """Returns two sets of points in one integer."""
    return first | second << BOTH


def _start(dx: int, dy: int) -> Bits:
    """Returns the points from which a line leads `dx` columns to the right and `dy` rows up."""
    starts = 0
    for pair in LINES:
        for a, b in (pair, pair[::-1]):
            (column, row), (to, height) = place(a), place(b)
            if (to - column, height - row) == (dx, dy):
                starts |= 1 << a
    return starts


_CELLS: Final[Bits] = sum(square & -square for square in SQUARES)
"""Each square by its lower right corner, from which the others lie 1, 8 and 9 bits up."""
_CELLS_TWICE: Final = both_sides(_CELLS, _CELLS)
_LEFT, _RIGHT = _start(-1, 0), _start(1, 0)
_UP_LEFT, _UP_RIGHT = _start(-1, 1), _start(1, 1)
_DOWN_LEFT, _DOWN_RIGHT = _start(-1, -1), _start(1, -1)


def spread(own: Bits) -> Bits:
    """Returns all points that a line joins to some point of a set."""
    return (
        (own << 8 | own >> 8) & ALL
        | (own & _LEFT) << 1
        | (own & _RIGHT) >> 1
        | (own & _UP_LEFT) << 9
        | (own & _UP_RIGHT) << 7
        | (own & _DOWN_LEFT) >> 7
        | (own & _DOWN_RIGHT) >> 9
    )


def lacking_one(sides: int, neutral: Bits) -> int:
    """Returns the squares of which a side holds three corners while the fourth is open, for both sides.

    A square is given by its lower right corner.
    """
    b, c, d = sides >> 1, sides >> 8, sides >> 9
    three = (sides & b & (c ^ d) | c & d & (sides ^ b)) & _CELLS_TWICE
    if not three:
        return 0
    others = sides >> BOTH | neutral | ((sides & FIRST) | neutral) << BOTH
    return three & ~(others | others >> 1 | others >> 8 | others >> 9)


def corners(cells: Bits) -> Bits:
    """Returns all corners of squares that are given by their lower right ones."""
    lower = cells | cells << 1
    return lower | lower << SIDE


def completing(own: Bits, others: Bits) -> Bits:
    """Returns the open points that complete a square."""
    return corners(lacking_one(own, others) & FIRST) & ~own


def reaches(own: Bits, cells: Bits) -> bool:
    """Returns whether a step completes one of some squares that lack one corner.

    None of the pieces on its other corners can make that step.
    """
    while cells:
        lowest = cells & -cells
        square = corners(lowest)
        if NEXT[(square & ~own).bit_length() - 1] & own & ~square:
            return True
        cells ^= lowest
    return False


def summary(sides: int, neutral: Bits) -> int:
    """Returns what is `held`, plus `EVEN`, and `lacking_one`, `LACKING` bits up: all that the squares say, in one
    integer.

    It is a sum over the squares, so a turn only changes what the squares at its points add.
    """
    others = sides >> BOTH | neutral | ((sides & FIRST) | neutral) << BOTH
    b, c, d = sides >> 1, sides >> 8, sides >> 9
    alone = _CELLS_TWICE & ~(others | others >> 1 | others >> 8 | others >> 9)
    below, above, lower, upper = sides ^ b, c ^ d, sides & b, c & d
    three = alone & (lower & above | upper & below)
    two = alone & (lower & ~(c | d) | upper & ~(sides | b) | below & above)
    one = alone & (below & ~(c | d) | above & ~(sides | b))
    return (
        CORNERS[3] * ((three & FIRST).bit_count() - (three >> BOTH).bit_count())
        + CORNERS[2] * ((two & FIRST).bit_count() - (two >> BOTH).bit_count())
        + CORNERS[1] * ((one & FIRST).bit_count() - (one >> BOTH).bit_count())
        + EVEN
        + (three << LACKING)
    )


def held(sides: int, neutral: Bits) -> int:
    """Returns what the squares in which a side stands alone are worth, less what those of the other side are worth."""
    return (summary(sides, neutral) & HELD) - EVEN


def room(beside: Bits, beside_enemy: Bits, empty: Bits) -> int:
    """Returns how many open points lie beside the pieces of a side, less those beside the other's: `beside` is its
    `spread`.
    """
    return (beside & empty).bit_count() - (beside_enemy & empty).bit_count()
