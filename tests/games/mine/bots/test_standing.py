"""Whether a seat can better its place."""

from __future__ import annotations

from random import Random
from typing import cast

import pytest

from kimberley.games.bots.levels import make_bot
from kimberley.games.mine import GAME
from kimberley.games.mine.bots.standing import can_rise
from kimberley.games.mine.rules import State
from kimberley.games.table import Result
from tests.support.effort import first_is_quick
from tests.support.mine import BLUE, GREEN, PURPLE, RED, hidden, medium, position, small, with_other_colors
from tests.support.seated_arena import SeatedArena

SHUT = ("b4", "b6", "c7", "d5", "e2", "f6", "g4")


def at_the_end(inside: tuple[int, ...] = (), **values: object) -> State:
    """Returns a state of four seats in which one vein, on c3, is still to be exhausted. Seats 0 to 3 have 5, 4, 3 and 2
    points at home.
    """
    stored = {
        0: (small(RED, 1), small(RED, 2), small(PURPLE, 1)),
        1: (small(BLUE, 1), small(BLUE, 2)),
        2: (small(GREEN, 1), small(RED, 3)),
        3: (small(GREEN, 2), small(GREEN, 3)),
    }
    return position(
        4,
        veins=" ".join(("c3", *SHUT)),
        inside={"c3": inside or (small(RED, 0),), **dict.fromkeys(SHUT, ())},
        stored=stored,
        **values,  # type: ignore[arg-type]
    )


def rising(state: State) -> list[int]:
    return [seat for seat in range(state.seats) if can_rise(state, seat)]


def test_the_last_gem_helps_nobody() -> None:
    state = at_the_end()
    assert [state.score(seat) for seat in range(4)] == [5, 4, 3, 2]
    assert rising(state) == []


def test_of_two_gems_in_the_last_vein_one_can_be_brought_home() -> None:
    assert rising(at_the_end((small(RED, 0), medium(RED, 0)))) == [1, 2, 3]


def test_what_a_pawn_carries_and_what_lies_about_counts() -> None:
    assert rising(at_the_end(carried={3: (small(RED, 4),)})) == [3]
    assert rising(at_the_end(carried={0: (small(RED, 4),)})) == []
    assert rising(at_the_end(loose={"d4": medium(PURPLE, 0)})) == [1, 2, 3]


def test_to_be_ahead_alone_is_better_than_to_share_a_place() -> None:
    stored = {seat: (small(color, 0),) for seat, color in enumerate((RED, BLUE, GREEN, PURPLE))}
    veins = " ".join(("c3", *SHUT))
    inside = {"c3": (small(RED, 1),), **dict.fromkeys(SHUT, ())}
    state = position(4, veins=veins, inside=inside, stored=stored, carried={2: (small(GREEN, 1),)})
    assert rising(state) == [2]
    assert rising(state.leave(2)) == []


def test_with_two_seats_only_so_many_veins_can_be_exhausted_before_the_end() -> None:
    """Six of ten veins end the game. Five are exhausted, and in each of the others a gem stays."""
    shut = dict.fromkeys(("a3", "b6", "c5", "e2", "g4"), ())
    stored = {0: (medium(GREEN, 0), medium(GREEN, 1)), 1: (small(BLUE, 4),)}
    single = {name: (small(BLUE, number),) for number, name in enumerate(("c3", "d7", "f3", "g7"))}
    two = {"e5": (small(PURPLE, 4), medium(PURPLE, 4))}
    veins = " ".join((*shut, *single, *two))
    assert rising(position(2, veins=veins, inside={**shut, **single, **two}, stored=stored)) == [1]
    one = {"e5": (medium(PURPLE, 4),)}
    assert rising(position(2, veins=veins, inside={**shut, **single, **one}, stored=stored)) == []


@pytest.mark.parametrize("seats", [2, 4])
def test_what_nobody_has_seen_changes_nothing(seats: int) -> None:
    rng = Random(3)
    bots = [make_bot(GAME, 1, seat).choose for seat in range(seats)]
    table, compared = SeatedArena(GAME, seats, Random(2)), set()
    while not isinstance(ask := table.arena.truth.ask(), Result):
        truth = cast(State, table.arena.truth)
        if truth.phase == "cards":
            found = rising(truth)
            assert rising(hidden(truth)) == rising(with_other_colors(truth, rng)) == found
            compared.add(tuple(found))
        table.apply(table.arena.answer(ask, {seat: bots[seat](table.observation(seat)) for seat in ask.choosers}))
    assert len(compared) > 1


@pytest.mark.parametrize("seed", first_is_quick(*range(4)))
def test_a_seat_that_cannot_rise_never_does(seed: int) -> None:
    bots = [make_bot(GAME, 1, 10 * seed + seat).choose for seat in range(4)]
    table = SeatedArena(GAME, 4, Random(seed))
    held: dict[int, tuple[int, int]] = {}
    while not isinstance(ask := table.arena.truth.ask(), Result):
        state = cast(State, table.arena.truth)
        if state.phase == "cards":
            for seat in range(4):
                stands = ahead(state, seat)
                assert stands >= held.get(seat, (0, 0))
                if not can_rise(state, seat):
                    held[seat] = stands
        table.apply(table.arena.answer(ask, {seat: bots[seat](table.observation(seat)) for seat in ask.choosers}))
    assert held


def ahead(state: State, seat: int) -> tuple[int, int]:
    """Returns how many have more points, and how many as many."""
    points = [state.score(other) for other in range(state.seats)]
    own = points.pop(seat)
    return sum(other > own for other in points), points.count(own)
