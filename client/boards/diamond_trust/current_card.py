"""The card at the moment: the papers that are looked at, the number to sell, what was told, or how things stand."""

from __future__ import annotations

from collections.abc import Sequence

from client.board import Span
from client.boards.diamond_trust.atlas import Spans
from client.boards.diamond_trust.desk import Agent, Desk
from client.boards.diamond_trust.desk_move import LastLookDesk, told_plan
from client.boards.diamond_trust.desk_pay import PayDesk
from client.boards.diamond_trust.desk_rest import InspectorDesk, SaleDesk
from client.boards.diamond_trust.papers import Card, Fact, agent_card, agent_papers, inspector_card, story_card
from client.boards.diamond_trust.phrases import agent_mark, money, soft, stones, strong
from games.diamond_trust.angola import HOMES, other
from games.diamond_trust.knowledge import Knowledge
from games.diamond_trust.rules import State

TOUCH = "Touch an agent or the Inspector to see the papers."
GOAL = "Whoever has more diamonds at home after nine months wins. Money breaks a tie."


def card_at(
    state: State, seat: int, names: Sequence[str], desk: Desk | None, paid: Sequence[tuple[Agent, int]]
) -> Card:
    """What `seat` sees on its card while `desk` is open; `paid` is what it has paid in this round."""
    if desk is not None and desk.looking_at_inspector:
        return inspector_card(state, names, state.inspector, True)
    if desk is not None and desk.looked_at is not None:
        lines = _paid_lines(seat, desk.paid() if isinstance(desk, PayDesk) else paid)
        return agent_card(state, seat, names, *desk.looked_at, desk.now_paid(desk.looked_at), lines)
    match desk:
        case InspectorDesk():
            return inspector_card(state, names, desk.region, desk.region == state.inspector, choosing=True)
        case SaleDesk():
            return _sale_card(state, seat, desk)
        case LastLookDesk():
            return _told_card(state, seat, names, desk)
    return story_card(last_sale(state, names), (soft(TOUCH),), ())


def _paid_lines(seat: int, paid: Sequence[tuple[Agent, int]]) -> list[tuple[Spans, Spans]]:
    lines: list[tuple[Spans, Spans]] = [((soft("Paid in this round"),), ())] if paid else []
    for (payee, agent), amount in paid:
        kind = "salary" if payee == seat else "bribe "
        lines.append(((agent_mark(payee, agent), soft(f" {kind} ")), (money(amount),)))
    return lines


def last_sale(state: State, names: Sequence[str]) -> Spans:
    sold = state.sold
    if sold is None:
        return (soft(GOAL),)
    spans: list[Span] = [soft("The last sale:")]
    for name, number, dollars in zip(names, sold.sold, sold.income, strict=True):
        spans += [Span("  "), soft(f"{name} sold "), *stones(number), soft(" for "), money(dollars)]
    return tuple(spans)


def _sale_card(state: State, seat: int, desk: SaleDesk) -> Card:
    rival = other(seat)
    known = state.known[seat]
    told = known.sale if isinstance(known, Knowledge) and desk.last_look else None
    number = strong("unknown") if told is None else strong(f"{told}", "heart")
    mine: Spans = (
        soft(f"In {HOMES[seat]} "),
        *stones(state.vault[seat]),
        soft("   now "),
        strong(f"{desk.number} to sell"),
    )
    theirs: Spans = (soft(f"In {HOMES[rival]} "), *stones(state.vault[rival]), soft("   their number: "), number)
    rule: Spans = (
        soft("A share of "),
        money(24),
        soft(" for those who sell; "),
        money(18),
        soft(" for who sells nothing."),
    )
    return Card(((*mine, Span("      "), *theirs), rule), (tuple(Fact("", line) for line in (mine, theirs, rule)),))


def _told_card(state: State, seat: int, names: Sequence[str], desk: LastLookDesk) -> Card:
    """What was told: the plans, and who betrays one's own."""
    rival = other(seat)
    lines: list[Spans] = []
    for agent, order in desk.told():
        papers = agent_papers(state, seat, rival, agent)
        spans = told_plan(rival, agent, order, state.agents[rival][agent].at)
        lines.append((*spans, soft("   salary "), money(papers.salary), soft("   your bribes "), money(papers.bribes)))
    for agent in range(len(state.agents[seat])):
        papers = agent_papers(state, seat, seat, agent)
        if papers.turned and papers.bribers:
            mark = agent_mark(seat, agent)
            lines.append(
                (
                    agent_mark(rival, papers.bribers[0]),
                    soft(" has bribed "),
                    mark,
                    Span("♥", "heart", True),
                    soft(" with "),
                    money(papers.bribes),
                    soft("; salary is "),
                    money(papers.salary),
                    soft(", so "),
                    Span(f"{mark.text} tells {names[rival]}.", "warning", True),
                )
            )
    if not lines:
        lines = [(soft("No agent of the other side has told you anything."),)]
    if len(lines) == 1:
        lines.append((soft("Trips and payments are revealed when the last look is over."),))
    return story_card(lines[0], lines[1], *lines[2:])
