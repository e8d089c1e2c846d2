"""The rules of the land game, one by one, with figures worked out by hand.

On the map of these tests the river runs down column f; a is desert, b coal, c farmland, d diamonds, e farmland.
"""

from __future__ import annotations

from fractions import Fraction
from typing import cast

import pytest

from kimberley.games.land import GAME
from kimberley.games.land.accounts import account, connected, explain, explain_opening, groups
from kimberley.games.land.land import GOVERNMENT, Land
from kimberley.games.land.maps import shipped
from kimberley.games.land.money import GOAL, HIGHEST, K, balance, price, read_price
from kimberley.games.land.notation import DealNotationError
from kimberley.games.land.rolled import LIMIT, rolled_map
from kimberley.games.land.rules import State
from kimberley.games.table import Decide, Plain, Result, Roll, evolve
from tests.support.land import STRIPES, cash, choose, land, result, roll, space, table, turn


def owner(state: State, name: str) -> int:
    return state.land.owner(STRIPES.parcel(name))


def asking(state: State, name: str) -> str:
    return price(state.land.price(STRIPES.parcel(name)))


# -- money -------------------------------------------------------------------------------------------------------------


def test_money_is_exact_in_steps_of_two_hundredths_of_a_hundredth() -> None:
    assert [balance(units) for units in (0, 1, 50, K, 500 * K, 3062209, -1, -K)] == [
        "0.0000",
        "0.0002",
        "0.0100",
        "1.0000",
        "500.0000",
        "612.4418",
        "-0.0002",
        "-1.0000",
    ]
    assert Fraction(2, 100) * Fraction(1, 100) == Fraction(1, K)


def test_prices_are_written_and_read_with_two_decimals() -> None:
    assert [price(cents) for cents in (0, 1, 777, 3000, HIGHEST)] == ["0.00", "0.01", "7.77", "30.00", "999.00"]
    for text, cents in (("30", 3000), ("30.5", 3050), ("0.01", 1), (" 999.00K ", 99900), ("007", 700)):
        assert read_price(text) == cents
    for wrong in ("", "-1", "1.234", "1,5", "K", "1e3", "٣", "1 2"):
        with pytest.raises(ValueError, match="is not a price"):
            read_price(wrong)
    with pytest.raises(ValueError, match=r"at most 999\.00K, not 999\.01K"):
        read_price("999.01")


# -- the start ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_everybody_begins_with_500_and_all_land_is_the_governments(seats: int) -> None:
    state = GAME.start(seats, {})
    assert cash(state) == [500] * seats
    assert state.ask() == Roll((seats,))
    begun = state.apply((seats - 1,))
    assert (begun.first, GAME.starting_seat(begun), begun.seat, begun.ask()) == (
        seats - 1,
        seats - 1,
        seats - 1,
        Roll((6, 6)),
    )
    assert begun.land.owned() == ()
    map = shipped("kimberley")
    assert all(begun.land.price(parcel) == map.base(parcel) for parcel in range(len(map.kinds)))
    assert cash(begun) == [500] * seats


def test_who_begins_may_be_settled_before() -> None:
    state = GAME.start(3, {}, 2)
    assert (GAME.starting_seat(state), state.seat, state.ask()) == (2, 2, Roll((6, 6)))
    assert GAME.starting_seat(GAME.start(3, {})) is None


def test_a_map_is_rolled_together_with_who_begins() -> None:
    state = GAME.start(4, {"map": "rolled-small"})
    assert state.ask() == Roll((4, LIMIT, LIMIT, LIMIT, LIMIT))
    begun = state.apply((3, 1, 2, 3, 4))
    assert (begun.first, begun.map) == (3, rolled_map((1, 2, 3, 4), 12))
    rematch = GAME.start(4, {"map": "rolled"}, 1)
    assert rematch.ask() == Roll((LIMIT, LIMIT, LIMIT, LIMIT))
    begun = rematch.apply((1, 2, 3, 4))
    assert (begun.seat, begun.map, begun.ask()) == (1, rolled_map((1, 2, 3, 4), 24), Roll((6, 6)))


@pytest.mark.parametrize(
    ("seats", "options", "begins", "message"),
    [
        (1, {}, None, "2 to 6 players, not 1"),
        (7, {}, None, "2 to 6 players, not 7"),
        (2, {"maps": "small"}, None, "no option called 'maps', only map and turns"),
        (2, {"map": "antwerp"}, None, "map is one of kimberley, small, rolled, rolled-small"),
        (2, {"turns": 10}, None, "turns is one of 0, 25, 50, 100, not 10"),
        (2, {"turns": False}, None, "not False"),
        (2, {}, 2, "seat 2 cannot begin"),
    ],
)
def test_what_cannot_be_played_is_refused(
    seats: int, options: dict[str, Plain], begins: int | None, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        GAME.start(seats, options, begins)


def test_the_black_die_names_the_row_and_the_white_die_the_column() -> None:
    state = GAME.start(2, {}, 0).apply((2, 3))
    assert (state.dice, state.sector) == ((2, 3), (2, 3))
    assert space(state).parcels == shipped("kimberley").parcels(2, 3)
    assert isinstance(state.ask(), Decide)
    assert cast(Decide, state.ask()).seat == 0


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
        "d1, diamond field: tax 3, 2% of its price 150.00; revenue 10, 10% of the base price 100.00."
    )
    assert "no path of the owner’s parcels" in explain(STRIPES, found.lines[0])
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
    assert explain_opening(opening) == "500 + credits 30 - 3.144 tax + 10.5 revenue = 537.356"


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
    # It is the seller's turn now: 30 came, and no tax is due for what is sold.
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
        with pytest.raises(DealNotationError, match=r"is not in the sector in play, 1,1"):
            choose(state, deals)
    assert owner(turn(table(), (2, 2), "buy l12"), "l12") == 0


def test_the_river_is_nobodys() -> None:
    with pytest.raises(DealNotationError, match="f1 is part of the river, which nobody can own"):
        choose(roll(table(), (0, 1)), "buy f1")


def test_nobody_buys_what_is_dearer_than_the_balance() -> None:
    state = roll(table(cash=(119, 500)))
    with pytest.raises(DealNotationError, match=r"d1 costs 100\.00K, and the balance is 99K"):
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
    with pytest.raises(DealNotationError, match="a1 cannot be bought: you already own it"):
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
    with pytest.raises(DealNotationError, match="a1 cannot be sold: it is another player’s"):
        choose(state, "sell a1")
    with pytest.raises(DealNotationError, match="a2 cannot be sold: it is the government’s"):
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
    with pytest.raises(DealNotationError, match="a1 cannot be priced: it is another player’s"):
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


# -- below zero --------------------------------------------------------------------------------------------------------


def test_below_zero_one_can_only_sell_until_the_balance_allows_more() -> None:
    owned = {"b1": (0, "500"), "b2": (0, "500"), "b9": (0, "0"), "c1": (1, "0")}
    state = roll(table(owned, (9, 500)))
    assert cash(state)[0] == 9 - 20
    for deals in ("buy a1 1", "buy c1 0", "price b1 1"):
        with pytest.raises(DealNotationError, match=r"the balance is -11K: below zero you can only sell"):
            choose(state, deals)
    with pytest.raises(DealNotationError, match=r"the balance is -1K"):
        choose(state, "sell b1; price b2 1")
    after = choose(state, "sell b1 b2; buy c1; buy c2; price c2 9")
    assert cash(after)[0] == 9 - 20 + 20 - 5
    assert after.alive(0)


def test_zero_is_not_below_zero() -> None:
    state = turn(table({"b1": (0, "500")}, (10, 500)))
    assert cash(state)[0] == 0
    assert state.over is None


def test_who_ends_a_turn_below_zero_loses() -> None:
    state = turn(table({"b1": (0, "500"), "b9": (0, "0")}, (9, 500)))
    assert state.gone == ((0, "bankrupt"),)
    assert result(state).places == (2, 1)
    assert result(state).reason == "B is the last player in the game"
    saved = turn(table({"b1": (0, "500"), "b9": (0, "0")}, (9, 500)), deals="sell b1")
    assert saved.over is None


def test_who_is_bankrupt_leaves_all_land_to_the_government_and_the_others_play_on() -> None:
    owned = {"b1": (1, "999"), "b9": (1, "999"), "d5": (1, "7"), "a1": (2, "3")}
    state = turn(table(owned, (500, 10, 500), seat=1))
    assert state.gone == ((1, "bankrupt"),)
    assert [owner(state, name) for name in ("b1", "b9", "d5", "a1")] == [GOVERNMENT] * 3 + [2]
    assert asking(state, "b9") == "20.00"
    assert state.seat == 0
    state = turn(state)
    assert state.seat == 2
    state = turn(state)
    assert state.seat == 0, "who is out is passed over"


def test_last_of_all_wins() -> None:
    owned = {"b1": (1, "999"), "b9": (0, "999")}
    state = turn(table(owned, (10, 10, 300), seat=1))
    state = turn(state)
    assert result(state).places == (2, 3, 1)
    assert [stayed for stayed, _ in result(state).scores] == [1, 0, 3]


# -- the million -------------------------------------------------------------------------------------------------------


def test_a_million_at_the_start_of_a_turn_wins_there_and_then() -> None:
    state = table({"d1": (0, "0"), "e1": (0, "0")}, (900, 500), due=(90, 0))
    assert cash(state)[0] == Fraction(10005, 10)
    assert result(state).winners == (0,)
    assert result(state).reason == "A has 1000.5K at the start of a turn"
    with_tax = table({"d1": (0, "30"), "e1": (0, "0")}, (900, 500), due=(90, 0))
    assert cash(with_tax)[0] == Fraction(9999, 10)
    assert isinstance(with_tax.ask(), Roll)


def test_exactly_a_million_is_enough() -> None:
    state = table({}, (999, 500), due=(1, 0))
    assert state.cash[0] == GOAL
    assert result(state).winners == (0,)


def test_a_million_at_the_end_of_a_turn_wins() -> None:
    state = turn(table({"d1": (0, "0")}, (950, 500)), deals="sell d1")
    assert result(state).reason == "A has 1000K at the end of a turn"
    assert result(state).places == (1, 2)


def test_a_million_in_the_middle_of_a_turn_is_none() -> None:
    state = turn(table({"d1": (0, "0")}, (950, 500)), deals="sell d1; buy a1")
    assert state.over is None
    assert cash(state)[0] == 999


def test_a_million_that_is_still_due_is_none() -> None:
    state = turn(table({"d1": (1, "900")}, (950, 500, 500)), deals="buy d1")
    assert state.over is None
    assert (state.seat, state.due[1]) == (2, 900 * K)
    assert result(turn(state)).winners == (1,)


# -- turns -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_turns_go_counterclockwise(seats: int) -> None:
    state = table(cash=(500,) * seats)
    order = []
    for _ in range(2 * seats):
        order.append(state.seat)
        state = turn(state)
    assert order == [-n % seats for n in range(2 * seats)]


def test_turns_of_each_are_counted() -> None:
    state = table(cash=(500, 500, 500), seat=2)
    assert (state.seat, state.turn) == (2, 1)
    state = turn(turn(turn(state)))
    assert (state.seat, state.turn, state.last and state.last.seat) == (2, 2, 0)


# -- the short game ----------------------------------------------------------------------------------------------------


def test_the_short_game_ends_after_the_last_turn_of_each_and_the_most_cash_wins() -> None:
    state = table(cash=(510, 505, 520), seat=2, played=24, limit=25)
    for _ in range(3):
        assert state.over is None
        state = turn(state)
    assert result(state).places == (2, 3, 1)
    assert result(state).scores == ((3, 510 * K), (3, 505 * K), (3, 520 * K))
    assert "25 turns" in result(state).reason


def test_no_turn_is_begun_after_the_last() -> None:
    state = table({"a1": (0, "90")}, (500, 500), seat=1, played=24, limit=25)
    state = turn(state, deals="buy a1")
    assert state.seat == 0
    assert cash(state)[0] == 590, "the sale was due before the seller’s last turn"
    state = table({"a1": (1, "10")}, (500, 500), seat=1, played=24, limit=25)
    state = turn(turn(state), deals="buy a1")
    assert (state.due[1], cash(state)) == (10 * K, [490, Fraction(4998, 10)])
    assert result(state).places == (2, 1), "credits that are still due do not count"


def test_equal_cash_is_a_tie() -> None:
    state = table(cash=(500, 500, 400), seat=2, played=24, limit=25)
    assert result(turn(turn(turn(state)))).places == (1, 1, 3)


def test_the_short_game_passes_over_who_is_out() -> None:
    owned = {"b9": (1, "999")}
    state = table(owned, (500, 10, 500), seat=1, played=24, limit=25)
    state = turn(state)
    assert state.gone == ((1, "bankrupt"),)
    assert result(turn(turn(state, (1, 1)), (1, 1))).places == (1, 3, 1)


def test_nobody_owns_land_at_the_end_who_cannot_sell_it_any_more() -> None:
    state = table({"d1": (0, "0"), "i1": (1, "0")}, seat=1, played=24, limit=25)
    done = turn(turn(state), deals="sell d1")
    assert result(done).scores == ((2, 550 * K), (2, 500 * K))


# -- leaving -----------------------------------------------------------------------------------------------------------


def test_who_leaves_returns_the_land_and_what_is_due_lapses() -> None:
    state = turn(table({"b2": (1, "30"), "d9": (1, "8")}, (500, 500, 500), seat=0), deals="buy b2")
    assert (state.seat, state.due[1]) == (2, 30 * K)
    left = state.leave(1)
    assert (left.seat, left.gone, left.due) == (2, ((1, "left"),), (0, 0, 0))
    assert (owner(left, "d9"), owner(left, "b2")) == (GOVERNMENT, 0)
    assert left.total() == state.total()
    assert turn(left).seat == 0


def test_who_leaves_in_the_own_turn_hands_it_on() -> None:
    for state in (table(cash=(500, 500, 500), seat=1), roll(table(cash=(500, 500, 500), seat=1))):
        left = state.leave(1)
        assert (left.seat, left.dice, left.played[1]) == (0, None, 0)
        assert isinstance(left.ask(), Roll)


def test_one_who_is_out_already_may_leave_the_table() -> None:
    state = turn(table({"b9": (1, "999")}, (500, 10, 500), seat=1))
    assert state.leave(1) is state


def test_the_last_to_stay_wins() -> None:
    state = table(cash=(500, 600, 700), seat=0)
    over = state.leave(2).leave(1)
    assert result(over).places == (1, 2, 3)
    assert over.leave(0) is over


def test_one_may_leave_before_it_is_rolled_who_begins() -> None:
    state = GAME.start(3, {"map": "rolled-small"}).leave(2)
    assert state.ask() == Roll((3, LIMIT, LIMIT, LIMIT, LIMIT))
    begun = state.apply((2, 1, 2, 3, 4))
    assert (begun.first, begun.seat, begun.ask()) == (2, 1, Roll((6, 6)))


def test_one_who_leaves_a_limited_game_can_end_it() -> None:
    state = table(cash=(510, 505, 520), seat=2, played=24, limit=25)
    state = turn(turn(state))
    assert result(state.leave(0)).places == (3, 2, 1)


@pytest.mark.parametrize("ended", [False, True])
def test_who_resigns_loses(ended: bool) -> None:
    state = table({}, (999, 500), due=(1, 0)) if ended else table()
    assert isinstance(state.ask(), Result) == ended
    for seat in (0, 1):
        found = GAME.resignation_result(state, (seat,))
        assert (found.winners, found.reason) == ((1 - seat,), f"{'AB'[seat]} resigned")
    assert GAME.resignation_result(state, (0, 1)).places == (1, 1)
    assert GAME.resignation_result(state, (1, 0)).reason == "A and B resigned"


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
    assert draft.own() == draft.sellable() == (0,)
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
