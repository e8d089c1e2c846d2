"""Diamond Mine by keys and by clicks: nests, cards, moves, gems."""

from __future__ import annotations

import re

import pytest

from kimberley.client.boards.mine.grid import towards
from kimberley.games.mine.squares import name, square
from tests.support.mine import BLUE, GREEN, PURPLE, RED, medium, move, position, shown, small
from tests.support.mine_player import Player, playing
from tests.support.mine_positions import EMPTY_HANDED, LOADED, MOVING, opened
from tests.support.mine_table import MineTable
from tests.support.overwritten import noting_overwritten


def test_arrows_lead_over_the_whole_field_and_stop_at_its_edges() -> None:
    assert towards(square("d4"), "up") == square("d5")
    assert towards(square("a1"), "left") == square("a1")
    assert towards(square("h8"), "up") == square("h8")
    assert towards(square("d4"), "right") == square("e4")


# -- placing nests -----------------------------------------------------------------------------------------------------


def test_nests_are_placed_by_keys() -> None:
    player = playing()
    assert "nest 1 of 10" in player.text()
    player.press("up right enter")
    assert len(player.table.chosen) == 1
    assert "?" in "".join(player.at(name(int(str(player.table.chosen[0])))))


def test_a_typed_name_leads_to_its_square() -> None:
    player = playing()
    player.press("e 5")
    assert "e5: a nest 2 turns from home" in player.text()
    assert player.table.chosen == []
    player.press("f h 7 enter")
    assert player.table.chosen == [square("h7")]


def test_nests_are_placed_by_clicks_the_second_of_them_counts() -> None:
    player = playing()
    player.click_squares("e5")
    assert "e5: a nest 2 turns from home" in player.text()
    assert player.table.chosen == []
    player.click_squares("e5")
    assert player.table.chosen == [square("e5")]
    player.click_squares("f6")
    player.touch("Place it Enter")
    assert player.table.chosen == [square("e5"), square("f6")]


def test_until_all_nests_are_placed_one_is_no_vein() -> None:
    player = playing()
    player.click_squares("e5", "e5")
    player.press("e 5")
    assert "e5: a nest" in player.text()
    assert "unopened vein" not in player.text()
    assert "Once all nests are placed, they become veins." in player.said()


def test_a_nest_in_ones_own_quarter_is_refused_with_the_rule() -> None:
    player = playing()
    player.click_squares("b2")
    assert "Place your nests outside your own quarter" in player.said()
    player.press("enter")
    assert player.table.chosen == []
    assert player.ground("b2") == "paper"
    player.click_squares("h8")
    assert "You cannot place a nest on a home" in player.said()


# -- cards -------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_card_is_raised_its_targets_are_lit_and_it_is_played_face_down() -> None:
    player = Player(MineTable(state=LOADED, slow=True))
    assert player.lit() == set()
    assert "1" in player.at("d5")[0]
    player.press("2")
    assert player.lit() >= {"d6", "b4", "d2", "f4", "b2"}
    assert "Card 2: Enter plays it face down." in player.text()
    player.press("enter")
    assert player.table.chosen == [(2, False)]
    assert "Card 2 is face down." in player.text()
    assert re.search(r"▲1 ana +2 ", player.text())
    assert not re.search(r"■2 ben +[123?] ", player.text())


def test_cards_by_the_mouse() -> None:
    player = playing(LOADED)
    player.card(3)
    player.touch("Play it Enter")
    assert player.table.chosen[0] == (3, False)
    player = playing(LOADED)
    player.card(3)
    player.card(2)
    assert player.table.chosen == []
    player.card(2)
    assert player.table.chosen[0] == (2, False)


@pytest.mark.slow
def test_a_key_hides_the_card_from_a_neighbor() -> None:
    player = Player(MineTable(state=LOADED, slow=True))
    player.press("h 2")
    text = player.text()
    assert player.lit() == set()
    assert "▸2◂" not in text
    assert "Your card is chosen." in text
    player.press("enter")
    assert "Your card is face down." in player.text()
    assert re.search(r"▲1 ana +\? ", player.text())
    player.press("h")
    assert "Card 2 is face down." in player.text()


def test_agreeing_to_end_is_asked_back() -> None:
    player = Player(MineTable(state=LOADED, slow=True))
    player.press("e")
    ((question, agree),) = player.ui.questions
    assert "the game ends at once" in question
    assert "You agree" not in player.text()
    agree()
    assert "You agree to end the game: " in player.text()
    assert "Keep playing" in [item.label for item in player.screen.menu()]
    player.press("2 enter")
    assert player.table.chosen[0] == (2, True)
    assert "Card 2 is face down; you agree to end." in player.text()


def test_whoever_does_not_agree_to_end_plays_on_and_is_asked_nothing() -> None:
    player = playing(LOADED)
    player.press("e 2 enter")
    assert len(player.ui.questions) == 1
    assert player.table.chosen[0] == (2, False)


def test_an_agreement_to_end_is_taken_back_before_the_card_is_played() -> None:
    player = playing(LOADED)
    player.press("e")
    player.ui.questions[0][1]()
    assert "You agree to end the game: choose a card." in player.lines()[1]
    player.press("e")
    assert "You agree" not in player.text()
    player.press("2 enter")
    assert player.table.chosen[0] == (2, False)


def test_a_second_click_on_a_card_plays_it() -> None:
    player = playing(LOADED)
    player.click(("card", 2))
    assert player.table.chosen == []
    player.click(("card", 2))
    assert player.table.chosen[0] == (2, False)


def test_where_all_agree_it_ends() -> None:
    player = playing(
        position(2, stored={0: (medium(RED), small(BLUE)), 1: (small(PURPLE),)}), others=lambda _: (1, True)
    )
    player.press("1 e")
    player.ui.questions[0][1]()
    player.press("enter")
    text = player.text()
    assert "THE END" in text
    assert "You have won." in text
    assert re.search(r"ana +1st +nothing +5", text)
    assert "red 2×2 other 1" in text
    assert "purple 1×3" in text
    assert "do not count" in player.said()


# -- moving ------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_tab_goes_from_target_to_target_and_enter_goes_there() -> None:
    player = playing(MOVING)
    assert player.lit() == {"d6", "f6", "f4", "f2", "d2", "b2", "b4"}
    player.press("tab")
    assert "To d6: Enter moves" in player.text()
    assert player.at("d5")[0].startswith("1")
    assert player.at("d6")[0].startswith("2")
    player.press("tab")
    assert "f6: empty" in player.text()
    assert not player.screen.key("w"), "letters look around only where arrows step through the game"
    player.press("s-tab enter")
    assert player.table.chosen == [move("d6")]


def test_arrows_and_clicks_go_too() -> None:
    player = playing(MOVING)
    player.press("right right enter")
    assert player.table.chosen == [move("f4")]
    player = playing(MOVING)
    player.click_squares("b2")
    assert player.table.chosen == []
    player.click_squares("b2")
    assert player.table.chosen == [move("b2")]
    player = playing(MOVING)
    player.click_squares("b2")
    player.touch("Go Enter")
    assert player.table.chosen == [move("b2")]


def test_a_gem_is_dropped_by_keys() -> None:
    player = playing(MOVING)
    player.press("left left x")
    assert "c4 drop ▴g" in player.said()
    player.press("x")
    assert "c4 drop ▲g you then carry ▴g" in player.said()
    player.press("x")
    assert "drop ▲g then" not in player.said()
    player.press("x enter")
    assert player.table.chosen == [move("b4", dropped={"c4": small(GREEN)})]


def test_what_can_be_done_on_the_way_is_said_with_its_keys() -> None:
    player = playing(MOVING)
    player.press("left left")
    assert "On c4 " in player.text()
    assert "x drops  ▴g " in player.text()
    player = playing(EMPTY_HANDED)
    player.click_squares("d6")
    assert "On d5 " in player.text()
    assert "g picks up  ▲g " in player.text()


def test_a_gem_is_dropped_and_another_picked_up_by_clicks() -> None:
    player = playing(EMPTY_HANDED)
    player.click_squares("d6")
    player.click("key:g")
    assert "d5 pick up ▲g" in player.said()
    player.touch(" ▲g ")
    assert "d5 drop ▲g" in player.said()
    player.touch("▸▲g◂")
    player.click_squares("d6")
    assert player.table.chosen == [move("d6", "d5")]
    assert re.search(r"ana +2 +▲g", player.text())


def test_more_than_can_be_carried_is_not_picked_up() -> None:
    player = playing(MOVING)
    player.press("tab g")
    assert "You have no room for this gem." in player.said(), "nothing can be dropped before it"
    player.press("x")
    assert "You cannot drop on d5: there is a gem." in player.said(), "it cannot be picked up first"
    player.press("enter")
    assert player.table.chosen == [move("d6")]


def test_who_can_carry_no_more_is_told_to_drop_something_first_where_that_is_possible() -> None:
    state = position(2, pawns="d4 g7", carried={0: (small(GREEN), medium(GREEN))}, loose={"d6": small(PURPLE)})
    player = playing(shown(state, 2, 1))
    player.click_squares("d6")
    player.press("g")
    assert "You can carry 3 pips: drop something first." in player.said()
    player.press("x")
    assert "Drop gems along the way, not where you land." in player.said(), "a gem can be dropped on d5"
    player.press("1 x g")
    assert "d6 pick up ▴p" in player.said()
    card_1 = playing(shown(position(2, pawns="d5 g7", carried={0: (medium(GREEN), small(GREEN))},
                                    loose={"d6": small(PURPLE)}), 1, 2))  # fmt: skip
    card_1.click_squares("d6")
    card_1.press("g")
    assert "You have no room for this gem." in card_1.said()


def test_the_keys_to_drop_and_to_pick_up_are_named_where_they_do_that() -> None:
    def named(player: Player, target: str) -> tuple[bool, bool]:
        player.click_squares(target)
        return "x drop" in player.lines()[-1], "g pick up" in player.lines()[-1]

    carries = position(2, pawns="d4 g7", carried={0: (small(GREEN),)}, loose={"f6": small(PURPLE)})
    assert named(playing(shown(carries, 2, 1)), "b4") == (True, False)
    assert named(playing(shown(carries, 2, 1)), "f6") == (False, True)
    empty = position(2, pawns="d4 g7", loose={"d5": medium(GREEN)})
    player = playing(shown(empty, 2, 1))
    assert named(player, "d6") == (False, True)
    player.press("g")
    assert "x drop" in player.lines()[-1], "what was picked up can be dropped there"


def test_what_is_planned_is_taken_back() -> None:
    player = playing(MOVING)
    player.press("left left x u")
    assert "drop ▴g" not in player.said()
    assert "To b4" in player.text()
    player.press("esc")
    assert "move two squares in a straight line" in player.text()
    player.press("enter")
    assert "First choose where to go" in player.said()


def test_three_squares_of_a_way_are_reached_by_their_figures_and_by_clicks() -> None:
    state = shown(position(2, veins="h4", pawns="d4 g7", carried={0: (small(GREEN), small(PURPLE))}), 3, 1)
    player = playing(state)
    player.click_squares("a4")
    player.press("1 x 2 x")
    assert "c4 drop ▴g b4 drop ▴p you then carry nothing" in player.said()
    player.click_squares("c4")
    player.press("x")
    # What is dropped on c4 now cannot be dropped on b4 any more.
    assert "b4 drop" not in player.said()
    player.press("3")
    assert "not where you land" in player.said()
    player.touch("2 for b4")
    player.press("enter")
    assert player.table.chosen == [move("a4", dropped={"c4": small(PURPLE)})]


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (120, 40)])
def test_the_figure_of_a_card_and_the_word_on_a_vein_are_both_whole(size: tuple[int, int]) -> None:
    state = position(2, veins="d6 b4", inside={"d6": (small(PURPLE),), "b4": ()}, pawns="d4 g7")
    player = Player(MineTable(0, state=state), size)
    with noting_overwritten() as overwritten:
        rows = " ".join(player.at("d6"))
    assert not overwritten
    assert "2" in rows
    assert ("open" in rows) == (size == (120, 40))


def test_less_can_be_taken_by_keys_and_by_clicks() -> None:
    player = opened()
    player.press("right enter")
    assert player.table.chosen[-1] == (20,)
    assert "open" not in "".join(player.at("d6"))
    player = opened()
    player.press("left")
    assert "Pass Enter" in player.text()
    player.touch(" ▴r ")
    player.touch("Take Enter")
    assert player.table.chosen[-1] == (0,)
    player = opened()
    player.touch(" none ")
    player.press("enter")
    assert player.table.chosen[-1] == ()


def test_while_others_act_one_can_look_around_but_not_act() -> None:
    player = Player(MineTable(1, state=LOADED, slow=True))
    player.press("1 enter")
    assert not player.screen.key("enter")
    assert not player.screen.key("2")
    player.click_squares("d6")
    assert "d6: an unopened vein" in player.text()
    player.press("up esc")
    assert "d7" not in player.said()
    assert player.table.chosen == [(1, False)]
    player.touch("carla")
    assert "carla’s pawn carries nothing" in player.said()


def test_a_player_who_pauses_goes_back_and_returns_to_an_untouched_form() -> None:
    player = Player(MineTable(state=EMPTY_HANDED), calm=False)
    player.click_squares("d6", "d6")
    player.press("space left right left")
    assert "behind" in player.text()
    assert "w a s d look" in player.text()
    player.click_squares("b4")
    assert "b4: an unopened vein" in player.text()
    player.press("d")
    assert "c4: empty" in player.text()
    player.press("end")
    assert "In the vein on d6" in player.text()
