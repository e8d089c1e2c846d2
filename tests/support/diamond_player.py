"""A player of Diamond at a pretended screen."""

from __future__ import annotations

from kimberley.client.boards.diamond.board import DiamondUI
from kimberley.client.boards.diamond.panel import panel_width
from kimberley.client.boards.diamond.tiling import tiling
from kimberley.client.boards.game_screen import GameScreen
from kimberley.games.diamond.board import NAMED
from kimberley.games.diamond.rules import State
from tests.support.diamond import moving
from tests.support.diamond_table import DiamondTable
from tests.support.player import ScreenPlayer

SIZES = [(80, 24), (100, 34), (120, 40), (140, 45), (120, 28), (200, 60), (81, 60)]
CAPTURE = moving("c6 a5 c5", "a6 h8 e5", "d3")


def board(size: tuple[int, int]) -> tuple[int, int]:
    """Returns the columns and rows of the board on a terminal of this size."""
    columns, rows = size
    return columns - panel_width(columns), rows - 3


class Player(ScreenPlayer[DiamondTable, GameScreen]):
    """A player of Diamond."""

    def __init__(self, table: DiamondTable, size: tuple[int, int] = (80, 24), *, calm: bool = True) -> None:
        super().__init__(lambda table, ui: GameScreen(DiamondUI(), table, ui), table, size, calm=calm)

    def type(self, text: str) -> None:
        for character in text:
            assert self.screen.key(character)
        assert self.screen.key("enter")

    def click_points(self, *points: str) -> None:
        """Clicks in the middle of points."""
        for name in points:
            x, y = self.middle(name)
            self.click_at(x, y, expected=("point", NAMED[name]))

    def cell(self, name: str) -> tuple[str, object]:
        """Returns what stands at a point, and its ground."""
        cell = self.canvas().cell(*self.middle(name))
        return cell.char, cell.style.bg

    def panel(self) -> str:
        """Returns the text beside the board."""
        start = self.size[0] - panel_width(self.size[0])
        return " ".join(" ".join(line[start:].split()) for line in self.text().splitlines() if line[start:].strip())

    def middle(self, name: str) -> tuple[int, int]:
        """Returns the cell in the middle of a point."""
        x, y = tiling(*board(self.size)).at[NAMED[name]]
        return x, y + 2


def playing(seat: int = 0, replies: str = "") -> Player:
    return Player(DiamondTable(seat, replies=replies))


def moved(state: State, replies: str = "", seat: int = 0) -> Player:
    return Player(DiamondTable(seat, state=state, replies=replies))
