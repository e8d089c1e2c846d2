"""What each bribe bought: the payments of a game, and what the agents that they turned gave away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from kimberley.client.boards.diamond_trust.events import PlayedStep
from kimberley.client.boards.diamond_trust.scene import badge
from kimberley.games.diamond_trust.angola import HOME, SEATS, Order, other, place_name
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.phrases import join_names


@dataclass(slots=True)
class Payment:
    """A bribe, or a salary that brought an agent back, and what followed from it.

    `payer` is a seat; `by` the agent that handed a bribe over, None for a salary. `owner` and `agent` are who was paid.
    `bribes` and `salary` are the totals after it. The rest is what the agent gave away until it was paid again.
    """

    number: int
    month: int
    payer: int
    by: int | None
    owner: int
    agent: int
    amount: int
    bribes: int
    salary: int
    bribed: list[tuple[int, int]] = field(default_factory=list)
    plans: list[int] = field(default_factory=list)
    cash: int | None = None
    sale: int | None = None
    changes: list[str] = field(default_factory=list)
    changes_in_words: list[str] = field(default_factory=list)

    @property
    def turned(self) -> bool:
        """Returns whether the agent worked for the other side after it."""
        return self.bribes > self.salary


def _known(total: object) -> int | None:
    return total if isinstance(total, int) else None


def payments(game: Sequence[PlayedStep]) -> list[Payment]:
    """Returns every bribe above $0, and every salary that changed or answered one, in their order.

    What cannot be known, since a seat has not published it, is left out.
    """
    paid: list[Payment] = []
    latest: dict[tuple[int, int], Payment] = {}
    for played in game:
        if played.step is RoundStep.PAY:
            for payment in _paid(played):
                paid.append(payment)
                latest[payment.owner, payment.agent] = payment
        elif played.step in (RoundStep.PAY_TOLD, RoundStep.PLAN_TOLD, RoundStep.SALE_TOLD):
            for owner, agent, payload in played.told():
                source = latest.get((owner, agent))
                if source is not None:
                    _give_away(source, played, payload)
        elif played.step in (RoundStep.MOVE, RoundStep.SALE):
            for seat in range(SEATS):
                change = changes(played, seat)
                source = next((latest[o, a] for o, a in latest if o != seat and latest[o, a].turned), None)
                if change and source is not None:
                    source.changes.append(change)
                    source.changes_in_words.append(changes(played, seat, aloud=True))
    return paid


def _paid(played: PlayedStep) -> list[Payment]:
    """Returns what was paid in a step, bribes first: they count against the salary that is paid at the same time."""
    paid = []
    for seat in range(SEATS):
        amounts = played.answer[seat]
        if not isinstance(amounts, tuple):
            continue
        for slot, amount in zip(played.before.slots(seat), amounts, strict=True):
            owner = other(seat) if slot.bribe else seat
            bribes, salary = (
                _known(totals[owner][slot.agent]) for totals in (played.after.bribes, played.after.salary)
            )
            if not amount or bribes is None or salary is None or (not slot.bribe and not bribes):
                continue
            by = slot.by if slot.bribe else None
            paid.append(
                Payment(played.number, played.before.round(), seat, by, owner, slot.agent, amount, bribes, salary)
            )
    return sorted(paid, key=lambda payment: payment.by is None)


def _give_away(source: Payment, played: PlayedStep, payload: object) -> None:
    match played.step, payload:
        case RoundStep.PAY_TOLD, (int(), tuple(totals), cash):
            known = dict(source.bribed)
            for agent, total in enumerate(totals):
                if isinstance(total, int) and known.get(agent) != total:
                    known[agent] = total
            source.bribed = sorted(known.items())
            source.cash = cash if isinstance(cash, int) else source.cash
        case RoundStep.PLAN_TOLD, tuple():
            source.plans.append(played.before.round())
        case RoundStep.SALE_TOLD, (int(cash), int(sale)):
            source.cash, source.sale = cash, sale
        case _:
            pass


def changes(played: PlayedStep, seat: int, *, aloud: bool = False) -> str:
    """Says how a seat's final choice differs from its plan, in a few words or, `aloud`, in a clause."""
    before, final = played.before, played.answer[seat]
    if played.step is RoundStep.SALE:
        planned = before.sale_plan[seat]
        return f"the sale from {planned} to {final}" if isinstance(planned, int) and planned != final else ""
    plan = before.plan[seat]
    if not isinstance(plan, tuple) or not isinstance(final, tuple):
        return ""
    told = [
        (_order_change_aloud if aloud else _order_change)(seat, agent, old, new)
        for agent, (old, new) in enumerate(zip(plan, final, strict=True))
        if old != new
    ]
    return join_names(told) if aloud else ", ".join(told)


def _order_change(seat: int, agent: int, old: Order, new: Order) -> str:
    def short(order: Order) -> str:
        place = place_name(order[0], seat)
        return place if order[0] == HOME else f"{place} ${order[1]}"

    if old[0] == new[0] and old[1] != new[1]:
        return f"{place_name(old[0], seat)} ${old[1]} to ${new[1]}"
    if old[0] == new[0]:
        return f"the Inspector’s ${old[2]} to ${new[2]}"
    return f"{badge(seat, agent)} {short(old)} to {short(new)}"


def _order_change_aloud(seat: int, agent: int, old: Order, new: Order) -> str:
    if old[0] != new[0]:
        return f"the destination of {badge(seat, agent)} from {place_name(old[0], seat)} to {place_name(new[0], seat)}"
    if old[1] != new[1]:
        return f"the offer in {place_name(old[0], seat)} from ${old[1]} to ${new[1]}"
    return f"the bribe for the Inspector from ${old[2]} to ${new[2]}"


def months(numbers: Sequence[int]) -> str:
    """Returns months in words: "month 3", "months 3–5", "months 3, 5 and 7"."""
    unique = sorted(set(numbers))
    if len(unique) == 1:
        return f"month {unique[0]}"
    if unique[-1] - unique[0] == len(unique) - 1:
        return f"months {unique[0]}–{unique[-1]}"
    return f"months {', '.join(map(str, unique[:-1]))} and {unique[-1]}"
