"""The card as it is now: the selected agent, the number to sell, what was told, or how things stand."""

from __future__ import annotations

from collections.abc import Sequence

from kimberley.client.boards.diamond_trust.agent_card import (
    CardField,
    InfoCard,
    agent_card,
    agent_facts,
    inspector_card,
    order_card,
    region_card,
    story_card,
)
from kimberley.client.boards.diamond_trust.events import unmoved
from kimberley.client.boards.diamond_trust.form import Agent, TrustForm
from kimberley.client.boards.diamond_trust.form_inspector import InspectorForm
from kimberley.client.boards.diamond_trust.form_last_look import LastLookForm, told_plan
from kimberley.client.boards.diamond_trust.form_move import MoveForm
from kimberley.client.boards.diamond_trust.form_pay import PayForm
from kimberley.client.boards.diamond_trust.form_sale import SaleForm
from kimberley.client.boards.diamond_trust.phrases import (
    LINE,
    agent_mark,
    beside_names,
    bribe_failed,
    explains,
    joined,
    look_ahead,
    money,
    soft,
    stones,
    strong,
)
from kimberley.client.boards.diamond_trust.scene import badge
from kimberley.client.ui.spans import Span, Spans, spans_width
from kimberley.games.diamond_trust.angola import AGENTS, HOME, HOMES, Order, other, place_name
from kimberley.games.diamond_trust.knowledge import Knowledge
from kimberley.games.diamond_trust.rules import State
from kimberley.games.phrases import join_names

WHY_PAY = "Once bribes to an enemy agent exceed its salary, it reveals its orders."
MEET = "An enemy agent in the same region as one of yours can be bribed next month."
NOBODY_MET = "No enemy agent is in a region with one of yours: nobody to bribe."
LAST_MONTH = "After this month all agents fly home for free with what they carry."
NARROW_LINES = 2
"""The lines of a card on a small screen."""
GOAL = "The side with more diamonds at home after nine months wins. Money breaks ties."


def current_card(
    state: State, seat: int, names: Sequence[str], form: TrustForm, paid: Sequence[tuple[Agent, int]]
) -> InfoCard:
    """Returns what `seat` sees on its card while `form` is open; `paid` is what the seat has paid in this month."""
    chosen = form.selection
    aim = form.aim() if isinstance(form, MoveForm) else None
    if aim is not None:
        return region_card(state, seat, *aim)
    if chosen.inspector:
        return inspector_card(state, names, state.inspector, True)
    if isinstance(form, MoveForm) and (given := form.just_given()) is not None:
        return order_card(state, seat, *given, form.cash - form.cost())
    if chosen.agent is not None:
        lines = _paid_lines(seat, form.paid() if isinstance(form, PayForm) else paid)
        return agent_card(state, seat, names, *chosen.agent, form.now_paid(chosen.agent), lines)
    match form:
        case InspectorForm():
            return inspector_card(state, names, form.region, form.region == state.inspector, choosing=True)
        case SaleForm():
            return _sale_card(state, seat, form)
        case LastLookForm():
            return _last_look_card(state, seat, names, form)
    below = _advised(state, form) if explains(state) else ""
    if isinstance(form, PayForm) and (marks := join_names([badge(*agent) for agent in sorted(form.bribable())])):
        below = f"You can bribe {marks}." if not below else below.format(marks)
    if isinstance(form, MoveForm) and (failed := unmoved(state, seat)):
        return story_card(_failed(state, seat, failed), (soft(below),), ())
    ends = isinstance(form, MoveForm) and not state.months_left
    return story_card((soft(LAST_MONTH),) if ends else last_sale(state, names), (soft(below),), ())


def _advised(state: State, form: TrustForm) -> str:
    """Returns what the card says below about a phase, in the first months; "{}" stands for who can be bribed."""
    if isinstance(form, PayForm):
        if form.bribable():
            return "You can bribe {}. Bribes above an agent’s salary win it over."
        return WHY_PAY if state.round() == 1 else NOBODY_MET
    return look_ahead(form.times) if state.anyone_met() else MEET


def _failed(state: State, seat: int, agents: Sequence[int]) -> Spans:
    """Says that the bribes to some agents have not turned them."""
    rival = other(seat)
    marks = join_names([badge(rival, agent) for agent in agents])
    bribes = state.bribes[rival][agents[0]]
    return bribe_failed(marks, "your", bribes, several=len(agents) > 1)  # type: ignore[arg-type]


def told_in_short(seat: int, agent: int, order: Order, state: State) -> Spans:
    """Returns what a turned agent of `seat` told of its orders, where several have told something."""
    to, payment, bribe = order
    unmoved = to == state.agents[seat][agent].at
    trip = " stays" if unmoved else f" to {place_name(to, seat)}"
    offers = [soft(" "), money(payment)] if to != HOME else []
    return (
        agent_mark(seat, agent), Span("♥", "heart", True), soft(trip), *offers,
        *([soft(" UN "), money(bribe)] if bribe else []),
    )  # fmt: skip


def _paid_lines(seat: int, paid: Sequence[tuple[Agent, int]]) -> list[tuple[Spans, Spans]]:
    lines: list[tuple[Spans, Spans]] = [((soft("Paid this month"),), ())] if paid else []
    for (payee, agent), amount in paid:
        kind = "salary" if payee == seat else "bribe "
        lines.append(((agent_mark(payee, agent), soft(f" {kind} ")), (money(amount),)))
    return lines


def last_sale(state: State, names: Sequence[str]) -> Spans:
    sold = state.sold
    if sold is None:
        return (soft(GOAL),)
    if not any(sold.sold):
        return (soft("Last sale:  nobody sold anything, and each side got "), money(sold.income[0]))
    sales: dict[int, Spans] = {}
    for seat, (number, dollars) in enumerate(zip(sold.sold, sold.income, strict=True)):
        what = (*stones(number), soft(" for ")) if number else (soft("nothing, got "),)
        sales[seat] = (soft(" sold "), *what, money(dollars))
    return beside_names(sales, names, (soft("Last sale:  "),), gap="  ")


def _sale_card(state: State, seat: int, form: SaleForm) -> InfoCard:
    rival = other(seat)
    known = state.known[seat]
    revealed = known.sale if isinstance(known, Knowledge) and form.last_look else None
    mine: Spans = (
        soft(f"{HOMES[seat]}: "),
        *stones(state.vault[seat]),
        soft("   you sell "),
        strong(f"{form.number}"),
    )
    number = strong("?") if revealed is None else strong(f"{revealed}", "heart")
    plans: Spans = (soft("   they sell "), number) if state.vault[rival] else (soft("   nothing to sell"),)
    theirs: Spans = (soft(f"{HOMES[rival]}: "), *stones(state.vault[rival]), *plans)
    rule: Spans = (
        soft("Sellers share "),
        money(24),
        soft("; selling nothing brings "),
        money(18),
        soft("."),
    )
    rule = (soft(form.why_waiting),) if form.why_waiting else rule if explains(state) else ()
    return InfoCard(
        ((*mine, Span("      "), *theirs), rule), (tuple(CardField("", line) for line in (mine, theirs, rule)),)
    )


def _last_look_card(state: State, seat: int, names: Sequence[str], form: LastLookForm) -> InfoCard:
    """Returns what turned agents told: the plans of the other side, and who bribed which of the player's agents."""
    rival = other(seat)
    lines: list[Spans] = []
    for agent, order in form.told():
        facts = agent_facts(state, seat, rival, agent)
        spans = told_plan(rival, agent, order, state.agents[rival][agent].at)
        paid: Spans = (soft("   salary "), money(facts.salary), soft("   bribes "), money(facts.bribes))
        whole = spans_width((*spans, *paid)) <= LINE
        lines.append((*spans, *paid) if whole else spans)
    for agent in range(len(state.agents[seat])):
        facts = agent_facts(state, seat, seat, agent)
        if facts.turned and facts.bribers:
            mark = agent_mark(seat, agent)
            lines.append(
                (
                    agent_mark(rival, facts.bribers[0]),
                    soft(" bribed "),
                    mark,
                    Span("♥", "heart", True),
                    soft(" with "),
                    money(facts.bribes),
                    soft("; its salary is "),
                    money(facts.salary),
                    soft(", so "),
                    Span(f"{mark.text} reports to {names[rival]}.", "warning", True),
                )
            )
    if not lines:
        lines = [(soft("No enemy agent reports to you."),)]
    if len(lines) > NARROW_LINES:
        plans: Spans = joined([told_in_short(rival, agent, order, state) for agent, order in form.told()], "  ")
        tellers = [agent for agent in range(AGENTS) if agent_facts(state, seat, seat, agent).turned]
        marks = join_names([badge(seat, agent) for agent in tellers])
        verb, its = ("reveals", "its") if len(tellers) == 1 else ("reveal", "their")
        warning: Spans = (Span(f"{marks} {verb} {its} orders to {names[rival]}.", "warning", True),) if tellers else ()
        return InfoCard((plans, warning), (tuple(CardField("", line) for line in (plans, warning)),))
    if len(lines) == 1:
        lines.append((soft(form.why_waiting or "Moves are revealed after the adjustment."),))
    return story_card(lines[0], lines[1], *lines[2:])
