"""What a seat can conclude of hidden totals: never more than is true, and as much as follows."""

from __future__ import annotations

from random import Random

import pytest

from kimberley.games.bots.levels import make_bot
from kimberley.games.diamond_trust import GAME
from kimberley.games.diamond_trust.angola import HOME
from kimberley.games.diamond_trust.bots.deduction import (
    AtMost,
    TotalRange,
    bribe_bounds,
    is_turned,
    known_cash,
    may_adjust,
    salary_bounds,
)
from kimberley.games.diamond_trust.bots.levels import RULES_OF_THUMB
from kimberley.games.diamond_trust.knowledge import UNKNOWN, AtLeast, Exact, Knowledge, Unknown
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.diamond_trust.rules import State
from kimberley.games.table import Result, evolve
from tests.support.effort import first_is_quick, tries
from tests.support.seated_arena import SeatedArena
from tests.support.trust import HUILA, LUNDA, MALANJE, MOXICO, UIGE, Trust


def check(table: SeatedArena) -> int:
    """Checks what both seats can conclude now; returns how many totals nobody told are known exactly."""
    truth, exact = table.arena.truth, 0
    assert isinstance(truth, State)
    for seat in (0, 1):
        state, rival = table.views[seat], 1 - seat
        assert isinstance(state, State)
        for agent in range(3):
            salary, bribes = salary_bounds(state, seat, agent), bribe_bounds(state, seat, agent)
            earned, taken, known = truth.salary[rival][agent], truth.bribes[seat][agent], state.known[seat]
            assert isinstance(earned, int)
            assert isinstance(taken, int)
            assert isinstance(known, Knowledge)
            assert salary.least <= earned <= salary.most
            assert bribes.least <= taken <= bribes.most
            exact += known.salaries[agent] is UNKNOWN and salary.least == salary.most
        cash, told = truth.cash(rival), known_cash(state, seat, rival)
        assert isinstance(cash, int)
        assert isinstance(told, Unknown) or (cash == told.amount if isinstance(told, Exact) else cash <= told.amount)
        if truth.step is RoundStep.MOVE and may_adjust(state, seat) is not None:
            assert truth.right[rival] is may_adjust(state, seat)
    return exact


@pytest.mark.slow
@pytest.mark.parametrize("randomly", first_is_quick(True, False))
def test_no_conclusion_is_false(randomly: bool) -> None:
    exact = 0
    for seed in range(tries(12, 200)):
        table, rng = SeatedArena(GAME, 2, Random(seed)), Random(seed)
        bots = [make_bot(GAME, 1 + (seed + seat) % RULES_OF_THUMB, seed + seat) for seat in (0, 1)]
        while not isinstance(ask := table.arena.truth.ask(), Result):
            exact += check(table)
            choices = {
                seat: space.pick(rng) if randomly else bots[seat].choose(table.observation(seat))
                for seat in ask.choosers if (space := ask.space_for(seat)) is not None
            }  # fmt: skip
            table.apply(table.arena.answer(ask, choices))
    assert exact


MEET = {0: (UIGE, 0, 0)}


def test_who_reports_and_names_no_bribe_paid_none() -> None:
    table = Trust().move(MEET, MEET).sell().pay({0: 1})
    assert table.known(0).bribes[0] is UNKNOWN
    assert bribe_bounds(table.view(0), 0, 0) == TotalRange(0, 0)
    assert is_turned(table.view(0), 0, 0) is False
    assert may_adjust(table.view(0), 0) is False
    assert may_adjust(table.view(1), 1) is None, "what it has met may have bribed it"


def test_who_reports_and_was_not_the_last_to_bribe_can_have_bribed_before_another() -> None:
    table = Trust().pay({}, {2: 1}).move(MEET, MEET | {1: (LUNDA, 0, 0)}).sell().pay()
    table.move({0: (LUNDA, 0, 0), 1: (UIGE, 0, 0)}, {2: (MALANJE, 0, 0)}).sell().pay({1: 1})
    assert table.known(0).turned == (True, False, False)
    assert table.known(0).unseen == ((0, 1), (), ())
    assert bribe_bounds(table.view(0), 0, 0).most > 0


def test_cash_that_was_told_is_known_until_it_can_be_paid_and_then_at_most() -> None:
    table = Trust().pay({}, {0: 1, 1: 3})
    assert known_cash(table.view(0), 0, 1) is UNKNOWN
    table.move(MEET, MEET | {1: (LUNDA, 0, 0)}).sell().pay({0: 2}).move({}, {0: (HOME, 0, 0)})
    state = table.view(0)
    assert known_cash(state, 0, 1) == AtMost(state.limit[1] - 1), "its double agent has told its salary"
    table.sell(0, 2)
    assert table.truth.step is RoundStep.PAY
    before = table.truth.cash(1)
    assert isinstance(before, int)
    assert known_cash(table.view(0), 0, 1) == Exact(before)
    table.move({}, MEET).sell()
    before = table.truth.cash(1)
    assert isinstance(before, int)
    assert known_cash(table.view(0), 0, 1) == Exact(before)
    table.pay({}, {2: 4}).plan()
    assert table.truth.cash(1) == before - 4
    assert known_cash(table.view(0), 0, 1) == AtMost(before)


def test_cash_that_is_at_most_nothing_is_nothing() -> None:
    table = Trust().pay({}, {0: 1, 1: 3})
    table.move(MEET, MEET | {1: (LUNDA, 0, 0)}).sell().pay({0: 2}).move({}, {0: (HOME, 0, 0)})
    state = table.view(0)
    told = known_cash(state, 0, 1)
    assert isinstance(told, AtMost)
    limit = list(state.limit)
    limit[1] -= told.amount
    assert known_cash(evolve(state, limit=tuple(limit)), 0, 1) == Exact(0)


def test_what_was_told_once_and_cannot_have_grown_since_stays_exact() -> None:
    table = Trust().move(MEET, MEET).sell().pay({0: 1}, {0: 2}).move().sell().pay({0: 1})
    assert bribe_bounds(table.view(0), 0, 0) == TotalRange(2, 2)
    assert is_turned(table.view(0), 0, 0)
    assert may_adjust(table.view(0), 0)


def test_an_agent_that_reveals_nothing_earns_what_it_was_bribed_with() -> None:
    table = Trust().pay({}, {0: 3}).move(MEET, MEET).sell().pay({0: 3})
    assert salary_bounds(table.view(0), 0, 0).estimate() == AtLeast(3)
    table.move().sell().pay({0: 1})
    assert salary_bounds(table.view(0), 0, 0).estimate() == Exact(3)


def test_what_was_spent_otherwise_was_not_paid_as_a_salary() -> None:
    table = Trust().pay({}, {2: 1}).move({}, {0: (HUILA, 14, 0)})
    assert salary_bounds(table.view(0), 0, 0).estimate() == AtMost(2)
    table.sell().pay().move({}, {1: (MOXICO, 1, 0)})
    assert salary_bounds(table.view(0), 0, 0).estimate() == AtMost(2), "it was abroad"
    assert salary_bounds(table.view(0), 0, 1).estimate() == AtMost(17)
    assert [str(amount) for amount in (AtMost(2), TotalRange(0, 18).estimate(), TotalRange(2, 4).estimate())] == [
        "≤ 2", "?", "≥ 2"
    ]  # fmt: skip
