"""A player that does anything."""

from __future__ import annotations

from random import Random

from games.table import Chooser, Observation, Plain, asked


def at_random(rng: Random) -> Chooser:
    """Any legal choice."""

    def choose(observation: Observation) -> Plain:
        space = asked(observation.state.ask(), observation.seat)
        assert space is not None
        return space.pick(rng)

    return choose
