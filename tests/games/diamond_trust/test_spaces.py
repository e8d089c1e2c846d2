"""What each choice of Diamond Trust may be, and the words that refuse the rest."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kimberley.games.diamond_trust.angola import HOME
from kimberley.games.diamond_trust.spaces import (
    NumberSpace,
    OrdersSpace,
    PayTellSpace,
    PlanTellSpace,
    RegionSpace,
    SaleTellSpace,
)
from kimberley.games.table import Plain, Space, Unreadable
from tests.support.laws import check_space
from tests.support.plain import PLAIN
from tests.support.trust import HUILA, LUNDA, UIGE

HOME_STAY = (HOME, 0, 0)
MOVE = OrdersSpace(seat=1, at=(HOME, UIGE, LUNDA), inspector=HUILA, most=9)
STAY = MOVE.stay()
BOUND = OrdersSpace(1, (HOME, UIGE, LUNDA), HUILA, 9, STAY)
AT_HOME, ABROAD = PayTellSpace(at_home=True), PayTellSpace(at_home=False)
PLANNED = PlanTellSpace(owner=0, inspector=HUILA, most=30)
SOLD, UNSOLD = SaleTellSpace(at_home=True, vault=4), SaleTellSpace(at_home=False, vault=4)
SPACES: list[Space] = [
    MOVE,
    BOUND,
    RegionSpace(),
    NumberSpace(4),
    NumberSpace(4, 2),
    AT_HOME,
    ABROAD,
    PLANNED,
    SOLD,
    UNSOLD,
]


def test_staying_is_free_and_legal() -> None:
    assert STAY == (HOME_STAY, (UIGE, 0, 0), (LUNDA, 0, 0))
    assert MOVE.violation(STAY) is None
    assert MOVE.cost(STAY) == 0


def test_a_move_costs_trips_payments_and_bribes() -> None:
    assert MOVE.cost(((HUILA, 2, 1), (HOME, 0, 0), (LUNDA, 1, 0))) == (2 + 2 + 1) + 2 + 1


@pytest.mark.parametrize(
    ("space", "choice", "reason"),
    [
        (MOVE, (HOME_STAY, HOME_STAY, HOME_STAY), None),
        (MOVE, ((HUILA, 5, 2), (UIGE, 0, 0), (LUNDA, 0, 0)), None),
        (MOVE, ((HUILA, 5, 3), (UIGE, 0, 0), (LUNDA, 0, 0)), "this costs $10; you have $9"),
        (MOVE, (HOME_STAY, (LUNDA, 0, 0), (LUNDA, 0, 0)), "only one agent of each side can be in Lunda"),
        (MOVE, (HOME_STAY, (UIGE, 0, 1), (LUNDA, 0, 0)), "the Inspector is not in Uige"),
        (MOVE, ((HOME, 0, 1), (UIGE, 0, 0), (LUNDA, 0, 0)), "the Inspector is not in Antwerp"),
        (MOVE, ((HOME, 1, 0), (UIGE, 0, 0), (LUNDA, 0, 0)), "there are no diamonds to pay for in Antwerp"),
        (MOVE, ((7, 0, 0), (UIGE, 0, 0), (LUNDA, 0, 0)), "destinations are the regions 0 to 5 and home, 6"),
        (MOVE, ((-1, 0, 0), (UIGE, 0, 0), (LUNDA, 0, 0)), "destinations are the regions 0 to 5 and home, 6"),
        (MOVE, ((HUILA, -1, 0), (UIGE, 0, 0), (LUNDA, 0, 0)), "a payment cannot be negative"),
        (MOVE, (HOME_STAY, (UIGE, 0, 0)), "expected orders for 3 agents"),
        (MOVE, (HOME_STAY, (UIGE, 0), (LUNDA, 0, 0)), "an agent’s orders are destination, payment and Inspector"),
        (MOVE, ((True, 0, 0), (UIGE, 0, 0), (LUNDA, 0, 0)), "an agent’s orders are destination, payment and Inspector"),
        (BOUND, STAY, None),
        (BOUND, (HOME_STAY, (UIGE, 1, 0), (LUNDA, 0, 0)), "your orders stand: they cannot be changed now"),
        (RegionSpace(), 5, None),
        (RegionSpace(), HOME, "the Inspector can only be in regions 0 to 5"),
        (RegionSpace(), False, "expected the number of a region"),
        (NumberSpace(4), 4, None),
        (NumberSpace(4), 5, "5 is not between 0 and 4"),
        (NumberSpace(4), None, "expected a whole number"),
        (NumberSpace(4, 2), 3, "your choice was 2 and cannot be changed now"),
        (AT_HOME, (3, (None, 1, None), 12), None),
        (AT_HOME, (3, (None, 1, None), None), "cash is revealed only at home"),
        (ABROAD, (3, (None, 1, None), 12), "cash is revealed only at home"),
        (ABROAD, (3, (None, 0, None), None), "an amount is out of the range 0 to 210"),
        (ABROAD, (211, (None, 1, None), None), "an amount is out of the range 0 to 210"),
        (ABROAD, (3, (None, None), None), "expected a salary, three totals of bribes or none, and cash or none"),
        (PLANNED, (HUILA, 20, 10), None),
        (PLANNED, (HUILA, 20, 11), "no side can pay more than $30"),
        (PLANNED, (UIGE, 0, 1), "the Inspector is not in Uige"),
        (PLANNED, (HOME, 3, 0), "there are no diamonds to pay for in London"),
        (SOLD, (12, 4), None),
        (SOLD, (12, 5), "cash is from 0 to 210, a sale from 0 to 4"),
        (SOLD, None, "the sale is revealed only at home"),
        (UNSOLD, None, None),
        (UNSOLD, (12, 4), "the sale is revealed only at home"),
        (SOLD, (12,), "expected cash and a number of diamonds, or none"),
    ],
)
def test_a_space_names_the_rule_that_forbids(space: Space, choice: Plain, reason: str | None) -> None:
    said = space.violation(choice)
    assert said is None if reason is None else said is not None and said.startswith(reason)


def test_what_cannot_be_read_raises() -> None:
    for space in SPACES:
        with pytest.raises(Unreadable):
            space.read("home")


@pytest.mark.slow
@settings(max_examples=10)
@given(data=st.lists(PLAIN, min_size=5, max_size=5), seed=st.integers(0, 2**32))
def test_spaces_judge_any_data(data: list[Any], seed: int) -> None:
    for space in SPACES:
        check_space(space, data, Random(seed))
