"""Where the 64 squares lie on a canvas: the field with its letters and figures."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from kimberley.client.ui.geometry import WAYS
from kimberley.games.mine.squares import SIDE

SHAPES: Final = ((5, 2), (7, 3), (9, 4), (11, 5), (13, 6), (15, 7))
"""Columns and rows of a square, small to large. The columns are odd: a pyramid has its tip in the middle."""
FIGURES: Final = 4
"""Columns left of the field, for the figures of the rows."""


@dataclass(frozen=True, slots=True)
class SquareCells:
    """The cells of a square: its top left one, its columns and rows."""

    x: int
    y: int
    columns: int
    rows: int

    @property
    def middle(self) -> int:
        """The column in its middle."""
        return self.x + self.columns // 2

    @property
    def bottom(self) -> int:
        """Its last row."""
        return self.y + self.rows - 1


@dataclass(frozen=True)
class Grid:
    """The field with squares of `columns` by `rows` cells; the top left one of a8 is at (`left`, `top`)."""

    left: int
    top: int
    columns: int
    rows: int

    @cached_property
    def spots(self) -> tuple[SquareCells, ...]:
        """The cells of each square."""
        return tuple(
            SquareCells(self.left + self.columns * (square % SIDE), self.top + self.rows * (SIDE - 1 - square // SIDE),
                 self.columns, self.rows)
            for square in range(SIDE * SIDE)
        )  # fmt: skip

    @property
    def right(self) -> int:
        """The column after the field."""
        return self.left + SIDE * self.columns

    @property
    def bottom(self) -> int:
        """The row after the field, where the letters stand."""
        return self.top + SIDE * self.rows


@lru_cache(maxsize=32)
def grid(width: int, height: int) -> Grid:
    """Returns the largest field that fits in the middle of a canvas, with its letters and figures, and a column and a
    row to spare.
    """
    columns, rows = _largest(width - FIGURES - 1, height)
    left = FIGURES + max(0, (width - FIGURES - SIDE * columns - 1) // 2)
    return Grid(left, max(0, (height - SIDE * rows) // 2), columns, rows)


@lru_cache(maxsize=32)
def portrait_grid(width: int, height: int) -> Grid:
    """Returns the largest field that fits a portrait canvas with its letters, at the top. The figures stand in its
    squares.
    """
    columns, rows = _largest(width, height)
    return Grid(max(0, (width - SIDE * columns) // 2), 0, columns, rows)


def _largest(width: int, height: int) -> tuple[int, int]:
    """Returns the largest shape whose field fits with its letters below."""
    fitting = [(columns, rows) for columns, rows in SHAPES if SIDE * columns <= width and SIDE * rows + 1 <= height]
    return fitting[-1] if fitting else SHAPES[0]


def towards(square: int, way: str) -> int:
    """Returns the next square up, down, left or right; the same one at an edge."""
    column, row = square % SIDE, square // SIDE
    across, down = WAYS[way]
    return min(max(0, column + across), SIDE - 1) + SIDE * min(max(0, row - down), SIDE - 1)
