"""What the forms of all choices share: the square that is looked at, and what they show on the field and below it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from kimberley.client.boards.form import Clickable, Command, Form, FormContext, Reply
from kimberley.client.boards.mine.grid import towards
from kimberley.client.boards.mine.parsing import ParseError
from kimberley.client.boards.mine.scene import Lights
from kimberley.client.ui.buttons import Button
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.keys import Hint
from kimberley.client.ui.spans import Spans
from kimberley.client.ui.touch import TOUCH_ROWS
from kimberley.games.mine.rules import State
from kimberley.games.mine.squares import square
from kimberley.games.table import Plain
from kimberley.p2p.sentences.notices import not_possible

ARROWS: Final = ("up", "left", "down", "right")
COLUMNS: Final = tuple("abcdefgh")
ROWS: Final = tuple("12345678")
"""The keys that, after the letter, complete the name of a square."""
MIDDLE: Final = square("d4")
"""Where the arrow keys start for a player whose pawn is not on the field."""


@dataclass(slots=True)
class Cursor:
    """What the player looks at: a square, if any. `hidden` keeps the player's card from anyone looking on.

    It belongs to the view, and outlives the forms that work with it.
    """

    square: int | None = None
    hidden: bool = False

    def hide(self) -> None:
        """Hides the card, or shows it again."""
        self.hidden = not self.hidden

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
        """Returns a heading and lines for the panel; None where those of the square that is looked at are enough."""
        del room
        return None

    @abstractmethod
    def draw(self, canvas: Canvas) -> None:
        """Draws the three rows below the field, without the buttons of its commands."""

    @property
    def touch_rows(self) -> int:
        """The rows that `draw_touched` needs."""
        return TOUCH_ROWS

    @abstractmethod
    def draw_touched(self, canvas: Canvas) -> None:
        """Draws the choices on a portrait screen: buttons over the whole canvas."""

    # -- keys and the mouse --------------------------------------------------------------------------------------------

    def walking(self, label: str) -> Command:
        """Returns the keys that lead from square to square. `label` says what for."""
        return Command(ARROWS, self._walk, Hint("← → ↑ ↓", label, "nothing"))

    def _walk(self, way: str) -> None:
        self.cursor.walk(way, self.state.mine.pawns[self.seat])
        self.on_cursor_moved()

    def typing(self, hint: Hint | None = None) -> Command:
        """Returns the keys that spell the name of a square, such as d4, which the player then looks at."""
        return Command((*COLUMNS, *(ROWS if self._column else ())), self._type, hint)

    def _type(self, key: str) -> None:
        if key in COLUMNS:
            self._column = key
        else:
            self.look_at(square(self._column + key))

    def key(self, name: str) -> bool:
        handled = not self.sealed and super().key(name)
        if name not in COLUMNS:
            self._column = ""
        return handled

    def look_at(self, square: int | None) -> None:
        """Looks at a square, or at none if it is None."""
        self.cursor.square = square
        self.on_cursor_moved()

    def enter_command(self, run: Callable[[], None], hint: str, button: str, *, named: bool = True) -> Command:
        """Returns Enter, with its entry in the key bar and its button if it is `named`."""
        shown = (Hint("Enter", hint, primary=True), Button(button, "Enter", True)) if named else (None, None)
        return Command(("enter",), lambda _: run(), *shown)

    def looking_away(self, *keys: str) -> list[Command]:
        """Returns the keys that stop looking at a square, if one is looked at."""
        return [Command(keys, lambda _: self.look_at(None))] if self.cursor.square is not None else []

    def click(self, action: Action) -> bool:
        match action:
            case _ if self.sealed:
                return False
            case ("square", int(square)):
                self.click_square(square)
            case ("player", int(seat)):
                self.look_at(self.state.mine.pawns[seat])
            case _:
                return super().click(action)
        return True

    def click_square(self, square: int) -> None:
        """Handles a click on a square. A second click looks away."""
        self.look_at(None if square == self.cursor.square else square)

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


def draw_chips(canvas: Canvas, x: int, y: int, chips: Iterable[Clickable]) -> None:
    """Draws small buttons of one row beside each other; active ones between arrows, on paper."""
    for chip in chips:
        label = f"▸{chip.text}◂" if chip.active else f"[{chip.text}]" if canvas.palette.plain else f" {chip.text} "
        fg, ground = ("ink", "paper") if chip.active else (chip.fg, "button")
        end = canvas.put(x, y, label, fg, ground, bold=True)
        canvas.hit(x, y, end - x, 1, chip.action)
        x = end + 1


def draw_touch_chips(canvas: Canvas, chips: Sequence[Clickable]) -> None:
    """Draws buttons beside each other over the whole canvas, large enough for a finger."""
    for chip, (x, columns) in zip(chips, shares(canvas.width, len(chips)), strict=True):
        draw_touch_chip(canvas.region(x, 0, columns, TOUCH_ROWS), chip)


def draw_touch_chip(canvas: Canvas, chip: Clickable, *, button: bool = True) -> None:
    """Draws a chip over the whole canvas, its caption above its text; without `button`, only these."""
    text, active = chip.text, chip.active
    canvas.fill(0, 0, canvas.width, canvas.height, "paper" if active else "button" if button else "panel")
    label = f"▸{text}◂" if active else f"[{text}]" if canvas.palette.plain and button else text
    canvas.center(0, 0, canvas.width, chip.caption, "ink" if active else "soft")
    canvas.center(0, 1, canvas.width, label, "ink" if active else chip.fg, bold=True)
    if button:
        canvas.hit(0, 0, canvas.width, canvas.height, chip.action)


def shares(width: int, count: int) -> list[tuple[int, int]]:
    """Returns the first column and the width of each of `count` buttons beside each other, with one column between
    them.
    """
    ends = [(width + 1) * number // max(1, count) for number in range(count + 1)]
    return [(start, end - start - 1) for start, end in pairwise(ends)]
