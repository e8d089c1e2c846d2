"""Small games of Diamond Trust of London by the rules proper, with few dollars: every line of play, told and hidden.

Only the market is smaller than the game's own, since its $18 a round would make even two rounds too large to solve.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import product
from random import Random
from typing import Any, Final, cast
from unittest.mock import patch

import numpy as np

from games.arena import Arena, choosers
from games.diamond_trust import history, policy, rules, simulator
from games.diamond_trust.angola import HOME, REGIONS, SEATS, START_MONEY, Orders, trip_cost
from games.diamond_trust.position import Agent, Step
from games.diamond_trust.rules import State
from games.diamond_trust.spaces import MoveSpace, NumberSpace, RegionSpace
from games.table import Amounts, Answer, Ask, Chooser, Observation, Plain, Result, Space, asked, changed, seen
from tests.support.sequence_form import NONE, Plan, SequenceForm
from tests.support.trust import HUILA, UIGE

Line = tuple["Line", Answer] | None
"""The answers since the start, the last one first."""


@dataclass(frozen=True)
class Small:
    """Where a game begins: where the agents of each side are (all came in the move before) and what they carry, the
    diamonds, the Inspector, the dollars; nothing was paid to agents so far.

    `none` is what a side earns that sells nothing, `shared` what the sellers divide.
    """

    agents: tuple[tuple[tuple[int, int], ...], ...]
    diamonds: tuple[int, ...]
    inspector: int
    cash: tuple[int, int]
    vault: tuple[int, int] = (0, 0)
    months_left: int = 1
    step: Step = Step.PAY
    none: int = 0
    shared: int = 1

    @contextmanager
    def market(self) -> Iterator[None]:
        """While this lasts, the rules and the players know this game's market in place of their own."""

        def income(sold: tuple[int, ...]) -> tuple[int, ...]:
            return tuple(self.shared * number // sum(sold) if number else self.none for number in sold)

        table = np.array([[income((own, theirs))[0] for theirs in range(64)] for own in range(64)], np.int16)
        with ExitStack() as stack:
            for module, name, value in (
                (rules, "income", income), (history, "income", income), (simulator, "INCOME", table),
                (policy, "INCOME", table), (policy, "NO_SALE", self.none), (policy, "ROUND_MONEY", self.none),
            ):  # fmt: skip
                stack.enter_context(patch.object(module, name, value))
            yield

    def before(self) -> tuple[State, Answer]:
        """A state from which everybody moves to where this game begins, and the orders."""
        start = changed(
            State(), step=Step.MOVE, inspector=self.inspector, months_left=self.months_left, right=(True, True)
        )
        return start, tuple(self._came(seat) for seat in range(SEATS))

    def _came(self, seat: int) -> Orders:
        places = [at for at, _ in self.agents[seat]]
        rest = START_MONEY - self.cash[seat] - sum(trip_cost(HOME, at) for at in places)
        payer = next(agent for agent, at in enumerate(places) if at != HOME)
        return tuple((at, rest if agent == payer else 0, 0) for agent, at in enumerate(places))

    def begun(self, came: State) -> State:
        """The state at the beginning."""
        agents = tuple(tuple(Agent(at, carries) for at, carries in side) for side in self.agents)
        return changed(came, agents=agents, diamonds=self.diamonds, vault=self.vault, step=self.step, paid=True)


def choices(space: Space) -> list[Plain]:
    """All that may be chosen."""
    match space:
        case Amounts():
            most = range(cast(int, space.most) + 1)
            every: Iterator[Plain] = product(most, repeat=len(space.slots))
        case MoveSpace() if space.exactly is not None:
            return [space.exactly]
        case MoveSpace():
            return cast(list[Plain], list(_orders(space)))
        case NumberSpace():
            every = iter(range(space.most + 1))
        case RegionSpace():
            every = iter(range(len(REGIONS)))
        case _:
            raise AssertionError(space)
    return [choice for choice in every if space.why_not(choice) is None]


def _orders(space: MoveSpace) -> Iterator[Orders]:
    each = []
    for at in space.at:
        paid = []
        for to in range(HOME + 1):
            left = space.most - trip_cost(at, to)
            for payment in range(left + 1 if to != HOME else min(left, 0) + 1):
                paid += [(to, payment, bribe) for bribe in range(left + 1 - payment if to == space.inspector else 1)]
        each.append(paid)
    for orders in product(*each):
        if space.why_not(orders) is None:
            yield orders


@dataclass
class GameTree:
    """A small game with all its lines of play."""

    small: Small
    form: SequenceForm = field(default_factory=SequenceForm)
    _ways: list[tuple[list[Plain], Line]] = field(default_factory=list)
    """For each information set of seat 0: its choices, and one way to it."""

    def __post_init__(self) -> None:
        with self.small.market():
            state, came = self.small.before()
            self._grow(self.small.begun(state.tell(came)), (NONE, NONE), ((), ()), None)

    def _grow(self, truth: State, own: tuple[int, ...], since: tuple[tuple[Any, ...], ...], way: Line) -> None:
        ask = truth.ask()
        if isinstance(ask, Result):
            first, second = ask.places
            self.form.leaf(own[0], own[1], 1.0 if first < second else 0.5 if first == second else 0.0)
            return
        options: list[list[tuple[Plain, int]]] = [[(None, own[seat])] for seat in range(SEATS)]
        for seat in choosers(ask):
            options[seat] = self._options(seat, cast(Space, asked(ask, seat)), own[seat], since[seat], way)
        for pair in product(*options):
            arena = Arena(truth, Random(0), truth.totals())
            answer = arena.answer(ask, {seat: choice for seat, (choice, _) in enumerate(pair)})
            after = tuple(sequence for _, sequence in pair)
            saw = tuple(
                (*(since[seat] if after[seat] == own[seat] else ()), seen(ask, answer, seat)) for seat in range(SEATS)
            )
            self._grow(truth.tell(answer), after, saw, (way, answer))

    def _options(self, seat: int, space: Space, own: int, since: tuple[Any, ...], way: Line) -> list[tuple[Plain, int]]:
        every = choices(space)
        if len(every) == 1:
            return [(every[0], own)]
        known, new = self.form.enter(seat, own, since, len(every))
        if new and seat == 0:
            self._ways.append((every, way))
        return list(zip(every, known.sequences, strict=True))

    def plan(self, player: Callable[[int], Chooser], tries: int) -> Plan:
        """How seat 0 plays by the choices of so many seeds at each information set that it comes to."""
        plan = np.zeros(self.form.count[0])
        plan[NONE] = 1
        with self.small.market():
            for known, (every, way) in zip(self.form.sets[0], self._ways, strict=True):
                if plan[known.parent] == 0:
                    continue
                observation = self._observation(way)
                for seed in range(tries):
                    chosen = every.index(player(seed)(observation))
                    plan[known.sequences[chosen]] += plan[known.parent] / tries
        return plan

    def exploitability(self, player: Callable[[int], Chooser], tries: int) -> float:
        """By how much less than the value seat 0 gets with these choices, against who knows how they mix."""
        value, _ = self.form.solve()
        return value - self.form.least(self.plan(player, tries))

    def _observation(self, way: Line) -> Observation:
        answers = []
        while way is not None:
            way, answer = way
            answers.append(answer)
        before, came = self.small.before()
        ask = cast(Ask, before.ask())
        story = [(ask, came)]
        state = self.small.begun(before.tell(came))
        for answer in reversed(answers):
            ask = cast(Ask, state.ask())
            shown = seen(ask, answer, 0)
            story.append((ask, shown))
            state = state.tell(shown)
        return Observation(0, state, tuple(story))


MET: Final = (((HUILA, 0), (HOME, 0), (HOME, 0)),) * SEATS
"""One agent of each side in the same region; the others at home, where they stay without money."""
TWO: Final = (0, 0, 0, 0, 2, 0)
"""Two diamonds there, before the last round brings two more, and one to each other region."""
SMALL: Final = {
    "two rounds, a sale between them": Small(MET, TWO, UIGE, (1, 1), vault=(1, 1)),
    "two rounds, $1 for each": Small(MET, TWO, UIGE, (1, 1), none=1),
    "two rounds, the Inspector there": Small(MET, TWO, HUILA, (1, 1), none=1),
    "two both-pay auctions from one purse": Small(MET, TWO, UIGE, (2, 2), step=Step.PLAN),
    "a sale, then two diamonds more": Small(MET, TWO, UIGE, (0, 0), (2, 2), 1, Step.SALE_PLAN, 1, 2),
    "a sale, then the last two": Small(MET, (0,) * HOME, UIGE, (0, 0), (2, 2), 1, Step.SALE_PLAN, 1, 2),
}
"""By what is in them. In the first payments are hidden at the sale, and with them cash; the last needs mixed sales."""
