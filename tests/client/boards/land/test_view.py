"""The board of the land game: what it shows at every size and depth, and turns by keys and by clicks alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

import pytest

from kimberley.client.boards.game_log import GameLog
from kimberley.client.boards.game_screen import LATE, GameScreen
from kimberley.client.boards.land.board import LandUI
from kimberley.client.boards.land.form_turn import TurnForm
from kimberley.client.boards.land.help_text import TITLE
from kimberley.client.boards.land.layout import MAP_X, MAP_Y, layout
from kimberley.client.boards.land.overview import MODES, SECTOR, scale_for
from kimberley.client.boards.land.pacing import FRAME, SHORT, TUMBLE
from kimberley.client.boards.land.parcel_style import short_price
from kimberley.client.boards.land.price_entry import STEPS, priced
from kimberley.client.boards.land.turn_draft import compact
from kimberley.client.boards.line_mode import LineMode
from kimberley.client.screens.dialogs import menu
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.palette import Depth, contrast
from kimberley.client.ui.screen import MenuItem, Screen
from kimberley.games.land import GAME
from kimberley.games.land.deals import Deals
from kimberley.games.land.money import K
from kimberley.games.land.rules import DealSpace, State
from kimberley.games.table import Decide, Observation, Plain, Result, evolve
from tests.support.angola import PretendUi
from tests.support.effort import each_once
from tests.support.land_table import LandTable
from tests.support.player import ScreenPlayer

SIZES = [(80, 24), (81, 33), (100, 34), (120, 28), (120, 40), (140, 45), (200, 60)]
EXTREMES = [SIZES[0], SIZES[-1]]
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
        """The text without its breaks."""
        return " ".join(self.text().split())

    def click_parcel(self, name: str) -> None:
        """Clicks on a parcel in the panel."""
        self.click(("parcel", self.map_parcel(name)))

    def map_parcel(self, name: str) -> int:
        assert self.table.state.map is not None
        return self.table.state.map.parcel(name)

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
    """The first turn of seat 0, rolled on the island, with a balance in units."""
    state = GAME.start(seats, {}, 0)
    assert isinstance(state, State)
    state = evolve(state, cash=(cash, *state.cash[1:]))
    rolled = state.apply(ISLAND)
    assert isinstance(rolled, State)
    return rolled


# -- the map and the panel ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seats", [2, 3, 4, 6])
@pytest.mark.parametrize("side", [24, 12])
def test_nothing_overlaps_at_any_size(size: tuple[int, int], seats: int, side: int) -> None:
    where = layout(*size, side, seats)
    areas = [where.panel, where.ledger, where.notes, *([where.log] if where.log else [])]
    areas.append(where.panel._replace(left=MAP_X, top=MAP_Y, width=where.scale.columns, height=where.scale.rows))
    cells = [(x, y) for x0, y0, wide, high in areas for x in range(x0, x0 + wide) for y in range(y0, y0 + high)]
    assert len(cells) == len(set(cells))
    assert all(0 <= x < size[0] and 2 <= y < size[1] - 1 for x, y in cells)
    assert where.ledger.height > (seats + 1) // 2 if where.paired else where.ledger.height > seats
    assert where.tabs == MAP_Y + where.scale.rows


@pytest.mark.parametrize("side", [24, 12])
def test_all_parcels_have_a_cell_of_the_map(side: int) -> None:
    scale = scale_for(side, 48, 12)
    assert (scale.columns, scale.rows) == (48, 12)
    for parcel in range(side * side):
        x, y = scale.place(parcel)
        assert scale.at(x, y) in (parcel, parcel - side * (parcel // side % 2))
        assert 0 <= x < 48
        assert 0 <= y < 12


@pytest.mark.parametrize("ascii_only", [False, True])
@pytest.mark.parametrize("depth", Depth)
@pytest.mark.parametrize("size", EXTREMES)
def test_everything_is_there_at_every_size_and_depth(size: tuple[int, int], depth: Depth, ascii_only: bool) -> None:
    player = playing(size=size, seats=6)
    player.press("b")
    for _ in MODES:
        text = "\n".join(player.canvas(depth, ascii_only).lines())
        assert "Sector 5,4: " in text
        assert "Sector 5,4" in text
        assert len(re.findall(r"400(\.00)?K(?! left)", text)) == 1
        assert len(re.findall(r"500(\.00)?K", text)) == 5
        assert "1 deal: 400K left" in text
        assert text.isascii() or not ascii_only
        player.press("o")


@pytest.mark.parametrize(("size", "depth"), each_once(EXTREMES, [Depth.TRUE, Depth.INDEXED]))
def test_all_text_can_be_read_on_its_ground(size: tuple[int, int], depth: Depth) -> None:
    table = LandTable(6, level=3)
    player = Player(table, size)
    for _ in range(6):
        if table.own.asked is not None:
            table.choose(GAME.bot(3, 5).choose(Observation(0, table.state, table.own.story)))
    player.press("a 2")
    for _ in MODES:
        player.press("o")
        canvas = player.canvas(depth)
        for y in range(size[1]):
            for x in range(size[0]):
                cell = canvas.cell(x, y)
                if cell.char.strip() and cell.char not in "▀▄█":
                    colors = dict(word.split(":") for word in canvas.palette.style(*cell.style).split() if ":" in word)
                    fg, bg = (tuple(bytes.fromhex(colors[name][1:])) for name in ("fg", "bg"))
                    assert contrast(fg, bg) >= 4.5, (x, y, cell)  # type: ignore[arg-type]


def test_without_colors_the_map_is_letters_and_the_sector_is_reversed() -> None:
    player = playing()
    canvas = player.canvas(Depth.NONE)
    rows = canvas.lines()[MAP_Y : MAP_Y + 12]
    state = player.table.state
    assert state.map is not None
    signs = {"D": "·", "F": "F", "C": "C", "P": "P", "R": "~"}
    for parcel in range(24 * 24):
        row, column = divmod(parcel, 24)
        assert rows[row // 2][MAP_X + 2 * column + row % 2] == signs[state.map.kind(parcel)]
    top, left = 4 * SECTOR // 2 + MAP_Y, 3 * SECTOR * 2 + MAP_X
    grounds = {canvas.cell(x, y).style.bg for x in range(left, left + 8) for y in range(top, top + 2)}
    assert grounds == {"paper", "ink"}
    assert canvas.cell(left - 1, top).style.bg == "ink"


def test_the_frame_leaves_half_of_every_parcel_beside_the_sector() -> None:
    player = playing()
    canvas = player.canvas()
    row, left = MAP_Y + 4 * SECTOR // 2, MAP_X + 3 * SECTOR * 2
    assert canvas.cell(left - 1, row).style.fg == "paper"
    assert canvas.cell(left - 2, row).style.fg != "paper"
    assert canvas.cell(left + 8, row).style.fg == "paper"
    assert canvas.cell(left + 9, row).style.fg != "paper"


def test_all_prices_are_there_at_once_where_there_is_room() -> None:
    player = playing(size=(100, 34))
    player.press("o o")
    state = player.table.state
    assert state.map is not None
    rows = player.canvas().lines()[MAP_Y : MAP_Y + 24]
    for parcel in range(24 * 24):
        row, column = divmod(parcel, 24)
        shown = rows[row][MAP_X + 3 * column : MAP_X + 3 * column + 3].strip()
        assert shown == ("" if state.map.kind(parcel) == "R" else str(state.land.price(parcel) // 100))


@pytest.mark.parametrize(
    ("price", "room", "text"),
    [(3000, 3, "30"), (250, 3, "2.5"), (231, 3, "2.3"), (231, 4, "2.31"), (99, 3, ".99"), (1050, 3, "10"),
     (99900, 3, "999"), (0, 3, "0"), (50, 2, ".5"), (231, 2, "2"), (12345, 6, "123.45"), (12345, 5, "123.5")],
)  # fmt: skip
def test_prices_are_shortened_to_their_room(price: int, room: int, text: str) -> None:
    assert short_price(price, room) == text


def test_the_overview_switches_by_key_by_click_and_by_wheel() -> None:
    player = playing(state=rich())
    player.press("o")
    assert "Nobody owns land yet." in player.text()
    player.click_at(*player.place(("mode", "price")))
    assert "<1K" in player.text()
    assert player.screen.wheel(("map",), 10, 10, 1)
    assert "<1K" not in player.text()
    assert "Nobody owns land yet." in player.text()


# -- a turn by keys ----------------------------------------------------------------------------------------------------


def test_a_parcel_is_bought_priced_and_paid_by_keys() -> None:
    player = playing()
    player.press("b")
    assert "Bought m17 for 100K (+). Connected to the river (~)." in player.prose()
    assert "400K" in player.text()
    player.press("1 2 3 . 5 enter")
    player.press("d")
    (deals,) = player.table.chosen
    assert deals == (("buy", player.map_parcel("m17"), 12350),)


def test_many_parcels_get_one_price_or_a_multiple_of_their_base_price() -> None:
    player = playing()
    player.press("a b 7 enter")
    text = player.text()
    assert "Priced 10 parcels at 7K (*)." in text
    assert len(player.turn.now.own()) == 10
    assert {player.turn.now.land.price(parcel) for parcel in player.turn.now.own()} == {700}
    player.press("x 2 enter")
    assert "Priced 10 parcels at x2 (*)." in player.text()
    assert player.turn.now.land.price(player.map_parcel("m17")) == 20000
    player.press("u")
    assert player.turn.now.land.price(player.map_parcel("m17")) == 700
    player.press("d")
    assert len(player.table.chosen[0]) == 10
    assert {deal[0] for deal in player.table.chosen[0]} == {"buy"}


def test_marks_choose_what_is_dealt_in() -> None:
    player = playing()
    player.press("space right down space")
    assert player.turn.marks == {player.map_parcel("m17"), player.map_parcel("n18")}
    assert "2 marked" in player.text()
    player.press("b s")
    ((question, sell),) = player.ui.questions
    assert question == "2 parcels go to the government for half their base price: 52.5K."
    assert player.turn.now.cash == 500 * K - 105 * K
    sell()
    assert player.turn.now.cash == 500 * K - 105 * K // 2
    player.press("esc")
    assert not player.turn.marks


def test_a_single_parcel_that_nobody_marked_is_sold_after_a_question_that_names_it() -> None:
    player = playing()
    player.press("b s")
    ((question, sell),) = player.ui.questions
    assert question == "m17 goes to the government for half its base price: 50K."
    assert player.turn.now.cash == 400 * K
    sell()
    assert "Sold m17 for 50K (-)." in player.text()


def test_a_single_parcel_that_was_marked_is_sold_at_once() -> None:
    player = playing()
    player.press("space b s")
    assert player.ui.questions == []
    assert player.turn.now.cash == 450 * K


def test_the_first_screen_says_what_to_buy_why_and_how_many() -> None:
    player = playing()
    assert "Sector 5,4: 10 can be joined to the river: buy with b." in player.text()
    assert "Land that leads to the river earns 10% a turn, and costs 2% tax." in player.text()
    assert "b buy m17" in player.text()
    player.press("a")
    assert "Marked: what reaches the river, 10." in player.prose()
    assert "b buy 10" in player.text()
    assert "Sector 1,1: nothing here can be joined to the river. d ends." in playing(dice=(0, 0)).text()


def test_land_that_others_own_and_land_that_is_too_dear_are_told_apart() -> None:
    state = rich()
    assert state.map is not None
    land = state.land
    for parcel in state.map.banks:
        land = land.priced(parcel, 1, K)
    player = playing(state=evolve(state, land=land))
    assert "Sector 5,4: nothing here can be joined to the river. d ends." in player.text()
    player = playing(state=rich(cash=K // 2))
    assert "Sector 5,4: what could join the river is too dear. d ends." in player.text()


def test_the_frame_of_a_sector_at_the_lower_edge_leaves_the_row_below_alone() -> None:
    player = playing(dice=(5, 0))
    row = next(row for row in player.canvas().lines() if "shows" in row)
    assert row.startswith("   shows ")


def test_land_that_does_not_lead_to_the_river_says_so() -> None:
    player = playing()
    assert "m17 earns 10 a turn" in player.text()
    player = playing(dice=(0, 0))
    assert "a1: no river, only tax" in player.text()
    player.press("b")
    assert "Not connected to the river yet: tax, no earnings." in player.prose()


def test_everything_is_taken_back_step_by_step() -> None:
    player = playing()
    player.press("a b x 2 enter")
    assert len(player.turn.now.dealt) == 20
    player.press("u")
    assert len(player.turn.now.dealt) == 10
    player.press("u")
    assert player.turn.now.cash == 500 * K
    player.press("u")
    assert "There is nothing to take back." in player.text()
    assert player.table.chosen == []


def test_what_is_forbidden_is_refused_with_its_rule() -> None:
    player = playing()
    player.press("s")
    assert "! m17 cannot be sold: it is the government’s." in player.text()
    player.press("5 enter")
    assert "! m17 cannot be priced: it is the government’s." in player.text()
    player.press("esc right b")
    assert "! n17 is part of the river, which nobody can own." in player.text()
    player.press("up up b")
    assert "! n15 is not in the sector in play, 5,4." in player.text()
    player.press("space")
    assert "is not in the sector in play" in player.text()
    player.press("home enter")
    assert "Enter sets a price that you have typed. b buys, s sells" in player.text()
    player.press("1 0 0 0 b")
    assert "! A price is at most 999.00K, not 1000.00K." in player.text()


def test_what_the_balance_does_not_allow_is_left_out_and_said() -> None:
    player = playing(state=rich(130 * K))
    player.press("space down space b")
    assert len(player.turn.now.dealt) == 1
    assert (
        "! Bought m17 for 100K (+). Connected to the river (~). m18 costs 100.00K, and the balance is 30K."
        in player.prose()
    )


def test_below_zero_one_sells_or_is_asked_before_it_is_over() -> None:
    player = playing(state=rich(-2 * K), held=True)
    assert "DEBT" in player.text()
    player.press("b")
    assert "below zero you can only sell to the government" in player.prose()
    player.press("d")
    assert player.table.chosen == []
    ((question, be_out),) = player.ui.questions
    assert question.startswith("Your balance is -2K.")
    be_out()
    assert player.table.chosen == [()]
    assert "OUT" in player.text()
    assert "× bankrupt" in player.text()


def test_a_turn_without_deals_ends_at_the_second_time_of_asking() -> None:
    player = playing()
    player.press("d")
    assert player.table.chosen == []
    assert "You made no deals. Press d again to end your turn." in player.text()
    player.press("left d d")
    assert player.table.chosen == [()]


def test_a_million_wins_at_the_end_of_the_turn() -> None:
    player = playing(state=rich(1001 * K), calm=False)
    player.ui.time += 10
    assert "A million: Done wins" in player.text()
    player.press("d d")
    assert isinstance(player.table.state.ask(), Result)
    assert "THE END" in player.text()
    assert "ana has 1001K at the end of a turn" in player.text()
    assert player.screen.busy(player.ui.time)
    player.ui.time += LATE
    player.press("enter")
    assert not player.screen.busy(player.ui.time)


def test_the_cursor_leaves_the_sector_to_look_around_and_comes_back() -> None:
    player = playing()
    player.press("left")
    text = player.text()
    assert "Sector 5,3" in text
    assert "not in play" in text
    player.press("home")
    assert "not in play" not in player.text()
    for _ in range(30):
        player.press("up left")
    assert "a1: no river, only tax" in player.text()


# -- a turn by the mouse -----------------------------------------------------------------------------------------------


def test_a_turn_is_played_by_clicks_alone() -> None:
    player = playing()
    player.click_parcel("m19")
    player.click_parcel("m19")
    player.click_parcel("n19")
    player.click_parcel("n19")
    player.touch("b buy")
    player.click_at(*player.place(("step", 1)))
    player.touch("✓")
    player.touch("d done")
    map = player.map_parcel
    assert player.table.chosen == [(("buy", map("m19"), 600), ("buy", map("n19"), 600))]


def test_every_digit_of_a_price_can_be_turned_by_clicks_and_by_the_wheel() -> None:
    player = playing()
    player.touch("b buy")
    places = {digit: player.place(("digit", digit)) for digit in range(5)}
    player.click_at(*places[0])
    assert player.screen.wheel(("digit", 1), *places[1], 1)
    assert player.turn.entry.text == "99.91"
    for place, steps in ((2, -3), (3, 2), (4, -9)):
        assert player.screen.wheel(("digit", place), 0, 0, steps)
    assert player.turn.entry.text == "982.91"
    assert player.screen.wheel(("digit", 4), 0, 0, -1)
    assert player.turn.entry.text == "999.00"
    player.touch("✓")
    assert player.turn.now.land.price(player.map_parcel("m17")) == 99900


def test_a_click_on_the_map_looks_at_that_sector() -> None:
    player = playing()
    player.click_at(MAP_X, MAP_Y)
    assert "Sector 1,1 not in play" in player.text()
    player.press("esc")
    assert "Sector 5,4" in player.text()


def test_the_smallest_terminal_has_a_margin_a_button_to_end_the_turn_and_a_word_on_the_parcel() -> None:
    player = playing(seats=4, dice=(2, 5))
    player.press("b")
    canvas = player.canvas()
    assert {canvas.touched(79, y) for y in range(3, 15)} == {None}
    assert "ana, you" in player.text()
    assert "v9 earns 0.5, tax 0.10" in player.text()
    player.press("right right b")
    assert "x9: cut off, tax 0.02" in player.text()
    player.touch("Done d")
    assert len(player.table.chosen) == 1


@pytest.mark.parametrize(
    ("columns", "note"),
    [
        (140, "ana and ben · four words checked ✓ · round 1 "),
        (100, "four words checked ✓ · round 1 "),
        (80, "round 1 "),
    ],
)
def test_the_title_bar_names_the_turn_whole_whatever_else_has_room(columns: int, note: str) -> None:
    table = LandTable(2)
    table.acquaintance = ("you", "known")
    title = Player(table, (columns, 34)).lines()[0]
    assert f"{TITLE}  " in title
    assert note in title
    assert "…" not in title


def test_a_name_without_room_gives_way_to_you() -> None:
    player = playing(seats=4)
    player.screen.view.names = ("Wilhelmina", "ben", "carla", "dmitri")
    assert "▲A you " in player.text()


@pytest.mark.parametrize("size", SIZES)
def test_buttons_and_keys_of_the_last_row_can_be_clicked_at_every_size(size: tuple[int, int]) -> None:
    player = playing(size=size)
    player.touch("b buy" if size[0] < 100 or size[1] < 34 else "Buy b")
    player.touch("u undo")
    player.touch("l log")
    assert isinstance(player.ui.pushed[0], GameLog)
    player.touch("o switches")
    player.touch("d done")
    player.touch("d done")
    assert player.table.chosen == [()]


def test_the_end_is_seen_after_the_turns_that_led_to_it() -> None:
    state = rich()
    player = playing(state=evolve(state, cash=(500 * K, 1001 * K, 500 * K)), calm=False)
    player.ui.time += 10
    player.press("d d")
    assert isinstance(player.table.state.ask(), Result)
    assert "carla rolls the dice." in player.text()
    player.press("enter")
    assert player.screen.busy(player.ui.time)
    assert "THE END" in player.text()
    assert "ben has 1001K at the start of a turn." in player.text()
    player.ui.time += LATE
    player.press("enter")
    assert not player.screen.busy(player.ui.time)
    assert not player.screen.key("enter")


# -- what others do ----------------------------------------------------------------------------------------------------


def first_parcel(state: State) -> Deals:
    """Buys the first parcel that there is in the sector."""
    ask = state.ask()
    assert isinstance(ask, Decide)
    assert isinstance(ask.space, DealSpace)
    parcel = next((parcel for parcel in ask.space.draft().buyable()), None)
    return () if parcel is None else (("buy", parcel, 300),)


def test_what_others_did_is_said_and_their_start_explained() -> None:
    player = playing(replies=first_parcel)
    player.press("d d")
    text = player.text()
    assert "ben buys 1 for " in text
    assert "Your start: 500 + credits 0 - 0 tax + 0 revenue = 500" in text
    player.press("tab")
    assert "ben’s start: 500 + credits 0 - 0 tax + 0 revenue = 500" in player.text()
    player.touch("carla")
    assert "carla’s start" in player.text()
    player.press("l")
    log = player.ui.pushed[0]
    canvas = Canvas(80, 24)
    log.draw(canvas, 0.0)
    text = "\n".join(canvas.lines())
    assert "Round 1" in text
    assert "●C carla buys a parcel for" in text
    assert "and has 4" in text
    log.key("up")
    log.key("enter")
    assert "1 behind" in player.text()
    assert "carla buys 1 for" in player.text()
    assert "carla’s start: 500 + credits 0 - 0 tax + 0 revenue = 500" in player.text()
    player.press("right")
    assert "ben buys 1 for" in player.text()
    player.press("enter")
    assert "your turn" in player.text()


def test_tax_and_revenue_are_explained_parcel_by_parcel() -> None:
    state = rich()
    assert state.map is not None
    land = state.land.priced(state.map.parcel("m17"), 0, 25050).priced(state.map.parcel("a1"), 0, 100)
    player = playing(state=evolve(state, land=land.priced(state.map.parcel("p18"), 1, 7)))
    player.touch("Your start")
    account = player.ui.pushed[0]
    canvas = Canvas(80, 24)
    account.draw(canvas, 0.0)
    text = "\n".join(canvas.lines())
    assert "ana owns 2 parcels, 1 of them connected to the river." in text
    for figure in ("m17", "diamond field", "250.50", "- 5.01 ", "+ 10 ", "cut off", "- 5.03 "):
        assert figure in text
    assert account.key("tab")
    account.draw(canvas, 0.0)
    assert "ben owns a parcel" in "\n".join(canvas.lines())
    assert account.key("esc")
    assert player.ui.popped == [account]


def test_turns_of_others_are_shown_one_by_one_and_can_be_skipped() -> None:
    player = playing(replies=first_parcel, calm=False)
    player.ui.time += 10
    player.press("d d")
    assert "carla rolls the dice." in player.text()
    assert "1 more to see" in player.text()
    assert player.screen.next_frame(player.ui.time) is not None
    player.ui.time += TUMBLE
    assert "carla buys 1" in player.text()
    assert "carla’s start" in player.text()
    player.ui.time += 1.2
    assert "ben rolls the dice." in player.text()
    player.press("enter")
    assert "BUY" in player.text()
    assert not player.screen.busy(player.ui.time)


def test_the_dice_of_ones_own_turn_tumble_before_they_lie() -> None:
    player = playing(calm=False)
    player.press("d d")
    player.ui.time += SHORT
    player.text()
    player.ui.time += SHORT
    player.text()
    row, column = (number + 1 for number in player.turn.space.sector)
    player.text()
    assert player.screen.next_frame(player.ui.time) == player.ui.time + FRAME
    assert "ROLL" in player.lines()[1]
    player.press("b space")
    player.ui.time += TUMBLE
    assert f"Sector {row},{column}" in player.text()
    assert (player.turn.now.dealt, player.turn.marks) == ((), frozenset())
    assert player.screen.next_frame(player.ui.time) is None


def test_on_a_small_map_the_roll_says_which_faces_name_a_row_or_column() -> None:
    player = playing(calm=False, options={"map": "small", "turns": 25})
    faces = "1 or 2 is 1, 3 or 4 is 2, 5 or 6 is 3"
    player.press("d d")
    player.ui.time += SHORT
    player.text()
    player.ui.time += SHORT
    assert f"The dice roll: {faces}." in player.text()
    assert f"On this map {faces}." in player.turn.prompt()


def cut_off_by_ben(*, calm: bool) -> Player:
    """Ana has a parcel by the river and two behind it. ben buys the first in his turn, right after hers."""
    start = rich(seats=2)
    assert start.map is not None
    behind = [start.map.parcel(name) for name in ("m17", "m18", "m19")]
    land = start.land
    for parcel in behind:
        land = land.priced(parcel, 0, 100)
    buys: Deals = (("buy", behind[0], 100),)
    table = LandTable(2, dice=[ISLAND], state=evolve(start, land=land), replies=lambda _: buys)
    player = Player(table, calm=calm)
    player.press("d d")
    return player


def lit(player: Player) -> set[str]:
    """The parcels that stand out on the map. The number of rows is that of a map whose parcels have a row each."""
    canvas, state = player.canvas(), player.table.state
    assert state.map is not None
    scale = layout(*player.size, state.map.side, 2).scale
    places = {name: scale.place(state.map.parcel(name)) for name in ("m17", "m18", "m19", "m20")}
    return {name for name, (x, y) in places.items() if canvas.cell(MAP_X + x, MAP_Y + y).style.bg == "warning"}


LOSS = "2 of your parcels lost the river: -12K a turn."


def test_parcels_that_somebody_cuts_off_from_the_river_are_told_and_light_up() -> None:
    player = cut_off_by_ben(calm=True)
    assert "your turn" in player.text()
    assert player.ui.toasts == [LOSS]
    player.size = (200, 60)
    assert lit(player) == {"m18", "m19"}
    player.press("l")
    (log,) = player.ui.pushed
    canvas = Canvas(120, 30)
    log.draw(canvas, 0.0)
    assert LOSS in "\n".join(canvas.lines())


def test_parcels_that_are_cut_off_blink_while_it_is_new() -> None:
    player = cut_off_by_ben(calm=False)
    player.size = (200, 60)
    seen = []
    for _ in range(20):
        seen.append(lit(player))
        due = player.screen.next_frame(player.ui.time)
        assert due is not None
        player.ui.time = due
    assert seen[0] == set()
    assert {frozenset(each) for each in seen} == {frozenset(), frozenset({"m18", "m19"})}


def test_who_has_the_turn_is_said_while_one_waits() -> None:
    player = playing(held=True, replies=first_parcel)
    player.press("d d")
    text = player.text()
    assert "WAIT" in text
    assert "carla has the turn, in sector" in text
    assert "carla is choosing" in text
    assert not player.screen.key("b")
    player.press("right")
    assert "0-9 price" not in player.text()


def test_a_purchase_from_another_seat_shows_as_credits_due() -> None:
    state = rich()
    assert state.map is not None
    parcel = state.map.parcel("m17")
    land = state.land.priced(parcel, 1, 25000)
    player = playing(state=evolve(state, land=land))
    assert "■B ~" in player.text()
    player.press("b")
    text = player.text()
    assert "250K" in text
    assert "+250" in text


def test_seats_that_are_out_stay_in_the_ledger() -> None:
    state = evolve(rich(seats=4), gone=((2, "bankrupt"), (3, "left")))
    player = playing(state=state, seats=4)
    text = player.text()
    assert "× bankrupt" in text
    assert "× left" in text


def test_a_map_that_is_rolled_is_waited_for() -> None:
    table = LandTable(2, options={"map": "rolled"}, held=True)
    table.own.state = GAME.start(2, {"map": "rolled"})
    table.own.story = ()
    player = Player(table)
    assert "The dice decide the map" in player.text()
    assert not player.screen.key("b")
    table.go_on()
    assert "Sector" in player.text()


def test_nobody_has_the_turn_until_lots_decide_who_begins() -> None:
    table = LandTable(3, held=True)
    table.own.state, table.own.story = GAME.start(3, {}), ()
    player = Player(table)
    assert "Lots decide who begins." in player.text()
    assert "Your turn begins" not in player.text()
    assert "▸" not in player.text().partition("Ledger")[2]
    assert LineMode(LandUI(), table).describe()[0] == "Lots decide who begins."
    table.go_on()
    assert "your turn" in player.text()


def test_a_screen_that_is_opened_in_the_middle_knows_the_game() -> None:
    table = LandTable(3, level=2)
    for _ in range(3):
        table.choose(())
    player = Player(table, calm=False)
    assert player.screen.next_frame(player.ui.time) is None
    assert "round 4" in player.text()


def test_help_and_menu_follow_the_turn() -> None:
    player = playing()
    assert [section.heading for section in player.screen.help().sections][:2] == ["Your turn", "Keys"]
    assert [item.key for item in player.screen.menu()] == ["l", "t", "g"]
    player.press("b")
    items = {item.key: item for item in player.screen.menu()}
    items["u"].run()
    assert not player.turn.draft.begun
    waiting = playing(held=True)
    waiting.press("d d")
    assert waiting.screen.help().sections[0].heading == "Others play"


# -- the desk ----------------------------------------------------------------------------------------------------------


def test_no_two_lines_of_the_menu_have_the_same_key() -> None:
    player = playing()
    player.press("b")
    keys = [item.key for item in menu(player.ui, player.screen).items]  # type: ignore[arg-type]
    assert {"l", "t", "u", "q", "r"} <= set(keys)
    assert len(keys) == len(set(keys))


def test_prices_are_understood() -> None:
    assert priced("30", 100) == 3000
    assert priced("x1.5", 500) == 750
    assert priced("x2", 10000) == 20000
    for text in ("x", "x2x", "30.555", "1000", "x999"):
        with pytest.raises(ValueError, match="price"):
            priced(text, 10000)


def test_a_turn_is_sent_in_as_few_deals_as_it_takes() -> None:
    state = rich()
    ask = state.ask()
    assert isinstance(ask, Decide)
    assert isinstance(ask.space, DealSpace)
    assert state.map is not None
    a, b = state.map.parcel("m17"), state.map.parcel("m18")
    deals: Deals = (
        ("buy", a, 100),
        ("price", a, 200),
        ("buy", b, 5),
        ("price", b, 7),
        ("price", b, 9),
        ("price", a, 3),
    )
    assert compact(ask.space, deals) == (("buy", a, 3), ("buy", b, 9))
    sold: Deals = (("buy", a, 100), ("sell", a), ("buy", a, 50))
    assert compact(ask.space, sold) == sold


def test_a_price_that_is_set_back_is_not_sent() -> None:
    state = rich()
    assert state.map is not None
    a, b = state.map.parcel("m17"), state.map.parcel("m18")
    state = evolve(state, land=state.land.priced(a, 0, 400).priced(b, 0, 400))
    ask = state.ask()
    assert isinstance(ask, Decide)
    assert isinstance(ask.space, DealSpace)
    assert compact(ask.space, (("price", a, 9), ("price", a, 400), ("price", b, 8), ("sell", b))) == (("sell", b),)


def test_the_ladder_of_prices_goes_up_and_down() -> None:
    assert list(STEPS) == sorted(set(STEPS))
    player = playing()
    player.press("+")
    assert player.turn.entry.text == "120.00"
    player.press("- -")
    assert player.turn.entry.text == "90.00"
    for _ in range(60):
        player.press("-")
    assert player.turn.entry.text == "0.00"
