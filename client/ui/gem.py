"""The diamond of the title screen: a brilliant seen from the side, drawn from polygons at any size."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.palette import ROLES, Color, Rgb, Tint
from kimberley.client.ui.pixels import draw

WIDTH: Final = 25
ROWS: Final = 10
_LEFT, _TABLE, _STAR, _APEX, _EDGE, _TIP, _RIGHT = 0.0, 5.6, 7.2, 12.5, 17.4, 19.4, 25.0
_GIRDLE, _LOW = 5.9, 20.0

Point = tuple[float, float]

FACETS: Final[tuple[tuple[str, tuple[Point, ...]], ...]] = (
    ("facet3", ((_TABLE, 0), (_LEFT, _GIRDLE), (_STAR, _GIRDLE))),
    ("facet5", ((_TABLE, 0), (_APEX, 0), (_STAR + 1, _GIRDLE), (_STAR, _GIRDLE))),
    ("facet6", ((_APEX, 0), (_EDGE - 0.2, _GIRDLE), (_STAR + 1, _GIRDLE))),
    ("facet4", ((_APEX, 0), (_TIP, 0), (_EDGE + 0.6, _GIRDLE), (_EDGE - 0.2, _GIRDLE))),
    ("facet2", ((_TIP, 0), (_RIGHT, _GIRDLE), (_EDGE + 0.6, _GIRDLE))),
    ("facet2", ((_LEFT, _GIRDLE), (4.2, _GIRDLE), (_APEX, _LOW))),
    ("facet4", ((4.2, _GIRDLE), (_STAR + 0.4, _GIRDLE), (_APEX, _LOW))),
    ("facet5", ((_STAR + 0.4, _GIRDLE), (_APEX, _GIRDLE), (_APEX, _LOW))),
    ("facet3", ((_APEX, _GIRDLE), (_EDGE, _GIRDLE), (_APEX, _LOW))),
    ("facet2", ((_EDGE, _GIRDLE), (20.6, _GIRDLE), (_APEX, _LOW))),
    ("facet1", ((20.6, _GIRDLE), (_RIGHT, _GIRDLE), (_APEX, _LOW))),
)
"""Facets in a box of 25 by 20, x to the right and y down, each with its color."""

EDGES: Final[tuple[tuple[float, tuple[Point, ...]], ...]] = (
    (0.35, ((_LEFT, _GIRDLE - 0.1), (_RIGHT, _GIRDLE - 0.1), (_RIGHT, _GIRDLE + 0.5), (_LEFT, _GIRDLE + 0.5))),
    (0.30, ((_STAR - 0.4, 0), (_STAR + 0.3, 0), (_STAR + 0.5, _GIRDLE), (_STAR - 0.2, _GIRDLE))),
    (0.30, ((_TIP - 1.2, 0), (_TIP - 0.6, 0), (_EDGE + 0.9, _GIRDLE), (_EDGE + 0.3, _GIRDLE))),
    (0.30, ((_EDGE - 0.3, _GIRDLE), (_EDGE + 0.4, _GIRDLE), (_APEX + 0.2, _LOW), (_APEX - 0.2, _LOW))),
    (0.22, ((_LEFT, _GIRDLE), (_TABLE, 0), (_TABLE + 0.5, 0), (_LEFT + 0.8, _GIRDLE))),
    (0.18, ((_TABLE, 0), (_TIP, 0), (_TIP, 0.4), (_TABLE, 0.4))),
)
"""Highlights where facets meet: shares of white blended over the facets."""

_FINENESS: Final = 8


def _coverage(shape: tuple[Point, ...], width: int, height: int) -> dict[int, list[tuple[int, float]]]:
    """Returns for each row of pixels the share of each pixel that a convex polygon covers. It is exact horizontally,
    sampled at eight lines a pixel vertically.
    """
    across, down = width / WIDTH, height / (2 * ROWS)
    points = [(x * across, y * down) for x, y in shape]
    rows: dict[int, dict[int, float]] = {}
    low, high = min(y for _, y in points), max(y for _, y in points)
    for line in range(int(low * _FINENESS), min(int(high * _FINENESS) + 1, height * _FINENESS)):
        at = (line + 0.5) / _FINENESS
        cuts = []
        for (x1, y1), (x2, y2) in zip(points, (*points[1:], points[0]), strict=True):
            if (y1 <= at) != (y2 <= at):
                cuts.append(x1 + (at - y1) / (y2 - y1) * (x2 - x1))
        if len(cuts) != 2:
            continue
        begin, end = sorted(cuts)
        row = rows.setdefault(line // _FINENESS, {})
        for column in range(int(begin), min(int(end) + 1, width)):
            share = min(end, column + 1) - max(begin, column)
            row[column] = row.get(column, 0.0) + share / _FINENESS
    return {row: list(columns.items()) for row, columns in rows.items()}


@lru_cache(maxsize=4)
def picture(width: int, height: int, smooth: bool) -> list[list[Color | None]]:
    """Returns the diamond in `width` by `height` pixels: mixed colors if `smooth`, else the color of each pixel's
    largest facet.
    """
    ink, white = ROLES["ink"].rgb, ROLES["bright"].rgb
    totals = [[(0.0, 0.0, 0.0, 0.0)] * width for _ in range(height)]
    largest: list[list[tuple[float, str]]] = [[(0.0, "ink")] * width for _ in range(height)]
    for role, shape in FACETS:
        r, g, b = ROLES[role].rgb
        for row, columns in _coverage(shape, width, height).items():
            for column, share in columns:
                before = totals[row][column]
                totals[row][column] = (
                    before[0] + r * share, before[1] + g * share, before[2] + b * share, before[3] + share,
                )  # fmt: skip
                largest[row][column] = max(largest[row][column], (share, role))
    if not smooth:
        return [[largest[y][x][1] if totals[y][x][3] >= 0.5 else None for x in range(width)] for y in range(height)]
    shine = [[0.0] * width for _ in range(height)]
    for strength, shape in EDGES:
        for row, columns in _coverage(shape, width, height).items():
            for column, share in columns:
                shine[row][column] += strength * share
    return [
        [_blend(totals[y][x], shine[y][x], largest[y][x][1], ink, white) for x in range(width)] for y in range(height)
    ]


def _blend(total: tuple[float, float, float, float], shine: float, role: str, ink: Rgb, white: Rgb) -> Color | None:
    """Mixes the facets by their share, adds the highlights, and shows ink where the diamond does not cover the
    pixel.
    """
    share = min(1.0, total[3])
    if share < 0.04:
        return None
    mixed = []
    for channel in range(3):
        stone = total[channel] / total[3]
        lit = stone + (white[channel] - stone) * min(0.6, shine)
        mixed.append(round(ink[channel] + (lit - ink[channel]) * share))
    return Tint(mixed[0], mixed[1], mixed[2], role)


DRAWING: Final = (
    r"     _______________     ",
    r"    /\      /\     /\    ",
    r"   /  \    /  \   /  \   ",
    r"  /    \  /    \ /    \  ",
    r" /______\/______X______\ ",
    r"  \     \       /     /  ",
    r"    \    \     /    /    ",
    r"      \   \   /   /      ",
    r"        \  \ /  /        ",
    r"          \_V_/          ",
)
"""The diamond in ASCII, also used if there are no colors to distinguish its facets."""


def draw_gem(canvas: Canvas, x: int, y: int, width: int = WIDTH, rows: int = ROWS) -> None:
    """Draws the diamond in `width` by `rows` cells. The ASCII drawing is always 25 by 10, centered."""
    if canvas.ascii_only or canvas.palette.plain:
        left, top = x + (width - WIDTH) // 2, y + (rows - ROWS) // 2
        for number, line in enumerate(DRAWING):
            canvas.put(left, top + number, line, "ice")
        return
    draw(canvas, x, y, picture(width, 2 * rows, canvas.palette.true))
