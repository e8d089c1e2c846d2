"""Matrix games that are solved by regret matching+, compared with known solutions and with linear programs."""

from __future__ import annotations

import numpy as np
import pytest
import scipy

from kimberley.games.diamond_trust.bots.equilibrium import equilibrium, values
from tests.support.reduced import value

ROUNDS = 1000


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


@pytest.mark.nightly
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


@pytest.mark.slow
def test_a_batch_of_games_is_solved_as_each_alone() -> None:
    payoffs = np.random.default_rng(7).random((6, 5, 4)).astype(np.float32)
    found = values(payoffs, ROUNDS)
    assert found == pytest.approx([value(game.astype(float)) for game in payoffs], abs=0.005)
