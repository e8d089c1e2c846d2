"""How screens outside of a game are laid out: bars above and below, and in between a stage in the middle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from client.canvas import Canvas
from client.glyphs import fitted, width
from client.palette import Colour
from client.widgets import paragraph

SEAT_MARKS: Final = "▲■●◆+="


def stage(canvas: Canvas, columns: int = 80, rows: int = 24) -> Canvas:
    """A region of `columns` by `rows` less the bars (two rows above, one below), in the middle of what there is."""
    room, height = min(columns, canvas.width), min(rows - 3, canvas.height - 3)
    return canvas.region((canvas.width - room) // 2, 2 + (canvas.height - 3 - height) // 3, room, height)


def seat_mark(canvas: Canvas, x: int, y: int, seat: int) -> int:
    """A seat's number and sign. Returns the column after them."""
    canvas.put(x, y, str(seat + 1), "soft")
    return canvas.put(x + 2, y, SEAT_MARKS[seat], f"seat{seat + 1}", bold=True)


def card(canvas: Canvas, x: int, y: int, room: int, number: int, word: str) -> None:
    """A word on a card of paper, two cells high by half blocks; its text is in row `y`."""
    if not canvas.ascii_only:
        canvas.put(x, y - 1, "▄" * room, "paper")
        canvas.put(x, y + 1, "▀" * room, "paper")
    canvas.fill(x, y, room, 1, "paper")
    canvas.put(x + 1, y, str(number), "faded")
    canvas.centre(x, y, room, word, "ink", bold=True)


def command(canvas: Canvas, x: int, y: int, text: str, ground: Colour = "ink") -> int:
    """What can be typed in a shell, on a ground of its own. Returns the column after it."""
    canvas.fill(x, y, width(text) + 4, 1, ground)
    canvas.put(x + 2, y, text, "ice", bold=True)
    return x + width(text) + 4


def facts(canvas: Canvas, x: int, y: int, lines: Sequence[tuple[str, str]], gap: int, fg: Colour = "text") -> int:
    """Labels, soft, each with what it is. Returns the row after them."""
    for label, text in lines:
        canvas.put(x, y, label, "soft")
        canvas.put(x + gap, y, fitted(text, canvas.width - x - gap), fg)
        y += 1
    return y


def reasons(canvas: Canvas, x: int, y: int, port: int) -> int:
    """Why two machines may not find each other. Returns the row after it."""
    for label, text in (
        ("Network", "same Wi-Fi or cable on both, no guest network"),
        ("Firewall", f"let UDP 5353 and TCP {port} in, on both sides"),
        ("Isolation", "some access points keep devices apart"),
    ):
        canvas.put(x, y, label, "text", bold=True)
        y = paragraph(canvas, x + 12, y, [text])
    return y


def draw_options(canvas: Canvas, x: int, y: int, room: int, rows: int, lines: Sequence[tuple[str, str]]) -> None:
    """The options of a table, (label, value), each in a row of its own; where rows are short, one after the other."""
    gap = max((width(label) for label, _ in lines), default=0) + 2
    if len(lines) <= rows and all(gap + width(text) <= room for _, text in lines):
        facts(canvas.region(x, y, room, rows), 0, 0, lines, gap)
        return
    row, at = 0, 0
    for label, text in lines:
        need = width(label) + 1 + width(text)
        if at and at + need > room:
            row, at = row + 1, 0
        if row == rows:
            return
        after = canvas.put(x + at, y + row, fitted(label, room - at), "soft")
        at = canvas.put(after + 1, y + row, fitted(text, max(0, x + room - after - 1)), "text") - x + 3
