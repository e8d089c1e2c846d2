"""Boxes over the field: a request that must be answered, and what is known of a warlord."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kimberley.client.boards.piecepack.form import Request
from kimberley.client.boards.piecepack.hand import CHIP, ROWS, chip_rows, draw_cards, draw_chips, size_for
from kimberley.client.boards.piecepack.suits import badge, pawn_mark
from kimberley.client.session.participants import short_name
from kimberley.client.ui.buttons import draw_buttons
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.glyphs import cell_width, truncate, wrap
from kimberley.client.ui.palette import Color

WIDEST = 60
NAMED = 11
"""The fewest cells for the owner of a row of coins."""


def draw_request(canvas: Canvas, request: Request, names: Sequence[str], suits: Sequence[int], *, below: bool) -> None:
    """Draws a request at the lower (or upper) edge of the field. A click on a coin is ("card", n). On a portrait screen
    its buttons are among the keys, and the names of owners stand above their coins.
    """
    room = min(canvas.width, WIDEST)
    lines = [line for text in request.lines for line in wrap(text, room - 6)]
    single = len(request.rows) == 1 and size_for(canvas, len(request.rows[0][1]), room - 6) is not None
    coins = ROWS if single else sum(_rows_for(canvas, len(cards), room - 6) for _, cards in request.rows)
    buttons = () if canvas.portrait else request.buttons
    height = min(canvas.height, 2 + len(lines) + coins + (2 if buttons else 0))
    x, y = (canvas.width - room) // 2, canvas.height - height if below else 0
    line: Color = "warning" if request.alarm else "soft"
    canvas.box(x, y, room, height, bg="raised", line=line)
    canvas.hit(x, y, room, height, "nothing")
    title = f" {truncate(request.title, room - 6)} "
    fg, bg = ("bright", "alarm") if request.alarm else ("text", "raised")
    canvas.put(x + 2, y, title, fg, bg, bold=True)
    inner = canvas.region(x + 3, y + 1, room - 6, height - 2)
    for row, text in enumerate(lines):
        inner.put(0, row, text, "text")
    row = len(lines)
    if single:
        draw_cards(inner.region(0, row, inner.width, ROWS), request.rows[0][1], request.cursor, _action(0), True)
        row += ROWS
    else:
        row = _draw_rows(inner, row, request, names, suits)
    draw_buttons(inner, 0, inner.height - 1, buttons, tall=False)


def _rows_for(canvas: Canvas, count: int, room: int) -> int:
    """Returns the rows that an owner and `count` coins take."""
    return chip_rows(canvas, count, room) + 1 if canvas.portrait else chip_rows(canvas, count, room - NAMED)


def _draw_rows(inner: Canvas, row: int, request: Request, names: Sequence[str], suits: Sequence[int]) -> int:
    first = 0
    # A name has the cells that it needs, of those that the longest row of coins leaves free.
    needed = [cell_width(pawn_mark(suits[seat], seat)) + cell_width(names[seat]) + 2 for seat, _ in request.rows]
    free = [inner.width - CHIP * len(cards) for _, cards in request.rows]
    named = max(NAMED, min(max(needed), *free)) if needed else NAMED
    for seat, cards in request.rows:
        at = badge(inner, 0, row, suits[seat], seat) + 1
        above = int(inner.portrait)
        left = 0 if above else named
        inner.put(at, row, short_name(names, seat, (inner.width if above else named - 1) - at), "text", bold=True)
        rows = _rows_for(inner, len(cards), inner.width)
        region = inner.region(left, row + above, inner.width - left, rows - above)
        cursor = request.cursor - first if request.cursor is not None else None
        draw_chips(region, cards, cursor, _action(first))
        first += len(cards)
        row += rows
    return row


def _action(first: int) -> Callable[[int], Action]:
    return lambda number: ("card", first + number)
