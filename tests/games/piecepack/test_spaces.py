"""What can be chosen in the piecepack game: what cannot be read, and why a choice is refused."""

from __future__ import annotations

from typing import Any

import pytest

from kimberley.games.piecepack.spaces import ActionSpace, HeartSpace, LootSpace, PathSpace, PeekSpace, TileSpace
from kimberley.games.table import BaseSpace, Decide, Unreadable
from tests.support.piecepack import choose, coins, forbidden, table

TILE = TileSpace((0, 1), ((0, 0), (1, -2)))
HEARTS = HeartSpace((3, 5, 8), 2, attack=4, bonus=0)
LOOT = LootSpace((3, 5, 8), 2, victim=1)
PEEK = PeekSpace((3, 5, 8), 2, known=())
PATH = PathSpace((1, 2), ((2, 3),), left=2, stops=True)


def actions(*hands: str, field: str = "S0 M1 P1") -> ActionSpace:
    ask = table(hands, field).ask()
    assert isinstance(ask, Decide)
    assert isinstance(ask.space, ActionSpace)
    return ask.space


ACTIONS = actions("S1 C2", "M1")


@pytest.mark.parametrize(
    ("space", "plain", "reason"),
    [
        (TILE, None, "a place is (x, y)"),
        (TILE, (1,), "a place is (x, y)"),
        (TILE, (1, 2, 3), "a place is (x, y)"),
        (TILE, (True, 0), "expected a whole number"),
        (TILE, (0, "1"), "expected a whole number"),
        (HEARTS, 3, "in a tuple"),
        (HEARTS, [3], "in a tuple"),
        (HEARTS, (3, True), "expected a whole number"),
        (HEARTS, (5, 3), "ascend"),
        (HEARTS, (3, 3), "ascend"),
        (PATH, "stop", "begins with its word"),
        (PATH, (), "begins with its word"),
        (PATH, (1, 2), "begins with its word"),
        (PATH, ("stop", 1), 'or ("stop",)'),
        (PATH, ("step",), 'or ("stop",)'),
        (PATH, ("step", "1"), "expected a whole number"),
        (PATH, ("jump", 2), 'or ("stop",)'),
        (PATH, ("jump", True, 3), "expected a whole number"),
        (PATH, ("jump", 2, None), "expected a whole number"),
        (ACTIONS, "end", "begins with its word"),
        (ACTIONS, ("sing",), "expected an action: step, jump, sun, moon, club, spade, dig, market, oasis, end"),
        (ACTIONS, ("end", 1), "expected an action"),
        (ACTIONS, ("sun", 1), "in a tuple"),
        (ACTIONS, ("club", "1", (1,)), "expected a whole number"),
        (ACTIONS, ("club", (1,)), "expected an action"),
    ],
)
def test_what_is_no_choice_cannot_be_read_and_says_why(space: BaseSpace, plain: Any, reason: str) -> None:
    with pytest.raises(Unreadable) as found:
        space.read(plain)
    assert reason in str(found.value)
    assert reason in str(space.violation(plain))


@pytest.mark.parametrize(
    ("space", "plain"),
    [
        (TILE, (1, -2)),
        (HEARTS, ()),
        (HEARTS, (3, 8)),
        (PATH, ("stop",)),
        (PATH, ("step", 2)),
        (PATH, ("jump", 2, 3)),
        (ACTIONS, ("step", 1)),
        (ACTIONS, ("club", 2, (1,))),
    ],
)
def test_a_choice_is_read_as_it_is_written(space: BaseSpace, plain: Any) -> None:
    assert space.read(plain) == plain
    assert space.violation(plain) is None


@pytest.mark.parametrize(
    ("space", "plain", "reason"),
    [
        (TILE, (2, 2), "and cover nothing"),
        (HEARTS, (4,), "only your own hearts defend you"),
        (HEARTS, (3, 5, 8), "choose at most 2, not 3"),
        (LOOT, (4,), "only from the player you beat"),
        (PEEK, (3, 4), "only at coins in other players’ hands"),
        (PATH, ("step", 3), "shares at least half an edge with yours, and to no tile twice in one move"),
        (PATH, ("jump", 2, 1), "over an adjacent tile to one next to it, and to no tile twice in one move"),
        (ACTIONS, ("step", 2), "you can step only to a tile"),
        (ACTIONS, ("club", 9, (1,)), "only a player on your own tile"),
        (ACTIONS, ("sun", ()), "choose at least one coin"),
        (ACTIONS, ("sun", (1,)), "only your own suns can be spent this way"),
    ],
)
def test_each_refusal_names_its_rule(space: BaseSpace, plain: Any, reason: str) -> None:
    assert reason in str(space.violation(plain))


def test_a_market_takes_coins_but_no_diamonds_and_as_many_as_it_says() -> None:
    state = table(["S1 M1 C1 D2"], "S2 C0")
    assert "no diamonds" in forbidden(state, coins(state, "market", "D2"))
    assert "takes at most 2 coins, not 3" in forbidden(state, coins(state, "market", "S1", "M1", "C1"))
    assert choose(state, coins(state, "market", "S1", "C1")).phase == "draw"
