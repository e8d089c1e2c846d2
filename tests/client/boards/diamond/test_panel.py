"""What is said next to the board of Diamond: the goal, open corners, the swap, the point under the cursor."""

from __future__ import annotations

from kimberley.client.boards.diamond.scene import EXAMPLE
from kimberley.games.diamond.board import NAMES, names
from kimberley.games.diamond.position import WHITE
from tests.support.diamond import at, moving, placing
from tests.support.diamond_player import Player, moved, playing


def _lit(player: Player) -> list[str]:
    """The points that are drawn as corners of an example."""
    canvas = player.canvas()
    return sorted(name for name in NAMES if canvas.cell(*player.middle(name)).style.fg == "ice")


def test_the_board_says_at_its_start_what_the_aim_is() -> None:
    player = playing()
    assert "Goal" in player.text()
    assert "four corners of a square" in player.panel()
    assert _lit(player) == names(EXAMPLE)
    player.type("a1")
    assert _lit(player) == []


def test_an_open_corner_says_what_to_do_to_the_side_that_places() -> None:
    threat = placing("e2 e3 f2", "a1 b5")
    assert "Black needs only f3 for a square: place there or you lose." in moved(at(threat), seat=1).panel()
    assert "Black needs only f3 for a square." in moved(at(threat), seat=0).panel()
    chance = moved(at(placing("e2 e3 f2", "a1 b5 h8")))
    assert "Black needs only f3 for a square: place there to win." in chance.panel()


def test_while_pieces_move_an_open_corner_says_whether_a_piece_can_move_there() -> None:
    threat = "Black needs only f3 for a square"
    far, near = (at(moving(f"e2 e3 f2 {fourth}", "a1 b1 c1 h8", turn=WHITE)) for fourth in ("a5", "g3"))
    assert f"{threat}, but cannot move there yet." in moved(far, seat=1).panel()
    assert f"{threat}: stop that or you lose." in moved(near, seat=1).panel()
    assert f"{threat} and can move there." in moved(near, seat=0).panel()
    chance = at(moving("e2 e3 f2 g3", "a1 b1 c1 h8"))
    assert f"{threat}: move there to win." in moved(chance).panel()


def test_the_swap_is_explained_to_both_sides() -> None:
    white = playing(seat=1, replies="d4")
    assert "Swap with s, or place a piece." in white.text()
    assert "Swap, and you play Black with the piece on d4; ana plays White and moves next." in white.panel()
    black = playing()
    black.type("d4")
    said = "ben can swap to Black and take over the piece on d4. Then you play White."
    assert said in black.panel()


def test_the_example_of_what_to_type_is_a_point_that_is_open() -> None:
    player = playing(1, "d4")
    assert "e.g. d4" not in player.text()
    assert "e.g. c4" in player.text()


def test_the_cursor_is_seen_from_the_start_and_its_point_is_named() -> None:
    player = playing()
    assert "e.g. d4" in player.text()
    x, y = player.middle("d4")
    assert [player.canvas().cell(x + dx, y).char for dx in (-2, 2)] == ["▸", "◂"]


def test_a_point_chosen_by_an_arrow_is_named_and_one_enter_places_there() -> None:
    player = playing()
    player.press("right")
    assert "You are Black: place on e4." in player.text()
    assert "Enter go" in player.text()
    player.press("enter")
    assert player.table.chosen == ["e4"]


def test_enter_says_that_it_only_chooses_a_point_that_nobody_chose() -> None:
    player = playing()
    assert "You are Black: choose an open point." in player.text()
    assert "Enter choose d4" in player.text()
    assert "Enter go" not in player.text()
    player.press("enter")
    assert "Enter go" in player.text()
    assert "Place on d4? Click again, or Enter." in player.text()
    assert player.table.chosen == []
    player.press("enter")
    assert player.table.chosen == ["d4"]


def test_the_last_open_corner_of_a_square_is_marked_for_both_sides() -> None:
    for seat in (0, 1):
        player = moved(at(placing("e2 e3 f2", "a1 b5 h8")), seat=seat)
        assert player.cell("f3")[0] == "!"
        assert "Black needs only f3" in player.text()
    player = moved(at(placing("e2 e3 f2", "a1 b5 f3")))
    assert "needs only" not in player.text()


def test_all_that_is_said_of_a_turn_fits_into_a_small_panel() -> None:
    player = moved(at(moving("e2 e3 f2 a5", "b1 b2 c1 h8 h7", turn=WHITE)), seat=1)
    assert player.canvas().width == 80
    said = "Black needs only f3 and White only c2 for a square, but neither can move there yet."
    assert said in player.panel()
