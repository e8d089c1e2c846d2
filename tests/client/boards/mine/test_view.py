"""The board of Diamond Mine: the field, its choices by keys and by clicks, and what it shows."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from kimberley.client.boards.mine.form_take import TakeForm
from kimberley.client.boards.mine.grid import towards
from kimberley.client.boards.mine.panel import panel_width
from kimberley.client.ui.palette import Depth
from kimberley.games.mine import GAME
from kimberley.games.mine.squares import name, square
from kimberley.games.table import evolve
from tests.support.board_snapshots import PORTRAIT_SIZE
from tests.support.effort import each_once
from tests.support.mine import BLUE, GREEN, PURPLE, RED, medium, move, position, shown, small
from tests.support.mine_player import Player, playing
from tests.support.mine_table import MineTable
from tests.support.touching import noting_cuts, too_small

PORTRAIT_SIZES = [PORTRAIT_SIZE, (45, 43), (60, 60), (79, 50)]
SIZES = [(80, 24), (81, 60), (100, 34), (120, 28), (120, 40), (140, 45), (200, 60)]
LOADED = position(
    4,
    veins="d6 b4 b6",
    inside={"b6": ()},
    pawns="d4 b7 g7 f1",
    carried={0: (small(GREEN), medium(GREEN))},
    stored={0: (medium(BLUE, 3), medium(PURPLE))},
    loose={"d5": small(PURPLE), "e3": small(BLUE, 3)},
)
MOVING = shown(LOADED, 2, 3, 1, 3)
EMPTY_HANDED = shown(position(2, veins="d6 b4", pawns="d4 g7", loose={"d5": medium(GREEN), "c5": small(PURPLE)}), 2, 1)


# -- the field ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
def test_every_square_has_a_place_of_its_own_and_can_be_touched(size: tuple[int, int]) -> None:
    player = Player(MineTable(state=MOVING), size)
    canvas = player.canvas()
    cells: set[tuple[int, int]] = set()
    for each in range(64):
        spot = player.spot(name(each))
        here = {(spot.x + x, spot.y + y) for x in range(spot.columns) for y in range(spot.rows)}
        assert not here & cells
        cells |= here
        assert all(canvas.touched(x, 2 + y) == ("square", each) for x, y in here)
    assert max(x for x, _ in cells) < size[0] - panel_width(size[0])
    assert max(y for _, y in cells) < size[1] - 6


@pytest.mark.parametrize(("size", "depth"), each_once(SIZES, Depth))
@pytest.mark.parametrize("ascii_only", [False, True])
def test_everything_is_told_apart_without_colors(size: tuple[int, int], depth: Depth, ascii_only: bool) -> None:
    player = Player(MineTable(state=MOVING), size)
    cross, medium_sign = ("x", "A") if ascii_only else ("×", "▲")

    def text(name: str) -> str:
        return "".join(player.at(name, depth, ascii_only))

    assert "?" in text("b4")
    assert cross * 3 in text("b6")
    assert ("A1" if ascii_only else "▲1") in text("d4")
    assert ("#2" if ascii_only else "■2") in text("b7")
    assert ("^p" if ascii_only else "▴p") in text("d5")
    assert medium_sign in text("d4").replace("A1", "").replace("▲1", "")
    assert "home" in text("h8")
    assert ("*" if ascii_only else "•") in text("b2")
    whole = "\n".join(player.canvas(depth, ascii_only).lines())
    assert whole.isascii() == ascii_only
    assert "carries" in whole


def test_arrows_lead_over_the_whole_field_and_stop_at_its_edges() -> None:
    assert towards(square("d4"), "up") == square("d5")
    assert towards(square("a1"), "left") == square("a1")
    assert towards(square("h8"), "up") == square("h8")
    assert towards(square("d4"), "right") == square("e4")


def test_what_all_have_carry_and_did_is_in_the_panel() -> None:
    player = playing(MOVING)
    text = player.text()
    assert re.search(r"▲1 ana +2 +▲g ▴g +4", text)
    assert re.search(r"you, red +moves", text)
    assert re.search(r"■2 ben +3 +nothing +0", text)
    assert "the end: 1 of 8 veins exhausted" in text
    assert "rounds without gems" not in text
    assert "your turn" in text


def test_rounds_without_gems_are_counted_before_they_end_the_game() -> None:
    text = playing(evolve(MOVING, quiet=12)).text()
    assert "or 30 rounds without gems: 12" in text


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
    assert "e5: a nest 4 steps from home" in player.text()
    assert player.table.chosen == []
    player.press("f h 7 enter")
    assert player.table.chosen == [square("h7")]


def test_how_far_a_nest_is_from_home_is_said_and_a_near_one_is_proposed() -> None:
    player = playing()
    player.press("h 6")
    assert "h6: a nest 7 steps from home" in player.text()
    for _ in range(4):
        player.press("enter")
    assert player.text().count("4 steps from home") == 1


def test_ones_own_quarter_is_hatched_while_nests_are_placed() -> None:
    player = playing()
    assert "//" in "".join(player.at("b2"))
    assert "/" not in "".join(player.at("f6"))


def test_nests_are_placed_by_clicks_the_second_of_them_counts() -> None:
    player = playing()
    player.click_squares("e5")
    assert "e5: a nest 4 steps from home" in player.text()
    assert player.table.chosen == []
    player.click_squares("e5")
    assert player.table.chosen == [square("e5")]
    player.click_squares("f6")
    player.touch("Place it Enter")
    assert player.table.chosen == [square("e5"), square("f6")]


def test_a_nest_in_ones_own_quarter_is_refused_with_the_rule() -> None:
    player = playing()
    player.click_squares("b2")
    assert "Place your nests outside your own quarter" in player.said()
    player.press("enter")
    assert player.table.chosen == []
    assert player.ground("b2") == "paper"
    player.click_squares("h8")
    assert "A nest cannot be placed on a home" in player.said()


# -- cards -------------------------------------------------------------------------------------------------------------


def test_a_card_is_raised_its_targets_are_lit_and_it_is_played_face_down() -> None:
    player = Player(MineTable(state=LOADED, slow=True))
    assert player.lit() == set()
    assert "1" in player.at("d5")[0]
    player.press("2")
    assert player.lit() >= {"d6", "b4", "d2", "f4", "b2"}
    assert "Card 2: Enter plays it face down." in player.text()
    player.press("enter")
    assert player.table.chosen == [(2, False)]
    assert "Your card 2 lies face down." in player.text()
    assert re.search(r"▲1 ana +2 ", player.text())
    assert not re.search(r"■2 ben +[123?] ", player.text())


@pytest.mark.parametrize("size", SIZES[:4])
def test_what_is_written_on_a_home_leaves_its_word_and_its_player_readable(size: tuple[int, int]) -> None:
    choosing, moving = position(2, pawns="b2 g7"), shown(position(2, pawns="c3 g7"), 2, 1)
    cards, way, lit = (Player(MineTable(state=state), size) for state in (choosing, moving, moving))
    way.click_squares("a1")
    for player, sign in ((cards, "1"), (way, "2"), (lit, "•")):
        rows = player.at("a1", Depth.NONE)
        assert "home" in "".join(rows), rows
        assert "▲1 " in "".join(rows), rows
        assert rows[-1].endswith(f" {sign}"), rows


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


def test_a_key_hides_the_card_from_a_neighbor() -> None:
    player = Player(MineTable(state=LOADED, slow=True))
    player.press("h 2")
    text = player.text()
    assert player.lit() == set()
    assert "▸2◂" not in text
    assert "Your card is chosen." in text
    player.press("enter")
    assert "Your card lies face down." in player.text()
    assert re.search(r"▲1 ana +\? ", player.text())
    player.press("h")
    assert "Your card 2 lies face down." in player.text()


def test_without_a_card_enter_says_what_is_missing() -> None:
    player = playing(LOADED)
    player.press("enter")
    assert "Choose a card first" in player.said()
    player.press("1 1 enter")
    assert player.table.chosen == []


def test_agreeing_to_end_is_asked_back() -> None:
    player = playing(LOADED)
    player.press("e")
    assert "You agree to end the game." in player.said()
    assert "Do not end the game" in [item.label for item in player.screen.menu()]
    player.press("2 enter")
    assert player.table.chosen == []
    ((question, agree),) = player.ui.questions
    assert "the game ends at once" in question
    agree()
    assert player.table.chosen[0] == (2, True)


def test_that_others_would_end_it_is_a_request_until_one_agrees() -> None:
    player = playing(evolve(LOADED, willing=(False, True, False, True)))
    (banner,) = player.screen.requests()
    assert banner.head == "ben and dmitri would end the game."
    player.press(*(button.key for button in banner.buttons))
    assert player.screen.requests() == ()
    assert "You agree to end the game." in player.said()


def test_a_second_click_on_a_card_plays_it() -> None:
    player = playing(LOADED)
    player.click(("card", 2))
    assert player.table.chosen == []
    player.click(("card", 2))
    assert player.table.chosen[0] == (2, False)


def test_after_some_quiet_rounds_it_says_how_to_end_the_game() -> None:
    assert "To end the game, press e." not in playing(evolve(LOADED, quiet=4)).text()
    assert "5 rounds without gems. To end the game, press e." in playing(evolve(LOADED, quiet=5)).lines()[1]


def test_where_all_agree_it_ends() -> None:
    player = playing(
        position(2, stored={0: (medium(RED), small(BLUE)), 1: (small(PURPLE),)}), others=lambda _: (1, True)
    )
    player.press("1 e enter")
    player.ui.questions[0][1]()
    text = player.text()
    assert "THE END" in text
    assert "You have won." in text
    assert re.search(r"ana +1st +nothing +5", text)
    assert "red 2×2 other 1" in text
    assert "purple 1×3" in text
    assert "do not count" in player.said()


# -- moving ------------------------------------------------------------------------------------------------------------


def test_tab_goes_from_target_to_target_and_enter_goes_there() -> None:
    player = playing(MOVING)
    assert player.lit() == {"d6", "f6", "f4", "f2", "d2", "b2", "b4"}
    player.press("tab")
    assert "To d6: Enter goes" in player.text()
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


@pytest.mark.parametrize(
    ("there", "said"),
    [
        ("e4", "A move goes 2 squares in a straight line"),
        ("b6", "The vein on b6 is exhausted and blocks the way"),
        ("d4", "Your pawn stands there: choose a lit square"),
    ],
)
def test_what_is_not_possible_is_said_with_its_rule(there: str, said: str) -> None:
    player = playing(MOVING)
    player.click_squares(there, there)
    assert said in player.said()
    assert player.table.chosen == []


def test_with_a_one_it_is_said_why_nothing_can_be_dropped() -> None:
    player = playing(evolve(MOVING, cards=(1, *MOVING.cards[1:])))
    player.press("tab tab")
    assert "with a 1 nothing can be dropped" in player.text()
    player.press("x")
    assert "With a 1 nothing can be dropped: you stop on the only square." in player.said()


def test_a_gem_is_dropped_by_keys() -> None:
    player = playing(MOVING)
    player.press("left left x")
    assert "c4 drop ▴g" in player.said()
    player.press("x")
    assert "c4 drop ▲g then you carry ▴g" in player.said()
    player.press("x")
    assert "drop ▲g then" not in player.said()
    player.press("x enter")
    assert player.table.chosen == [move("b4", dropped={"c4": small(GREEN)})]


def test_a_gem_is_dropped_and_another_picked_up_by_clicks() -> None:
    player = playing(EMPTY_HANDED)
    player.click_squares("d6")
    player.touch("▲g g")
    assert "d5 pick up ▲g" in player.said()
    player.touch(" ▲g ")
    assert "d5 drop ▲g" in player.said()
    player.touch("▸▲g◂ x")
    player.click_squares("d6")
    assert player.table.chosen == [move("d6", "d5")]
    assert re.search(r"ana +2 +▲g", player.text())


@pytest.mark.parametrize("size", PORTRAIT_SIZES)
def test_on_phones_of_all_sizes_nothing_is_cut_off_or_too_small(size: tuple[int, int]) -> None:
    player = Player(MineTable(state=MOVING), size)
    player.press("tab")
    with noting_cuts() as cut:
        canvas = player.canvas()
    assert not cut
    assert not too_small(canvas)
    assert {("square", each) for each in range(64)} <= {hit.action for hit in canvas.hits}


def test_on_a_phone_it_is_said_who_has_left() -> None:
    pawns = (MOVING.mine.pawns[0], None, *MOVING.mine.pawns[2:])
    gone = evolve(MOVING, present=(True, False, True, True), mine=replace(MOVING.mine, pawns=pawns))
    with noting_cuts() as cut:
        text = Player(MineTable(state=gone), PORTRAIT_SIZE).text()
    assert "has left" in text
    assert not cut


def test_on_a_phone_gems_are_buttons() -> None:
    player = Player(MineTable(state=EMPTY_HANDED), PORTRAIT_SIZE)
    player.click(("square", square("d6")))
    player.click("key:g")
    assert "d5 pick up ▲g" in player.text()
    player.click(("drop", medium(GREEN)))
    assert "d5 drop ▲g" in player.text()
    player.click("key:enter")
    assert player.table.chosen == [move("d6", "d5", {"d5": medium(GREEN)})]


def test_on_a_phone_a_touch_goes_on_to_the_next_square_of_the_way() -> None:
    state = shown(position(2, veins="h4", pawns="d4 g7", carried={0: (small(GREEN), small(PURPLE))}), 3, 1)
    player = Player(MineTable(state=state), PORTRAIT_SIZE)
    player.click(("square", square("a4")))
    player.click(("drop", small(GREEN)))
    player.touch("c4 ▸")
    player.click(("drop", small(PURPLE)))
    player.touch("Go")
    assert player.table.chosen == [move("a4", dropped={"c4": small(GREEN), "b4": small(PURPLE)})]


def test_a_second_touch_on_a_square_brings_back_what_can_be_chosen() -> None:
    player = Player(MineTable(state=LOADED), PORTRAIT_SIZE)
    player.click(("square", square("d6")))
    assert "d6: an unopened vein" in player.text()
    player.click(("square", square("d6")))
    assert "Where each card leads" in player.text()


def test_more_than_can_be_carried_is_not_picked_up() -> None:
    player = playing(MOVING)
    player.press("tab g")
    assert "A pawn carries 3 pips at most" in player.said()
    player.press("x")
    assert "A gem lies there already" in player.said()
    player.press("enter")
    assert player.table.chosen == [move("d6")]


def test_what_is_planned_is_taken_back() -> None:
    player = playing(MOVING)
    player.press("left left x u")
    assert "drop ▴g" not in player.said()
    assert "To b4" in player.text()
    player.press("esc")
    assert "go two squares in a straight line" in player.text()
    player.press("enter")
    assert "Choose where to go first" in player.said()


def test_three_squares_of_a_way_are_reached_by_their_figures_and_by_clicks() -> None:
    state = shown(position(2, veins="h4", pawns="d4 g7", carried={0: (small(GREEN), small(PURPLE))}), 3, 1)
    player = playing(state)
    player.click_squares("a4")
    player.press("1 x 2 x")
    assert "c4 drop ▴g b4 drop ▴p then you carry nothing" in player.said()
    player.click_squares("c4")
    player.press("x")
    # What is dropped on c4 now can not be dropped on b4 any more.
    assert "b4 drop" not in player.said()
    player.press("3")
    assert "not where you land" in player.said()
    player.touch("2 b4")
    player.press("enter")
    assert player.table.chosen == [move("a4", dropped={"c4": small(PURPLE)})]


def test_what_is_brought_home_is_counted_before_it_is_done() -> None:
    state = shown(position(2, pawns="b2 g7", carried={0: (small(GREEN), medium(PURPLE))}), 1, 1)
    player = playing(state)
    player.click_squares("a1")
    assert "At home you unload a medium purple and a small green: 7 points." in player.said()
    player.click_squares("a1")
    assert player.table.state.score(0) == 7
    assert re.search(r"ana +.*nothing +7", player.text())


# -- veins -------------------------------------------------------------------------------------------------------------


def opened() -> Player:
    player = playing(EMPTY_HANDED)
    player.click_squares("d6", "d6")
    return player


def test_a_vein_is_opened_and_its_gems_are_told_with_their_worth() -> None:
    player = opened()
    assert "The vein on d6: take what you can carry." in player.text()
    assert "In the vein on d6" in player.said()
    assert "▲r medium worth 4, own ×2" in player.said()
    assert "▴r small worth 2, own ×2" in player.said()
    assert "You carry nothing: room for a small and a medium." in player.said()
    player.press("enter")
    assert player.table.chosen[-1] == (0, 20)
    assert "×××" in "".join(player.at("d6"))


@pytest.mark.parametrize(("ascii_only", "mark"), [(False, "▸{}◂"), (True, ">{}<")])
def test_what_would_be_taken_is_marked_without_colors(ascii_only: bool, mark: str) -> None:
    player = opened()
    for offer in ("Ar ^r", "Ar", "^r"):
        said = offer if ascii_only else offer.replace("A", "▲").replace("^", "▴")
        row = player.canvas(Depth.NONE, ascii_only).lines()[-3]
        assert row.count(mark.format(said)) == 1, row
        assert row.count(mark[0]) == 1, row
        player.press("right")


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


def test_who_has_room_for_a_small_one_only_is_offered_no_other() -> None:
    state = shown(position(2, veins="d6", pawns="d4 g7", carried={0: (medium(GREEN),)}), 2, 1)
    player = playing(state)
    player.click_squares("d6", "d6")
    assert "You carry 2 of 3 pips (a small gem 1, a medium one 2): room for a small." in player.said()
    form = player.screen.form(player.ui.time)
    assert isinstance(form, TakeForm)
    assert form.offers == [(0,), ()]


# -- looking -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("there", "said"),
    [
        ("a1", "a1: your home It holds a medium blue and a medium purple, 4 points."),
        ("h8", "h8: carla’s home It holds nothing, 0 points."),
        ("d6", "d6: an unopened vein It holds a small and a medium gem."),
        ("b6", "b6: an exhausted vein It is empty, and blocks the way for the rest of the game."),
        ("e3", "e3: a loose small blue ▴b small worth 1 A pawn that enters this square may pick it up."),
        ("b7", "b7: a pawn ben’s pawn carries nothing."),
        ("c2", "c2: empty"),
    ],
)
def test_every_square_tells_what_is_there(there: str, said: str) -> None:
    player = playing(LOADED)
    player.click_squares(there)
    assert said in player.said()


def test_an_exhausted_vein_next_to_a_home_is_told_to_bar_nobody() -> None:
    player = playing(position(4, veins="b2", inside={"b2": ()}))
    assert "×××" not in "".join(player.at("b2"))
    assert "×" in "".join(player.at("b2"))
    player.click_squares("b2")
    assert "Next to a home it blocks nobody." in player.said()


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


# -- what happens is shown ---------------------------------------------------------------------------------------------


def test_what_happens_is_shown_step_by_step_and_enter_skips_it() -> None:
    player = Player(MineTable(state=MOVING), calm=False)
    player.click_squares("d6", "d6")
    seen: list[tuple[str, bool]] = []
    while "Enter show it at once" in (text := player.text()):
        now = text.splitlines()[1].strip().partition("   ")[0], "▲1" in "".join(player.at("d5"))
        seen += [now] if now not in seen else []
        due = player.screen.next_frame(player.ui.time)
        assert due is not None
        player.ui.time = due
    assert seen[:2] == [("MOVE  You go 2 to d6.", True), ("MOVE  You go 2 to d6.", False)]
    assert seen[2][0].startswith("VEIN  The vein on d6 holds a medium red and a small red.")
    assert seen[-1][0] == "MOVE  dmitri goes 3 to c4."
    player = Player(MineTable(state=EMPTY_HANDED), calm=False)
    player.click_squares("d6", "d6")
    assert "1 more to see" in player.text()
    assert not player.screen.key("tab")
    assert "Enter show it at once" in player.text()
    player.press("enter")
    assert "The vein on d6: take what you can carry." in player.text()


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


def test_the_end_stays_until_enter() -> None:
    player = Player(MineTable(state=position(2), others=lambda _: (1, True)), calm=False)
    player.press("1 e enter")
    player.ui.questions[0][1]()
    assert "The end: all agreed to end the game." in player.said()
    while (due := player.screen.next_frame(player.ui.time)) is not None:
        player.ui.time = due
    assert player.screen.busy(player.ui.time)
    assert "THE END" in player.text()
    player.press("enter")
    assert not player.screen.busy(player.ui.time)


def test_who_leaves_is_told_and_the_others_play_on() -> None:
    player = playing(LOADED)
    player.table.leave_seat(1)
    text = player.text()
    assert "has left" in text
    assert "■2" not in "".join(player.at("b7"))
    assert "you move 1st of 3" in text
    player.press("2 enter")
    assert player.table.chosen == [(2, False)]


def test_where_the_other_resigns_it_is_over_at_once() -> None:
    player = playing(position(2, stored={1: (medium(PURPLE),)}))
    peer = player.table.mine_peer
    peer.result, peer.asked = GAME.resignation_result(player.table.state, (1,)), None
    player.table.change(None)
    text = player.text()
    assert "THE END" in text
    assert "You have won." in text
    assert re.search(r"ben +2nd +nothing +6", text)
    assert not player.screen.key("1")


def test_help_follows_the_phase() -> None:
    assert playing().screen.help().sections[0].heading == "Nests"
    assert playing(LOADED).screen.help().sections[0].heading == "Cards"
    assert playing(MOVING).screen.help().sections[0].heading == "Moving"
    assert opened().screen.help().sections[0].heading == "Veins"
