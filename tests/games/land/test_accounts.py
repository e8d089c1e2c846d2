"""The accounts of the land game: tax and revenue, with figures worked out by hand.

On the map of these tests the river runs down column f; a is desert, b coal, c farmland, d diamonds, e farmland.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from kimberley.games.land.accounts import account, connected, explain, explain_opening, groups
from kimberley.games.land.money import K
from kimberley.games.table import Roll
from tests.support.land import STRIPES, cash, land, table, turn

# -- tax ---------------------------------------------------------------------------------------------------------------


def test_tax_is_two_percent_of_the_sale_price_not_of_the_base() -> None:
    state = table({"a1": (0, "7.77"), "d1": (0, "0"), "b9": (0, "250"), "b1": (1, "999")})
    assert cash(state)[0] == 500 - Fraction(777, 5000) - 0 - 5
    assert state.opening is not None
    assert (state.opening.tax, state.opening.revenue) == (777 + 25000, 0)


def test_the_smallest_price_is_taxed_to_the_unit() -> None:
    assert table({"a1": (0, "0.01")}).cash[0] == 500 * K - 1


def test_tax_is_paid_before_the_roll_and_by_who_has_the_turn_alone() -> None:
    state = table({"a1": (0, "100"), "a2": (1, "100")})
    assert cash(state) == [498, 500]
    assert isinstance(state.ask(), Roll)
    assert cash(turn(state)) == [498, 498]


# -- revenue -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parcel", "revenue"), [("e1", Fraction(1, 2)), ("g1", Fraction(1, 10))], ids=["farmland", "desert"]
)
def test_a_parcel_beside_the_river_earns_ten_percent_of_its_base(parcel: str, revenue: Fraction) -> None:
    assert cash(table({parcel: (0, "0")}))[0] == 500 + revenue


def test_revenue_does_not_depend_on_the_sale_price() -> None:
    assert cash(table({"e1": (0, "50")}))[0] == 500 + Fraction(1, 2) - 1


def test_a_path_of_own_parcels_connects() -> None:
    path = {"e1": (0, "0"), "d1": (0, "0"), "c1": (0, "0"), "b1": (0, "0")}
    assert cash(table(path))[0] == 500 + Fraction(1, 2) + 10 + Fraction(1, 2) + 2
    for gap, left in (("e1", 0), ("d1", Fraction(1, 2)), ("b1", 11)):
        assert cash(table({name: own for name, own in path.items() if name != gap}))[0] == 500 + left


def test_corners_do_not_connect() -> None:
    assert cash(table({"e1": (0, "0"), "d2": (0, "0")}))[0] == 500 + Fraction(1, 2)
    assert cash(table({"e1": (0, "0"), "e2": (0, "0"), "d2": (0, "0")}))[0] == 511


def test_land_of_others_does_not_connect() -> None:
    assert cash(table({"e1": (1, "0"), "d1": (0, "0")})) == [500, 500]


def test_a_path_may_cross_sectors() -> None:
    path = dict.fromkeys(("g4", "h4", "i4", "j4", "j5"), (0, "0"))
    assert cash(table(path))[0] == 500 + Fraction(1, 10) + Fraction(1, 2) + 2 + 10 + 10


def test_every_group_is_explained_in_figures() -> None:
    owned = land({"e1": (0, "6"), "d1": (0, "150"), "a1": (0, "1.20"), "a2": (0, "0"), "l12": (0, "2"), "b2": (1, "9")})
    found = account(STRIPES, owned, 0)
    assert [[STRIPES.name(parcel) for parcel in group.parcels] for group in found.groups] == [
        ["a1", "a2"],
        ["d1", "e1"],
        ["l12"],
    ]
    assert [(group.river, group.tax, group.revenue) for group in found.groups] == [
        (False, 120, 0),
        (True, 15600, 52500),
        (False, 200, 0),
    ]
    assert (found.tax, found.revenue, found.net) == (15920, 52500, 36580)
    assert [STRIPES.name(line.parcel) for line in found.lines] == ["a1", "d1", "e1", "a2", "l12"]
    assert [(line.kind, line.price, line.tax, line.revenue, line.group) for line in found.lines[:3]] == [
        ("D", 120, 120, 0, 0),
        ("P", 15000, 15000, 50000, 1),
        ("F", 600, 600, 2500, 1),
    ]
    assert explain(STRIPES, found.lines[1]) == (
        "d1, diamond field: tax 3K, 2% of its price 150.00K; revenue 10K, 10% of the base price 100.00K."
    )
    assert explain(STRIPES, found.lines[0]).endswith("; no revenue, as it is not connected to the river.")
    assert {STRIPES.name(parcel) for parcel in connected(STRIPES, owned, 0)} == {"d1", "e1"}
    assert groups(STRIPES, owned, 1) == ((STRIPES.parcel("b2"),),)


def test_what_a_turn_brought_is_the_sum_that_its_account_explains() -> None:
    state = table({"e1": (0, "6"), "d1": (0, "150"), "a1": (0, "1.20")}, due=(30, 0))
    found = account(STRIPES, state.land, 0)
    opening = state.opening
    assert opening is not None
    assert (opening.before, opening.credits, opening.tax, opening.revenue, opening.after) == (
        500 * K,
        30 * K,
        found.tax,
        found.revenue,
        state.cash[0],
    )
    assert explain_opening(opening) == "500 + 30 sales - 3.144 tax + 10.5 revenue = 537.356K"
