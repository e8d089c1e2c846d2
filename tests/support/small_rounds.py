"""Small games of Diamond Trust of London by the real rules, with few dollars: every line of play and what each side
sees.

Only the market is smaller than the real one: with $18 a round, even two rounds would be too large to solve.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import product
from math import ceil
from random import Random
from typing import Any, Final, cast
from unittest.mock import patch

import numpy as np

from kimberley.games.arena import Arena
from kimberley.games.diamond_trust import rules
from kimberley.games.diamond_trust.angola import HOME, REGIONS, SEATS, START_MONEY, Orders, trip_cost
from kimberley.games.diamond_trust.bots import history, policy, simulator
from kimberley.games.diamond_trust.position import Agent, RoundStep
from kimberley.games.diamond_trust.rules import State
from kimberley.games.diamond_trust.spaces import NumberSpace, OrdersSpace, RegionSpace
from kimberley.games.table import (
    Amounts,
    Answer,
    Ask,
    Observation,
    Plain,
    Result,
    Space,
    evolve,
    space_for,
)
from tests.support.sequence_form import NONE, Plan, SequenceForm
from tests.support.strategies import Strategies
from tests.support.trust import HUILA, MOXICO, UIGE

Line = tuple["Line", Answer] | None
"""The answers since the start, the last one first."""


@dataclass(frozen=True)
class Small:
    """Start of a game: the agents of each side with place and load (all arrived in the move before), the diamonds,
    the Inspector, the dollars. Nothing has been paid to agents.

    `none` is the income of a side that sells nothing. `shared` is what the sellers share.
    """

    agents: tuple[tuple[tuple[int, int], ...], ...]
    diamonds: tuple[int, ...]
    inspector: int
    cash: tuple[int, int]
    vault: tuple[int, int] = (0, 0)
    months_left: int = 1
    step: RoundStep = RoundStep.PAY
    none: int = 0
    shared: int = 1

    @contextmanager
    def market(self) -> Iterator[None]:
        """Replaces the market of the rules and the players by this game's, while it lasts."""

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
        """Returns a state from which all agents move to where this game begins, and the orders for that."""
        start = evolve(
            State(), step=RoundStep.MOVE, inspector=self.inspector, months_left=self.months_left, right=(True, True)
        )
        return start, tuple(self._came(seat) for seat in range(SEATS))

    def _came(self, seat: int) -> Orders:
        places = [at for at, _ in self.agents[seat]]
        rest = START_MONEY - self.cash[seat] - sum(trip_cost(HOME, at) for at in places)
        payer = next(agent for agent, at in enumerate(places) if at != HOME)
        return tuple((at, rest if agent == payer else 0, 0) for agent, at in enumerate(places))

    def begun(self, came: State) -> State:
        """Returns the state at the beginning."""
        agents = tuple(tuple(Agent(at, carries) for at, carries in side) for side in self.agents)
        return evolve(came, agents=agents, diamonds=self.diamonds, vault=self.vault, step=self.step, paid=True)

    def observation(self, way: Line) -> Observation:
        """Returns what seat 0 has seen, in this game's market."""
        answers = []
        while way is not None:
            way, answer = way
            answers.append(answer)
        before, came = self.before()
        ask = cast(Ask, before.ask())
        story = [(ask, came)]
        state = self.begun(before.apply(came))
        for answer in reversed(answers):
            ask = cast(Ask, state.ask())
            shown = ask.visible_answer(answer, 0)
            story.append((ask, shown))
            state = state.apply(shown)
        return Observation(0, state, tuple(story))

    def first(self, player: Strategies, tries: int) -> dict[Plain, float]:
        """Returns what seat 0 chooses first, and how likely with that many seeds."""
        shares: dict[Plain, float] = defaultdict(float)
        with self.market():
            observation = self.observation(None)
            for seed in range(tries):
                for choice, share in player(seed)(observation):
                    shares[choice] += share / tries
        return shares


def choices(space: Space) -> list[Plain]:
    """Returns all legal choices."""
    match space:
        case Amounts():
            most = range(cast(int, space.most) + 1)
            every: Iterator[Plain] = product(most, repeat=len(space.slots))
        case OrdersSpace() if space.exactly is not None:
            return [space.exactly]
        case OrdersSpace():
            return cast(list[Plain], list(_orders(space)))
        case NumberSpace():
            every = iter(range(space.most + 1))
        case RegionSpace():
            every = iter(range(len(REGIONS)))
        case _:
            raise AssertionError(space)
    return [choice for choice in every if space.violation(choice) is None]


def _orders(space: OrdersSpace) -> Iterator[Orders]:
    each = []
    for at in space.at:
        paid = []
        for to in range(HOME + 1):
            left = space.most - trip_cost(at, to)
            for payment in range(left + 1 if to != HOME else min(left, 0) + 1):
                paid += [(to, payment, bribe) for bribe in range(left + 1 - payment if to == space.inspector else 1)]
        each.append(paid)
    for orders in product(*each):
        if space.violation(orders) is None:
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
            self._grow(self.small.begun(state.apply(came)), (NONE, NONE), ((), ()), None)

    def _grow(self, truth: State, own: tuple[int, ...], since: tuple[tuple[Any, ...], ...], way: Line) -> None:
        ask = truth.ask()
        if isinstance(ask, Result):
            first, second = ask.places
            self.form.leaf(own[0], own[1], 1.0 if first < second else 0.5 if first == second else 0.0)
            return
        options: list[list[tuple[Plain, int]]] = [[(None, own[seat])] for seat in range(SEATS)]
        for seat in ask.choosers:
            options[seat] = self._options(seat, cast(Space, space_for(ask, seat)), own[seat], since[seat], way)
        rng, totals = Random(0), truth.totals()
        for pair in product(*options):
            answer = Arena(truth, rng, totals).answer(ask, {seat: choice for seat, (choice, _) in enumerate(pair)})
            after = tuple(sequence for _, sequence in pair)
            saw = tuple(
                (*(since[seat] if after[seat] == own[seat] else ()), ask.visible_answer(answer, seat))
                for seat in range(SEATS)
            )
            self._grow(truth.apply(answer), after, saw, (way, answer))

    def _options(self, seat: int, space: Space, own: int, since: tuple[Any, ...], way: Line) -> list[tuple[Plain, int]]:
        every = choices(space)
        if len(every) == 1:
            return [(every[0], own)]
        known, new = self.form.enter(seat, own, since, len(every))
        if new and seat == 0:
            self._ways.append((every, way))
        return list(zip(every, known.sequences, strict=True))

    def plan(self, player: Strategies, tries: int) -> Plan:
        """Returns how seat 0 plays with the strategies of that many seeds, each as likely, at each information set it
        reaches; where it seldom comes, of fewer seeds.
        """
        plan = np.zeros(self.form.count[0])
        plan[NONE] = 1
        with self.small.market():
            for known, (every, way) in zip(self.form.sets[0], self._ways, strict=True):
                if plan[known.parent] == 0:
                    continue
                observation = self.small.observation(way)
                seeds = ceil(tries * plan[known.parent] ** 0.5)
                for seed in range(seeds):
                    for choice, share in player(seed)(observation):
                        plan[known.sequences[every.index(choice)]] += plan[known.parent] * share / seeds
        return plan

    def exploitability(self, player: Strategies, tries: int) -> float:
        """Returns how much less than the value seat 0 gets with these strategies, if its opponent knows the mix."""
        value, _ = self.form.solve()
        return value - self.form.least(self.plan(player, tries))

    def given_away(self, player: Strategies, tries: int) -> dict[tuple[str, int], float]:
        """Returns, by step and months left, how much seat 0 gives away if it chooses there with these seeds, and by an
        equilibrium everywhere else, even where the player never comes.
        """
        value, best = self.form.solve()
        plan, losses = self.plan(player, tries), {}
        with self.small.market():
            seen = [cast(State, self.small.observation(way).state) for _, way in self._ways]
        steps = [(state.step.name.lower().replace("_", " "), state.months_left) for state in seen]
        for step in sorted(set(steps), key=lambda each: (-each[1], each[0])):
            mixed = np.zeros_like(plan)
            mixed[NONE] = 1
            for known, at in zip(self.form.sets[0], steps, strict=True):
                played = plan if at == step and plan[known.parent] > 0 else best
                part = slice(known.sequences.start, known.sequences.stop)
                weight = played[known.parent]
                mixed[part] = mixed[known.parent] * (played[part] / weight if weight > 0 else 1 / len(known.sequences))
            losses[step] = value - self.form.least(mixed)
        return losses


MET: Final = (((HUILA, 0), (HOME, 0), (HOME, 0)),) * SEATS
"""One agent of each side in the same region. The others are at home and stay there, without money."""
TWO: Final = (0, 0, 0, 0, 2, 0)
"""Two diamonds there. The last round brings two more, and one to each other region."""
SMALL: Final = {
    "two rounds, a sale between them": Small(MET, TWO, UIGE, (1, 1), vault=(1, 1)),
    "two rounds, $1 for each": Small(MET, TWO, UIGE, (1, 1), none=1),
    "two rounds, the Inspector there": Small(MET, TWO, HUILA, (1, 1), none=1),
    "two both-pay auctions from one purse": Small(MET, TWO, UIGE, (2, 2), step=RoundStep.PLAN),
    "a sale, then two diamonds more": Small(MET, TWO, UIGE, (0, 0), (2, 2), 1, RoundStep.SALE_PLAN, 1, 2),
    "a sale, then the last two": Small(MET, (0,) * HOME, UIGE, (0, 0), (2, 2), 1, RoundStep.SALE_PLAN, 1, 2),
}
"""By content. In the first, payments are hidden at the sale, and so is the cash. The last one needs mixed sales."""
LOADED: Final = (((HUILA, 1), (HOME, 0), (HOME, 0)),) * SEATS
APART: Final = (MET[0], ((MOXICO, 0), (HOME, 0), (HOME, 0)))
HELD_OUT: Final = {
    "two rounds, one diamond there": Small(MET, (0, 0, 0, 0, 1, 0), UIGE, (1, 1), none=1),
    "two rounds, loaded where the Inspector is": Small(LOADED, TWO, HUILA, (1, 1), none=1, step=RoundStep.PLAN),
    "two rounds, apart": Small(APART, (0, 0, 0, 1, 2, 0), UIGE, (1, 1), none=1, step=RoundStep.PLAN),
    "two auctions, the Inspector there": Small(MET, TWO, HUILA, (2, 2), step=RoundStep.PLAN),
    "two auctions, $2 against $1": Small(MET, TWO, UIGE, (2, 1), step=RoundStep.PLAN),
    "a sale of at most three": Small(MET, (0,) * HOME, UIGE, (0, 0), (3, 3), 1, RoundStep.SALE_PLAN, 1, 2),
}
"""Games on which no choice was based: they are only measured."""
