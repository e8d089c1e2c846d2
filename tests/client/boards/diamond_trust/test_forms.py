"""The forms of the Inspector and of a sale, and what all forms have in common, without a terminal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from kimberley.client.boards.diamond_trust.current_card import current_card
from kimberley.client.boards.diamond_trust.form import PRESS_DONE, Number, Selection, TrustForm, spending
from kimberley.client.boards.diamond_trust.form_inspector import InspectorForm
from kimberley.client.boards.diamond_trust.form_last_look import told_plan
from kimberley.client.boards.diamond_trust.form_move import MoveForm
from kimberley.client.boards.diamond_trust.form_sale import SaleForm
from kimberley.client.boards.diamond_trust.lower_screen import draw_sale, secret
from kimberley.client.boards.diamond_trust.view import populated
from kimberley.client.ui.canvas import Canvas
from kimberley.games.diamond_trust.angola import HOME
from kimberley.games.diamond_trust.knowledge import UNKNOWN, Estimate, Exact, Knowledge
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.table import HIDDEN, evolve
from kimberley.p2p.table.common_options import FINAL_ADJUSTMENT, QUIET_TIME
from tests.support.angola import (
    HUILA,
    LOOK,
    LUNDA,
    MALANJE,
    MOXICO,
    PLAN,
    TOLD,
    table,
)
from tests.support.trust_forms import (
    SENT,
    F,
    form_at,
    leaving_home,
    looking,
    moving,
    paying,
    paying_at_first,
    press,
    selling,
)
from tests.support.trust_player import meeting


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
    press(form, "enter")
    assert form.refusal == PRESS_DONE


def test_the_inspector_takes_nothing_from_ones_own_agent_unasked() -> None:
    sent = {(2, RoundStep.PLAN): SENT, (2, RoundStep.MOVE): SENT}
    form = form_at(table({(2, RoundStep.PAY): (0, 0), **sent}), InspectorForm)
    form.click(("region", LUNDA))
    assert form.question() is None
    form.click(("region", HUILA))
    assert form.question() == "You would lose the diamonds that [3] carries."


def test_done_names_the_agents_without_orders() -> None:
    form = moving()
    assert form.question() == "No orders for [1], [2] or [3]: they stay and offer nothing."
    press(form, "1 enter 2 enter")
    assert form.question() == "No orders for [2] or [3]: they stay and offer nothing."
    press(form, "3")
    assert form.question() == "No orders for [2] or [3]: they stay and offer nothing."
    press(form, "enter enter 2")
    assert form.question() == "No orders for [2]: it stays and offers nothing."
    press(form, "enter")
    assert form.question() is None
    assert form.sentence(80) == "All set. Press d for Done."


def test_agents_without_orders_are_named_before_done() -> None:
    form = moving()
    press(form, "1 enter enter")
    assert form.sentence(100) == "No orders yet for [2] or [3]: they stay and offer nothing."
    assert form.question() == "No orders for [2] or [3]: they stay and offer nothing."


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


def with_little(form: F, cash: int) -> F:
    """Returns the form of a side that has that much cash and no diamonds at home."""
    state = spending(form.state, form.seat, form.cash - cash)
    return type(form)(replace(form.context, state=evolve(state, vault=(0, 0))), Selection())


@pytest.mark.parametrize(
    ("form", "cash", "said"),
    [
        (leaving_home, 0, "You have no money: a trip costs $2. Press d when done."),
        (leaving_home, 1, "You have only $1: a trip costs $2. Press d when done."),
        (moving, 0, "You have no money: a trip or an offer costs at least $1. Press d when done."),
        (paying_at_first, 0, "You have no money to pay anyone. Press d when done."),
    ],
)
def test_where_nothing_is_possible_nothing_is_asked_for(form: Callable[[], TrustForm], cash: int, said: str) -> None:
    poor = with_little(form(), cash)
    assert poor.sentence(100) == said
    assert poor.prompt()[-1] == "Type done."
    assert not poor.payable()
    press(poor, "enter")
    assert poor.refusal == PRESS_DONE
    assert "Done" in form().sentence(100)


def test_an_agent_that_can_go_nowhere_is_not_asked_where_it_goes() -> None:
    form = with_little(leaving_home(), 3)
    press(form, "1")
    form.click(("region", LUNDA))
    press(form, "1 enter 2")
    assert form.sentence(100) == "[2] can only stay: you have $0 left, and a trip costs $2."
    assert form.sentence(45) == "[2] can only stay: a trip costs $2."
    assert form.sentence(30) == "[2] can only stay."
    press(form, "1")
    assert form.sentence(30) == "Select a region for [1]."


def test_done_names_all_whose_offer_was_never_set() -> None:
    form = moving()
    press(form, "3 enter")
    form.click(("agent", 0, 0))
    form.click(("region", LUNDA))
    form.click(("agent", 0, 1))
    form.click(("region", HUILA))
    assert "[1] and [3] offer $0, so they collect nothing." in (form.question() or "")


def test_done_asks_about_what_is_shown_and_not_answered_yet() -> None:
    form = moving()
    press(form, "3 enter 1 enter")
    form.click(("agent", 0, 0))
    form.click(("region", LUNDA))
    idle = "No orders for [2]: it stays and offers nothing."
    assert form.question() == f"{idle} [1] offers $0 in Lunda, so it collects nothing."
    press(form, "2")
    assert form.question() == idle
    press(form, "enter")
    form.click(("agent", 0, 1))
    form.click(("inspector",))
    press(form, "3 enter")
    shown = form.stepper()
    assert shown is not None
    assert shown.title == "Inspector bribe"
    assert form.question() == "[2] goes to the Inspector’s region but offers him no bribe."
    press(form, "1")
    assert form.question() is None
    stays = MoveForm(replace(form.context, state=evolve(form.state, inspector=MALANJE)), Selection())
    press(stays, "2 enter 1")
    stays.click(("inspector",))
    press(stays, "1 enter")
    assert "[1] stays in the Inspector’s region but offers him no bribe." in (stays.question() or "")


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
    assert form.refusal == "Press d to sell nothing"
    press(form, "2 enter")
    assert form.refusal == "Press d to sell 2 diamonds"
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
    assert bound.sentence(70) == "Nobody reported to you. Both sides wait the same time."
    assert bound.sentence(30) == "Nobody reported to you."
    assert [hint.key for hint in bound.hints()] == ["Tab"]
    sale = selling(plan=False, right=False)
    assert sale.sentence(70) == "No agent revealed your opponent’s sale. Both sides wait the same time."
    assert sale.sentence(56) == "No sale was reported. Both sides wait the same time."
    assert sale.sentence(45) == "No agent revealed your opponent’s sale."
    assert not sale.hints()


def test_who_can_adjust_a_sale_with_an_empty_vault_reads_that_there_is_nothing_to_sell() -> None:
    """An agent has reported the other side’s sale."""
    form = selling(plan=False)
    state = evolve(form.state, sale_plan=(0, HIDDEN), vault=(0, 3))
    for options, said in (
        ({}, "You have nothing to sell. Press d when done."),
        ({FINAL_ADJUSTMENT: 12}, "You have nothing to sell. Both sides wait the same time."),
    ):
        empty = SaleForm(replace(form.context, state=state, options=options), Selection())
        assert empty.sentence(70) == said
        assert "hides" not in empty.sentence(55), "everyone sees an empty vault"
        assert "cannot change your number" in empty.type_words(["sell"])
        assert "no agent reported" not in " ".join(empty.prompt())
        assert "You planned to sell nothing." in empty.prompt()


def test_who_is_done_before_the_other_side_reads_whether_the_choice_will_be_shown() -> None:
    player = meeting()
    shown = player.screen.shown_at(player.ui.time)
    inspector = form_at(table({**LOOK, (2, RoundStep.MOVE): PLAN}, TOLD), InspectorForm)
    unlimited = SaleForm(replace(selling(plan=False).context, options={FINAL_ADJUSTMENT: 0}), Selection())
    for form, said, short in (
        (paying(), "Locked in. Only double agents reveal payments.", "Locked in. Payments are secret."),
        (moving(), "Locked in. Only double agents reveal orders.", "Locked in until both are done."),
        (selling(), "Locked in. Hidden until both are done.", "Locked in until both are done."),
        (unlimited, "Locked in. Hidden until both are done.", "Locked in until both are done."),
        (inspector, "Locked in.", "Locked in."),
    ):
        form.sealed = True
        assert player.screen.view.strip(replace(shown, form=form), 80)[1] == said
        assert player.screen.view.strip(replace(shown, form=form), 42)[1] == short


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


def sold_against(theirs: int) -> tuple[SaleForm, Canvas]:
    """Returns the sale against a side with so many diamonds at home, and its table at 80x24."""
    form = selling()
    form = SaleForm(replace(form.context, state=evolve(form.state, vault=(2, theirs))), Selection())
    canvas = Canvas(80, 17)
    draw_sale(canvas, form, ("ana", "ben"))
    return form, canvas


def columns_of(canvas: Canvas) -> list[int]:
    """Returns the numbers of the other side for which the table says what a sale brings."""
    line = next(line for line in canvas.lines() if "if ben sells" in line)
    return [int(each) for each in line.split() if each.isdecimal()]


def test_a_sale_table_that_is_too_wide_scrolls_to_every_number_by_keys_and_clicks() -> None:
    form, canvas = sold_against(30)
    seen = set(columns_of(canvas))
    assert seen == set(range(len(seen)))
    assert "more ▸" in "\n".join(canvas.lines())
    assert "◂ fewer" not in "\n".join(canvas.lines())
    assert "PgDn" in [hint.key for hint in form.hints()]
    for _ in range(9):
        press(form, "pagedown")
        draw_sale(canvas, form, ("ana", "ben"))
        seen |= set(columns_of(canvas))
    assert seen == set(range(31))
    assert "◂ fewer" in "\n".join(canvas.lines())
    assert "more ▸" not in "\n".join(canvas.lines())
    for _ in range(9):
        form.click(("scroll", -4))
    draw_sale(canvas, form, ("ana", "ben"))
    assert columns_of(canvas)[0] == 0
    assert form.choice() == 0


def test_a_sale_table_of_ten_columns_needs_no_scrolling() -> None:
    form, canvas = sold_against(9)
    assert columns_of(canvas) == list(range(10))
    assert "PgDn" not in [hint.key for hint in form.hints()]


@pytest.mark.parametrize("sealed", [False, True])
@pytest.mark.parametrize("plan", [True, False])
@pytest.mark.parametrize(
    ("bribes", "theirs", "says"),
    [
        ((Exact(9), UNKNOWN, Exact(9)), None, "[1] and [3] reveal your number to ben."),
        ((Exact(9), UNKNOWN, Exact(0)), None, "[1] reveals your number to ben."),
        ((Exact(0), UNKNOWN, UNKNOWN), None, "Secret unless an agent at home is a double agent."),
        ((Exact(0), UNKNOWN, Exact(0)), None, "secret until both are done."),
        ((Exact(9), UNKNOWN, Exact(0)), 2, "(2)♥ ben plans to sell 2 [1] reveals yours."),
        ((Exact(0), UNKNOWN, Exact(0)), 2, "(2)♥ ben plans to sell 2"),
    ],
)
def test_a_sale_says_who_may_know_its_number(
    bribes: tuple[Estimate, ...], theirs: int | None, says: str, plan: bool, sealed: bool
) -> None:
    form = selling(plan)
    unseen = tuple(() if isinstance(estimate, Exact) else (0,) for estimate in bribes)
    known = Knowledge(bribes=bribes, sale=None if plan else theirs, turned=(True, True, False), unseen=unseen)
    agents = tuple(agent._replace(at=HOME) for agent in form.state.agents[0])
    others = tuple(agent._replace(at=at) for agent, at in zip(agents, (MOXICO, HOME, HOME), strict=True))
    state = evolve(
        form.state,
        agents=(agents, others),
        met=((True, False, True), (False,) * 3),
        most_bribes=((9,) * 3,) * 2,
        known=(known, form.state.known[1]),
    )
    form = SaleForm(replace(form.context, state=state), Selection())
    secret_for_sure = not plan or bribes == (Exact(0), UNKNOWN, Exact(0))
    hidden = "Hidden until both are done." if secret_for_sure else "Only double agents reveal it."
    assert form.locked_in == f"Locked in. {hidden}"
    form.sealed = sealed
    said = " ".join("".join(span.text for span in line) for line in secret(form, ("ana", "ben"), 33))
    if plan and theirs is not None:
        says = says.partition(" sell 2 ")[2].replace("yours", "your number to ben") or "secret until both are done."
    if not plan:
        says = says.replace("reveals", "revealed").replace("reveal ", "revealed ")
    assert says.lower() in said.lower()
    if plan and "[1]" in says:
        assert any("reveal" in line and "your number to ben" in line for line in form.prompt())


@pytest.mark.parametrize(
    ("bribed", "says"), [((9,), "[1] was won over"), ((9, None, 9), "[1] and [3] were won over"), ((), "")]
)
@pytest.mark.parametrize("options", [{}, {FINAL_ADJUSTMENT: 12}, {FINAL_ADJUSTMENT: 40, QUIET_TIME: 5}])
def test_a_player_who_may_change_a_sale_is_told_that_a_report_of_this_month_is_why(
    bribed: tuple[int | None, ...], says: str, options: dict[str, int]
) -> None:
    form = selling(plan=False)
    known = Knowledge(told_bribes=(*bribed, None, None, None)[:3])
    context = replace(form.context, state=evolve(form.state, known=(known, form.state.known[1])))
    form = SaleForm(replace(context, options=options), Selection())
    assert says in form.sentence(62)
    reason = [line for line in form.prompt() if "you learned this month that your agent" in line]
    assert len(reason) == bool(bribed)
    assert not bribed or "1" in reason[0]
    told = evolve(context.state, known=(replace(known, sale=2), form.state.known[1]))
    seen = SaleForm(replace(context, state=told), Selection())
    assert "won over" not in seen.sentence(62) + " ".join(seen.prompt()), "that its opponent’s number is seen is enough"


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


def test_where_no_number_has_two_digits_another_digit_is_another_number() -> None:
    few, many = Number(0, 6), Number(0, 18)
    for number in (few, many):
        for key in ("1", "2"):
            number.key(key)
    assert (few.amount, few.exceeded) == (2, False)
    assert (many.amount, many.exceeded) == (12, False)
    few.key("7")
    assert (few.amount, few.exceeded) == (6, True)


def test_a_reported_plan_says_that_nothing_is_offered() -> None:
    def said(order: tuple[int, int, int]) -> str:
        return "".join(span.text for span in told_plan(1, 2, order, HUILA))

    assert said((HUILA, 0, 0)).endswith("stays in Huila, offers nothing")
    assert said((HUILA, 7, 0)).endswith("stays in Huila, offers $7")
    assert "offers" not in said((HOME, 0, 0))


@pytest.mark.slow
def test_the_loyalty_of_an_agent_fits_its_column() -> None:
    player = meeting(mine={**LOOK, (2, RoundStep.PAY): (0, 1)}, theirs=TOLD, size=(120, 40))
    player.click(("agent", 0, 0))
    assert "loyal, as far as you know" in player.text()


def test_an_enemy_agent_that_does_not_report_is_loyal() -> None:
    player = meeting(size=(120, 40))
    player.click(("agent", 1, 0))
    assert "loyal " in player.text()
    assert "as far as you know" not in player.text()


@pytest.mark.parametrize(
    ("form", "keys"),
    [
        (paying_at_first, "1 2"), (moving, "1"), (moving, "1 enter 4"), (moving, "1 up enter 4 enter 2"),
        (looking, "3"), (looking, "3 enter 1"), (selling, "1"),
    ],
)  # fmt: skip
def test_nothing_that_is_pressed_or_clicked_changes_a_choice_that_was_handed_in(
    form: Callable[[], TrustForm], keys: str
) -> None:
    handed_in = form()
    press(handed_in, keys)
    choice, handed_in.sealed = handed_in.choice(), True
    for name in ("home", "9", "left", "up", "enter", "esc", "u", "2", "enter", "tab", "backspace", "home", "end"):
        handed_in.key(name)
        assert handed_in.choice() == choice, name
    on_boxes = (("more",), ("less",), ("set",))
    on_map = (("region", LUNDA), ("home", 0), ("tag", 0, 0, HOME), ("agent", 0, 2))
    for action in (*on_boxes, *on_map):
        handed_in.click(action)
        assert handed_in.choice() == choice, action
