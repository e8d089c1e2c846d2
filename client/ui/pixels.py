"""Pictures of square pixels: half blocks put two in each cell, one above the other."""

from __future__ import annotations

from collections.abc import Sequence

from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.palette import Color


def draw(canvas: Canvas, x: int, y: int, rows: Sequence[Sequence[Color | None]]) -> None:
    """Draws rows of pixels, with the top left one at cell (x, y). None keeps the background."""
    empty: Sequence[Color | None] = ()
    for number in range(0, len(rows), 2):
        upper, lower = rows[number], rows[number + 1] if number + 1 < len(rows) else empty
        for column in range(max(len(upper), len(lower))):
            above = upper[column] if column < len(upper) else None
            below = lower[column] if column < len(lower) else None
            _cell(canvas, x + column, y + number // 2, above, below)


def _cell(canvas: Canvas, x: int, y: int, above: Color | None, below: Color | None) -> None:
    if canvas.ascii_only:
        glyph = {(True, True): "#", (True, False): '"', (False, True): "_"}.get((above is not None, below is not None))
        if glyph:
            canvas.put(x, y, glyph, above or below or "text")
    elif above is not None and (below == above or (below is not None and canvas.palette.plain)):
        canvas.put(x, y, "█", above)
    elif above is not None and below is not None:
        canvas.put(x, y, "▀", above, below)
    elif above is not None:
        canvas.put(x, y, "▀", above)
    elif below is not None:
        canvas.put(x, y, "▄", below)
