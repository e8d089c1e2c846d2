"""The arena answers as a table would, and refuses what a table would refuse."""

from __future__ import annotations

from random import Random

import pytest

from kimberley.games.arena import Arena, IllegalChoice
from kimberley.games.diamond_trust import GAME
from kimberley.games.diamond_trust.rules import State
from kimberley.games.table import HIDDEN, Roll, Seal, Show, Shuffle, Together, space_for
from tests.support.seated_arena import play_randomly
from tests.support.trust import UIGE, Trust


def test_a_whole_game_is_played_from_one_number() -> None:
    results = [play_randomly(Arena(GAME.start(2, {}), Random(7))) for _ in range(2)]
    assert results[0] == results[1]
    assert results[0] != play_randomly(Arena(GAME.start(2, {}), Random(8)))


def test_a_game_can_be_taken_up_in_the_middle() -> None:
    """With the totals that belong to the position, and from nothing else."""
    table = Trust().pay({0: 2}, {0: 1}).move({0: (UIGE, 0, 0)}, {0: (UIGE, 0, 0)}).sell()
    arena = Arena(table.truth, Random(1), table.truth.totals())
    arena.advance({0: (2, 0, 0), 1: (0, 0, 0)})
    told = arena.advance({})
    assert [tell is not HIDDEN and bool(tell) for tell in told] == [False, True]
    result = play_randomly(arena)
    truth = arena.truth
    assert isinstance(truth, State)
    assert result.scores == tuple((truth.vault[seat], truth.cash(seat)) for seat in (0, 1))


def test_choosers_are_the_seats_that_must_choose() -> None:
    table = Trust()
    roll, ask = GAME.start(2, {}).ask(), table.ask
    assert isinstance(roll, Roll)
    assert roll.choosers == ()
    assert isinstance(ask, Seal)
    assert ask.choosers == (0, 1)


def test_a_choice_that_the_rules_forbid_names_seat_topic_and_reason() -> None:
    arena = Arena(GAME.start(2, {}).apply((0,)), Random(1))
    with pytest.raises(
        IllegalChoice, match=r"^seat 1, pay: an amount cannot be negative \(it chose \(-1, 0, 0\)\)"
    ) as caught:
        arena.advance({0: (0, 0, 0), 1: (-1, 0, 0)})
    assert caught.value.seat == 1
    assert caught.value.reason == "an amount cannot be negative"


def test_the_arena_proves_limits_by_its_own_totals() -> None:
    """Where a state does not know what was sealed, as a spectator's, the totals still bound the move."""
    table = Trust().pay({0: 10})
    totals = table.truth.totals()
    stay = table.orders(0, {})
    table.plan()
    arena = Arena(table.seats.spectator, Random(1), totals)
    orders = table.orders(0, {0: (UIGE, 9, 0)})
    ask = arena.truth.ask()
    assert isinstance(ask, Together)
    space = space_for(ask, 0)
    assert space is not None
    assert space.violation(orders) is None
    with pytest.raises(IllegalChoice, match="more than the limit of 18 on what is spent"):
        arena.advance({0: orders, 1: stay})


def test_a_game_that_is_over_cannot_advance() -> None:
    arena = Arena(GAME.start(2, {}), Random(1))
    play_randomly(arena)
    with pytest.raises(ValueError, match="the game is over"):
        arena.advance({})


def test_a_bag_gives_every_item_once_under_new_handles() -> None:
    arena = Arena(GAME.start(2, {}), Random(1))
    coins = tuple(("gold", value) for value in range(5))
    items = arena.answer(Shuffle("coins", coins), {})
    assert [item.handle for item in items] == list(range(5))
    assert sorted(item.parts for item in items) == sorted(coins)
    again = arena.answer(Shuffle("coins", (0, 3, ("gold", 9))), {})
    assert [item.handle for item in again] == [5, 6, 7]
    assert {item.parts for item in again} == {items[0].parts, items[3].parts, ("gold", 9)}
    assert arena.answer(Show((5,), ((1, None), (0, 1))), {}) == ((again[0].parts[1], "gold"),)
    hidden = Shuffle("coins", coins).visible_answer(items, 0)
    assert [(item.handle, item.parts, item.seen) for item in hidden] == [
        (handle, (HIDDEN, HIDDEN), (0, 0)) for handle in range(5)
    ]
