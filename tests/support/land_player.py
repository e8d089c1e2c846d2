"""A player of the land game at a pretended screen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from kimberley.client.boards.game_screen import GameScreen
from kimberley.client.boards.land.board import LandUI
from kimberley.client.boards.land.form_turn import TurnForm
from kimberley.client.boards.land.overview import MODES
from kimberley.client.boards.land.overview_screen import OverviewScreen
from kimberley.client.ui.canvas import Canvas, HitArea
from kimberley.client.ui.palette import Depth, Palette
from kimberley.client.ui.screen import MenuItem, Screen
from kimberley.games.land import GAME
from kimberley.games.land.deals import Deals
from kimberley.games.land.money import K
from kimberley.games.land.rules import State
from kimberley.games.table import Plain, evolve
from tests.support.angola import PretendUi
from tests.support.land_table import LandTable
from tests.support.player import ScreenPlayer

SIZES = [(80, 24), (81, 33), (100, 34), (120, 28), (120, 40), (140, 45), (200, 60)]

ISLAND = (4, 3)
"""The sector of the island: diamonds, coal and farmland in the river, on faces 5 and 4."""


class LookUi(PretendUi):
    """Keeps the dialogs that were opened."""

    left_out: Sequence[MenuItem] = ()

    def __init__(self, calm: bool = True) -> None:
        super().__init__(calm=calm)
        self.pushed: list[Screen] = []

    def push(self, screen: Screen) -> None:
        self.pushed.append(screen)
        super().push(screen)


class Player(ScreenPlayer[LandTable, GameScreen]):
    """A player of the land game."""

    ui: LookUi

    def __init__(self, table: LandTable, size: tuple[int, int] = (80, 24), *, calm: bool = True) -> None:
        super().__init__(lambda table, ui: GameScreen(LandUI(), table, ui), table, size, ui=LookUi(calm=calm))

    def prose(self) -> str:
        """Returns the text without its breaks."""
        return " ".join(self.text().split())

    def click_parcel(self, name: str) -> None:
        """Clicks on a parcel in the panel."""
        self.click(("parcel", self.map_parcel(name)))

    def map_parcel(self, name: str) -> int:
        assert self.table.state.map is not None
        return self.table.state.map.parcel(name)

    def overview(self, mode: str, depth: Depth = Depth.TRUE, *, ascii_only: bool = False) -> tuple[Canvas, HitArea]:
        """Returns the overview as it opens, in one of its modes, and where its map is."""
        self.press("o")
        screen = self.ui.pushed.pop()
        assert isinstance(screen, OverviewScreen)
        for _ in range(MODES.index(mode)):
            assert screen.key("o")
        canvas = Canvas(*self.size, Palette(depth), ascii_only=ascii_only)
        screen.draw(canvas, self.ui.time)
        return canvas, next(hit for hit in canvas.hits if hit.action == ("map",))

    @property
    def turn(self) -> TurnForm:
        form = self.screen.form(self.ui.time)
        assert isinstance(form, TurnForm)
        return form


def nothing(state: State) -> Deals:
    del state
    return ()


def playing(
    dice: tuple[int, int] = ISLAND,
    seats: int = 3,
    size: tuple[int, int] = (80, 24),
    state: State | None = None,
    replies: Callable[[State], Deals] | None = nothing,
    options: Mapping[str, Plain] | None = None,
    calm: bool = True,
    held: bool = False,
) -> Player:
    table = LandTable(seats, dice=[dice], replies=replies, state=state, options=options, held=held)
    return Player(table, size, calm=calm)


def rich(cash: int = 500 * K, seats: int = 3) -> State:
    """Returns the first turn of seat 0, rolled on the island, with a balance in units."""
    state = GAME.start(seats, {}, 0)
    assert isinstance(state, State)
    state = evolve(state, cash=(cash, *state.cash[1:]))
    rolled = state.apply(ISLAND)
    assert isinstance(rolled, State)
    return rolled
