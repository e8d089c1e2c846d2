"""Positions of Diamond Mine that tests of its board begin with."""

from __future__ import annotations

from tests.support.mine import BLUE, GREEN, PURPLE, medium, position, shown, small
from tests.support.mine_player import Player, playing

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


def opened() -> Player:
    player = playing(EMPTY_HANDED)
    player.click_squares("d6", "d6")
    return player
