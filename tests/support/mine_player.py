"""A person at the screen of Diamond Mine: sees frames, presses keys, clicks what is there to be clicked."""

from __future__ import annotations

from client.boards.mine.ground import Spot, ground
from client.boards.mine.panel import panel_width
from client.boards.mine.view import GameScreen
from client.canvas import Action, Canvas
from client.palette import Depth, Palette, Tint
from games.mine.rules import State
from games.mine.squares import name, square
from tests.support.angola import PretendUi
from tests.support.mine_table import MineTable


class Player:
    """What it does and sees at a table, on a terminal of `size`."""

    def __init__(self, table: MineTable, size: tuple[int, int] = (80, 24), *, calm: bool = True) -> None:
        self.ui = PretendUi(calm=calm)
        self.table, self.size = table, size
        self.screen = GameScreen(table, self.ui)
        self.screen.opened()

    def canvas(self, depth: Depth = Depth.TRUE, ascii_only: bool = False) -> Canvas:
        canvas = Canvas(*self.size, Palette(depth), ascii_only=ascii_only)
        self.screen.draw(canvas, self.ui.time)
        return canvas

    def text(self) -> str:
        return "\n".join(self.canvas().lines())

    def said(self) -> str:
        """What the panel says, without breaks."""
        left = self.size[0] - panel_width(self.size[0])
        return " ".join(" ".join(line[left:] for line in self.canvas().lines()).split())

    def press(self, keys: str) -> None:
        for key in keys.split():
            self.canvas()
            assert self.screen.key({"space": " "}.get(key, key)), f"{key} means nothing"

    def at(self, name: str, depth: Depth = Depth.TRUE, ascii_only: bool = False) -> list[str]:
        """The rows of a square."""
        canvas = self.canvas(depth, ascii_only)
        spot = self.spot(name)
        return [
            "".join(canvas.cell(spot.x + x, 2 + spot.y + y).char for x in range(spot.columns)) for y in range(spot.rows)
        ]

    def ground(self, name: str) -> object:
        """What a square lies on."""
        spot = self.spot(name)
        return self.canvas().cell(spot.x + spot.columns - 1, 2 + spot.y).style.bg

    def lit(self) -> set[str]:
        """The squares that are lit as open to the choice."""
        found = set()
        for each in range(64):
            under = self.ground(name(each))
            if isinstance(under, Tint) and under.role == "huila" and (under.r, under.g) == (28, 76):
                found.add(name(each))
        return found

    def click(self, *names: str) -> None:
        for each in names:
            spot = self.spot(each)
            self._touch(spot.middle, 2 + spot.bottom, ("square", square(each)))

    def card(self, number: int) -> None:
        """Clicks on a card, in the middle of the rows below the field."""
        y = self.size[1] - 3
        self._touch(self.canvas().lines()[y].index(str(number)), y, f"key:{number}")

    def touch(self, text: str) -> None:
        """Clicks on a text, the last of it."""
        lines = self.canvas().lines()
        y = max(number for number, line in enumerate(lines) if text in line)
        self._touch(lines[y].rindex(text) + len(text) // 2, y)

    def _touch(self, x: int, y: int, expected: Action | None = None) -> None:
        action = self.canvas().touched(x, y)
        assert action is not None, f"nothing is at {x}, {y}"
        assert expected in (None, action)
        if isinstance(action, str) and action.startswith("key:"):
            assert self.screen.key(action.removeprefix("key:"))
        else:
            assert self.screen.click(action, x, y, "left")

    def spot(self, name: str) -> Spot:
        columns, rows = self.size
        return ground(columns - panel_width(columns), rows - 6).spots[square(name)]


def playing(state: State | None = None, seat: int = 0, **values: object) -> Player:
    return Player(MineTable(seat, state=state, **values))  # type: ignore[arg-type]
