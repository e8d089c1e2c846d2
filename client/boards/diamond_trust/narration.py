"""What a step was: noted on the map, in one sentence, and what each side did in it. What is HIDDEN is "sealed"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from client.board import Span
from client.boards.diamond_trust.atlas import Line, Scene, Spans, Tag, Trip, Where, badge, on_side
from client.boards.diamond_trust.phrases import agent_mark, joined, money, soft, stones, strong, where
from client.boards.diamond_trust.story import Stop
from games.diamond_trust.angola import HOMES, REGIONS, SEATS, Orders
from games.diamond_trust.position import Step


def _sealed(what: str) -> Spans:
    """What one side has chosen and nobody else may know."""
    return soft(f"{what} "), Span("◆ sealed", "ice")


def noted(scene: Scene, stop: Stop) -> Scene:
    """The map with what was chosen in a step: payments, plans, or the trips that were made."""
    match stop.step:
        case Step.PAY:
            tags = [
                Tag(owner, agent, stop.before.agents[owner][agent].at, (on_side(payer, f"+${amount}"),), Where.BELOW)
                for payer, owner, agent, amount in paid(stop)
            ]
            return replace(scene, tags=tuple(tags))
        case Step.PLAN:
            return _orders(scene, [stop.before.places(seat) for seat in range(SEATS)], stop.answer, planned=True)
        case Step.PLAN_TOLD:
            told = [(seat, agent, order) for seat, agent, order in stop.told() if isinstance(order, tuple)]
            trips = [
                Trip(Line.TOLD, seat, agent, stop.before.agents[seat][agent].at, order[0])
                for seat, agent, order in told
                if order[0] != stop.before.agents[seat][agent].at
            ]
            return replace(scene, trips=tuple(trips))
        case Step.MOVE if stop.after.moved is not None and stop.after.months_left:
            return _orders(scene, list(stop.after.moved.origins), stop.after.moved.orders, planned=False)
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
                trips.append(Trip(Line(seat), seat, agent, start, to))
    return replace(scene, tags=tuple(tags), trips=tuple(trips))


def legend(scene: Scene) -> tuple[tuple[Line, str], ...]:
    if any(trip.line is Line.TOLD for trip in scene.trips):
        return ((Line.TOLD, "told by ♥"),)
    return ((Line.LONDON, "London"), (Line.ANTWERP, "Antwerp")) if scene.trips else ()


def paid(stop: Stop) -> list[tuple[int, int, int, int]]:
    """The payments of a pay phase above $0: (payer, owner, agent, amount)."""
    return [
        (seat, 1 - seat if slot.bribe else seat, slot.agent, amount)
        for seat in range(SEATS)
        if isinstance(stop.answer[seat], tuple)
        for slot, amount in zip(stop.before.slots(seat), stop.answer[seat], strict=True)
        if amount
    ]


def summary(stop: Stop, names: Sequence[str]) -> str:
    """A step in one sentence."""
    match stop.step:
        case Step.INSPECTOR:
            return f"Lots put the Inspector in {REGIONS[stop.after.inspector]}."
        case Step.PAY:
            return "What each side paid its own and the other’s agents."
        case Step.PAY_TOLD | Step.PLAN_TOLD | Step.SALE_TOLD:
            return "What turned agents told."
        case Step.PLAN:
            return "The plans, sealed at the same time."
        case Step.MOVE:
            return "The final moves, and what they led to."
        case Step.INSPECT:
            mover = stop.before.moved.inspector_mover if stop.before.moved else None
            return f"{names[mover]} moves the Inspector." if mover is not None else ""
        case Step.SALE_PLAN:
            return "The sales as they were planned."
        case Step.SALE:
            return "The final sales."
        case _:
            return "The vaults are counted, and the last totals opened."


def narrated(stop: Stop, names: Sequence[str]) -> tuple[Spans, Spans]:
    """What each side did in a step, in two lines."""
    match stop.step:
        case Step.PAY:
            return _by_side(names, lambda seat: _pay_line(stop, seat))
        case Step.PLAN:
            return _by_side(names, lambda seat: _order_line(stop.answer[seat], stop.before.places(seat), seat))
        case Step.MOVE:
            return _by_side(names, lambda seat: _order_line(stop.answer[seat], stop.before.places(seat), seat))
        case Step.SALE_PLAN:
            return _by_side(names, lambda seat: _number(stop.answer[seat], "plans to sell "))
        case Step.SALE if stop.after.sold is not None:
            sold = stop.after.sold
            return _by_side(
                names,
                lambda seat: (soft("sells "), *stones(sold.sold[seat]), soft(" for "), money(sold.income[seat])),
            )
        case Step.PAY_TOLD | Step.PLAN_TOLD | Step.SALE_TOLD:
            lines = [_told_line(stop, owner, agent, payload) for owner, agent, payload in stop.told()]
            return joined(lines[::2]), joined(lines[1::2])
        case Step.OPEN:
            return _by_side(names, lambda seat: _final_line(stop, seat))
        case _:
            return (soft(summary(stop, names)),), ()


def _by_side(names: Sequence[str], line: Callable[[int], Spans]) -> tuple[Spans, Spans]:
    first, second = ((Span(f"{names[seat]}: ", "text", True), *line(seat)) for seat in range(SEATS))
    return first, second


def _pay_line(stop: Stop, seat: int) -> Spans:
    if not isinstance(stop.answer[seat], tuple):
        return _sealed("payments")
    parts = [
        (agent_mark(owner, agent), soft(" salary " if owner == seat else " bribe "), money(amount))
        for payer, owner, agent, amount in paid(stop)
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


def _final_line(stop: Stop, seat: int) -> Spans:
    cash = stop.after.cash(seat)
    return (
        *stones(stop.after.vault[seat]),
        soft(f" in {HOMES[seat]}, "),
        money(cash if isinstance(cash, int) else None),
    )


def _told_line(stop: Stop, owner: int, agent: int, payload: object) -> Spans:
    mark = (agent_mark(owner, agent), Span("♥", "heart", True), soft(" tells "))
    match stop.step, payload:
        case Step.PLAN_TOLD, (int(to), int(payment), int(bribe)):
            extra = f" ${payment}" * bool(payment) + f" UN ${bribe}" * bool(bribe)
            return (*mark, soft("its orders: "), strong(f"{where(to, owner)}{extra}"))
        case Step.PAY_TOLD, (int(salary), tuple(bribes), cash):
            spans: Spans = (*mark, soft("salary "), money(salary))
            for target, total in enumerate(bribes):
                if isinstance(total, int):
                    spans += (soft(", bribed "), agent_mark(1 - owner, target), soft(" "), money(total))
            return spans + ((soft(", cash "), money(cash)) if isinstance(cash, int) else ())
        case Step.SALE_TOLD, (int(cash), int(sale)):
            return (*mark, soft("cash "), money(cash), soft(", sale "), strong(str(sale)))
        case _:
            return (*mark, soft("nothing"))
