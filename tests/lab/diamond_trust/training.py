"""Learns by self-play towards an equilibrium: what a search follows so that nothing gains much against it.

A double oracle (policy-space response oracles: Lanctot et al. 2017, "A Unified Game-Theoretic Approach to Multiagent
Reinforcement Learning", arXiv:1711.00832). There is a population of players, of which a search follows one in each
game. In every epoch a response is trained to how the population is played (`response`). It joins the population and
meets each of the others. The matrix game of who meets whom is solved again, and says how often each of them is played
from now on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

import numpy as np

from kimberley.games.diamond_trust.bots.equilibrium import equilibrium
from kimberley.games.diamond_trust.bots.parameters import Mix, NotTrained, Row, named, numbers, read_shares, read_whole
from kimberley.games.diamond_trust.game import DiamondTrust
from tests.lab.contest import ContestTable, play_rotation
from tests.lab.diamond_trust.opponents import MOST_SEARCHED, SearchContender
from tests.lab.diamond_trust.response import Response

ROUNDS: Final = 20_000
"""Rounds in which the game of a population is solved."""
LEAST: Final = 0.02
"""A player who would be played less often than this is not played."""


@dataclass(frozen=True)
class Population:
    """Players, and how often the first few of them are played. `won` says by row what the player of that row won of the
    games of these against one another.
    """

    mix: Mix
    won: tuple[tuple[float, ...], ...]

    @classmethod
    def of_plain(cls, found: Mapping[str, Any]) -> Population:
        """Returns what training wrote, or what `games.diamond_trust.bots.parameters.shipped` gives. Raises KeyError,
        TypeError or ValueError for something else.
        """
        mix = Mix.of_plain(found)
        won = tuple(read_shares(row) for row in found["won"])
        if any(len(row) != len(mix.shares) for row in (won, *won)):
            raise NotTrained("its table does not have a row and a column for each share")
        return cls(mix, won)

    @property
    def members(self) -> tuple[Row, ...]:
        """Those that have met all others."""
        return self.mix.players[: len(self.won)]

    def as_plain(self) -> dict[str, Any]:
        """Returns what `of_plain` takes."""
        return {
            "shares": list(self.mix.shares),
            "won": [list(row) for row in self.won],
            "players": [named(np.array(player, np.float32)) for player in self.mix.players],
        }

    def joined(self, player: Row, won: tuple[float, ...]) -> Population:
        """Returns the population with one more member, given the share that it won against each of those before it."""
        table = (*((*row, round(1 - part, 4)) for row, part in zip(self.won, won, strict=True)), (*won, 0.5))
        others = (other for other in self.mix.players[len(self.won) :] if other != player)
        return Population(Mix((*self.members, player, *others), shares_of(table)), table)


def shares_of(won: tuple[tuple[float, ...], ...]) -> tuple[float, ...]:
    """Returns how often each plays in an equilibrium of the game whose payoffs are in the table."""
    paid = np.array(won, np.float32)
    rows = equilibrium(paid, np.zeros(len(won), np.intp), ROUNDS).rows
    rows = np.where(rows < LEAST, 0, rows)
    return tuple(round(share, 4) for share in (rows / rows.sum()).tolist())


class ResponsePair(NamedTuple):
    """A pair of games of a response against the member of that number."""

    response: SearchContender
    member: SearchContender
    number: int
    seed: int


class PlayedPair(NamedTuple):
    """What the response won in a pair, from 0 to 1."""

    number: int
    seed: int
    won: float


def play_response_pair(match: ResponsePair) -> PlayedPair:
    """Plays the two games."""
    points = play_rotation(ContestTable(DiamondTrust(), 2), match.response, match.member, match.seed).points
    return PlayedPair(match.number, match.seed, float(np.mean(points)))


@dataclass
class Training:
    """A running epoch: first its `response` to the population is trained, then the `matches` are `played`, then all is
    `learned`.
    """

    population: Population
    pairs: int
    response: Response
    points: dict[tuple[int, int], float] = field(default_factory=dict)
    """By member and seed, what the response won."""

    def train_on(self, generations: int) -> None:
        """Sets the total of generations for the response. If some are left to do, what it has won does not count."""
        self.response.generations = generations
        if not self.response.done:
            self.points.clear()

    def matches(self) -> list[ResponsePair]:
        """Returns those that have not been played yet."""
        response, target = self.response.trained(), self.response.target
        members = [replace(target, mix=target.mix.following(number)) for number in range(len(self.population.members))]
        return [
            ResponsePair(response, member, number, seed)
            for number, member in enumerate(members)
            for seed in range(self.pairs)
            if (number, seed) not in self.points
        ]

    def played(self, played: PlayedPair) -> None:
        """Takes what was won in a match."""
        self.points[played.number, played.seed] = played.won

    def learned(self) -> tuple[Population, dict[str, Any]]:
        """Returns the population with the response, and the figures of the epoch, when all matches are played."""
        won = [
            float(np.mean([self.points[number, seed] for seed in range(self.pairs)]))
            for number in range(len(self.population.members))
        ]
        shares = self.population.mix.shares
        figures = {
            "size": self.response.target.size,
            "generations": self.response.generations,
            "seed": self.response.seed,
            "games": 2 * self.pairs * len(won),
            "won_of_the_mix": round(sum(share * part for share, part in zip(shares, won, strict=True)), 4),
        }
        kept = numbers(named(self.response.now))
        return self.population.joined(tuple(kept.tolist()), tuple(round(part, 4) for part in won)), figures

    # -- kept between runs ---------------------------------------------------------------------------------------------

    def as_plain(self) -> dict[str, Any]:
        """Returns all of it, for JSON."""
        return {
            "population": self.population.as_plain(),
            "pairs": self.pairs,
            "response": self.response.as_plain(),
            "points": [[*match, won] for match, won in sorted(self.points.items())],
        }

    @classmethod
    def of_plain(cls, kept: Any) -> Training:
        """Returns what `as_plain` gave. Raises KeyError, TypeError or ValueError for something else."""
        population = Population.of_plain(kept["population"])
        target = SearchContender(read_whole(kept["response"], "size", 1, MOST_SEARCHED), population.mix)
        response = Response.of_plain(kept["response"], target)
        won = read_shares(won for _, _, won in kept["points"])
        matches = [(number, seed) for number, seed, _ in kept["points"]]
        if not all(type(part) is int for match in matches for part in match):
            raise NotTrained("a match in it has no whole numbers")
        return cls(population, read_whole(kept, "pairs", 1), response, dict(zip(matches, won, strict=True)))
