"""Placing a nest."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kimberley.client.boards.api import Span
from kimberley.client.boards.mine.form import Cursor, Lights, MineForm
from kimberley.client.boards.mine.square_info import Line
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import wrap
from kimberley.client.ui.widgets import Hint, button, button_width
from kimberley.games.mine.rules import State
from kimberley.games.mine.spaces import NestSpace
from kimberley.games.mine.squares import homes, name, quadrant
from kimberley.games.table import Plain

MIDDLE = (27, 28, 35, 36)


class PlaceForm(MineForm):
    """The player looks at a square; Enter or a second click puts the nest there."""

    phase = "NESTS"

    def __init__(
        self, state: State, seat: int, names: Sequence[str], cursor: Cursor, send: Callable[[Plain], None],
        space: NestSpace,
    ) -> None:  # fmt: skip
        super().__init__(state, seat, names, cursor, send)
        self.space = space
        self.legal = frozenset(space.open())
        if cursor.square not in self.legal:
            near = [square for square in MIDDLE if square in self.legal]
            cursor.square = near[0] if near else min(self.legal)

    def sentence(self) -> str:
        return "Put a nest on a free square outside your quarter."

    def lights(self) -> Lights:
        square = self.cursor.square
        closed = quadrant(self.state.mine.home(self.seat)) - {*homes(self.state.seats)}
        return Lights(closed=closed, nest=square if square in self.legal else None)

    def about(self, room: int) -> tuple[str, list[Line]] | None:
        square = self.cursor.square
        if square is None or square not in self.legal:
            return None
        said = "It hides a small and a medium gem. The nearer it is to your home, the sooner you are there and back."
        return f"A nest on {name(square)}?", [[Span(line, "soft")] for line in wrap(said, room)]

    def draw(self, canvas: Canvas) -> None:
        mine = self.state.mine
        canvas.put(4, 1, f"nest {len(mine.veins) + 1} of {len(mine.inside)}", "soft")
        button(canvas, canvas.width - button_width("Place it", "Enter"), 1, "Place it", "Enter", primary=True)

    def hints(self) -> list[Hint]:
        return [
            Hint("← → ↑ ↓", "square", "nothing"),
            Hint("Enter", "place it"),
            Hint("F1", "help"),
            Hint("F10", "menu"),
        ]

    def key(self, name: str) -> bool:
        if name != "enter":
            return False
        self._place()
        return True

    def click_square(self, square: int) -> None:
        again = square == self.cursor.square
        self.cursor.square = square
        reason = self.space.violation(square)
        if again or reason is not None:
            self._place()

    def _place(self) -> None:
        reason = self.space.violation(self.cursor.square)
        if reason is not None:
            self.refusal = reason
        else:
            self.send(self.cursor.square)
