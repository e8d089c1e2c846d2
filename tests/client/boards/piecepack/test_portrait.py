"""The piecepack game on phones."""

from __future__ import annotations

import pytest

from kimberley.client.boards.game_screen import GameScreen
from kimberley.client.boards.piecepack.board import PiecepackUI
from tests.support.asyncs import run
from tests.support.board_snapshots import PORTRAIT_SIZE, Clock
from tests.support.cut_text import noting_cuts
from tests.support.effort import each_once, spread
from tests.support.piecepack import table
from tests.support.piecepack_player import ROW, at, placing
from tests.support.piecepack_table import PiecepackTable
from tests.support.touching import ACROSS, drawn, phone_app, too_small

PORTRAIT_SIZES = [PORTRAIT_SIZE, (45, 43), (60, 60), (79, 50)]


@pytest.mark.parametrize("size", PORTRAIT_SIZES)
def test_on_phones_of_all_sizes_nothing_is_cut_off_or_too_small(size: tuple[int, int]) -> None:
    state = table(["S2 C3 H1 D2 D3", "H2 P1 D4", "M2"], f"{ROW} H3 C4 P5 S3 S5")
    for player in (placing(size), at(state, size)):
        for key in ("v", "v", "p", "esc"):
            player.press(key)
            with noting_cuts() as cut:
                canvas = player.canvas()
            assert not cut
            assert not too_small(canvas)


@pytest.mark.parametrize("tile", spread(1, ["S5", "M1", "D3", "P2"]))
@pytest.mark.parametrize(("own", "size"), each_once("SMCDHP", [(80, 24), (100, 30), PORTRAIT_SIZE]))
def test_whatever_an_action_does_is_said_in_full(own: str, tile: str, size: tuple[int, int]) -> None:
    others = [letter for letter in "SMC" if letter != own][:2]
    hands = ["S2 C3 H1 D2 M3 P1", "H2 P3 D4", "M2 C1"]
    for acted in (0, 2):
        state = table(hands, f"{tile} C0 S1", suits="".join([own, *others]), acted=acted)
        player = at(state, size)
        said = set()
        for _ in range(9):
            with noting_cuts() as cut:
                said.add("\n".join(player.canvas().lines()))
            assert not cut
            player.press("down")
        assert len(said) in (8, 9)


def test_on_a_phone_arrows_go_from_place_to_place() -> None:
    player = placing(PORTRAIT_SIZE)
    first = next(line for line in player.lines() if "place " in line)
    player.click(("next", 1))
    player.touch("Place it")
    key_player = placing()
    key_player.press("space enter")
    assert player.table.chosen == key_player.table.chosen
    assert "place " in first


def test_on_a_phone_what_is_possible_is_a_button_and_a_touch_asks_why_the_rest_is_not() -> None:
    player = at(table(["S2", "H2", "M2"], ROW), PORTRAIT_SIZE)
    assert "Step or jump" in player.text()
    assert "Mine with ♠" not in player.text()
    refused = set()
    for _ in range(9):
        player.touch("Not now: ")
        refused.add(player.lines()[4].strip())
    assert "You hold no clubs." in refused
    assert len(refused) > 3


@pytest.mark.parametrize("count", [7, 8, 15])
def test_on_a_phone_every_coin_is_large_enough_for_a_finger(count: int) -> None:
    hand = " ".join(f"{'MCHPS'[number // 5]}{number % 5}" for number in range(count))
    player = at(table([hand, "H5", ""], ROW), PORTRAIT_SIZE)
    cards = {("own", number) for number in range(count)}
    sizes = [(hit.width, hit.height) for hit in player.canvas().hits if hit.action in cards]
    assert len(sizes) == count
    assert min(width for width, _ in sizes) >= 4
    assert min(height for _, height in sizes) >= 2


def test_on_a_phone_tiles_are_looked_at_from_the_menu_on() -> None:
    player = at(table(["S2", "", ""], "D2 H1 C0 H3"), PORTRAIT_SIZE)
    assert " ACT " in player.text()
    look = next(item for item in player.screen.menu() if item.label == "Look at tiles")
    look.run()
    player.click(("tile", 1))
    assert "It is a holy site" in player.text()
    player.touch("Back")
    assert "It is a holy site" not in player.text()


def test_on_a_phone_the_edges_move_the_field() -> None:
    player = at(table(["", "", ""], "S0 M1 C1 D1 H1 P1 S2 M2"), PORTRAIT_SIZE)
    before = player.text()
    player.click(("pan", 1, 0))
    assert player.text() != before


@pytest.mark.parametrize("size", [PORTRAIT_SIZE, ACROSS])
def test_on_a_phone_hidden_values_name_no_key(size: tuple[int, int]) -> None:
    async def play() -> None:
        app = phone_app(Clock())
        app.push(GameScreen(PiecepackUI(), PiecepackTable(table(["S2 S4 D2", "H2", ""], "D1 C0"), 0), app))
        for keys, said in ((("h", "p"), "Your values are hidden."), (("esc", "t", " "), "hidden.")):
            for key in keys:
                app.draw(*size)
                app.key(key)
            canvas, faults = drawn(app, size)
            assert faults == []
            assert said in " ".join(" ".join(canvas.lines()).split())

    run(play())
