"""How the board of the piecepack game is drawn, and how one looks around on it."""

from __future__ import annotations

import pytest

from kimberley.client.boards.piecepack.form import open_cards
from kimberley.client.boards.piecepack.panel import draw_track
from kimberley.client.boards.piecepack.phrases import discreet_state
from kimberley.client.boards.piecepack.side_panel import DO
from kimberley.client.boards.piecepack.view import TURN_OVER
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.palette import Depth
from tests.support.board_snapshots import PORTRAIT_SIZE
from tests.support.effort import each_once, first_is_quick
from tests.support.piecepack import table
from tests.support.piecepack_player import ROW, Player, acting, at
from tests.support.piecepack_table import PiecepackTable

SIZES = [(80, 24), (100, 34), (120, 40), (140, 45), (120, 28), (200, 60), (81, 60)]


def test_a_key_hides_ones_own_values() -> None:
    player = acting("D3 D4 H5 P1", "D1 C0")
    assert "sells for 12" in player.text()
    player.press("h")
    text = player.text()
    assert "sells for ?" in text
    assert "12" not in text.replace("20 tiles", "")
    hand = "\n".join(text.splitlines()[19:23])
    assert hand.count("?") == 7
    player.press("w")
    assert "you sell all your ♦" in player.panel
    player.press("u", "h")
    assert "sells for 12" in player.text()


def test_hidden_values_do_not_show_by_their_order() -> None:
    for names in ("H1 H5", "H5 H1"):
        state = table([names, "", ""], "D1 C0")
        cards = open_cards(discreet_state(state), 0)
        assert [card.handle for card in cards] == [coin.handle for coin in state.hands[0]]


def test_others_show_backs_alone() -> None:
    player = at(table(["H1", "D5 P4", ""], "D1 C0"))
    player.press("2")
    box = player.text()
    assert "ben, the scrounger ☾" in box
    assert "Holds 2 coins" in player.box
    assert "♦5" not in box
    player.press("esc")
    assert "the scrounger ☾" not in player.text()


def test_tiles_are_looked_at_one_by_one() -> None:
    player = acting("D2 H1", "D1 C0 H3")
    player.press("i", "right")
    assert "♣0 black market" in player.text()
    assert "For you: you sell ♦ 2 for 2 points." in player.box
    player.press("right")
    assert "a holy site: you lose your clubs when you enter" in player.box
    player.press("esc")
    assert "a holy site:" not in player.text()
    player.press("i", "right")
    assert "♣0 black market" in player.text()
    player.click(("board",))
    assert "For you:" not in player.text()


def test_tiles_can_be_looked_at_while_a_player_goes_back() -> None:
    state = table(["", "", ""], ROW, turn=1, pawns=(0, 1, 2))
    player = Player(PiecepackTable(state, slow=True), calm=False)
    player.table.replies = [("step", 2)]
    player.table.go_on()
    player.press("space")
    assert "behind" in player.strip
    arrows = "← → ↑ ↓"
    assert "→ next" in player.lines()[-1]
    assert arrows not in player.lines()[-1], "the arrows step"
    player.press("i", "right")
    keys = player.lines()[-1]
    assert f"{arrows} tile" in keys
    assert "End latest" in keys
    assert not any(taken in keys for taken in ("next", "continue"))
    assert "☼A market" in player.box
    player.press("esc")
    assert "☼A market" not in player.box
    assert "behind" in player.strip


def test_the_whole_field_and_the_small_map() -> None:
    state = table(["", "", ""], [*table([], "S0 M0 C0 S1 S2 S3 S4 S5 M1 M2 M3 M4").field])
    player = at(state)
    assert "M 4".replace("M", "☾") not in player.text()
    player.press("v")
    assert "☾4" in player.text()
    player.press("v", "tab")
    before = player.text()
    player.click(("pan", 1, 0))
    assert player.text() != before
    canvas = player.canvas()
    touched = (canvas.touched(x, y) for x in range(79, 56, -1) for y in range(8, 19))
    player.click(next(action for action in touched if isinstance(action, tuple) and action[0] == "go"))
    assert "☾ 4" in player.text()


def test_arrows_move_the_view_while_one_waits() -> None:
    player = at(table(["", "", ""], ROW, turn=1), slow=True)
    before = player.canvas().lines()
    player.press("left")
    assert player.canvas().lines() != before
    assert player.screen.wheel(None, 0, 0, 1)


@pytest.mark.parametrize(("size", "depth"), each_once(SIZES, Depth))
def test_everything_is_told_apart_at_every_size_and_depth(size: tuple[int, int], depth: Depth) -> None:
    player = acting("S2 C3 H1 D2 D3", ROW, pawns=(0, 1, 2))
    player.size = size
    player.press("w")
    for ascii_only in (False, True):
        canvas = player.canvas(depth, ascii_only)
        text = "\n".join(canvas.lines())
        assert text.isascii() == ascii_only
        signs = ("C 0", "S A", "M A", "D 3", "P 2") if ascii_only else ("♣ 0", "☼ A", "☾ A", "♦ 3", "♠ 2")
        assert all(sign in text for sign in signs)
        assert (">>" if ascii_only else "▸▸") in text
        assert (".." if ascii_only else "∙∙") in text
        assert ("SA" if ascii_only else "☼A") in text
        assert len(canvas.lines()) == size[1]


@pytest.mark.parametrize("depth", Depth)
def test_chosen_coins_are_lifted_at_every_depth(depth: Depth) -> None:
    player = acting("S2 S4 H1", "D1 C0")
    player.press("t", "space")
    assert "▴" in "\n".join(player.canvas(depth).lines()[19:23])


@pytest.mark.parametrize("size", [(80, 24), PORTRAIT_SIZE])
@pytest.mark.parametrize("count", first_is_quick(1, 5, 8, 10, 14, 30))
def test_every_coin_of_a_hand_can_be_seen_and_touched(count: int, size: tuple[int, int]) -> None:
    names = [f"{suit}{value}" for suit in "SMCHP" for value in range(6)][:count]
    player = at(table([" ".join(names), "", ""], "D1 C0"), size)
    player.press("t")
    canvas = player.canvas()
    touched = {canvas.touched(x, y) for x in range(canvas.width) for y in range(canvas.height)}
    assert {("card", number) for number in range(count)} <= touched


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_all_warlords_are_seen_even_on_one_tile(seats: int, size: tuple[int, int]) -> None:
    state = table([""] * seats, "S0 M0 C0 D0 H0 P0", suits="SMCDHP"[:seats])
    player = at(state, size)
    player.press("tab")
    text = player.text()
    for name in player.table.occupants.names:
        assert name in text
    lines = text.splitlines()
    first = next(y for y, line in enumerate(lines) if "☼0" in line)
    assert "☼0 ABC" in lines[first]
    assert "DEF"[: seats - 3] in lines[first + 1]


@pytest.mark.parametrize(
    ("scores", "order"),
    [((0, 30, 40), "♦♣♠"), ((40, 0, 30), "♣♠♦"), ((590, 600, 620), "♦♣♠"), ((300, 300, 290), "♠♦♣")],
)
def test_the_track_shows_who_is_ahead_even_where_all_are_at_one_place(scores: tuple[int, int, int], order: str) -> None:
    canvas = Canvas(28, 1)
    draw_track(canvas, 0, 0, 28, [(seat, suit, scores[seat]) for seat, suit in enumerate((3, 2, 5))], 600)
    (line,) = canvas.lines()
    assert "".join(sign for sign in line if sign in "♦♣♠") == order
    assert line.startswith("0 ")
    assert line.rstrip().endswith(" 600 to win")


@pytest.mark.parametrize(("hand", "choices", "over"), [("", 1, True), ("S2", 1, False), ("S2", 2, False)])
def test_a_player_is_told_of_a_turn_that_ended_by_itself(hand: str, choices: int, over: bool) -> None:
    where = PiecepackTable(table([hand, "H2", "M2"], ROW), slow=True)
    player = Player(where)
    for choice in (("step", 1), ("end",))[:choices]:
        where.play.choose(choice)
    assert (TURN_OVER in player.strip) is over
    player.click(("tab", DO))
    assert ("Your turn is over" in player.panel) is over


def test_nobody_else_is_told_of_it() -> None:
    where = PiecepackTable(table(["", "H2", "M2"], ROW), seat=1, slow=True)
    player = Player(where)
    where.answer(("step", 1))
    assert "ana goes to" in player.strip
    assert "Your turn is over" not in player.text()
