"""The layout of screens outside a game: bars at the top and bottom, and a centered stage between them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from kimberley.client.ui.bars import STRIP_ROWS
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import cell_width, truncate, wrap
from kimberley.client.ui.palette import Color
from kimberley.client.ui.touch import bar_rows

SEAT_MARKS: Final = "▲■●◆+="


def stage(canvas: Canvas, columns: int = 80, rows: int = 24) -> Canvas:
    """Returns a centered region of `columns` by `rows`, less the bars: two rows at the top, one at the bottom. On a
    portrait screen, all that is between the phase strip and the buttons.
    """
    if canvas.portrait:
        top = 1 + STRIP_ROWS + 1
        return canvas.region(0, top, canvas.width, canvas.height - top - bar_rows(canvas))
    room, height = min(columns, canvas.width), min(rows - 3, canvas.height - 3)
    return canvas.region((canvas.width - room) // 2, 2 + (canvas.height - 3 - height) // 3, room, height)


def seat_mark(canvas: Canvas, x: int, y: int, seat: int) -> int:
    """Draws a seat's number and sign. Returns the column after them."""
    canvas.put(x, y, str(seat + 1), "soft")
    return canvas.put(x + 2, y, SEAT_MARKS[seat], f"seat{seat + 1}", bold=True)


def word_card(canvas: Canvas, x: int, y: int, room: int, number: int, word: str) -> None:
    """Draws a word in a frame, which no button has. The text is in row `y`, between the lines of the frame."""
    canvas.box(x, y - 1, room, 3, bg="panel", line="soft")
    canvas.put(x + 2, y, str(number), "soft")
    canvas.center(x, y, room, word, "text", bold=True)


def command_line(canvas: Canvas, x: int, y: int, text: str, ground: Color = "ink") -> int:
    """Draws a shell command on its own background. Returns the column after it."""
    canvas.fill(x, y, cell_width(text) + 4, 1, ground)
    canvas.put(x + 2, y, text, "ice", bold=True)
    return x + cell_width(text) + 4


def command_rows(canvas: Canvas, x: int, y: int, text: str, ground: Color = "ink") -> int:
    """Draws a shell command whole, in as many rows as it takes. Returns the row after it."""
    for row in address_rows(text, canvas.width - x - 4):
        command_line(canvas, x, y, row, ground)
        y += 1
    return y


def address_rows(text: str, room: int) -> list[str]:
    """Returns a text that ends with an address in rows, with nothing added: broken after a colon or before a percent
    sign, where possible.
    """
    rows = [""]
    for part in re.split("(?<=:)|(?=%)", text):
        if rows[-1] and len(rows[-1]) + len(part) > room:
            rows.append("")
        whole = rows.pop() + part
        rows += [whole[at : at + room] for at in range(0, max(len(whole), 1), room)]
    return rows


def fact_rows(canvas: Canvas, x: int, y: int, lines: Sequence[tuple[str, str]], gap: int, fg: Color = "text") -> int:
    """Draws soft labels, each with its value. Returns the row after them."""
    for label, text in lines:
        canvas.put(x, y, label, "soft")
        canvas.put(x + gap, y, truncate(text, canvas.width - x - gap), fg)
        y += 1
    return y


def draw_options(canvas: Canvas, x: int, y: int, room: int, rows: int, lines: Sequence[tuple[str, str]]) -> None:
    """Draws the options of a table, (label, value): one below another, or one after another if there are too few rows;
    then the number of those that do not fit.
    """
    gap = max((cell_width(label) for label, _ in lines), default=0) + 2
    if rows < 1:
        return
    facts = [
        (label if not number else "", line)
        for label, text in lines
        for number, line in enumerate(wrap(text, max(1, room - gap)))
    ]
    if len(facts) <= rows:
        fact_rows(canvas.region(x, y, room, rows), 0, 0, facts, gap)
        return
    row, at = 0, 0
    for number, (label, text) in enumerate(lines):
        need = cell_width(label) + 1 + cell_width(text)
        if at and at + need > room:
            if row + 1 == rows:
                canvas.put(x + at, y + row, truncate(f"+{len(lines) - number} more", room - at), "soft")
                return
            row, at = row + 1, 0
        after = canvas.put(x + at, y + row, truncate(label, room - at), "soft")
        at = canvas.put(after + 1, y + row, truncate(text, max(0, x + room - after - 1)), "text") - x + 3
