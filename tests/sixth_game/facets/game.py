"""The game as the table finds it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import cast

from kimberley.games.bots.base import Bot, Level
from kimberley.games.options import resolve_options
from kimberley.games.table import Decide, Observation, Option, Plain, Result
from kimberley.games.table import State as TableState

from .rules import MOST, Cut, State

FACETS = Option("facets", "Facets", ((15, "15"), (21, "21"), (7, "7: a splinter")), "How many the stone has.")


class Facets:
    """Two to four seats; lots decide who begins, unless an earlier game has."""

    id = "facets"
    title = "Facets"
    revision = 1
    seats: tuple[int, ...] = (2, 3, 4)
    options: tuple[Option, ...] = (FACETS,)
    last_looks = False
    quick: tuple[tuple[str, Plain], ...] = (("facets", 7),)
    levels = (Level("Apprentice", "Cuts anything."), Level("Cutter", "Knows the trick, which works for two."))

    def start(self, seats: int, options: Mapping[str, Plain], begins: int | None = None) -> State:
        """Returns the stone before anything is cut. Raises ValueError for what cannot be played."""
        left = cast(int, resolve_options(self, seats, options, begins)["facets"])
        return State(left, (True,) * seats, begins, begins)

    def starting_seat(self, state: TableState) -> int | None:
        """Returns the seat that made the first cut, or was to."""
        return cast(State, state).first

    def resignation_result(self, state: TableState, seats: Sequence[int]) -> Result:
        """Returns the result in which whoever resigns loses; where both do, nobody has won."""
        here = [place not in seats for place in range(len(cast(State, state).present))]
        places = tuple(2 if any(here) and not stays else 1 for stays in here)
        return Result(places, tuple((int(stays),) for stays in here), "by resignation")

    def bot(self, level: int, seed: int) -> Bot:
        """Returns a bot that knows the trick, which works for two, from level 2 on."""
        return Cutter(level, Random(seed))


class Cutter:
    """Leaves a multiple of four, if it can and is not of the first level; else it cuts anything."""

    def __init__(self, level: int, rng: Random) -> None:
        self._level, self._rng = level, rng

    def choose(self, observation: Observation) -> Plain:
        ask = observation.state.ask()
        assert isinstance(ask, Decide)
        assert isinstance(ask.space, Cut)
        rest = ask.space.left % (MOST + 1)
        return rest if rest and self._level > 1 else ask.space.pick(self._rng)
