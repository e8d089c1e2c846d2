"""A player that chooses at random."""

from __future__ import annotations

from random import Random

from kimberley.games.table import Chooser, Observation, Plain, space_for


def at_random(rng: Random) -> Chooser:
    """A chooser of random legal choices."""

    def choose(observation: Observation) -> Plain:
        space = space_for(observation.state.ask(), observation.seat)
        assert space is not None
        return space.pick(rng)

    return choose
