"""A person at a game's screen, without a terminal: sees frames, presses keys, clicks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.palette import Depth, Palette
from kimberley.client.ui.screen import NARROW
from tests.support.angola import PretendUi
from tests.support.meanings import first_cell
from tests.support.pretend import PretendTable

T = TypeVar("T", bound=PretendTable)


class Shown(Protocol):
    """The parts of a screen that a player uses."""

    def opened(self) -> None: ...

    def tick(self, now: float) -> None: ...

    def draw(self, canvas: Canvas, now: float) -> None: ...

    def key(self, name: str) -> bool: ...

    def click(self, action: Action, x: int, y: int, button: str) -> bool: ...


S = TypeVar("S", bound=Shown)


class ScreenPlayer(Generic[T, S]):
    """A person at a table, on a terminal of `size`."""

    def __init__(
        self,
        make: Callable[[T, PretendUi], S],
        table: T,
        size: tuple[int, int] = (80, 24),
        *,
        calm: bool = True,
        ui: PretendUi | None = None,
    ) -> None:
        self.ui = ui or PretendUi(calm=calm)
        self.table, self.size = table, size
        self.screen = make(table, self.ui)
        self.screen.opened()

    def canvas(self, depth: Depth = Depth.TRUE, ascii_only: bool = False) -> Canvas:
        """Returns a frame."""
        canvas = Canvas(*self.size, Palette(depth), ascii_only=ascii_only, portrait=self.size[0] < NARROW)
        self.screen.tick(self.ui.time)
        self.screen.draw(canvas, self.ui.time)
        return canvas

    def lines(self) -> list[str]:
        return self.canvas().lines()

    def text(self) -> str:
        return "\n".join(self.lines())

    def press(self, *keys: str) -> None:
        """Presses keys by name, separated by spaces; "space" is the space bar. Each key must have a meaning."""
        for name in " ".join(keys).split():
            self.canvas()
            assert self.screen.key(" " if name == "space" else name), f"{name} means nothing"

    def click_at(self, x: int, y: int, button: str = "left", expected: Action | None = None) -> None:
        """Clicks on a cell, as the app would. The click must have a meaning, or the `expected` one."""
        action = self.canvas().touched(x, y)
        assert action is not None, f"nothing is at {x}, {y} in\n{self.text()}"
        assert expected in (None, action), f"{action} is at {x}, {y}"
        if isinstance(action, str) and action.startswith("key:"):
            assert self.screen.key(action.removeprefix("key:")), f"{action} means nothing"
        else:
            assert self.screen.click(action, x, y, button), f"{action} at {x}, {y} means nothing"

    def touch(self, text: str) -> None:
        """Clicks on the last occurrence of a text."""
        lines = self.lines()
        y = max((number for number, line in enumerate(lines) if text in line), default=-1)
        assert y >= 0, f"{text!r} is not in\n{self.text()}"
        self.click_at(lines[y].rindex(text), y)

    def place(self, action: Action) -> tuple[int, int]:
        """Returns the first cell on which a click means that action."""
        place = first_cell(self.canvas(), action)
        assert place is not None, f"{action} cannot be clicked in\n{self.text()}"
        return place

    def click(self, action: Action) -> None:
        """Clicks on a cell that means `action`."""
        self.click_at(*self.place(action))
