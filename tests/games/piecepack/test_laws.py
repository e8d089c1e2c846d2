"""What each seat of the piecepack game knows, and that no coin is lost or doubled.

`tests/games/test_laws.py` holds it to the laws of every game.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain
from random import Random
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kimberley.games.piecepack import GAME
from kimberley.games.piecepack.coins import KINDS, PART_SUIT, PART_VALUE
from kimberley.games.piecepack.field import distances
from kimberley.games.piecepack.rules import State
from kimberley.games.piecepack.suits import DIAMOND, GOAL, HEART
from kimberley.games.table import HIDDEN, Ask, Result, Show, Shuffle, SupportsLeave
from tests.support.contained import first_difference
from tests.support.effort import first_is_quick
from tests.support.laws import (
    check_views,
    pick,
    steps,
)
from tests.support.piecepack import everything
from tests.support.seated_arena import SeatedArena

fewest_are_quick = pytest.mark.parametrize("seats", first_is_quick(*GAME.seats))
seeds = st.integers(0, 2**32)
SETTING_UP = ("lots", "fill", "pile")


@dataclass(frozen=True)
class Step:
    """What a random game had come to."""

    truth: State
    views: tuple[State, ...]
    spectator: State


@dataclass(frozen=True)
class Played:
    """A random game, to its end."""

    steps: tuple[Step, ...]
    stories: tuple[tuple[tuple[Ask, Any], ...], ...]


@cache
def games(seats: int) -> tuple[Played, ...]:
    """Returns three random games, on which all laws are tried."""
    return tuple(play(seats, seed) for seed in range(3))


def play(seats: int, seed: int) -> Played:
    seen = []
    for table, _ in steps(GAME, seats, Random(seed)):
        states = cast(tuple[State, ...], (table.arena.truth, table.spectator, *table.views))
        seen.append(Step(states[0], states[2:], states[1]))
    return Played(tuple(seen), tuple(table.observation(seat).story for seat in range(seats)))


def every_step(seats: int) -> Iterator[Step]:
    return chain.from_iterable(game.steps for game in games(seats))


# -- who knows what ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
@fewest_are_quick
def test_who_knows_a_coin_is_written_on_it(seats: int) -> None:
    for step in every_step(seats):
        for seat, view in enumerate(step.views):
            for coin in view.coins():
                for part, mask in zip(coin.parts, coin.seen, strict=True):
                    assert (part is not HIDDEN) == bool(mask >> seat & 1)
        for coin in step.spectator.coins():
            for part, mask in zip(coin.parts, coin.seen, strict=True):
                assert part is HIDDEN or mask == (1 << seats) - 1


@fewest_are_quick
def test_a_seat_never_learns_a_value_that_it_was_not_shown(seats: int) -> None:
    """By its story alone: what it was shown, and what it put back since."""
    for story in chain.from_iterable(game.stories for game in games(seats)):
        state = GAME.start(seats, {})
        told: set[int] = set()
        for ask, answer in story:
            if isinstance(ask, Show):
                told |= shown_values(ask, answer)
            state = state.apply(answer)
            for coin in state.coins():
                assert (coin.parts[PART_VALUE] is not HIDDEN) == (coin.handle in told)


def shown_values(ask: Show, answer: Any) -> set[int]:
    """Returns the handles whose value an answer tells."""
    parts = [part for part, _ in ask.parts]
    if PART_VALUE not in parts:
        return set()
    place = parts.index(PART_VALUE)
    return {item for item, values in zip(ask.items, answer, strict=True) if values[place] is not HIDDEN}


@fewest_are_quick
def test_suits_in_hands_are_public_and_values_of_others_hidden_unless_seen(seats: int) -> None:
    for step in every_step(seats):
        truth, spectator = step.truth, step.spectator
        for true, public in zip(truth.hands, spectator.hands, strict=True):
            for coin, seen in zip(true, public, strict=True):
                assert seen.parts[PART_SUIT] == coin.parts[PART_SUIT]
        for seat, view in enumerate(step.views):
            own = view.hands[seat]
            unseen = {seat} if truth.phase in ("look", "heart") else set()
            assert all(coin.parts[PART_VALUE] is not HIDDEN or unseen for coin in own)
        assert spectator.hearts_in_bag == truth.hearts_in_bag
        in_bag = (*truth.bag, *truth.returned)
        if truth.phase not in SETTING_UP:
            assert truth.hearts_in_bag == sum(coin.parts[PART_SUIT] == HEART for coin in in_bag)


# -- every coin is in one place ----------------------------------------------------------------------------------------


def check_conserved(state: State) -> None:
    """Checks that there are 36 coins and 36 tiles, each once, and that scores and pawns are in bounds."""
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


@fewest_are_quick
def test_no_coin_and_no_tile_is_lost_or_in_two_places(seats: int) -> None:
    for step in every_step(seats):
        check_conserved(step.truth)


@pytest.mark.slow
@fewest_are_quick
@settings(max_examples=2)
@given(seeds, st.data())
def test_seats_may_leave_at_any_moment(seats: int, seed: int, data: st.DataObject) -> None:
    rng = Random(seed)
    table = SeatedArena(GAME, seats, rng)
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
        assert all(cast(State, table.arena.truth).present[seat] for seat in ask.choosers)
        table.apply(table.arena.answer(ask, {seat: pick(ask, seat, rng) for seat in ask.choosers}))
    result = table.arena.truth.ask()
    assert isinstance(result, Result)
    here = cast(State, table.arena.truth).present
    assert {here[seat] for seat in result.winners} == {True}


def everybody_sees_it_leave(table: SeatedArena, goer: int) -> None:
    """Lets a seat leave in all states, if the game still runs."""
    if isinstance(table.arena.truth.ask(), Result):
        return
    for state in (table.arena.truth, table.spectator, *table.views):
        assert isinstance(state, SupportsLeave)
    table.arena.truth = cast(State, table.arena.truth).leave(goer)
    table.spectator = cast(State, table.spectator).leave(goer)
    table.views = [cast(State, view).leave(goer) for view in table.views]
    assert first_difference(table.spectator, table.arena.truth) is None


# -- shuffles ----------------------------------------------------------------------------------------------------------


@fewest_are_quick
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
