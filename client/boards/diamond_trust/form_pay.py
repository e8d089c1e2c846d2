"""The form of the pay phase: salaries at home, bribes where agents meet."""

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
    spending,
)
from kimberley.client.boards.diamond_trust.phrases import agent_name, dollars, explains, only_left, short_agent_name
from kimberley.client.boards.diamond_trust.scene import Scene, Tag, Where, badge, on_side
from kimberley.client.boards.form import Clickable, Command, FormContext
from kimberley.client.ui.keys import Hint
from kimberley.games.diamond_trust.angola import HOME, REGIONS, other, place_name
from kimberley.games.diamond_trust.bots.deduction import AtMost, salary_bounds
from kimberley.games.diamond_trust.knowledge import AtLeast, Knowledge, Unknown
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.diamond_trust.rules import State
from kimberley.games.phrases import join_names
from kimberley.games.table import Plain

OWN_LOYALTY: Final = (
    "If the bribes to {} ever exceed its salary, it reveals its orders to your opponent.",
    "If bribes exceed its salary, {} reveals its orders.",
    "Bribes above {}’s salary win it over.",
)
THEIR_LOYALTY: Final = (
    "If your bribes to {} exceed its salary, it reveals its orders to you.",
    "If bribes exceed its salary, {} reveals its orders.",
    "Bribes above {}’s salary win it over.",
)
YOURS: Final = (
    "{} already reports to you. Bribe more in case its salary rises.",
    "{} reports to you. Bribe more to be safe.",
    "{} reports to you.",
)
OWN_TURNED: Final = (
    "{} reports to your opponent until its salary covers the bribes.",
    "{} reports until its salary covers the bribes.",
    "{} reports to your opponent.",
)
"""Why to pay an agent, from long to short."""
NOT_MET: Final = (
    "You have no agent in {place}, so you cannot bribe {agent}.",
    "You have no agent in {place}.",
    "{agent} is out of reach.",
)
AT_HOME: Final = ("{agent} is at home, so you cannot bribe it.", "{agent} is at home.")
"""Why an enemy agent cannot be bribed, from long to short."""
NO_SALARY: Final = ("any bribe would", "win it over")
SOME_SALARY: Final = ("only bribes over", "${} win it over")
"""The same number of lines, so that the box stays where it is."""


class _Set(NamedTuple):
    """What undo goes back to: the amounts, and which of them were given."""

    amounts: tuple[int, ...]
    given: frozenset[int]


class PayForm(TrustForm):
    """One amount for each agent that can be paid."""

    phase = "PAY"
    enter_refused = SELECT_OR_DONE
    locked_in = "Locked in. Only double agents reveal payments."
    locked_in_short = "Locked in. Payments are secret."
    alike = frozenset({"open", "unpaid"})
    steps = frozenset({RoundStep.PAY})

    def __init__(self, context: FormContext[State], selection: Selection) -> None:
        super().__init__(context, selection)
        seat = self.seat
        self._slots = self.state.slots(seat)
        self._agents: list[Agent] = [(other(seat) if slot.bribe else seat, slot.agent) for slot in self._slots]
        self._amounts = [0] * len(self._slots)
        self._given: set[int] = set()
        self._open: int | None = None
        self._number = Number(0, 0)
        if not self._slots or not self.cash:
            self.enter_refused = PRESS_DONE

    # -- what it chooses ---------------------------------------------------------------------------------------------

    def choice(self) -> Plain:
        amounts = list(self._amounts)
        if self._open is not None:
            amounts[self._open] = self._number.amount
        return tuple(amounts)

    def oddities(self) -> dict[str, str]:
        """Asks about agents without a salary in the first month, if the player has left any of them out, or an amount
        open at $0. Later it is usual to pay nothing.
        """
        unpaid = [index for index, agent in enumerate(self._agents) if not self.now_paid(agent)]
        if self.state.round() > 1 or self._given.issuperset(unpaid) or self.cost() >= self.cash:
            return {}
        who = marks((self._agents[index] for index in unpaid), "or")
        if len(unpaid) == 1:
            question = f"You have not paid {who}: a bribe of any size wins it over."
        else:
            either = "either" if len(unpaid) == 2 else "any"
            question = f"You have not paid {who}: a bribe of any size wins {either} of them over."
        return {"open" if self._open in unpaid else "unpaid": question}

    def cost(self) -> int:
        choice = self.choice()
        assert isinstance(choice, tuple)
        return sum(amount for amount in choice if isinstance(amount, int))

    def spent(self) -> str:
        return f"${self.cost()} to pay" if self.cost() else ""

    # -- what it shows -----------------------------------------------------------------------------------------------

    def sentence(self, room: int) -> str:
        if (texts := self._out_of_reach()) is not None:
            return next((text for text in texts if len(text) <= room), texts[-1])
        if not self._slots:
            return "There is nobody you can pay."
        if not self.cash:
            return f"You have no money to pay anyone. {self.just_done}"
        if self._open is None and not self.payable():
            return self.all_set
        taught = explains(self.state)
        texts = (
            "Select a waving agent and set its pay: salary at home, bribe where they meet. Then Done.",
            "Select a waving agent and set its pay. Then Done.",
            f"Pay the waving agent{'s' * (len(self.payable()) > 1)}. Then Done.",
        )[0 if taught else 2 :]
        if self._open is not None:
            seat, agent = self._agents[self._open]
            mark = badge(seat, agent)
            if seat == self.seat and self.state.own_turned(seat, agent):
                texts = OWN_TURNED
            elif seat == self.seat:
                texts = OWN_LOYALTY if taught else (f"Set the salary of {mark}.",)
            elif self._knowledge.turned[agent]:
                # In the last month no salary rises anymore.
                texts = YOURS if self.state.months_left else YOURS[-1:]
            else:
                texts = THEIR_LOYALTY if taught else (f"Set the bribe for {mark}.",)
            texts = tuple(text.format(mark) for text in texts)
        return next((text for text in texts if len(text) <= room), texts[-1])

    def _out_of_reach(self) -> tuple[str, ...] | None:
        """Says why the selected enemy agent cannot be bribed; None if there is no such agent."""
        looked_at = self.selection.agent
        if self.sealed or not self.cash or looked_at is None or looked_at[0] == self.seat or looked_at in self._agents:
            return None
        place = self.place_of(looked_at)
        texts = AT_HOME if place >= HOME else NOT_MET
        return tuple(text.format(agent=badge(*looked_at), place=place_name(place, self.seat)) for text in texts)

    def commands(self) -> Sequence[Command]:
        chosen = self.selection.agent
        if self.open_number() is None:
            own = [
                self.tab_command("next", *ARROWS),
                Command(("1", "2", "3"), self._pick_number, Hint("1-3", self._numbered(), ("noop",))),
                *self.undo_commands(),
                *self.done_commands(),
                *([] if chosen is None else [Command(("enter",), lambda _: self.pick(chosen))]),
            ]
        else:
            own = [
                self.tab_command("next agent"),
                *self.number_commands("amount"),
                Command(("enter",), lambda _: self._set(), Hint("Enter", "set")),
                Command(("u",), lambda _: self.undo(), Hint("u", "undo")),
                *self.done_commands(),
                Command(("esc",), lambda _: self.undo(), Hint("Esc", "cancel")),
            ]
        return [*own, *super().commands()]

    def clickables(self) -> Sequence[Clickable]:
        chosen = self.selection.agent
        card = [] if chosen is None else [Clickable(("card",), partial(self.pick, chosen))]
        tick = [] if self.open_number() is None else [Clickable(SET, self._set)]
        return [*self.chips().values(), *card, *tick, *super().clickables()]

    def chips(self) -> dict[Agent, Clickable]:
        """Returns the agents that can be paid, with the amount of each as it stands."""
        chips = {}
        for index, (agent, slot) in enumerate(zip(self._agents, self._slots, strict=True)):
            amount, given, opened = self.now_paid(agent), index in self._given, index == self._open
            chips[agent] = Clickable(
                ("agent", *agent),
                partial(self.pick, agent),
                f"${amount}" if given or opened else "?",
                fg="money" if given or amount else "soft",
                active=opened,
                caption="bribe" if slot.bribe else "salary",
            )
        return chips

    def _numbered(self) -> str:
        """Returns whose agents the keys 1 to 3 pick."""
        sides = {seat for seat, _ in self._agents} or {self.seat}
        if len(sides) > 1 and len({agent for _, agent in self._agents}) == len(self._agents):
            return "agent"
        return "your agent" if self.seat in sides else "their agent"

    def stepper(self) -> Stepper | None:
        if self._open is None:
            return None
        slot = self._slots[self._open]
        seat, agent = self._agents[self._open]
        before = (self.state.bribes if slot.bribe else self.state.salary)[seat][agent]
        left = self.cash - self.cost()
        assert isinstance(before, int), "a seat knows what it has paid"
        total = before + self._number.amount
        effect, short = (self._bribe_notes(agent, total), "") if slot.bribe else self._salary_notes(agent, total)
        return Stepper(
            title=f"{'Bribe' if slot.bribe else 'Salary'} {badge(seat, agent)}",
            amount=self._number.amount,
            most=self._number.most,
            sign="$",
            notes=(
                f"leaves you ${left}",
                *([f"${before} so far"] if before else []),
                *effect,
            ),
            beside=AgentAt(seat, agent, self.place_of((seat, agent))),
            short=short,
        )

    def _salary_notes(self, agent: int, total: int) -> tuple[tuple[str, str], str]:
        """Returns what a salary is good for; of an agent that is known to be turned, what wins it back. The second part
        is the same in one line, where neither of the two can stand alone.
        """
        bribes = self._knowledge.bribes[agent]
        if not self.state.own_turned(self.seat, agent) or isinstance(bribes, Unknown):
            if not total:
                return NO_SALARY, "any bribe wins it over"
            return (SOME_SALARY[0], SOME_SALARY[1].format(total)), f"over ${total} wins it over"
        paid, least = self.state.salary[self.seat][agent], isinstance(bribes, AtLeast)
        assert isinstance(paid, int), "a seat knows what it has paid"
        wins = f"{'≥ ' if least else ''}${bribes.amount - paid} wins it back"
        return (f"bribes {'≥ ' if least else ''}${bribes.amount}:", wins), ""

    def _bribe_notes(self, agent: int, total: int) -> tuple[str, ...]:
        """Returns what the bribes come to against a salary, as far as that is known or follows."""
        bounds = salary_bounds(self.state, self.seat, agent)
        if self._knowledge.turned[agent] and bounds.least == bounds.most:
            return (f"salary ${bounds.least}", "reports to you")
        enough = "wins it over" if total > bounds.most else "not enough" if 0 < total <= bounds.least else ""
        match bounds.estimate():
            case Unknown():
                return ()
            case AtLeast(amount):
                salary = f"≥ ${amount}"
            case AtMost(amount):
                salary = f"≤ ${amount}"
            case known:
                salary = f"${known}"
        return (f"salary {salary}", *([enough] if enough else []))

    @property
    def _knowledge(self) -> Knowledge:
        known = self.state.known[self.seat]
        assert isinstance(known, Knowledge), "a seat’s own knowledge is never hidden from it"
        return known

    def payable(self) -> frozenset[Agent]:
        """Returns the agents whose amount is not set yet."""
        if self.sealed or not self.cash:
            return frozenset()
        return frozenset(agent for index, agent in enumerate(self._agents) if index not in self._given)

    def bribable(self) -> list[Agent]:
        """Returns the enemy agents that can be bribed now."""
        return [agent for agent in self._agents if agent[0] != self.seat] if self.cash else []

    def now_paid(self, agent: Agent) -> int:
        amounts = self.choice()
        assert isinstance(amounts, tuple)
        paid = amounts[self._agents.index(agent)] if agent in self._agents else 0
        return paid if isinstance(paid, int) else 0

    def paid(self) -> list[tuple[Agent, int]]:
        """Returns the agents that get something as the choice stands, with the amount in dollars."""
        return [(agent, self.now_paid(agent)) for agent in self._agents if self.now_paid(agent)]

    def decorate(self, scene: Scene) -> Scene:
        tags = tuple(
            Tag(*agent, self.place_of(agent), (on_side(self.seat, f"+${amount}"),), Where.BELOW)
            for agent, amount in self.paid()
        )
        return replace(scene, tags=scene.tags + tags)

    # -- keys and clicks ----------------------------------------------------------------------------------------------

    def open_number(self) -> Number | None:
        return None if self._open is None or self.sealed else self._number

    def too_much(self) -> str:
        assert self._open is not None
        return f"{only_left(self._number.most)} for {badge(*self._agents[self._open])}"

    def tour(self) -> list[Agent]:
        return super().tour() if self.sealed or not self._agents else self._agents

    def pick(self, agent: Agent) -> None:
        """Selects an agent, and opens the stepper if it can be paid."""
        if self._open is not None and not self.sealed and self._agents[self._open] == agent:
            self.refuse(f"Set the amount for {badge(*agent)}")
        self._leave()
        self.selection.look_at(agent)
        if agent in self._agents and not self.sealed:
            self._open_slot(self._agents.index(agent))

    def _pick_number(self, key: str) -> None:
        """Picks the agent of that number that can be paid: the player's own, or else the other side's."""
        own, theirs = ((seat, int(key) - 1) for seat in (self.seat, other(self.seat)))
        payable = next((agent for agent in (own, theirs) if agent in self._agents), None)
        if payable is not None:
            self.pick(payable)
        else:
            self.selection.look_at(own)
            self.refuse(f"{badge(*own)} can only be paid at home")

    def on_agent(self, agent: Agent) -> None:
        self.pick(agent)

    def on_region(self, region: int) -> bool:
        if self.sealed:
            return False
        here = next((agent for agent in self._agents if self.place_of(agent) == region), None)
        if here is not None:
            self.pick(here)
        else:
            self.refuse(f"You can pay nobody in {REGIONS[region]}")
        return True

    def undo(self) -> bool:
        if self._open is not None and not self.sealed:
            self._open = None
            return True
        return super().undo()

    def undoable(self) -> bool:
        changed = self._open is not None and self._number.amount != self._amounts[self._open]
        return super().undoable() or (changed and not self.sealed)

    # -- in the line mode ----------------------------------------------------------------------------------------------

    @property
    def drafted(self) -> State:
        return spending(self.state, self.seat, self.cost())

    def in_words(self) -> str:
        paid = [f"{dollars(amount)} to {short_agent_name(*agent, self.seat)}" for agent, amount in self.paid()]
        return f"you pay {join_names(paid) or 'nobody'}"

    def prompt(self) -> list[str]:
        if not self._slots:
            return [f"Pay. You have {dollars(self.cash)}. There is nobody you can pay.", "Type done."]
        if not self.cash:
            return ["Pay. You have no money to pay anyone.", "Type done."]
        typed = [f"{'bribe' if slot.bribe else 'pay'} {slot.agent + 1}" for slot in self._slots]
        left = self.cash - self.cost()
        index = next(index for index, amount in enumerate(self._amounts) if left + amount)
        example = min(3, left + self._amounts[index])
        whom = [
            f"{short_agent_name(*agent, self.seat)} ({how})" for agent, how in zip(self._agents, typed, strict=True)
        ]
        return [
            f"Pay. You have {dollars(left)}. You can pay {join_names(whom, 'or')}.",
            f"For example, {typed[index]} {example} pays ${example}. Then type done.",
        ]

    def type_words(self, words: Sequence[str]) -> str:
        match words:
            case ["pay" | "salary" | "bribe" as verb, "1" | "2" | "3" as agent, amount] if amount.isdecimal():
                pass
            case _:
                return "Type pay or bribe, an agent’s number and dollars; or type done."
        for index, slot in enumerate(self._slots):
            if slot.bribe == (verb == "bribe") and slot.agent == int(agent) - 1:
                return self._type_amount(index, int(amount))
        if verb == "bribe":
            return f"You have no agent with enemy agent {agent}."
        return f"Your agent {agent} is not at home, so you cannot pay it now."

    def _type_amount(self, index: int, amount: int) -> str:
        left = self.cash - self.cost() + self._amounts[index] - amount
        if left < 0:
            return f"That is {dollars(-left)} more than you have."
        self._open_slot(index)
        self._number.set(amount)
        self._set()
        return f"{dollars(amount)} for {agent_name(*self._agents[index], self.seat)}. {dollars(left)} left."

    # -- the amount that is being set ----------------------------------------------------------------------------------

    def _open_slot(self, index: int) -> None:
        self._open = None
        most = self.cash - self.cost() + self._amounts[index]
        self._open, self._number = index, Number(self._amounts[index], most)

    def _leave(self) -> None:
        """Closes the stepper, and sets what it shows if the player has changed that."""
        if self._open is not None and self._number.amount != self._amounts[self._open]:
            self._set()
        self._open = None

    def _set(self) -> None:
        """Sets what the stepper shows, and closes it."""
        if self._open is None:
            return
        self._remember(_Set(tuple(self._amounts), frozenset(self._given)))
        self._amounts[self._open] = self._number.amount
        self._given.add(self._open)
        self._open = None

    def _restore(self, snapshot: object) -> None:
        assert isinstance(snapshot, _Set)
        self._amounts, self._given = list(snapshot.amounts), set(snapshot.given)
