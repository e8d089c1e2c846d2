"""The plans of small last rounds, as the bot makes them."""

from __future__ import annotations

from random import Random

import numpy as np

from kimberley.games.diamond_trust.bots.beliefs import worlds
from kimberley.games.diamond_trust.bots.history import History
from kimberley.games.diamond_trust.bots.last_round import LastPlans
from kimberley.games.diamond_trust.bots.parameters import tuned
from kimberley.games.diamond_trust.bots.policy import Noise, Parameters, Policy
from kimberley.games.diamond_trust.bots.rollout import Rollout
from kimberley.games.diamond_trust.rules import State
from tests.support.reduced import Reduced


def last_plans(last: Reduced, count: int) -> LastPlans:
    """Returns the plans of a small last round, in `count` worlds that seat 0 believes in. Both sides play as tuned."""
    state = last.observation(0).state
    assert isinstance(state, State)
    drawn = worlds(History(0), state, count, np.random.default_rng(3))
    return LastPlans(drawn, 0, Rollout(Policy(Parameters(tuned()[0], tuned()[0])), Noise(Random(3))))
