"""Who learns what in Diamond Trust of London, and who may adjust on the strength of it."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kimberley.games.arena import IllegalChoice
from kimberley.games.diamond_trust import GAME
from kimberley.games.diamond_trust.angola import HOME
from kimberley.games.diamond_trust.knowledge import UNKNOWN, AtLeast, Exact, may_have_grown
from kimberley.games.diamond_trust.rules import SIZES, RoundStep, State
from kimberley.games.diamond_trust.spaces import NumberSpace, OrdersSpace
from kimberley.games.table import HIDDEN, NOTHING, Amounts, Disclose, Together, evolve, space_for
from kimberley.protocol.encoding import pack
from tests.support.laws import anyhow, steps
from tests.support.trust import HUILA, LUNDA, MALANJE, UIGE, Trust

MEET = {0: (UIGE, 0, 0)}


def met(salary: int = 0, bribe: int = 1) -> Trust:
    """Returns a game in which agent 0 of one side has met that of the other in Uige in round 2; seat 0 bribes, seat 1
    paid a salary before.
    """
    return Trust().pay({}, {0: salary}).move(MEET, MEET).sell().pay({0: bribe})


# -- turned agents --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("salary", "bribe", "turned"), [(0, 0, False), (2, 2, False), (2, 3, True), (0, 1, True)])
def test_an_agent_is_turned_by_more_bribes_than_salary(salary: int, bribe: int, turned: bool) -> None:
    table = met(salary, bribe)
    assert table.known(0).turned == (turned, False, False)
    assert table.known(0).salaries[0] == (Exact(salary) if turned else UNKNOWN)
    assert table.known(1).turned == (False, False, False)


def test_totals_count_over_all_rounds() -> None:
    table = met(2, 1).move().sell().pay({0: 1}).move().sell()
    assert not table.known(0).turned[0]
    table.pay({0: 1})
    assert table.known(0).turned[0]


def test_salary_wins_an_agent_back() -> None:
    table = met(0, 1).move({}, {0: (HOME, 0, 0)}).sell()
    assert table.known(0).turned[0]
    table.pay({}, {0: 1})
    assert not table.known(0).turned[0]
    assert table.known(0).salaries[0] == AtLeast(0)


def test_an_amount_is_written_as_far_as_it_is_known() -> None:
    assert [str(amount) for amount in (UNKNOWN, Exact(3), AtLeast(3))] == ["?", "3", "≥ 3"]


def test_the_cash_is_told_by_an_agent_at_home_and_by_no_other() -> None:
    table = met(0, 1).move({}, {0: (HOME, 0, 0)}).sell()
    table.seats.apply(table.seats.arena.answer(table.ask, {0: (0, 0), 1: (0, 0, 0)}))  # type: ignore[arg-type]
    assert isinstance(table.ask, Disclose)
    nothing = (None, None, None)
    for tell in table.ask.tells:
        assert (tell.what.violation((0, nothing, 5)) is None) == (tell.owner == 1)
        assert (tell.what.violation((0, nothing, None)) is None) == (tell.owner == 0)


def test_the_owner_sees_no_difference_whether_its_agent_is_turned() -> None:
    """Neither in its state nor in what it is asked nor in its story, up to the end of the game."""
    loyal, turned = met(2, 2), met(2, 3)
    assert turned.known(0).turned[0]
    assert not loyal.known(0).turned[0]
    for months_left in range(7, 0, -1):
        for table in (loyal, turned):
            table.move({0: (UIGE, 1, 0)}, {0: (HOME, 0, 0)} if months_left == 3 else {1: (HUILA, 1, 0)})
            table.sell(0, int(months_left == 2))
        assert loyal.view(1) == turned.view(1)
        assert loyal.view(1).ask() == turned.view(1).ask()
        assert loyal.seats.observation(1).story == turned.seats.observation(1).story
        assert loyal.seats.spectator == turned.seats.spectator
        assert loyal.view(0) != turned.view(0)


# -- the move -------------------------------------------------------------------------------------------------------


def test_a_turned_agent_tells_its_plan_and_never_the_adjusted_one() -> None:
    table = met(0, 1).plan({}, {0: (LUNDA, 3, 0), 1: (HUILA, 2, 0)})
    assert table.known(0).plans == ((LUNDA, 3, 0), None, None)
    assert table.view(1).plan[0] is HIDDEN
    assert table.view(0).plan[1] is HIDDEN
    both = Trust().move(MEET, MEET).sell().pay({0: 1}, {0: 1}).plan({0: (LUNDA, 3, 0)}, {0: (MALANJE, 3, 0)})
    both.reveal({0: (MALANJE, 4, 0)}, {0: (LUNDA, 4, 0)})
    assert both.known(0).plans[0] == (MALANJE, 3, 0)
    assert both.known(1).plans[0] == (LUNDA, 3, 0)


def test_only_the_side_that_was_told_may_adjust_the_move() -> None:
    plans = {0: (UIGE, 1, 0)}, {0: (LUNDA, 1, 0)}
    table = met(0, 1).plan(*plans)
    assert (table.view(0).right[0], table.view(1).right[1]) == (True, False)
    assert table.view(1).right[0] is HIDDEN
    table.reveal({0: (LUNDA, 2, 0)}, plans[1])
    assert table.truth.agents[0][0] == (LUNDA, 2)
    with pytest.raises(IllegalChoice, match="seat 1, move: your orders stand: they cannot be changed now"):
        met(0, 1).plan(*plans).reveal(plans[0], {0: (LUNDA, 2, 0)})
    with pytest.raises(IllegalChoice, match="seat 0, move: your orders stand"):
        met(1, 1).plan(*plans).reveal({0: (LUNDA, 2, 0)}, plans[1])


def test_a_plan_stands_for_its_side_while_the_others_see_every_choice() -> None:
    table = met(1, 1).plan({0: (UIGE, 1, 0)}, {0: (LUNDA, 1, 0)})
    for view, bound in (
        (table.truth, True),
        (table.view(0), True),
        (table.view(1), False),
        (table.seats.spectator, False),
    ):
        space = space_for(view.ask(), 0)
        assert isinstance(space, OrdersSpace)
        assert (space.exactly is not None) == bound
        assert space.most == table.truth.limit[0] - (1 if bound else 0)


def test_the_last_look_is_there_from_the_first_meeting_on() -> None:
    looks = []
    table = Trust()
    for _ in range(3):
        table.plan(MEET, MEET)
        ask = table.ask
        assert isinstance(ask, Together)
        looks.append(ask.last_look)
        table.reveal(MEET, MEET).sell()
    assert looks == [False, True, True]


def test_the_last_look_at_the_sale_needs_someone_at_home_who_was_met() -> None:
    def last_look(table: Trust) -> bool:
        table.choose(0, 0)
        ask = table.ask
        assert isinstance(ask, Together)
        table.choose(0, 0)
        return ask.last_look

    assert not last_look(Trust().move(MEET, MEET))
    assert not last_look(met().move())
    assert last_look(met().move({}, {0: (HOME, 0, 0)}))


def test_there_is_no_last_look_at_the_sale_of_nothing() -> None:
    table = met().move({}, {0: (HOME, 0, 0)})
    assert table.truth.sale_looks()
    assert not evolve(table.truth, vault=(0, 0)).sale_looks()
    assert evolve(table.truth, vault=(0, 1)).sale_looks()


def test_a_seat_may_change_its_choice_in_a_last_look_only_with_the_right_and_with_something_to_choose() -> None:
    def may_change(table: Trust) -> list[bool]:
        asks = [table.view(seat).ask() for seat in (0, 1)]
        return [isinstance(ask, Together) and ask.may_change(seat) for seat, ask in enumerate(asks)]

    assert may_change(met(0, 1).plan(MEET, MEET)) == [True, False]
    assert may_change(met(1, 1).plan(MEET, MEET)) == [False, False]
    at_home = met().move({}, {0: (HOME, 0, 0)})
    assert may_change(sale(at_home, 0, 0)) == [True, False]
    empty = met().move({}, {0: (HOME, 0, 0)})
    empty.become(vault=(0, 2))
    assert may_change(sale(empty, 0, 0)) == [False, False]


# -- the sale -------------------------------------------------------------------------------------------------------


def sale(table: Trust, first: int, second: int) -> Trust:
    """Plans a sale, up to the final choice."""
    assert table.truth.step is RoundStep.SALE_PLAN
    table.choose(first, second)
    return table


def test_a_turned_agent_just_come_home_tells_the_sale_and_the_cash() -> None:
    table = sale(met(0, 1).move({}, {0: (HOME, 0, 0)}), 0, 2)
    assert table.known(0).sale == 2
    assert table.view(0).cash_seen(0, 1) == table.truth.cash(1)
    assert table.view(0).right[0] is True
    space = space_for(table.view(0).ask(), 0)
    assert space == NumberSpace(2)
    table.choose(1, 2)
    assert table.truth.sold is not None
    assert table.truth.sold.sold == (1, 2)


def test_a_turned_agent_abroad_tells_nothing_of_the_sale() -> None:
    table = sale(met(0, 1).move(), 0, 2)
    assert table.known(0).turned[0]
    assert table.known(0).sale is None
    assert table.view(0).right[0] is False
    with pytest.raises(IllegalChoice, match="seat 0, sale: your choice was 0 and cannot be changed now"):
        table.choose(1, 2)


def test_whoever_hears_in_this_round_that_its_agent_at_home_is_turned_may_adjust_the_sale() -> None:
    both = Trust().move(MEET, MEET).sell().pay({0: 1}, {0: 1})
    assert both.view(0).own_turned(0, 0) is True
    at_home = sale(both.move({0: (HOME, 0, 0)}), 1, 0)
    assert at_home.known(0).sale is None
    assert at_home.view(0).right[0] is True
    assert at_home.view(1).right[1] is True
    at_home.choose(0, 1)
    abroad = sale(Trust().move(MEET, MEET).sell().pay({0: 1}, {0: 1}).move(), 1, 0)
    assert (abroad.view(0).right[0], abroad.view(1).right[1]) == (False, False)


def test_older_knowledge_gives_no_right() -> None:
    table = Trust().move(MEET, MEET).sell().pay({0: 1}, {0: 1})
    table.move({0: (HOME, 0, 0)}, {0: (HOME, 0, 0)}).sell().pay({}, {0: 5})
    assert not table.known(0).turned[0]
    assert table.view(0).own_turned(0, 0) is True
    table.plan()
    assert table.view(0).right[0] is False
    sale(table.reveal(), 0, 0)
    assert table.view(0).right[0] is False


# -- what is known of bribes and money ------------------------------------------------------------------------------


def test_bribes_to_ones_own_agent_are_unknown_until_the_last_briber_is_turned() -> None:
    table = Trust().move(MEET, MEET).sell().pay({0: 0}, {0: 2})
    assert str(table.known(0).bribes[0]) == "?"
    assert table.view(0).own_turned(0, 0) is None
    table.move().sell().pay({0: 1}, {0: 1})
    assert table.known(0).bribes[0] == Exact(3)
    assert table.known(0).bribers[0] == 0
    assert table.view(0).own_turned(0, 0) is True


def test_a_known_total_stays_exact_until_the_agent_meets_one_that_is_not_turned() -> None:
    table = Trust().pay({0: 4}).move(MEET, MEET).sell().pay({0: 1}, {0: 3})
    assert table.known(0).bribes[0] == Exact(3)
    assert table.view(0).own_turned(0, 0) is False
    table.move({}, {0: (LUNDA, 0, 0)}).sell().pay().move({}, {0: (UIGE, 0, 0)}).sell().pay({}, {0: 1})
    assert table.known(0).bribes[0] == Exact(4)
    table.move({}, {0: (LUNDA, 0, 0), 1: (UIGE, 0, 0)}).sell()
    assert table.known(0).bribes[0] == Exact(4)
    table.pay({}, {1: 1})
    assert table.known(0).bribes[0] == AtLeast(4)
    assert str(table.known(0).bribes[0]) == "≥ 4"
    assert table.view(0).own_turned(0, 0) is None
    table.move({}, {0: (LUNDA, 0, 0)}).sell().pay({0: 1}, {1: 2})
    assert table.known(0).bribes[0] == Exact(7)
    assert table.known(0).bribers[0] == 1


def test_only_the_last_briber_with_more_than_nothing_tells_the_total() -> None:
    table = Trust().move(MEET, MEET).sell().pay({0: 1}, {0: 2})
    table.move({}, {0: (LUNDA, 0, 0), 1: (UIGE, 0, 0)}).sell().pay({0: 1}, {1: 0})
    assert table.known(0).bribes[0] == Exact(2)
    assert table.known(0).bribers[0] == 0
    assert table.known(0).told_bribes[0] == 2
    table.move().sell().pay({}, {1: 1})
    assert (table.known(0).bribes[0], table.known(0).bribers[0]) == (Exact(3), 1)


def test_estimates_grow_only_from_what_was_exact() -> None:
    assert may_have_grown(UNKNOWN) == UNKNOWN
    assert may_have_grown(Exact(3)) == may_have_grown(AtLeast(3)) == AtLeast(3)


def test_the_others_cash_is_seen_before_anyone_was_paid_and_later_when_told() -> None:
    table = Trust()
    assert table.view(0).cash_seen(0, 1) == 18
    assert table.view(0).cash_seen(0, 0) == 18
    table.pay({}, {0: 2})
    assert table.view(0).cash_seen(0, 1) is None
    assert table.view(1).cash_seen(1, 1) == 16
    table.move(MEET, MEET).sell().pay({0: 3})
    assert table.view(0).cash_seen(0, 1) is None
    table.move({}, {0: (HOME, 0, 0)})
    assert table.view(0).cash_seen(0, 1) is None
    sale(table, 0, 0)
    assert table.view(0).cash_seen(0, 1) == table.truth.cash(1)
    table.choose(0, 0)
    assert table.view(0).cash_seen(0, 1) is None
    table.pay({}, {1: 1})
    told = table.truth.cash(1)
    assert table.view(0).cash_seen(0, 1) == told
    table.move({}, {1: (HUILA, 5, 0)})
    assert isinstance(told, int)
    assert table.view(0).cash_seen(0, 1) == told - 7


def test_amounts_offered_are_bounded_by_what_each_may_know() -> None:
    table = Trust().pay({0: 5}).move().sell()
    spaces = [space_for(view.ask(), 0) for view in (table.truth, table.view(0), table.view(1))]
    assert [space.most for space in spaces if isinstance(space, Amounts)] == [31, 31, HIDDEN]


# -- told anything --------------------------------------------------------------------------------------------------


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32))
def test_a_screen_can_show_whatever_was_told(seed: int) -> None:
    for table, _ in steps(GAME, 2, Random(seed), anyhow):
        for seat, view in enumerate(table.views):
            assert isinstance(view, State)
            for agent in range(3):
                assert view.own_turned(seat, agent) in (True, False, None)
                assert view.own_turned(1 - seat, agent) is None or view.step is RoundStep.OVER
            cash = view.cash_seen(seat, 1 - seat)
            assert cash is None or isinstance(cash, int)


def test_a_payload_that_contradicts_what_is_known_is_taken_as_told() -> None:
    table = met(0, 1).move().sell()
    table.seats.apply(((0, 0, 0), (0, 0, 0)))
    ask = table.ask
    assert isinstance(ask, Disclose)
    assert [tell.owner for tell in ask.tells] == [0, 1]
    table.seats.apply((NOTHING, (99, (1, None, 7), None)))
    assert table.known(0).salaries[0] == Exact(99)
    assert table.known(0).bribes == (Exact(1), UNKNOWN, Exact(7))
    assert table.view(0).own_turned(0, 2) is True


def test_the_widest_payloads_fit_their_sizes_exactly() -> None:
    widest = {"pay": (210, (210, 210, 210), 210), "plan": (HUILA, 210, 210), "sale": (210, 71)}
    assert {kind: len(pack(told)) for kind, told in widest.items()} == SIZES
