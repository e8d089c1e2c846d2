"""The bot of a seat: it reads what the seat may know, lets a thinker decide where there is a choice, and answers
legally.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from random import Random
from typing import Protocol, cast

from kimberley.games.bots.base import Stopped
from kimberley.games.diamond_trust.angola import AGENTS, Orders
from kimberley.games.diamond_trust.bots.history import History
from kimberley.games.diamond_trust.bots.search import MixedStrategy, Report
from kimberley.games.diamond_trust.bots.thrift import spared
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.diamond_trust.rules import State
from kimberley.games.diamond_trust.spaces import NumberSpace, OrdersSpace
from kimberley.games.table import Observation, Plain, Together, space_for


class Thinker(Protocol):
    """Says how likely each choice is at the pending step of a seat, from its own state and history.

    A choice is a row: for pay, an amount for each of the seat's own agents (salary at home, abroad what it hands to the
    agent that it meets); for a move, destination, payment and Inspector bribe of each agent in turn; else one number.
    It reports its progress.
    """

    def __call__(self, state: State, seat: int, history: History, rng: Random, report: Report) -> MixedStrategy: ...


class DiamondTrustBot:
    """Chooses from an observation alone: the same seed and observation give the same choice, whatever came before."""

    progress: float = 0.0
    """The progress on the pending choice, from 0 to 1. Any thread may read it."""

    def __init__(self, think: Thinker, seed: int) -> None:
        self._think = think
        self._seed = seed
        self._history: History | None = None
        self._runner_up: Plain | None = None
        self._stopped = False

    def choose(self, observation: Observation) -> Plain:
        """Returns a legal choice. Raises ValueError if nothing is asked of the observation's seat."""
        mixed = self.strategy(observation)
        choices, shares = zip(*mixed, strict=True)
        drawn: Plain = self._chance(observation, "draw").choices(choices, shares)[0]
        return self._chosen(drawn, mixed)

    def choose_likeliest(self, observation: Observation) -> Plain:
        """See `games.bots.hints`."""
        mixed = self.strategy(observation)
        return self._chosen(max(mixed, key=itemgetter(1))[0], mixed)

    def _chosen(self, choice: Plain, mixed: Sequence[tuple[Plain, float]]) -> Plain:
        others = [each for each in mixed if each[0] != choice]
        self._runner_up = max(others, key=itemgetter(1))[0] if others else None
        return choice

    def runner_up(self) -> Plain | None:
        """Returns the likeliest of the choices that were not made last."""
        return self._runner_up

    def stop(self) -> None:
        """Ends the current choice, which then raises Stopped where it reports its progress. Any thread may call it."""
        self._stopped = True

    def strategy(self, observation: Observation) -> list[tuple[Plain, float]]:
        """Returns the choices of which `choose` draws one, and how likely each is. Raises ValueError like `choose`."""
        state, seat = cast(State, observation.state), observation.seat
        ask = state.ask()
        space = space_for(ask, seat)
        if space is None:
            raise ValueError(f"seat {seat} has nothing to choose at {state.step.value!r}")
        if isinstance(space, NumberSpace) and space.most == 0:
            return [(0, 1.0)]
        bound = space.exactly if isinstance(space, OrdersSpace | NumberSpace) else None
        if bound is not None and not (isinstance(ask, Together) and ask.last_look):
            return [(bound, 1.0)]
        try:
            history, rng = self._read(observation), self._chance(observation, "thought")
            thought = self._think(state, seat, history, rng, self._on_progress)
        finally:
            self.progress = 0.0
        if bound is not None:
            # It was thought about all the same: anyone who sees this program work must not see whether it was told
            # anything.
            return [(bound, 1.0)]
        choices = [(spared(state, seat, choice_of_row(state, seat, row)), share) for row, share in thought]
        return [
            (choice if space.violation(choice) is None else _cautious(state, seat), share) for choice, share in choices
        ]

    def _chance(self, observation: Observation, of: str) -> Random:
        return Random(f"{self._seed} {observation.seat} {len(observation.story)} {of}")

    def _on_progress(self, share: float) -> None:
        if self._stopped:
            raise Stopped
        self.progress = share

    def _read(self, observation: Observation) -> History:
        """Returns the history of the story, and reads only what it has not read before."""
        story, seat = observation.story, observation.seat
        if self._history is None or self._history.seat != seat or not self._history.begins(story):
            self._history = History(seat)
        self._history.read(story)
        return self._history


def choice_of_row(state: State, seat: int, row: list[int]) -> Plain:
    """Returns the choice that a row of a `Thinker` stands for."""
    match state.step:
        case RoundStep.PAY:
            return tuple(row[slot.by] for slot in state.slots(seat))
        case RoundStep.PLAN | RoundStep.MOVE:
            return tuple((row[3 * agent], row[3 * agent + 1], row[3 * agent + 2]) for agent in range(AGENTS))
        case _:
            return row[0]


def row_of_choice(state: State, seat: int, choice: Plain) -> list[int]:
    """Returns the row of a `Thinker` that stands for a choice."""
    match state.step:
        case RoundStep.PAY:
            given = {
                slot.by: amount for slot, amount in zip(state.slots(seat), cast(tuple[int, ...], choice), strict=True)
            }
            return [given.get(agent, 0) for agent in range(AGENTS)]
        case RoundStep.PLAN | RoundStep.MOVE:
            return [number for order in cast(Orders, choice) for number in order]
        case _:
            return [cast(int, choice)]


def _cautious(state: State, seat: int) -> Plain:
    """Returns a choice that is always legal: pay nothing, stay."""
    match state.step:
        case RoundStep.PAY:
            return (0,) * len(state.slots(seat))
        case RoundStep.PLAN | RoundStep.MOVE:
            return tuple((place, 0, 0) for place in state.places(seat))
        case _:
            return 0
