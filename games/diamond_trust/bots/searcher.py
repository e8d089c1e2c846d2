"""How one decision is searched."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import hypot
from random import Random
from statistics import NormalDist
from typing import Final, NamedTuple

import numpy as np

from kimberley.games.diamond_trust.angola import other
from kimberley.games.diamond_trust.bots import last_payments, last_round, last_sale, penultimate_round
from kimberley.games.diamond_trust.bots.beliefs import worlds
from kimberley.games.diamond_trust.bots.decisions import Decision
from kimberley.games.diamond_trust.bots.effort import Effort
from kimberley.games.diamond_trust.bots.history import History
from kimberley.games.diamond_trust.bots.parameters import Numbers, tuned
from kimberley.games.diamond_trust.bots.policy import Noise, Parameters, Policy
from kimberley.games.diamond_trust.bots.rollout import Rollout
from kimberley.games.diamond_trust.bots.search import MixedStrategy, Ranked, Report, Rows, halving
from kimberley.games.diamond_trust.bots.simulator import Games
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.diamond_trust.rules import State


class SolvedStep(NamedTuple):
    """A step that is solved as a matrix game, in a number of worlds that are sorted by the other side's cash."""

    worlds: int
    solve: Callable[[Games, int, Rollout], MixedStrategy]


class ComparedStep(NamedTuple):
    """A step at which the finalists of a search are compared by a solution, in a number of worlds, sorted as above."""

    worlds: int
    finalists: int
    solve: Callable[[Rows, Games, int, Rollout], MixedStrategy]


SOLVED: Final = {
    (RoundStep.SALE_PLAN, 1): SolvedStep(last_sale.WORLDS, last_sale.last_sale),
    (RoundStep.PLAN, 0): SolvedStep(last_round.WORLDS, last_round.last_plan),
}
"""By step and months left."""
REFINED: Final = 8
"""This many of the best are varied in a search that refines."""
FINALISTS: Final = 2
"""The finalists of a search that is not followed by a solution."""
COMPARED: Final = {
    (RoundStep.PLAN, 1): ComparedStep(
        penultimate_round.WORLDS, penultimate_round.FINALISTS, penultimate_round.penultimate_plan
    ),
    (RoundStep.PAY, 0): ComparedStep(last_payments.WORLDS, last_payments.FINALISTS, last_payments.last_payments),
}
"""By step and months left."""


class Searcher:
    """Searches with some effort.

    Its own side is played on by the first of `models`, the other side by each of them in turn, world by world, since
    nobody knows who sits there.
    """

    def __init__(self, effort: Effort, models: Sequence[Numbers] | None = None) -> None:
        self._effort = effort
        self._models = tuple(models or tuned())

    def __call__(self, state: State, seat: int, history: History, rng: Random, report: Report) -> MixedStrategy:
        step, effort, own = (state.step, state.months_left), self._effort, self._models[0]

        def believed(count: int, by_cash: bool) -> tuple[Games, int, Rollout]:
            """Returns `count` worlds, the seat, and how both sides are played on there."""
            games = worlds(history, state, count, np.random.default_rng(rng.getrandbits(64)))
            if by_cash:
                games = games.pick(np.argsort(games.cash[other(seat)], kind="stable"))
            return games, seat, Rollout(Policy(Parameters.facing(self._models, seat, count)), Noise(rng))

        if effort.solves and (solved := SOLVED.get(step)) is not None:
            return solved.solve(*believed(solved.worlds, by_cash=True))
        compared = COMPARED.get(step) if effort.solves else None
        finalists = FINALISTS if compared is None else compared.finalists
        games, _, rollout = believed(effort.worlds, by_cash=False)
        decision = Decision(state, seat, games, rollout, [Policy(Parameters(own, own))], varied=True)
        ranked = searched(decision, effort, finalists, report)
        if compared is None:
            return mixed(ranked)
        return compared.solve(ranked.candidates[:finalists], *believed(compared.worlds, by_cash=True))


def searched(decision: Decision, effort: Effort, finalists: int, report: Report) -> Ranked:
    """Returns the best candidates for a decision. `finalists` of them are compared in the end."""
    trial, worlds, count, simulations = decision.trial, decision.worlds.size, effort.candidates, effort.simulations
    if not (effort.refines and decision.can_vary):
        return halving(decision.drafts(max(count, 2 * finalists)), trial, worlds, simulations, report, finalists)
    best = halving(decision.drafts(count // 2), trial, worlds, simulations // 2, lambda done: report(done / 2), REFINED)
    candidates = decision.variations(best.candidates[:REFINED], count // 2)
    return halving(candidates, trial, worlds, simulations // 2, lambda done: report((1 + done) / 2), finalists)


def mixed(ranked: Ranked) -> MixedStrategy:
    """Returns the two best candidates, each as likely as it is to be the better one, given the standard errors."""
    rows, values, errors = (part[:FINALISTS].tolist() for part in (ranked.candidates, ranked.values, ranked.errors))
    if len(rows) == 1:
        return [(rows[0], 1.0)]
    first = NormalDist().cdf((values[0] - values[1]) / hypot(*errors))
    return [(rows[0], first), (rows[1], 1 - first)]
