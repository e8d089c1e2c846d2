"""The board of Diamond: games by keys, by clicks and by typing."""

from __future__ import annotations

from itertools import product

import pytest

from kimberley.client.boards.diamond.tiling import tiling
from kimberley.client.boards.playback import LATE
from kimberley.client.ui.palette import Depth
from kimberley.games.diamond.board import NAMED, NAMES
from kimberley.games.diamond.position import WHITE, Position
from kimberley.games.diamond.rules import State
from kimberley.games.table import Result
from tests.support.diamond import at, moving, placing
from tests.support.diamond_player import CAPTURE, SIZES, Player, board, moved, playing
from tests.support.diamond_table import DiamondTable
from tests.support.effort import spread


def test_pieces_are_placed_by_clicks_by_keys_and_by_typing() -> None:
    player = playing(replies="e5 e6 e7")
    assert "You are Black: choose an open point." in player.text()
    player.click_points("c4", "c4")
    player.press("enter up enter")
    player.type("G2")
    assert player.table.chosen[0] == "c4"
    assert player.table.chosen[2] == "g2"
    assert len(player.table.chosen) == 3


def test_a_click_that_would_end_the_turn_only_asks_and_a_second_one_ends_it() -> None:
    player = playing(replies="e5")
    player.click_points("c4")
    assert "Place on c4? Click again, or Enter." in player.text()
    assert player.cell("c4")[0] == "■"
    player.click_points("d4")
    assert "Place on d4?" in player.text()
    player.press("esc")
    assert "You are Black: choose an open point." in player.text()
    assert player.cell("d4")[0] == "•"
    assert player.table.chosen == []
    player.click_points("d4")
    player.press("enter")
    assert player.table.chosen == ["d4"]


def test_a_click_beside_a_point_means_the_point() -> None:
    player = playing()
    x, y = player.place(("point", NAMED["d4"]))
    assert (x, y + 1) != tiling(*board(player.size)).at[NAMED["d4"]]
    player.click_at(x, y)
    assert "Place on d4?" in player.text()


def test_the_keyboard_alone_reaches_and_places() -> None:
    player = playing()
    player.press("up down left right right enter")
    assert len(player.table.chosen) == 1


def test_white_is_offered_the_swap_and_goes_on_as_black() -> None:
    player = playing(seat=1, replies="d4 e5")
    assert "SWAP?" in player.text()
    player.touch("Swap sides s")
    assert "Swap and play Black? Press s again, or Enter." in player.text()
    assert player.table.chosen == []
    player.touch("Swap sides s")
    assert player.table.chosen == ["swap"]
    assert "You are Black" in player.text()


def test_who_begins_by_chance_is_told_once_and_in_a_rematch_nobody_is() -> None:
    assert playing().ui.toasts == ["You begin: drawn at random."]
    assert playing(seat=1).ui.toasts == ["ana begins: drawn at random."]
    later = playing()
    later.type("d4")
    assert len(later.ui.toasts) == 1
    again = Player(later.table)
    assert again.ui.toasts == [], "the game goes on after a resume"
    assert Player(DiamondTable(state=State(first=0))).ui.toasts == [], "the game before has decided it"


def test_who_has_lost_the_first_piece_to_a_swap_reads_so() -> None:
    player = playing(seat=0, replies="swap e5")
    player.type("d4")
    assert "ben swapped and has your piece. You are White." in player.lines()[1]
    player.type("e4")
    assert "swapped" not in player.lines()[1]


def test_the_swap_is_asked_for_by_one_key_and_made_by_the_next() -> None:
    for key in ("s", "enter"):
        player = playing(seat=1, replies="d4")
        player.press("s", key)
        assert player.table.chosen == ["swap"]


@pytest.mark.parametrize("instead", ["esc", "u", "up"])
def test_a_swap_that_is_only_asked_for_is_forgotten_by_another_key(instead: str) -> None:
    player = playing(seat=1, replies="d4")
    player.press("s", instead)
    assert "Swap with s, or place " in player.text()
    player.press("s")
    assert player.table.chosen == []


def test_a_turn_that_is_pasted_after_the_question_of_the_swap_is_played_instead() -> None:
    player = playing(seat=1, replies="d4")
    player.press("s")
    assert player.screen.paste("e5")
    assert "Swap with s, or place " in player.text()
    player.press("enter")
    assert player.table.chosen == ["e5"]


def test_a_click_on_a_point_after_the_question_of_the_swap_asks_for_that_point() -> None:
    player = playing(seat=1, replies="d4")
    player.press("s")
    player.click_points("e5")
    assert "Place on e5? Click again, or Enter." in player.text()
    player.click_points("e5")
    assert player.table.chosen == ["e5"]


@pytest.mark.parametrize(
    ("position", "clicks", "says"),
    [
        (placing("b1 c1 c2", "h8 g8 f8"), "b2", "Place on b2 and win? Click again, or Enter."),
        (placing("b1 c1 c2", "h8 g8 f8"), "e5", "Place on e5? Click again, or Enter."),
        (moving("b1 c1 c2 a2", "h8 g8 f8"), "a2 b2", "Move a2 to b2 and win? Click again, or Enter."),
    ],
)
def test_before_a_turn_that_wins_the_question_says_so(position: Position, clicks: str, says: str) -> None:
    player = moved(at(position))
    for point in clicks.split():
        player.click_points(point)
    assert says in player.text()


def test_a_piece_is_picked_and_its_targets_and_captures_are_shown_and_explained() -> None:
    player = moved(at(CAPTURE))
    player.click_points("c6")
    text = player.text()
    assert "c6 selected: choose a point, or Esc." in text
    assert "b6  captures a6" in text
    assert "a5 and b6 corner a6" in text
    assert player.cell("c6")[1] == "ice"
    assert player.cell("b6") == ("×", "alarm")
    assert player.cell("c7")[1] == "ok"
    player.click_points("b6")
    assert "c6-b6 captures a6? Click again, or Enter." in player.text()
    player.click_points("b6")
    assert player.table.chosen == ["c6-b6*"]
    assert player.cell("a6") == ("◆", "alarm")


def test_a_picked_piece_that_cannot_move_is_said_to_be_stuck() -> None:
    player = moved(at(moving("h2 c5", "g1 g2 h3")))
    player.click_points("h2")
    assert "h2 cannot move: choose another piece." in player.text()


def test_two_cornered_at_once_are_said_to_be_safe() -> None:
    player = moved(at(moving("d5 f4", "d4 e5")))
    player.click_points("f4")
    assert "captures none" in player.text()
    assert "e4 corners d4 and e5" in player.panel()


def test_a_picked_piece_is_put_back_or_exchanged_for_another() -> None:
    player = moved(at(CAPTURE))
    for key in ("u", "esc"):
        player.click_points("c6")
        player.press(key)
        assert "choose a piece to move" in player.text()
    player.click_points("c6", "c6")
    assert "choose a piece to move" in player.text()
    player.click_points("c6", "a5")
    assert "a5 selected" in player.text()
    assert player.table.chosen == []


def test_a_neutral_piece_that_stands_alone_is_removed() -> None:
    player = moved(at(CAPTURE))
    assert player.cell("d3") == ("◆", "ok")
    player.click_points("d3")
    assert "Remove d3? Click again, or Enter." in player.text()
    player.click_points("d3")
    assert player.table.chosen == ["(d3)"]


def test_before_enter_removes_a_piece_the_sentence_says_so() -> None:
    player = moved(at(CAPTURE))
    player.press("down")
    assert "Remove d3? Enter." in player.text()
    player.press("enter")
    assert player.table.chosen == ["(d3)"]


@pytest.mark.parametrize(
    ("clicks", "said"),
    [
        (("e5",), "The piece on e5 is not"),
        (("e4",), "Choose a piece first"),
        (("c6", "h2"), "No line joins c6 and h2"),
        (("c6", "c5"), "c5 selected"),
    ],
)
def test_what_is_not_possible_is_said_with_its_rule(clicks: tuple[str, ...], said: str) -> None:
    player = moved(at(CAPTURE))
    player.click_points(*clicks)
    assert said in player.text()
    assert player.table.chosen == []


def test_a_draw_is_offered_along_with_a_move() -> None:
    player = playing(replies="e5 e6")
    player.press("=")
    assert "Your next move will" in player.text()
    player.click_points("d4", "d4")
    player.press("= =")
    player.click_points("d3", "d3")
    assert player.table.chosen == ["d4 =", "d3"]


def test_a_pending_draw_is_shown_and_its_refusal_told_to_the_one_who_offered() -> None:
    player = playing()
    player.press("= d 4 enter")
    (request,) = player.screen.requests()
    assert (request.head, request.buttons) == ("You offered a draw.", ())
    assert request.text == "ben can accept, or decline by playing on."
    player.table.apply("e5")
    assert player.ui.toasts[1:] == ["ben declines the draw and places a piece on e5."]
    assert "ben declines the draw" in player.text()
    assert player.screen.requests() == ()


def test_a_draw_that_is_offered_is_taken_after_asking_back() -> None:
    player = playing(replies="e5~=")
    player.press("d 4 enter")
    assert "ben offers a draw" in player.text()
    assert "Accept draw =" in player.text()
    (request,) = player.screen.requests()
    assert (request.head, [button.key for button in request.buttons]) == ("ben offers a draw.", ["="])
    player.press("=")
    ((question, take),) = player.ui.questions
    assert question == "ben offers a draw. Accept?"
    take()
    assert player.table.chosen == ["d4", "="]
    assert "You agreed to a draw." in player.text()
    assert player.screen.requests() == ()


def test_while_the_other_side_moves_nothing_can_be_done() -> None:
    player = playing(seat=1)
    assert "Black to place." in player.text()
    assert "ana" in player.text().splitlines()[1]
    shown = player.text()
    player.screen.key("d")
    assert player.text() == shown
    assert not player.screen.click(("point", 3), 0, 0, "left")


def test_the_end_is_shown_until_enter_and_the_square_with_it() -> None:
    player = Player(DiamondTable(0, state=at(placing("c4 c5 d4", "a1 a2 a3"))), calm=False)
    player.click_points("d5", "d5")
    assert isinstance(player.table.state.ask(), Result)
    assert "Black completed the square c4 c5 d4 d5." in player.text()
    at_the_end = player.screen.shown_at(player.ui.time + 3600)
    assert player.screen.view.strip(at_the_end, 40) == ("THE END", "You win."), "whole sentences"
    assert player.cell("c4")[1] == "ice"
    assert player.screen.busy(player.ui.time)
    assert player.screen.next_frame(player.ui.time) == player.ui.time + LATE
    player.ui.time += LATE
    assert player.screen.key("enter")
    assert not player.screen.busy(player.ui.time)


def test_the_last_move_is_gold_from_where_it_came() -> None:
    player = moved(at(moving("d4 a1", "h8 g5", turn=WHITE)), seat=1)
    player.click_points("h8", "h7", "h7")
    canvas = player.canvas()
    x, y = tiling(*board(player.size)).at[NAMED["h8"]]
    assert canvas.cell(x, y + 2).char == "○"
    assert canvas.cell(x, y + 2).style.fg == "money"
    assert player.cell("h7")[1] == "piece_moved"


@pytest.mark.parametrize(("size", "depth"), spread(4, product(SIZES, Depth)))
def test_every_piece_and_point_is_told_apart_at_every_size_and_depth(size: tuple[int, int], depth: Depth) -> None:
    player = Player(DiamondTable(0, state=at(CAPTURE)), size)
    player.click_points("c6")
    for ascii_only in (False, True):
        canvas = player.canvas(depth, ascii_only)
        signs = {name: canvas.cell(x, y + 2).char for name, (x, y) in zip(NAMES, tiling(*board(player.size)).at,
                                                                           strict=True)}  # fmt: skip
        white, black, neutral, empty, capture = ("o", "#", "*", "*", "x") if ascii_only else ("○", "■", "◆", "•", "×")
        assert {signs[name] for name in ("a6", "h8", "e5")} == {white}
        assert {signs[name] for name in ("c6", "a5", "c5")} == {black}
        assert (signs["d3"], signs["h2"], signs["b6"]) == (neutral, empty, capture)
        text = "\n".join(canvas.lines())
        assert ("<*>" if ascii_only else "<◆>") in text
        assert text.isascii() == ascii_only


def test_help_follows_the_phase() -> None:
    placing_help = [section.heading for section in playing().screen.help().sections]
    assert placing_help[0] == "Placing"
    assert {"Moving", "Captures"} <= set(placing_help)
    assert moved(at(CAPTURE)).screen.help().sections[0].heading == "Moving"
    swapping = [section.heading for section in playing(seat=1, replies="d4").screen.help().sections]
    assert "The swap" in swapping
    assert "The swap" in placing_help
    swapped = playing(seat=0, replies="swap e5")
    swapped.type("d4")
    for screen in (swapped.screen, moved(at(CAPTURE)).screen):
        assert "The swap" not in [section.heading for section in screen.help().sections]
        assert "White can swap" not in " ".join(section.text for section in screen.help().sections)


def test_the_menu_has_the_draw() -> None:
    player = playing()
    item, log, *_ = player.screen.menu()
    assert log.key == "l"
    assert (item.label, item.key) == ("Offer a draw", "=")
    item.run()
    assert player.screen.menu()[0].label == "Cancel the offer"


def test_an_offered_draw_is_told_with_the_next_move_and_not_with_the_last_one() -> None:
    player = playing(replies="e5")
    player.type("c4")
    player.press("=")
    assert "ben places a piece on e5. Your next move will offer a draw." in player.panel()
    assert "= cancel offer" in player.text()
    player.press("=")
    assert "Your next move will offer a draw" not in player.panel()


def go(player: Player) -> str | None:
    """Returns what Enter does, as the key bar says it; None if it says nothing of it."""
    form = player.screen.form(player.ui.now())
    assert form is not None
    return next((hint.label for hint in form.hints() if hint.key == "Enter"), None)


def test_enter_is_named_only_where_it_leads_further() -> None:
    player = playing(replies="e5")
    assert go(player) == "choose d4"
    player.press("b")
    assert go(player) == "go"
    player.press("esc")
    assert go(player) is None
    player.click_points("c4", "c4", "e5")
    assert go(player) is None
    player.click_points("d4")
    assert go(player) == "go"
    player = moved(at(CAPTURE))
    for point, leads in (("c6", False), ("a6", False), ("b6", True)):
        player.click_points(point)
        assert (go(player) is not None) == leads, point
