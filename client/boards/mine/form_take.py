"""Taking gems from a vein."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kimberley.client.boards.api import Span
from kimberley.client.boards.mine.form import Cursor, Lights, MineForm, chip
from kimberley.client.boards.mine.square_info import Line, describe_room, worths
from kimberley.client.boards.mine.stones import stones
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.glyphs import wrap
from kimberley.client.ui.widgets import Hint, button, button_width
from kimberley.games.mine.rules import State
from kimberley.games.mine.spaces import TakeSpace
from kimberley.games.mine.squares import name
from kimberley.games.table import Plain


class TakeForm(MineForm):
    """What could be taken stands in a row; the dearest comes first."""

    phase = "VEIN"

    def __init__(
        self, state: State, seat: int, names: Sequence[str], cursor: Cursor, send: Callable[[Plain], None],
        space: TakeSpace,
    ) -> None:  # fmt: skip
        super().__init__(state, seat, names, cursor, send)
        self.space = space
        self.offers = sorted(space.offers(), key=self._points, reverse=True)
        self.at = 0
        cursor.square = None

    def _points(self, gems: Sequence[int]) -> int:
        return sum(worth for gem in gems if isinstance(worth := self.state.worth(gem, self.seat), int))

    @property
    def square(self) -> int:
        return self.state.mine.veins[self.state.nest]

    def sentence(self) -> str:
        return f"The vein on {name(self.square)}: take what you can carry."

    def lights(self) -> Lights:
        return Lights(open=frozenset({self.square}))

    def about(self, room: int) -> tuple[str, list[Line]] | None:
        if self.cursor.square is not None:
            return None
        lines = worths(self.state, self.space.gems, self.seat)
        lines += [[Span(row, "soft")] for row in wrap(describe_room(self.state, self.seat), room)]
        if set(self.offers[self.at]) == set(self.space.gems):
            lines += [[Span(row, "soft")] for row in wrap("Once empty, the vein is exhausted.", room)]
        return f"In the vein on {name(self.square)}", lines

    def draw(self, canvas: Canvas) -> None:
        x = 4
        for index, gems in enumerate(self.offers):
            held = stones(self.state, gems)
            label = " ".join(each.mark for each in held) or "none"
            fg = held[0].paint if len(held) == 1 else "text"
            x = chip(canvas, x, 1, label, fg, index == self.at, ("offer", index))
        x = canvas.width - button_width("Take", "Enter")
        button(canvas, x, 1, "Take" if self.offers[self.at] else "Pass", "Enter", primary=True)

    def hints(self) -> list[Hint]:
        taken = "take it" if self.offers[self.at] else "take nothing"
        return [Hint("← →", "choose", "key:tab"), Hint("Enter", taken), Hint("F1", "help"), Hint("F10", "menu")]

    def key(self, name: str) -> bool:
        steps = {"right": 1, "left": -1, "tab": 1, "s-tab": -1, "down": 1, "up": -1}
        match name:
            case "enter":
                self.send(self.offers[self.at])
            case "0" | "1" | "2" | "3" if int(name) < len(self.offers):
                self.at = int(name)
            case "esc" | "u" if self.cursor.square is not None:
                self.cursor.square = None
            case _ if name in steps:
                self.at = (self.at + steps[name]) % len(self.offers)
            case _:
                return False
        return True

    def click(self, action: Action) -> bool:
        match action:
            case ("offer", int(index)):
                self.at = index
                return True
        return False
