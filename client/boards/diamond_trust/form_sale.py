"""The form of the sale: how many diamonds."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from kimberley.client.boards.diamond_trust.form import Number, Selection, Stepper, TrustForm
from kimberley.client.boards.diamond_trust.phrases import agents_named, counted, look_over, told_last_look, was
from kimberley.client.boards.diamond_trust.scene import badge
from kimberley.client.boards.form import NOTHING_TO_UNDO, Clickable, Command, FormContext
from kimberley.client.ui.keys import Hint
from kimberley.games.diamond_trust.angola import HOME, HOMES, MARKET, NO_SALE, income, other
from kimberley.games.diamond_trust.bots.deduction import is_turned
from kimberley.games.diamond_trust.knowledge import Knowledge
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.diamond_trust.rules import State
from kimberley.games.phrases import join_names
from kimberley.games.table import Plain

MOST_SAID: Final = 5
"""The highest number of the other side for which the line mode says what a sale brings."""
SCROLL: Final = 4
"""Columns by which the table of incomes scrolls."""
SALE_RULE: Final = f"Sellers share ${MARKET}; if you sell nothing, you get ${NO_SALE}."

NOTHING_TO_ADJUST: Final = "Adjust: you have nothing to sell, so your number stays at 0."


class SaleForm(TrustForm):
    """How many diamonds the player sells. At the last look `first` is the plan; a `bound` form cannot be changed."""

    steps = frozenset({RoundStep.SALE_PLAN, RoundStep.SALE_TOLD, RoundStep.SALE})

    def __init__(self, context: FormContext[State], selection: Selection) -> None:
        super().__init__(context, selection)
        state, seat = self.state, self.seat
        plan = state.sale_plan[seat] if state.step is RoundStep.SALE else None
        self.first = plan if isinstance(plan, int) else None
        self.bound = self.first is not None and (state.right[seat] is not True or not state.vault[seat])
        if not self.last_look and any(self.tellers()):
            self.locked_in = "Locked in. Only double agents reveal it."
        self._number = Number(self.first or 0, state.vault[seat])
        self._least = max(0, (self.revealed or 0) - 2)
        """The first number of the other side that the table shows."""
        self._scrolls = False
        """Whether the table has more numbers than it can show at once."""

    @property
    def phase(self) -> str:
        return "ADJUST" if self.last_look else "SALE"

    @property
    def no_region(self) -> str:
        return "You cannot change your number now" if self.bound else "Only diamonds at home can be sold"

    @property
    def timed(self) -> bool:
        return self.last_look and self.times.most > 0

    def time_over(self, stood: Plain) -> str:
        return look_over(self.first, stood, self.choice()) if self.tells_end else ""

    @property
    def last_look(self) -> bool:
        """Returns whether this is the last look at a planned sale."""
        return self.first is not None

    @property
    def _has_nothing(self) -> bool:
        """Returns whether the player, who learned enough to adjust, has no diamonds to sell."""
        return self.bound and self.state.right[self.seat] is True

    @property
    def number(self) -> int:
        return self._number.amount

    @property
    def revealed(self) -> int | None:
        """The number that a turned agent has told."""
        known = self.state.known[self.seat]
        return known.sale if isinstance(known, Knowledge) and self.last_look else None

    def informers(self) -> list[int]:
        """Returns the other side's agents that have told the number."""
        known, homes = self.state.known[self.seat], self.state.places(other(self.seat))
        assert isinstance(known, Knowledge), "a seat’s own knowledge is never hidden from it"
        return [agent for agent, turned in enumerate(known.turned) if turned and homes[agent] == HOME]

    def shown_numbers(self, most: int) -> range:
        """Returns the numbers of the other side that the table of incomes shows where it is scrolled to, at most
        `most` of them.
        """
        theirs = self.state.vault[other(self.seat)]
        self._least, self._scrolls = max(0, min(self._least, theirs + 1 - most)), theirs + 1 > most
        return range(self._least, min(theirs + 1, self._least + most))

    def tellers(self) -> tuple[list[int], list[int]]:
        """Returns the player's agents at home that are known to reveal the number, and those that may do so."""
        state, seat = self.state, self.seat
        home = [agent for agent, place in enumerate(state.places(seat)) if place == HOME and state.met[seat][agent]]
        turned = {agent: is_turned(state, seat, agent) for agent in home}
        return [agent for agent in home if turned[agent]], [agent for agent in home if turned[agent] is None]

    def choice(self) -> Plain:
        return self._number.amount

    def sentence(self, room: int) -> str:
        if not self.last_look:
            return "Choose how many to sell. Then Done."
        if self.only_waits:
            if self._has_nothing:
                return self.while_waiting("You have nothing to sell.", room, hides=False)
            return self.while_waiting("No agent revealed your opponent’s sale.", room, "No sale was reported.")
        if self._has_nothing:
            return f"You have nothing to sell. {self.just_done}"
        if self.bound:
            return f"No sale was reported: yours stands. {self.just_done}"
        if self.revealed is None and (reported := self.state.reported_at_home(self.seat)):
            marks = join_names([badge(self.seat, agent) for agent in reported])
            return self.while_choosing(f"{marks} {was(reported)} won over, so you can adjust.", room, reason=True)
        return self.while_choosing("Change your number or keep it.", room)

    def commands(self) -> Sequence[Command]:
        ends = f"Press d to sell {counted(self.number) if self.number else 'nothing'}"
        return [
            *self.number_commands("how many"),
            Command(("pageup", "pagedown"), self._page, Hint("PgDn", "more columns") if self._scrolls else None),
            *self.done_commands(),
            *self.undo_commands("original number" if self.last_look else "undo"),
            *([] if self.fixed else [Command(("enter",), lambda _: self.refuse(ends))]),
            *super().commands(),
        ]

    def clickables(self) -> Sequence[Clickable]:
        scroll = [Clickable(("scroll", by), partial(self._scroll, by)) for by in (-SCROLL, SCROLL)]
        return [*scroll, *([] if self.fixed else self.diamonds()), *super().clickables()]

    def diamonds(self) -> list[Clickable]:
        """Returns the diamonds at home, sold or not: a click on one sells all up to it."""
        return [
            Clickable(("sell", number), partial(self._number.set, number), active=number <= self.number)
            for number in range(1, self.state.vault[self.seat] + 1)
        ]

    def stepper(self) -> Stepper | None:
        vault = self.state.vault[self.seat]
        return Stepper(f"Sell diamonds from {HOMES[self.seat]}", self.number, vault, "", ())

    def open_number(self) -> Number | None:
        return None if self.fixed else self._number

    def type_number(self, key: str) -> None:
        before = self.number
        super().type_number(key)
        if before != self.number and not self.last_look:
            self._remember(before)

    def too_much(self) -> str:
        return f"You have only {counted(self._number.most)} to sell"

    def _page(self, key: str) -> None:
        self._scroll(SCROLL if key == "pagedown" else -SCROLL)

    def _scroll(self, by: int) -> None:
        self._least += by

    def undo(self) -> bool:
        if self.first is None:
            return super().undo()
        if not self.undoable():
            return False
        self._number.set(self.first)
        return True

    def undoable(self) -> bool:
        if self.first is None:
            return super().undoable()
        return not self.fixed and self.number != self.first

    @property
    def begun(self) -> bool:
        return self.last_look or super().begun

    def in_words(self) -> str:
        return f"you sell {counted(self.number)}"

    def prompt(self) -> list[str]:
        if self.first is None:
            vault = counted(self.state.vault[self.seat])
            return [
                f"Sale. You have {vault}. {SALE_RULE}",
                *self._warning(),
                "Type sell and a number, then done.",
            ]
        return [
            NOTHING_TO_ADJUST if self._has_nothing else told_last_look(not self.bound, self.times, sale=True),
            *self._reported(),
            f"You planned to sell {counted(self.first) if self.first else 'nothing'}.",
            *([] if self.only_waits else ["Type done." if self.bound else "Type another number, or done."]),
        ]

    def _reported(self) -> list[str]:
        """Says why the player may adjust, where no agent revealed the other side's sale."""
        if self.bound or self.revealed is not None or not (reported := self.state.reported_at_home(self.seat)):
            return []
        agents = agents_named(reported)
        return [f"You can adjust because you learned this month that your {agents} {was(reported)} won over."]

    def _warning(self) -> list[str]:
        """Says which agents at home reveal the number, as far as the player knows."""
        tellers, doubted = self.tellers()
        if tellers:
            numbers = join_names([str(agent + 1) for agent in tellers])
            reveal = f"agent {numbers} reveals" if len(tellers) == 1 else f"agents {numbers} reveal"
            return [f"Your {reveal} your number to {self._rival}."]
        return ["Your number stays secret unless an agent at home is a double agent."] if doubted else []

    def type_words(self, words: Sequence[str]) -> str:
        if self.bound:
            return f"You cannot change your number now. {self.wait_words if self.timed else 'Type done.'}"
        if words == ["first"] and self.last_look:
            return "Original number restored." if self.undo() else NOTHING_TO_UNDO
        if not words or not words[-1].isdecimal() or len(words) > 2 or (len(words) == 2 and words[0] != "sell"):
            return f"Type sell and a number, such as sell {min(2, self.state.vault[self.seat])}."
        number, vault = int(words[-1]), self.state.vault[self.seat]
        if number > vault:
            return f"You have only {counted(vault)} at home."
        if not self.last_look:
            self._remember(self.number)
        self._number.set(number)
        if not number:
            return f"You sell nothing and get ${NO_SALE}, whatever {self._rival} sells."
        return f"You sell {counted(number)}{self._outcomes()}"

    @property
    def _rival(self) -> str:
        return self.context.names[other(self.seat)]

    def _outcomes(self) -> str:
        """Returns what the sale brings, for the first numbers that the other side may sell, if it has any."""
        has = self.state.vault[other(self.seat)]
        incomes = [
            income(tuple(self.number if side == self.seat else number for side in (0, 1)))[self.seat]
            for number in range(min(has, MOST_SAID) + 1)
        ]
        if not has:
            return f" for ${incomes[0]}: {self._rival} has none to sell."
        sold = join_names([str(number) for number in range(len(incomes))], "or")
        earned = join_names([f"${dollars}" for dollars in incomes], "or")
        return f". If {self._rival} sells {sold}, you get {earned}."

    def _restore(self, snapshot: object) -> None:
        assert isinstance(snapshot, int)
        self._number.set(snapshot)
