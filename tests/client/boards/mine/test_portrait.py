"""Diamond Mine on phones."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kimberley.games.mine.squares import square
from kimberley.games.table import evolve
from tests.support.board_snapshots import PORTRAIT_SIZE
from tests.support.cut_text import noting_cuts
from tests.support.mine import GREEN, PURPLE, medium, move, position, shown, small
from tests.support.mine_player import Player
from tests.support.mine_positions import EMPTY_HANDED, LOADED, MOVING
from tests.support.mine_table import MineTable
from tests.support.touching import too_small

PORTRAIT_SIZES = [PORTRAIT_SIZE, (45, 43), (60, 60), (79, 50)]


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
    assert "resigned" in text
    assert not cut


def test_the_help_of_who_has_resigned_has_no_keys_of_a_turn() -> None:
    for present, has_them in ((True, True), (False, False)):
        screen = Player(MineTable(state=MOVING)).screen
        shown_now = replace(screen.shown_at(0.0), state=evolve(MOVING, present=(present, True, True, True)))
        told = " ".join(section.text for section in screen.view.help(shown_now).sections)
        assert ("Tab steps through the targets" in told) == has_them
        assert "look at a square" in told


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
