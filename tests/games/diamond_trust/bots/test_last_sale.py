"""The last sale and the last payments: what a last round is worth, and what the bot then sells and pays."""

from __future__ import annotations

import numpy as np
import pytest

from kimberley.games.diamond_trust.bots.double_oracle import cash_types
from kimberley.games.diamond_trust.bots.last_payments import last_payments
from kimberley.games.diamond_trust.bots.last_round import LastPlans, last_values
from tests.support.effort import tries
from tests.support.last_plans import last_plans
from tests.support.reduced import ONE_EACH, Reduced
from tests.support.small_rounds import SMALL
from tests.support.strategies import strategies
from tests.support.trust import UIGE

SEEDS = tries(16, 40)
MIXED_SALE = "a sale, then the last two"


def last_round(cash: tuple[int, int]) -> LastPlans:
    """Returns the plans of a last round in which both sides have an agent where two diamonds lie, and these dollars."""
    return last_plans(Reduced(ONE_EACH, (0, 0, 0, 0, 2, 0), UIGE, cash), 12)


@pytest.mark.parametrize(("cash", "worth"), [((3, 3), 0.5), ((3, 2), 1.0), ((2, 3), 0.0)])
def test_a_last_round_is_worth_what_the_dollars_for_its_auction_are(cash: tuple[int, int], worth: float) -> None:
    assert last_values(last_round(cash)) == pytest.approx(worth, abs=0.05)


def test_each_amount_of_cash_of_the_other_side_is_a_type() -> None:
    drawn = last_round((3, 3)).worlds
    drawn.cash[1] = np.sort(np.arange(drawn.size, dtype=np.int16) // 5)
    assert cash_types(drawn, 0).tolist() == [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2]


def test_nothing_is_paid_to_agents_where_every_dollar_is_bid_after_that() -> None:
    plans = last_round((3, 3))
    paid = last_payments(np.array([[1, 0, 0], [3, 0, 0]], np.int16), plans.worlds, 0, plans.rollout)
    assert paid == [([0, 0, 0], 1.0)]


@pytest.mark.nightly
@pytest.mark.slow
def test_it_mixes_sales_where_each_number_could_be_answered() -> None:
    """The solution sells none, one or two with 40%, 20% and 40%; a search sells the same number nearly always."""
    sold = SMALL[MIXED_SALE].first(strategies("search:1"), SEEDS)
    assert set(sold) == {0, 1, 2}
    assert max(sold.values()) < 0.7
