"""Pictures of land in square pixels: dunes, furrows, coal, gems and water, each on the ground of its kind."""

from __future__ import annotations

from functools import lru_cache

from kimberley.client.boards.land.parcel_style import LANDS
from kimberley.client.ui import pixels
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.palette import Color, Palette

GEMS = ((".#.", "###", ".#."), ("..#..", ".###.", "#####", ".###.", "..#.."))
"""A small gem, and a large one where there is room for it."""


def draw_texture(canvas: Canvas, kind: str) -> None:
    """Draws a picture of that kind over the whole canvas. Only 24-bit color can show it; else the ground is even."""
    if canvas.palette.true:
        pixels.draw(canvas, 0, 0, _pixels(canvas.palette, kind, canvas.width, canvas.height * 2))
    else:
        canvas.fill(0, 0, canvas.width, canvas.height, LANDS[kind])


@lru_cache(maxsize=64)
def _pixels(palette: Palette, kind: str, wide: int, high: int) -> tuple[tuple[Color, ...], ...]:
    land = LANDS[kind]
    shades: dict[float, Color] = {}

    def color(x: int, y: int) -> Color:
        shade = _shade(kind, x, y, wide, high)
        if shade not in shades:
            shades[shade] = palette.mixed(land, "bright" if shade > 0 else "ink", abs(shade))
        return shades[shade]

    return tuple(tuple(color(x, y) for x in range(wide)) for y in range(high))


def _shade(kind: str, x: int, y: int, wide: int, high: int) -> float:
    """Returns how much lighter a pixel is than its ground, from 0 to 1; below 0, how much darker."""
    match kind:
        case "D":
            return 0.12 if (x + abs(y % 4 - 2) * 3) % 12 < 4 and y % 3 == 0 else 0.0
        case "F":
            return -0.22 if (x + y // 2) % 4 < 2 else 0.05
        case "C":
            lump = (x // 2 * 7 + y // 2 * 11 + x // 2 * (y // 2) * 3) % 7
            return -0.4 if lump < 2 else 0.14 if lump == 3 and y % 2 == 0 else 0.0
        case "P":
            gem = GEMS[high > len(GEMS[1])]
            size = len(gem)
            step = size + 2
            line, down = divmod(y - (high - high // (size + 1) * (size + 1) + 1) // 2, size + 1)
            across = (x - 1 - wide % step // 2 + line % 2 * (step // 2)) % step
            inside = 0 <= line < high // (size + 1) and across < size and down < size and gem[down][across] == "#"
            return (0.55 if across + down < size else 0.3) if inside else -0.12
    return 0.14 if (x + y // 3 * 4) % 10 < 4 and y % 3 == 1 else 0.0
