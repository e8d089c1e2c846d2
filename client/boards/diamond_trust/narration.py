"""A step in words: as notes on the map, in one sentence, and what each side did. What is HIDDEN reads "sealed"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from kimberley.client.boards.api import Span
from kimberley.client.boards.diamond_trust.events import GameEvent
from kimberley.client.boards.diamond_trust.phrases import agent_mark, joined, money, soft, stones, strong, where
from kimberley.client.boards.diamond_trust.scene import LineStyle, Scene, Spans, Tag, Trip, Where, badge, on_side
from kimberley.games.diamond_trust.angola import HOMES, REGIONS, SEATS, Orders
from kimberley.games.diamond_trust.position import RoundStep


def _sealed(what: str) -> Spans:
    """What one side has chosen and nobody else may know."""
    return soft(f"{what} "), Span("◆ sealed", "ice")


def annotated(scene: Scene, event: GameEvent) -> Scene:
    """The map with what was chosen in a step: payments, plans, or the trips that were made."""
    match event.step:
        case RoundStep.PAY:
            tags = [
                Tag(owner, agent, event.before.agents[owner][agent].at, (on_side(payer, f"+${amount}"),), Where.BELOW)
                for payer, owner, agent, amount in paid(event)
            ]
            return replace(scene, tags=tuple(tags))
        case RoundStep.PLAN:
            return _orders(scene, [event.before.places(seat) for seat in range(SEATS)], event.answer, planned=True)
        case RoundStep.PLAN_TOLD:
            told = [(seat, agent, order) for seat, agent, order in event.told() if isinstance(order, tuple)]
            trips = [
                Trip(LineStyle.TOLD, seat, agent, event.before.agents[seat][agent].at, order[0])
                for seat, agent, order in told
                if order[0] != event.before.agents[seat][agent].at
            ]
            return replace(scene, trips=tuple(trips))
        case RoundStep.MOVE if event.after.moved is not None and event.after.months_left:
            return _orders(scene, list(event.after.moved.origins), event.after.moved.orders, planned=False)
        case _:
            return scene


def _orders(scene: Scene, origins: Sequence[tuple[int, ...]], orders: Sequence[object], planned: bool) -> Scene:
    tags: list[Tag] = []
    trips: list[Trip] = []
    for seat, mine in enumerate(orders):
        if not isinstance(mine, tuple):
            continue
        for agent, (to, payment, bribe) in enumerate(mine):
            start = origins[seat][agent]
            text = [f"→{badge(seat, agent)}"] if planned and to != start else []
            text += [f"${payment}"] if payment else []
            text += [f"UN ${bribe}"] if bribe else []
            if text:
                place = Where.SLOT if planned and to != start else Where.BESIDE
                tags.append(Tag(seat, agent, to, (on_side(seat, " ".join(text)),), place))
            if to != start:
                trips.append(Trip(LineStyle(seat), seat, agent, start, to))
    return replace(scene, tags=tuple(tags), trips=tuple(trips))


def legend(scene: Scene) -> tuple[tuple[LineStyle, str], ...]:
    if any(trip.line is LineStyle.TOLD for trip in scene.trips):
        return ((LineStyle.TOLD, "told by ♥"),)
    return ((LineStyle.LONDON, "London"), (LineStyle.ANTWERP, "Antwerp")) if scene.trips else ()


def paid(event: GameEvent) -> list[tuple[int, int, int, int]]:
    """The payments of a pay phase above $0: (payer, owner, agent, amount)."""
    return [
        (seat, 1 - seat if slot.bribe else seat, slot.agent, amount)
        for seat in range(SEATS)
        if isinstance(event.answer[seat], tuple)
        for slot, amount in zip(event.before.slots(seat), event.answer[seat], strict=True)
        if amount
    ]


def describe_event(event: GameEvent, names: Sequence[str]) -> str:
    """A step in one sentence."""
    match event.step:
        case RoundStep.INSPECTOR:
            return f"The Inspector starts in {REGIONS[event.after.inspector]}, drawn by lot."
        case RoundStep.PAY:
            return "What each side paid to agents of both sides."
        case RoundStep.PAY_TOLD | RoundStep.PLAN_TOLD | RoundStep.SALE_TOLD:
            return "What the turned agents revealed."
        case RoundStep.PLAN:
            return "The plans, sealed at the same time."
        case RoundStep.MOVE:
            return "The final moves, and what they led to."
        case RoundStep.INSPECT:
            mover = event.before.moved.inspector_mover if event.before.moved else None
            return f"{names[mover]} moves the Inspector." if mover is not None else ""
        case RoundStep.SALE_PLAN:
            return "The sales as they were planned."
        case RoundStep.SALE:
            return "The final sales."
        case _:
            return "The vaults are counted, and the last totals revealed."


def event_details(event: GameEvent, names: Sequence[str]) -> tuple[Spans, Spans]:
    """What each side did in a step, in two lines."""
    match event.step:
        case RoundStep.PAY:
            return _by_side(names, lambda seat: _pay_line(event, seat))
        case RoundStep.PLAN:
            return _by_side(names, lambda seat: _order_line(event.answer[seat], event.before.places(seat), seat))
        case RoundStep.MOVE:
            return _by_side(names, lambda seat: _order_line(event.answer[seat], event.before.places(seat), seat))
        case RoundStep.SALE_PLAN:
            return _by_side(names, lambda seat: _number(event.answer[seat], "plans to sell "))
        case RoundStep.SALE if event.after.sold is not None:
            sold = event.after.sold
            return _by_side(
                names,
                lambda seat: (soft("sells "), *stones(sold.sold[seat]), soft(" for "), money(sold.income[seat])),
            )
        case RoundStep.PAY_TOLD | RoundStep.PLAN_TOLD | RoundStep.SALE_TOLD:
            lines = [_told_line(event, owner, agent, payload) for owner, agent, payload in event.told()]
            return joined(lines[::2]), joined(lines[1::2])
        case RoundStep.OPEN:
            return _by_side(names, lambda seat: _final_line(event, seat))
        case _:
            return (soft(describe_event(event, names)),), ()


def _by_side(names: Sequence[str], line: Callable[[int], Spans]) -> tuple[Spans, Spans]:
    first, second = ((Span(f"{names[seat]}: ", "text", True), *line(seat)) for seat in range(SEATS))
    return first, second


def _pay_line(event: GameEvent, seat: int) -> Spans:
    if not isinstance(event.answer[seat], tuple):
        return _sealed("payments")
    parts = [
        (agent_mark(owner, agent), soft(" salary " if owner == seat else " bribe "), money(amount))
        for payer, owner, agent, amount in paid(event)
        if payer == seat
    ]
    return joined(parts) or (soft("nothing"),)


def _order_line(orders: object, at: tuple[int, ...], seat: int) -> Spans:
    if not isinstance(orders, tuple):
        return _sealed("plans")
    known: Orders = orders
    parts = []
    for agent, (to, payment, bribe) in enumerate(known):
        part: Spans = (agent_mark(seat, agent), soft(" stays" if to == at[agent] else f" {where(to, seat)}"))
        part += (soft(" "), money(payment)) if payment else ()
        part += (soft(" UN "), money(bribe)) if bribe else ()
        parts.append(part)
    return joined(parts)


def _number(number: object, verb: str) -> Spans:
    return (soft(verb), *stones(number)) if isinstance(number, int) else _sealed("sale")


def _final_line(event: GameEvent, seat: int) -> Spans:
    cash = event.after.cash(seat)
    return (
        *stones(event.after.vault[seat]),
        soft(f" in {HOMES[seat]}, "),
        money(cash if isinstance(cash, int) else None),
    )


def _told_line(event: GameEvent, owner: int, agent: int, payload: object) -> Spans:
    mark = (agent_mark(owner, agent), Span("♥", "heart", True), soft(" tells "))
    match event.step, payload:
        case RoundStep.PLAN_TOLD, (int(to), int(payment), int(bribe)):
            extra = f" ${payment}" * bool(payment) + f" UN ${bribe}" * bool(bribe)
            return (*mark, soft("its orders: "), strong(f"{where(to, owner)}{extra}"))
        case RoundStep.PAY_TOLD, (int(salary), tuple(bribes), cash):
            spans: Spans = (*mark, soft("salary "), money(salary))
            for target, total in enumerate(bribes):
                if isinstance(total, int):
                    spans += (soft(", bribed "), agent_mark(1 - owner, target), soft(" "), money(total))
            return spans + ((soft(", cash "), money(cash)) if isinstance(cash, int) else ())
        case RoundStep.SALE_TOLD, (int(cash), int(sale)):
            return (*mark, soft("cash "), money(cash), soft(", sale "), strong(str(sale)))
        case _:
            return (*mark, soft("nothing"))
