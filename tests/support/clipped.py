"""Text that runs over an edge of the place where it is drawn, and loses letters without an ellipsis."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final
from unittest.mock import patch

from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import cell_width

MARK: Final = 6
"""The most letters of a mark on a map that goes on beyond its edge."""
LEAST: Final = (39, 10)
"""The columns and rows of a terminal that can hold the sentence that says it is too small."""


def is_clipped(canvas: Canvas, x: int, y: int, text: str) -> bool:
    """Returns whether a text that is put there loses letters."""
    if len(text) <= MARK or not any(map(str.isalnum, text)):
        return False
    return x < 0 or x + cell_width(text.rstrip()) > canvas.width or not 0 <= y < canvas.height


@contextmanager
def noting_clipped() -> Iterator[set[str]]:
    """Notes every text that is clipped while something is drawn."""
    clipped: set[str] = set()
    put = Canvas.put

    def noting(canvas: Canvas, x: int, y: int, text: str, *args: Any, **values: Any) -> int:
        chars = canvas._grid.chars
        if (len(chars[0]), len(chars)) >= LEAST and is_clipped(canvas, x, y, text):
            clipped.add(f"{text!r} at {x}, {y} of {canvas.width} x {canvas.height}")
        return put(canvas, x, y, text, *args, **values)

    with patch.object(Canvas, "put", noting):
        yield clipped
