"""The panel beside the board: who plays what, what the picked piece may do, the moves so far, and what is typed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from client.board import Span
from client.boards.diamond.course import Played
from client.boards.diamond.picture import mark_of
from client.canvas import Canvas
from client.glyphs import fitted, wrapped
from client.palette import Colour
from client.widgets import Field
from games.diamond.position import BLACK, PIECES, WHITE
from games.diamond.rules import QUIET, State

NARROW: Final = 26
WIDE: Final = 34
ROOMY: Final = 44
FEWEST: Final = 3
"""Rows of moves."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """What the panel says.

    `names` by seat, `you` the seat that looks on, None for nobody's. `about` are lines on what is picked or what
    happened. `shown` is how many of the moves lead to the position that is drawn. `typed` is the field that is typed
    into, None where nothing is to be typed; `buttons` are labels with their keys. `talk` are (name, text).
    """

    state: State
    names: Sequence[str]
    you: int | None
    heading: str
    about: Sequence[Sequence[Span]]
    moves: Sequence[Played]
    shown: int
    typed: Field | None = None
    typing: bool = False
    buttons: Sequence[tuple[str, str, str]] = ()
    talk: Sequence[tuple[str, str]] = field(default=())


def panel_width(columns: int) -> int:
    """How wide the panel is on a terminal of so many columns."""
    return NARROW if columns < 100 else WIDE if columns < 140 else ROOMY


def draw_panel(canvas: Canvas, sheet: Sheet) -> None:
    """Draws it over the whole canvas. A click on a move is ("moment", n)."""
    canvas.fill(0, 0, canvas.width, canvas.height, "panel")
    inner = canvas.region(1, 1, canvas.width - 2, canvas.height - 1)
    _draw_sides(inner, sheet)
    bottom = inner.height - 1
    if sheet.typed is not None:
        _draw_typed(inner, bottom - 1, sheet)
        bottom -= 3
    for label, key, fg in reversed(sheet.buttons):
        canvas.hit(1, bottom + 1, canvas.width - 2, 1, f"key:{key}")
        inner.put(0, bottom, f" {label} {key} ", "ink", fg, bold=True)
        bottom -= 2
    inner.put(0, 4, fitted(sheet.heading, inner.width), "text", bold=True)
    # The moves have what the lines above leave free, and FEWEST of them are always there.
    top = min(6 + len(sheet.about), bottom - FEWEST)
    for y, line in enumerate(sheet.about[: top - 6], start=5):
        _draw_spans(inner, 0, y, line)
    if sheet.talk and inner.height > 26:
        _draw_talk(inner, bottom, sheet)
        bottom -= 9
    _draw_moves(inner, top, bottom, sheet)


def _draw_spans(canvas: Canvas, x: int, y: int, spans: Sequence[Span]) -> None:
    for span in spans:
        x = canvas.put(x, y, fitted(span.text, canvas.width - x), span.fg, span.bg, span.bold)


def _draw_sides(canvas: Canvas, sheet: Sheet) -> None:
    state = sheet.state
    for y, colour in enumerate((WHITE, BLACK)):
        sign, fg, bg = mark_of(colour)
        canvas.put(0, y, sign, fg, bg, bold=True)
        placed = state.position.pieces[colour].bit_count()
        if state.position.placing:
            left = (state.position.left + (colour == WHITE)) // 2
            count = f"{left} to place"
        else:
            count = f"{placed} of {PIECES}"
        start = canvas.right(canvas.width, y, count, "soft")
        name = "to be rolled" if state.first is None else sheet.names[state.seat(colour)]
        you = state.first is not None and sheet.you == state.seat(colour)
        room = start - 5
        label = f"{fitted(name, room - 5)}, you" if you else fitted(name, room)
        canvas.put(4, y, label, "text" if state.first is not None else "soft", bold=True)
    sign, fg, bg = mark_of(2)
    canvas.put(0, 2, sign, fg, bg, bold=True)
    canvas.put(4, 2, "neutral", "soft")
    canvas.right(canvas.width, 2, str(state.position.neutral.bit_count()), "soft")


def _draw_moves(canvas: Canvas, top: int, bottom: int, sheet: Sheet) -> None:
    canvas.put(0, top, "Moves", "text", bold=True)
    if not sheet.state.position.placing:
        canvas.right(canvas.width, top, f"quiet {sheet.state.quiet} of {QUIET}", "soft")
    rows = (len(sheet.moves) + 1) // 2
    room = bottom - top
    current = (sheet.shown + 1) // 2
    first = max(0, min(rows - room, current - room))
    if sheet.shown < len(sheet.moves):
        first = max(0, min(rows - room, current - (room + 1) // 2))
    for y, row in enumerate(range(first, min(rows, first + room)), start=top + 1):
        canvas.put(0, y, f"{row + 1:<3}", "soft")
        for half in (0, 1):
            number = 2 * row + half
            if number < len(sheet.moves):
                x = 4 + half * ((canvas.width - 3) // 2)
                fg: Colour = "money" if number == sheet.shown - 1 else "text" if number < sheet.shown else "soft"
                text = sheet.moves[number].turn
                canvas.put(x, y, text, fg, bold=number == sheet.shown - 1)
                canvas.hit(x, y, len(text), 1, ("moment", number + 1))


def _draw_talk(canvas: Canvas, bottom: int, sheet: Sheet) -> None:
    canvas.put(0, bottom - 7, "Talk", "text", bold=True)
    lines = [
        (line, number == 0, name)
        for name, text in sheet.talk
        for number, line in enumerate(wrapped(f"{name}: {text}", canvas.width))
    ][-6:]
    for y, (line, first, name) in enumerate(lines, start=bottom - 6):
        canvas.put(0, y, line, "soft")
        if first:
            canvas.put(0, y, f"{name}:", "text")


def _draw_typed(canvas: Canvas, y: int, sheet: Sheet) -> None:
    assert sheet.typed is not None
    canvas.put(0, y, "Move", "soft")
    sheet.typed.draw(canvas, 5, y, canvas.width - 5, sheet.typing, "type b2 or b1-b2", action=("type",))
