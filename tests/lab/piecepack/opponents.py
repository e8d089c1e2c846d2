"""The players of the piecepack game that enter contests besides those that every game has."""

from __future__ import annotations

from random import Random
from typing import Final, cast

from kimberley.games.piecepack.bots.drafts import at_first_sight
from kimberley.games.piecepack.bots.guess import imagine
from kimberley.games.piecepack.rules import State
from kimberley.games.table import Chooser, Observation, Plain
from tests.lab.opponents import Opponents


def greedy(seed: int) -> Chooser:
    """Does what promises most at first sight."""

    def choose(observation: Observation) -> Plain:
        rng = Random(f"{seed} {observation.seat} {len(observation.story)}")
        return at_first_sight(imagine(cast(State, observation.state), rng), rng, 1.0)

    return choose


OPPONENTS: Final = Opponents({"greedy": greedy}, unit="points")
