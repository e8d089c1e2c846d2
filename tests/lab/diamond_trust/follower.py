"""A player of Diamond Trust of London that follows the policy without a search."""

from __future__ import annotations

from random import Random

import numpy as np

from kimberley.games.diamond_trust.bots.beliefs import worlds
from kimberley.games.diamond_trust.bots.decisions import Decision
from kimberley.games.diamond_trust.bots.history import History
from kimberley.games.diamond_trust.bots.parameters import Numbers, tuned
from kimberley.games.diamond_trust.bots.policy import Noise, Parameters, Policy
from kimberley.games.diamond_trust.bots.rollout import Rollout
from kimberley.games.diamond_trust.bots.search import MixedStrategy, Report
from kimberley.games.diamond_trust.rules import State


class Follower:
    """Does what the policy does, without a search."""

    def __init__(self, model: Numbers | None = None) -> None:
        chosen = tuned()[0] if model is None else model
        self._play = Policy(Parameters(chosen, chosen))

    def __call__(self, state: State, seat: int, history: History, rng: Random, report: Report) -> MixedStrategy:
        del report  # it is done at once
        drawn = worlds(history, state, 1, np.random.default_rng(rng.getrandbits(64)))
        return [(Decision(state, seat, drawn, Rollout(self._play, Noise(rng)), [self._play]).habit(), 1.0)]
