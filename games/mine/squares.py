"""The board: 64 squares, numbered from a1 = 0 along the rows to h8 = 63, and the straight lines on it."""

from __future__ import annotations

from functools import cache
from typing import Final

SIDE: Final = 8
SQUARES: Final = range(SIDE * SIDE)
FARTHEST: Final = 3
"""The most squares that a pawn can go in one move: the highest card."""

_DIRECTIONS: Final = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
_CORNERS: Final = (0, 56, 63, 7)
_FILES: Final = "abcdefgh"


def name(square: int) -> str:
    """Returns the name of a square: "d4"."""
    return f"{_FILES[square % SIDE]}{square // SIDE + 1}"


def square(name: str) -> int:
    """Returns the square of a name. Raises ValueError, which says what a name looks like."""
    column, row = _FILES.find(name[:1]), name[1:]
    if len(name) != 2 or column < 0 or row not in "12345678":
        raise ValueError(f"{name!r} is not a square: squares go from a1 to h8")
    return column + SIDE * (int(row) - 1)


def _ray(start: int, step: tuple[int, int], longest: int) -> tuple[int, ...]:
    """Returns the squares from a square in one direction, nearest first."""
    column, row, squares = start % SIDE, start // SIDE, []
    for _ in range(longest):
        column, row = column + step[0], row + step[1]
        if not (0 <= column < SIDE and 0 <= row < SIDE):
            break
        squares.append(column + SIDE * row)
    return tuple(squares)


RAYS: Final = tuple(tuple(_ray(start, step, FARTHEST) for step in _DIRECTIONS) for start in SQUARES)
"""From each square the way in each of eight directions, as far as a card and the board allow."""

_WAYS: Final = {
    (start, ray[last]): ray[: last + 1] for start in SQUARES for ray in RAYS[start] for last in range(len(ray))
}

BESIDE: Final = tuple(frozenset(ray[0] for ray in RAYS[start] if ray) for start in SQUARES)
"""The squares one step away, diagonals included."""


def way(start: int, end: int) -> tuple[int, ...]:
    """Returns the squares entered from one to another in a straight line, the last one included.

    Empty if no line joins them, or if it is longer than any card.
    """
    return _WAYS.get((start, end), ())


def homes(seats: int) -> tuple[int, ...]:
    """Returns the home squares by seat: corners, clockwise from a1 at the lower left; of two seats, opposite ones."""
    return _CORNERS if seats == 4 else _CORNERS[::2]


@cache
def quadrant(home: int) -> frozenset[int]:
    """Returns the quarter of the board around a corner, 4 x 4 squares."""
    half = SIDE // 2
    return frozenset(
        other
        for other in SQUARES
        if (other % SIDE < half) == (home % SIDE < half) and (other // SIDE < half) == (home // SIDE < half)
    )
