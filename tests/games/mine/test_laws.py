"""What holds at every moment of any game of Diamond Mine: nobody knows more than was shown, no gem is in two places."""

from __future__ import annotations

from random import Random
from typing import cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kimberley.games.mine import GAME
from kimberley.games.mine.gems import ALIKE, CAPACITY, bag
from kimberley.games.mine.mine import Mine
from kimberley.games.mine.rules import COLOR, LAST, QUIET, State
from kimberley.games.mine.squares import homes
from kimberley.games.table import HIDDEN, Result, Show, Shuffle
from tests.support.effort import first_is_quick
from tests.support.laws import check_bot, steps
from tests.support.mine import played

every_table = pytest.mark.parametrize("seats", GAME.seats)
fewest_are_quick = pytest.mark.parametrize("seats", first_is_quick(*GAME.seats))
few = settings(max_examples=3, deadline=None, suppress_health_check=[HealthCheck.too_slow])
seeds = st.integers(0, 2**32)


@pytest.mark.slow
@every_table
@pytest.mark.nightly
def test_bots_that_think_ahead_choose_legally_in_games_at_random(seats: int) -> None:
    for number, (table, ask) in enumerate(steps(GAME, seats, Random(3))):
        if not isinstance(ask, Result) and number % 15 < 2:
            for seat in ask.choosers:
                check_bot(GAME, table.observation(seat), 5 + seat, 3)


# -- what nobody may know ----------------------------------------------------------------------------------------------


@fewest_are_quick
@few
@given(seeds)
def test_no_seat_knows_a_gem_in_a_vein_that_nobody_has_landed_on(seats: int, seed: int) -> None:
    for table, _ in steps(GAME, seats, Random(seed)):
        truth = cast(State, table.arena.truth)
        landed = {gem for ask, _ in table.observation(0).story if isinstance(ask, Show) for gem in ask.items}
        for view in (*table.views, table.spectator):
            state = cast(State, view)
            for item, true in zip(state.items, truth.items, strict=True):
                assert item.parts == (true.parts if item.handle in landed else (HIDDEN,))
        opened = {gem for nest, seen in enumerate(truth.mine.opened) if seen for gem in (nest, truth.mine.each + nest)}
        assert landed == opened


@every_table
def test_what_is_unseen_is_counted_by_color_without_looking(seats: int) -> None:
    for table, _ in steps(GAME, seats, Random(6)):
        truth, spectator = cast(State, table.arena.truth), cast(State, table.spectator)
        assert truth.unknown() == spectator.unknown()
        hidden = [item.parts[COLOR] for item in truth.items if not item.seen[COLOR]]
        if len(truth.items) == 2 * truth.mine.each:
            counts = [sum(both) for both in zip(*truth.unknown(), strict=True)]
            assert counts == [hidden.count(color) for color in range(4)]


# -- every gem is in one place -----------------------------------------------------------------------------------------


def everywhere(mine: Mine) -> list[int]:
    """Returns all gems in play, wherever they are."""
    lying = [gem for _, gem in mine.loose]
    return [*lying, *mine.lost, *(gem for group in (*mine.inside, *mine.carried, *mine.stored) for gem in group)]


@pytest.mark.parametrize(("seats", "fifth", "leaves"), [(2, False, False), (4, False, True), (4, True, False)])
@few
@given(seeds)
def test_no_gem_is_lost_or_in_two_places(seats: int, fifth: bool, leaves: bool, seed: int) -> None:
    each = 5 * ALIKE if fifth else 4 * ALIKE
    for state in played(seats, seed, fifth=fifth, leaves=leaves):
        assert sorted([*everywhere(state.mine), *state.rest()]) == list(range(2 * each))
        if len(state.items) == 2 * each:
            assert sorted(item.parts for item in state.items[:each]) == sorted(bag(5 if fifth else 4))
            assert sorted(item.parts for item in state.items[each:]) == sorted(bag(5 if fifth else 4))


@pytest.mark.parametrize(("seats", "leaves"), [(2, False), (4, False), (4, True)])
@few
@given(seeds)
def test_every_position_keeps_the_rules_of_the_board(seats: int, leaves: bool, seed: int) -> None:
    for state in played(seats, seed, leaves=leaves):
        mine = state.mine
        corners = homes(seats)
        pawns = [pawn for pawn in mine.pawns if pawn is not None]
        assert len({*pawns}) == len(pawns)
        assert len({*mine.veins}) == len(mine.veins)
        assert not {*mine.veins} & {*corners}
        lying = [square for square, _ in mine.loose]
        assert len({*lying}) == len(lying)
        assert not {*lying} & {*mine.veins, *corners}
        for seat, pawn in enumerate(mine.pawns):
            assert mine.load(seat) <= CAPACITY
            assert pawn not in corners or pawn == corners[seat]
            assert pawn != corners[seat] or not mine.carried[seat]
        assert mine.exhausted <= LAST[seats]
        assert state.quiet <= QUIET


@every_table
@few
@given(seeds)
def test_points_come_from_what_is_at_home_and_only_grow(seats: int, seed: int) -> None:
    before = (0,) * seats
    for state in played(seats, seed):
        points = tuple(state.score(seat) for seat in range(seats))
        assert all(new >= old for new, old in zip(points, before, strict=True))
        assert all((new > old) <= (state.mine.pawns[seat] == state.mine.home(seat)) for seat, (new, old) in
                   enumerate(zip(points, before, strict=True)))  # fmt: skip
        ask = state.ask()
        if isinstance(ask, Result):
            assert ask.scores == tuple((one,) for one in points)
            assert ask.places == tuple(1 + sum(other > one for other in points) for one in points)
        before = points


@pytest.mark.slow
@fewest_are_quick
def test_games_at_random_end_by_exhaustion_or_by_agreement(seats: int) -> None:
    reasons = {list(played(seats, seed))[-1].ended for seed in range(25)}
    agreed = f"{'both' if seats == 2 else 'all'} players agreed to end the game"
    assert reasons >= {f"{LAST[seats]} veins were exhausted", agreed}


def test_small_and_medium_gems_are_two_bags_of_which_neither_is_shuffled_twice() -> None:
    for _, state in zip(range(200), played(4, 1), strict=False):
        ask = state.ask()
        assert isinstance(ask, Shuffle) == (state.phase in ("small", "medium"))
