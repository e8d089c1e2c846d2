"""The phases of Diamond Trust of London: moves, auctions, the Inspector, sales and the end."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kimberley.games.arena import IllegalChoice
from kimberley.games.diamond_trust import GAME
from kimberley.games.diamond_trust.angola import HOME, MOST_MONEY, appearing, income, trip_cost
from kimberley.games.diamond_trust.position import Agent
from kimberley.games.diamond_trust.rules import RoundStep, State, final_result
from kimberley.games.table import Open, Result, Roll, Seal, Together, evolve
from tests.support.laws import steps
from tests.support.seated_arena import SeatedArena
from tests.support.trust import CUANDO, HUILA, LUNDA, MALANJE, MOXICO, UIGE, Trust

seeds = st.integers(0, 2**32)
few = settings(max_examples=20, deadline=None)


def test_a_game_begins_with_the_inspector_somewhere_in_angola() -> None:
    start = GAME.start(2, {})
    assert start.ask() == Roll((6,))
    state = start.apply((MALANJE,))
    assert state.inspector == MALANJE
    assert state.round() == 1
    assert state.months_left == 8
    assert [state.cash(seat) for seat in (0, 1)] == [18, 18]
    assert state.vault == (2, 2)
    assert state.diamonds == (1, 1, 1, 1, 2, 1)
    assert state.places(0) == state.places(1) == (HOME, HOME, HOME)


def test_what_cannot_be_played_is_refused() -> None:
    with pytest.raises(ValueError, match="for 2 players, not 3"):
        GAME.start(3, {})
    with pytest.raises(ValueError, match="no options, so none called speed"):
        GAME.start(2, {"speed": 1})


def test_who_resigns_loses_whatever_lies_in_the_vaults() -> None:
    state = evolve(GAME.start(2, {}).apply((MALANJE,)), vault=(7, 2))
    for seat, name in enumerate(("London", "Antwerp")):
        resigned = GAME.resignation_result(state, (seat,))
        assert (resigned.winners, resigned.scores, resigned.reason) == ((1 - seat,), ((7,), (2,)), f"{name} resigned")
    for both in ((0, 1), (1, 0)):
        resigned = GAME.resignation_result(state, both)
        assert (resigned.places, resigned.scores, resigned.reason) == ((1, 1), ((7,), (2,)), "both sides resigned")


def test_cuando_cubango_yields_one_diamond_in_even_months_and_two_in_odd() -> None:
    assert [appearing(months)[CUANDO] for months in range(8, -1, -1)] == [1, 2, 1, 2, 1, 2, 1, 2, 1]
    assert [sum(appearing(months)) for months in (8, 7)] == [7, 8]
    assert Trust().move().sell().truth.diamonds == (2, 2, 2, 2, 4, 3)


def test_trips_cost_one_in_angola_two_from_and_to_home_and_nothing_to_stay() -> None:
    assert trip_cost(UIGE, CUANDO) == trip_cost(LUNDA, UIGE) == 1
    assert trip_cost(HOME, UIGE) == trip_cost(MOXICO, HOME) == 2
    assert trip_cost(HOME, HOME) == trip_cost(HUILA, HUILA) == 0


# -- pay ----------------------------------------------------------------------------------------------------------


def test_salaries_are_paid_at_home_and_bribes_where_agents_meet() -> None:
    table = Trust()
    assert [(slot.bribe, slot.agent) for slot in table.truth.slots(0)] == [(False, 0), (False, 1), (False, 2)]
    table.pay({0: 3}, {1: 2}).move({0: (UIGE, 0, 0), 1: (LUNDA, 0, 0)}, {2: (UIGE, 0, 0), 1: (HUILA, 0, 0)}).sell()
    assert [(slot.bribe, slot.agent, slot.by) for slot in table.truth.slots(0)] == [(True, 2, 0), (False, 2, 2)]
    assert [(slot.bribe, slot.agent, slot.by) for slot in table.truth.slots(1)] == [(False, 0, 0), (True, 0, 2)]
    table.pay({0: 4, 2: 1}, {2: 5})
    assert table.truth.salary == ((3, 0, 1), (0, 2, 0))
    assert table.truth.bribes == ((5, 0, 0), (0, 0, 4))
    assert table.truth.spent == (8, 7)
    assert table.truth.met == ((True, False, False), (False, False, True))


def test_no_more_can_be_paid_than_there_is() -> None:
    with pytest.raises(IllegalChoice, match="seat 1, pay: the amounts add up to 19, and there is only 18"):
        Trust().pay({0: 18}, {0: 10, 1: 9})


def test_the_pay_phase_is_skipped_by_positions_alone() -> None:
    apart = {0: (UIGE, 0, 0), 1: (LUNDA, 0, 0), 2: (MALANJE, 0, 0)}
    elsewhere = {0: (MOXICO, 0, 0), 1: (HUILA, 0, 0), 2: (CUANDO, 0, 0)}
    assert Trust().move(apart, elsewhere).sell().truth.step is RoundStep.PLAN
    one_can_pay = Trust().move(apart, {**elsewhere, 2: (HOME, 0, 0)}).sell()
    ask = one_can_pay.ask
    assert isinstance(ask, Seal)
    assert [space is None for space in ask.spaces] == [True, False]


def test_cash_does_not_decide_whether_there_is_a_pay_phase() -> None:
    table = Trust()
    table.become(vault=(1, 50))
    table.move({0: (UIGE, 16, 0)}).sell(1, 50)
    assert table.truth.cash(0) == 0
    ask = table.ask
    assert isinstance(ask, Seal)
    assert [space is None for space in ask.spaces] == [False, False]


def test_tells_still_run_where_the_pay_phase_is_skipped() -> None:
    away = {0: (UIGE, 0, 0), 1: (LUNDA, 0, 0), 2: (MALANJE, 0, 0)}
    table = Trust().move(away, {0: (UIGE, 0, 0), 1: (HUILA, 0, 0), 2: (CUANDO, 0, 0)}).sell()
    table.pay({0: 1}).move({}, {0: (MOXICO, 0, 0)})
    before = len(table.seats.observation(0).story)
    table.sell()
    assert table.truth.step is RoundStep.PLAN
    assert not table.truth.paid
    assert [type(ask).__name__ for ask, _ in table.seats.observation(0).story[before:]] == [
        "Seal",
        "Disclose",
        "Together",
        "Disclose",
    ]
    assert table.known(0).turned == (True, False, False)


# -- move ---------------------------------------------------------------------------------------------------------


def test_both_pay_and_the_higher_payment_collects() -> None:
    table = Trust().move({0: (HUILA, 3, 0)}, {0: (HUILA, 2, 0)})
    assert table.truth.agents[0][0] == Agent(HUILA, 2)
    assert table.truth.agents[1][0] == Agent(HUILA, 0)
    assert table.truth.diamonds[HUILA] == 0
    assert [table.truth.cash(seat) for seat in (0, 1)] == [13, 14]


def test_where_both_pay_the_same_both_pay_and_nobody_collects() -> None:
    table = Trust().move({0: (HUILA, 3, 0)}, {0: (HUILA, 3, 0)})
    assert table.truth.diamonds[HUILA] == 2
    assert [table.truth.cash(seat) for seat in (0, 1)] == [13, 13]


def test_diamonds_that_nobody_pays_for_stay() -> None:
    assert Trust().move({0: (HUILA, 0, 0)}).truth.diamonds[HUILA] == 2


def test_an_agent_that_stays_may_pay_again() -> None:
    table = Trust().move({0: (HUILA, 1, 0)}).sell().move({0: (HUILA, 2, 0)})
    assert table.truth.agents[0][0] == Agent(HUILA, 4)
    assert table.truth.limit[0] == 18 - 3 + 18 - 2


def test_agents_may_trade_places() -> None:
    table = Trust().move({0: (HUILA, 0, 0), 1: (UIGE, 0, 0)}).sell().move({0: (UIGE, 0, 0), 1: (HUILA, 0, 0)})
    assert table.truth.places(0) == (UIGE, HUILA, HOME)


def test_a_plan_that_costs_more_than_the_cash_is_refused() -> None:
    with pytest.raises(IllegalChoice, match=r"this costs \$19; you have \$18"):
        Trust().move({0: (HUILA, 17, 0)})


def test_what_was_sealed_counts_against_the_move() -> None:
    with pytest.raises(IllegalChoice, match=r"this costs \$16; you have \$15"):
        Trust().pay({0: 3}).move({0: (HUILA, 14, 0)})


def test_the_reveal_is_told_in_full() -> None:
    table = Trust().move({0: (HUILA, 3, 0), 1: (CUANDO, 1, 2)}, {0: (HUILA, 2, 0), 2: (CUANDO, 0, 4)})
    moved = table.seats.spectator
    assert isinstance(moved, State)
    assert moved.moved is not None
    assert moved.moved.origins == ((HOME,) * 3, (HOME,) * 3)
    assert moved.moved.trips == ((2, 2, 0), (2, 0, 2))
    assert moved.moved.inspector_bribes == (2, 4)
    assert moved.moved.inspector_mover == 1
    assert moved.sight(HUILA).payments == (3, 2)
    assert moved.sight(HUILA).winner == 0
    table.inspect(HUILA)
    assert table.truth.collected is not None
    assert table.truth.collected.inspector == HUILA
    assert table.truth.collected.collected == ((0, 1, 0), (0, 0, 0))
    assert table.truth.collected.regions[HUILA].diamonds == 2


# -- the Inspector --------------------------------------------------------------------------------------------------


def test_he_blocks_and_confiscates_where_he_stays() -> None:
    table = Trust(HUILA).move({0: (UIGE, 1, 0)}).sell().move({0: (HUILA, 5, 0)})
    assert table.truth.agents[0][0] == Agent(HUILA, 0)
    assert table.truth.diamonds[HUILA] == 4
    assert table.truth.collected is not None
    assert table.truth.collected.confiscated == ((1, 0, 0), (0, 0, 0))


def test_who_pays_him_more_moves_him_and_he_acts_only_where_he_arrives() -> None:
    table = Trust(HUILA).move({0: (HUILA, 1, 1)}, {0: (UIGE, 2, 0)})
    assert table.truth.step is RoundStep.INSPECT
    preview = table.truth.inspector_preview(UIGE)
    assert preview.blocks.winner == 1
    assert preview.blocks.diamonds == 1
    table.inspect(UIGE)
    assert table.truth.inspector == UIGE
    assert table.truth.agents[0][0] == Agent(HUILA, 2)
    assert table.truth.agents[1][0] == Agent(UIGE, 0)
    assert table.truth.diamonds[UIGE] == 1
    assert [table.truth.cash(seat) for seat in (0, 1)] == [14, 14]


def test_he_may_be_left_where_he_is() -> None:
    table = Trust(HUILA).move({0: (HUILA, 1, 1)}).inspect(HUILA)
    assert table.truth.inspector == HUILA
    assert table.truth.diamonds[HUILA] == 2


def test_where_both_pay_him_the_same_he_takes_it_and_stays() -> None:
    table = Trust(HUILA).move({0: (HUILA, 0, 2)}, {1: (HUILA, 0, 2)})
    assert table.truth.step is RoundStep.SALE_PLAN
    assert table.truth.inspector == HUILA
    assert [table.truth.cash(seat) for seat in (0, 1)] == [14, 14]


def test_what_was_deposited_is_safe_from_him() -> None:
    table = Trust(CUANDO).move({0: (HUILA, 1, 0), 1: (LUNDA, 1, 0)}).sell()
    table.move({0: (HOME, 0, 0), 1: (LUNDA, 0, 0)}, {0: (CUANDO, 0, 1)})
    assert table.truth.vault == (4, 2)
    assert table.truth.moved is not None
    assert table.truth.moved.deposits == ((2, 0, 0), (0, 0, 0))
    assert table.truth.inspector_preview(LUNDA).confiscates == ((0, 1, 0), (0, 0, 0))
    table.inspect(LUNDA)
    assert table.truth.vault == (4, 2)
    assert table.truth.agents[0][1] == Agent(LUNDA, 0)


# -- sale and end -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "dollars"),
    [
        (0, 0, (18, 18)),
        (1, 0, (24, 18)),
        (2, 0, (24, 18)),
        (3, 0, (24, 18)),
        (1, 1, (12, 12)),
        (2, 1, (16, 8)),
        (3, 1, (18, 6)),
        (1, 2, (8, 16)),
        (2, 2, (12, 12)),
        (3, 2, (14, 9)),
    ],
)
def test_sales_earn_as_the_manual_has_it(first: int, second: int, dollars: tuple[int, int]) -> None:
    assert income((first, second)) == dollars
    assert income((second, first)) == dollars[::-1]


def test_a_sale_is_paid_at_once_and_starts_the_next_round() -> None:
    table = Trust().move().sell(2, 1)
    assert table.truth.vault == (0, 1)
    assert [table.truth.cash(seat) for seat in (0, 1)] == [34, 26]
    assert table.truth.sold is not None
    assert table.truth.sold.income == (16, 8)
    assert table.truth.months_left == 7
    with pytest.raises(IllegalChoice, match="1 is not between 0 and 0"):
        table.move().sell(1)


def test_the_most_money_there_can_be() -> None:
    table = Trust()
    table.become(vault=(8, 2))
    for _ in range(8):
        table.move().sell(1, 0)
    assert table.truth.limit[0] == MOST_MONEY == 210


def test_the_last_round_ends_without_a_sale_and_with_a_free_flight_home() -> None:
    table = Trust().rounds(8)
    assert table.truth.months_left == 0
    assert table.truth.round() == 9
    cash = table.truth.limit[0]
    table.move({0: (HUILA, cash - 2, 0)})
    assert table.truth.vault == (2 + 2 * 9, 2)
    assert table.truth.places(0) == (HOME,) * 3
    result = table.result()
    assert result.scores == ((20, 0), (2, 18 * 9))
    assert result.places == (1, 2)


@pytest.mark.parametrize(
    ("vault", "spent", "places", "reason"),
    [
        ((3, 2), (9, 0), (1, 2), "London has more diamonds, 3 to 2"),
        ((2, 3), (0, 9), (2, 1), "Antwerp has more diamonds, 3 to 2"),
        ((2, 2), (1, 0), (2, 1), "equal diamonds; Antwerp has more money, $18 to $17"),
        ((2, 2), (4, 4), (1, 1), "equal diamonds and equal money"),
    ],
)
def test_diamonds_decide_then_money_then_it_is_a_tie(
    vault: tuple[int, int], spent: tuple[int, int], places: tuple[int, int], reason: str
) -> None:
    result = final_result(State(vault=vault, spent=spent))
    assert (result.places, result.reason) == (places, reason)


def test_both_totals_are_opened_at_the_end_to_everyone() -> None:
    table = Trust().pay({0: 3}, {1: 4}).rounds(8).move()
    assert isinstance(table.ask, Open)
    result = table.result()
    assert table.seats.spectator.ask() == table.view(0).ask() == result
    assert result.scores == ((2, 162 - 3), (2, 162 - 4))


def test_nothing_is_answered_when_the_game_is_over() -> None:
    table = Trust().rounds(8).move()
    table.result()
    with pytest.raises(ValueError, match="the game is over"):
        table.truth.apply(None)


@pytest.mark.slow
@few
@given(seeds)
def test_diamonds_and_dollars_are_neither_made_nor_lost(seed: int) -> None:
    appeared, sold, confiscated, earned, costs = 4, 0, 0, [18, 18], [0, 0]
    before = None
    for table, _ in steps(GAME, 2, Random(seed)):
        state = table.arena.truth
        assert isinstance(state, State)
        if before is None or state.months_left != before.months_left or before.step is RoundStep.INSPECTOR:
            appeared += sum(appearing(state.months_left)) if state.step is not RoundStep.INSPECTOR else 0
        if before is not None and state.sold is not before.sold:
            assert state.sold is not None
            sold += sum(state.sold.sold)
            earned = [earned[seat] + state.sold.income[seat] for seat in (0, 1)]
        if before is not None and state.collected is not before.collected:
            assert state.collected is not None
            confiscated += sum(map(sum, state.collected.confiscated))
        if before is not None and state.moved is not before.moved:
            assert state.moved is not None
            for seat in (0, 1):
                paid = sum(payment + bribe for _, payment, bribe in state.moved.orders[seat])
                costs[seat] += paid + sum(state.moved.trips[seat])
        carried = sum(agent.carries for side in state.agents for agent in side)
        assert sum(state.diamonds) + carried + sum(state.vault) + sold + confiscated == appeared
        for seat in (0, 1):
            assert state.limit[seat] == earned[seat] - costs[seat]
            cash, totals = state.cash(seat), state.totals()
            assert isinstance(cash, int)
            assert 0 <= cash <= MOST_MONEY
            assert cash == state.limit[seat] - sum(
                total for tally, total in totals.items() if tally.seat == seat and tally.name != "spent"
            )
            assert totals == {tally: table.arena.tallies.get(tally, 0) for tally in totals}
        before = state


@pytest.mark.slow
@few
@given(seeds)
def test_at_most_one_agent_of_a_side_is_in_a_region(seed: int) -> None:
    for table, ask in steps(GAME, 2, Random(seed)):
        state = table.arena.truth
        assert isinstance(state, State)
        for seat in (0, 1):
            abroad = [place for place in state.places(seat) if place != HOME]
            assert len(abroad) == len(set(abroad))
        if isinstance(ask, Result):
            assert state.round() == 9
        if isinstance(ask, Together) and ask.topic == "sale":
            assert state.months_left


def test_a_seat_knows_before_its_plans_whether_it_will_get_a_last_look() -> None:
    """It may get one where it has bribed or can bribe. Once the agents are paid, it knows."""
    assert {found for seed in range(4) for found in _looks(seed)} == {
        (False, False), (False, True), (True, False), (True, True),
    }  # fmt: skip


def _looks(seed: int) -> Iterator[tuple[bool, bool]]:
    """Yields, for each plan of a game played at random, whether it is that of a sale, and whether the seat may change
    it.
    """
    rng, table = Random(seed), SeatedArena(GAME, 2, Random(seed))
    foretold: dict[tuple[int, int, bool], bool] = {}
    while not isinstance(ask := table.arena.truth.ask(), Result):
        for seat, view in enumerate(table.views):
            assert isinstance(view, State)
            month, sells = view.months_left, view.step.name.startswith("SALE")
            if view.step is RoundStep.PAY:
                foretold[month, seat, True] = foretold[month, seat, False] = view.may_look(seat)
            elif view.step in (RoundStep.PLAN, RoundStep.SALE_PLAN):
                assert foretold.get((month, seat, sells), True) or not view.may_look(seat)
                foretold[month, seat, sells] = view.may_look(seat)
            elif view.step in (RoundStep.MOVE, RoundStep.SALE):
                right = view.right[seat]
                assert foretold[month, seat, sells] is view.may_look(seat) is right
                assert ask.last_look or not right
                yield sells, right
        spaces = {seat: space for seat in (0, 1) if (space := ask.space_for(seat)) is not None}
        table.apply(table.arena.answer(ask, {seat: space.pick(rng) for seat, space in spaces.items()}))
