"""The deals of a turn of the land game: what is bought, sold and priced, and what is refused.

On the map of these tests the river runs down column f; a is desert, b coal, c farmland, d diamonds, e farmland.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from kimberley.games.land.land import GOVERNMENT, Land
from kimberley.games.land.money import GOAL, HIGHEST, K
from kimberley.games.land.notation import DealNotationError
from kimberley.games.table import Plain, evolve
from tests.support.land import STRIPES, asking, cash, choose, land, owner, roll, space, table, turn

# -- buying ------------------------------------------------------------------------------------------------------------


def test_the_government_sells_at_the_base_price() -> None:
    state = turn(table(), deals="buy a1 1; buy b1 20; buy c1 5; buy d1 100")
    assert cash(state)[0] == 500 - 126
    assert [owner(state, name) for name in ("a1", "b1", "c1", "d1", "a2")] == [0, 0, 0, 0, GOVERNMENT]
    assert state.government - -1000 * K == 126 * K


def test_the_buyer_sets_the_sale_price_at_once_and_by_default_it_is_what_was_paid() -> None:
    state = turn(table({"b2": (1, "33.33")}), deals="buy a1 8.25; buy d1; buy b2")
    assert [asking(state, name) for name in ("a1", "d1", "b2")] == ["8.25", "100.00", "33.33"]


def test_another_players_parcel_is_sold_at_its_sale_price_and_the_money_comes_with_the_sellers_next_turn() -> None:
    state = turn(table({"b2": (1, "30")}), deals="buy b2 44")
    assert owner(state, "b2") == 0
    # It is the seller's turn now: 30 came in, and no tax is due for what is sold.
    assert cash(state) == [470, 530]
    assert state.opening is not None
    assert (state.opening.before, state.opening.credits, state.opening.tax) == (500 * K, 30 * K, 0)


def test_credits_wait_for_the_sellers_own_turn() -> None:
    state = turn(table({"b2": (0, "30"), "b3": (0, "7")}, (500, 500, 500), seat=2), deals="buy b2")
    assert (state.seat, state.due, cash(state)) == (1, (30 * K, 0, 0), [500, 500, 470])
    state = turn(state, deals="buy b3")
    assert (state.seat, state.due, cash(state)) == (0, (0, 0, 0), [537, 493, 470])


def test_a_parcel_may_cost_nothing() -> None:
    state = turn(table({"b2": (1, "0")}), deals="buy b2; sell b2")
    assert cash(state) == [510, 500]


def test_land_is_dealt_in_the_rolled_sector_alone() -> None:
    state = roll(table({"i1": (0, "5"), "i2": (1, "5")}), (0, 0))
    for deals in ("buy e1", "buy i2 5", "sell i1", "price i1 7", "buy a5"):
        with pytest.raises(DealNotationError, match=r"is outside the sector in play \(1,1\)"):
            choose(state, deals)
    assert owner(turn(table(), (2, 2), "buy l12"), "l12") == 0


def test_the_river_is_nobodys() -> None:
    with pytest.raises(DealNotationError, match="f1 is part of the river, which nobody can own"):
        choose(roll(table(), (0, 1)), "buy f1")


def test_nobody_buys_what_is_dearer_than_the_balance() -> None:
    state = roll(table(cash=(119, 500)))
    with pytest.raises(DealNotationError, match=r"d1 costs 100\.00K; you have 99K"):
        choose(state, "buy b1; buy d1")
    assert cash(choose(state, "buy d1"))[0] == 19
    assert cash(turn(table(cash=(100, 500)), deals="buy d1"))[0] == 0


def test_the_order_of_deals_is_free_as_far_as_the_cash_goes() -> None:
    state = roll(table({"b1": (0, "0")}, (95, 500)))
    with pytest.raises(DealNotationError, match=r"d1 costs 100\.00K"):
        choose(state, "buy d1 120; sell b1")
    after = choose(state, "price b1 7; sell b1; buy d1 120; price d1 130; buy a1")
    assert cash(after)[0] == 95 + 10 - 100 - 1
    assert asking(after, "d1") == "130.00"


def test_ones_own_parcel_is_not_bought() -> None:
    with pytest.raises(DealNotationError, match="you already own a1"):
        choose(roll(table({"a1": (0, "1")})), "buy a1")


# -- selling -----------------------------------------------------------------------------------------------------------


def test_the_government_pays_half_the_base_whatever_the_sale_price() -> None:
    owned = {"a1": (0, "0"), "b1": (0, "0"), "c1": (0, "0"), "d1": (0, "0")}
    for name, half in (("a1", Fraction(1, 2)), ("b1", 10), ("c1", Fraction(5, 2)), ("d1", 50)):
        state = turn(table(owned), deals=f"sell {name}")
        assert cash(state)[0] == 500 + half
        assert (owner(state, name), state.land.price(STRIPES.parcel(name))) == (
            GOVERNMENT,
            STRIPES.base(STRIPES.parcel(name)),
        )


def test_what_was_sold_can_be_bought_at_once_at_the_full_base() -> None:
    state = turn(table({"d1": (0, "0")}), deals="sell d1; buy d1")
    assert cash(state)[0] == 450
    assert (owner(state, "d1"), asking(state, "d1")) == (0, "100.00")


def test_nobody_sells_what_is_not_ones_own() -> None:
    state = roll(table({"a1": (1, "1")}))
    with pytest.raises(DealNotationError, match="you cannot sell a1: it is another player’s"):
        choose(state, "sell a1")
    with pytest.raises(DealNotationError, match="you cannot sell a2: it is the government’s"):
        choose(state, "sell a2")


# -- pricing -----------------------------------------------------------------------------------------------------------


def test_own_prices_in_the_sector_can_be_set_from_nothing_to_999() -> None:
    state = turn(table({"a1": (0, "1"), "a2": (0, "1"), "b1": (0, "1")}), deals="price a1 0; price a2 b1 999")
    assert [asking(state, name) for name in ("a1", "a2", "b1")] == ["0.00", "999.00", "999.00"]
    draft = space(roll(table({"a1": (0, "1")}))).draft()
    for cents in (-1, HIGHEST + 1):
        assert draft.violation(("price", 0, cents)) == "a sale price is between 0.00K and 999.00K"
        assert draft.violation(("buy", 1, cents)) == "a sale price is between 0.00K and 999.00K"


def test_nobody_prices_what_is_not_ones_own() -> None:
    state = roll(table({"a1": (1, "1")}))
    with pytest.raises(DealNotationError, match="you cannot price a1: it is another player’s"):
        choose(state, "price a1 2")


def test_sixteen_prices_are_one_choice() -> None:
    names = [STRIPES.name(parcel) for parcel in STRIPES.parcels(0, 0)]
    state = roll(table(dict.fromkeys(names, (0, "1"))))
    after = choose(state, f"price {' '.join(names)} 12.34")
    assert {asking(after, name) for name in names} == {"12.34"}


def test_a_turn_is_at_most_64_deals() -> None:
    offered = space(roll(table({"a1": (0, "1")})))
    same = ("price", 0, 100)
    assert offered.violation((same,) * 64) is None
    assert offered.violation((same,) * 65) == "a turn has at most 64 deals, not 65"


# -- spaces ------------------------------------------------------------------------------------------------------------


STRANGE = {
    None: "a turn is a tuple of deals",
    "pass": "a turn is a tuple of deals",
    ("sell", 0): "a deal is a tuple",
    ((),): "a deal is a tuple",
    ((1, 2),): "begins with sell, buy or price",
    (("steal", 0),): "not 'steal'",
    (("sell", 0, 1),): "to sell takes a parcel, as whole numbers",
    (("sell", True),): "to sell takes a parcel",
    (("buy", 1),): "to buy takes a parcel and a sale price",
    (("price", 1, "2"),): "to price takes a parcel and a sale price",
    (("buy", 1, None),): "to buy takes a parcel and a sale price",
    (("sell", -1),): "no such parcel",
    (("sell", 144),): "no such parcel",
    (("buy", 2**62, 1),): "no such parcel",
}


@pytest.mark.parametrize(("choice", "message"), STRANGE.items(), ids=map(repr, STRANGE))
def test_what_is_no_turn_is_refused_with_a_word(choice: Plain, message: str) -> None:
    reason = space(roll(table({"a1": (0, "1")}))).violation(choice)
    assert reason is not None
    assert message in reason


def test_a_draft_says_what_can_be_done_and_what_it_means() -> None:
    draft = space(roll(table({"a1": (0, "1"), "d1": (1, "70")}, (900, 500)))).draft()
    names = [STRIPES.name(parcel) for parcel in draft.buyable()]
    assert len(names) == 15
    assert "d1" in names
    assert draft.own() == (0,)
    parcel = STRIPES.parcel("d1")
    assert (draft.cost(parcel), draft.default(parcel), draft.gain(parcel)) == (70 * K, 7000, 50 * K)
    bought = draft.then(("buy", parcel, 5))
    assert (bought.cash, bought.deals, bought.verdict()) == (draft.cash - 70 * K, (("buy", parcel, 5),), None)
    (done,) = bought.dealt
    assert (done.seller, done.paid, done.was) == (1, 70 * K, 7000)
    assert draft.all(bought.deals) == bought
    assert evolve(draft, cash=GOAL).verdict() == "wins"
    assert evolve(draft, cash=-1).verdict() == "loses"
    assert evolve(draft, cash=-1).buyable() == ()


def test_land_is_compared_as_a_whole() -> None:
    assert land({"a1": (0, "1")}) == land({"a1": (0, "1")})
    assert land({"a1": (0, "1")}) != land({"a1": (0, "2")})
    assert land({"a1": (0, "1")}) != land({"a1": (1, "1")})
    assert hash(land({"a1": (0, "1")})) == hash(land({"a1": (0, "1")}))
    assert repr(land({"a1": (0, "1")})) == "Land({0: (0, 100)})"
    assert Land() != "land"
