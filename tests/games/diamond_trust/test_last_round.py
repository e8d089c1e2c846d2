"""The plans of the last round as a matrix game: what solves it, and what the bot then gives away."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest
import scipy

from kimberley.games.diamond_trust.angola import HOME
from kimberley.games.diamond_trust.beliefs import worlds
from kimberley.games.diamond_trust.equilibrium import equilibrium, values
from kimberley.games.diamond_trust.history import History
from kimberley.games.diamond_trust.last_round import LastPlans, known_values
from kimberley.games.diamond_trust.parameters import tuned
from kimberley.games.diamond_trust.policy import Noise, Parameters, Policy
from kimberley.games.diamond_trust.rollout import Rollout
from kimberley.games.diamond_trust.rules import State
from kimberley.games.diamond_trust.spaces import OrdersSpace
from kimberley.games.table import space_for
from tests.support.effort import tries
from tests.support.reduced import LAST_ROUNDS, Reduced, exploitability, value
from tests.support.strategies import strategies
from tests.support.trust import CUANDO, HUILA, MOXICO

ROUNDS = 1000
SEEDS = tries(16, 40)
"""Of whose strategies a mix is made."""
INSPECTED = "two agents each, the Inspector on one of the regions, $2"
MIXED = "three regions, two agents each, $3"


def policy() -> Rollout:
    """Both sides play as tuned."""
    return Rollout(Policy(Parameters(tuned()[0], tuned()[0])), Noise(Random(3)))


def last_plans(last: Reduced, count: int) -> LastPlans:
    """Of a small last round, in so many worlds."""
    state = last.observation(0).state
    assert isinstance(state, State)
    return LastPlans(worlds(History(0), state, count, np.random.default_rng(3)), 0, policy())


def test_matching_pennies_and_a_saddle_are_solved() -> None:
    pennies = equilibrium(np.array([[1, 0], [0, 1]], np.float32), np.zeros(2, np.intp), ROUNDS)
    assert pennies.rows == pytest.approx([0.5, 0.5], abs=0.01)
    assert pennies.columns == pytest.approx([0.5, 0.5], abs=0.01)
    saddle = equilibrium(np.array([[0.3, 0.1], [0.4, 0.2]], np.float32), np.zeros(2, np.intp), ROUNDS)
    assert (saddle.rows[1], saddle.columns[1]) == pytest.approx((1, 1), abs=0.01)


def test_a_side_that_knows_more_plays_by_what_it_knows() -> None:
    """One type wins by its second column whatever the rows do, and two others are those of matching pennies."""
    payoffs = np.array([[1, 0, 1, 0, 0.5, 0.5], [0.5, 0, 0, 1, 1, 0]], np.float32)
    found = equilibrium(payoffs, np.array([0, 0, 1, 1, 2, 2]), ROUNDS)
    assert found.columns[[1, 5]] == pytest.approx([1 / 3, 1 / 3], abs=0.01)
    assert found.columns.sum() == pytest.approx(1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_no_mix_of_rows_guarantees_more(seed: int) -> None:
    """Against a linear program: of each type, what it gets at most is a variable."""
    rng = np.random.default_rng(seed)
    types = np.sort(rng.integers(0, 3, 24))
    types = np.cumsum(np.r_[False, np.diff(types) > 0])
    payoffs = rng.random((9, 24)).astype(np.float32)
    likely = np.bincount(types) / 24
    one_of = np.eye(len(likely))[types]
    solved = scipy.optimize.linprog(
        c=np.r_[np.zeros(9), -likely],
        A_ub=np.c_[-payoffs.T, one_of], b_ub=np.zeros(24),
        A_eq=np.r_[np.ones(9), np.zeros(len(likely))][None], b_eq=[1],
        bounds=[(0, None)] * 9 + [(None, None)] * len(likely),
    )  # fmt: skip
    found = equilibrium(payoffs, types, ROUNDS)
    paid = found.rows @ payoffs
    guaranteed = sum(share * paid[types == kind].min() for kind, share in enumerate(likely))
    assert guaranteed == pytest.approx(-solved.fun, abs=0.005)


def test_a_batch_of_games_is_solved_as_each_alone() -> None:
    payoffs = np.random.default_rng(7).random((6, 5, 4)).astype(np.float32)
    found = values(payoffs, ROUNDS)
    assert found == pytest.approx([value(game.astype(float)) for game in payoffs], abs=0.005)


@pytest.mark.parametrize("name", [INSPECTED, MIXED])
def test_the_orders_of_both_sides_are_legal_and_of_many_kinds(name: str) -> None:
    plans = last_plans(LAST_ROUNDS[name], 300)
    for seat in (0, 1):
        space = space_for(LAST_ROUNDS[name].observation(seat).state.ask(), seat)
        assert isinstance(space, OrdersSpace)
        given = {tuple(map(tuple, row.reshape(3, 3).tolist())) for row in plans.some(seat)}
        assert [orders for orders in given if space.violation(orders) is not None] == []
        assert len(given) > 20
        assert any(bribe for orders in given for _, _, bribe in orders)


def test_all_cash_can_be_spent_in_every_way() -> None:
    """Two dollars where the Inspector is: both for the diamonds, both for him, or one each."""
    inspected = replace(LAST_ROUNDS[INSPECTED], agents=(((MOXICO, 0), (HOME, 0), (HOME, 0)),) * 2)
    given = {tuple(row[:3].tolist()) for row in last_plans(inspected, 300).some(0)}
    assert given >= {(MOXICO, 2, 0), (MOXICO, 1, 1), (MOXICO, 0, 2)}


def test_several_orders_of_a_world_differ_as_far_as_they_can() -> None:
    different = [len(np.unique(rows, axis=0)) for rows in last_plans(LAST_ROUNDS[MIXED], 3).several(0, 40, 400)]
    assert different == [40] * 3
    poor = last_plans(replace(LAST_ROUNDS[MIXED], cash=(0, 0)), 3).several(0, 40, 400)
    assert poor.shape[:2] == (3, 40)
    assert {len(np.unique(rows, axis=0)) for rows in poor} <= set(range(1, 40))


@pytest.mark.parametrize("cash", [(2, 2), (2, 1), (1, 2)])
@pytest.mark.parametrize("places", [(HUILA, HUILA), (HUILA, CUANDO), (CUANDO, HUILA)])
def test_what_a_last_round_is_worth_where_cash_is_known(places: tuple[int, int], cash: tuple[int, int]) -> None:
    """Against a linear program over all orders of both sides."""
    agents = tuple(((at, 0), (HOME, 0), (HOME, 0)) for at in places)
    last = Reduced(agents, (1, 1, 1, 1, 4, 1), HUILA, cash)
    plans = last_plans(last, 2)
    found = known_values(plans.worlds, 0, policy(), 30_000)
    assert found[0] == found[1] == pytest.approx(value(last.matrix()[2]), abs=0.06)


@pytest.mark.slow
def test_the_last_plan_gives_little_away_where_the_equilibrium_is_mixed() -> None:
    """A search without a solution gives away 0.4 to 0.5 in both."""
    player = strategies("search:1")
    assert exploitability(LAST_ROUNDS[INSPECTED], player, SEEDS) < 0.05
    assert exploitability(LAST_ROUNDS[MIXED], player, SEEDS) < 0.1
