"""How exploitable a player is: a response trained against it alone, in real games, by the same strategy as `tuning`.

The response searches as its target does, follows numbers of its own, and knows whom the target follows. Both search
less while it is trained (`TRAINED_AT`), and neither solves the end of the game: that would take more than half of
the time, and both would do it alike. It is scored as the target plays.

What a response has found serves its target, too (`training`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from kimberley.games.diamond_trust.bots.parameters import NotTrained, Numbers, Row, read_numbers, read_whole
from kimberley.games.diamond_trust.game import DiamondTrust
from tests.lab.contest import ContestTable, Rotation, play_rotation
from tests.lab.diamond_trust.opponents import SearchContender
from tests.lab.diamond_trust.tuning import MEMORY, SCALE, Rows

DIRECTIONS = 8
SEEDS = 2
"""Pairs of games that each way of a direction plays."""
RATE = 0.5
TRAINED_AT = 1
"""The size of the search of both while one is trained."""
SPREAD = 10.0
"""A difference in diamonds that counts for most of a game."""


@dataclass(frozen=True)
class ResponseBout:
    """Pairs of games of numbers against a target."""

    numbers: Row
    target: SearchContender
    seeds: tuple[int, ...]


def play_bout(bout: ResponseBout) -> float:
    """Returns how well the numbers do, from 0 to 1: half for winning, half for the difference in diamonds."""
    own, table = bout.target.answered(bout.numbers), ContestTable(DiamondTrust(), 2)
    pairs = [play_rotation(table, own, bout.target, seed) for seed in bout.seeds]
    return float(np.mean([_worth(pair) for pair in pairs]))


def _worth(pair: Rotation) -> float:
    margins = np.tanh(np.array(pair.margins) / SPREAD) / 2 + 0.5
    return float((np.mean(pair.points) + margins.mean()) / 2)


@dataclass
class Response:
    """A running training: `bouts`, then `learn` from what they gave."""

    target: SearchContender
    generations: int
    seed: int
    now: Numbers
    drift: Numbers
    generation: int = 0
    _directions: Rows = field(default_factory=lambda: np.zeros((0, 0), np.float32))

    @classmethod
    def begin(cls, target: SearchContender, generations: int, seed: int) -> Response:
        """Returns a response before its first generation: it does as the player that the target follows most."""
        players, shares = target.mix.players, target.mix.shares
        return cls(
            target, generations, seed, np.array(players[shares.index(max(shares))], np.float32), np.zeros_like(SCALE)
        )

    @classmethod
    def trained_before(cls, target: SearchContender, found: Any) -> Response:
        """Returns one that is done, from what `train --against` wrote. Raises KeyError, TypeError or ValueError for
        something else.
        """
        trained = np.array(SearchContender.of_response(found).mix.players[0], np.float32)
        generations = read_whole(found, "generations", 0)
        return cls(target, generations, read_whole(found, "seed", 0), trained, np.zeros_like(SCALE), generations)

    @property
    def done(self) -> bool:
        """Returns whether all generations are done."""
        return self.generation >= self.generations

    def bouts(self) -> list[ResponseBout]:
        """Returns what to try in this generation: each direction one way, then the other, in the same games."""
        rng = np.random.default_rng([self.seed, self.generation])
        self._directions = rng.standard_normal((DIRECTIONS, len(SCALE))).astype(np.float32)
        reduced = replace(self.target, size=min(self.target.size, TRAINED_AT), solves=False)
        bouts = []
        for direction in self._directions:
            seeds = tuple(rng.integers(1 << 30, size=SEEDS).tolist())
            for way in (self.now + direction * SCALE, self.now - direction * SCALE):
                bouts.append(ResponseBout(tuple(way.tolist()), reduced, seeds))
        return bouts

    def learn(self, reached: Sequence[float]) -> None:
        """Takes what the bouts gave, in their order."""
        gain = np.array(reached[::2]) - np.array(reached[1::2])
        slope = (gain[:, None] * self._directions).mean(axis=0) / (gain.std() + 0.02)
        self.drift = (MEMORY * self.drift + (1 - MEMORY) * slope).astype(np.float32)
        self.now = (self.now + RATE * SCALE * self.drift).astype(np.float32)
        self.generation += 1

    def trained(self) -> SearchContender:
        """Returns the response, at the target's full size."""
        return self.target.answered(tuple(self.now.tolist()))

    # -- kept between runs ---------------------------------------------------------------------------------------------

    def as_plain(self) -> dict[str, Any]:
        """Returns all of it, for JSON."""
        return {
            "size": self.target.size,
            "generations": self.generations,
            "generation": self.generation,
            "seed": self.seed,
            "now": self.now.tolist(),
            "drift": self.drift.tolist(),
        }

    @classmethod
    def of_plain(cls, kept: Any, target: SearchContender) -> Response:
        """Returns what `as_plain` gave. Raises KeyError, TypeError or ValueError for something else."""
        if kept["size"] != target.size:
            raise NotTrained(f"it is of a training against search:{kept['size']}")
        now, drift = (read_numbers(kept[name]) for name in ("now", "drift"))
        generations, seed, generation = (read_whole(kept, name, 0) for name in ("generations", "seed", "generation"))
        return cls(target, generations, seed, now, drift, generation)
