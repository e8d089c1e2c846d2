"""The world in which the bots think ahead keeps to the rules, move by move, and knows nothing that a seat does not."""

from __future__ import annotations

from random import Random
from typing import cast

import pytest

from kimberley.games.arena import Arena
from kimberley.games.mine import GAME
from kimberley.games.mine.bots.world import World, true_world, world_of
from kimberley.games.mine.moves import targets
from kimberley.games.mine.rules import State
from kimberley.games.table import Plain, Result, evolve, space_for
from tests.support.effort import first_is_quick
from tests.support.laws import steps
from tests.support.mine import played, position

SHARED = ("value", "mean", "cards", "to_act")
"""Not compared: what does not change, and what the rules keep elsewhere."""


def same(world: World, state: State) -> None:
    other = true_world(state)
    for name in World.__slots__:
        if name in SHARED:
            continue
        ours, theirs = getattr(world, name), getattr(other, name)
        if name == "gems":
            ours, theirs = [sorted(gems) for gems in ours], [sorted(gems) for gems in theirs]
        if name == "opened":
            ours = [seen or not gems for seen, gems in zip(ours, world.inside, strict=True)]
            theirs = [seen or not gems for seen, gems in zip(theirs, other.inside, strict=True)]
        assert ours == theirs, name


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("seed", first_is_quick(*range(8)))
def test_a_world_goes_the_way_of_the_rules(seats: int, seed: int) -> None:
    rng = Random(seed)
    arena = Arena(GAME.start(seats, {}), rng)
    world: World | None = None
    moved = 0
    while not isinstance(ask := arena.truth.ask(), Result):
        before = cast(State, arena.truth)
        choices = {seat: space.pick(rng) for seat in ask.choosers if (space := space_for(ask, seat)) is not None}
        arena.advance(choices)
        after = cast(State, arena.truth)
        if world is None:
            world = true_world(after) if after.phase == "cards" else None
            continue
        if before.phase == "move":
            follow(world, before.turn, before, choices[before.turn])
            moved += 1
        if before.phase == "take":
            world.take(before.turn, before.nest, cast(tuple[int, ...], choices[before.turn]))
        if after.round > before.round or "rounds passed" in after.ended:
            round_after(world, after)
        if after.phase != "show" and not after.ended:
            same(world, after)
    assert moved > 20


def follow(world: World, seat: int, before: State, choice: Plain) -> None:
    for card in (1, 2, 3):
        assert sorted(to for on, to in world.moves(seat) if on == card) == sorted(targets(before.mine, seat, card))
    world.move(seat, *choice)  # type: ignore[misc]


def round_after(world: World, after: State) -> None:
    world.next_round()
    assert world.over == bool(after.ended)
    assert after.ended or world.to_act == list(after.order())


@pytest.mark.parametrize("seats", [2, pytest.param(4, marks=pytest.mark.slow)])
def test_of_a_state_no_hidden_color_reaches_a_world(seats: int) -> None:
    for table, _ in steps(GAME, seats, Random(4)):
        truth, view = cast(State, table.arena.truth), cast(State, table.views[0])
        if truth.phase in ("cards", "move", "take"):
            assert world_of(truth, Random(9)).value == world_of(view, Random(9)).value


def test_worlds_of_one_state_differ_in_what_is_hidden_alone_and_draw_from_what_is_left() -> None:
    state = position(2, veins="d5", inside={"d5": (0, 20)}, pawns="d4 g6")
    worlds = [world_of(state, Random(seed)) for seed in range(40)]
    assert {world.value[0][0] for world in worlds} == {2}
    assert {world.value[0][1] for world in worlds} == {1, 2, 3}
    assert {world.value[1][25] for world in worlds} == {2, 4, 6}
    for world in worlds:
        small = [world.value[0][gem] for gem in range(10)]
        assert small.count(3) <= 5


def test_seats_that_left_are_out_of_a_world() -> None:
    for state in played(4, 8, leaves=True):
        if state.phase in ("cards", "move", "take") and not state.ended:
            world = world_of(state, Random(0))
            gone = [seat for seat in range(4) if not state.present[seat]]
            assert all(world.at[seat] < 0 and not list(world.moves(seat)) for seat in gone)
            assert not {*gone} & {*world.to_act}


def test_what_a_copy_does_leaves_the_original_alone() -> None:
    state = evolve(position(2, veins="d5", pawns="d4 g6", loose={"c4": 30}), cards=(1, 1))
    world = world_of(state, Random(1))
    copy = world.copy()
    for name in World.__slots__:
        assert getattr(copy, name) == getattr(world, name)
    nest = copy.move(0, 35, (), ())
    copy.take(0, nest, (0, 20))
    copy.next_round()
    fresh = world_of(state, Random(1))
    for name in World.__slots__:
        assert getattr(fresh, name) == getattr(world, name)
