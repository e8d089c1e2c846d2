"""The desks of the move: the plan, and the last look at it."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import NamedTuple

from client.board import Span
from client.boards.diamond_trust.atlas import Line, Scene, Spans, Tag, Trip, Where, badge, on_side
from client.boards.diamond_trust.desk import Agent, Desk, Number, Stepper, all_agents, neighbour
from client.boards.diamond_trust.phrases import money, where
from client.widgets import Hint
from games.diamond_trust.angola import AGENTS, HOME, REGIONS, Order, Orders, order_cost, other, trip_cost
from games.diamond_trust.knowledge import Knowledge
from games.diamond_trust.rules import State
from games.table import Plain


class _Set(NamedTuple):
    """What can be gone back to: the orders, and who was given some."""

    orders: Orders
    given: frozenset[int]


class MoveDesk(Desk):
    """Orders for one's three agents: destination, payment and, where the Inspector stands, a bribe to him.

    An agent is touched, then a region; the payment follows, and the bribe. `bound` is a desk that may only look.
    """

    title = "MOVE"

    def __init__(self, state: State, seat: int, plan: Orders | None = None, bound: bool = False) -> None:
        super().__init__(state, seat)
        self._at = state.places(seat)
        stay: Orders = tuple((place, 0, 0) for place in self._at)
        self._orders: list[Order] = list(plan or stay)
        self._given: set[int] = {agent for agent in range(AGENTS) if self._orders[agent] != stay[agent]}
        self._agent: int | None = None
        self._cursor = HOME + seat
        self._stage = ""
        self._draft: Order = stay[0]
        self._number = Number(0, 0)
        self.bound = bound

    # -- what it chooses ---------------------------------------------------------------------------------------------

    def orders(self) -> Orders:
        """The orders as they stand, with the one that is being given."""
        orders = list(self._orders)
        if self._agent is not None and self._stage in ("payment", "bribe"):
            orders[self._agent] = self._drafted()
        return tuple(orders)

    def choice(self) -> Plain:
        return self.orders()

    def question(self) -> str | None:
        left = self.cash() - self.cost()
        if not self.state.months_left and left:
            return f"This is the last round, and ${left} is left unspent."
        if not self._given:
            return "Nobody has orders: all your agents stay and pay nothing."
        return None

    def cost(self) -> int:
        return sum(map(order_cost, self._at, self.orders()))

    def spent(self) -> str:
        return f"{self.cost()} planned" if self.cost() else ""

    # -- what it shows -----------------------------------------------------------------------------------------------

    def sentence(self, room: int) -> str:
        mark = "" if self._agent is None else badge(self.seat, self._agent)
        match self._stage:
            case "region":
                text = f"Where does {mark} go? Touch a region, or where it is to stay."
                return text if len(text) <= room else f"Touch a region for {mark}."
            case "payment":
                text = f"What does {mark} offer for the diamonds in {REGIONS[self._draft[0]]}?"
                return text if len(text) <= room else f"What does {mark} offer there?"
            case "bribe":
                return "What does it offer the Inspector?"
            case _:
                text = "Touch one of your agents, then a region for it. Then Done."
                return text if len(text) <= room else "Give your agents orders. Then Done."

    def hints(self) -> list[Hint]:
        match self._stage:
            case "region":
                return [
                    Hint("← ↑ ↓ →", "region", ("noop",)),
                    Hint("Enter", "set"),
                    Hint("h", "home"),
                    Hint("Tab", "next agent"),
                    Hint("Esc", "cancel"),
                ]
            case "payment" | "bribe":
                return [Hint("← →", "amount", ("more",)), Hint("Enter", "set"), Hint("u", "undo"), Hint("Esc", "back")]
            case _:
                return [Hint("1-3", "your agent", ("noop",)), Hint("Tab", "next"), Hint("u", "undo"), Hint("d", "done")]

    def stepper(self) -> Stepper | None:
        if self._stage not in ("payment", "bribe") or self._agent is None:
            return None
        to = self._draft[0]
        mark = badge(self.seat, self._agent)
        left = self.cash() - self.cost()
        if self._stage == "bribe":
            notes = (f"leaves you ${left}", "higher bribe wins")
            return Stepper("Bribe for UN", self._number.amount, self._number.most, "$", notes)
        stock = self.state.diamonds[to]
        what = "frozen" if to == self.state.inspector else "there"
        notes = (f"leaves you ${left}", f"for ◆{stock} {what}")
        return Stepper(f"Offer by {mark}", self._number.amount, self._number.most, "$", notes)

    def focus(self) -> int | None:
        if self._stage == "region":
            return self._cursor
        return None

    def available(self, agent: int) -> frozenset[int]:
        """Where an agent can be sent: one agent of a side to a region, and there must be cash for the trip."""
        taken = {order[0] for index, order in enumerate(self._orders) if index != agent} - {HOME}
        rest = self.cash() - sum(
            order_cost(at, order)
            for index, (at, order) in enumerate(zip(self._at, self._orders, strict=True))
            if index != agent
        )
        return frozenset(
            place for place in range(HOME + 1) if place not in taken and trip_cost(self._at[agent], place) <= rest
        )

    def decorate(self, scene: Scene) -> Scene:
        dark: frozenset[int] = frozenset()
        if self._stage == "region" and self._agent is not None:
            dark = frozenset(range(HOME)) - self.available(self._agent)
        tags, trips = [], []
        for agent, order in enumerate(self.orders()):
            if agent in self._given or (agent == self._agent and self._stage in ("payment", "bribe")):
                parts = self._noted(agent, order)
                if order[0] == self._at[agent]:
                    tags.append(Tag(self.seat, agent, order[0], parts, Where.BESIDE))
                else:
                    tags.append(Tag(self.seat, agent, order[0], parts, Where.SLOT))
                    trips.append(Trip(Line(self.seat), self.seat, agent, self._at[agent], order[0]))
        return replace(scene, tags=scene.tags + tuple(tags), trips=scene.trips + tuple(trips), dark=dark)

    def _noted(self, agent: int, order: Order) -> Spans:
        to, payment, bribe = order
        text = "stays" if to == self._at[agent] else f"→{badge(self.seat, agent)}"
        if payment:
            text += f" ${payment}"
        return (on_side(self.seat, text), *((on_side(self.seat, f" UN ${bribe}"),) if bribe else ()))

    # -- keys and touches --------------------------------------------------------------------------------------------

    def key(self, name: str) -> bool:
        if name in ("tab", "s-tab"):
            agents: list[Agent] = all_agents(self.seat) if self._frozen() else all_agents(self.seat)[:AGENTS]
            agent = self.cycle(agents, 1 if name == "tab" else -1)
            return agent is not None and self._pick(*agent)
        if self._stage in ("payment", "bribe"):
            if name == "enter":
                self._set_number()
                return True
            if name == "esc":
                self._stage = "region"
                return True
            return self._number.key(name)
        if name in ("1", "2", "3"):
            return self._pick(self.seat, int(name) - 1)
        if self._stage == "region" and self._agent is not None:
            return self._region_key(name, self._agent)
        if name == "enter" and self.looked_at is not None:
            return self._pick(*self.looked_at)
        if name in ("left", "right", "up", "down"):
            return self.key("tab" if name in ("right", "down") else "s-tab")
        if name == "esc" and (self.looked_at or self.looking_at_inspector):
            self.looked_at, self.looking_at_inspector = None, False
            return True
        return False

    def _region_key(self, name: str, agent: int) -> bool:
        open_places = {place if place < HOME else HOME + self.seat for place in self.available(agent)}
        if name in ("left", "right", "up", "down"):
            self._cursor = neighbour(self._cursor, name, open_places)
        elif name == "enter":
            self._go(min(self._cursor, HOME))
        elif name == "h":
            self._go(HOME)
        elif name == "esc":
            self._close()
        else:
            return False
        return True

    def touch(self, action: Hashable) -> bool:
        match action:
            case ("less",) if self.stepper():
                self._number.step(-1)
            case ("more",) if self.stepper():
                self._number.step(1)
            case ("set",) if self.stepper():
                self._set_number()
            case ("agent", int(seat), int(agent)) if seat == self.seat or self._stage != "region":
                return self._pick(seat, agent)
            case ("agent", int(seat), int(agent)):
                # While a destination is wanted, whoever stands there stands for the region.
                place = self.state.agents[seat][agent].at
                if place == HOME:
                    return self._pick(seat, agent)
                self._go(place)
            case ("inspector",) if self._stage == "region":
                self._go(self.state.inspector)
            case ("region", int(region)) if self._stage == "region":
                self._go(region)
            case ("region", int(region)) if self._stage:
                self._set_all()
                return self._own_there(region)
            case ("region", int(region)):
                return self._own_there(region)
            case ("home", int(seat)) if self._stage == "region" and seat == self.seat:
                self._go(HOME)
            case _:
                return super().touch(action)
        return True

    def wheel(self, steps: int) -> bool:
        if not self.stepper():
            return False
        self._number.step(-steps)
        return True

    def undo(self) -> bool:
        if self._stage and not self._frozen():
            self._close()
            return True
        return super().undo()

    def undoable(self) -> bool:
        return not self._frozen() and (bool(self._stage) or super().undoable())

    # -- the order that is being given ---------------------------------------------------------------------------------

    def _frozen(self) -> bool:
        return self.locked or self.bound

    def _own_there(self, region: int) -> bool:
        """A region touched when nobody is chosen stands for one's own agent in it."""
        if region in self._at:
            return self._pick(self.seat, self._at.index(region))
        return False

    def _pick(self, seat: int, agent: int) -> bool:
        if not self._frozen():
            self._set_all()
        self.look(seat, agent)
        if seat == self.seat and not self._frozen():
            self._agent, self._stage = agent, "region"
            to = self._orders[agent][0]
            self._cursor = HOME + self.seat if to == HOME else to
        return True

    def _go(self, place: int) -> None:
        """Sends the chosen agent to a place, if that is available."""
        assert self._agent is not None
        if place not in self.available(self._agent):
            return
        before = self._orders[self._agent]
        self._draft = before if before[0] == place else (place, 0, 0)
        if place == HOME:
            self._commit(self._draft)
            return
        self._cursor = place
        self._stage = "payment"
        self._number = Number(self._draft[1], self._rest(self._draft[2]))

    def _rest(self, other_part: int) -> int:
        """The most that can be paid, beside the trip, the other orders and the other part of this one."""
        assert self._agent is not None
        others = sum(
            order_cost(at, order)
            for index, (at, order) in enumerate(zip(self._at, self._orders, strict=True))
            if index != self._agent
        )
        return self.cash() - others - trip_cost(self._at[self._agent], self._draft[0]) - other_part

    def _drafted(self) -> Order:
        to, payment, bribe = self._draft
        if self._stage == "payment":
            payment = self._number.amount
        elif self._stage == "bribe":
            bribe = self._number.amount
        return to, payment, bribe

    def _set_number(self) -> None:
        """Sets the number that is shown, and goes on to the Inspector's bribe or ends the order."""
        self._draft = self._drafted()
        if self._stage == "payment" and self._draft[0] == self.state.inspector:
            self._stage = "bribe"
            self._number = Number(self._draft[2], self._rest(self._draft[1]))
        else:
            self._commit(self._draft)

    def _set_all(self) -> None:
        """Keeps an order whose payment is being set, and gives up one that has no destination yet."""
        if self._agent is not None and self._stage in ("payment", "bribe"):
            self._commit(self._drafted())
        self._close()

    def _commit(self, order: Order) -> None:
        assert self._agent is not None
        self._remember(_Set(tuple(self._orders), frozenset(self._given)))
        self._orders[self._agent] = order
        self._given.add(self._agent)
        self._close()

    def _close(self) -> None:
        self._agent, self._stage = None, ""

    def _restore(self, snapshot: object) -> None:
        assert isinstance(snapshot, _Set)
        self._orders, self._given = list(snapshot.orders), set(snapshot.given)


class LastLookDesk(MoveDesk):
    """The plan once more, with what was told. It can be changed where there is a right to; it looks the same if not.

    `u` goes back to the first plan at once.
    """

    title = "LAST LOOK"

    def __init__(self, state: State, seat: int, plan: Orders, right: bool, timed: bool) -> None:
        super().__init__(state, seat, plan, bound=not right)
        self.timed = timed
        self._plan = plan

    def choice(self) -> Plain:
        return self._plan if self.bound else self.orders()

    def question(self) -> str | None:
        return None

    def sentence(self, room: int) -> str:
        if self._stage:
            return super().sentence(room)
        pace = "Equal time for both." if self.timed else "Then Done."
        long = "Change your plan or leave it." if not self.bound else "Nobody told you anything: your plan stands."
        text = f"{long} {pace}"
        return text if len(text) <= room else long if len(long) <= room else pace

    def hints(self) -> list[Hint]:
        if self._stage:
            return super().hints()
        own = [Hint("1-3", "your agent", ("noop",)), Hint("Tab", "next agent")]
        return [*own, Hint("u", "back to first plan"), Hint("d", "done")]

    def undo(self) -> bool:
        if self._frozen():
            return False
        self._close()
        changed = tuple(self._orders) != self._plan
        self._orders = list(self._plan)
        return changed

    def undoable(self) -> bool:
        return not self._frozen() and (bool(self._stage) or tuple(self._orders) != self._plan)

    def told(self) -> list[tuple[int, Order]]:
        """The plans that turned agents of the other side told: (agent, order)."""
        known = self.state.known[self.seat]
        assert isinstance(known, Knowledge)
        return [(agent, order) for agent, order in enumerate(known.plans) if order is not None]

    def decorate(self, scene: Scene) -> Scene:
        scene = super().decorate(scene)
        rival = other(self.seat)
        tags, trips = [], []
        for agent, (to, payment, bribe) in self.told():
            start = self.state.agents[rival][agent].at
            heart = Span("♥", "heart", True, "border")
            rest: list[Span] = []
            for text, amount in (("", payment), ("UN ", bribe)):
                if amount:
                    rest.append(Span(f" {text}${amount}", "money", True, "border"))
            if to == start:
                tags.append(Tag(rival, agent, to, (Span("♥ stays", "heart", True, "border"), *rest), Where.BESIDE))
            else:
                parts = (on_side(rival, f"→{badge(rival, agent)}"), heart, *rest)
                tags.append(Tag(rival, agent, to, parts, Where.SLOT))
                trips.append(Trip(Line.TOLD, rival, agent, start, to))
        return replace(scene, tags=scene.tags + tuple(tags), trips=scene.trips + tuple(trips))


def told_plan(seat: int, agent: int, order: Order, here: int) -> Spans:
    """What a turned agent of `seat` told of its orders, in words."""
    to, payment, bribe = order
    words = f"stays in {where(to, seat)}" if to == here else f"goes to {where(to, seat)}"
    spans: list[Span] = [
        on_side(seat, badge(seat, agent)),
        Span("♥", "heart", True),
        Span(" tells you: ", "text", True),
    ]
    spans.append(Span(words, "soft"))
    if payment:
        spans += [Span(", offers ", "soft"), money(payment)]
    if bribe:
        spans += [Span(", Inspector ", "soft"), money(bribe)]
    return tuple(spans)
