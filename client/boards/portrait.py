"""A board on a portrait screen: who plays, the phase strip, the board with its card, and room for large buttons."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from kimberley.client.boards.view import BoardView, Shown, Strip
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import cell_width, truncate, wrap
from kimberley.client.ui.widgets import bar_rows, progress, whole_sentences

HEADER_ROWS: Final = 3
"""The rows at the top: who plays, and what each has."""
STRIP_ROWS: Final = 3
"""The rows of the phase strip: the phase with what is waited for, and two for the sentence."""
STEPPING_LINES: Final = 2
"""The lines of buttons with which one steps through a game."""
COUNTDOWN_ROOM: Final = 6
"""The columns of the seconds that are left."""


def draw_portrait(
    canvas: Canvas, view: BoardView[Any, Any], shown: Shown[Any, Any], strip: Callable[[int], Strip], lines: int = 1
) -> None:
    """Draws all of a portrait screen but its keys, which take so many `lines` of buttons.

    `strip` makes the phase strip; it is told for how many columns (see `BoardView.strip`).
    """
    width, top = canvas.width, HEADER_ROWS + STRIP_ROWS
    header = canvas.region(0, 0, width, HEADER_ROWS)
    body = canvas.region(0, top, width, canvas.height - top - bar_rows(canvas, lines))
    view.draw_portrait(header, body, shown)
    _draw_strip(canvas, strip(strip_columns(width)))


def strip_columns(width: int) -> int:
    """The columns of the phase and the sentence: in two lines, of which the first may end early by a long word."""
    return 2 * (width - 2) - 6


def _draw_strip(canvas: Canvas, strip: Strip) -> None:
    width, y = canvas.width, HEADER_ROWS
    canvas.mark_strip(y, width)
    canvas.fill(0, y, width, STRIP_ROWS, "raised")
    end = canvas.put(0, y, f" {strip.phase} ", "ink", "paper", bold=True) + 1
    if strip.countdown is not None:
        left, whole = strip.countdown
        canvas.right(width - 1, y, f"{max(0, round(left))} s", "text", bold=True)
        progress(canvas, end, y, width - end - COUNTDOWN_ROOM, left / whole if whole else 0.0)
    else:
        canvas.right(width - 1, y, truncate(strip.aside, width - end - 1), strip.aside_fg)
    room = width - 2
    sentence = strip.sentence
    while len(lines := wrap(sentence, room)) > STRIP_ROWS - 1:
        shorter = whole_sentences(sentence, cell_width(sentence) - 1)
        sentence = shorter if cell_width(shorter) < cell_width(sentence) else truncate(sentence, room)
    for number, line in enumerate(lines):
        canvas.put(1, y + 1 + number, line, "text")
