"""The form of the move: the plan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

from kimberley.client.boards.diamond_trust.form import (
    ARROWS,
    PRESS_DONE,
    SELECT_OR_DONE,
    SET,
    Agent,
    AgentAt,
    Number,
    Selection,
    Stepper,
    TrustForm,
    marks,
    neighbor,
    spending,
)
from kimberley.client.boards.diamond_trust.phrases import (
    dollars,
    explains,
    look_ahead,
    only_left,
    order_words,
    region_named,
    the_diamonds,
)
from kimberley.client.boards.diamond_trust.scene import LineStyle, Scene, Tag, Trip, Where, badge, on_side
from kimberley.client.boards.form import Clickable, Command, FormContext
from kimberley.client.ui.bars import first_fitting
from kimberley.client.ui.keys import Hint
from kimberley.client.ui.spans import Spans
from kimberley.games.diamond_trust.angola import (
    AGENTS,
    HOME,
    HOMES,
    REGIONS,
    Order,
    Orders,
    least_trip,
    order_cost,
    place_name,
    trip_cost,
)
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.diamond_trust.rules import State
from kimberley.games.table import Plain
from kimberley.p2p.sentences.notices import not_possible

NUMBERS: Final = ("1", "2", "3")
"""The keys for the player's agents."""

EXAMPLES: Final = tuple(map(REGIONS.index, ("Lunda", "Uige", "Huila", "Moxico")))
"""Where an agent is sent in an example, the best first: more regions than a side has agents."""
OFFERED: Final = 4
"""What it offers there in dollars, if there is enough money."""


class _Set(NamedTuple):
    """What undo goes back to: the orders, and who was given some."""

    orders: Orders
    given: frozenset[int]


class MoveForm(TrustForm):
    """Orders for the player's three agents: destination, payment and, where the Inspector stands, a bribe to him.

    The player selects an agent, then a region, then sets the payment and the bribe. A `bound` form may only be looked
    at.
    """

    phase = "MOVE"
    enter_refused = SELECT_OR_DONE
    next_label, undo_label = "next", "undo"
    locked_in = "Locked in. Only double agents reveal orders."
    alike = frozenset({"orders", "no orders"})
    steps = frozenset({RoundStep.PLAN, RoundStep.PLAN_TOLD, RoundStep.MOVE})

    def __init__(
        self, context: FormContext[State], selection: Selection, plan: Orders | None = None, bound: bool = False
    ) -> None:
        super().__init__(context, selection)
        self._at = self.state.places(self.seat)
        stay: Orders = tuple((place, 0, 0) for place in self._at)
        self._first: Orders = plan or stay
        self._orders: list[Order] = list(self._first)
        self._given: set[int] = {agent for agent in range(AGENTS) if self._orders[agent] != stay[agent]}
        self._planned = frozenset(self._given)
        self._left_open: set[int] = set()
        """Agents whose amount was never set: the player went on to another agent."""
        self._agent: int | None = None
        self._cursor = HOME + self.seat
        self._stage = ""
        self._draft: Order = stay[0]
        self._number = Number(0, 0)
        self.bound = bound
        if bound or self.poor:
            self.enter_refused = PRESS_DONE

    # -- what it chooses ---------------------------------------------------------------------------------------------

    def orders(self) -> Orders:
        """Returns the orders as they stand, with the one that the player is giving."""
        orders = list(self._orders)
        if self._agent is not None and self._stage in ("payment", "bribe"):
            orders[self._agent] = self._drafted()
        return tuple(orders)

    def choice(self) -> Plain:
        return self.orders()

    def oddities(self) -> dict[str, str]:
        return self._oddities()

    def _oddities(self, *, yet: bool = False) -> dict[str, str]:
        """See `oddities`. `yet` says that the player has not pressed Done."""
        left, oddities = self.cash - self.cost(), dict[str, str]()
        if forgotten := self._forgotten(left, yet):
            oddities["orders"] = forgotten
            if not self._given and self._agent is None:
                # A player who was asked about one agent before, and ends the move without any order, is asked again.
                oddities["orders"], oddities["no orders"] = "", forgotten
        if left and not self.state.months_left:
            oddities["unspent"] = f"This is the last month, and you would leave ${left} unspent."
        return oddities | self._unanswered()

    def _forgotten(self, left: int, yet: bool) -> str:
        """Returns who has no orders: they stay, and offer nothing; "" if there is nobody, or no money for orders."""
        set_now = self._agent if self._stage in ("payment", "bribe") else None
        idle = [(self.seat, agent) for agent in range(AGENTS) if agent not in self._given and agent != set_now]
        if not idle or not left:
            return ""
        then = "it stays and offers" if len(idle) == 1 else "they stay and offer"
        return f"No orders{' yet' if yet else ''} for {marks(idle, 'or')}: {then} nothing."

    def _unanswered(self) -> dict[str, str]:
        """Returns what orders leave at $0 that the player never set: offers for diamonds, and the bribe being set."""
        open_now = {self._agent} if self._stage == "payment" else set()
        free = [
            (self.seat, agent)
            for agent, (to, payment, _) in enumerate(self.orders())
            if agent in self._left_open | open_now and to != HOME and not payment and self.state.diamonds[to]
        ]
        if len(free) == 1:
            to = self.orders()[free[0][1]][0]
            return {"offer": f"{marks(free)} offers $0 in {REGIONS[to]}, so it collects nothing."}
        if free:
            return {"offer": f"{marks(free)} offer $0, so they collect nothing."}
        if self._agent is None or self._stage not in ("payment", "bribe"):
            return {}
        mark, (to, _, bribe) = badge(self.seat, self._agent), self._drafted()
        if not bribe and to == self.state.inspector:
            goes = "stays in" if to == self._at[self._agent] else "goes to"
            return {"bribe": f"{mark} {goes} the Inspector’s region but offers him no bribe."}
        return {}

    def cost(self) -> int:
        return sum(map(order_cost, self._at, self.orders()))

    def spent(self) -> str:
        return f"${self.cost()} planned" if self.cost() else ""

    # -- what it shows -----------------------------------------------------------------------------------------------

    def sentence(self, room: int) -> str:
        mark = "" if self._agent is None else badge(self.seat, self._agent)
        match self._stage:
            case "" if self.poor:
                return first_fitting(
                    room, f"{self.poor} {self.just_done}", self.poor, f"You have too little money. {self.just_done}"
                )
            case "region" if self._agent is not None and self.available(self._agent) == {self._at[self._agent]}:
                left, trip = self.cash - self.cost(), least_trip([self._at[self._agent]])
                texts = (
                    f"{mark} can only stay: you have ${left} left, and a trip costs ${trip}.",
                    f"{mark} can only stay: a trip costs ${trip}.",
                    f"{mark} can only stay.",
                )
                return next((text for text in texts if len(text) <= room), texts[-1])
            case "region":
                assert self._agent is not None
                stays = "home" if self._at[self._agent] == HOME else "its own"
                text = f"Where does {mark} go? Select a region ({stays} to stay)."
                return text if len(text) <= room and explains(self.state) else f"Select a region for {mark}."
            case "payment":
                to = self._draft[0]
                text = f"What does {mark} offer for {the_diamonds(self.state.diamonds[to])} in {REGIONS[to]}?"
                return text if len(text) <= room else f"What does {mark} offer there?"
            case "bribe":
                return f"How much does {mark} pay the Inspector?"
            case "" if crowded := self._crowded():
                return f"{crowded}."
            case _:
                odd = " ".join(self._oddities(yet=True).values()) if self._given else ""
                if odd and len(odd) <= room:
                    return odd
                if len(self._given) == AGENTS:
                    return self.all_set
                text = "Select an agent, then a region. Then Done."
                return text if len(text) <= room and explains(self.state) else "Give your agents orders. Then Done."

    @property
    def poor(self) -> str:
        """Returns a sentence if the cash of this side is too little for any trip or offer; empty if it is enough."""
        least = least_trip(self._at)
        if self.cash >= least:
            return ""
        have = f"You have only ${self.cash}" if self.cash else "You have no money"
        if set(self._at) == {HOME}:
            return f"{have}: a trip costs ${least}."
        return f"{have}: a trip or an offer costs at least ${least}."

    def commands(self) -> Sequence[Command]:
        chosen = self.selection.agent
        match self.stage:
            case "region":
                assert self._agent is not None
                places, is_home = self.available(self._agent), self._at[self._agent] == HOME
                home = Hint("Home", "stay home" if is_home else "go home") if HOME in places else None
                arrows = Hint("← ↑ ↓ →", "region", ("noop",)) if len(places) > 1 else None
                own = [
                    Command(ARROWS, self._move_cursor, arrows),
                    Command(
                        ("enter",), lambda _: self._go(min(self._cursor, HOME)), Hint("Enter", "set", primary=True)
                    ),
                    Command(("home",), lambda _: self._go(HOME), home),
                    self.tab_command("next"),
                    Command(("esc",), lambda _: self._close(), Hint("Esc", "cancel")),
                    Command(NUMBERS, self._pick_number),
                ]
            case "payment" | "bribe":
                own = [
                    *self.number_commands("amount"),
                    Command(("enter",), lambda _: self._set_number(), Hint("Enter", "set", primary=True)),
                    self.tab_command("next agent"),
                    *self.undo_commands(),
                    Command(("esc",), lambda _: self._back(), Hint("Esc", "back")),
                ]
            case _:
                own = [
                    Command(NUMBERS, self._pick_number, None if self.bound else Hint("1-3", "your agent", ("noop",))),
                    self.tab_command(self.next_label, *ARROWS),
                    *self.undo_commands(self.undo_label),
                    *self.done_commands(),
                    *([] if chosen is None else [Command(("enter",), lambda _: self.pick(chosen))]),
                ]
        return [*own, *super().commands()]

    def clickables(self) -> Sequence[Clickable]:
        chosen = self.selection.agent
        if self.stage == "region":
            own = [
                Clickable(("inspector",), lambda: self._go(self.state.inspector)),
                Clickable(("home", self.seat), lambda: self._go(HOME)),
            ]
        elif self.stage:
            own = [Clickable(SET, self._set_number)]
        else:
            own = [] if chosen is None else [Clickable(("card",), partial(self.pick, chosen))]
        return [*own, *super().clickables()]

    def stepper(self) -> Stepper | None:
        if self._stage not in ("payment", "bribe") or self._agent is None:
            return None
        to = self._draft[0]
        mark = badge(self.seat, self._agent)
        left = self.cash - self.cost()
        if self._stage == "bribe":
            bribing = (f"leaves you ${left}", "the higher bribe", "moves him")
            at, short = self._agent_at(to), "higher bribe moves him"
            return Stepper("Inspector bribe", self._number.amount, self._number.most, "$", bribing, at, short)
        stock = self.state.diamonds[to]
        what = f"◆{stock} there, frozen" if to == self.state.inspector else f"for ◆{stock} there"
        gets = "higher offer wins" if self._number.amount else "$0 gets nothing"
        notes = (f"leaves you ${left}", what, gets)
        return Stepper(f"Offer by {mark}", self._number.amount, self._number.most, "$", notes, self._agent_at(to))

    def _agent_at(self, place: int) -> AgentAt | None:
        return None if self._agent is None else AgentAt(self.seat, self._agent, place)

    def focus(self) -> int | None:
        if self._stage == "region":
            return self._cursor
        return None

    def aim(self) -> tuple[int, int] | None:
        """Returns the agent that is being given orders, and where it may go: the place in focus, or the one that was
        chosen.
        """
        if self._agent is None or not self.stage:
            return None
        place = min(self._cursor, HOME) if self.stage == "region" else self._draft[0]
        return None if self.stage == "region" and place == self._at[self._agent] else (self._agent, place)

    def just_given(self) -> tuple[int, Order] | None:
        """Returns the order of the selected agent, if the player has given it one and can still change it."""
        chosen = self.selection.agent
        if chosen is None or self.fixed or self._stage or chosen[0] != self.seat or chosen[1] not in self._given:
            return None
        return chosen[1], self._orders[chosen[1]]

    def available(self, agent: int) -> frozenset[int]:
        """Returns where the player can send an agent: only where no other agent of this side was sent, and only where
        there is enough cash to go. An agent that is there now can still be sent away.
        """
        rest = self._left_for(agent)
        return frozenset(
            place
            for place in range(HOME + 1)
            if self._sent_to(place, agent) is None and trip_cost(self._at[agent], place) <= rest
        )

    def _left_for(self, agent: int) -> int:
        """Returns the cash that the orders of the others leave."""
        orders = enumerate(zip(self._at, self._orders, strict=True))
        return self.cash - sum(order_cost(at, order) for index, (at, order) in orders if index != agent)

    def _sent(self, agent: int) -> bool:
        """Returns whether the player has given an agent orders here, and not in the plan before."""
        moved = self._orders[agent][0] != self._first[agent][0]
        return agent in self._given and (moved or agent not in self._planned)

    def _sent_to(self, place: int, agent: int) -> int | None:
        """Returns the other agent that the player has sent to a region; None if there is none."""
        sent = (another for another in range(AGENTS) if self._sent(another) and another != agent)
        return next((another for another in sent if self._orders[another][0] == place != HOME), None)

    def _not_available(self, agent: int, place: int) -> str:
        """Says why an agent cannot be sent to a place."""
        where = place_name(place, self.seat)
        if (taken := self._sent_to(place, agent)) is not None:
            stays = self._at[taken] == place
            return f"Only one agent per region: {badge(self.seat, taken)} {'stays in' if stays else 'goes to'} {where}"
        return f"A trip to {where} costs ${trip_cost(self._at[agent], place)}; you have ${self._left_for(agent)} left"

    def _crowded(self) -> str:
        """Says which agent needs other orders, since another one was sent to its region; empty if none does."""
        places = [order[0] for order in self.orders()]
        for agent in range(AGENTS):
            others = (
                another for another in range(AGENTS) if another != agent and places[another] == places[agent] != HOME
            )
            if agent != self._agent and not self._sent(agent) and (there := next(others, None)) is not None:
                who, other = badge(self.seat, agent), badge(self.seat, there)
                going = "stays in" if self._at[there] == places[there] else "is going to"
                return f"{other} {going} {REGIONS[places[there]]}: send {who} elsewhere"
        return ""

    def decorate(self, scene: Scene) -> Scene:
        dark: frozenset[int] = frozenset()
        if self.stage == "region" and self._agent is not None:
            dark = frozenset(range(HOME)) - self.available(self._agent)
        tags, trips = [], []
        for agent, order in enumerate(self.orders()):
            if agent in self._given or (agent == self._agent and self._stage in ("payment", "bribe")):
                parts = self._noted(agent, order)
                if order[0] == self._at[agent]:
                    tags.append(Tag(self.seat, agent, order[0], parts, Where.BESIDE))
                else:
                    tags.append(Tag(self.seat, agent, order[0], parts, Where.SLOT))
                    if self.selection.agent == (self.seat, agent):
                        trips.append(Trip(LineStyle(self.seat), self.seat, agent, self._at[agent], order[0]))
        return replace(scene, tags=scene.tags + tuple(tags), trips=scene.trips + tuple(trips), dark=dark)

    def _noted(self, agent: int, order: Order) -> Spans:
        to, payment, bribe = order
        text = "stays" if to == self._at[agent] else f"→{badge(self.seat, agent)}"
        if to != HOME:
            text += f" ${payment}"
        return (on_side(self.seat, text), *((on_side(self.seat, f" UN ${bribe}"),) if bribe else ()))

    # -- keys and clicks ----------------------------------------------------------------------------------------------

    @property
    def stage(self) -> str:
        """Returns which part of an order is being given: "region", "payment" or "bribe"; empty if none is."""
        return "" if self.sealed else self._stage

    def open_number(self) -> Number | None:
        return self._number if self.stage in ("payment", "bribe") else None

    def tour(self) -> list[Agent]:
        return super().tour() if self.fixed else super().tour()[:AGENTS]

    def _pick_number(self, key: str) -> None:
        self.pick((self.seat, int(key) - 1))

    def _move_cursor(self, way: str) -> None:
        assert self._agent is not None
        places = {place if place < HOME else HOME + self.seat for place in self.available(self._agent)}
        self._cursor = neighbor(self._cursor, way, places)

    def on_tag(self, agent: Agent, place: int) -> None:
        # While a destination is wanted, a click anywhere in the home means the home, except on the agents in it.
        seat, number = agent
        if seat == self.seat and place == HOME and self.stage == "region":
            self._go(HOME)
        elif seat == self.seat and place != HOME and number in self._given and not self.fixed:
            self.pick(agent)
            if self._stage == "region":
                self._go(place)
        else:
            self.on_agent(agent)

    def on_agent(self, agent: Agent) -> None:
        place, sends = self.place_of(agent), self.stage == "region"
        if self.fixed:
            super().on_agent(agent)
        elif sends and agent[0] != self.seat and place != HOME:
            # While a destination is wanted, a click on an enemy agent means its region.
            self._go(place)
        else:
            if sends and agent == (self.seat, self._agent):
                self.refuse(f"Select a region for {badge(*agent)}")
            self.pick(agent)

    def on_region(self, region: int) -> bool:
        if self.stage == "region":
            self._go(region)
            return True
        if self.stage:
            self._set_all()
        if region in self._at:
            self.on_agent((self.seat, self._at.index(region)))
            return True
        if self.fixed:
            return super().on_region(region)
        self.refuse("First select one of your agents, then its region")
        return True

    def undo(self) -> bool:
        if self._stage and not self.fixed:
            self._close()
            return True
        return super().undo()

    def undoable(self) -> bool:
        return not self.fixed and (self._stage in ("payment", "bribe") or super().undoable())

    # -- in the line mode ----------------------------------------------------------------------------------------------

    @property
    def drafted(self) -> State:
        return spending(self.state, self.seat, self.cost())

    def in_words(self) -> str:
        return "; ".join(f"agent {agent + 1} {self._order_words(agent)}" for agent in range(AGENTS))

    def order_so_far(self, agent: int) -> str:
        return "" if self._waits_for_orders(agent) else f"Its orders: it {self._order_words(agent)}."

    def _waits_for_orders(self, agent: int) -> bool:
        """Returns whether the player may still give an agent its first orders."""
        return agent not in self._given and not self.sealed

    def _order_words(self, agent: int) -> str:
        """Returns what an agent does by the orders as they stand, without a subject."""
        order = self.orders()[agent]
        return "has no orders" if self._waits_for_orders(agent) else order_words(order, self._at[agent], self.seat)

    def prompt(self) -> list[str]:
        if self.poor:
            return [f"Move. {self.poor}", "Type done."]
        return [
            f"Move. You have {dollars(self.cash - self.cost())}. For example, {self._example()} When all three have "
            "their orders, type done.",
            *([look_ahead(self.times)] if self.state.anyone_met() else []),
        ]

    def _example(self) -> str:
        """Returns an order that can be typed now, and what it does."""
        ways = [(agent, to) for agent in range(AGENTS) for to in EXAMPLES if to not in self._at]
        left = {(agent, to): self._left_for(agent) - trip_cost(self._at[agent], to) for agent, to in ways}
        agent, to = max(ways, key=lambda way: min(left[way], OFFERED))
        offer, name = min(left[agent, to], OFFERED), REGIONS[to]
        if offer < 0:
            return "1 stay leaves your agent 1 where it is."
        if not offer:
            return f"{agent + 1} {name.lower()} sends your agent {agent + 1} to {name}."
        return f"{agent + 1} {name.lower()} {offer} sends your agent {agent + 1} to {name} to offer ${offer}."

    def type_words(self, words: Sequence[str]) -> str:
        numbers = [int(word) for word in words[1:] if word.isdecimal()]
        names = [word for word in words[1:] if not word.isdecimal()]
        if not words or words[0] not in ("1", "2", "3") or not names or len(numbers) > 2:
            return f"Type an agent’s number, a region, home or stay, and dollars. For example, {self._example()}"
        agent = int(words[0]) - 1
        to = self._named(" ".join(names), self._at[agent])
        if isinstance(to, str):
            return to
        payment, bribe = (*numbers, 0, 0)[:2]
        return self._type_order(agent, (to, payment, bribe))

    def _named(self, name: str, here: int) -> int | str:
        if name in ("stay", "stays", "here"):
            return here
        if name in ("home", HOMES[self.seat].lower()):
            return HOME
        return region_named(name)

    def _type_order(self, agent: int, order: Order) -> str:
        orders = (*self._orders[:agent], order, *self._orders[agent + 1 :])
        reason = self.context.space.violation(orders)
        # Two agents sent to one region can still be given different ones: if they are not, done says so.
        if reason is not None and reason.startswith("only one agent"):
            cost = self.context.space.cost(orders)
            reason = f"this costs ${cost}; you have ${self.cash}" if cost > self.cash else None
        if reason is not None:
            return not_possible(reason)
        self._agent = agent
        self._commit(order)
        left = self.cash - self.cost()
        nothing = "" if order[0] == HOME or order[1] else " It offers nothing, so it collects nothing."
        return f"Agent {agent + 1} {order_words(order, self._at[agent], self.seat)}.{nothing} {dollars(left)} left."

    # -- the order that is being given ---------------------------------------------------------------------------------

    def _done(self) -> None:
        if not self.bound and (crowded := self._crowded()):
            self.refuse(crowded)
        else:
            super()._done()

    def pick(self, agent: Agent) -> None:
        """Selects an agent. If an amount was being set, an agent with orders for a region gets its amount set next."""
        counting = self._stage in ("payment", "bribe")
        if not self.fixed:
            self._set_all()
        super().pick(agent)
        seat, number = agent
        if seat == self.seat and not self.fixed:
            self._agent, self._stage = number, "region"
            to = self._orders[number][0]
            self._cursor = HOME + self.seat if to == HOME else to
            if counting and number in self._given and to != HOME:
                self._go(to)

    def _go(self, place: int) -> None:
        """Sends the chosen agent to a place, if that is available."""
        assert self._agent is not None
        if place not in self.available(self._agent):
            self.refuse(self._not_available(self._agent, place))
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
        """Returns the most that is left to pay, after the trip, the other orders and the other part of this one."""
        assert self._agent is not None
        others = sum(
            order_cost(at, order)
            for index, (at, order) in enumerate(zip(self._at, self._orders, strict=True))
            if index != self._agent
        )
        return self.cash - others - trip_cost(self._at[self._agent], self._draft[0]) - other_part

    def too_much(self) -> str:
        """Says how much is left, and where the rest of this order goes."""
        left = only_left(self._number.most)
        if self._stage == "bribe":
            return f"{left} for this bribe"
        return f"{left}{f': ${self._draft[2]} is for the Inspector' if self._draft[2] else ' for this offer'}"

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
        """Keeps an order whose payment is being set, and drops one that has no destination yet."""
        if self._agent is not None and self._stage in ("payment", "bribe"):
            agent = self._agent
            self._commit(self._drafted())
            self._left_open.add(agent)
        self._close()

    def _commit(self, order: Order) -> None:
        assert self._agent is not None
        if self._agent not in self._given or order != self._orders[self._agent]:
            self._remember(_Set(tuple(self._orders), frozenset(self._given)))
        self._orders[self._agent] = order
        self._given.add(self._agent)
        self._left_open.discard(self._agent)
        self._close()

    def _back(self) -> None:
        """Goes back from the amount to the region."""
        self._stage = "region"

    def _close(self) -> None:
        self._agent, self._stage = None, ""

    def _restore(self, snapshot: object) -> None:
        assert isinstance(snapshot, _Set)
        self._orders, self._given = list(snapshot.orders), set(snapshot.given)
