"""What each seat of the piecepack game knows, and that no coin is lost or doubled.

`tests/test_laws.py` holds it to the laws of every game.
"""

from __future__ import annotations

from random import Random
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.arena import Seats, choosers
from games.piecepack import GAME
from games.piecepack.coins import KINDS, PART_SUIT, PART_VALUE
from games.piecepack.field import distances
from games.piecepack.rules import State
from games.piecepack.suits import DIAMOND, GOAL, HEART
from games.table import HIDDEN, Ask, Leavable, Result, Show, Shuffle, contained
from tests.support.laws import (
    check_views,
    pick,
    steps,
)
from tests.support.piecepack import everything
from tests.support.plain import PLAIN

every_table = pytest.mark.parametrize("seats", GAME.seats)
few = settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
seeds = st.integers(0, 2**32)
strange = PLAIN | st.floats() | st.lists(st.integers()) | st.dictionaries(st.integers(), st.none())
SETTING_UP = ("lots", "fill", "pile")


def at_the_end(seats: int, seed: int) -> Seats:
    """A table at which a game at random is over."""
    *_, (table, _) = steps(GAME, seats, Random(seed))
    return table


# -- who knows what ----------------------------------------------------------------------------------------------------


@every_table
@few
@given(seeds)
def test_who_knows_a_coin_is_written_on_it(seats: int, seed: int) -> None:
    for table, _ in steps(GAME, seats, Random(seed)):
        for seat, view in enumerate(table.views):
            for coin in cast(State, view).coins():
                for part, mask in zip(coin.parts, coin.seen, strict=True):
                    assert (part is not HIDDEN) == bool(mask >> seat & 1)
        for coin in cast(State, table.onlooker).coins():
            for part, mask in zip(coin.parts, coin.seen, strict=True):
                assert part is HIDDEN or mask == (1 << seats) - 1


@every_table
@few
@given(seeds)
def test_a_seat_never_learns_a_value_that_it_was_not_shown(seats: int, seed: int) -> None:
    """By its story alone: what it was shown, and what it put back since."""
    table = at_the_end(seats, seed)
    for seat in range(seats):
        state = GAME.start(seats, {})
        told: set[int] = set()
        for ask, answer in table.observation(seat).story:
            if isinstance(ask, Show):
                told |= shown_values(ask, answer)
            state = state.tell(answer)
            for coin in state.coins():
                assert (coin.parts[PART_VALUE] is not HIDDEN) == (coin.handle in told)


def shown_values(ask: Show, answer: Any) -> set[int]:
    """The handles whose value an answer tells."""
    parts = [part for part, _ in ask.parts]
    if PART_VALUE not in parts:
        return set()
    place = parts.index(PART_VALUE)
    return {item for item, values in zip(ask.items, answer, strict=True) if values[place] is not HIDDEN}


@every_table
@few
@given(seeds)
def test_suits_in_hands_are_public_and_values_of_others_hidden_unless_seen(seats: int, seed: int) -> None:
    for table, _ in steps(GAME, seats, Random(seed)):
        truth, onlooker = cast(State, table.arena.truth), cast(State, table.onlooker)
        for true, public in zip(truth.hands, onlooker.hands, strict=True):
            for coin, seen in zip(true, public, strict=True):
                assert seen.parts[PART_SUIT] == coin.parts[PART_SUIT]
        for seat, view in enumerate(table.views):
            own = cast(State, view).hands[seat]
            unseen = {seat} if truth.phase in ("look", "heart") else set()
            assert all(coin.parts[PART_VALUE] is not HIDDEN or unseen for coin in own)
        assert onlooker.hearts_in_bag == truth.hearts_in_bag
        in_bag = (*truth.bag, *truth.returned)
        if truth.phase not in SETTING_UP:
            assert truth.hearts_in_bag == sum(coin.parts[PART_SUIT] == HEART for coin in in_bag)


# -- every coin is in one place ----------------------------------------------------------------------------------------


def check_conserved(state: State) -> None:
    """36 coins and 36 tiles, each once; scores and pawns in bounds."""
    if state.phase in SETTING_UP:
        return
    assert everything(state) == sorted(KINDS)
    handles = [coin.handle for coin in state.coins()]
    assert len({*handles}) == len(KINDS)
    assert all(coin.parts[PART_SUIT] == DIAMOND for coin in (*state.pile, *state.sold))
    assert all(coin.parts[PART_SUIT] != DIAMOND for coin in (*state.bag, *state.returned))
    laid = [(tile.suit, tile.value) for tile in state.field]
    drawn = [state.drawn] if state.drawn else []
    assert sorted([*laid, *drawn, *state.stack]) == sorted(KINDS)
    cells = {(tile.x + dx, tile.y + dy) for tile in state.field for dx in (0, 1) for dy in (0, 1)}
    assert len(cells) == 4 * len(state.field)
    assert -1 not in distances(state.field, 0)
    assert max(state.scores) < GOAL or state.ended
    assert [pawn is not None for pawn in state.pawns] == [*state.present]


@every_table
@few
@given(seeds)
def test_no_coin_and_no_tile_is_lost_or_in_two_places(seats: int, seed: int) -> None:
    for table, _ in steps(GAME, seats, Random(seed)):
        check_conserved(cast(State, table.arena.truth))


@every_table
@few
@given(seeds, st.data())
def test_seats_may_leave_at_any_moment(seats: int, seed: int, data: st.DataObject) -> None:
    rng = Random(seed)
    table = Seats(GAME, seats, rng)
    goers = data.draw(st.lists(st.tuples(st.integers(1, 120), st.integers(0, seats - 1)), min_size=1, max_size=seats))
    for step in range(10_000):
        for at, goer in goers:
            if at == step and cast(State, table.arena.truth).present[goer]:
                everybody_sees_it_leave(table, goer)
        ask = table.arena.truth.ask()
        if isinstance(ask, Result):
            break
        check_views(table)
        check_conserved(cast(State, table.arena.truth))
        assert all(cast(State, table.arena.truth).present[seat] for seat in choosers(ask))
        table.told(table.arena.answer(ask, {seat: pick(ask, seat, rng) for seat in choosers(ask)}))
    result = table.arena.truth.ask()
    assert isinstance(result, Result)
    here = cast(State, table.arena.truth).present
    assert {here[seat] for seat in result.winners} == {True}


def everybody_sees_it_leave(table: Seats, goer: int) -> None:
    """A seat leaves in all states, if the game still runs."""
    if isinstance(table.arena.truth.ask(), Result):
        return
    for state in (table.arena.truth, table.onlooker, *table.views):
        assert isinstance(state, Leavable)
    table.arena.truth = cast(State, table.arena.truth).leave(goer)
    table.onlooker = cast(State, table.onlooker).leave(goer)
    table.views = [cast(State, view).leave(goer) for view in table.views]
    assert contained(table.onlooker, table.arena.truth) is None


# -- shuffles ----------------------------------------------------------------------------------------------------------


@every_table
def test_a_bag_is_shuffled_only_right_before_it_is_drawn_from(seats: int) -> None:
    before: Ask | Result | None = None
    shuffles = 0
    for _, ask in steps(GAME, seats, Random(seats)):
        if isinstance(before, Shuffle) and isinstance(before.items[0], int):
            shuffles += 1
            assert isinstance(ask, Show)
            assert not {*ask.items} & {*before.items}
        before = ask
    assert shuffles
