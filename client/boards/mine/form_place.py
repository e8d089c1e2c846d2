"""Placing a nest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kimberley.client.boards.form import Command, FormContext
from kimberley.client.boards.mine.form import Cursor, MineForm
from kimberley.client.boards.mine.parsing import ParseError, read_square
from kimberley.client.boards.mine.scene import Lights
from kimberley.client.ui.bars import first_fitting
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.keys import Hint
from kimberley.client.ui.spans import Spans, text_lines
from kimberley.games.mine.bots.distances import TURNS
from kimberley.games.mine.rules import State
from kimberley.games.mine.spaces import NestSpace
from kimberley.games.mine.squares import SIDE, homes, name, quadrant
from kimberley.games.phrases import count_of
from kimberley.games.table import Plain

CENTER: Final = (27, 28, 35, 36)
"""The squares in the middle of the field, where the cursor begins."""


class PlaceForm(MineForm):
    """The player looks at a square; Enter or a second click puts the nest there."""

    phase = "NESTS"

    def __init__(self, context: FormContext[State], cursor: Cursor) -> None:
        super().__init__(context, cursor)
        assert isinstance(context.space, NestSpace)
        self.space = context.space
        self.legal = frozenset(self.space.open())
        if cursor.square not in self.legal:
            near = [square for square in CENTER if square in self.legal]
            cursor.square = near[0] if near else min(self.legal, key=lambda square: (self._far(square), square))

    def _far(self, square: int) -> int:
        """Returns how many squares away from the player's home a square is, as pawns move: a diagonal step counts as
        one.
        """
        home = self.state.mine.home(self.seat)
        return max(abs(square % SIDE - home % SIDE), abs(square // SIDE - home // SIDE))

    @property
    def _number(self) -> str:
        """Which nest it is: "nest 3 of 10"."""
        return f"nest {len(self.state.mine.veins) + 1} of {len(self.state.mine.inside)}"

    @property
    def _example(self) -> str:
        """Returns a square where the nest can be placed."""
        return name(self.cursor.square if self.cursor.square in self.legal else min(self.legal))

    # -- what it shows -------------------------------------------------------------------------------------------------

    def sentence(self, room: int) -> str:
        vein = "In play it becomes a vein."
        return first_fitting(
            room, f"Place a nest outside your hatched quarter. {vein}", f"Place a nest outside your quarter. {vein}"
        )

    def lights(self) -> Lights:
        square = self.cursor.square
        closed = quadrant(self.state.mine.home(self.seat)) - {*homes(self.state.seats)}
        return Lights(closed=closed, nest=square if square in self.legal else None)

    def about(self, room: int) -> tuple[str, list[Spans]] | None:
        square = self.cursor.square
        if square is None or square not in self.legal:
            return None
        note = (
            "A nest hides a small and a medium gem. Once all nests are placed, they become veins; landing on one "
            "opens it."
        )
        turns = int(TURNS[square][self.state.mine.home(self.seat)])
        heading = f"{name(square)}: a nest {count_of(turns, 'turn')} from home"
        return heading, text_lines(note, room)

    def draw(self, canvas: Canvas) -> None:
        canvas.put(4, 1, self._number, "soft")

    touch_rows = 1

    def draw_touched(self, canvas: Canvas) -> None:
        canvas.put(1, 0, self._number, "soft")

    # -- keys and the mouse --------------------------------------------------------------------------------------------

    def commands(self) -> Sequence[Command]:
        return [
            self.walking("square"),
            self.typing(Hint("a1-h8", "type", "nothing")),
            self.enter_command(self._place, "place it", "Place it"),
            *self.looking_away("esc"),
        ]

    def click_square(self, square: int) -> None:
        again = square == self.cursor.square
        self.cursor.square = square
        if again or self.space.violation(square) is not None:
            self._place()

    def _place(self) -> None:
        square = self.cursor.square
        reason = "choose a square first" if square is None else self.space.violation(square)
        if reason is not None:
            self.refusal = reason
        else:
            self.context.send(square)

    # -- in the line mode ----------------------------------------------------------------------------------------------

    def prompt(self) -> list[str]:
        return [f"{self._number.capitalize()}: place it outside your quarter. Type a square, like {self._example}."]

    def read(self, words: Sequence[str]) -> Plain:
        """Returns a square for the nest: "d5", "place d5"."""
        match words:
            case [where] | ["place", where]:
                return read_square(where)
        raise ParseError(f"type a square, like {self._example}")
