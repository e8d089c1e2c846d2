"""A pyramid of half cells: in steps where pixels are hard, smooth where colors can be mixed."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from kimberley.client.boards.mine.grid import SquareCells
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.palette import Color

SHADE: Final = 0.34
"""How much darker the side away from the light is."""
RIDGE: Final = 0.3
"""Where the two sides meet: how far right of the middle, as a share of half the width. The lit side is larger."""
FINE: Final = 8
"""Samples along an edge of a pixel."""


class Pixel(NamedTuple):
    """How much of a half cell the pyramid covers, and how much of that lies in the shade: 0 to 1."""

    cover: float = 0.0
    shade: float = 0.0


@lru_cache(maxsize=64)
def raster(columns: int, rows: int, base: int, smooth: bool) -> tuple[tuple[Pixel, ...], ...]:
    """Returns the pixels of a pyramid on a ground of `columns` by `rows` cells, two to a cell: rows from the top,
    columns from the left.

    It stands in the middle, on the last row, where it is `base` cells wide. The first row stays free.
    """
    high = 2 * rows - 1
    kind = _smooth if smooth else _hard
    return tuple(
        tuple(kind(x - columns // 2, y - 1, high, base) if y else Pixel() for x in range(columns))
        for y in range(2 * rows)
    )


def _hard(away: int, y: int, high: int, base: int) -> Pixel:
    """Returns a pixel of a pyramid in steps, each a whole pixel wider on both sides."""
    half = (base // 2) * y // max(1, high - 1)
    return Pixel(float(abs(away) <= half), float(away > 0))


def _smooth(away: int, y: int, high: int, base: int) -> Pixel:
    covered = shaded = 0
    for fine_y in range(FINE):
        half = 0.5 + (base / 2 - 0.5) * (y + (fine_y + 0.5) / FINE) / (high - 1)
        for fine_x in range(FINE):
            place = away - 0.5 + (fine_x + 0.5) / FINE
            if abs(place) < half:
                covered += 1
                shaded += place > half * RIDGE
    return Pixel(covered / FINE**2, shaded / covered) if covered else Pixel()


def draw_pyramid(
    canvas: Canvas, spot: SquareCells, base: int, color: Color, ground: Color, *, top: int = 0, tip: bool = True
) -> None:
    """Draws a pyramid in a square, from its row `top` on, on `ground`; without `tip` only its last row."""
    if canvas.ascii_only:
        _draw_lines(canvas, spot, base, color, top, tip)
        return
    palette = canvas.palette
    rows = spot.rows - top
    # On small squares, mixed edges would only blur the shape.
    pixels = raster(spot.columns, rows, base, palette.true and spot.rows > 3)

    def paint(pixel: Pixel) -> Color:
        if not pixel.cover:
            return ground
        body = palette.mixed(color, "ink", SHADE * pixel.shade) if palette.true else color
        return palette.mixed(ground, body, pixel.cover) if pixel.cover < 1 else body

    for row in range(0 if tip else rows - 1, rows):
        for x in range(spot.columns):
            upper, lower = pixels[2 * row][x], pixels[2 * row + 1][x]
            if upper.cover and lower.cover and not palette.true:
                canvas.put(spot.x + x, spot.y + top + row, "█", color, ground)
            elif lower.cover:
                canvas.put(spot.x + x, spot.y + top + row, "▄", paint(lower), paint(upper))


def _draw_lines(canvas: Canvas, spot: SquareCells, base: int, color: Color, top: int, tip: bool) -> None:
    """Draws its outline, for terminals that have no blocks."""
    rows = spot.rows - top
    for row in range(0 if tip else rows - 1, rows):
        away = (base // 2) * row // max(1, rows - 1)
        y = spot.y + top + row
        if away:
            canvas.put(spot.middle - away, y, "/", color, bold=True)
            canvas.put(spot.middle + away, y, "\\", color, bold=True)
        else:
            canvas.put(spot.middle, y, "^", color, bold=True)
