"""Judges choices in Diamond Trust of London by playing them out: each is worth the lead in diamonds that follows.

Choices are found and compared as the bot does (`search`, `decisions`), by how often they win and a little by the lead,
on worlds that fit what the seat knew, or on the true one. The best and the one that was chosen are then played out anew
against each other, in the same worlds: what was found by luck in the search loses its lead there, and a difference that
may be chance does not count.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final, cast

import numpy as np

from kimberley.games.bots.review import CERTAIN, Assessment, DecisionPoint, RatedChoice, most_apart, of_two
from kimberley.games.diamond_trust.angola import other
from kimberley.games.diamond_trust.bots.beliefs import true_worlds, worlds
from kimberley.games.diamond_trust.bots.decisions import Decision, worth_of
from kimberley.games.diamond_trust.bots.effort import Effort
from kimberley.games.diamond_trust.bots.history import History
from kimberley.games.diamond_trust.bots.parameters import tuned
from kimberley.games.diamond_trust.bots.policy import Noise, Parameters, Policy
from kimberley.games.diamond_trust.bots.rollout import Rollout
from kimberley.games.diamond_trust.bots.search import Rows, distinct, halving
from kimberley.games.diamond_trust.bots.simulator import Games, Real
from kimberley.games.diamond_trust.bots.strategist import choice_of_row, row_of_choice
from kimberley.games.diamond_trust.rules import State
from kimberley.games.diamond_trust.spaces import NumberSpace, OrdersSpace
from kimberley.games.table import Observation, Plain, Result, space_for

WIDEST: Final = np.float32(64)
"""The greatest possible lead in diamonds."""
BY_MONEY: Final = np.float32(0.5)
"""Diamonds that a win by money alone counts for."""
SHOWN: Final = 3
"""How many of the best choices of the search are compared with the one that was made."""


class TrustJudge:
    """Simulates as many games for a search as `effort` says, and as many again to compare what it found."""

    unit = "diamonds"
    hidden = True

    def __init__(self, effort: Effort) -> None:
        self._effort = effort

    def by_knowledge(self, observation: Observation, chosen: Plain, rng: Random) -> Assessment | None:
        """See `ChoiceJudge`. What the other side did is drawn at random from what it may have done."""
        state, seat = cast(State, observation.state), observation.seat
        if bound(state, seat):
            return None
        return self._assessed(state, seat, self._worlds(observation, rng), [chosen], None, rng)

    def by_truth(self, point: DecisionPoint, rng: Random) -> Assessment:
        """See `ChoiceJudge`. Only the future is drawn."""
        state, truth, seat = cast(State, point.observation.state), cast(State, point.truth), point.seat
        answer = None
        ask = truth.ask()
        assert not isinstance(ask, Result)
        if (rival := other(seat)) in ask.choosers and (theirs := ask.choice_in(point.answer, rival)) is not None:
            answer = row_of_choice(truth, rival, theirs)
        drawn = true_worlds(truth, self._effort.worlds)
        return self._assessed(state, seat, drawn, point.tried, answer, rng)

    def apart(self, observation: Observation, choice: Plain, other: Plain, rng: Random) -> float:
        """See `ChoiceJudge`."""
        state, seat = cast(State, observation.state), observation.seat
        rows = np.array([row_of_choice(state, seat, option) for option in (choice, other)], np.int16)
        drawn, own, runs = self._worlds(observation, rng), tuned()[0], self._effort.simulations // len(rows)
        rollout = Rollout(Policy(Parameters.facing(tuned(), seat, drawn.size)), Noise(rng))
        measured = Decision(state, seat, drawn, rollout, [Policy(Parameters(own, own))], leading)
        take = np.tile(np.arange(runs), len(rows))
        reached = measured.trial(np.arange(runs) % drawn.size, take, np.repeat(rows, runs, axis=0))
        one, two = ((np.sign(row) + np.float32(1)) * np.float32(0.5) for row in leads(reached).reshape(len(rows), runs))
        return most_apart(one.tolist(), two.tolist())

    def _worlds(self, observation: Observation, rng: Random) -> Games:
        """Returns worlds that fit what a seat knows."""
        history = History(observation.seat)
        history.read(observation.story)
        state = cast(State, observation.state)
        return worlds(history, state, self._effort.worlds, np.random.default_rng(rng.getrandbits(64)))

    def _assessed(
        self, state: State, seat: int, drawn: Games, tried: Sequence[Plain], answer: list[int] | None, rng: Random
    ) -> Assessment:
        """Returns the first of the choices in `tried`, compared with the others and those that a search finds."""
        own, count, simulations = tuned()[0], self._effort.candidates, self._effort.simulations
        drafter = Policy(Parameters(own, own))
        rollout = Rollout(Policy(Parameters.facing(tuned(), seat, drawn.size)), Noise(rng))
        search = Decision(state, seat, drawn, rollout, [drafter], varied=True, answer=answer)
        given = distinct(np.array([row_of_choice(state, seat, choice) for choice in tried], np.int16), len(tried))
        candidates = distinct(np.concatenate([given, search.drafts(count)]), max(count, len(given)))
        ranked = halving(candidates, search.trial, drawn.size, simulations, lambda _share: None, SHOWN)
        final = distinct(np.concatenate([given, ranked.candidates[:SHOWN]]), SHOWN + len(given))
        runs = simulations // len(final)
        take = np.tile(np.arange(runs), len(final))
        measured = Decision(state, seat, drawn, rollout, [drafter], leading, answer=answer)
        reached = measured.trial(np.arange(runs) % drawn.size, take, np.repeat(final, runs, axis=0))
        return _compared(state, seat, final, leads(reached).reshape(len(final), runs))


def bound(state: State, seat: int) -> bool:
    """Returns whether a seat has only one choice."""
    space = space_for(state.ask(), seat)
    if isinstance(space, NumberSpace) and space.most == 0:
        return True
    return isinstance(space, OrdersSpace | NumberSpace) and space.exactly is not None


def leading(games: Games) -> Real:
    """Returns by how many diamonds seat 0 leads in the end, as a share of the widest lead: 0 to 1, half for none."""
    ahead = (games.vault[0] - games.vault[1]).astype(np.float32)
    richer = np.sign(games.cash[0] - games.cash[1]).astype(np.float32)
    lead: Real = np.where(ahead == 0, BY_MONEY * richer, ahead)
    value: Real = lead / (2 * WIDEST) + np.float32(0.5)
    return value


def leads(values: Real) -> Real:
    """Returns the leads in diamonds from the shares that `leading` gives."""
    diamonds: Real = (values - np.float32(0.5)) * (2 * WIDEST)
    return diamonds


def _compared(state: State, seat: int, rows: Rows, reached: Real) -> Assessment:
    """Returns the choice in the first row, compared with the best of the others by their leads in the same worlds.

    Another is better only if it leads by more, and wins no less often.
    """
    outcomes: Real = (np.sign(reached) + np.float32(1)) * np.float32(0.5)
    values = worth_of(outcomes, np.trunc(reached))
    rated = [
        RatedChoice(
            choice_of_row(state, seat, row.tolist()), round(float(worth), 3), of_two(seat, round(float(chance), 4))
        )
        for row, worth, chance in zip(rows, reached.mean(axis=1), outcomes.mean(axis=1), strict=True)
    ]
    made, others = rated[0], rated[1:]
    gaining = [
        at
        for at, other in enumerate(others, 1)
        if other.worth > made.worth and other.chances[seat] >= made.chances[seat]
    ]
    if not gaining:
        return Assessment(seat, made, made, tuple(others))
    at = max(gaining, key=lambda row: float(values[row].mean()))
    ahead = values[at] - values[0]
    error = float(ahead.std()) / len(ahead) ** 0.5
    best = rated[at] if float(ahead.mean()) > CERTAIN * error else made
    return Assessment(seat, made, best, tuple(other for other in others if other is not best))
