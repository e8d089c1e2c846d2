"""What the board of Diamond Mine says: why, what comes of it, and what happened."""

from __future__ import annotations

import re

import pytest

from kimberley.client.boards.mine.form_take import TakeForm
from kimberley.client.boards.mine.square_info import LAST_VEIN
from kimberley.games.mine import GAME
from kimberley.games.table import evolve
from tests.support.mine import BLUE, GREEN, PURPLE, RED, medium, position, shown, small
from tests.support.mine_player import Player, playing
from tests.support.mine_positions import EMPTY_HANDED, LOADED, MOVING, opened
from tests.support.mine_table import MineTable


def test_rounds_without_gems_are_counted_before_they_end_the_game() -> None:
    text = playing(evolve(MOVING, quiet=12)).text()
    assert "12 of 30 rounds without gems" in text


def test_how_far_a_nest_is_from_home_is_said_and_a_near_one_is_proposed() -> None:
    player = playing()
    player.press("h 6")
    assert "h6: a nest 3 turns from home" in player.text()
    for _ in range(4):
        player.press("enter")
    assert player.text().count("2 turns from home") == 1


def test_without_a_card_enter_says_what_is_missing() -> None:
    player = playing(LOADED)
    player.press("enter")
    assert "Choose a card first" in player.said()
    player.press("1 esc enter")
    assert player.table.chosen == []
    player.press("1 1 enter")
    assert player.table.chosen[0] == (1, False), "the same number again leaves the card chosen"


def test_that_others_would_end_it_is_a_request_until_one_agrees() -> None:
    player = playing(evolve(LOADED, willing=(False, True, False, True)))
    (banner,) = player.screen.requests()
    assert banner.head == "ben and dmitri would like to end the game."
    player.press(*(button.key for button in banner.buttons))
    assert player.screen.requests() == (banner,), "the question is still open"
    player.ui.questions[0][1]()
    assert player.screen.requests() == ()
    assert "You agree to end the game: " in player.text()


def test_after_some_quiet_rounds_it_says_how_to_end_the_game() -> None:
    assert "agree to end the game" not in playing(evolve(LOADED, quiet=4)).text()
    assert "5 rounds without a gem: e agrees to end the game." in playing(evolve(LOADED, quiet=5)).lines()[1]


@pytest.mark.parametrize(
    ("there", "said"),
    [
        ("e4", "You must move 2 squares in a straight line"),
        ("b6", "The vein on b6 is exhausted and blocks the way"),
        ("d4", "Your pawn is already there: choose a lit square"),
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
    assert "you cannot drop with card 1" in player.text()
    player.press("x")
    assert "With card 1 you cannot drop: you enter only one square." in player.said()


def test_what_is_brought_home_is_counted_before_it_is_done() -> None:
    state = shown(position(2, pawns="b2 g7", carried={0: (small(GREEN), medium(PURPLE))}), 1, 1)
    player = playing(state)
    player.click_squares("a1")
    assert "At home you unload a medium purple gem and a small green one: 7 points." in player.said()
    player.click_squares("a1")
    assert player.table.state.score(0) == 7
    assert re.search(r"ana +.*nothing +7", player.text())


def test_of_a_pawn_that_comes_home_empty_handed_nothing_is_said_to_be_unloaded() -> None:
    player = playing(shown(position(2, pawns="b2 g7"), 1, 1))
    player.click_squares("a1")
    assert "a1: your home" in player.said()
    assert "unload" not in player.said()


def test_a_vein_is_opened_and_its_gems_are_told_with_their_worth() -> None:
    player = opened()
    assert "The vein on d6: take what you can carry." in player.text()
    assert "In the vein on d6" in player.said()
    assert "▲r medium worth 4, own ×2" in player.said()
    assert "▴r small worth 2, own ×2" in player.said()
    assert "You have room for a small and a medium gem." in player.said()
    player.press("enter")
    assert player.table.chosen[-1] == (0, 20)
    assert "×××" in "".join(player.at("d6"))


def before_the_last(points: dict[int, tuple[int, ...]]) -> Player:
    """Returns a pawn that has come to a vein with one gem, where the game ends with the next vein that is exhausted."""
    state = position(2, veins="d6", pawns="d4 g7", inside={"d6": (small(RED),)}, stored=points)
    inside = tuple(gems if nest in range(5) else () for nest, gems in enumerate(state.mine.inside))
    state = evolve(state, mine=evolve(state.mine, inside=inside))
    assert state.ends_with_next_vein
    player = playing(shown(state, 2, 1))
    player.click_squares("d6", "d6")
    return player


def test_the_last_vein_says_that_it_ends_the_game_and_is_emptied_only_on_purpose() -> None:
    player = before_the_last({1: (small(BLUE),)})
    assert "The vein on d6: take what you can carry." in player.text()
    assert "Taking it ends the game: gems still carried do not count, and ben would win." in player.said()
    assert "Pass Enter" in player.text()
    player.press("left")
    assert "VEIN  Taking it ends the game, and you do not win." in player.text()
    assert "Take Enter" in player.text()
    player = before_the_last({0: (medium(GREEN),), 1: (medium(PURPLE),)})
    player.press("enter")
    assert not player.table.state.ended


def test_the_last_vein_is_emptied_by_who_wins_with_it() -> None:
    player = before_the_last({0: (medium(GREEN),)})
    assert "Taking it ends the game, and you win." in player.text()
    assert "Taking it ends the game: gems still carried do not count, and you would win." in player.said()
    player.press("enter")
    assert player.table.state.ended


def test_every_vein_says_when_one_more_ends_the_game() -> None:
    state = position(2, veins="d6 c6", pawns="d4 g7", inside={"d6": (small(RED),)})
    player = playing(state)
    player.click_squares("d6")
    assert LAST_VEIN not in player.said()
    inside = tuple(gems if nest in range(5) else () for nest, gems in enumerate(state.mine.inside))
    player = playing(evolve(state, mine=evolve(state.mine, inside=inside)))
    for there in ("d6", "c6"):
        player.click_squares(there)
        assert LAST_VEIN in player.said()


def test_who_has_room_for_a_small_one_only_is_offered_no_other() -> None:
    state = shown(position(2, veins="d6", pawns="d4 g7", carried={0: (medium(GREEN),)}), 2, 1)
    player = playing(state)
    player.click_squares("d6", "d6")
    assert "You have room for a small gem." in player.said()
    form = player.screen.form(player.ui.time)
    assert isinstance(form, TakeForm)
    assert form.offers == [(0,), ()]


@pytest.mark.parametrize(
    ("there", "said"),
    [
        ("a1", "a1: your home It holds a medium blue gem and a medium purple one, 4 points."),
        ("h8", "h8: carla’s home It holds nothing."),
        ("d6", "d6: an unopened vein It holds a small and a medium gem."),
        ("b6", "b6: an exhausted vein Empty. It blocks the way for the rest of the game."),
        ("e3", "e3: a dropped small blue gem ▴b small worth 1 Not seen yet"),
        ("b7", "b7: a pawn ben’s pawn carries nothing."),
        ("c2", "c2: empty"),
    ],
)
def test_every_square_tells_what_is_there(there: str, said: str) -> None:
    player = playing(LOADED)
    player.click_squares(there)
    assert said in player.said()


def test_a_dropped_gem_can_be_picked_up_by_who_has_room_for_it() -> None:
    for carried, fits in (((), True), ((small(GREEN), medium(GREEN)), False)):
        player = playing(position(2, pawns="d4 g7", carried={0: carried}, loose={"e3": small(BLUE)}))
        player.click_squares("e3")
        assert ("Move onto it to pick it up." in player.said()) is fits


def test_an_exhausted_vein_next_to_a_home_is_told_to_bar_nobody() -> None:
    player = playing(position(4, veins="b2", inside={"b2": ()}))
    assert "×××" not in "".join(player.at("b2"))
    assert "×" in "".join(player.at("b2"))
    player.click_squares("b2")
    assert "Next to a home it blocks nobody." in player.said()


@pytest.mark.slow
def test_what_happens_is_shown_step_by_step_and_enter_skips_it() -> None:
    player = Player(MineTable(state=MOVING), calm=False)
    player.click_squares("d6", "d6")
    seen: list[tuple[str, bool]] = []
    while "Enter skip to the end" in (text := player.text()):
        now = text.splitlines()[1].strip().partition("   ")[0], "▲1" in "".join(player.at("d5"))
        seen += [now] if now not in seen else []
        due = player.screen.next_frame(player.ui.time)
        assert due is not None
        player.ui.time = due
    assert seen[:2] == [("MOVE  You move 2 squares to d6.", True), ("MOVE  You move 2 squares to d6.", False)]
    assert seen[2][0].startswith("VEIN  The vein on d6 holds a medium red gem and a small red one.")
    assert seen[-1][0] == "MOVE  dmitri moves 3 squares to c4."
    player = Player(MineTable(state=EMPTY_HANDED), calm=False)
    player.click_squares("d6", "d6")
    assert "1 more event" in player.text()
    assert not player.screen.key("tab")
    assert "Enter skip to the end" in player.text()
    player.press("enter")
    assert "The vein on d6: take what you can carry." in player.text()


def test_the_end_stays_until_enter() -> None:
    player = Player(MineTable(state=position(2), others=lambda _: (1, True)), calm=False)
    player.press("1 e")
    player.ui.questions[0][1]()
    player.press("enter")
    assert "The end: both players agreed to end the game." in player.said()
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
    assert "resigned" in text
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
