"""What diamonds sell for: a table, in which the player's own are marked."""

from __future__ import annotations

from itertools import combinations
from typing import Final

from kimberley.client.boards.piecepack.phrases import coins_of, known, values_hidden
from kimberley.client.boards.piecepack.suits import face
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import wrap
from kimberley.client.ui.panels import paragraph
from kimberley.games.piecepack.rules import State
from kimberley.games.piecepack.suits import DIAMOND, payoff

SETS: Final = tuple(
    values
    for count in (1, 2, 3, 4)
    for values in combinations((0, 1, 2, 3, 4, 5), count)
    if count == 1 or values[0] > 1
)
"""Every set worth a line: an ace changes nothing beside others, and a 0 spoils them all."""
ADDS_NOTHING: Final = "An ace (A) adds nothing to the others; a 0 ruins them all."
ROOM: Final = 54
COLUMN: Final = 26
PAYS: Final = 16
SWINDLED: Final = 25
"""Where the numbers of a column end."""


def draw_payoffs(canvas: Canvas, state: State, seat: int, *, below: bool) -> None:
    """Draws a box over the field: each set with what it sells for, and in a second column for the swindler."""
    columns = 1 if canvas.portrait else 2
    rows = -(-len(SETS) // columns)
    room = min(canvas.width, ROOM)
    notes = wrap(ADDS_NOTHING, room - 3)
    height = min(canvas.height, rows + 5 + len(notes))
    x, y = (canvas.width - room) // 2, canvas.height - height if below else 0
    canvas.box(x, y, room, height, "What diamonds sell for", bg="raised", line="soft")
    canvas.hit(x, y, room, height, "nothing")
    inner = canvas.region(x + 1, y + 1, room - 2, height - 2)
    own = _own(state, seat)
    swindler = state.power(seat, DIAMOND)
    for half in range(columns):
        at = half * COLUMN
        inner.right(at + PAYS, 0, "pays", "text" if not swindler else "soft", bold=not swindler)
        inner.right(at + SWINDLED, 0, "swindler", "text" if swindler else "soft", bold=swindler)
    for number, values in enumerate(SETS):
        at, row = number // rows * COLUMN, 1 + number % rows
        mine = own == values
        if mine:
            inner.fill(at, row, COLUMN, 1, "paper")
        inner.put(at + 1, row, "▸" if mine else " ", "ink")
        inner.put(at + 3, row, f"♦ {' '.join(map(face, values))}", "ink" if mine else "text", bold=mine)
        for column, swindles in ((PAYS, False), (SWINDLED, True)):
            fg = "ink" if mine else "money" if swindles == swindler else "soft"
            inner.right(at + column, row, str(payoff(values, swindles)), fg, bold=mine and swindles == swindler)
    after = paragraph(inner, 1, rows + 2, notes)
    if own is None:
        hidden = values_hidden("" if canvas.touch else " (h)")
        text = hidden if coins_of(state, seat, DIAMOND) else "You hold no ♦."
        inner.put(1, after, text, "soft")


def _own(state: State, seat: int) -> tuple[int, ...] | None:
    """Returns the player's diamonds, as the set that is listed for them; None if there is none."""
    diamonds = [known(coin)[1] for coin in coins_of(state, seat, DIAMOND)]
    values = sorted(value for value in diamonds if value is not None)
    if not values or len(values) < len(diamonds):
        return None
    if len(values) == 1:
        return (values[0],)
    return (0,) if values[0] == 0 and not state.power(seat, DIAMOND) else tuple(value for value in values if value > 1)
