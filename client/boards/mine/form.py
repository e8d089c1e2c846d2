"""The form of a choice: what is lit on the field, the rows below it, and what keys and clicks mean.

A form is opened for one ask and closed with it. The square that is looked at belongs to the view: it outlives the form.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from kimberley.client.boards.mine.square_info import Line
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.palette import Color
from kimberley.client.ui.widgets import Hint
from kimberley.games.mine.rules import State
from kimberley.games.table import Plain


@dataclass(slots=True)
class Cursor:
    """The square that is looked at, if any."""

    square: int | None = None


@dataclass(frozen=True, slots=True)
class Lights:
    """What a choice shows on the field: see `scene.Scene`. `nest` is one that could be placed."""

    open: frozenset[int] = frozenset()
    closed: frozenset[int] = frozenset()
    notes: Mapping[int, str] = field(default_factory=dict)
    way: tuple[int, ...] = ()
    focus: int | None = None
    nest: int | None = None


class MineForm:
    """The choice of `seat` in `state`. `send` hands it to the table."""

    phase = ""

    def __init__(
        self, state: State, seat: int, names: Sequence[str], cursor: Cursor, send: Callable[[Plain], None]
    ) -> None:
        self.state, self.seat, self.names, self.cursor, self.send = state, seat, names, cursor, send
        self.refusal = ""

    def sentence(self) -> str:
        """What to do, for the strip."""
        raise NotImplementedError

    def lights(self) -> Lights:
        """What is lit on the field."""
        return Lights()

    def about(self, room: int) -> tuple[str, list[Line]] | None:
        """A heading and lines for the panel; None where the square that is looked at says enough."""
        del room
        return None

    def draw(self, canvas: Canvas) -> None:
        """Draws the three rows below the field."""

    def hints(self) -> list[Hint]:
        """The keys for the last row."""
        return []

    def key(self, name: str) -> bool:
        """Answers a key other than the arrows. False if it means nothing here."""
        del name
        return False

    def on_cursor_moved(self) -> None:
        """The cursor has gone to another square."""

    def click_square(self, square: int) -> None:
        """A click on a square."""
        self.cursor.square = square
        self.on_cursor_moved()

    def click(self, action: Action) -> bool:
        """Answers a click on something of its own."""
        del action
        return False


def chip(canvas: Canvas, x: int, y: int, text: str, fg: Color, active: bool, action: Action) -> int:
    """A small button of one row; an active one on paper. Returns the column after it and a space."""
    label = f"[{text}]" if canvas.palette.plain and not active else f" {text} "
    end = canvas.put(x, y, label, "ink" if active else fg, "paper" if active else "button", bold=True)
    canvas.hit(x, y, end - x, 1, action)
    return end + 1
