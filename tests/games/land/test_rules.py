"""The rules of the land game, one by one, with figures worked out by hand.

On the map of these tests the river runs down column f; a is desert, b coal, c farmland, d diamonds, e farmland.
"""

from __future__ import annotations

from fractions import Fraction
from typing import cast

import pytest

from kimberley.games.land import GAME
from kimberley.games.land.land import GOVERNMENT
from kimberley.games.land.maps import shipped
from kimberley.games.land.money import GOAL, K
from kimberley.games.land.notation import DealNotationError
from kimberley.games.land.rolled import LIMIT, rolled_map
from kimberley.games.table import Decide, Plain, Result, Roll
from tests.support.land import asking, cash, choose, owner, result, roll, space, table, turn

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


# -- below zero --------------------------------------------------------------------------------------------------------


def test_below_zero_one_can_only_sell_until_the_balance_allows_more() -> None:
    owned = {"b1": (0, "500"), "b2": (0, "500"), "b9": (0, "0"), "c1": (1, "0")}
    state = roll(table(owned, (9, 500)))
    assert cash(state)[0] == 9 - 20
    for deals in ("buy a1 1", "buy c1 0", "price b1 1"):
        with pytest.raises(DealNotationError, match=r"you have -11K: below zero you can only sell"):
            choose(state, deals)
    with pytest.raises(DealNotationError, match=r"you have -1K"):
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
    assert result(state).reason == "B is the last player left"
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
    assert result(state).reason == "A reached 1000.5K at the start of a turn"
    with_tax = table({"d1": (0, "30"), "e1": (0, "0")}, (900, 500), due=(90, 0))
    assert cash(with_tax)[0] == Fraction(9999, 10)
    assert isinstance(with_tax.ask(), Roll)


def test_exactly_a_million_is_enough() -> None:
    state = table({}, (999, 500), due=(1, 0))
    assert state.cash[0] == GOAL
    assert result(state).winners == (0,)


def test_a_million_at_the_end_of_a_turn_wins() -> None:
    state = turn(table({"d1": (0, "0")}, (950, 500)), deals="sell d1")
    assert result(state).reason == "A reached 1000K at the end of a turn"
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
    found = result(turn(turn(turn(state))))
    assert (found.places, found.reason) == ((1, 1, 3), "most cash after 25 turns each")
    even = result(turn(turn(table(cash=(500, 500), seat=1, played=24, limit=25))))
    assert (even.places, even.reason) == ((1, 1), "equal cash after 25 turns each"), "nobody has the most"


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
