"""The rules of Diamond Trust of London as a state machine for two seats.

One class serves the truth, a seat and a spectator: what a seat may not know is HIDDEN in its state. Choices are plain
integers: for pay, one amount for each of one's payable agents; for a move, (destination, payment, Inspector bribe) for
each of one's three agents; for the Inspector, a region; for a sale, a number of diamonds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from kimberley.games.diamond_trust.angola import (
    AGENTS,
    HOME,
    HOMES,
    REGIONS,
    SEATS,
    Orders,
    appearing,
    income,
    other,
    trip_cost,
)
from kimberley.games.diamond_trust.knowledge import Knowledge
from kimberley.games.diamond_trust.position import (
    BRIBE,
    SALARY,
    SPENT,
    Agent,
    CollectionResult,
    InspectorPreview,
    MoveResult,
    PayableAgent,
    RegionAuction,
    RoundStep,
    SaleResult,
    Total,
    TrustPosition,
    carried,
    highest,
)
from kimberley.games.diamond_trust.spaces import (
    NumberSpace,
    OrdersSpace,
    PayTellSpace,
    PlanTellSpace,
    RegionSpace,
    SaleTellSpace,
)
from kimberley.games.table import (
    HIDDEN,
    NOTHING,
    Amounts,
    Answer,
    Ask,
    Decide,
    Disclose,
    Hidden,
    Open,
    Plain,
    Result,
    Roll,
    Seal,
    Space,
    Tell,
    Together,
    Within,
    evolve,
)

__all__ = [
    "Agent",
    "CollectionResult",
    "InspectorPreview",
    "MoveResult",
    "PayableAgent",
    "RegionAuction",
    "RoundStep",
    "SaleResult",
    "State",
    "final_result",
]

SIZES: Final = {"pay": 12, "plan": 6, "sale": 4}
"""The most bytes that the canonical encoding of what is told takes, by kind."""


@dataclass(frozen=True)
class State(TrustPosition):
    """A position with its pending ask and its transitions."""

    # -- the table's next ask -------------------------------------------------------------------------------------

    def ask(self) -> Ask | Result:
        """Returns what the table must do next, or how the game ended."""
        return _ASKS[self.step](self)

    def apply(self, answer: Answer) -> State:
        """Returns the state after the pending ask is answered."""
        return _TRANSITIONS[self.step](self, answer)

    def _ask_inspector(self) -> Ask:
        return Roll((len(REGIONS),))

    def _ask_pay(self) -> Ask:
        spaces: list[Space | None] = []
        for seat in range(SEATS):
            slots = self.slots(seat)
            within = Within(SPENT[seat], self.limit[seat])
            amounts = Amounts(tuple(slot.tally for slot in slots), within, self.cash(seat))
            spaces.append(amounts if slots else None)
        return Seal(tuple(spaces), "pay")

    def _ask_plan(self) -> Ask:
        return Seal(tuple(self._move_space(seat, None) for seat in range(SEATS)), "plan")

    def _ask_move(self) -> Ask:
        spaces = tuple(self._move_space(seat, self._bound(seat, self.plan)) for seat in range(SEATS))
        withins = tuple(Within(SPENT[seat], self.limit[seat]) for seat in range(SEATS))
        return Together(spaces, withins, "move", self.plan if self.anyone_met() else ())

    def _ask_inspect(self) -> Ask:
        assert self.moved is not None
        assert self.moved.inspector_mover is not None
        return Decide(self.moved.inspector_mover, RegionSpace(), "inspector")

    def _ask_sale_plan(self) -> Ask:
        return Seal(tuple(NumberSpace(self.vault[seat]) for seat in range(SEATS)), "sale plan")

    def _ask_sale(self) -> Ask:
        spaces = tuple(NumberSpace(self.vault[seat], self._bound(seat, self.sale_plan)) for seat in range(SEATS))
        return Together(spaces, (None,) * SEATS, "sale", self.sale_plan if self.sale_looks() else ())

    def _ask_told(self) -> Ask:
        tell = {
            RoundStep.PAY_TOLD: self._pay_tell,
            RoundStep.PLAN_TOLD: self._plan_tell,
            RoundStep.SALE_TOLD: self._sale_tell,
        }
        return Disclose(tuple(tell[self.step](owner, agent) for owner, agent in self._tellers()))

    def _ask_open(self) -> Ask:
        return Open(SPENT)

    def _ask_over(self) -> Result:
        return final_result(self)

    def _bound(self, seat: int, plan: tuple[Any, ...]) -> Any:
        """Returns the plan if the seat is known to have no right to change it; else None, and the choice is open."""
        return None if self.right[seat] is not False or plan[seat] is HIDDEN else plan[seat]

    def _move_space(self, seat: int, exactly: Orders | None) -> OrdersSpace:
        cash = self.cash(seat)
        most = self.limit[seat] if isinstance(cash, Hidden) else cash
        return OrdersSpace(seat, self.places(seat), self.inspector, most, exactly)

    def _tellers(self) -> Iterable[tuple[int, int]]:
        """Returns (owner, agent) of every agent that was ever met, in the order of the tells."""
        return ((seat, agent) for seat in range(SEATS) for agent in range(AGENTS) if self.met[seat][agent])

    def _tell(self, owner: int, agent: int, kind: str, what: Space, says: Plain | Hidden) -> Tell:
        receiver = other(owner)
        return Tell(owner, receiver, BRIBE[receiver][agent], SALARY[owner][agent], kind, SIZES[kind], what, says)

    def _pay_tell(self, owner: int, agent: int) -> Tell:
        at_home = self.agents[owner][agent].at == HOME
        says: Plain | Hidden = HIDDEN
        cash = self.cash(owner)
        if not isinstance(cash, Hidden):
            rival = other(owner)
            bribes = tuple(
                total if briber == agent else None
                for total, briber in zip(self.bribes[rival], self.last_briber[rival], strict=True)
            )
            says = cast(Plain, (self.salary[owner][agent], bribes, cash if at_home else None))
        return self._tell(owner, agent, "pay", PayTellSpace(at_home), says)

    def _plan_tell(self, owner: int, agent: int) -> Tell:
        plan = self.plan[owner]
        says = HIDDEN if isinstance(plan, Hidden) or plan is None else plan[agent]
        return self._tell(owner, agent, "plan", PlanTellSpace(owner, self.inspector, self.limit[owner]), says)

    def _sale_tell(self, owner: int, agent: int) -> Tell:
        at_home = self.agents[owner][agent].at == HOME
        planned, cash = self.sale_plan[owner], self.cash(owner)
        says: Plain | Hidden = HIDDEN
        if not isinstance(planned, Hidden) and not isinstance(cash, Hidden):
            says = (cash, planned) if at_home else None
        return self._tell(owner, agent, "sale", SaleTellSpace(at_home, self.vault[owner]), says)

    # -- last looks ------------------------------------------------------------------------------------------------

    def sale_looks(self) -> bool:
        """Returns whether there is a last look at the sale: an agent that was ever met is at home, and there is
        something to sell.
        """
        return any(self.vault) and any(
            met and agent.at == HOME
            for seat in range(SEATS)
            for met, agent in zip(self.met[seat], self.agents[seat], strict=True)
        )

    def may_look(self, seat: int) -> bool:
        """Returns whether a seat may get the right to change the plan of this move or sale, or has had it, by what the
        seat itself knows. Once the agents are paid, it knows that for certain.
        """
        known, right, rival = self.known[seat], self.right[seat], other(seat)
        assert not isinstance(known, Hidden), "a seat’s own knowledge is never hidden from it"
        match self.step:
            case RoundStep.PAY | RoundStep.PAY_TOLD:
                has_bribed = any(total != 0 for total in self.bribes[rival])
                return has_bribed or any(slot.bribe for slot in self.slots(seat))
            case RoundStep.PLAN | RoundStep.PLAN_TOLD | RoundStep.MOVE | RoundStep.INSPECT:
                return any(known.turned)
            case RoundStep.SALE_PLAN | RoundStep.SALE_TOLD:
                at_home = (agent.at == HOME for agent in self.agents[rival])
                tells = any(turned and home for turned, home in zip(known.turned, at_home, strict=True))
                return tells or bool(self.reported_at_home(seat))
        return right is True

    # -- the state after an answer --------------------------------------------------------------------------------

    def _apply_inspector(self, answer: tuple[int, ...]) -> State:
        return evolve(self, inspector=answer[0])._new_round(self.months_left)

    def _new_round(self, months_left: int) -> State:
        diamonds = tuple(old + new for old, new in zip(self.diamonds, appearing(months_left), strict=True))
        known = tuple(known if isinstance(known, Hidden) else known.new_round() for known in self.known)
        state = evolve(
            self,
            months_left=months_left,
            diamonds=diamonds,
            known=known,
            plan=(None,) * SEATS,
            sale_plan=(None,) * SEATS,
            right=(False,) * SEATS,
        )
        payable = any(state.slots(seat) for seat in range(SEATS))
        return evolve(state, paid=payable, step=RoundStep.PAY if payable else state._tells_or_plan())

    def _tells_or_plan(self) -> RoundStep:
        return RoundStep.PAY_TOLD if self.anyone_met() else RoundStep.PLAN

    def _apply_pay(self, answer: tuple[tuple[int, ...] | Hidden | None, ...]) -> State:
        spent, salary, bribes = list(self.spent), _lists(self.salary), _lists(self.bribes)
        last_briber, met = _lists(self.last_briber), _lists(self.met)
        most_salary, most_bribes = _lists(self.most_salary), _lists(self.most_bribes)
        for seat, amounts in enumerate(answer):
            rival = other(seat)
            slots = self.slots(seat)
            for index, slot in enumerate(slots):
                amount = amounts[index] if isinstance(amounts, tuple) else HIDDEN
                if not slot.bribe:
                    salary[seat][slot.agent] = _add(salary[seat][slot.agent], amount)
                    most_salary[seat][slot.agent] = self.limit[seat]
                else:
                    bribes[rival][slot.agent] = _add(bribes[rival][slot.agent], amount)
                    most_bribes[rival][slot.agent] = self.limit[seat]
                    met[rival][slot.agent] = True
                    if amount is HIDDEN:
                        last_briber[rival][slot.agent] = HIDDEN
                    elif amount:
                        last_briber[rival][slot.agent] = slot.by
            if slots:
                spent[seat] = _add(spent[seat], sum(amounts) if isinstance(amounts, tuple) else HIDDEN)
        state = evolve(
            self,
            spent=tuple(spent),
            salary=_tuples(salary),
            bribes=_tuples(bribes),
            last_briber=_tuples(last_briber),
            met=_tuples(met),
            most_salary=_tuples(most_salary),
            most_bribes=_tuples(most_bribes),
        )
        return evolve(state, step=state._tells_or_plan())

    def _told_to(self, answer: tuple[Any, ...], seat: int) -> tuple[Any, ...] | None:
        """Returns what the agents of the other side told `seat`: NOTHING for one never met; None where it is hidden."""
        payloads: list[Any] = [NOTHING] * AGENTS
        for (owner, agent), payload in zip(self._tellers(), answer, strict=True):
            if owner != seat:
                if payload is HIDDEN:
                    return None
                payloads[agent] = payload
        return tuple(payloads)

    def _apply_pay_tells(self, answer: tuple[Any, ...]) -> State:
        known: list[Knowledge | Hidden] = []
        for seat, before in enumerate(self.known):
            payloads, rival = self._told_to(answer, seat), other(seat)
            if payloads is None or isinstance(before, Hidden):
                known.append(HIDDEN)
            else:
                places, theirs = self.places(seat), self.places(rival)
                known.append(before.after_pay_tells(payloads, self.limit[rival], places, theirs, self.paid))
        return evolve(self, known=tuple(known), step=RoundStep.PLAN)

    def _apply_plan(self, answer: tuple[Orders | Hidden, ...]) -> State:
        met = self.anyone_met()
        return evolve(self, plan=tuple(answer), step=RoundStep.PLAN_TOLD if met else RoundStep.MOVE)

    def _apply_plan_tells(self, answer: tuple[Any, ...]) -> State:
        known: list[Knowledge | Hidden] = []
        right: list[bool | Hidden] = []
        for seat, before in enumerate(self.known):
            payloads = self._told_to(answer, seat)
            if payloads is None or isinstance(before, Hidden):
                known.append(HIDDEN)
                right.append(HIDDEN)
            else:
                known.append(before.after_plan_tells(payloads))
                right.append(any(payload is not NOTHING for payload in payloads))
        return evolve(self, known=tuple(known), right=tuple(right), step=RoundStep.MOVE)

    def _apply_move(self, answer: tuple[Orders, ...]) -> State:
        origins = tuple(self.places(seat) for seat in range(SEATS))
        trips = tuple(
            tuple(trip_cost(origin, order[0]) for origin, order in zip(origins[seat], answer[seat], strict=True))
            for seat in range(SEATS)
        )
        deposits = tuple(
            tuple(
                agent.carries if order[0] == HOME else 0
                for agent, order in zip(self.agents[seat], answer[seat], strict=True)
            )
            for seat in range(SEATS)
        )
        agents = tuple(
            tuple(
                Agent(order[0], 0 if order[0] == HOME else agent.carries)
                for agent, order in zip(self.agents[seat], answer[seat], strict=True)
            )
            for seat in range(SEATS)
        )
        payments = [sum(order[1] for order in orders) for orders in answer]
        bribes = tuple(sum(order[2] for order in orders) for orders in answer)
        mover = highest(bribes)
        limit = tuple(self.limit[seat] - sum(trips[seat]) - payments[seat] - bribes[seat] for seat in range(SEATS))
        state = evolve(
            self,
            agents=agents,
            vault=tuple(self.vault[seat] + sum(deposits[seat]) for seat in range(SEATS)),
            limit=limit,
            most_salary=_no_more_than(limit, self.most_salary),
            most_bribes=_no_more_than(limit[::-1], self.most_bribes),
            right=(False,) * SEATS,
            moved=MoveResult(origins, tuple(answer), trips, deposits, self.inspector, bribes, mover),
        )
        return state._collect(self.inspector) if mover is None else evolve(state, step=RoundStep.INSPECT)

    def _apply_inspect(self, answer: int) -> State:
        return self._collect(answer)

    def _collect(self, inspector: int) -> State:
        """Confiscates and blocks where the Inspector is; elsewhere the higher payment collects."""
        sights = tuple(self.sight(region) for region in range(len(REGIONS)))
        agents, collected, diamonds = _lists(self.agents), [[0] * AGENTS for _ in range(SEATS)], list(self.diamonds)
        confiscated = carried(self.agents, inspector)
        for seat, index, agent in _all(self.agents):
            if agent.at == inspector:
                agents[seat][index] = Agent(agent.at, 0)
            elif agent.at != HOME and sights[agent.at].winner == seat:
                collected[seat][index] = diamonds[agent.at]
                agents[seat][index] = Agent(agent.at, agent.carries + diamonds[agent.at])
                diamonds[agent.at] = 0
        state = evolve(
            self,
            inspector=inspector,
            diamonds=tuple(diamonds),
            agents=_tuples(agents),
            collected=CollectionResult(inspector, confiscated, _tuples(collected), sights),
        )
        return evolve(state, step=RoundStep.SALE_PLAN) if self.months_left else state._fly_home()

    def _fly_home(self) -> State:
        carried = [sum(agent.carries for agent in agents) for agents in self.agents]
        return evolve(
            self,
            vault=tuple(self.vault[seat] + carried[seat] for seat in range(SEATS)),
            agents=((Agent(HOME, 0),) * AGENTS,) * SEATS,
            step=RoundStep.OPEN,
        )

    def _apply_sale_plan(self, answer: tuple[int | Hidden, ...]) -> State:
        met = self.anyone_met()
        return evolve(self, sale_plan=tuple(answer), step=RoundStep.SALE_TOLD if met else RoundStep.SALE)

    def _apply_sale_tells(self, answer: tuple[Any, ...]) -> State:
        known: list[Knowledge | Hidden] = []
        right: list[bool | Hidden] = []
        for seat, before in enumerate(self.known):
            payloads, rival = self._told_to(answer, seat), other(seat)
            if payloads is None or isinstance(before, Hidden):
                known.append(HIDDEN)
                right.append(HIDDEN)
            else:
                known.append(before.after_sale_tells(payloads, self.limit[rival]))
                at_home = any(payload is not NOTHING and payload is not None for payload in payloads)
                right.append(at_home or bool(self.reported_at_home(seat)))
        return evolve(self, known=tuple(known), right=tuple(right), step=RoundStep.SALE)

    def reported_at_home(self, seat: int) -> list[int]:
        """Returns the agents of a seat, now at home, that it was told in this round are turned."""
        known = self.known[seat]
        if isinstance(known, Hidden):
            return []
        facts = zip(self.agents[seat], known.told_bribes, self.salary[seat], strict=True)
        return [
            number
            for number, (agent, total, salary) in enumerate(facts)
            if agent.at == HOME and total is not None and not isinstance(salary, Hidden) and total > salary
        ]

    def _apply_sale(self, answer: tuple[int, ...]) -> State:
        earned = income(answer)
        state = evolve(
            self,
            vault=tuple(self.vault[seat] - answer[seat] for seat in range(SEATS)),
            limit=tuple(self.limit[seat] + earned[seat] for seat in range(SEATS)),
            sold=SaleResult(tuple(answer), earned),
        )
        return state._new_round(self.months_left - 1)

    def _apply_open(self, answer: tuple[int, ...]) -> State:
        return evolve(self, spent=tuple(answer), step=RoundStep.OVER)

    def _apply_over(self, _answer: Answer) -> State:
        raise ValueError("the game is over: there is nothing to answer")


_ASKS: Final[dict[RoundStep, Callable[[State], Ask | Result]]] = {
    RoundStep.INSPECTOR: State._ask_inspector,
    RoundStep.PAY: State._ask_pay,
    RoundStep.PAY_TOLD: State._ask_told,
    RoundStep.PLAN: State._ask_plan,
    RoundStep.PLAN_TOLD: State._ask_told,
    RoundStep.MOVE: State._ask_move,
    RoundStep.INSPECT: State._ask_inspect,
    RoundStep.SALE_PLAN: State._ask_sale_plan,
    RoundStep.SALE_TOLD: State._ask_told,
    RoundStep.SALE: State._ask_sale,
    RoundStep.OPEN: State._ask_open,
    RoundStep.OVER: State._ask_over,
}

_TRANSITIONS: Final[dict[RoundStep, Callable[[State, Any], State]]] = {
    RoundStep.INSPECTOR: State._apply_inspector,
    RoundStep.PAY: State._apply_pay,
    RoundStep.PAY_TOLD: State._apply_pay_tells,
    RoundStep.PLAN: State._apply_plan,
    RoundStep.PLAN_TOLD: State._apply_plan_tells,
    RoundStep.MOVE: State._apply_move,
    RoundStep.INSPECT: State._apply_inspect,
    RoundStep.SALE_PLAN: State._apply_sale_plan,
    RoundStep.SALE_TOLD: State._apply_sale_tells,
    RoundStep.SALE: State._apply_sale,
    RoundStep.OPEN: State._apply_open,
    RoundStep.OVER: State._apply_over,
}


def final_result(state: TrustPosition) -> Result:
    """Returns the places by diamonds in the vault, then by money, both of which must be known."""
    scores = tuple((state.vault[seat], cast(int, state.cash(seat))) for seat in range(SEATS))
    places = tuple(1 + sum(rival > mine for rival in scores) for mine in scores)
    first, second = sorted(scores, reverse=True)
    if first == second:
        return Result(places, scores, "equal diamonds and equal money")
    winner = HOMES[places.index(1)]
    if first[0] == second[0]:
        return Result(places, scores, f"equal diamonds; {winner} has more money, ${first[1]} to ${second[1]}")
    return Result(places, scores, f"{winner} has more diamonds, {first[0]} to {second[0]}")


def _add(total: Total, amount: Total) -> Total:
    return HIDDEN if isinstance(total, Hidden) or isinstance(amount, Hidden) else total + amount


def _no_more_than(limit: Sequence[int], most: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...]:
    """Returns bounds by seat and agent, each lowered to the limit of its seat."""
    return tuple(tuple(min(bound, left) for bound in bounds) for left, bounds in zip(limit, most, strict=True))


def _lists(rows: Iterable[Iterable[Any]]) -> list[list[Any]]:
    return [list(row) for row in rows]


def _tuples(rows: Iterable[Iterable[Any]]) -> tuple[tuple[Any, ...], ...]:
    return tuple(tuple(row) for row in rows)


def _all(agents: tuple[tuple[Agent, ...], ...]) -> Iterable[tuple[int, int, Agent]]:
    return ((seat, index, agent) for seat in range(SEATS) for index, agent in enumerate(agents[seat]))
