"""The plans of the last round as a matrix game: what solves it, and what the bot then gives away."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
import scipy

from kimberley.games.contest import NamedContender
from kimberley.games.diamond_trust import GAME
from kimberley.games.diamond_trust.beliefs import worlds
from kimberley.games.diamond_trust.equilibrium import equilibrium
from kimberley.games.diamond_trust.history import History
from kimberley.games.diamond_trust.last_round import LastPlans
from kimberley.games.diamond_trust.parameters import tuned
from kimberley.games.diamond_trust.policy import Noise, Parameters, Policy
from kimberley.games.diamond_trust.rollout import Rollout
from kimberley.games.diamond_trust.rules import State
from kimberley.games.diamond_trust.spaces import OrdersSpace
from kimberley.games.table import space_for
from tests.support.effort import tries
from tests.support.reduced import LAST_ROUNDS, exploitability

ROUNDS = 1000
CHOICES = tries(16, 40)
"""Seeds of whose choices a mix is made."""
INSPECTED = "two agents each, the Inspector on one of the regions, $2"
MIXED = "three regions, two agents each, $3"


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


@pytest.mark.parametrize("name", [INSPECTED, MIXED])
def test_the_orders_of_both_sides_are_legal_and_of_many_kinds(name: str) -> None:
    observation = LAST_ROUNDS[name].observation(0)
    state = observation.state
    assert isinstance(state, State)
    rng = Random(3)
    drawn = worlds(History(0), state, 300, np.random.default_rng(3))
    plans = LastPlans(drawn, 0, Rollout(Policy(Parameters(tuned()[0], tuned()[0])), Noise(rng)))
    for seat in (0, 1):
        space = space_for(LAST_ROUNDS[name].observation(seat).state.ask(), seat)
        assert isinstance(space, OrdersSpace)
        given = {tuple(map(tuple, row.reshape(3, 3).tolist())) for row in plans.some(seat)}
        assert [orders for orders in given if space.violation(orders) is not None] == []
        assert len(given) > 20
        assert any(bribe for orders in given for _, _, bribe in orders)


@pytest.mark.slow
def test_the_last_plan_gives_little_away_where_the_equilibrium_is_mixed() -> None:
    """A mix of so few choices is a little rough; a search without a solution gives away 0.4 to 0.5 in both."""
    player = NamedContender.of(GAME, "search:1").player
    assert exploitability(LAST_ROUNDS[INSPECTED], player, CHOICES) < 0.2
    assert exploitability(LAST_ROUNDS[MIXED], player, CHOICES) < 0.3
