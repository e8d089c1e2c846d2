"""The game in sentences: what a screen reader reads, and what is typed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kimberley.client.boards.diamond_trust.agent_card import agent_facts
from kimberley.client.boards.diamond_trust.frames import frames_between
from kimberley.client.boards.diamond_trust.phrases import look_over, spoken
from kimberley.client.boards.form import Reply
from kimberley.client.session.notices import NOTHING_TO_DO, not_possible
from kimberley.client.session.ports import TableLike
from kimberley.client.ui.glyphs import clean
from kimberley.games.diamond_trust.angola import (
    AGENTS,
    HOME,
    HOMES,
    REGIONS,
    Order,
    Orders,
    other,
    place_name,
    trip_cost,
)
from kimberley.games.diamond_trust.knowledge import Estimate, Exact, Knowledge, Unknown
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.diamond_trust.rules import State
from kimberley.games.table import Plain, space_for
from kimberley.protocol.events import Answered, Event

_HELP: Final = (
    "You run three agents, as does the other side. After nine months the side with more diamonds at home wins; money "
    "breaks a tie.",
    "Paying: pay 2 3 pays your agent 2, at home, a salary of 3 dollars. bribe 1 4 gives the other side’s agent 1, "
    "where it meets one of yours, 4 dollars.",
    "Moving: 1 lunda 4 sends your agent 1 to Lunda, to offer 4 dollars. 1 moxico 4 2 also bribes the Inspector there "
    "with 2. 1 home sends it home. 1 stay 3 lets it offer 3 where it is. The first letters of a region are enough.",
    "The Inspector: the name of a region, or stay.",
    "Selling: sell 2, or just 2.",
    "done ends your choice, undo starts it over. look tells the position, look 2 all about your agent 2, look their 1 "
    "about agent 1 of the other side.",
)


class PlainGame:
    """`client.boards.api.PlainSeat` for Diamond Trust. Amounts and orders are kept until done is typed."""

    def __init__(self, table: TableLike) -> None:
        self._table = table
        self._seat = table.seat
        self._names = tuple(clean(name) or HOMES[seat] for seat, name in enumerate(table.names))
        self._told = State()
        self._seen = 0
        self._step: int | None = None
        self._amounts: list[int] = []
        self._orders: list[Order] = []
        self._number = 0
        self._confirm = False

    # -- the position ------------------------------------------------------------------------------------------------

    @property
    def _state(self) -> State:
        peer = self._table.peer
        if peer is None:
            return State()
        assert isinstance(peer.state, State)
        return peer.state

    def describe(self) -> list[str]:
        return describe_state(self._state, self._names, self._seat)

    def _facts(self, side: int, agent: int) -> list[str]:
        facts = agent_facts(self._state, self._seat, side, agent)
        line = _agent_line(self._state, self._seat, side, agent)
        line.append(f"Salary {_dollars(facts.salary)}. Bribes to it {_dollars(facts.bribes)}.")
        if facts.bribers is None:
            line.append("Who bribed it is unknown.")
        elif facts.bribers:
            line.append(f"Last bribed by {_agent(other(side), facts.bribers[0], self._seat)}.")
        for target, total in facts.bribed:
            line.append(f"It bribes {_agent(other(side), target, self._seat)} with {_dollars(total)}.")
        return line

    # -- news ----------------------------------------------------------------------------------------------------------

    def on_event(self, event: Event) -> list[str]:
        match event:
            case Answered():
                return self._catch_up()
            case _:
                return []

    def _catch_up(self) -> list[str]:
        """What the story has got since it was told last."""
        peer = self._table.peer
        if peer is None:
            return []
        lines: list[str] = []
        for ask, answer in peer.story[self._seen :]:
            before, self._told = self._told, self._told.apply(answer)
            self._seen += 1
            if ask.last_look and self._seconds:
                lines.append(look_over(ask.standing_choice(self._seat), answer[self._seat], self._choice(before)))
            lines += [
                f"{spoken(frame.log)}."
                for frame in frames_between(before, self._told, self._seat, self._names)
                if frame.log
            ]
            lines += self._describe_lines(before, self._told)
        return lines

    def _describe_lines(self, before: State, after: State) -> list[str]:
        rival = other(self._seat)
        lines = []
        for agent in range(AGENTS):
            for side in (self._seat, rival):
                was = agent_facts(before, self._seat, side, agent).turned
                if agent_facts(after, self._seat, side, agent).turned and not was:
                    for_whom = self._names[rival] if side == self._seat else "you"
                    lines.append(f"{_agent(side, agent, self._seat).capitalize()} is turned: it tells {for_whom}.")
        known = after.known[self._seat]
        assert isinstance(known, Knowledge)
        if before.step is RoundStep.PLAN_TOLD:
            for agent, order in enumerate(known.plans):
                if order is not None:
                    words = _order_words(order, after.agents[rival][agent].at, rival)
                    lines.append(f"{_agent(rival, agent, self._seat).capitalize()} tells you its plan: {words}.")
        if before.step is RoundStep.SALE_TOLD and known.sale is not None:
            lines.append(f"You are told that {self._names[rival]} plans to sell {known.sale}.")
        if before.step is RoundStep.SALE:
            lines.append(f"A new round: {after.months_left} months left.")
        return lines

    # -- asking --------------------------------------------------------------------------------------------------------

    def prompt(self) -> list[str]:
        """What must be chosen now. A plan that nobody may change is handed in here."""
        peer = self._table.peer
        if peer is None or peer.asked is None:
            return []
        state, seat = self._state, self._seat
        if peer.asked.step != self._step:
            self._step = peer.asked.step
            self._begin(state)
            look = peer.asked.ask.last_look
            if state.step in (RoundStep.MOVE, RoundStep.SALE) and not look:
                self._table.choose(self._choice(state))
                return []
        match state.step:
            case RoundStep.PAY:
                whom = [
                    f"{'bribe' if slot.bribe else 'pay'} {slot.agent + 1}: "
                    f"{_agent(other(seat) if slot.bribe else seat, slot.agent, seat)}"
                    for slot in state.slots(seat)
                ]
                return [f"Pay. You have {_dollars(state.cash_seen(seat, seat))}. You can {'; '.join(whom)}.",
                        "Type, say, pay 2 3 for 3 dollars, then done."]  # fmt: skip
            case RoundStep.PLAN:
                return ["Move. Type, say, 1 lunda 4, then done."]
            case RoundStep.MOVE:
                return [*self._look(state), "Your plan: " + self._orders_words(state), "Type changes, or done."]
            case RoundStep.INSPECT:
                return ["The Inspector is yours. Type a region, or stay, then done."]
            case RoundStep.SALE_PLAN:
                return [f"Sale. You have {_diamonds(state.vault[seat])}. Type sell and a number, then done."]
            case RoundStep.SALE:
                return [*self._look(state), f"You planned to sell {self._number}.", "Type another number, or done."]
            case _:
                return []

    @property
    def _seconds(self) -> int:
        """How long a last look lasts; 0 where there is no clock."""
        seconds = self._table.options.get("last_look", 0)
        return seconds if isinstance(seconds, int) else 0

    def _look(self, state: State) -> list[str]:
        clock = f" It lasts {self._seconds} seconds." if self._seconds else ""
        if state.right[self._seat] is True:
            return [f"Last look: you may change your plan.{clock}"]
        return [f"Last look: nobody told you anything, so your plan stands.{clock}"]

    def _begin(self, state: State) -> None:
        seat = self._seat
        self._confirm = False
        self._amounts = [0] * len(state.slots(seat))
        plan, number = state.plan[seat], state.sale_plan[seat]
        stay: Orders = tuple((place, 0, 0) for place in state.places(seat))
        self._orders = list(plan) if state.step is RoundStep.MOVE and isinstance(plan, tuple) else list(stay)
        self._number = number if state.step is RoundStep.SALE and isinstance(number, int) else 0
        if state.step is RoundStep.INSPECT:
            self._number = state.inspector

    def _choice(self, state: State) -> Plain:
        match state.step:
            case RoundStep.PAY:
                return tuple(self._amounts)
            case RoundStep.PLAN | RoundStep.MOVE:
                return tuple(self._orders)
            case _:
                return self._number

    # -- typed orders ------------------------------------------------------------------------------------------------

    def submit(self, text: str) -> Reply:
        words = text.lower().replace(",", " ").replace("$", "").split()
        if not words:
            return Reply(tuple(self.prompt()) or (NOTHING_TO_DO,))
        if words[0] in ("look", "show", "l"):
            return self._look_order(words[1:])
        # What is new must be asked first: it may be settled without a word.
        self.prompt()
        state, peer = self._state, self._table.peer
        if peer is None or peer.asked is None:
            return Reply((NOTHING_TO_DO,))
        if words == ["done"]:
            return self._done(state)
        self._confirm = False
        if words == ["undo"]:
            self._begin(state)
            return Reply(("Everything is undone.",))
        match state.step:
            case RoundStep.PAY:
                return self._pay_order(state, words)
            case RoundStep.PLAN | RoundStep.MOVE:
                return self._move_order(state, words)
            case RoundStep.INSPECT:
                return self._inspector_order(state, words)
            case RoundStep.SALE_PLAN | RoundStep.SALE:
                return self._sale_order(state, words)
            case _:
                return Reply((NOTHING_TO_DO,))

    def _done(self, state: State) -> Reply:
        peer = self._table.peer
        assert peer is not None
        assert peer.asked is not None
        choice = self._choice(state)
        space = space_for(peer.asked.ask, self._seat)
        reason = space.violation(choice) if space is not None else None
        if reason is not None:
            return Reply((not_possible(reason),))
        question = self._question(state)
        if question and not self._confirm:
            self._confirm = True
            return Reply((question, "If you mean it, type done again."))
        return Reply(("Done.",), choice, True)

    def _question(self, state: State) -> str:
        cash = state.cash(self._seat)
        if not isinstance(cash, int):
            return ""
        if state.step is RoundStep.PAY and cash and not any(self._amounts):
            return "You pay nobody, though you could."
        if state.step is RoundStep.PLAN and not state.months_left:
            left = cash - self._cost(state)
            return f"This is the last round, and you leave {_dollars(left)} unspent." if left else ""
        return ""

    def _cost(self, state: State) -> int:
        places = state.places(self._seat)
        return sum(
            trip_cost(at, to) + payment + bribe for at, (to, payment, bribe) in zip(places, self._orders, strict=True)
        )

    def _pay_order(self, state: State, words: Sequence[str]) -> Reply:
        match words:
            case [("pay" | "salary" | "bribe") as verb, agent, amount] if agent.isdecimal() and amount.isdecimal():
                pass
            case _:
                return Reply(("Type pay, the number of your agent and dollars: pay 2 3. Or bribe 1 4, or done.",))
        for index, slot in enumerate(state.slots(self._seat)):
            if slot.bribe == (verb == "bribe") and slot.agent == int(agent) - 1:
                before = self._amounts[index]
                self._amounts[index] = int(amount)
                cash = state.cash(self._seat)
                left = cash - sum(self._amounts) if isinstance(cash, int) else 0
                if left < 0:
                    self._amounts[index] = before
                    return Reply((f"That is {_dollars(-left)} more than you have.",))
                side = other(self._seat) if slot.bribe else self._seat
                who = _agent(side, slot.agent, self._seat)
                return Reply((f"{_dollars(int(amount))} for {who}. {_dollars(left)} left.",))
        if verb == "bribe":
            return Reply((f"None of your agents meets agent {agent} of the other side.",))
        return Reply((f"Your agent {agent} is not at home, so it cannot be paid now.",))

    def _move_order(self, state: State, words: Sequence[str]) -> Reply:
        if state.step is RoundStep.MOVE and state.right[self._seat] is not True:
            return Reply(("You may not change your plan now. Type done.",))
        if words == ["first"] and state.step is RoundStep.MOVE:
            self._begin(state)
            return self._changed(state, "Back to your first plan.")
        usage = "Type the number of your agent, a region, home or stay, and dollars: 1 lunda 4."
        if words[0] not in ("1", "2", "3"):
            return Reply((usage,))
        agent = int(words[0]) - 1
        numbers = [word for word in words[1:] if word.isdecimal()]
        names = [word for word in words[1:] if not word.isdecimal()]
        if not names or len(numbers) > 2:
            return Reply((usage,))
        to = self._place(" ".join(names), state.places(self._seat)[agent])
        if isinstance(to, str):
            return Reply((to,))
        payment, bribe = (*(int(number) for number in numbers), 0, 0)[:2]
        before = self._orders[agent]
        self._orders[agent] = (to, payment, bribe)
        reason = self._forbidden(state)
        if reason is not None:
            self._orders[agent] = before
            return Reply((not_possible(reason),))
        cash = state.cash(self._seat)
        left = cash - self._cost(state) if isinstance(cash, int) else 0
        words_of = _order_words(self._orders[agent], state.places(self._seat)[agent], self._seat)
        return self._changed(state, f"Agent {agent + 1} {words_of}. {_dollars(left)} left.")

    def _forbidden(self, state: State) -> str | None:
        """Why the orders as they stand are not possible. Two agents on their way to one region is said at done."""
        peer = self._table.peer
        assert peer is not None
        assert peer.asked is not None
        space = space_for(peer.asked.ask, self._seat)
        assert space is not None
        reason = space.violation(tuple(self._orders))
        return None if reason is not None and reason.startswith("only one agent") else reason

    def _changed(self, state: State, line: str) -> Reply:
        """Where the clock ends a last look, a change counts at once if it is possible."""
        peer = self._table.peer
        if (
            state.step in (RoundStep.MOVE, RoundStep.SALE)
            and self._table.final_adjustment_until is not None
            and peer
            and peer.asked
        ):
            space = space_for(peer.asked.ask, self._seat)
            choice = self._choice(state)
            if space is not None and space.violation(choice) is None:
                self._table.choose(choice)
        return Reply((line,))

    def _place(self, name: str, here: int) -> int | str:
        if name in ("stay", "stays", "here"):
            return here
        if name in ("home", HOMES[self._seat].lower()):
            return HOME
        return _region(name)

    def _inspector_order(self, state: State, words: Sequence[str]) -> Reply:
        name = " ".join(word for word in words if word not in ("send", "to"))
        region = state.inspector if name in ("stay", "leave") else _region(name)
        if isinstance(region, str):
            return Reply((region,))
        self._number = region
        preview = state.inspector_preview(region)
        takes = sum(map(sum, preview.confiscates))
        return Reply((f"To {REGIONS[region]}: he confiscates {_diamonds(takes)} there and blocks the sale of "
                      f"{_diamonds(preview.blocks.diamonds)}. Type done.",))  # fmt: skip

    def _sale_order(self, state: State, words: Sequence[str]) -> Reply:
        number = words[-1]
        if not number.isdecimal() or (len(words) > 1 and words[0] != "sell") or len(words) > 2:
            return Reply(("Type sell and a number: sell 2.",))
        if state.step is RoundStep.SALE and state.right[self._seat] is not True:
            return Reply(("You may not change your number now. Type done.",))
        if int(number) > state.vault[self._seat]:
            return Reply((f"You have only {_diamonds(state.vault[self._seat])} at home.",))
        self._number = int(number)
        return self._changed(state, f"You sell {number}.")

    def _look_order(self, words: Sequence[str]) -> Reply:
        match words:
            case [number] if number in ("1", "2", "3"):
                return Reply(tuple(self._facts(self._seat, int(number) - 1)))
            case ["their" | "theirs", number] if number in ("1", "2", "3"):
                return Reply(tuple(self._facts(other(self._seat), int(number) - 1)))
            case _:
                return Reply(tuple(self.describe()))

    def _orders_words(self, state: State) -> str:
        places = state.places(self._seat)
        return (
            "; ".join(
                f"agent {agent + 1} {_order_words(order, places[agent], self._seat)}"
                for agent, order in enumerate(self._orders)
            )
            + "."
        )

    def help(self) -> list[str]:
        return list(_HELP)


def describe_state(state: State, names: Sequence[str], you: int | None) -> list[str]:
    """The position in sentences. `you` is the seat that is called so, None for an onlooker, who sees no money."""
    left = state.months_left
    sides = [0, 1] if you is None else [you, other(you)]
    lines = [f"Round {state.round()} of 9, {left} month{'' if left == 1 else 's'} left."]
    for side in sides:
        cash = state.cash_seen(side if you is None else you, side)
        home = f"{_dollars(cash)} and {_diamonds(state.vault[side])} at home."
        if side == you:
            lines.append(f"You are {HOMES[side]}. You have {home}")
        else:
            lines.append(f"{names[side]}{f', {HOMES[side]},' if you is None else ''} has {home}")
    for region, name in enumerate(REGIONS):
        here = f"{name}: {_diamonds(state.diamonds[region])}"
        if state.inspector == region:
            here += ", frozen: the Inspector is here"
        people = [
            _agent(side, agent, you)
            for side in sides
            for agent, place in enumerate(state.places(side))
            if place == region
        ]
        lines.append(f"{here}{'; ' + ' and '.join(people) if people else ''}.")
    for side in sides:
        for agent in range(AGENTS):
            lines += _agent_line(state, you, side, agent)
    return lines


def _agent_line(state: State, viewer: int | None, side: int, agent: int) -> list[str]:
    facts = agent_facts(state, viewer, side, agent)
    carries = f", carries {_diamonds(facts.carries)}" if facts.carries else ""
    turned = ", turned" if facts.turned else ""
    mark = _agent(side, agent, viewer)
    return [f"{mark[:1].upper()}{mark[1:]} in {place_name(facts.place, side)}{carries}{turned}."]


def _agent(side: int, agent: int, viewer: int | None) -> str:
    owner = "your" if side == viewer else f"{HOMES[side]}’s"
    return f"{owner} agent {agent + 1}"


def _dollars(amount: int | Estimate | None) -> str:
    match amount:
        case None | Unknown():
            return "an unknown sum"
        case int(number) | Exact(number):
            return f"{number} dollar{'' if number == 1 else 's'}"
        case _:
            return f"{amount.amount} dollars or more"


def _diamonds(number: int) -> str:
    if not number:
        return "no diamonds"
    return f"{number} diamond{'' if number == 1 else 's'}"


def _order_words(order: Order, here: int, side: int) -> str:
    to, payment, bribe = order
    words = f"stays in {place_name(to, side)}" if to == here else f"goes to {place_name(to, side)}"
    words += f", offers {_dollars(payment)}" if payment else ""
    return words + (f", bribes the Inspector with {_dollars(bribe)}" if bribe else "")


def _region(name: str) -> int | str:
    found = [index for index, region in enumerate(REGIONS) if region.lower().startswith(name)] if name else []
    if len(found) == 1:
        return found[0]
    if len(found) > 1:
        return f"{name} could be {' or '.join(REGIONS[index] for index in found)}."
    return f"There is no region {name!r}: {', '.join(REGIONS)}."
