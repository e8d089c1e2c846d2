"""A person at the screen of Diamond Mine: sees frames, presses keys, clicks."""

from __future__ import annotations

from kimberley.client.boards.game_screen import GameScreen
from kimberley.client.boards.mine.board import MineUI
from kimberley.client.boards.mine.grid import SquareCells, grid
from kimberley.client.boards.mine.panel import panel_width
from kimberley.client.ui.palette import Depth, Tint
from kimberley.games.mine.rules import State
from kimberley.games.mine.squares import name, square
from tests.support.mine_table import MineTable
from tests.support.player import ScreenPlayer


class Player(ScreenPlayer[MineTable, GameScreen]):
    """A player of Diamond Mine."""

    def __init__(self, table: MineTable, size: tuple[int, int] = (80, 24), *, calm: bool = True) -> None:
        super().__init__(lambda table, ui: GameScreen(MineUI(), table, ui), table, size, calm=calm)

    def said(self) -> str:
        """Returns the text of the panel, without line breaks."""
        left = self.size[0] - panel_width(self.size[0])
        return " ".join(" ".join(line[left:] for line in self.canvas().lines()).split())

    def at(self, name: str, depth: Depth = Depth.TRUE, ascii_only: bool = False) -> list[str]:
        """Returns the rows of a square."""
        canvas = self.canvas(depth, ascii_only)
        spot = self.spot(name)
        return [
            "".join(canvas.cell(spot.x + x, 2 + spot.y + y).char for x in range(spot.columns)) for y in range(spot.rows)
        ]

    def ground(self, name: str) -> object:
        """Returns the background of a square."""
        spot = self.spot(name)
        return self.canvas().cell(spot.x + spot.columns - 1, 2 + spot.y).style.bg

    def lit(self) -> set[str]:
        """Returns the squares that are lit because they can be chosen."""
        squares = set()
        for each in range(64):
            under = self.ground(name(each))
            if isinstance(under, Tint) and under.role == "huila" and (under.r, under.g) == (28, 76):
                squares.add(name(each))
        return squares

    def click_squares(self, *names: str) -> None:
        for each in names:
            spot = self.spot(each)
            self.click_at(spot.middle, 2 + spot.bottom, expected=("square", square(each)))

    def card(self, number: int) -> None:
        """Clicks on a card, in the middle of the rows below the field."""
        y = self.size[1] - 3
        self.click_at(self.lines()[y].index(str(number)), y, expected=("card", number))

    def spot(self, name: str) -> SquareCells:
        columns, rows = self.size
        return grid(columns - panel_width(columns), rows - 6).spots[square(name)]


def playing(state: State | None = None, seat: int = 0, **values: object) -> Player:
    return Player(MineTable(seat, state=state, **values))  # type: ignore[arg-type]
