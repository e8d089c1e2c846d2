"""Frames and what stands in them: paragraphs, panels, dialogs, progress."""

from __future__ import annotations

from collections.abc import Sequence

from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.palette import Color
from kimberley.client.ui.touch import bar_rows


def progress(canvas: Canvas, x: int, y: int, room: int, share: float, mark: float | None = None) -> None:
    """Draws a progress bar: ice for the share done, the line color for the rest, and a mark at some share."""
    done = round(room * min(1.0, max(0.0, share)))
    canvas.fill(x, y, room, 1, "line")
    canvas.fill(x, y, done, 1, "ice")
    if canvas.palette.plain:
        canvas.put(x + done, y, "·" * (room - done), "soft")
    if mark is not None:
        canvas.put(x + round(room * mark), y, "│", "ink" if share > mark else "text")


def paragraph(canvas: Canvas, x: int, y: int, lines: Sequence[str], fg: Color = "soft") -> int:
    """Draws lines of text one below another. Returns the row after them."""
    for line in lines:
        canvas.put(x, y, line, fg)
        y += 1
    return y


def panel(canvas: Canvas, x: int, y: int, room: int, rows: int, title: str = "", bg: Color = "panel") -> Canvas:
    """Draws a rounded frame on its own background. Returns the region inside: two cells in at the sides, one above and
    below.
    """
    canvas.box(x, y, room, rows, title, bg=bg)
    return canvas.region(x + 2, y + 1, room - 4, rows - 2)


def dialog(canvas: Canvas, room: int, rows: int, title: str) -> Canvas:
    """Draws a raised, centered panel with a shadow of two columns and one row. Only this panel can be clicked.

    Returns the region inside it, three cells in at the sides and one above and below.
    """
    canvas.block()
    high = canvas.height - (bar_rows(canvas) if canvas.portrait else 0)
    room, rows = min(room, canvas.width - 2), min(rows, high - 1)
    x, y = (canvas.width - room) // 2, max(0, (high - rows) // 2)
    if y + rows == canvas.height - 1:
        # The keys in the last row are those of the screen below.
        canvas.fill(0, y + rows, canvas.width, 1, "border")
    if not canvas.palette.plain:
        # On a phone the shadow is as wide as the screen: one letter of what lies below would be left beside it.
        canvas.fill(0 if canvas.portrait else x + 2, y + rows, canvas.width if canvas.portrait else room, 1, "border")
        canvas.fill(x + room, y + 1, 2, rows, "border")
    canvas.box(x, y, room, rows, title, bg="raised", line="soft")
    # A click on the dialog itself, outside its buttons, does nothing. It must not reach what lies below.
    canvas.hit(x, y, room, rows, "nothing")
    return canvas.region(x + 3, y + 1, room - 6, rows - 2)
