"""The forms: what keys and clicks do to a choice, without a terminal."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

import pytest

from kimberley.client.boards.diamond_trust.board import DiamondTrustUI
from kimberley.client.boards.diamond_trust.current_card import current_card
from kimberley.client.boards.diamond_trust.form import Number, Selection, TrustForm, neighbor
from kimberley.client.boards.diamond_trust.form_inspector import InspectorForm
from kimberley.client.boards.diamond_trust.form_last_look import LastLookForm
from kimberley.client.boards.diamond_trust.form_move import MoveForm
from kimberley.client.boards.diamond_trust.form_pay import PayForm
from kimberley.client.boards.diamond_trust.form_sale import SaleForm
from kimberley.client.boards.diamond_trust.lower_screen import secret
from kimberley.client.boards.diamond_trust.view import populated
from kimberley.client.boards.form import FormContext
from kimberley.client.ui.hints import Hint
from kimberley.games.diamond_trust.angola import HOME
from kimberley.games.diamond_trust.knowledge import UNKNOWN, Estimate, Exact, Knowledge
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.table import HIDDEN, Plain, evolve
from tests.support.angola import (
    CUANDO,
    HUILA,
    LOOK,
    LUNDA,
    MALANJE,
    MOXICO,
    PLAN,
    TOLD,
    UIGE,
    Script,
    TrustTable,
    table,
)

F = TypeVar("F", bound=TrustForm)
STAY = ((HOME, 0, 0),) * 3
SENT = ((MOXICO, 4, 1), (HOME, 0, 0), (HUILA, 0, 0))


def nothing(*_: object, **__: object) -> None:
    """What a form asks of its screen, where a test does not look at it."""


def form_at(seat: TrustTable, kind: type[F]) -> F:
    """The form of what is asked at a table."""
    asked, game = seat.arena_peer.asked, DiamondTrustUI()
    assert asked is not None
    context = FormContext(
        seat.state, asked.ask, asked.space, seat.seat, ("ana", "ben"), seat.options, nothing, nothing, nothing, nothing
    )
    form = game.form(context, game.view(("ana", "ben"), seat.seat))
    assert isinstance(form, kind)
    return form


def paying() -> PayForm:
    return form_at(table(), PayForm)


def looking(theirs: Script = TOLD, mine: Script | None = None) -> LastLookForm:
    return form_at(table({**LOOK, **(mine or {})}, theirs), LastLookForm)


def selling(plan: bool = True, right: bool = True) -> SaleForm:
    """The form of a sale, with two diamonds at home: of the plan, or of the last look at a plan of one diamond."""
    seat = TrustTable(0, {}, {(1, RoundStep.PAY): (0, 0, 0), (1, RoundStep.PLAN): STAY, (1, RoundStep.MOVE): STAY})
    form = form_at(seat, SaleForm)
    if plan:
        return form
    state = evolve(form.state, step=RoundStep.SALE, sale_plan=(1, HIDDEN), right=(right, HIDDEN))
    context = replace(form.context, state=state)
    return SaleForm(context, Selection())


def press(form: TrustForm, keys: str) -> None:
    for name in keys.split():
        assert form.key(name), f"the key {name} meant nothing"


# -- numbers ----------------------------------------------------------------------------------------------------------


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


# -- paying -----------------------------------------------------------------------------------------------------------


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
    assert shown.notes == ("leaves you $32", "$5 so far", "salary $4", "loyal to you")
    assert form.sentence(80) == "(1) is already loyal to you. Bribe more in case its salary rises."
    assert form.sentence(30) == "(1) is loyal to you."


def test_the_stepper_tells_what_an_amount_leaves_and_what_was_paid_before() -> None:
    form = paying()
    form.click(("agent", 0, 1))
    press(form, "5")
    shown = form.stepper()
    assert shown is not None
    assert (shown.title, shown.amount, shown.notes) == ("Salary [2]", 5, ("leaves you $16", "$2 so far"))


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


def paying_at_first() -> PayForm:
    """The pay form of the first month, with all agents at home."""
    return form_at(TrustTable(0, {}, {}), PayForm)


def test_done_asks_back_in_the_first_month_while_somebody_was_not_looked_at() -> None:
    form = paying_at_first()
    press(form, "tab 3 enter")
    assert form.question() == "You have not paid [2] and [3]: any bribe wins them over."
    press(form, "tab 1 enter")
    assert form.question() == "You have not paid [3]: any bribe wins it over."
    press(form, "tab enter")
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


def test_the_same_number_again_leads_from_ones_own_agent_to_the_other_sides() -> None:
    mine = {(1, RoundStep.PLAN): ((HOME, 0, 0), (MALANJE, 3, 0), (HUILA, 2, 0))}
    form = form_at(table({**mine, (1, RoundStep.MOVE): mine[1, RoundStep.PLAN]}), PayForm)
    assert form.payable() == {(0, 0), (1, 0)}
    assert Hint("1-3", "agent", ("noop",)) in form.hints()
    titles = []
    for _ in range(3):
        press(form, "1")
        shown = form.stepper()
        assert shown is not None
        titles.append(shown.title)
        press(form, "enter")
    assert titles == ["Salary [1]", "Bribe (1)", "Salary [1]"]


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


# -- moving -----------------------------------------------------------------------------------------------------------


def moving() -> MoveForm:
    return form_at(table({(2, RoundStep.PAY): (0, 0)}), MoveForm)


def test_an_agent_is_sent_by_touches_alone() -> None:
    form = moving()
    for action in (("agent", 0, 0), ("region", MOXICO), ("more",), ("more",), ("set",), ("more",), ("set",)):
        assert form.click(action)
    assert form.orders() == ((MOXICO, 2, 1), (HOME, 0, 0), (HUILA, 0, 0))
    assert form.cost() == 4
    assert form.spent() == "$4 planned"


def test_an_agent_is_sent_by_keys_alone() -> None:
    form = moving()
    press(form, "1 up enter 4 enter 2 home 3 enter 2 enter")
    assert form.orders() == ((UIGE, 4, 0), (HOME, 0, 0), (HUILA, 2, 0))


def test_arrows_lead_from_every_place_to_every_other() -> None:
    for home in (HOME, HOME + 1):
        among = (*range(6), home)
        for start in among:
            reached, edge = {start}, [start]
            while edge:
                place = edge.pop()
                new = {neighbor(place, way, among) for way in ("left", "right", "up", "down")} - reached
                reached |= new
                edge += new
            assert reached == set(among), start
    assert neighbor(LUNDA, "left", range(6)) == MALANJE
    assert neighbor(UIGE, "down", range(6)) == MALANJE
    assert neighbor(MOXICO, "left", range(6)) == MALANJE
    assert neighbor(LUNDA, "right", (LUNDA,)) == LUNDA


def test_arrows_pass_over_regions_that_cannot_be_chosen() -> None:
    form = moving()
    press(form, "1")
    seen = set()
    for way in ("left", "left", "down", "down", "left", "up", "left", "down"):
        press(form, way)
        seen.add(form.focus())
    assert HUILA not in seen
    assert len(seen) > 2


def test_regions_that_cannot_be_chosen_are_darkened_once_an_agent_is_picked() -> None:
    form = moving()
    scene = populated(form.state, frozenset())
    assert not form.decorate(scene).dark
    form.click(("agent", 0, 1))
    assert form.decorate(scene).dark == {MALANJE, HUILA}
    form.click(("region", HUILA))
    assert form.orders()[1] == (HOME, 0, 0)
    form.click(("region", UIGE))
    press(form, "enter")
    assert not form.decorate(scene).dark


def test_what_cannot_be_afforded_is_out_of_reach() -> None:
    form = moving()
    form.click(("agent", 0, 0))
    form.click(("region", CUANDO))
    press(form, "end enter")
    assert form.cost() == form.cash
    form.click(("agent", 0, 1))
    assert form.available(1) == {HOME}
    form.click(("region", UIGE))
    assert form.orders()[1] == (HOME, 0, 0)


def test_the_inspectors_bribe_is_asked_for_only_where_he_stands() -> None:
    form = moving()
    form.click(("agent", 0, 0))
    form.click(("region", LUNDA))
    press(form, "enter")
    assert form.stepper() is None
    form.click(("agent", 0, 0))
    form.click(("inspector",))
    press(form, "enter")
    shown = form.stepper()
    assert shown is not None
    assert shown.title == "Bribe for UN"


def test_while_a_region_is_wanted_whoever_stands_there_stands_for_it() -> None:
    form = moving()
    form.click(("agent", 0, 1))
    form.click(("agent", 1, 2))
    assert form.orders()[1][0] == LUNDA


def test_an_order_can_be_changed_until_done_and_keeps_its_payment() -> None:
    form = moving()
    press(form, "1 up enter 4 enter")
    form.click(("agent", 0, 0))
    form.click(("region", UIGE))
    shown = form.stepper()
    assert shown is not None
    assert shown.amount == 4
    press(form, "6 enter")
    assert form.orders()[0] == (UIGE, 6, 0)
    press(form, "u")
    assert form.orders()[0] == (UIGE, 4, 0)
    press(form, "u")
    assert form.orders()[0] == (MALANJE, 0, 0)


def test_escape_goes_back_one_step_at_a_time() -> None:
    form = moving()
    press(form, "1 up enter 4 esc")
    assert form.stepper() is None
    assert form.focus() == UIGE
    press(form, "esc")
    assert form.focus() is None
    assert form.orders()[0] == (MALANJE, 0, 0)


def last_move() -> MoveForm:
    """The move of the last month."""
    script: dict[tuple[int, RoundStep], Plain] = {(number, RoundStep.PAY): (0, 0) for number in range(2, 10)}
    for number in range(2, 9):
        stay = ((MALANJE, 0, 0), (HOME, 0, 0), (HUILA, 0, 0))
        script |= {(number, step): stay for step in (RoundStep.PLAN, RoundStep.MOVE)}
        script |= {(number, step): 0 for step in (RoundStep.SALE_PLAN, RoundStep.SALE)}
    form = form_at(table(script), MoveForm)
    assert form.state.months_left == 0
    return form


def test_the_card_of_the_last_month_says_that_all_agents_come_home() -> None:
    def said(form: MoveForm) -> str:
        card = current_card(form.state, form.seat, ("ana", "ben"), form, ())
        return " ".join("".join(span.text for span in line) for line in card.narrow)

    assert "all agents fly home" in said(last_move())
    assert "all agents fly home" not in said(moving())


def test_done_asks_back_in_the_last_round_if_money_is_left() -> None:
    form = last_move()
    press(form, "1 enter 5 enter")
    assert "unspent" in (form.question() or "")
    press(form, "1 enter end enter")
    assert form.question() is None


# -- the last look ----------------------------------------------------------------------------------------------------


def test_a_told_plan_is_on_the_map_and_ones_own_can_be_changed() -> None:
    form = looking()
    assert form.state.right[0] is True
    scene = form.decorate(populated(form.state, frozenset()))
    assert "→(1)♥ $3" in ["".join(part.text for part in tag.parts) for tag in scene.tags]
    press(form, "3 enter 1 enter")
    assert form.choice() == (PLAN[0], PLAN[1], (HUILA, 1, 0))
    press(form, "u")
    assert form.choice() == PLAN
    assert not form.undo()


def test_without_a_right_the_plan_stands_whatever_is_pressed() -> None:
    form = looking(mine={(2, RoundStep.PAY): (0, 1)})
    assert form.state.right[0] is False
    for name in ("1", "enter", "up", "enter", "5", "enter", "2", "home", "u", "tab"):
        form.key(name)
    for action in (("agent", 0, 2), ("region", LUNDA), ("more",), ("set",), ("home", 0)):
        form.click(action)
    assert form.choice() == PLAN


# -- Inspector and sale -----------------------------------------------------------------------------------------------


def test_the_inspector_is_tried_out_and_undone() -> None:
    sent = {(2, RoundStep.PLAN): SENT, (2, RoundStep.MOVE): SENT}
    form = form_at(table({(2, RoundStep.PAY): (0, 0), **sent}), InspectorForm)
    assert form.choice() == MOXICO
    form.click(("region", LUNDA))
    assert form.choice() == LUNDA
    form.click(("agent", 0, 2))
    assert form.choice() == HUILA
    press(form, "u")
    assert form.choice() == LUNDA
    press(form, "down")
    assert form.choice() == MOXICO


def test_the_inspector_takes_nothing_from_ones_own_agent_unasked() -> None:
    sent = {(2, RoundStep.PLAN): SENT, (2, RoundStep.MOVE): SENT}
    form = form_at(table({(2, RoundStep.PAY): (0, 0), **sent}), InspectorForm)
    form.click(("region", LUNDA))
    assert form.question() is None
    form.click(("region", HUILA))
    assert form.question() == "He would seize 2 diamonds from your own [3]."


def test_done_names_the_agents_without_orders() -> None:
    form = moving()
    assert form.question() == "[1], [2] and [3] got no orders: they stay and offer nothing."
    press(form, "1 enter 2 enter")
    assert form.question() == "[2] and [3] got no orders: they stay and offer nothing."
    press(form, "3")
    assert form.question() == "[2] and [3] got no orders: they stay and offer nothing."
    press(form, "enter enter 2")
    assert form.question() == "[2] got no orders: it stays and offers nothing."
    press(form, "enter")
    assert form.question() is None


def test_undo_is_no_button_before_anything_is_set() -> None:
    form = moving()
    press(form, "1")
    assert not form.undoable()
    press(form, "enter")
    assert form.undoable()
    pay = paying_at_first()
    press(pay, "tab")
    assert not pay.undoable()
    press(pay, "2")
    assert pay.undoable()


def test_without_money_for_orders_nobody_is_asked_about() -> None:
    form = moving()
    press(form, "1 enter end enter")
    assert form.cash == form.cost()
    assert form.question() is None


def test_done_asks_about_what_is_shown_and_not_answered_yet() -> None:
    form = moving()
    press(form, "3 enter 1 enter")
    form.click(("agent", 0, 0))
    form.click(("region", LUNDA))
    idle = "[2] got no orders: it stays and offers nothing."
    assert form.question() == f"{idle} [1] offers $0 in Lunda, so it collects nothing."
    press(form, "2")
    assert form.question() == idle
    press(form, "enter")
    form.click(("agent", 0, 1))
    form.click(("inspector",))
    press(form, "3 enter")
    shown = form.stepper()
    assert shown is not None
    assert shown.title == "Bribe for UN"
    assert form.question() == "[2] is with the Inspector but offers no bribe."
    press(form, "1")
    assert form.question() is None


def test_an_offer_of_nothing_says_that_it_collects_nothing() -> None:
    form = moving()
    form.click(("agent", 0, 0))
    form.click(("region", LUNDA))
    shown = form.stepper()
    assert shown is not None
    assert "$0 gets nothing" in shown.notes
    press(form, "1")
    shown = form.stepper()
    assert shown is not None
    assert "$0 gets nothing" not in shown.notes
    press(form, "left enter")
    tags = form.decorate(populated(form.state, frozenset())).tags
    assert ["".join(part.text for part in tag.parts) for tag in tags] == ["→[1] $0"]


def test_a_sale_does_not_end_by_enter_and_says_which_key_ends_it() -> None:
    form = selling()
    press(form, "enter")
    assert form.refusal == "Press d to sell none"
    press(form, "2 enter")
    assert form.refusal == "Press d to sell 2"
    assert not form.sealed


def test_undo_is_offered_only_where_there_is_something_to_undo() -> None:
    for form in (
        paying(),
        moving(),
        selling(),
        looking(),
        form_at(table({**LOOK, (2, RoundStep.MOVE): PLAN}, TOLD), InspectorForm),
    ):
        assert "u" not in [hint.key for hint in form.hints()]
    form = selling()
    press(form, "1")
    assert "u" in [hint.key for hint in form.hints()]


def test_where_nothing_can_be_changed_no_key_is_offered_for_it() -> None:
    bound = looking(theirs={}, mine={(2, RoundStep.PAY): (0, 0)})
    assert bound.sentence(70) == "No agent reported to you. Both sides wait equally long."
    assert bound.sentence(30) == "No agent reported to you."
    assert [hint.key for hint in bound.hints()] == ["Tab"]
    sale = selling(plan=False, right=False)
    assert sale.sentence(70) == "No agent revealed their sale. Both sides wait equally long."
    assert not sale.hints()


def test_a_sale_is_set_by_keys_stones_and_wheel() -> None:
    form = selling()
    press(form, "right right right")
    assert form.choice() == 2
    form.click(("sell", 1))
    assert form.choice() == 1
    form.wheel(None, 1)
    assert form.choice() == 0
    press(form, "2 u")
    assert form.choice() == 0


@pytest.mark.parametrize("sealed", [False, True])
@pytest.mark.parametrize("plan", [True, False])
@pytest.mark.parametrize(
    ("bribes", "theirs", "says"),
    [
        ((Exact(9), UNKNOWN, Exact(9)), None, "[1] and [3] reveal your number to ben."),
        ((Exact(9), UNKNOWN, Exact(0)), None, "[1] reveals your number to ben."),
        ((Exact(0), UNKNOWN, UNKNOWN), None, "Secret unless an agent at home is a double agent."),
        ((Exact(0), UNKNOWN, Exact(0)), None, "secret until both are done."),
        ((Exact(9), UNKNOWN, Exact(0)), 2, "♥ ben plans to sell 2 [1] reveals yours."),
        ((Exact(0), UNKNOWN, Exact(0)), 2, "♥ ben plans to sell 2"),
    ],
)
def test_a_sale_says_who_may_know_its_number(
    bribes: tuple[Estimate, ...], theirs: int | None, says: str, plan: bool, sealed: bool
) -> None:
    form = selling(plan)
    known = Knowledge(bribes=bribes, sale=None if plan else theirs)
    agents = tuple(agent._replace(at=HOME) for agent in form.state.agents[0])
    state = evolve(
        form.state,
        agents=(agents, form.state.agents[1]),
        met=((True, False, True), (False,) * 3),
        known=(known, form.state.known[1]),
    )
    form = SaleForm(replace(form.context, state=state), Selection())
    form.sealed = sealed
    said = " ".join("".join(span.text for span in line) for line in secret(form, ("ana", "ben")))
    if plan and theirs is not None:
        says = says.partition(" sell 2 ")[2].replace("yours", "your number to ben") or "secret until both are done."
    if not plan:
        says = says.replace("reveals", "revealed").replace("reveal ", "revealed ")
    assert says.lower() in said.lower()
    if plan and "[1]" in says:
        assert any("reveal" in line and "your number to ben" in line for line in form.prompt())


def test_the_card_of_a_plan_says_that_a_bribe_has_failed() -> None:
    form = form_at(table({(2, RoundStep.PAY): (3, 1)}, TOLD), MoveForm)
    first, _ = current_card(form.state, 0, ("ana", "ben"), form, ()).narrow
    said = "".join(span.text for span in first)
    assert said == "(1) reveals nothing: your bribes of $3 do not exceed its salary."


def test_a_planned_sale_goes_back_to_its_first_number() -> None:
    form = selling(plan=False)
    press(form, "2")
    assert form.choice() == 2
    press(form, "u")
    assert form.choice() == 1
    bound = selling(plan=False, right=False)
    assert not bound.key("2")
    assert bound.choice() == 1
