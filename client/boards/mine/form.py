"""What the forms of all choices share: the square that is looked at, and what they show on the field and below it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from kimberley.client.boards.form import Form, FormContext, Reply
from kimberley.client.boards.mine.grid import towards
from kimberley.client.boards.mine.parsing import ParseError
from kimberley.client.boards.mine.scene import Lights
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.palette import Color
from kimberley.client.ui.spans import Spans
from kimberley.client.ui.touch import TOUCH_ROWS
from kimberley.games.mine.rules import State
from kimberley.games.mine.squares import square
from kimberley.games.table import Plain
from kimberley.p2p.sentences.notices import not_possible

MIDDLE: Final = square("d4")
"""Where the arrow keys begin for a player whose pawn is not on the field."""


@dataclass(slots=True)
class Cursor:
    """What the player looks at: a square, if any. `hidden` keeps the player's card from the eyes of a neighbor.

    It belongs to the view, and outlives the forms that work with it.
    """

    square: int | None = None
    hidden: bool = False

    def walk(self, way: str, pawn: int | None) -> None:
        """Looks at the next square in a direction. The first key starts from the player's pawn."""
        start = self.square if self.square is not None else pawn if pawn is not None else MIDDLE
        self.square = towards(start, way)


class MineForm(Form[State]):
    """A choice on the field."""

    def __init__(self, context: FormContext[State], cursor: Cursor) -> None:
        super().__init__(context)
        self.cursor = cursor
        self._column = ""
        """The letter of a square that is being typed."""

    # -- what it shows -------------------------------------------------------------------------------------------------

    def lights(self) -> Lights:
        """Returns what is lit on the field."""
        return Lights()

    def about(self, room: int) -> tuple[str, list[Spans]] | None:
        """Returns a heading and lines for the panel; None where the square that is looked at says enough."""
        del room
        return None

    @abstractmethod
    def draw(self, canvas: Canvas) -> None:
        """Draws the three rows below the field."""

    @property
    def touch_rows(self) -> int:
        """The rows that `draw_touched` needs."""
        return TOUCH_ROWS

    @abstractmethod
    def draw_touched(self, canvas: Canvas) -> None:
        """Draws what is chosen from on a portrait screen: buttons over the whole canvas."""

    # -- keys and the mouse --------------------------------------------------------------------------------------------

    def key(self, name: str) -> bool:
        """Handles the keys with which to look around."""
        match name:
            case "up" | "down" | "left" | "right":
                self.cursor.walk(name, self.state.mine.pawns[self.seat])
            case "esc" if self.cursor.square is not None:
                self.cursor.square = None
            case _:
                return False
        self.on_cursor_moved()
        return True

    def type_square(self, key: str) -> bool:
        """Handles a key of the name of a square, such as those of d4: then the player looks at that square."""
        column, self._column = self._column, key if len(key) == 1 and key in "abcdefgh" else ""
        if not column or len(key) != 1 or key not in "12345678":
            return bool(self._column)
        self.cursor.square = square(column + key)
        self.on_cursor_moved()
        return True

    def click(self, action: Action) -> bool:
        match action:
            case ("square", int(square)):
                self.click_square(square)
            case ("player", int(seat)):
                self.cursor.square = self.state.mine.pawns[seat]
                self.on_cursor_moved()
            case _:
                return False
        return True

    def click_square(self, square: int) -> None:
        """Handles a click on a square. A second click looks away."""
        self.cursor.square = None if square == self.cursor.square else square
        self.on_cursor_moved()

    def on_cursor_moved(self) -> None:
        """Reacts when the player looks at another square. Optional."""

    # -- in the line mode ----------------------------------------------------------------------------------------------

    @abstractmethod
    def read(self, words: Sequence[str]) -> Plain:
        """Returns the choice that typed words spell. Raises ParseError."""

    def type(self, text: str) -> Reply:
        try:
            choice = self.read(text.lower().replace(",", " ").split())
        except ParseError as error:
            return Reply((not_possible(error),))
        reason = self.context.space.violation(choice)
        return Reply((), choice, True) if reason is None else Reply((not_possible(reason),))


def chip(canvas: Canvas, x: int, y: int, text: str, fg: Color, active: bool, action: Action) -> int:
    """Draws a small button of one row; an active one between arrows, on paper. Returns the column after it and a
    space.
    """
    label = f"▸{text}◂" if active else f"[{text}]" if canvas.palette.plain else f" {text} "
    end = canvas.put(x, y, label, "ink" if active else fg, "paper" if active else "button", bold=True)
    canvas.hit(x, y, end - x, 1, action)
    return end + 1


def touch_chip(
    canvas: Canvas, x: int, room: int, caption: str, text: str, fg: Color, active: bool, action: Action | None
) -> None:
    """Draws a chip as large as a finger needs it, with a caption above its text; without an action, it is no button."""
    ground: Color = "paper" if active else "button" if action is not None else "panel"
    canvas.fill(x, 0, room, TOUCH_ROWS, ground)
    label = f"▸{text}◂" if active else f"[{text}]" if canvas.palette.plain and action is not None else text
    canvas.center(x, 0, room, caption, "ink" if active else "soft")
    canvas.center(x, 1, room, label, "ink" if active else fg, bold=True)
    if action is not None:
        canvas.hit(x, 0, room, TOUCH_ROWS, action)


def shares(width: int, count: int) -> list[tuple[int, int]]:
    """Returns the first column and the columns of so many buttons beside each other, with a column between them."""
    ends = [(width + 1) * number // max(1, count) for number in range(count + 1)]
    return [(start, end - start - 1) for start, end in pairwise(ends)]
