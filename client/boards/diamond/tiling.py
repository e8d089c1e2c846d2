"""Where the board lies on the screen: the snub square tiling in cells, its squares tinted, its lines in braille.

A point in column c and row r, both from 1, lies at x = 0.966 c - 0.259 [r even], y = 0.966 r - 0.259 [c even]: then all
lines have length 1 (0.966 and 0.259 are the cosine and sine of 15 degrees). A unit is six cells wide and 2.66 rows high
at 80x24, and grows with the terminal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import groupby, pairwise
from math import ceil, cos, inf, pi, sin
from typing import Final, TypeAlias

from kimberley.client.ui.braille import DOTS, Spot, steps_between
from kimberley.client.ui.geometry import nearest
from kimberley.games.diamond.board import COLUMNS, LINES, NAMES, POINTS, ROWS, SIDE, SQUARES, Bits, place, points

Cell: TypeAlias = tuple[int, int]
"""Column and row of the screen."""

ALONG: Final = cos(pi / 12)
ASIDE: Final = sin(pi / 12)
SPAN: Final = ALONG * SIDE - (ALONG - ASIDE)
"""How many units the board is wide and high."""
UNIT: Final = (6.0, 2.66)
"""Cells and rows of a unit at 80x24."""
PORTRAIT_UNIT: Final = (6.0, 3.0)
"""Their proportion on a portrait screen, where points lie as far apart down as across."""
WIDEST: Final = 2.6
"""The largest multiple of these: beyond it, points that belong together are too far apart."""
MARGIN: Final = (8, 2)
"""Columns and rows that pieces at the edge and coordinates take beside the board."""
PORTRAIT_MARGIN: Final = (5, 2)
"""The same on a portrait screen."""
ROUNDING: Final = 1e-6
"""More than the rounding error of a sum of floats."""
SAMPLES: Final = 4
"""The samples of a cell, across and down, that tell how much of it a square covers."""
LEAST: Final = 11
"""How many of its SAMPLES ** 2 lie in the square whose ground a cell shows. With fewer, squares would merge."""


def spot(point: int) -> Spot:
    """Returns where a point lies, in units from the lower left."""
    column, row = place(point)
    return ALONG * column - ASIDE * (row % 2 == 0), ALONG * row - ASIDE * (column % 2 == 0)


@dataclass(frozen=True, eq=False)
class Tiling:
    """The board in a region of `width` by `height` cells.

    `at` is the cell of each point; `cover` how many of SAMPLES ** 2 samples of a cell lie in its square, by row and
    column, 0 where a cell shows none; `lines` the braille dots of each cell; `marks` the same as characters of ASCII;
    `ways` the cells that each line passes with its dots in them, `strokes` those with its mark.
    """

    width: int
    height: int
    at: tuple[Cell, ...]
    cover: tuple[tuple[int, ...], ...]
    lines: tuple[tuple[int, ...], ...]
    marks: tuple[str, ...]
    within: dict[Bits, frozenset[Cell]]
    """The cells that show the ground of each square."""
    ways: dict[tuple[int, int], dict[Cell, int]]
    strokes: dict[tuple[int, int], dict[Cell, str]]
    letters: tuple[tuple[int, int, str], ...]
    """Coordinates at the edges, as (column, row, text)."""
    areas: tuple[tuple[int, int, int, int], ...]
    """Where a click means a point, as (column, row, columns, point): the cells that are nearer to it than to the middle
    of any line."""

    def towards(self, start: int, way: str) -> int:
        """Returns the point that an arrow key leads to: the nearest in that direction, else `start`."""
        x, y = self.at[start]
        target = nearest((x, 2 * y), way, ((point, x, 2 * y) for point, (x, y) in enumerate(self.at)), narrow=0.9)
        return start if target is None else target


def _areas(width: int, height: int, at: tuple[Cell, ...], reach: float) -> Iterator[tuple[int, int, int, int]]:
    """Yields runs of cells within `reach` columns of the point nearest to them; a row counts as two columns."""
    for y in range(height):
        # In a row, few points are within reach of any cell.
        some = [(point, a, 4 * (y - b) ** 2) for point, (a, b) in enumerate(at) if 4 * (y - b) ** 2 <= reach**2]
        near = [min((((x - a) ** 2 + down, point) for point, a, down in some), default=(inf, 0)) for x in range(width)]
        start = 0
        for point, cells in groupby(point if distance <= reach**2 else None for distance, point in near):
            count = len(list(cells))
            if point is not None:
                yield start, y, count, point
            start += count


def portrait_rows(width: int) -> int:
    """Returns the rows of the board on a portrait screen that is `width` columns wide."""
    scale = min((width - PORTRAIT_MARGIN[0] - 1) / (SPAN * PORTRAIT_UNIT[0]), WIDEST)
    return ceil(scale * PORTRAIT_UNIT[1] * SPAN) + PORTRAIT_MARGIN[1]


@cache
def tiling(width: int, height: int, portrait: bool = False) -> Tiling:
    """Returns the board as large as a region of this size allows, in its middle; for a `portrait` screen or not."""
    unit, margin = (PORTRAIT_UNIT, PORTRAIT_MARGIN) if portrait else (UNIT, MARGIN)
    scale = min((width - margin[0] - 1) / (SPAN * unit[0]), (height - margin[1]) / (SPAN * unit[1]), WIDEST)
    across, down = scale * unit[0], scale * unit[1]
    left = (width - margin[0] - across * SPAN) / 2 + margin[0] - 2 - across * (ALONG - ASIDE)
    top = max(0.5, (height - 1 - down * SPAN) / 2) + down * ALONG * SIDE

    def cell(where: Spot) -> Spot:
        return left + across * where[0], top - down * where[1]

    spots = [cell(spot(point)) for point in range(POINTS)]
    lowest = max(int(y) for _, y in spots)

    def row_of(point: int) -> int:
        """Returns the row of a point. Every other one in a line of 8 is a row lower at least, or squares look flat."""
        y = spots[point][1]
        if place(point)[0] % 2:
            return int(y)
        return min(max(int(y), int(y - down * ASIDE + ROUNDING) + 1), lowest)

    at = tuple((int(x), row_of(point)) for point, (x, _) in enumerate(spots))
    # Lines meet in the middle of the cell that shows their point.
    middles = [(x + 0.5, y + 0.5) for x, y in at]
    ways = {line: _way(middles[line[0]], middles[line[1]]) for line in LINES}
    strokes = {line: _strokes(at[line[0]], at[line[1]]) for line in LINES}
    covers = _covers(width, height, middles)
    within = {
        square: frozenset(cell for cell, count in samples.items() if count >= LEAST and cell not in at)
        for square, samples in covers.items()
    }
    cover = [[0] * width for _ in range(height)]
    for square, cells in within.items():
        for x, y in cells:
            cover[y][x] = covers[square][x, y]
    lines = [[0] * width for _ in range(height)]
    marks = [[" "] * width for _ in range(height)]
    for line, way in ways.items():
        for (x, y), dots in way.items():
            if 0 <= x < width and 0 <= y < height:
                lines[y][x] |= dots
        for (x, y), mark in strokes[line].items():
            marks[y][x] = mark
    return Tiling(
        width,
        height,
        at,
        tuple(map(tuple, cover)),
        tuple(map(tuple, lines)),
        tuple(map("".join, marks)),
        within,
        ways,
        strokes,
        tuple(_letters(at, height, margin[0] // 2)),
        tuple(_areas(width, height, at, across / 2)),
    )


def _letters(at: tuple[Cell, ...], height: int, gap: int) -> Iterator[tuple[int, int, str]]:
    """Yields letters below the board, and numbers `gap` columns to the left of it."""
    named = dict(zip(NAMES, at, strict=True))
    below = min(height - 1, max(y for _, y in at) + 1)
    for column in COLUMNS:
        x, _ = named[column + ("2" if column == "h" else "1")]
        yield x, below, column
    for row in ROWS:
        _, y = named[("c" if row == "8" else "a") + row]
        yield min(x for x, _ in at) - gap, y, row


def _way(a: Spot, b: Spot) -> dict[Cell, int]:
    """Returns the cells between two spots with their braille dots."""
    cells: dict[Cell, int] = {}
    for x, y in steps_between((a[0] * 2, a[1] * 4), (b[0] * 2, b[1] * 4)):
        cell = x // 2, y // 4
        cells[cell] = cells.get(cell, 0) | DOTS[y % 4][x % 2]
    return cells


def _strokes(a: Cell, b: Cell) -> dict[Cell, str]:
    """Returns the cells between two others with the character that looks most like the line: one a row or column."""
    across, down = b[0] - a[0], b[1] - a[1]
    if abs(across) > 3 * abs(down):
        mark, count = "-", abs(across)
    else:
        mark, count = ("|" if abs(across) < abs(down) else "\\" if across * down > 0 else "/"), abs(down)
    return {(round(a[0] + across * step / count), round(a[1] + down * step / count)): mark for step in range(1, count)}


def _covers(width: int, height: int, middles: list[Spot]) -> dict[Bits, dict[Cell, int]]:
    """Returns for each square the cells that it touches with how many of their samples lie in it."""
    return {square: dict(_samples(width, height, [middles[point] for point in points(square)])) for square in SQUARES}


def _samples(width: int, height: int, corners: list[Spot]) -> Counter[Cell]:
    counts: Counter[Cell] = Counter()
    # Bits run right to left, then up: lower right, lower left, upper right, upper left.
    polygon = [corners[0], corners[1], corners[3], corners[2]]
    for line in range(height * SAMPLES):
        y = (line + 0.5) / SAMPLES
        crossings = sorted(
            x0 + (y - y0) * (x1 - x0) / (y1 - y0)
            for (x0, y0), (x1, y1) in pairwise((*polygon, polygon[0]))
            if (y0 <= y) != (y1 <= y)
        )
        if crossings:
            first, last = (ceil(x * SAMPLES - 0.5) for x in crossings)
            for sample in range(max(0, first), min(last, width * SAMPLES)):
                counts[sample // SAMPLES, line // SAMPLES] += 1
    return counts
