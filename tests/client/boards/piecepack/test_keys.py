"""The piecepack game by keys and by clicks: exploring, actions, fights."""

from __future__ import annotations

import pytest

from kimberley.games.table import Plain
from tests.support.piecepack import named, table
from tests.support.piecepack_player import ROW, acting, at, beaten, placing

# -- exploring ---------------------------------------------------------------------------------------------------------


def test_the_tile_that_was_drawn_is_laid_by_keys() -> None:
    player = placing()
    assert "Place ♣4, a war zone, next to your pawn." in player.strip
    assert player.text().count("+") >= 7
    assert "Place it Enter" in player.panel
    assert "600 to win" in player.text()
    player.press("left", "enter")
    assert player.table.chosen == [(-1, -2)]
    assert "♣ 4" in player.text()


@pytest.mark.slow
def test_every_place_is_reached_by_the_arrows_and_by_clicks() -> None:
    places = set(placing().table.space.open())  # type: ignore[attr-defined]
    by_click = set()
    for number in range(len(places)):
        player = placing()
        player.click(("ghost", number))
        player.click(("ghost", number))
        by_click.add(player.table.chosen[0])
    assert by_click == places
    reached: set[Plain] = set()
    edge: list[tuple[str, ...]] = [()]
    while edge:
        way = edge.pop()
        player = placing()
        player.press(*way, "enter")
        if player.table.chosen[0] not in reached:
            reached.add(player.table.chosen[0])
            edge += [(*way, key) for key in ("left", "right", "up", "down")]
    assert reached == places


def test_the_first_click_only_chooses_a_place() -> None:
    player = placing()
    player.click(("ghost", 1))
    assert player.table.chosen == []
    assert "Click it again, or press Enter, to place it there." in player.strip
    player.press("enter")
    assert len(player.table.chosen) == 1


def test_all_the_ground_where_a_tile_may_lie_is_clicked_for_a_place() -> None:
    player = placing()
    canvas = player.canvas()
    cells = [(x, y) for y in range(2, 19) for x in range(56) if canvas.row(y)[1][x].bg == "ghost"]
    assert cells
    assert all(isinstance(action := canvas.touched(*cell), tuple) and action[0] == "ghost" for cell in cells)


def test_the_menu_opens_at_what_costs_nothing_and_then_at_the_end_of_the_turn() -> None:
    assert "▸ Step" in acting().text()
    player = acting(acted=1, stepped=True)
    assert "▸ End the turn" in player.text()
    player.press("d")
    assert player.table.chosen == [("end",)]


def test_the_digger_alone_is_offered_to_dig() -> None:
    assert "Dig for one ♦" not in acting().text()
    player = at(table(["H1", "", ""], "D3 C0", suits="PMC"))
    player.press("g")
    assert "As the digger, you mine one ♦ for free" in player.panel
    player.press("g")
    assert player.table.chosen == [("dig",)]
    assert "mine ♦" in player.said()


def test_the_turn_is_ended_by_asking_twice_while_something_costs_nothing() -> None:
    player = acting(acted=1)
    player.press("d")
    assert player.table.chosen == []
    assert "You can still step or jump; d again ends the turn." in player.strip
    player.touch("End the turn")
    assert player.table.chosen == [("end",)]


def test_who_clicks_is_asked_for_a_click_and_who_presses_a_key_for_that_key() -> None:
    player = acting(acted=1)
    player.touch("End the turn")
    assert "You can still step or jump; click again to end the turn." in player.strip
    digger = at(table(["H1", "", ""], "D3 C0", suits="PMC"))
    digger.press("g")
    assert "Dig for one ♦: g again, or Enter." in digger.strip
    digger.press("up")
    digger.touch("Dig for one")
    assert "Dig for one ♦: click it again, or Enter." in digger.strip


def test_deeds_are_chosen_by_arrows_and_by_clicks() -> None:
    player = acting()
    player.press("down", "enter")
    assert "TRAVEL" in player.strip
    player.press("u")
    player.touch("Travel with")
    assert "TRAVEL" in player.strip
    player.touch("Back Esc")
    assert " ACT " in player.strip


# -- steps and ways ----------------------------------------------------------------------------------------------------


def test_a_step_is_chosen_with_what_it_does_and_then_taken() -> None:
    player = acting("H1", "D1 S3 C0", pawns=(0, 1, 2))
    player.press("w")
    assert "Market: an action there trades 1 coin. ben is there." in player.panel
    player.press("enter")
    assert player.table.chosen == [("step", 1)]


def test_a_click_on_a_tile_beside_ones_own_chooses_it_and_a_second_one_goes() -> None:
    player = acting("H1", "M0 S3 D1", suits="MSC")
    player.click(("tile", 1))
    assert "STEP" in player.strip
    assert "Click it again, or press Enter, to go there." in player.strip
    assert player.table.chosen == []
    player.click(("tile", 1))
    assert player.table.chosen == [("step", 1)]


def test_a_tile_out_of_reach_is_shown_and_says_why_the_pawn_cannot_go_there() -> None:
    player = acting("H1", "M0 S3 D1", suits="MSC")
    player.press("w")
    player.click(("tile", 2))
    assert "Out of reach: you can only step to an adjacent tile." in player.strip
    assert "♦ A" in player.box
    player.press("esc")
    player.click(("tile", 0))
    assert "You are on that tile." in player.strip
    player.press("esc", "space")
    assert "There is no other tile to go to." in player.strip


def test_a_tile_that_is_clicked_after_the_step_of_a_turn_is_shown_and_says_why_none_is_possible() -> None:
    player = acting("H1", "M0 S3 D1", suits="MSC", acted=1, stepped=True)
    player.click(("tile", 1))
    assert "step" in player.strip
    assert "STEP" not in player.strip
    assert "☼ 3" in player.text()
    assert "LOOK" not in player.strip
    player.press("esc")
    assert "Do more, or end your turn." in player.strip


def test_a_tile_that_the_pawn_has_come_from_cannot_be_gone_to_again() -> None:
    player = acting("S3 H1", "M0 S2 D2 D3 D4", suits="MSC")
    player.press("t", "enter", "d")
    assert "Move at least one tile first." in player.strip
    player.press("enter")
    player.click(("tile", 0))
    assert "You cannot enter a tile twice in one move." in player.strip


def test_the_jumper_is_offered_tiles_behind_others() -> None:
    player = acting("H1", "D1 C5 D3")
    player.press("w", "right", "right")
    assert "Jump over ♣5, a war zone. Mine" in player.panel
    player.touch("Jump there Enter")
    assert player.table.chosen == [("jump", 1, 2)]


@pytest.mark.parametrize(
    ("hand", "field", "asks"),
    [
        ("P1 M2", "D1 C4", "you lose 2 coins"),
        ("H1 M2", "D1 C4", "less the hearts you spend; you lose a coin for each point not blocked"),
        ("C1", "D1 H4", "Your only ♣ goes into the bag"),
        ("C1 C2", "D1 H4", "Your 2 ♣ go into the bag"),
        ("D0 D5", "D1 C0", "for 0"),
    ],
)
def test_what_harms_is_asked_back(hand: str, field: str, asks: str) -> None:
    player = acting(hand, field, suits="MSC")
    player.press("w", "enter")
    assert player.table.chosen == []
    assert asks in player.ui.questions[0][0]
    assert player.ui.dangers == [True], "Enter keeps the coins"
    player.answer()
    assert player.table.chosen == [("step", 1)]


def test_suns_carry_from_tile_to_tile_until_one_stops() -> None:
    player = acting("S3 H1", "M0 S2 D2 D3 D4", suits="MSC")
    player.press("t")
    assert "☼ 3: move up to 3 tiles" in player.panel
    player.press("enter")
    assert "Go up to 3 tiles: choose the first." in player.strip
    assert "Stop here" not in player.text()
    player.press("enter")
    assert "2 tiles left:" in player.strip
    player.click(("tile", 2))
    player.click(("tile", 2))
    player.touch("Stop here d")
    assert player.table.chosen[1:] == [("step", 1), ("step", 2), ("stop",)]


def test_a_way_can_be_stopped_beside_a_war_zone_that_takes_many_words() -> None:
    player = acting("S3 H1", "M0 S2 C5 D3", suits="MSC", pawns=(0, 2, 2))
    player.press("t", "enter", "enter")
    assert "attacks for 5, less the hearts you spend" in player.panel
    assert "ben and carla are there" in player.panel
    player.touch("Go there Enter")
    player.ui.questions.clear()
    player.touch("Stop here d")
    assert player.table.chosen[1:] == [("step", 1), ("stop",)]


def test_a_far_tile_is_looked_at_on_the_way_without_buttons_that_lead_elsewhere() -> None:
    player = acting("S3 H1", "M0 S2 D2 D3 D4", suits="MSC")
    player.press("t", "enter")
    player.click(("tile", 3))
    assert "Out of reach: go to one adjacent tile at a time." in player.strip
    assert "♦ 3" in player.box
    assert "Go there" not in player.text()
    player.touch("Back Esc")
    assert "Go there" in player.text()


# -- coins -------------------------------------------------------------------------------------------------------------


def test_coins_are_lifted_by_keys_and_put_down_again() -> None:
    state = table(["P2 P3 H1", "", ""], "D3 C0")
    player = at(state)
    player.press("k")
    assert "Choose a coin first." in player.panel
    player.press("enter")
    assert "Choose coins with Space first." in player.strip
    player.press("space", "right", "up")
    assert "♠ 3 + 2 = 5: you mine 3 ♦" in player.panel
    player.press("down", "enter")
    assert player.table.chosen == [("spade", named(state, "P2"))]


def test_coins_are_lifted_by_clicks_and_the_wrong_ones_refused() -> None:
    state = table(["P2 P3 H1", "", ""], "D3 C0")
    player = at(state)
    player.touch("Mine with")
    player.click(("card", 0))
    assert "You can spend only ♠ coins on that." in player.strip
    player.click(("card", 2))
    player.touch("Mine Enter")
    assert player.table.chosen == [("spade", named(state, "P3"))]


def test_moons_draw_and_the_thug_is_stronger() -> None:
    player = at(table(["M3 C2", "H1 D1", ""], "D3 C0", suits="CMS"))
    player.press("r")
    assert "☾ 3: you draw 3 coins (" in player.panel
    player.press("esc", "b")
    assert "♣ 2: attack 3, 1 more as the thug; steal up to 2 coins from ben, who has 2" in player.panel


def test_a_market_takes_no_diamonds_and_no_more_than_its_value() -> None:
    state = table(["D2 H1 H2 P3", "", ""], "S2 C0", suits="MSC")
    player = at(state)
    player.press("x", "a")
    assert "2 coins into the bag, 3 out, 1 more as the scrounger." in player.panel
    player.click(("card", 0))
    assert "Markets take no diamonds." in player.strip
    player.click(("card", 3))
    assert "Choose at most 2 coins." in player.strip
    player.press("enter")
    assert player.table.chosen == [("market", named(state, "H1", "H2"))]


def test_the_scroungers_extra_coin_says_why_it_is_drawn() -> None:
    player = acting("D1", "M2 C0", suits="MSC")
    player.press("o", "enter")
    assert player.said() == "You draw ☼4 as the scrounger."
    player.press("tab", "tab")
    assert "as the scrounger." in " ".join(player.panel.split())


def test_the_oasis_gives_a_heart() -> None:
    player = acting("D1", "M2 C0")
    player.press("o", "enter")
    assert player.table.chosen == [("oasis",)]
    assert "♥" in player.said()


def test_coins_that_are_worth_nothing_are_asked_back() -> None:
    player = acting("S0 H1", "D1 C0")
    player.press("t", "enter")
    assert "worth nothing" in player.ui.questions[0][0]
    assert player.ui.dangers == [True], "Enter keeps the coins"
    player.answer()
    assert player.table.chosen[0][0] == "sun"


# -- attacks -----------------------------------------------------------------------------------------------------------


def test_a_beating_ends_with_a_theft_of_backs() -> None:
    state = table(["C2", "D3 P1 M4", "M2 S1"], "D1 C0", suits="SMC")
    player = at(state)
    player.press("b", "o")
    assert "Beat carla with your only" in player.strip
    player.press("o", "enter")
    assert "Steal up to 2 coins from ben" in player.text()
    assert player.text().count("?") == 3
    player.press("enter")
    assert "Choose coins with Space; n chooses none." in player.strip
    player.press("space")
    player.click(("card", 2))
    assert "2 of 2 chosen." in player.text()
    player.click(("card", 1))
    assert "Choose at most 2 coins." in player.strip
    player.touch("Steal Enter")
    assert player.table.chosen[-1] == named(state, "M4", "P1")
    assert "You steal ☾4 ♠A from ben." in player.said()


def test_a_click_on_ones_own_hand_steals_nothing() -> None:
    state = table(["C3 C2 H1", "S1 M2 H3", ""], "D1 C0")
    player = at(state, replies=(("club", 1, named(state, "C3")), ()))
    player.press("b", "space", "enter")
    assert "STEAL" in player.strip
    before = player.box
    player.click(("own", 0))
    assert "That coin is your own." in player.strip
    assert player.box == before


@pytest.mark.slow
def test_a_click_on_ones_own_hand_opens_what_its_suit_does_or_says_what_it_is_for() -> None:
    player = acting("S2 C3 H1 D2")
    for number, said in enumerate(
        ("TRAVEL", "BEAT", "♦ are sold when you enter a black market.",
         "♥ defend you when you are attacked."),
    ):  # fmt: skip
        player.click(("own", number))
        assert said in player.strip
        if number < 2:
            player.press("esc")
    player.press("w")
    player.click(("own", 0))
    assert "First choose a tile." in player.strip
    player = placing()
    player.click(("own", 0))
    assert "First place the tile." in player.strip


def test_stealing_nothing_is_asked_back() -> None:
    player = at(table(["C2", "D3", ""], "D1 C0"))
    player.press("b", "enter", "n")
    assert player.table.chosen[1:] == []
    player.answer()
    assert player.table.chosen[1:] == [()]


def test_who_is_beaten_is_asked_for_hearts() -> None:
    player = beaten()
    text = player.box
    assert "DEFEND!" in player.strip
    assert "ben attacks you!" in text
    assert "ben attacks for 4 and can steal up to 3 coins" in text
    assert "An attack of 4 remains: you can lose 3 coins." in text
    player.press("space", "right", "space")
    assert "An attack of 0 remains: you lose nothing." in player.text()
    player.press("enter")
    assert len(player.table.chosen[0]) == 2


@pytest.mark.parametrize(
    ("hand", "field", "keys", "title"),
    [("C2", "D1 C0", "b enter n", "Steal nothing?"), ("H1", "M0 P2", "w enter n", "Peek at nothing?")],
)
def test_who_chooses_no_coin_is_asked_in_good_english(
    monkeypatch: pytest.MonkeyPatch, hand: str, field: str, keys: str, title: str
) -> None:
    player, asked = at(table([hand, "D3", ""], field)), list[str]()
    monkeypatch.setattr(player.ui, "confirm", lambda title, *_, **_more: asked.append(title))
    player.press(keys)
    assert asked == [title]


@pytest.mark.slow
def test_hearts_are_chosen_by_clicks() -> None:
    player = beaten()
    player.touch("Defend Enter")
    assert "Choose hearts with Space; n spends none." in player.strip
    player.click(("card", 0))
    assert "Only hearts defend you." in player.strip
    player.click(("card", 2))
    player.touch("Defend Enter")
    assert len(player.table.chosen[0]) == 1


def test_where_one_coin_may_be_chosen_enter_chooses_the_one_that_keys_are_at() -> None:
    state = table(["H1", "D3 P4", "M2"], "M0 P1", suits="MSC", pawns=(0, 0, 0))
    spy = at(state)
    spy.press("w", "enter")
    assert "Peek at 1 coin or none" in spy.box
    spy.press("right", "enter")
    assert spy.table.chosen[-1] == named(state, "P4")
    mine = table(["P3 H1", "", ""], "D3 C0")
    miner = at(mine)
    miner.press("k", "enter")
    assert miner.table.chosen == [("spade", named(mine, "P3"))]
    alone = beaten("H3 D2")
    alone.press("enter")
    assert len(alone.table.chosen[0]) == 1


def test_no_heart_may_be_spent_and_the_loss_is_told() -> None:
    player = beaten()
    player.touch("Spend none n")
    assert player.table.chosen == [()]


def test_the_tough_guys_hearts_are_stronger_against_warlords() -> None:
    player = beaten(suits="HMC")
    assert "You are the tough guy: each heart is worth one more." in player.box
    player.press("space")
    assert "An attack of 2 remains" in player.text()


def test_a_war_zone_asks_for_hearts_too() -> None:
    player = acting("H2 D1 D2", "M0 C4", suits="MSC")
    player.press("w", "enter")
    player.answer()
    assert "A war zone!" in player.text()
    assert "It attacks you for 4: you can lose all your coins." in player.box
    player.press("n")
    assert player.said().startswith("You lose ")


@pytest.mark.parametrize(
    ("hand", "said"),
    [("H2 D1 D2 D3 D4 D5", "you can lose 4 random coins."), ("H2", "you can lose your only coin.")],
)
def test_a_war_zone_takes_no_more_than_there_is(hand: str, said: str) -> None:
    player = acting(hand, "M0 C4", suits="MSC")
    player.press("w", "enter")
    player.answer()
    assert f"It attacks you for 4: {said}" in player.box
    assert "You hold 1 heart. Spending it reduces the attack by its value." in " ".join(player.box.split())
    assert "remains: you lose" in player.box, "nobody may leave it at less"


def test_while_others_choose_nothing_can_be_chosen() -> None:
    player = at(table(["S3", "", ""], ROW, turn=1), slow=True)
    assert "ben" in player.strip
    assert not player.screen.key("w")
    assert not player.screen.key("enter")
    player.click(("tile", 1))
    assert player.table.chosen == []
