"""The payment form, and the number that it types: what keys and clicks do to a choice, without a terminal."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kimberley.client.boards.diamond_trust.current_card import NOBODY_MET, WHY_PAY, current_card
from kimberley.client.boards.diamond_trust.form import DIGITS, EDITS, SELECT_OR_DONE, Number, Selection
from kimberley.client.boards.diamond_trust.form_pay import PayForm
from kimberley.client.ui.keys import Hint
from kimberley.games.diamond_trust.angola import HOME, place_name
from kimberley.games.diamond_trust.knowledge import UNKNOWN, AtLeast, Estimate, Exact, Knowledge
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.table import evolve
from tests.support.angola import (
    HUILA,
    LUNDA,
    MALANJE,
    Script,
    TrustTable,
    table,
)
from tests.support.trust_forms import form_at, paying, paying_at_first, press


@pytest.mark.parametrize(
    ("keys", "amount"),
    [
        ("5", 5), ("1 2", 12), ("2 5", 20), ("right right left", 1), ("left", 0), ("end right", 20), ("end home", 0),
        ("1 2 backspace", 1), ("9 9", 20), ("9 9 3", 3), ("pageup pageup pagedown", 5), ("up down down", 0),
        ("1 right 3", 3),
    ],
)  # fmt: skip
def test_a_number_is_typed_and_stepped_within_its_bounds(keys: str, amount: int) -> None:
    number = Number(0, 20)
    for name in keys.split():
        number.key(name)
    assert number.amount == amount


def test_a_number_leaves_other_keys_alone() -> None:
    assert not {"enter", "d", "u", "tab", "esc", "c", "f1", "x"} & {*EDITS, *DIGITS}


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
    last = PayForm(replace(form.context, state=evolve(form.state, months_left=0)), Selection())
    last.click(("agent", 1, 0))
    assert last.sentence(80) == "(1) reports to you.", "its salary no longer rises"


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
    press(form, "tab right" if form.choice() == (0, 21) else "tab tab right")
    assert form.refusal.startswith("No money is left for ")
    assert form.type_words(["pay", "7", "1"]).startswith("Type pay or bribe"), "there is no such agent"


def test_enter_without_an_agent_and_a_region_without_a_payable_one_say_why_nothing_happens() -> None:
    form = paying()
    press(form, "enter")
    assert form.refusal == SELECT_OR_DONE
    form.refusal = ""
    for region in range(HOME):
        assert form.click(("region", region))
        here = form.stepper() is not None
        assert here != (form.refusal == f"You can pay nobody in {place_name(region, form.seat)}")
        press(form, "esc" if here else "")
        form.refusal = ""


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
    assert form.question() == "You have not paid [2] or [3]: a bribe of any size wins either of them over."
    press(form, "tab 1 enter")
    assert form.question() == "You have not paid [3]: a bribe of any size wins it over."
    press(form, "tab enter")
    assert form.question() is None


def test_done_names_everyone_without_a_salary_also_those_whose_zero_was_set() -> None:
    form = paying_at_first()
    press(form, "1 3 enter 2 enter")
    assert form.question() == "You have not paid [2] or [3]: a bribe of any size wins either of them over."


@pytest.mark.parametrize("keys", ["1 3 enter 2 enter 3", "1 3 enter 2 tab enter", "1 3 tab tab esc", "tab 3 tab tab"])
def test_an_amount_that_was_only_opened_is_no_decision(keys: str) -> None:
    form = paying_at_first()
    press(form, keys)
    assert form.question() == "You have not paid [2] or [3]: a bribe of any size wins either of them over."
    press(form, "esc 2 enter 3 enter")
    assert form.question() is None


def test_a_month_later_nobody_is_asked_why_an_agent_gets_nothing() -> None:
    assert paying().question() is None


def test_done_counts_what_the_open_stepper_shows() -> None:
    form = paying_at_first()
    press(form, "tab 3 tab 1")
    assert form.question() == "You have not paid [3]: a bribe of any size wins it over."
    press(form, "tab right")
    assert form.question() is None
    assert form.choice() == (3, 1, 1)


def test_those_whose_pay_is_set_wave_no_more_and_then_done_is_next() -> None:
    form = paying()
    press(form, "tab 3 enter")
    assert len(form.payable()) == 1
    assert form.sentence(40) == "Pay the waving agent. Then Done."
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
    assert Hint("1-3", "your agent", ("noop",)) in form.hints()
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
    assert form.paid() == [((0, 0), 18)], "not even with a cash of $18"
    press(form, "3")
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
    assert "[2] reveals its orders" in form.sentence(55)
    form.click(("agent", 1, 0))
    assert "reveals its orders to you" in form.sentence(100)


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


def test_an_enemy_agent_out_of_reach_says_why_it_cannot_be_bribed() -> None:
    form = paying()
    press(form, "tab")
    form.click(("agent", 1, 2))
    where = place_name(form.state.agents[1][2].at, 0)
    assert form.sentence(80) == f"You have no agent in {where}, so you cannot bribe (3)."
    assert form.sentence(40) == f"You have no agent in {where}."
    form.click(("agent", 1, 1))
    assert form.sentence(80) == "(2) is at home, so you cannot bribe it."
    form.click(("agent", 1, 0))
    assert "cannot" not in form.sentence(80)


@pytest.mark.parametrize("theirs", [False, True])
def test_a_click_on_the_card_of_an_agent_opens_its_pay_again(theirs: bool) -> None:
    form, agent = paying(), (1, 0) if theirs else (0, 1)
    for action in (("agent", *agent), ("more",), ("set",)):
        assert form.click(action)
    assert form.stepper() is None
    assert form.click(("card",))
    stepper = form.stepper()
    assert stepper is not None
    assert stepper.beside is not None
    assert stepper.beside[:2] == agent
    assert stepper.amount == 1


def test_without_a_card_of_an_agent_a_click_there_pays_nobody() -> None:
    form = paying()
    assert not form.click(("card",))
    assert form.stepper() is None


@pytest.mark.parametrize(
    ("bribes", "notes"),
    [
        (Exact(5), ("bribes $5:", "$3 wins it back")),
        (AtLeast(5), ("bribes ≥ $5:", "≥ $3 wins it back")),
        (Exact(2), ("only bribes over", "$2 win it over")),
        (UNKNOWN, ("only bribes over", "$2 win it over")),
    ],
)
def test_the_salary_box_of_a_turned_agent_says_what_wins_it_back(bribes: Estimate, notes: tuple[str, str]) -> None:
    form = paying()
    mine, theirs = form.state.known
    assert isinstance(mine, Knowledge)
    state = evolve(form.state, known=(replace(mine, bribes=(UNKNOWN, bribes, UNKNOWN)), theirs))
    form = PayForm(replace(form.context, state=state), Selection())
    form.click(("agent", 0, 1))
    stepper = form.stepper()
    assert stepper is not None
    assert stepper.notes[-2:] == notes
    turned = "wins it back" in notes[1]
    assert (form.sentence(70) == "[2] reports to your opponent until its salary covers the bribes.") is turned


def said_below(form: PayForm) -> str:
    """Returns the second line of the card."""
    return "".join(span.text for span in current_card(form.state, 0, ("ana", "ben"), form, ()).narrow[1])


def test_the_card_names_the_enemy_agents_that_can_be_bribed() -> None:
    assert said_below(paying()) == "You can bribe (1). Bribes above an agent’s salary win it over."
    late = paying()
    late = PayForm(replace(late.context, state=evolve(late.state, months_left=5)), Selection())
    assert said_below(late) == "You can bribe (1)."
    crossed = ((LUNDA, 4, 0), (MALANJE, 3, 0), (HOME, 0, 0))
    both = form_at(table({(1, RoundStep.PLAN): crossed, (1, RoundStep.MOVE): crossed}), PayForm)
    assert said_below(both).startswith("You can bribe (1) and (3)."), "in the order of their numbers"
    assert said_below(paying_at_first()) == WHY_PAY
    apart = {(1, RoundStep.PLAN): ((HUILA, 3, 0), (HOME, 0, 0), (HOME, 0, 0))}
    apart |= {(1, RoundStep.MOVE): apart[1, RoundStep.PLAN]}
    assert said_below(form_at(table(apart), PayForm)) == NOBODY_MET
