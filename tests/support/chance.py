"""A player that chooses at random."""

from __future__ import annotations

from random import Random

from kimberley.games.table import Chooser, Observation, Plain, space_for


def at_random(rng: Random) -> Chooser:
    """Returns a chooser of random legal choices."""

    def choose(observation: Observation) -> Plain:
        space = space_for(observation.state.ask(), observation.seat)
        assert space is not None
        return space.pick(rng)

    return choose


class RandomBot:
    """A bot that thinks about nothing."""

    def __init__(self, seed: int) -> None:
        self._choose = at_random(Random(seed))

    def choose(self, observation: Observation) -> Plain:
        return self._choose(observation)
