"""Tunes the policy of simulations by self-play: an evolution strategy over `games.diamond_trust.bots.parameters`.

Each generation shifts the numbers a little in random directions, plays both ways of every direction against the same
rivals with the same chance, and moves towards what won more (antithetic sampling; Salimans et al. 2017, "Evolution
Strategies as a Scalable Alternative to Reinforcement Learning"). A policy that only learns to beat itself goes round in
circles. So half of the rivals are fixed styles, and most of the rest are earlier versions of the policy; harder rivals
play more often.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from kimberley.games.diamond_trust.bots.decisions import winning
from kimberley.games.diamond_trust.bots.parameters import (
    NotTrained,
    Numbers,
    named,
    numbers,
    read_numbers,
    read_shares,
    read_whole,
)
from kimberley.games.diamond_trust.bots.policy import Noise, Parameters, Policy
from kimberley.games.diamond_trust.bots.rollout import Rollout
from kimberley.games.diamond_trust.bots.simulator import Games

Rows: TypeAlias = npt.NDArray[np.float32]

PAIRS: Final = 24
"""Directions of a generation, each tried both ways."""
GAMES: Final = 48
"""Games of each way."""
PARTS: Final = 2
"""Jobs of a generation; what comes out does not depend on where they run."""
STEP: Final = 0.25
"""How far a direction goes: the share of what a number is at the start."""
RATE: Final = 0.3
MEMORY: Final = 0.85
"""How much of the last generation's direction is kept."""
LEAGUE: Final = 30
JOINING: Final = 40
"""Generations after which the average joins the league."""
AVERAGE: Final = 0.97

STYLES: Final[dict[str, dict[str, float]]] = {
    "start": {},
    "steady": {
        "salary_first": 0.75, "salary_more": 0.5, "salary_size": 1.5, "salary_step": 1.2, "bribe_often": 0.6,
        "bribe_late": 0.8, "bribe_size": 1.6, "diamond": 0.5, "root": 1.2, "rival": 0.0, "rival_diamond": 0.0,
        "stay": 0.6, "inspector": -0.4, "inspector_hunt": 0.35, "inspector_guard": 0.1, "home": -1.2,
        "home_load": 0.45, "home_root": 0.3, "low_alone": 0.12, "low_met": 0.12, "base_alone": 0.05, "base_met": 0.05,
        "span_alone": 1.3, "span_met": 1.4, "bribe_base": 0.2, "bribe_span": 1.2, "bribe_hunt": 0.08, "outbid": 1.5,
        "told_cheap": 1.5, "told_dear": -1.5, "told_margin": 1.5, "sale_1": -0.8, "sale_2": -2.0,
    },
    "lavish": {
        "salary_first": 0.9, "salary_more": 0.9, "salary_size": 4.0, "salary_step": 4.0, "bribe_often": 0.9,
        "bribe_late": 0.9, "bribe_size": 5.0, "diamond": 0.25, "root": 0.9, "rival": 0.0, "rival_diamond": 0.0,
        "stay": 0.4, "inspector": 0.3, "inspector_hunt": 0.15, "inspector_guard": 0.1, "home": -1.5, "home_load": 0.35,
        "home_root": 0.9, "home_stay": 0.5, "low_alone": 0.0, "low_met": 0.0, "base_alone": -0.3, "base_met": -0.3,
        "span_alone": 0.6, "span_met": 0.6, "bend": 1.0, "spend": 0.9, "bribe_base": 0.0, "bribe_span": 0.5,
        "bribe_hunt": 0.1, "bribe_guard": 0.1, "told_cheap": 0.5, "told_dear": -0.5, "block": 1.0, "sale_1": 0.0,
        "sale_2": 0.0, "sale_3": -9.0,
    },
    "spender": {
        "bribe_often": 0.2, "bribe_size": 2.0, "diamond": 0.5, "home_load": 0.5, "low_alone": 0.0, "low_met": 0.0,
        "base_alone": 0.0, "span_alone": 0.4, "span_met": 0.6, "spend": 0.5, "inspector": -0.5, "inspector_hunt": 0.5,
    },
    "hunter": {
        "bribe_often": 0.2, "bribe_size": 2.0, "diamond": 0.7, "home_load": 1.2, "inspector": 0.5,
        "inspector_hunt": 0.6, "inspector_guard": 0.2, "bribe_base": 0.6, "bribe_span": 0.8, "bribe_hunt": 0.4,
        "low_alone": 0.2, "low_met": 0.1, "span_alone": 0.9,
    },
    "briber": {
        "salary_first": 1.4, "salary_size": 4.4, "bribe_often": 1.5, "bribe_late": 0.6, "bribe_size": 8.7,
        "diamond": 1.4, "home_load": 1.7, "low_alone": 0.9, "base_met": -0.1, "span_met": -0.5, "outbid": 3.5,
        "told_cheap": 1.9, "told_margin": 6.0,
    },
}  # fmt: skip
"""Rivals that stay: each differs from `START` as said here."""
BEGINNING: Final = "steady"
SALES: Final[dict[str, dict[str, float]]] = {
    "keeps": {"sale_1": -4.0, "sale_2": -5.0, "sale_3": -6.0},
    "sells one": {"sale_1": 3.0, "sale_2": -3.0, "sale_3": -5.0},
    "sells two": {"sale_1": -2.0, "sale_2": 4.0, "sale_3": -3.0},
}
"""What a sale is worth depends on the other side's. So what joins the league joins it with other sales, too."""


@dataclass(frozen=True)
class TuningJob:
    """Directions to try: ways (rows of numbers), each against all rivals, with chance from the seed."""

    ways: Rows
    rivals: Rows
    seed: int


def fitness(job: TuningJob) -> list[float]:
    """Returns how well each way does, from 0 to 1: for winning, and a little for the difference in diamonds."""
    count, games = len(job.ways), len(job.rivals)
    own = np.repeat(job.ways.T, games, axis=1)
    theirs = np.tile(job.rivals.T, (1, count))
    rng = Random(job.seed)
    inspector = np.tile(np.array([rng.randrange(6) for _ in range(games)], np.int16), count)
    rollout = Rollout(Policy(Parameters(own, theirs)), Noise(rng))
    reached: list[float] = winning(rollout.from_pay(Games.begin(inspector))).reshape(count, games).mean(axis=1).tolist()
    return reached


def rates(one: Numbers, rivals: Sequence[Numbers], games: int, seed: int) -> list[float]:
    """Returns how much of its games `one` wins against each of the rivals, a tie as half."""
    own = np.repeat(one[:, None], games * len(rivals), axis=1)
    theirs = np.repeat(np.stack(rivals, axis=1), games, axis=1)
    rng = Random(seed)
    inspector = np.array([rng.randrange(6) for _ in range(own.shape[1])], np.int16)
    rollout = Rollout(Policy(Parameters(own, theirs)), Noise(rng))
    won: list[float] = rollout.from_pay(Games.begin(inspector)).outcome().reshape(-1, games).mean(axis=1).tolist()
    return won


@dataclass
class Tuning:
    """A running tuning: `jobs`, then `learn` from what they gave; `generations` in total."""

    generations: int
    seed: int
    now: Numbers
    average: Numbers
    drift: Numbers
    league: list[Numbers] = field(default_factory=list)
    won: list[float] = field(default_factory=list)
    """Against each of the styles, then of the league."""
    generation: int = 0
    _directions: Rows = field(default_factory=lambda: np.zeros((0, 0), np.float32))

    @classmethod
    def begin(cls, generations: int, seed: int) -> Tuning:
        """Returns a tuning before its first generation."""
        start = numbers(STYLES[BEGINNING])
        return cls(generations, seed, start, start.copy(), np.zeros_like(start), [], [0.5] * len(STYLES))

    @property
    def done(self) -> bool:
        """Returns whether all generations are done."""
        return self.generation >= self.generations

    @property
    def _cooled(self) -> float:
        return 1 - 0.8 * self.generation / self.generations

    def jobs(self) -> list[TuningJob]:
        """Returns what to try in this generation."""
        rng = np.random.default_rng([self.seed, self.generation])
        self._directions = rng.standard_normal((PAIRS, len(self.now))).astype(np.float32)
        rivals = self._rivals(rng)
        reach = self._directions * SCALE * np.float32(0.4 + 0.6 * self._cooled)
        seeds = rng.integers(1 << 30, size=PARTS)
        size = PAIRS // PARTS
        jobs = []
        for part, seed in enumerate(seeds.tolist()):
            some = reach[part * size : (part + 1) * size]
            jobs += [TuningJob(self.now + some, rivals, seed), TuningJob(self.now - some, rivals, seed)]
        return jobs

    def _rivals(self, rng: np.random.Generator) -> Rows:
        """Returns rivals for a generation's games: half of them styles, a sixth itself, the rest from the league.

        Of the styles and the league, harder ones are chosen more often.
        """
        half, own = GAMES // 2, GAMES // 6
        styles = self._chosen(rng, [numbers(style) for style in STYLES.values()], self.won[: len(STYLES)], half)
        league = self._chosen(rng, self.league or [self.now], self.won[len(STYLES) :] or [0.5], GAMES - half - own)
        return np.stack([*styles, *league, *[self.now] * own])

    def _chosen(
        self, rng: np.random.Generator, rivals: Sequence[Numbers], won: Sequence[float], count: int
    ) -> list[Numbers]:
        chance = (1.05 - np.array(won)) ** 1.5
        return [rivals[number] for number in rng.choice(len(rivals), count, p=chance / chance.sum())]

    def learn(self, reached: Sequence[Sequence[float]]) -> None:
        """Takes what the jobs gave, in their order, and goes on to the next generation."""
        plus = np.concatenate([np.array(part) for part in reached[::2]])
        minus = np.concatenate([np.array(part) for part in reached[1::2]])
        gain = plus - minus
        slope = (gain[:, None] * self._directions).mean(axis=0) / (gain.std() + 0.02)
        self.drift = (MEMORY * self.drift + (1 - MEMORY) * slope).astype(np.float32)
        self.now = (self.now + RATE * self._cooled * SCALE * self.drift).astype(np.float32)
        self.average = (AVERAGE * self.average + (1 - AVERAGE) * self.now).astype(np.float32)
        self.generation += 1
        if self.generation % JOINING == 0:
            self._join()

    def _join(self) -> None:
        sales = list(SALES.values())
        self.league.append(self.average.copy())
        self.league.append(numbers(named(self.average) | sales[self.generation // JOINING % len(sales)]))
        everyone = [numbers(style) for style in STYLES.values()] + self.league
        self.won = rates(self.now, everyone, 64, self.seed + self.generation)
        while len(self.league) > LEAGUE:
            easiest = int(np.argmax(self.won[len(STYLES) : -4]))
            del self.league[easiest]
            del self.won[len(STYLES) + easiest]

    # -- kept between runs ---------------------------------------------------------------------------------------------

    def as_plain(self) -> dict[str, Any]:
        """Returns all of it, for JSON."""
        return {
            "generations": self.generations,
            "generation": self.generation,
            "seed": self.seed,
            "now": self.now.tolist(),
            "average": self.average.tolist(),
            "drift": self.drift.tolist(),
            "league": [rival.tolist() for rival in self.league],
            "won": self.won,
        }

    @classmethod
    def of_plain(cls, kept: Any) -> Tuning:
        """Returns what `as_plain` gave. Raises KeyError, TypeError or ValueError for something else."""
        now, average, drift = (read_numbers(kept[name]) for name in ("now", "average", "drift"))
        league = [read_numbers(rival) for rival in kept["league"]]
        won = list(read_shares(kept["won"]))
        if len(won) != len(STYLES) + len(league):
            raise NotTrained("its league is not the one that it has met")
        generations, seed, generation = (
            read_whole(kept, name, least) for name, least in (("generations", 1), ("seed", 0), ("generation", 0))
        )
        return cls(generations, seed, now, average, drift, league, won, generation)

    def found(self) -> dict[str, Any]:
        """Returns what is shipped: the players, the best first, and the figures of the run."""
        sellers = [numbers(named(self.average) | sale) for sale in SALES.values()]
        others = [numbers(STYLES[name]) for name in ("steady", "lavish", "spender", "briber")]
        against = rates(self.average, [numbers(style) for style in STYLES.values()], 512, self.seed)
        return {
            "generations": self.generation,
            "seed": self.seed,
            "games": self.generation * PAIRS * GAMES * 2,
            "won_against_styles": {name: round(won, 3) for name, won in zip(STYLES, against, strict=True)},
            "shares": [1.0],
            "won": [[0.5]],
            "players": [named(player) for player in (self.average, *sellers, *others)],
        }


SCALE: Final[Numbers] = (np.maximum(np.abs(numbers({})), 0.4) * STEP).astype(np.float32)
