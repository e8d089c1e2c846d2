"""How one decision is searched, and how a player decides that follows the policy without a search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Final, NamedTuple

import numpy as np

from kimberley.games.diamond_trust import last_round, last_sale
from kimberley.games.diamond_trust.angola import other
from kimberley.games.diamond_trust.beliefs import worlds
from kimberley.games.diamond_trust.decisions import Decision
from kimberley.games.diamond_trust.effort import Effort
from kimberley.games.diamond_trust.history import History
from kimberley.games.diamond_trust.parameters import Numbers, tuned
from kimberley.games.diamond_trust.policy import Noise, Parameters, Policy
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.diamond_trust.rollout import Rollout
from kimberley.games.diamond_trust.rules import State
from kimberley.games.diamond_trust.search import Ranked, Report, halving
from kimberley.games.diamond_trust.simulator import Games


class SolvedStep(NamedTuple):
    """A step that is solved as a matrix game, in so many worlds; these are sorted by the other side's cash."""

    worlds: int
    solve: Callable[[Games, int, Rollout, Random], list[int]]


SOLVED: Final = {
    (RoundStep.SALE_PLAN, 1): SolvedStep(last_sale.WORLDS, last_sale.last_sale),
    (RoundStep.PLAN, 0): SolvedStep(last_round.WORLDS, last_round.last_plan),
}
"""By step and months left."""


class Searcher:
    """Searches with some effort.

    Its own side is played on by the first of `models`, the other side by each of them in turn, world by world: who sits
    there is not known.
    """

    def __init__(self, effort: Effort, models: Sequence[Numbers] | None = None) -> None:
        self._effort = effort
        self._models = tuple(models or tuned())

    def __call__(self, state: State, seat: int, history: History, rng: Random, report: Report) -> list[int]:
        solved = SOLVED.get((state.step, state.months_left)) if self._effort.solves else None
        count = self._effort.worlds if solved is None else solved.worlds
        drawn = worlds(history, state, count, np.random.default_rng(rng.getrandbits(64)))
        if solved is not None:
            drawn = drawn.pick(np.argsort(drawn.cash[other(seat)], kind="stable"))
        own = self._models[0]
        theirs = np.stack([self._models[world % len(self._models)] for world in range(drawn.size)], axis=-1)
        mine = np.repeat(own[:, None], drawn.size, axis=1)
        model = Policy(Parameters(mine, theirs) if seat == 0 else Parameters(theirs, mine))
        rollout = Rollout(model, Noise(rng))
        if solved is not None:
            return solved.solve(drawn, seat, rollout, rng)
        decision = Decision(state, seat, drawn, rollout, [Policy(Parameters(own, own))], varied=True)
        candidates = decision.drafts(self._effort.candidates)
        return mixed(halving(candidates, decision.trial, drawn.size, self._effort.simulations, report), rng)


class Follower:
    """Does what the policy does, without a search."""

    def __init__(self, model: Numbers | None = None) -> None:
        chosen = tuned()[0] if model is None else model
        self._play = Policy(Parameters(chosen, chosen))

    def __call__(self, state: State, seat: int, history: History, rng: Random, report: Report) -> list[int]:
        del report  # it is done at once
        drawn = worlds(history, state, 1, np.random.default_rng(rng.getrandbits(64)))
        return Decision(state, seat, drawn, Rollout(self._play, Noise(rng)), [self._play]).habit()


def mixed(ranked: Ranked, rng: Random) -> list[int]:
    """One of the best candidates, each with the probability that it is the best, given the standard errors."""
    drawn = [
        value + error * rng.gauss(0, 1)
        for value, error in zip(ranked.values.tolist(), ranked.errors.tolist(), strict=True)
    ]
    best: list[int] = ranked.candidates[drawn.index(max(drawn))].tolist()
    return best
