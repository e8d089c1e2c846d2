"""Five small diagrams of captures in Diamond, for its page: the board as it is drawn, cut out around a move."""

from __future__ import annotations

from typing import Final, NamedTuple

from kimberley.client.boards.diamond.events import captures_from, effect
from kimberley.client.boards.diamond.scene import Scene, draw_board
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import wrap
from kimberley.client.ui.screen import Screen, ScreenSize
from kimberley.games.diamond.board import NAMED
from kimberley.games.diamond.position import Movement
from tests.support.diamond import moving

BOARD: Final = (70, 28)
WIDE: Final = 21
HIGH: Final = 9
SIZE: Final = ScreenSize(5 * (WIDE + 2), HIGH + 4)


class Diagram(NamedTuple):
    """A move: black, white and neutral pieces, from where to where, what it does, and what that shows."""

    black: str
    white: str
    neutral: str
    move: str
    does: str
    text: str


DIAGRAMS: Final = (
    Diagram("f4 d4", "d5", "", "f4-e4", "captures d5", "1 Black moves to e4: e4 and d4 corner d5."),
    Diagram("f4 d5", "d4 e5", "", "f4-e4", "captures none", "2 Two are cornered: both are safe."),
    Diagram("f4", "d4 d5", "", "f4-e4", "", "3 Moving between two enemy pieces is safe."),
    Diagram("e5", "d5", "", "e5-e4", "", "4 e5 has left: it corners nothing."),
    Diagram("f4", "d5", "d4", "f4-e4", "", "5 A neutral piece corners nobody."),
)


class CaptureDiagrams(Screen):
    """All five beside each other."""

    needs = (SIZE,)

    def draw(self, canvas: Canvas, now: float) -> None:
        del now
        for number, diagram in enumerate(DIAGRAMS):
            _draw(canvas.region(1 + number * (WIDE + 2), 0, WIDE, SIZE.rows), diagram)


def _draw(canvas: Canvas, diagram: Diagram) -> None:
    position = moving(diagram.black, diagram.white, diagram.neutral)
    start, to = (NAMED[name] for name in diagram.move.split("-"))
    move = Movement(start, to)
    assert position.violation(move) is None, diagram
    assert effect(position, move) == diagram.does, diagram
    captures = captures_from(position, start) & 1 << to
    scene = Scene(
        position, picked=start, targets=1 << to & ~captures, captures=captures, doomed=position.captured(move)
    )
    whole = Canvas(*BOARD)
    x, y = draw_board(whole, scene).at[to]
    for row in range(HIGH):
        for column in range(WIDE):
            cell = whole.cell(x - WIDE // 2 + column, y - HIGH // 2 + row)
            canvas.put(column, row, cell.char, cell.style.fg, cell.style.bg, bold=cell.style.bold)
    for number, line in enumerate(wrap(diagram.text, WIDE - 2)):
        canvas.put(0 if number == 0 else 2, HIGH + 1 + number, line)
