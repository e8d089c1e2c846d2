"""A player for Diamond Trust of London that chooses from its observation alone."""

from __future__ import annotations

from random import Random

from games.table import Observation, Plain, asked


class Trader:
    """Plays legally."""

    def __init__(self, level: int, seed: int) -> None:
        self._level = level
        self._seed = seed

    def choose(self, observation: Observation) -> Plain:
        ask = observation.state.ask()
        space = asked(ask, observation.seat)  # type: ignore[arg-type]
        assert space is not None
        return space.pick(Random(f"{self._seed} {len(observation.story)}"))
