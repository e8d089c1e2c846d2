"""A board on a portrait screen: who plays, the phase strip, the board with its card, and room for large buttons."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from kimberley.client.boards.view import BoardView, Shown, Strip
from kimberley.client.ui.bars import STRIP_ROWS, phase_strip
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import cell_width
from kimberley.client.ui.panels import progress
from kimberley.client.ui.touch import bar_rows

HEADER_ROWS: Final = 3
"""The rows at the top: who plays, and what each has."""
STEPPING_LINES: Final = 2
"""The lines of buttons for stepping through a game."""
COUNTDOWN_ROOM: Final = 6
"""The columns of the seconds that are left."""


def draw_portrait(
    canvas: Canvas, view: BoardView[Any, Any], shown: Shown[Any, Any], strip: Callable[[int], Strip], lines: int = 1
) -> None:
    """Draws all of a portrait screen except its keys, which take `lines` lines of buttons.

    `strip` makes the phase strip for a number of columns (see `BoardView.strip`).
    """
    width, top = canvas.width, HEADER_ROWS + STRIP_ROWS
    header = canvas.region(0, 0, width, HEADER_ROWS)
    body = canvas.region(0, top, width, canvas.height - top - bar_rows(canvas, lines))
    view.draw_portrait(header, body, shown)
    _draw_strip(canvas, strip(strip_columns(width)))


def strip_columns(width: int) -> int:
    """Returns the columns of the phase and the sentence, in two lines: a long word may end the first one early."""
    return 2 * (width - 2) - 6


def _draw_strip(canvas: Canvas, strip: Strip) -> None:
    y = HEADER_ROWS
    if strip.countdown is None:
        phase_strip(canvas, y, strip.phase, strip.sentence, strip.aside, strip.aside_fg)
        return
    phase_strip(canvas, y, strip.phase, strip.sentence, f"{strip.countdown.shown} s", "text")
    start = cell_width(strip.phase) + 3
    progress(canvas, start, y, canvas.width - start - COUNTDOWN_ROOM, strip.countdown.share, strip.countdown.mark)
