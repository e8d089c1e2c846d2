"""Contests between players of Diamond Trust of London: who may enter, and one pair of games between two of them."""

from __future__ import annotations

import time
from dataclasses import dataclass
from random import Random
from typing import Any, Final, cast

import numpy as np

from kimberley.games.arena import SeatedArena
from kimberley.games.diamond_trust.heuristic import LEVELS, HeuristicBot
from kimberley.games.diamond_trust.parameters import NAMES, Numbers, tuned
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.diamond_trust.recipe import RecipeThinker
from kimberley.games.diamond_trust.rules import State
from kimberley.games.diamond_trust.searcher import Follower, Searcher, effort
from kimberley.games.diamond_trust.strategist import DiamondTrustBot
from kimberley.games.table import Chooser, Game, Observation, Plain, space_for

KINDS: Final = "random, heuristic, tuned, recipe:N, level:N"
HIGHEST: Final = {"recipe": 100, "level": 20}


class NoContender(ValueError):
    """There is no player of that name; the message lists those that there are."""


@dataclass(frozen=True)
class Contender:
    """A player by its name: `kind`, `level` where it has one, and numbers in place of those that were tuned."""

    kind: str
    level: int = 0
    numbers: tuple[float, ...] | None = None

    @classmethod
    def named(cls, name: str) -> Contender:
        """The player that a command names. Raises NoContender."""
        kind, colon, level = name.partition(":")
        if kind in HIGHEST and level.isascii() and level.isdigit() and 1 <= int(level) <= HIGHEST[kind]:
            return cls(kind, int(level))
        if kind in ("random", "heuristic", "tuned") and not colon:
            return cls(kind)
        raise NoContender(f"nobody plays as {name!r}; there are {KINDS} (levels from 1 to 20, recipes to 100)")

    @classmethod
    def of_response(cls, found: Any) -> Contender:
        """The player that a training found, from what `kimberley tune --against` writes. Raises KeyError, TypeError or
        ValueError for something else.
        """
        target, numbers = cls.named(found["against"]), tuple(float(number) for number in found["numbers"])
        if len(numbers) != len(NAMES):
            raise ValueError(f"it has {len(numbers)} numbers, and the policy {len(NAMES)}")
        return cls(target.kind, target.level, numbers)

    def player(self, seed: int) -> Chooser:
        """A player, for one game."""
        match self.kind:
            case "random":
                return at_random(seed)
            case "heuristic":
                return HeuristicBot(LEVELS[-1], seed).choose
            case "tuned":
                return DiamondTrustBot(Follower(self._model()), seed).choose
            case "recipe":
                return DiamondTrustBot(RecipeThinker(self.level), seed).choose
            case _:
                model = self._model()
                models = None if model is None else [model, *tuned()]
                return DiamondTrustBot(Searcher(effort(self.level), models), seed).choose

    def _model(self) -> Numbers | None:
        return None if self.numbers is None else np.array(self.numbers, np.float32)


@dataclass(frozen=True)
class GamePair:
    """Two games with the same seed and swapped seats. `points` of A: 1, 0.5 or 0 a game; `margins` in diamonds.

    `decisions` and `seconds` (of processor time) are those of A and of B, where there was something to decide.
    """

    seed: int
    points: tuple[float, float]
    margins: tuple[int, int]
    decisions: tuple[int, int]
    seconds: tuple[float, float]


def play_pair(game: Game, first: Contender, second: Contender, seed: int) -> GamePair:
    """A pair of games. The same seed gives the same games, but for the time that they take."""
    clocks = DecisionTimer(), DecisionTimer()
    points, margins = [], []
    for seat in (0, 1):
        players = [clocks[0].timed(first.player(2 * seed)), clocks[1].timed(second.player(2 * seed + 1))]
        result = SeatedArena(game, 2, Random(seed)).play(players if seat == 0 else players[::-1])
        own, other = result.places[seat], result.places[1 - seat]
        points.append(1.0 if own < other else 0.5 if own == other else 0.0)
        margins.append(result.scores[seat][0] - result.scores[1 - seat][0])
    return GamePair(
        seed,
        (points[0], points[1]),
        (margins[0], margins[1]),
        (clocks[0].decisions, clocks[1].decisions),
        (clocks[0].seconds, clocks[1].seconds),
    )


class DecisionTimer:
    """Counts the decisions of a player, and the processor time that they take."""

    def __init__(self) -> None:
        self.decisions = 0
        self.seconds = 0.0

    def timed(self, chooser: Chooser) -> Chooser:
        def choose(observation: Observation) -> Plain:
            start = time.process_time()
            choice = chooser(observation)
            if not bound(observation):
                self.decisions += 1
                self.seconds += time.process_time() - start
            return choice

        return choose


def bound(observation: Observation) -> bool:
    """Whether the seat has only one choice: its plan, without the right to adjust it."""
    state = cast(State, observation.state)
    return state.step in (RoundStep.MOVE, RoundStep.SALE) and state.right[observation.seat] is False


def at_random(seed: int) -> Chooser:
    """Any legal choice."""

    def choose(observation: Observation) -> Plain:
        space = space_for(observation.state.ask(), observation.seat)
        assert space is not None
        return space.pick(Random(f"{seed} {observation.seat} {len(observation.story)}"))

    return choose
