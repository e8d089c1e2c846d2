"""What a game brings to contests: its players by name. Every game also has the players `random` and `level:N`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from kimberley.games.table import Chooser, Observation, Result


class Contender(Protocol):
    """A player by its name. It can be sent to another process."""

    def player(self, seed: int) -> Chooser:
        """Returns a player, for one game."""


class LeveledOpponent(NamedTuple):
    """Players of one kind, of levels from 1 on. `make` takes a level and a seed."""

    highest: int
    make: Callable[[int, int], Chooser]


def _never(observation: Observation) -> bool:
    del observation
    return False


def _first_score(result: Result, seat: int) -> float:
    return result.scores[seat][0]


@dataclass(frozen=True)
class Opponents:
    """What a game brings to contests.

    `players` make a player from a seed, by its name; `leveled` do so from a level, too. `score` is what a seat has in
    the end, in `unit`, which is empty if that says no more than who has won. `is_forced` is whether a seat that chooses
    has only one choice, so that its time does not count. `read_trained` takes what a training has written; it raises
    KeyError, TypeError or ValueError for something else; a NotTrained says why.
    """

    players: Mapping[str, Callable[[int], Chooser]]
    leveled: Mapping[str, LeveledOpponent] = field(default_factory=dict)
    unit: str = ""
    score: Callable[[Result, int], float] = _first_score
    is_forced: Callable[[Observation], bool] = _never
    read_trained: Callable[[Any], Contender] | None = None
