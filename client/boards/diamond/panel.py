"""The panel beside the board: who plays what, what the picked piece may do, the moves so far, and what is typed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from kimberley.client.boards.diamond.events import GameEvent
from kimberley.client.boards.diamond.scene import mark_of
from kimberley.client.session.participants import own_name
from kimberley.client.ui.buttons import Button, draw_buttons
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import truncate
from kimberley.client.ui.palette import Color
from kimberley.client.ui.panels import panel
from kimberley.client.ui.spans import Span, Spans, draw_lines, log_tail, spans_width
from kimberley.client.ui.text_field import TextField
from kimberley.client.ui.touch import TOUCH_ROWS, touch_button
from kimberley.games.diamond.position import BLACK, PIECES, WHITE
from kimberley.games.diamond.rules import QUIET, State

NARROW: Final = 26
WIDE: Final = 34
ROOMY: Final = 44
FEWEST: Final = 3
"""Rows of moves that are worth a place on a portrait screen."""
LEAST: Final = 1
"""Rows of moves that are always there on any other screen."""
ARROWS: Final = (("◂", "left"), ("▴", "up"), ("▾", "down"), ("▸", "right"))
"""The large arrows of a portrait screen, with their keys."""


@dataclass(frozen=True, slots=True)
class PanelContent:
    """What the panel says.

    `names` are by seat; `you` is the viewer's seat, None for a spectator. `about` are lines on what is picked or what
    happened. `shown` is how many of the moves lead to the position that is drawn. `typed` is the field that is typed
    into, None where nothing is to be typed, `example` what could be; `buttons` stand one above the other, the first
    one lowest. `talk` are (name, text).
    """

    state: State
    names: Sequence[str]
    you: int | None
    heading: str
    about: Sequence[Spans]
    moves: Sequence[GameEvent]
    shown: int
    typed: TextField | None = None
    example: str = ""
    typing: bool = False
    buttons: Sequence[Button] = ()
    talk: Sequence[tuple[str, str]] = field(default=())


def panel_width(columns: int) -> int:
    """Returns how wide the panel is on a terminal that is `columns` wide."""
    return NARROW if columns < 100 else WIDE if columns < 140 else ROOMY


def draw_panel(canvas: Canvas, content: PanelContent) -> None:
    """Draws the panel over the whole canvas. A click on a move is ("position", n)."""
    canvas.fill(0, 0, canvas.width, canvas.height, "panel")
    inner = canvas.region(1, 1, canvas.width - 2, canvas.height - 1)
    draw_sides(inner, content)
    bottom = inner.height - 1
    if not canvas.touch:
        bottom = _draw_entry(inner, bottom, content)
    inner.put(0, 4, truncate(content.heading, inner.width), "text", bold=True)
    # The moves have the rows that the lines above leave free.
    top = min(6 + len(content.about), bottom - LEAST)
    about = content.about[: top - 6]
    draw_lines(inner, 0, 5, about)
    inner.hit(0, 4, inner.width, 1 + len(about), ("about",))
    if content.talk and inner.height > 26:
        _draw_talk(inner, bottom, content)
        bottom -= 9
    _draw_moves(inner, top, bottom, content)


def draw_card(canvas: Canvas, content: PanelContent) -> None:
    """Draws what the panel says of the last turn, or of the picked piece, as a card of a portrait screen: below it the
    moves so far, and on the player's own turn arrows that lead to the points beside the chosen one.
    """
    turn = content.typed is not None
    bottom = canvas.height - (TOUCH_ROWS if turn else 0)
    inner = panel(canvas, 0, 0, canvas.width, bottom, content.heading)
    lines = content.about if len(content.about) <= inner.height else _packed(content.about, inner.width)
    draw_lines(inner, 0, 0, lines[: inner.height])
    if turn:
        ends = [(canvas.width - 1) * number // len(ARROWS) for number in range(len(ARROWS) + 1)]
        for (sign, key), (left, right) in zip(ARROWS, pairwise(ends), strict=True):
            touch_button(canvas, left + 1, bottom, right - left - 1, sign, f"key:{key}", fill="line")
    if inner.height - len(lines) > FEWEST:
        _draw_moves(inner, len(lines) + 1, inner.height - 1, content)


def _packed(lines: Sequence[Spans], room: int) -> list[Spans]:
    """Returns lines in which short ones share a row."""
    half = room // 2
    packed: list[Spans] = []
    left = 0
    for line in lines:
        width = spans_width(line)
        if width < half and left:
            packed[-1] = (*packed[-1], Span(" " * (half - left)), *line)
            left = 0
        else:
            packed.append(line)
            left = width if width < half else 0
    return packed


def draw_sides(canvas: Canvas, content: PanelContent) -> None:
    """Draws who plays which color, and how many pieces each has, in three rows."""
    state = content.state
    for y, color in enumerate((WHITE, BLACK)):
        sign, fg, bg = mark_of(color)
        canvas.put(0, y, sign, fg, bg, bold=True)
        placed = state.position.pieces[color].bit_count()
        if state.position.placing:
            left = (state.position.left + (color == WHITE)) // 2
            count = f"{left} left"
        else:
            count = f"{placed} of {PIECES}"
        start = canvas.right(canvas.width, y, count, "soft")
        name = "not drawn yet" if state.first is None else content.names[state.seat(color)]
        you = state.first is not None and content.you == state.seat(color)
        label = own_name(name, start - 5) if you else truncate(name, start - 5)
        canvas.put(4, y, label, "text" if state.first is not None else "soft", bold=True)
    sign, fg, bg = mark_of(2)
    canvas.put(0, 2, sign, fg, bg, bold=True)
    canvas.put(4, 2, "neutral", "soft")
    canvas.right(canvas.width, 2, str(state.position.neutral.bit_count()), "soft")


def _draw_moves(canvas: Canvas, top: int, bottom: int, content: PanelContent) -> None:
    canvas.put(0, top, "Moves", "text", bold=True)
    canvas.mark_list(0, top, canvas.width, bottom - top + 1)
    if not content.state.position.placing:
        canvas.right(canvas.width, top, f"no capture {content.state.quiet}/{QUIET}", "soft")
    rows = (len(content.moves) + 1) // 2
    room = bottom - top
    current = (content.shown + 1) // 2
    first = max(0, min(rows - room, current - room))
    if content.shown < len(content.moves):
        first = max(0, min(rows - room, current - (room + 1) // 2))
    for y, row in enumerate(range(first, min(rows, first + room)), start=top + 1):
        for half in (0, 1):
            number = 2 * row + half
            if number < len(content.moves):
                x = canvas.put(half * (canvas.width // 2), y, f"{number + 1:<3}", "soft") + 1
                fg: Color = "money" if number == content.shown - 1 else "text" if number < content.shown else "soft"
                text = content.moves[number].turn
                canvas.put(x, y, text, fg, bold=number == content.shown - 1)
                if not canvas.portrait:
                    canvas.hit(x, y, len(text), 1, ("position", number + 1))


def _draw_talk(canvas: Canvas, bottom: int, content: PanelContent) -> None:
    canvas.put(0, bottom - 7, "Talk", "text", bold=True)
    canvas.mark_list(0, bottom - 7, canvas.width, 7)
    entries = [(Span(""), (Span(f"{name}:"), Span(f" {text}", "soft"))) for name, text in content.talk]
    draw_lines(canvas, 0, bottom - 6, log_tail(entries, canvas.width, 6))


def _draw_entry(canvas: Canvas, bottom: int, content: PanelContent) -> int:
    """Draws what the keyboard and the mouse need: the field and the buttons. Returns the last row above them."""
    if content.typed is not None:
        _draw_typed(canvas, bottom - 1, content)
        bottom -= 3
    draw_buttons(canvas, 0, bottom, content.buttons, rows=-2, tall=False)
    return bottom - 2 * len(content.buttons)


def _draw_typed(canvas: Canvas, y: int, content: PanelContent) -> None:
    assert content.typed is not None
    canvas.put(0, y, "Move", "soft")
    example = f"e.g. {content.example}"
    content.typed.draw(canvas, 5, y, canvas.width - 5, content.typing, example, action=("type",))
