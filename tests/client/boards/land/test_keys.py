"""The land game by keys and by clicks: looking around, dealing, and ending a turn."""

from __future__ import annotations

import re

import pytest

from kimberley.client.boards.game_log import GameLog
from kimberley.client.boards.land.accounts import AccountScreen
from kimberley.client.boards.land.overview_screen import OverviewScreen
from kimberley.client.boards.land.price_entry import STEPS, priced
from kimberley.client.boards.land.turn_draft import compact
from kimberley.client.boards.playback import LATE
from kimberley.client.screens.dialogs import menu
from kimberley.client.ui.canvas import Canvas
from kimberley.games.land.deals import Deals
from kimberley.games.land.money import K
from kimberley.games.land.rules import DealSpace, State
from kimberley.games.table import Decide, Result, evolve
from tests.support import land
from tests.support.effort import first_is_quick
from tests.support.land_player import ISLAND, SIZES, playing, rich


def test_the_overview_switches_by_key_by_click_and_by_wheel_and_a_click_on_its_map_leads_there() -> None:
    player = playing(state=rich())
    player.press("o")
    (screen,) = player.ui.pushed
    assert isinstance(screen, OverviewScreen)

    def text() -> str:
        canvas = Canvas(80, 24)
        screen.draw(canvas, 0.0)
        return "\n".join(canvas.lines())

    assert "Nobody owns land yet." in text()
    assert screen.key("o")
    assert "desert" in text()
    assert screen.click(("mode", "price"), 0, 0, "left")
    assert "<1K" in text()
    assert screen.wheel(("map",), 10, 10, 1)
    assert "Nobody owns land yet." in text()
    canvas = Canvas(80, 24)
    screen.draw(canvas, 0.0)
    area = next(hit for hit in canvas.hits if hit.action == ("map",))
    assert screen.click(("map",), area.x, area.y, "left")
    assert "Sector 1,1 in play: " in player.text()


def test_the_ledger_opens_by_key_and_by_a_click_on_the_players_and_shows_each_of_them() -> None:
    player = playing(seats=3)
    player.press("b t")
    player.click("key:t")
    first, second = player.ui.pushed
    assert isinstance(first, AccountScreen)
    assert isinstance(second, AccountScreen)

    def text() -> str:
        canvas = Canvas(80, 24)
        first.draw(canvas, 0.0)
        return "\n".join(canvas.lines())

    assert "Start of your turn: 500 + 0 sales - 0 tax + 0 revenue = 500K" in text()
    assert "You own 1 parcel, connected to the river." in text()
    assert first.click(("seat", 2), 0, 0, "left")
    assert "carla owns no land" in text()
    assert first.key("s-tab")
    assert "ben owns no land" in text()


# -- a turn by keys ----------------------------------------------------------------------------------------------------


def test_a_parcel_is_bought_priced_and_paid_by_keys() -> None:
    player = playing()
    player.press("b")
    assert "Bought m17 for 100K. Connected to the river." in player.prose()
    assert "400K" in player.text()
    player.press("1 2 3 . 5 enter")
    player.press("d")
    (deals,) = player.table.chosen
    assert deals == (("buy", player.map_parcel("m17"), 12350),)


def test_what_takes_another_player_to_a_million_is_said_and_asked_about() -> None:
    dear = land.table({"a1": (1, "300"), "a2": (1, "300")}, (700, 500))
    player = playing(state=land.roll(dear))
    player.press("space")
    assert "a1 selected: buy it for 300K." in player.text()
    player.press("down space")
    assert "2 parcels selected: buying them takes ben to a million." in player.text()
    player.press("b")
    assert "Your payments take ben to a million: undo them, or ben wins." in player.text()
    player.press("d")
    ((question, end),) = player.ui.questions
    assert question == "ben would start the next turn with 1100K, and win."
    assert player.ui.dangers == [True], "Enter does not lose the game"
    assert not player.table.chosen
    end()
    assert player.table.chosen
    assert player.table.state.over is not None
    assert "B reached 1100K at the start of a turn" in player.table.state.over


@pytest.mark.parametrize(
    "state",
    [
        land.table({"a1": (1, "499")}, (700, 500)),
        land.table({"a1": (1, "5")}, (700, 500), due=(0, 600)),
        evolve(land.table({"a1": (1, "600")}, (700, 500)), played=(0, 1), limit=1),
    ],
    ids=["too little", "rich without it", "no turn is left"],
)
def test_who_gets_no_million_by_the_deals_is_not_named(state: State) -> None:
    player = playing(state=land.roll(state))
    player.press("space")
    assert "million" not in player.text()
    player.press("b")
    assert "million" not in player.text()
    player.press("d")
    assert not player.ui.questions


def test_many_parcels_get_one_price_or_a_multiple_of_their_base_price() -> None:
    player = playing()
    player.press("a b 7 enter")
    text = player.text()
    assert "Priced 10 parcels at 7K each." in text
    assert len(player.turn.now.own()) == 10
    assert {player.turn.now.land.price(parcel) for parcel in player.turn.now.own()} == {700}
    player.press("x 2 enter")
    assert "Priced 10 parcels at x2." in player.text()
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
    assert "2 parcels selected" in player.text()
    player.press("b s")
    ((question, sell),) = player.ui.questions
    assert question == "2 parcels go to the government for half their base price: 52.5K."
    assert player.turn.now.cash == 500 * K - 105 * K
    sell()
    assert player.turn.now.cash == 500 * K - 105 * K // 2
    player.press("esc")
    assert not player.turn.marks


def test_going_on_after_a_deal_ends_the_selection() -> None:
    player = playing()
    player.press("space right down space b")
    assert len(player.turn.marks) == 2, "a price can be set for both"
    player.press("left")
    assert not player.turn.marks
    player.press("b")
    assert len(player.turn.now.dealt) == 3
    assert not player.turn.refusal


@pytest.mark.parametrize("picks", ["click the cursor", "click another", "go to another"])
def test_whoever_picks_one_of_the_parcels_just_bought_prices_that_one(picks: str) -> None:
    player = playing()
    player.press("a b")
    bought = len(player.turn.now.own())
    if picks == "click the cursor":
        name = player.turn.map.name(player.turn.cursor.parcel)
        player.click_parcel(name)
    elif picks == "click another":
        player.click_parcel(name := "m19")
    else:
        player.press("down")
        name = player.turn.map.name(player.turn.cursor.parcel)
    assert player.map_parcel(name) in player.turn.now.own()
    player.press("7 enter")
    assert f"Priced {name} at 7K." in player.prose()
    assert len([parcel for parcel in player.turn.now.own() if player.turn.now.land.price(parcel) != 700]) == bought - 1


@pytest.mark.parametrize("name", ["m17", "m19"])
def test_a_click_on_a_parcel_of_a_group_picks_that_one(name: str) -> None:
    player = playing()
    player.press("a")
    assert len(player.turn.marks) == 10
    player.click_parcel(name)
    assert player.turn.marks == {player.map_parcel(name)}
    player.press("b")
    assert f"Bought {name}" in player.prose()


def test_a_price_of_several_says_which_of_them_would_fall_the_most() -> None:
    player = playing()
    player.press("a b 9 9")
    assert "m17 falls from 100K. Tax 19.8K a turn." in player.prose()
    player.press("u x 2")
    assert "Others can buy at these prices." in player.prose()
    player.press("backspace backspace 3 0 0")
    assert "Others can buy at this price." in player.prose()


def test_before_a_price_is_entered_differing_prices_are_told_as_they_are() -> None:
    player = playing()
    player.press("a b p")
    assert "Now 5K to 100K, tax" in player.prose()
    assert "a turn. Type one for all." in player.prose()
    assert "Others can buy" not in player.prose()
    player.press("right left")
    assert "Now 5K to 100K" not in player.prose()


def test_the_status_line_counts_deals_as_the_dossier_does() -> None:
    player = playing()
    player.press("a b 3 0 0 enter")
    assert "10 deals: " in player.prose()
    player.press("d")
    assert len(player.table.chosen[0]) == 10


def test_a_price_that_stays_is_no_deal() -> None:
    player = playing(state=land.roll(land.table({"a1": (0, "30")}, (700, 500))))
    player.press("p 3 0 enter")
    assert "No deals: 699.4K left." in player.prose()
    player.press("d")
    assert player.table.chosen == [()]


def test_what_stands_on_a_parcel_is_explained_there() -> None:
    player = playing()
    player.press("space")
    player.press("b")
    player.press("right left space")
    assert "✓ selected, ~ connected" in player.text()
    player.press("esc")
    assert "+ bought this turn, ~ connected" in player.text()
    player.press("p 9 enter right left")
    assert "* priced this turn, ~ connected" in player.text()


def test_space_after_a_deal_begins_another_selection() -> None:
    player = playing()
    player.press("a b space")
    assert player.turn.marks == {player.turn.cursor.parcel}


def test_a_group_is_what_others_own_by_the_river() -> None:
    state = rich()
    assert state.map is not None
    land = state.land
    for parcel in state.map.banks:
        land = land.priced(parcel, 1, K)
    player = playing(state=evolve(state, land=land))
    player.press("a a")
    assert player.turn.said.startswith("Selected: other players’ land that reaches the river.")
    marked = player.turn.marks
    assert marked
    player.press("b")
    assert set(player.turn.now.own()) == marked


def test_groups_without_parcels_are_passed_over() -> None:
    player = playing(state=land.roll(land.table({"a1": (0, "30"), "a2": (0, "30")}, (0, 500)), (0, 0)))
    player.press("space a")
    assert player.turn.said.startswith("Selected: all your land here")
    player.press("a a a")
    assert "Nothing selected." in player.prose()


@pytest.mark.parametrize("keys", ["b s", "space b s"])
def test_a_single_parcel_is_sold_after_a_question_that_names_it(keys: str) -> None:
    player = playing()
    player.press(keys)
    ((question, sell),) = player.ui.questions
    assert question == "m17 goes to the government for half its base price: 50K."
    assert player.ui.dangers == [False], "it can be undone"
    assert player.turn.now.cash == 400 * K
    sell()
    assert "Sold m17 for 50K." in player.text()


def test_everything_is_taken_back_step_by_step() -> None:
    player = playing()
    player.press("a b x 2 enter")
    assert len(player.turn.now.dealt) == 20
    player.press("u")
    assert len(player.turn.now.dealt) == 10
    player.press("u")
    assert player.turn.now.cash == 500 * K
    player.press("u")
    assert "Nothing to undo." in player.text()
    assert player.table.chosen == []


def test_what_is_forbidden_is_refused_with_its_rule() -> None:
    player = playing()
    player.press("s")
    assert "! You cannot sell m17: it is the government’s." in player.text()
    player.press("5 enter")
    assert "! You cannot price m17: it is the government’s." in player.text()
    player.press("esc right b")
    assert "! n17 is part of the river, which nobody can own." in player.text()
    player.press("up up b")
    assert "! n15 is outside the sector in play (5,4)." in player.text()
    player.press("space")
    assert "is outside the sector in play" in player.text()
    player.press("home enter")
    assert "b buys, s sells, p sets a price, d ends your turn." in player.text()
    player.press("1 0 0 0 b")
    assert "! A price is at most 999.00K, not 1000.00K." in player.text()


def test_a_price_is_set_in_a_place_of_its_own_and_left_again() -> None:
    player = playing()
    assert "Price of m17" not in player.text()
    player.press("b p")
    text = player.text()
    assert "Price of m17" in text
    assert "Tax 2K a turn. Others can buy at this price." in text
    assert "End turn d" not in text
    player.press("2 0 0")
    assert "Tax 4K a turn." in player.text()
    for no_price in ("0", "backspace backspace backspace backspace x"):
        player.press(no_price)
        assert "Price of m17" in player.text()
        assert "Tax " not in player.text(), "nobody can set that price"
    player.touch("Cancel Esc")
    assert "Price of m17" not in player.text()
    assert player.turn.now.land.price(player.map_parcel("m17")) == 10000


def test_the_arrows_beside_a_price_change_it_and_go_to_no_other_parcel() -> None:
    player = playing()
    player.press("b p right")
    text = player.text()
    assert "Price of m17" in text
    assert re.search(r"◂ +120\.00 +▸", text)
    assert "← → change" in text
    assert "Enter set" in text
    player.press("left left")
    assert re.search(r"◂ +90\.00 +▸", player.text())
    player.press("up up enter")
    assert player.turn.now.land.price(player.map_parcel("m17")) == 12000
    player.press("right")
    assert player.turn.cursor.parcel == player.map_parcel("n17")


def test_a_new_price_for_what_is_not_owned_is_refused_at_once() -> None:
    player = playing()
    player.press("p")
    assert "! You cannot price m17: it is the government’s." in player.text()
    assert "Price of" not in player.text()
    player.press("b p")
    assert "Price of m17" in player.text()


@pytest.mark.parametrize("key", ["p", "5", "+", "="])
def test_the_river_has_no_price(key: str) -> None:
    player = playing()
    player.press(f"right {key}")
    assert "! n17 is part of the river, which nobody can own." in player.text()
    assert "Price of" not in player.text()
    player.press("left")
    assert player.turn.cursor.parcel == player.map_parcel("m17")


def test_a_turn_begins_at_the_best_land_by_the_river_and_its_first_key_buys_it() -> None:
    player = playing()
    assert "m17: earns 10K, tax 2K a turn" in player.text()
    player.press("b")
    assert player.turn.now.own() == (player.map_parcel("m17"),)


def test_the_dice_roll_alone_and_any_key_shows_the_sector() -> None:
    player = playing(calm=False)
    player.press("b d")
    player.ui.time += 60
    while "ROLL" not in player.text():
        player.ui.time += 0.1
    text = player.text()
    assert "●" in text
    assert "column" in text
    assert "Buy b" not in text
    player.press("b")
    text = player.text()
    assert "Buy b" in text
    assert "●" not in text.partition("ben")[0].replace("●C", "")
    assert not player.turn.draft.begun


def test_what_the_balance_does_not_allow_is_left_out_and_said() -> None:
    player = playing(state=rich(130 * K))
    player.press("space down space b")
    assert len(player.turn.now.dealt) == 1
    assert "! Bought m17 for 100K. m18 costs 100.00K; you have" in player.text()
    assert player.turn.refusal == "Bought m17 for 100K. m18 costs 100.00K; you have 30K."
    player = playing(state=rich(130 * K))
    player.press("a b")
    assert player.turn.refusal == "Bought 4 parcels for 130K. m18 costs 100.00K; you have 0K.", "as the ledger says"


def test_below_zero_one_sells_or_is_asked_before_it_is_over() -> None:
    player = playing(state=rich(-2 * K), held=True)
    assert "DEBT" in player.text()
    player.press("b")
    assert "below zero you can only sell to the" in player.text()
    player.press("d")
    assert player.table.chosen == []
    ((question, be_out),) = player.ui.questions
    assert question.startswith("You have -2K.")
    assert player.ui.dangers == [True], "Enter keeps the player in the game"
    be_out()
    assert player.table.chosen == [()]
    assert "OUT" in player.text()
    assert "× bankrupt" in player.text()


def test_a_turn_without_deals_is_asked_about_once_a_game() -> None:
    player = playing(size=(120, 40))
    player.press("d")
    assert player.table.chosen == []
    assert player.text().count("You made no deals. Press d again to end your turn.") == 1
    assert "You will not be asked this again in this game." in player.text()
    player.press("left d")
    assert player.table.chosen == [()]
    player.press("d")
    assert player.table.chosen == [(), ()], "once a game is enough"
    assert "You made no deals." not in player.text()
    again = playing()
    again.press("d")
    assert again.table.chosen == [], "another game asks again"


def test_where_nothing_can_be_dealt_the_first_d_ends_the_turn_as_the_strip_says() -> None:
    player = playing(state=rich(0))
    assert "You cannot afford what reaches the river. d ends your turn." in player.text()
    player.press("d")
    assert player.table.chosen == [()]


def test_where_all_is_ones_own_the_first_d_ends_the_turn() -> None:
    state = rich()
    assert state.map is not None
    land = state.land
    for parcel in state.map.parcels(*ISLAND):
        land = land.priced(parcel, 0, K)
    player = playing(state=evolve(state, land=land))
    assert "Nothing to buy by the river. d ends your turn." in player.text()
    player.press("a")
    assert "parcels selected: sell or price them together." in player.text()
    player.press("esc d")
    assert player.table.chosen == [()]


def test_a_million_wins_at_the_end_of_the_turn() -> None:
    player = playing(state=rich(1001 * K), calm=False)
    player.ui.time += 10
    assert "You have a million: d ends your turn and wins." in player.text()
    player.press("d d")
    assert isinstance(player.table.state.ask(), Result)
    assert "THE END" in player.text()
    assert "You have won: you reached 1001K at the end of a turn." in player.text()
    assert player.screen.busy(player.ui.time)
    player.ui.time += LATE
    player.press("enter")
    assert not player.screen.busy(player.ui.time)


@pytest.mark.slow
def test_the_cursor_leaves_the_sector_to_look_around_and_comes_back() -> None:
    player = playing()
    player.press("left")
    text = player.text()
    assert "Sector 5,3" in text
    assert "in play: " in text
    player.press("home")
    assert "in play: " not in player.text()
    for _ in range(30):
        player.press("up left")
    assert "a1: not connected, tax 0.02K a turn" in player.text()


# -- a turn by the mouse -----------------------------------------------------------------------------------------------


def test_a_turn_is_played_by_clicks_alone() -> None:
    player = playing()
    player.click_parcel("m17")
    player.click_parcel("m17")
    assert not player.turn.marks
    player.click_parcel("m19")
    assert "m19 selected: buy it for 20K." in player.text()
    player.click_parcel("n19")
    assert "2 parcels selected: buy them together for 25K." in player.text()
    player.touch("Buy b")
    player.touch("Set price p")
    player.click_at(*player.place(("step", 1)))
    player.touch("Set price Enter")
    player.touch("End turn d")
    map = player.map_parcel
    assert player.table.chosen == [(("buy", map("m19"), 600), ("buy", map("n19"), 600))]


def test_every_digit_of_a_price_can_be_turned_by_clicks_and_by_the_wheel() -> None:
    player = playing()
    player.touch("Buy b")
    player.touch("Set price p")
    places = {digit: player.place(("digit", digit)) for digit in range(5)}
    player.click_at(*places[0])
    assert player.screen.wheel(("digit", 1), *places[1], 1)
    assert player.turn.entry.text == "99.91"
    for place, steps in ((2, -3), (3, 2), (4, -9)):
        assert player.screen.wheel(("digit", place), 0, 0, steps)
    assert player.turn.entry.text == "982.91"
    assert player.screen.wheel(("digit", 4), 0, 0, -1)
    assert player.turn.entry.text == "999.00"
    player.touch("Set price Enter")
    assert player.turn.now.land.price(player.map_parcel("m17")) == 99900


def test_the_wheel_over_the_map_changes_a_price_only_while_one_is_set() -> None:
    player = playing()
    player.touch("Buy b")
    assert not player.screen.wheel(("map",), 0, 0, -1)
    player.touch("Set price p")
    player.press("5")
    for action in (("map",), ("parcel", player.map_parcel("m17")), None):
        assert player.screen.wheel(action, 0, 0, -1)
    assert player.turn.entry.text == "10.00"


def test_a_click_on_the_map_looks_at_that_sector() -> None:
    player = playing()
    player.click_at(*player.place(("map",)))
    assert "Sector 1,1 in play: " in player.text()
    player.press("esc")
    assert "Sector 5,4" in player.text()


@pytest.mark.parametrize("size", first_is_quick(*SIZES))
def test_buttons_and_keys_of_the_last_row_can_be_clicked_at_every_size(size: tuple[int, int]) -> None:
    player = playing(size=size)
    player.touch("Buy b")
    player.touch("u undo")
    player.press("l")
    assert isinstance(player.ui.pushed[0], GameLog)
    player.touch("o overview")
    player.touch("t ledger")
    player.touch("End turn d")
    player.touch("End turn d")
    assert player.table.chosen == [()]


# -- the form ----------------------------------------------------------------------------------------------------------


def test_no_two_lines_of_the_menu_have_the_same_key() -> None:
    player = playing()
    player.press("b")
    keys = [item.key for item in menu(player.ui, player.screen).items]  # type: ignore[arg-type]
    assert {"l", "t", "n", "q", "r"} <= set(keys)
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


@pytest.mark.slow
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
