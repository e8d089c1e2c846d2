"""How the board of Diamond Mine is drawn."""

from __future__ import annotations

import re

import pytest

from kimberley.client.boards.mine.panel import WISHES, panel_width
from kimberley.client.ui.palette import Depth
from kimberley.games.mine.rules import State
from kimberley.games.mine.squares import name
from kimberley.games.table import Observation, Plain
from kimberley.p2p.sentences.notices import place_word
from tests.support.effort import each_once, first_is_quick
from tests.support.mine import position, shown
from tests.support.mine_player import Player, playing
from tests.support.mine_positions import MOVING, opened
from tests.support.mine_table import MineTable, first_legal

SIZES = [(80, 24), (81, 60), (100, 34), (120, 28), (120, 40), (140, 45), (200, 60)]


@pytest.mark.parametrize("size", first_is_quick(*SIZES))
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
@pytest.mark.parametrize("ascii_only", first_is_quick(False, True))
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


def test_what_all_have_carry_and_did_is_in_the_panel() -> None:
    player = playing(MOVING)
    text = player.text()
    assert re.search(r"▲1 ana +2 +▲g ▴g +4", text)
    assert re.search(r"you, red +moves", text)
    assert re.search(r"■2 ben +3 +nothing +0", text)
    assert "1 vein exhausted; ends at 8" in text
    player.size = (120, 40)
    assert "1 vein exhausted; 8 end the game" in player.text()
    assert "rounds without gems" not in text
    assert "your turn" in text


def test_ones_own_quarter_is_hatched_while_nests_are_placed() -> None:
    player = playing()
    assert "//" in "".join(player.at("b2"))
    assert "/" not in "".join(player.at("f6"))


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


@pytest.mark.parametrize(("ascii_only", "mark"), [(False, "▸{}◂"), (True, ">{}<")])
def test_what_would_be_taken_is_marked_without_colors(ascii_only: bool, mark: str) -> None:
    player = opened()
    for offer in ("Ar ^r", "Ar", "^r"):
        said = offer if ascii_only else offer.replace("A", "▲").replace("^", "▴")
        row = player.canvas(Depth.NONE, ascii_only).lines()[-3]
        assert row.count(mark.format(said)) == 1, row
        assert row.count(mark[0]) == 1, row
        player.press("right")


@pytest.mark.parametrize(
    ("places", "words"),
    [
        ((1, 2), ("1st", "2nd")),
        ((1, 1), ("draw", "draw")),
        ((2, 1, 2, 4), ("=2nd", "1st", "=2nd", "4th")),
        ((1, 1, 3, 4), ("=1st", "=1st", "3rd", "4th")),
    ],
)
def test_a_place_that_several_have_is_told_as_shared(places: tuple[int, ...], words: tuple[str, ...]) -> None:
    assert tuple(place_word(places, seat) for seat in range(len(places))) == words


WISH = "would like to end the game; you would rather keep playing."


def after_wishes(seats: int, first: int, size: tuple[int, int]) -> Player:
    """Returns a player who is to move, in a round in which all others would like to end the game."""
    pawns = " ".join(["d4", "g7", "b7", "f1"][:seats])
    start = position(seats, veins="d6 b4 g3", pawns=pawns, first=first)

    def others(observation: Observation) -> Plain:
        state = observation.state
        assert isinstance(state, State)
        return (1, True) if state.phase == "cards" else first_legal(observation)

    player = Player(MineTable(0, state=start, others=others), size)
    player.press("3 enter")
    for _ in range(30):
        player.ui.time += 1
        player.canvas()
    assert player.table.state.phase == "move"
    return player


@pytest.mark.parametrize("size", first_is_quick((80, 24), (120, 40), (45, 60)))
@pytest.mark.parametrize("first", [0, 1])
def test_who_would_like_to_end_the_game_is_said_while_the_player_moves(first: int, size: tuple[int, int]) -> None:
    player = after_wishes(2, first, size)
    words = player.said() if size[0] > 45 else " ".join(" ".join(player.lines()).replace("│", "").split())
    assert words.count(f"ben {WISH}") == 1
    assert "You can land on any lit square." in words
    player.press("tab")
    assert WISH in player.said() or size[0] == 45


@pytest.mark.slow
@pytest.mark.parametrize("first", first_is_quick(0, 1))
def test_among_four_the_wish_is_a_sentence_or_a_note_beside_each_who_has_it(first: int) -> None:
    small_panel, large_panel = (after_wishes(4, first, size).said() for size in ((80, 24), (120, 40)))
    assert WISH not in small_panel
    assert small_panel.count(WISHES) == 3
    assert f"ben, carla and dmitri {WISH}" in large_panel
    assert WISHES not in large_panel
