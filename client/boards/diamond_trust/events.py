"""The events of a game: its steps, and what each bribe bought."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from kimberley.games.diamond_trust.angola import AGENTS, HOME, SEATS, Order, other, place_name
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.diamond_trust.rules import State
from kimberley.games.table import HIDDEN, NOTHING, Answer, Ask, Disclose, Result


@dataclass(frozen=True, slots=True)
class GameEvent:
    """One step of a game: its number in the story, the state before it, the answer, the state after it."""

    number: int
    before: State
    answer: Answer
    after: State

    @property
    def step(self) -> RoundStep:
        return self.before.step

    def told_anything(self) -> bool:
        """Whether a disclosure told anyone anything; True for every other step."""
        if not isinstance(self.before.ask(), Disclose):
            return True
        return any(told is not NOTHING and told is not HIDDEN for told in self.answer)

    def told(self) -> list[tuple[int, int, object]]:
        """What a disclosure told: (owner, agent, payload) of every turned agent."""
        ask = self.before.ask()
        assert isinstance(ask, Disclose)
        tellers = [(seat, agent) for seat in range(SEATS) for agent in range(AGENTS) if self.before.met[seat][agent]]
        return [
            (owner, agent, payload)
            for (owner, agent), payload in zip(tellers, self.answer, strict=True)
            if payload is not NOTHING and payload is not HIDDEN
        ]


def read_events(story: Iterable[tuple[Ask, Answer]], state: State | None = None, first: int = 0) -> list[GameEvent]:
    """The steps of a story, folded from the first state; or of the rest of one, from `state` before its ask `first`."""
    found: list[GameEvent] = []
    state = State() if state is None else state
    for number, (_, answer) in enumerate(story, start=first):
        if isinstance(state.ask(), Result):
            break
        after = state.apply(answer)
        found.append(GameEvent(number, state, answer, after))
        state = after
    return found


@dataclass(slots=True)
class Payment:
    """A bribe, or a salary that brought an agent back, and what followed from it.

    `payer` is a seat; `by` the agent that handed a bribe over, None for a salary. `owner` and `agent` are who was paid.
    `bribes` and `salary` are the totals after it. The rest is what the agent gave away until it was paid again.
    """

    number: int
    round: int
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

    @property
    def turned(self) -> bool:
        """Whether the agent worked for the other side after it."""
        return self.bribes > self.salary


def _known(total: object) -> int | None:
    return total if isinstance(total, int) else None


def payments(game: Sequence[GameEvent]) -> list[Payment]:
    """Every bribe above $0, and every salary that changed or answered one, in their order.

    What cannot be known, since a seat has not published it, is left out.
    """
    found: list[Payment] = []
    latest: dict[tuple[int, int], Payment] = {}
    for event in game:
        if event.step is RoundStep.PAY:
            for payment in _paid(event):
                found.append(payment)
                latest[payment.owner, payment.agent] = payment
        elif event.step in (RoundStep.PAY_TOLD, RoundStep.PLAN_TOLD, RoundStep.SALE_TOLD):
            for owner, agent, payload in event.told():
                source = latest.get((owner, agent))
                if source is not None:
                    _give_away(source, event, payload)
        elif event.step in (RoundStep.MOVE, RoundStep.SALE):
            for seat in range(SEATS):
                change = _changed(event, seat)
                source = next((latest[o, a] for o, a in latest if o != seat and latest[o, a].turned), None)
                if change and source is not None:
                    source.changes.append(change)
    return found


def _paid(event: GameEvent) -> list[Payment]:
    """Bribes first, since they count against the salary that is paid at the same time."""
    found = []
    for seat in range(SEATS):
        amounts = event.answer[seat]
        if not isinstance(amounts, tuple):
            continue
        for slot, amount in zip(event.before.slots(seat), amounts, strict=True):
            owner = other(seat) if slot.bribe else seat
            bribes, salary = (_known(totals[owner][slot.agent]) for totals in (event.after.bribes, event.after.salary))
            if not amount or bribes is None or salary is None or (not slot.bribe and not bribes):
                continue
            by = slot.by if slot.bribe else None
            found.append(
                Payment(event.number, event.before.round(), seat, by, owner, slot.agent, amount, bribes, salary)
            )
    return sorted(found, key=lambda payment: payment.by is None)


def _give_away(source: Payment, event: GameEvent, payload: object) -> None:
    match event.step, payload:
        case RoundStep.PAY_TOLD, (int(), tuple(totals), cash):
            known = dict(source.bribed)
            for agent, total in enumerate(totals):
                if isinstance(total, int) and known.get(agent) != total:
                    known[agent] = total
            source.bribed = sorted(known.items())
            source.cash = cash if isinstance(cash, int) else source.cash
        case RoundStep.PLAN_TOLD, tuple():
            source.plans.append(event.before.round())
        case RoundStep.SALE_TOLD, (int(cash), int(sale)):
            source.cash, source.sale = cash, sale
        case _:
            pass


def _changed(event: GameEvent, seat: int) -> str:
    """How a seat's final choice differs from its plan, in a few words."""
    before, final = event.before, event.answer[seat]
    if event.step is RoundStep.SALE:
        planned = before.sale_plan[seat]
        return f"the sale of {planned} to {final}" if isinstance(planned, int) and planned != final else ""
    plan = before.plan[seat]
    if not isinstance(plan, tuple) or not isinstance(final, tuple):
        return ""
    return ", ".join(
        _order_change(seat, agent, old, new)
        for agent, (old, new) in enumerate(zip(plan, final, strict=True))
        if old != new
    )


def _order_change(seat: int, agent: int, old: Order, new: Order) -> str:
    from kimberley.client.boards.diamond_trust.scene import badge

    def short(order: Order) -> str:
        place = place_name(order[0], seat)
        return place if order[0] == HOME else f"{place} ${order[1]}"

    if old[0] == new[0] and old[1] != new[1]:
        return f"{place_name(old[0], seat)} ${old[1]} to ${new[1]}"
    if old[0] == new[0]:
        return f"the Inspector’s ${old[2]} to ${new[2]}"
    return f"{badge(seat, agent)} {short(old)} to {short(new)}"


def rounds(numbers: Sequence[int]) -> str:
    """Rounds in words: "round 3", "rounds 3–5", "rounds 3, 5 and 7"."""
    unique = sorted(set(numbers))
    if len(unique) == 1:
        return f"round {unique[0]}"
    if unique[-1] - unique[0] == len(unique) - 1:
        return f"rounds {unique[0]}–{unique[-1]}"
    return f"rounds {', '.join(map(str, unique[:-1]))} and {unique[-1]}"
