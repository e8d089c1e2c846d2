"""The payment form, and the number that it types: what keys and clicks do to a choice, without a terminal."""

from __future__ import annotations

import pytest

from kimberley.client.boards.diamond_trust.form import Number
from kimberley.client.boards.diamond_trust.form_pay import PayForm
from kimberley.client.ui.hints import Hint
from kimberley.games.diamond_trust.angola import HOME
from kimberley.games.diamond_trust.position import RoundStep
from tests.support.angola import (
    HUILA,
    MALANJE,
    Script,
    TrustTable,
    table,
)
from tests.support.trust_forms import form_at, paying, paying_at_first, press


@pytest.mark.parametrize(
    ("keys", "amount"),
    [
        ("5", 5), ("1 2", 12), ("2 5", 5), ("right right left", 1), ("left", 0), ("end right", 20), ("end home", 0),
        ("1 2 backspace", 1), ("9 9", 9), ("pageup pageup pagedown", 5), ("up down down", 0), ("1 right 3", 3),
    ],
)  # fmt: skip
def test_a_number_is_typed_and_stepped_within_its_bounds(keys: str, amount: int) -> None:
    number = Number(0, 20)
    for name in keys.split():
        assert number.key(name)
    assert number.amount == amount


def test_a_number_leaves_other_keys_alone() -> None:
    assert not any(Number(0, 5).key(name) for name in ("enter", "d", "u", "tab", "esc", "c", "f1", "x"))


def test_who_waves_can_be_paid() -> None:
    form = paying()
    assert form.payable() == {(0, 1), (1, 0)}
    assert form.choice() == (0, 0)


def test_paying_by_keys_alone() -> None:
    form = paying()
    press(form, "tab 3 enter tab 1 2 enter")
    assert form.choice() == (3, 12)
    assert form.cost() == 15
    assert form.spent() == "$15 to pay"
    assert form.question() is None


def test_paying_by_touches_alone() -> None:
    form = paying()
    form.click(("agent", 1, 0))
    for action in (("more",), ("more",), ("more",), ("less",), ("set",)):
        assert form.click(action)
    form.click(("agent", 0, 1))
    form.wheel(None, -1)
    form.click(("set",))
    assert form.choice() == (2, 1)


def test_more_for_an_agent_that_is_turned_already_promises_nothing_new() -> None:
    stay = ((MALANJE, 0, 0), (HOME, 0, 0), (HUILA, 0, 0))
    moves: Script = {(2, RoundStep.PLAN): stay, (2, RoundStep.MOVE): stay}
    sales: Script = {(2, RoundStep.SALE_PLAN): 0, (2, RoundStep.SALE): 0}
    form = form_at(table({(2, RoundStep.PAY): (5, 1), **moves, **sales}), PayForm)
    assert form.state.round() == 3
    form.click(("agent", 1, 0))
    press(form, "1")
    shown = form.stepper()
    assert shown is not None
    assert shown.notes == ("leaves you $32", "$5 so far", "salary $4", "reports to you")
    assert form.sentence(80) == "(1) already reports to you. Bribe more in case its salary rises."
    assert form.sentence(30) == "(1) reports to you."


def test_the_stepper_tells_what_an_amount_leaves_and_what_was_paid_before() -> None:
    form = paying()
    form.click(("agent", 0, 1))
    press(form, "5")
    shown = form.stepper()
    assert shown is not None
    beaten = ("only bribes over", "$7 win it over")
    assert (shown.title, shown.amount, shown.notes) == ("Salary [2]", 5, ("leaves you $16", "$2 so far", *beaten))


def test_the_box_of_a_salary_keeps_its_height_whatever_is_set() -> None:
    form = paying()
    form.click(("agent", 0, 1))
    heights = set()
    for key in ("0", "5", "1"):
        press(form, key)
        shown = form.stepper()
        assert shown is not None
        heights.add(len(shown.notes))
    assert len(heights) == 1


def test_nobody_pays_more_than_there_is() -> None:
    form = paying()
    press(form, "tab end enter tab end enter")
    assert form.cost() == 21
    assert form.choice() in ((21, 0), (0, 21))


def test_escape_drops_an_amount_and_undo_takes_one_back() -> None:
    form = paying()
    press(form, "tab 3 enter tab 7 esc")
    assert form.choice() == (3, 0)
    press(form, "tab 7 enter u")
    assert form.choice() == (3, 0)
    press(form, "u")
    assert form.choice() == (0, 0)
    assert not form.undo()


def test_done_asks_back_in_the_first_month_while_somebody_was_not_looked_at() -> None:
    form = paying_at_first()
    press(form, "tab 3 enter")
    assert form.question() == "You have not paid [2] and [3]: any bribe to one wins it over."
    press(form, "tab 1 enter")
    assert form.question() == "You have not paid [3]: any bribe wins it over."
    press(form, "tab enter")
    assert form.question() is None


def test_done_names_everyone_without_a_salary_also_those_whose_zero_was_set() -> None:
    form = paying_at_first()
    press(form, "1 3 enter 2 enter")
    assert form.question() == "You have not paid [2] and [3]: any bribe to one wins it over."


@pytest.mark.parametrize("keys", ["1 3 enter 2 enter 3", "1 3 enter 2 tab enter", "1 3 tab tab esc", "tab 3 tab tab"])
def test_an_amount_that_was_only_opened_is_no_decision(keys: str) -> None:
    form = paying_at_first()
    press(form, keys)
    assert form.question() == "You have not paid [2] and [3]: any bribe to one wins it over."
    press(form, "esc 2 enter 3 enter")
    assert form.question() is None


def test_a_month_later_nobody_is_asked_why_an_agent_gets_nothing() -> None:
    assert paying().question() is None


def test_done_counts_what_the_open_stepper_shows() -> None:
    form = paying_at_first()
    press(form, "tab 3 tab 1")
    assert form.question() == "You have not paid [3]: any bribe wins it over."
    press(form, "tab right")
    assert form.question() is None
    assert form.choice() == (3, 1, 1)


def test_those_whose_pay_is_set_wave_no_more_and_then_done_is_next() -> None:
    form = paying()
    press(form, "tab 3 enter")
    assert len(form.payable()) == 1
    press(form, "tab enter")
    assert not form.payable()
    assert form.sentence(60) == "All set. Press d for Done."
    press(form, "u")
    assert "waving" in form.sentence(60)


def test_a_number_stands_for_whoever_of_that_number_can_be_paid() -> None:
    form = paying()
    press(form, "1 3 enter")
    assert form.paid() == [((1, 0), 3)], "[1] is in Angola, (1) is there, too"
    press(form, "3")
    assert form.stepper() is None
    assert form.refusal == "[3] can only be paid at home"


def test_where_two_of_a_number_can_be_paid_it_is_ones_own_and_tab_leads_to_the_other() -> None:
    mine = {(1, RoundStep.PLAN): ((HOME, 0, 0), (MALANJE, 3, 0), (HUILA, 2, 0))}
    form = form_at(table({**mine, (1, RoundStep.MOVE): mine[1, RoundStep.PLAN]}), PayForm)
    assert form.payable() == {(0, 0), (1, 0)}
    titles = []
    for keys in ("1", "enter 1", "tab", "enter 1"):
        press(form, keys)
        shown = form.stepper()
        assert shown is not None
        titles.append(shown.title)
    assert titles == ["Salary [1]", "Salary [1]", "Bribe (1)", "Salary [1]"]


def test_while_an_amount_is_open_digits_only_type_it() -> None:
    form = form_at(TrustTable(0, {}, {}), PayForm)
    press(form, "1 2")
    assert form.paid() == [((0, 0), 2)]
    press(form, "3")
    assert form.paid() == [((0, 0), 3)], "not even with a cash of $18"
    assert form.selection.agent == (0, 0)
    assert Hint("0-9", "type it", ("noop",)) in form.hints()
    assert Hint("Tab", "next agent") in form.hints()
    press(form, "tab 2")
    assert form.paid() == [((0, 0), 3), ((0, 1), 2)]


def test_the_footer_says_whose_agents_the_numbers_pick() -> None:
    assert Hint("1-3", "agent", ("noop",)) in paying().hints()
    first = TrustTable(0, {}, {})
    assert Hint("1-3", "your agent", ("noop",)) in form_at(first, PayForm).hints()


def test_paying_says_what_pay_is_for() -> None:
    form = paying()
    form.click(("agent", 0, 1))
    assert "[2] reveals your plans" in form.sentence(55)
    form.click(("agent", 1, 0))
    assert "reveals its side" in form.sentence(100)


def test_touching_an_agent_that_cannot_be_paid_shows_its_papers() -> None:
    form = paying()
    form.click(("agent", 1, 2))
    assert form.selection.agent == (1, 2)
    assert form.stepper() is None


def test_a_sealed_choice_does_not_change() -> None:
    form = paying()
    press(form, "tab 3 enter")
    form.sealed = True
    form.click(("agent", 0, 1))
    assert form.stepper() is None
    assert not form.undo()
    assert form.choice() == (3, 0)
    assert not form.payable()
