"""Pictures of square pixels: half blocks put two in each cell, one above the other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, zip_longest

from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.palette import Color


def draw(canvas: Canvas, x: int, y: int, rows: Sequence[Sequence[Color | None]]) -> None:
    """Draws rows of pixels, with the top left one at cell (x, y). None keeps the background."""
    empty: Sequence[Color | None] = ()
    for number in range(0, len(rows), 2):
        upper, lower = rows[number], rows[number + 1] if number + 1 < len(rows) else empty
        column = x
        for (above, below), alike in groupby(zip_longest(upper, lower)):
            count = len(list(alike))
            _cells(canvas, column, y + number // 2, count, above, below)
            column += count


def _cells(canvas: Canvas, x: int, y: int, count: int, above: Color | None, below: Color | None) -> None:
    """Draws `count` cells that look alike."""
    if canvas.ascii_only:
        glyph = {(True, True): "#", (True, False): '"', (False, True): "_"}.get((above is not None, below is not None))
        if glyph:
            canvas.put(x, y, glyph * count, above or below or "text")
    elif above is not None and (below == above or (below is not None and canvas.palette.plain)):
        canvas.put(x, y, "█" * count, above)
    elif above is not None and below is not None:
        canvas.put(x, y, "▀" * count, above, below)
    elif above is not None:
        canvas.put(x, y, "▀" * count, above)
    elif below is not None:
        canvas.put(x, y, "▄" * count, below)
