"""The board of Diamond, derived from its geometry: 62 points, 133 lines, 24 squares, 48 triangles.

The points are the lattice a-h by 1-8 without its corners a8 and h1. With columns and rows counted from 1, the cell
whose lower left corner has an odd sum of column and row is a square of the game; every other is cut into two triangles,
by the diagonal that rises to the right where its column is odd, by the one that falls where it is even. Drawn with all
lines of one length it is the snub square tiling.

A set of points is an integer of 62 bits. Bits run along the rows from right to left, beginning below at g1 (bit 0) and
ending at b8 (bit 61): the two missing corners would be the bits before the first and after the last. So a step up is
always 8 bits, a step to the left 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Final, TypeAlias

SIDE: Final = 8
POINTS: Final = SIDE * SIDE - 2
COLUMNS: Final = "abcdefgh"
ROWS: Final = "12345678"

Bits: TypeAlias = int
"""A set of points, one bit each."""


def index(column: int, row: int) -> int:
    """Returns the bit of the point in a column and a row, both counted from 1. Raises ValueError if there is none."""
    point = SIDE * (row - 1) + SIDE - column - 1
    if not (1 <= column <= SIDE and 1 <= row <= SIDE and 0 <= point < POINTS):
        raise ValueError(f"there is no point at column {column}, row {row}")
    return point


def place(point: int) -> tuple[int, int]:
    """Returns column and row of a point, counted from 1."""
    return SIDE - (point + 1) % SIDE, (point + 1) // SIDE + 1


def _name(point: int) -> str:
    column, row = place(point)
    return COLUMNS[column - 1] + ROWS[row - 1]


NAMES: Final = tuple(map(_name, range(POINTS)))
"""The name of each point."""
NAMED: Final = {name: point for point, name in enumerate(NAMES)}
"""The point of each name."""
ALL: Final[Bits] = (1 << POINTS) - 1


def points(bits: Bits) -> Iterator[int]:
    """Yields the points of a set, from bit 0 upwards."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def bits(*names: str) -> Bits:
    """Returns the set of the points named."""
    points = 0
    for name in names:
        points |= 1 << NAMED[name]
    return points


def names(bits: Bits) -> list[str]:
    """Returns the names of the points of a set, in the order of the alphabet."""
    return sorted(NAMES[point] for point in points(bits))


def _is_point(column: int, row: int) -> bool:
    return (column, row) not in ((1, SIDE), (SIDE, 1))


def _tiles() -> tuple[list[Bits], list[Bits]]:
    """Returns all squares and all triangles."""
    squares, triangles = [], []
    for row in range(1, SIDE):
        for column in range(1, SIDE):
            left, right, above = (column, row), (column + 1, row), (column, row + 1)
            beyond = (column + 1, row + 1)
            if (column + row) % 2:
                squares.append([left, right, above, beyond])
            elif column % 2:
                triangles += [[left, beyond, right], [left, beyond, above]]
            else:
                triangles += [[right, above, left], [right, above, beyond]]
    return _whole(squares), _whole(triangles)


def _whole(tiles: list[list[tuple[int, int]]]) -> list[Bits]:
    """Returns the tiles all of whose corners are points, as sets."""
    return [
        sum(1 << index(*corner) for corner in corners)
        for corners in tiles
        if all(_is_point(*corner) for corner in corners)
    ]


_SQUARES, _TRIANGLES = _tiles()

SQUARES: Final[tuple[Bits, ...]] = tuple(_SQUARES)
TRIANGLES: Final[tuple[Bits, ...]] = tuple(_TRIANGLES)


def _lines() -> Iterator[tuple[int, int]]:
    """Returns the lines, each between two corners of a triangle, or two of a square in the same column or row."""
    seen = set()
    for tile in (*TRIANGLES, *SQUARES):
        for a, b in combinations(points(tile), 2):
            (column, row), (other, another) = place(a), place(b)
            if tile in TRIANGLES or column == other or row == another:
                seen.add((a, b))
    return iter(sorted(seen))


LINES: Final = tuple(_lines())
"""Every line as its two points, the lower bit first."""

NEXT: Final[tuple[Bits, ...]] = tuple(
    sum(1 << b for b in range(POINTS) if (min(a, b), max(a, b)) in set(LINES)) for a in range(POINTS)
)
"""The points that a line joins to each point."""

SQUARES_AT: Final = tuple(tuple(tile for tile in SQUARES if tile >> point & 1) for point in range(POINTS))
"""The squares that each point is a corner of."""

PAIRS: Final = tuple(
    tuple((1 << a, 1 << b) for tile in TRIANGLES if tile >> point & 1 for a, b in [tuple(points(tile & ~(1 << point)))])
    for point in range(POINTS)
)
"""For each point and each triangle that it is a corner of, the two other corners."""
