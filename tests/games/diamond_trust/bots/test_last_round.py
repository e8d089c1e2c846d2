"""The plans of the last round as a matrix game: what solves it, and what the bot then gives away."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kimberley.games.diamond_trust.angola import HOME
from kimberley.games.diamond_trust.bots.last_round import known_values
from kimberley.games.diamond_trust.spaces import OrdersSpace
from kimberley.games.table import space_for
from tests.support.effort import first_is_quick, tries
from tests.support.last_plans import last_plans
from tests.support.reduced import LAST_ROUNDS, Reduced, exploitability, value
from tests.support.strategies import strategies
from tests.support.trust import CUANDO, HUILA, MOXICO

SEEDS = tries(16, 40)
"""Seeds whose strategies are mixed."""
INSPECTED = "two agents each, the Inspector on one of the regions, $2"
MIXED = "three regions, two agents each, $3"


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


@pytest.mark.parametrize("cash", first_is_quick((2, 2), (2, 1), (1, 2)))
@pytest.mark.parametrize("places", first_is_quick((HUILA, HUILA), (HUILA, CUANDO), (CUANDO, HUILA)))
@pytest.mark.slow
def test_what_a_last_round_is_worth_where_cash_is_known(places: tuple[int, int], cash: tuple[int, int]) -> None:
    """Against a linear program over all orders of both sides."""
    agents = tuple(((at, 0), (HOME, 0), (HOME, 0)) for at in places)
    last = Reduced(agents, (1, 1, 1, 1, 4, 1), HUILA, cash)
    plans = last_plans(last, 2)
    found = known_values(plans.worlds, 0, plans.rollout, 30_000)
    assert found[0] == found[1] == pytest.approx(value(last.matrix()[2]), abs=0.06)


@pytest.mark.nightly
@pytest.mark.slow
def test_the_last_plan_gives_little_away_where_the_equilibrium_is_mixed() -> None:
    """A search without a solution gives away 0.4 to 0.5 in both."""
    player = strategies("search:1")
    assert exploitability(LAST_ROUNDS[INSPECTED], player, SEEDS) < 0.05
    assert exploitability(LAST_ROUNDS[MIXED], player, SEEDS) < 0.1
