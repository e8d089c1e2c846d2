"""The events of a game, one for each thing that happened: a payment, a trip, an auction, a sale.

The rules answer whole steps. The states between the events of one step are made here: each event changes what a player
would see change, and the last one leads to the state after the step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from kimberley.games.diamond_trust.angola import AGENTS, HOME, SEATS, Order, Orders, other
from kimberley.games.diamond_trust.knowledge import Exact, Knowledge
from kimberley.games.diamond_trust.position import (
    Agent,
    CollectionResult,
    MoveResult,
    PayableAgent,
    RegionAuction,
    RoundStep,
)
from kimberley.games.diamond_trust.rules import State
from kimberley.games.table import HIDDEN, NOTHING, Answer, Disclose, Hidden, evolve


@dataclass(frozen=True, slots=True)
class PlayedStep:
    """One step of a game: its number in the story, the state before it, the answer, the state after it."""

    number: int
    before: State
    answer: Answer
    after: State

    @property
    def step(self) -> RoundStep:
        return self.before.step

    def planned(self, seat: int) -> tuple[Order | None, ...] | int | None:
        """Returns what a side planned before this last look: its orders, or its sale. None stands for what is not known
        to whoever holds the states; a side knows what double agents reported to it.
        """
        moves = self.step is RoundStep.MOVE
        plan = (self.before.plan if moves else self.before.sale_plan)[seat]
        if not isinstance(plan, Hidden):
            return plan
        known = self.before.known[other(seat)]
        if not isinstance(known, Knowledge):
            return None
        return known.plans if moves else known.sale

    def is_adjusted(self, seat: int) -> bool:
        """Returns whether a side is known to have changed its plan in this last look."""
        plan, final = self.planned(seat), self.answer[seat]
        if isinstance(plan, tuple):
            return any(old is not None and old != new for old, new in zip(plan, final, strict=True))
        return plan is not None and plan != final

    def told(self) -> list[tuple[int, int, object]]:
        """Returns what a disclosure told: (owner, agent, payload) of every turned agent."""
        ask = self.before.ask()
        assert isinstance(ask, Disclose)
        tellers = [(seat, agent) for seat in range(SEATS) for agent in range(AGENTS) if self.before.met[seat][agent]]
        return [
            (owner, agent, payload)
            for (owner, agent), payload in zip(tellers, self.answer, strict=True)
            if payload is not NOTHING and payload is not HIDDEN
        ]


@dataclass(frozen=True, slots=True)
class GameEvent:
    """One thing that happened in a step, between two states. `seat` did it, or it befell that seat alone."""

    played: PlayedStep
    before: State
    after: State
    seat: int | None

    @property
    def step(self) -> int:
        """The number of the step in the story."""
        return self.played.number

    @property
    def month(self) -> int:
        """The month in which it happened, from 1."""
        return self.before.round()


@dataclass(frozen=True, slots=True)
class InspectorDrawn(GameEvent):
    """The region where the Inspector starts was drawn at random."""


@dataclass(frozen=True, slots=True)
class MonthBegun(GameEvent):
    """A month began, and diamonds appeared."""

    @property
    def month(self) -> int:
        return self.after.round()


@dataclass(frozen=True, slots=True)
class ChoicesSealed(GameEvent):
    """Sides have chosen, and nobody else may know what."""

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AgentPaid(GameEvent):
    """The seat paid an agent of `owner`: a salary to one of its own, or a bribe. `total` is what it has paid so far."""

    owner: int
    agent: int
    amount: int
    total: int | None


@dataclass(frozen=True, slots=True)
class AgentTold(GameEvent):
    """An agent of the other side told the seat what it knows. The payload is as the rules disclose it; empty if the
    seat's bribes did not turn the agent.
    """

    agent: int
    payload: tuple[Any, ...]

    @property
    def owner(self) -> int:
        """The side that the agent belongs to."""
        assert self.seat is not None
        return other(self.seat)

    @property
    def bribed(self) -> dict[int, int]:
        """The total bribes to each agent of the seat of which it learns only here, since no treason shows them."""
        match self.payload:
            case (int(), tuple(bribes), _):
                before, after = self.played.before, self.played.after
            case _:
                return {}
        seat, known = other(self.owner), before.known[other(self.owner)]
        news = {}
        for agent, total in enumerate(bribes):
            if total is None or (isinstance(known, Knowledge) and known.bribes[agent] == Exact(total)):
                continue
            if knows_turned(before, seat, agent) == knows_turned(after, seat, agent):
                news[agent] = total
        return news


@dataclass(frozen=True, slots=True)
class AgentTurned(GameEvent):
    """An agent of the other side came to work for the seat (`turned`), or no longer does, as far as is known."""

    agent: int
    turned: bool

    @property
    def owner(self) -> int:
        """The side that the agent belongs to."""
        assert self.seat is not None
        return other(self.seat)

    @property
    def place(self) -> tuple[int, int]:
        """The side and the place of the agent."""
        return self.owner, self.before.agents[self.owner][self.agent].at


@dataclass(frozen=True, slots=True)
class PlanMade(GameEvent):
    """The seat planned its move or its sale, and might change the plan in the last look."""

    plan: Orders | int


@dataclass(frozen=True, slots=True)
class PlanChanged(GameEvent):
    """The seat changed its plan in the last look. The other side knows that of what double agents reported to it."""


@dataclass(frozen=True, slots=True)
class AgentMoved(GameEvent):
    """An agent of the seat flew, or stayed and paid. `cost` is that of its trip; `brought` are diamonds that it took
    home.
    """

    agent: int
    start: int
    to: int
    cost: int
    payment: int
    bribe: int
    brought: int


@dataclass(frozen=True, slots=True)
class AgentReturned(GameEvent):
    """An agent of the seat flew home free of charge after the last month, with the diamonds that it carried."""

    agent: int
    start: int
    brought: int


@dataclass(frozen=True, slots=True)
class InspectorSent(GameEvent):
    """The seat sent the Inspector from a region to another one, or left him where he was."""

    start: int
    to: int


@dataclass(frozen=True, slots=True)
class DiamondsConfiscated(GameEvent):
    """The Inspector took the diamonds that an agent of the seat carried."""

    agent: int
    number: int


@dataclass(frozen=True, slots=True)
class AuctionHeld(GameEvent):
    """Offers were compared in a region. The seat's `agent` collected; both are None after a tie or a blocked sale."""

    agent: int | None
    region: int
    auction: RegionAuction
    blocked: bool


@dataclass(frozen=True, slots=True)
class MonthSummed(GameEvent):
    """All trips, offers and auctions of a month have been shown. All of it is public."""

    @property
    def moved(self) -> MoveResult:
        moved = self.played.after.moved
        assert moved is not None
        return moved

    @property
    def collected(self) -> CollectionResult:
        collected = self.played.after.collected
        assert collected is not None
        return collected

    def change(self, seat: int) -> tuple[int, int, int]:
        """Returns the diamonds that a side collected and those that it lost to the Inspector, and the dollars that it
        spent.
        """
        moved, collected = self.moved, self.collected
        paid = sum(payment + bribe for _, payment, bribe in moved.orders[seat])
        return sum(collected.collected[seat]), sum(collected.confiscated[seat]), sum(moved.trips[seat]) + paid


@dataclass(frozen=True, slots=True)
class SaleMade(GameEvent):
    """Both sides sold diamonds, or none."""

    sold: tuple[int, ...]
    income: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class VaultsCounted(GameEvent):
    """The last totals were opened."""


OFFER_EVENTS: Final = (AgentMoved, InspectorSent, DiamondsConfiscated, AuctionHeld, MonthSummed)
"""What happens in a move while its trips and offers are still to be seen on the map."""


def played_steps(events: Iterable[GameEvent]) -> list[PlayedStep]:
    """Returns the steps that events were read from, in their order."""
    return list({event.step: event.played for event in events}.values())


def knows_turned(state: State, seat: int, agent: int) -> bool:
    """Returns whether whoever holds the state knows that an agent of a seat works for the other side."""
    bribes, salary, known = state.bribes[seat][agent], state.salary[seat][agent], state.known[other(seat)]
    if not isinstance(bribes, Hidden) and not isinstance(salary, Hidden):
        return bribes > salary
    reported = isinstance(known, Knowledge) and known.turned[agent]
    return reported or state.own_turned(seat, agent) is True


def unmoved(state: State, seat: int) -> list[int]:
    """Returns the agents of the other side that the seat has bribed, could bribe in this month, and has not turned."""
    known, owner = state.known[seat], other(seat)
    if not isinstance(known, Knowledge) or not state.paid:
        return []
    here = [agent for agent, at in enumerate(state.places(owner)) if at != HOME and at in state.places(seat)]
    bribes = state.bribes[owner]
    return [agent for agent in here if not known.turned[agent] and isinstance(bribes[agent], int) and bribes[agent]]


# -- reading a step ----------------------------------------------------------------------------------------------------


class _StepReader:
    """Collects the events of one step."""

    def __init__(self, played: PlayedStep) -> None:
        self.played = played
        self.now = played.before
        self.events: list[GameEvent] = []

    def add(self, kind: Callable[..., GameEvent], seat: int | None, *parts: object, **changes: object) -> None:
        """Adds an event with its own `parts`, and applies its changes to the state."""
        before, self.now = self.now, evolve(self.now, **changes) if changes else self.now
        self.events.append(kind(self.played, before, self.now, seat, *parts))

    def finished(self) -> list[GameEvent]:
        """Returns the events. The last one leads to the state after the step."""
        if self.events:
            self.events[-1] = replace(self.events[-1], after=self.played.after)
        return self.events

    # -- what is chosen in secret --------------------------------------------------------------------------------------

    def payments(self) -> None:
        for seat, amounts in enumerate(self.played.answer):
            if isinstance(amounts, tuple):
                for slot, amount in zip(self.played.before.slots(seat), amounts, strict=True):
                    if amount:
                        self._payment(seat, slot, amount)
        self._sealed()

    def _payment(self, seat: int, slot: PayableAgent, amount: int) -> None:
        owner = other(seat) if slot.bribe else seat
        table = "bribes" if slot.bribe else "salary"
        totals, spent = getattr(self.now, table), self.now.spent[seat]
        total = totals[owner][slot.agent]
        grown = HIDDEN if isinstance(total, Hidden) else total + amount
        parts = owner, slot.agent, amount, None if isinstance(grown, Hidden) else grown
        changes = {table: _put(totals, owner, _put(totals[owner], slot.agent, grown))}
        if not isinstance(spent, Hidden):
            changes["spent"] = _put(self.now.spent, seat, spent + amount)
        self.add(AgentPaid, seat, *parts, **changes)

    def plans(self) -> None:
        """Adds the plans of a move or a sale, where somebody might hear of them before they count."""
        if self.played.before.anyone_met():
            for seat, plan in enumerate(self.played.answer):
                if not isinstance(plan, Hidden):
                    self.add(PlanMade, seat, plan)
        self._sealed()

    def _sealed(self) -> None:
        """Adds the event that sides have chosen, for somebody who knows nobody's choice."""
        hidden = tuple(seat for seat in range(SEATS) if isinstance(self.played.answer[seat], Hidden))
        if hidden and all(choice is None or isinstance(choice, Hidden) for choice in self.played.answer):
            self.add(ChoicesSealed, None, hidden)

    def tells(self) -> None:
        """Adds what agents told. That an agent is turned says what its salary is."""
        turned = {(event.owner, event.agent) for event in self.events if isinstance(event, AgentTurned)}
        for owner, agent, payload in self.played.told():
            match payload:
                case (int(), tuple(bribes), None) if (owner, agent) in turned and not any(bribes):
                    pass
                case tuple():
                    self.add(AgentTold, other(owner), agent, payload)

    def turns(self) -> None:
        """Adds the agents that are known to be turned since this step, or no longer are."""
        for owner in range(SEATS):
            self._turns(owner)

    def reporters(self) -> None:
        """Adds those of them that tell something to whoever holds the state, or no longer do."""
        for owner in range(SEATS):
            if not isinstance(self.played.after.known[other(owner)], Hidden):
                self._turns(owner)

    def betrayals(self) -> None:
        """Adds those of them whose own side has just been told of it: after what it was told, which is the cause."""
        for owner in range(SEATS):
            if isinstance(self.played.after.known[other(owner)], Hidden):
                self._turns(owner)

    def _turns(self, owner: int) -> None:
        for agent in range(AGENTS):
            turned = knows_turned(self.played.after, owner, agent)
            if turned != knows_turned(self.played.before, owner, agent):
                self.add(AgentTurned, other(owner), agent, turned, known=self._news(owner, agent))

    def _news(self, owner: int, agent: int) -> tuple[Any, ...]:
        """Returns what is known once it is shown whom an agent works for: its heart stays from then on."""
        known, briber = self.now.known, other(owner)
        for seat, table in ((briber, "turned"), (owner, "bribes")):
            old, new = known[seat], self.played.after.known[seat]
            if isinstance(old, Knowledge) and isinstance(new, Knowledge):
                there = _put(getattr(old, table), agent, getattr(new, table)[agent])
                known = _put(known, seat, evolve(old, **{table: there}))
        return known

    def failures(self) -> None:
        """Adds the agents that could just be bribed, and reveal nothing although the seat has bribed them."""
        after = self.played.after
        turned = {(event.owner, event.agent) for event in self.events if isinstance(event, AgentTurned)}
        for seat in range(SEATS):
            for agent in unmoved(after, seat):
                if (other(seat), agent) not in turned:
                    self.add(AgentTold, seat, agent, ())

    # -- what everybody sees -------------------------------------------------------------------------------------------

    def changes(self) -> None:
        """Adds the plans that were changed in the last look, for whoever knows what they were."""
        for seat in range(SEATS):
            if self.played.is_adjusted(seat):
                self.add(PlanChanged, seat)

    def move(self) -> None:
        """Adds both sides' agents in turn: those that fly, then those that stay and pay; then what follows from it."""
        moved = self.played.after.moved
        assert moved is not None
        both = [(seat, agent) for agent in range(AGENTS) for seat in range(SEATS)]
        for seat, agent in sorted(both, key=lambda who: not moved.trips[who[0]][who[1]]):
            self._agent(seat, agent, moved)
        if self.played.after.step is not RoundStep.INSPECT:
            self.collect()

    def _agent(self, seat: int, agent: int, moved: MoveResult) -> None:
        start, (to, payment, bribe) = moved.origins[seat][agent], moved.orders[seat][agent]
        cost, brought = moved.trips[seat][agent], moved.deposits[seat][agent]
        if start == to and not payment and not bribe:
            return
        carries = 0 if brought else self.now.agents[seat][agent].carries
        self.add(
            AgentMoved, seat, agent, start, to, cost, payment, bribe, brought,
            agents=self._placed(seat, agent, Agent(to, carries)),
            vault=_add(self.now.vault, seat, brought),
            limit=_add(self.now.limit, seat, -cost - payment - bribe),
        )  # fmt: skip

    def inspector(self) -> None:
        moved, to = self.played.before.moved, self.played.answer
        assert moved is not None
        assert isinstance(to, int)
        self.add(InspectorSent, moved.inspector_mover, moved.inspector, to, inspector=to)
        self.collect()

    def collect(self) -> None:
        """Adds what the Inspector takes, then the auctions region by region; after the last month all fly home."""
        result = self.played.after.collected
        assert result is not None
        for seat, numbers in enumerate(result.confiscated):
            for agent, number in enumerate(numbers):
                if number:
                    emptied = self._placed(seat, agent, Agent(result.inspector, 0))
                    self.add(DiamondsConfiscated, seat, agent, number, agents=emptied)
        for region, auction in enumerate(result.regions):
            if any(auction.payments) and auction.diamonds:
                self._auction(region, auction, region == result.inspector)
        if any(isinstance(event, OFFER_EVENTS) for event in self.events):
            self.add(MonthSummed, None)
        if not self.played.before.months_left:
            self._all_home()

    def _auction(self, region: int, auction: RegionAuction, blocked: bool) -> None:
        if blocked or auction.winner is None:
            self.add(AuctionHeld, None, None, region, auction, blocked)
            return
        agent = self.now.places(auction.winner).index(region)
        carries = self.now.agents[auction.winner][agent].carries + auction.diamonds
        self.add(
            AuctionHeld, auction.winner, agent, region, auction, blocked,
            agents=self._placed(auction.winner, agent, Agent(region, carries)),
            diamonds=_put(self.now.diamonds, region, 0),
        )  # fmt: skip

    def _all_home(self) -> None:
        for seat in range(SEATS):
            for agent, (at, carries) in enumerate(self.now.agents[seat]):
                if at != HOME:
                    home = self._placed(seat, agent, Agent(HOME, 0))
                    vault = _add(self.now.vault, seat, carries)
                    self.add(AgentReturned, seat, agent, at, carries, agents=home, vault=vault)

    def sale(self) -> None:
        sale = self.played.after.sold
        assert sale is not None
        vault, limit = self.now.vault, self.now.limit
        for seat in range(SEATS):
            vault, limit = _add(vault, seat, -sale.sold[seat]), _add(limit, seat, sale.income[seat])
        self.add(SaleMade, None, sale.sold, sale.income, vault=vault, limit=limit, sold=sale)
        self.add(MonthBegun, None)

    def start(self) -> None:
        self.add(InspectorDrawn, None, inspector=self.played.after.inspector)
        self.add(MonthBegun, None)

    def _placed(self, seat: int, agent: int, placed: Agent) -> tuple[tuple[Agent, ...], ...]:
        return _put(self.now.agents, seat, _put(self.now.agents[seat], agent, placed))


def _put(values: tuple[Any, ...], index: int, value: object) -> tuple[Any, ...]:
    return (*values[:index], value, *values[index + 1 :])


def _add(values: tuple[int, ...], index: int, amount: int) -> tuple[int, ...]:
    return _put(values, index, values[index] + amount)


_READ: Final[dict[RoundStep, Sequence[Callable[[_StepReader], None]]]] = {
    RoundStep.INSPECTOR: (_StepReader.start,),
    RoundStep.PAY: (_StepReader.payments, _StepReader.turns),
    RoundStep.PAY_TOLD: (_StepReader.reporters, _StepReader.failures, _StepReader.tells, _StepReader.betrayals),
    RoundStep.PLAN: (_StepReader.plans,),
    RoundStep.PLAN_TOLD: (_StepReader.reporters, _StepReader.tells, _StepReader.betrayals),
    RoundStep.MOVE: (_StepReader.changes, _StepReader.move),
    RoundStep.INSPECT: (_StepReader.inspector,),
    RoundStep.SALE_PLAN: (_StepReader.plans,),
    RoundStep.SALE_TOLD: (_StepReader.reporters, _StepReader.tells, _StepReader.betrayals),
    RoundStep.SALE: (_StepReader.changes, _StepReader.sale),
    RoundStep.OPEN: (lambda reader: reader.add(VaultsCounted, None),),
}


def read_step(played: PlayedStep) -> list[GameEvent]:
    """Returns the events of a step, as far as the states say what happened."""
    reader = _StepReader(played)
    for read in _READ[played.step]:
        read(reader)
    return reader.finished()
