"""The land game on a phone that is held upright: what is seen, and turns by touch alone."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from kimberley.client.boards.game_screen import GameScreen
from kimberley.client.boards.land.accounts import AccountScreen
from kimberley.client.boards.land.board import LandUI
from kimberley.client.boards.land.dossier import draw_head
from kimberley.client.boards.land.ledger import Ledger
from kimberley.client.boards.land.overview import MODES
from kimberley.client.boards.land.picture import Picture, entries
from kimberley.client.boards.view import Shown
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.palette import Depth
from kimberley.games.land import GAME
from kimberley.games.land.deals import Deals
from kimberley.games.land.money import K
from kimberley.games.land.rules import State
from kimberley.games.table import Plain, Result, evolve
from tests.support.cut_text import noting_cuts
from tests.support.effort import first_is_quick
from tests.support.land_table import LandTable
from tests.support.player import ScreenPlayer
from tests.support.touching import too_small

PHONE = (40, 40)
SIZES = [PHONE, (45, 43), (60, 60), (79, 50)]
ISLAND = (4, 3)
SMALL: Mapping[str, Plain] = {"map": "small"}


class Player(ScreenPlayer[LandTable, GameScreen]):
    """A player on a phone."""

    def touch_parcel(self, name: str) -> None:
        """Touches a parcel of the sector that is shown."""
        self.click(("parcel", self.parcel(name)))

    def parcel(self, name: str) -> int:
        assert self.table.state.map is not None
        return self.table.state.map.parcel(name)


def nothing(state: State) -> Deals:
    del state
    return ()


def playing(
    seats: int = 3,
    size: tuple[int, int] = PHONE,
    *,
    state: State | None = None,
    options: Mapping[str, Plain] | None = None,
    held: bool = False,
) -> Player:
    table = LandTable(seats, dice=[ISLAND], replies=nothing, state=state, options=options, held=held)
    return Player(lambda table, ui: GameScreen(LandUI(), table, ui), table, size)


@pytest.mark.parametrize("size", first_is_quick(*SIZES))
@pytest.mark.parametrize(("seats", "options"), [(2, {}), (6, SMALL), (4, {})])
def test_nothing_is_cut_off_or_too_small_in_any_mode(
    size: tuple[int, int], seats: int, options: Mapping[str, Plain]
) -> None:
    player = playing(seats, size, options=options)
    player.touch("Buy")
    for mode in MODES:
        player.click(("mode", mode))
        with noting_cuts() as cut:
            canvas = player.canvas()
        assert (cut, too_small(canvas)) == ([], [])


@pytest.mark.slow
def test_a_price_is_set_and_paid_by_touch_alone() -> None:
    player = playing()
    player.touch_parcel("n19")
    player.click(("step", 1))
    player.click(("digit", 0))
    player.touch("Buy n19")
    assert "Bought n19 for 5K." in player.text()
    player.touch("Undo")
    player.click(("digit", 3))
    player.touch("Buy n19")
    player.touch("End turn")
    assert player.table.chosen == [(("buy", player.parcel("n19"), 1500),)]


@pytest.mark.slow
def test_a_price_that_is_entered_is_cleared_by_touch_before_deals_are_taken_back() -> None:
    player, other = playing(), playing()
    for each in (player, other):
        each.touch_parcel("n19")
        each.touch("Buy n19")
        each.touch_parcel("n18")
    player.click(("step", 1))
    player.touch("Clear")
    for each in (player, other):
        each.touch("Buy n18")
        each.touch("End turn")
    assert player.table.chosen == other.table.chosen
    assert len(player.table.chosen[0]) == 2


def test_parcels_that_are_alike_are_marked_and_bought_together() -> None:
    player = playing()
    player.touch("Group")
    assert "Selected: land that reaches the river" in player.text()
    player.touch("Buy")
    player.touch("End turn")
    (deals,) = player.table.chosen
    assert len(deals) > 1


def test_a_touch_on_the_map_shows_a_sector_and_one_on_that_in_play_comes_back() -> None:
    player = playing()
    player.click(("sector", 0, 5))
    assert "Sector 1,6 in play: " in player.text()
    player.touch_parcel("w3")
    assert "w3" in player.text()
    player.click(("sector", *ISLAND))
    assert "Sector 5,4" in player.text()
    assert "in play: " not in player.text()


def test_while_others_choose_one_looks_around_and_comes_back() -> None:
    player = playing(held=True)
    player.touch("End turn")
    player.touch("End turn")
    player.click(("sector", 2, 1))
    assert "Sector 3,2 in play: " in player.text()
    here = player.table.state.sector
    assert here is not None
    player.click(("sector", *here))
    assert "in play: " not in player.text()


@pytest.mark.parametrize(("depth", "ascii_only"), [(Depth.NONE, False), (Depth.NONE, True), (Depth.BASIC, True)])
def test_without_colors_a_letter_stands_for_two_parcels_and_land_that_is_owned_comes_first(
    depth: Depth, ascii_only: bool
) -> None:
    player = playing()
    player.touch_parcel("n19")
    player.touch("Buy n19")
    player.click(("mode", "owner"))
    player.click(("sector", 0, 0))
    map_rows = player.canvas(depth, ascii_only).lines()[7:19]
    assert sum(line[2:26].count("A") for line in map_rows) == 1
    assert sum(line[2:26].count("~") for line in map_rows) > 20


def test_where_parcels_have_no_halves_land_that_is_cut_off_is_darker() -> None:
    player = playing()
    player.touch_parcel("m19")
    player.touch("Buy m19")
    player.touch_parcel("o19")
    player.touch("Buy o19")
    player.click(("mode", "river"))
    player.click(("sector", 0, 0))
    canvas = player.canvas()
    styles = {canvas.cell(2 + column, 16).style for column in (12, 14)}
    assert len(styles) == 2


def test_tax_and_revenue_are_listed_with_buttons_to_scroll() -> None:
    state = GAME.start(3, {}, 0)
    assert isinstance(state, State)
    assert state.map is not None
    land = state.land
    parcels = [parcel for parcel in range(24 * 24) if state.map.is_land(parcel)][:60]
    for parcel in parcels:
        land = land.priced(parcel, 0, 99_900)
    player = playing(state=evolve(state, land=land, cash=(1 * K, *state.cash[1:])))
    ledger = Ledger(entries(evolve(state, land=land)), player.table.occupants.names, 0, 0, 0)
    screen = AccountScreen(player.ui, Picture(state.map, land, ledger, MODES[0], None, (0, 0), None))
    with noting_cuts() as cut:
        canvas = Canvas(*PHONE, portrait=True)
        screen.draw(canvas, 0.0)
    assert (cut, too_small(canvas)) == ([], [])
    text = "\n".join(canvas.lines())
    for said in ("You own 60 parcels", "999.00", "- 19.98", "- 1198.8", "at the start of each turn", "Close"):
        assert said in text
    actions = {hit.action for hit in canvas.hits}
    assert {"key:right", "key:pageup", "key:pagedown", "key:esc"} <= actions
    assert screen.key("pagedown")
    after = Canvas(*PHONE, portrait=True)
    screen.draw(after, 0.0)
    assert "\n".join(after.lines()) != text


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_the_head_of_the_end_has_all_places_whole(seats: int) -> None:
    state = GAME.start(seats, {}, 0)
    assert isinstance(state, State)
    gone = ((1, "bankrupt"),)
    state = evolve(state, gone=gone, over="A has the million")
    result = Result(tuple(range(1, seats + 1)), tuple((0,) for _ in range(seats)), "A has the million")
    names = ("Bartholomew", "ben", "carla", "dmitri", "eva", "finn")[:seats]
    canvas = Canvas(40, 3, portrait=True)
    with noting_cuts() as cut:
        draw_head(canvas, Shown(state, (), 0, names, 0, result=result))
    assert cut == []
    text = "\n".join(canvas.lines())
    assert "You have won" in text
    assert "■B" in text
    assert "bankrupt" in text
    assert text.count("500.00K") == seats - 1
