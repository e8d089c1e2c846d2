"""The plans with one month left, solved among the best of a search, in small games whose solution is known."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest

from kimberley.games.diamond_trust.angola import Order, Orders
from kimberley.games.diamond_trust.position import RoundStep
from tests.support.effort import tries
from tests.support.small_rounds import SMALL
from tests.support.strategies import strategies
from tests.support.trust import HUILA

SEEDS = tries(3, 40)


def first_orders(name: str) -> dict[Order, float]:
    """Returns how likely each order of the agent in Huila is, in a small game that begins with the plans."""
    small = replace(SMALL[name], step=RoundStep.PLAN)
    found: dict[Order, float] = {}
    for choice, share in small.first(strategies("search:1"), SEEDS).items():
        order = cast(Orders, choice)[0]
        found[order] = found.get(order, 0) + share
    return found


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "best"), [("two rounds, $1 for each", (HUILA, 1, 0)), ("two rounds, the Inspector there", (HUILA, 0, 0))]
)
def test_it_plans_what_gives_nothing_away(name: str, best: Order) -> None:
    """A search alone makes the plan that is best in six of ten choices."""
    assert first_orders(name) == {best: pytest.approx(1, abs=0.02)}


@pytest.mark.nightly
@pytest.mark.slow
def test_it_bids_as_the_auction_after_it_demands() -> None:
    """Two dollars for two auctions: one in the first gives nothing away, and two only do if the other side bids none.
    A search alone bids none in one of ten choices.
    """
    bids = first_orders("two both-pay auctions from one purse")
    assert bids[HUILA, 1, 0] > 0.5
    assert bids[HUILA, 1, 0] + bids[HUILA, 2, 0] == pytest.approx(1, abs=0.05)
