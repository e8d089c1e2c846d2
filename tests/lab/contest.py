"""Contests between two players of any game: who may enter, and the games of one seed, in which the seats change."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final

from kimberley.games.bots.levels import levels_of, make_bot
from kimberley.games.table import Chooser, Game, Observation, Plain, space_for
from tests.lab.diamond.opponents import OPPONENTS as DIAMOND
from tests.lab.diamond_trust.opponents import OPPONENTS as DIAMOND_TRUST
from tests.lab.land.opponents import OPPONENTS as LAND
from tests.lab.mine.opponents import OPPONENTS as MINE
from tests.lab.opponents import Contender, LeveledOpponent, Opponents
from tests.lab.piecepack.opponents import OPPONENTS as PIECEPACK
from tests.support.seated_arena import SeatedArena

LEVEL: Final = "level"
BY_GAME: Final[Mapping[str, Opponents]] = {
    "diamond": DIAMOND,
    "diamond-trust": DIAMOND_TRUST,
    "land": LAND,
    "mine": MINE,
    "piecepack": PIECEPACK,
}
"""Who enters contests in a game besides `random` and the levels of its bot, by the id of the game."""


class NoContender(ValueError):
    """There is no player of that name; the message lists the existing ones."""


def opponents_of(game: Game) -> Opponents:
    """Returns the players of contests in a game: its own, `random`, and `level:N` if it has bots."""

    def of_level(level: int, seed: int) -> Chooser:
        return make_bot(game, level, seed).choose

    own = BY_GAME.get(game.id, Opponents({}))
    highest = len(levels_of(game))
    leveled = {**own.leveled, LEVEL: LeveledOpponent(highest, of_level)} if highest else own.leveled
    return replace(own, players={"random": at_random, **own.players}, leveled=leveled)


@dataclass(frozen=True)
class NamedContender:
    """A player of a game by its kind, and its level where it has one."""

    game: Game
    kind: str
    level: int = 0

    @classmethod
    def of(cls, game: Game, name: str) -> NamedContender:
        """Returns the player that a command names. Raises NoContender."""
        known = opponents_of(game)
        kind, colon, level = name.partition(":")
        if kind in known.players and not colon:
            return cls(game, kind)
        if kind in known.leveled and level.isascii() and level.isdigit() and 1 <= int(level) <= known.leveled[kind][0]:
            return cls(game, kind, int(level))
        kinds = ", ".join([*known.players, *(f"{kind}:N" for kind in known.leveled)])
        highest = ", ".join(f"{kind} from 1 to {one.highest}" for kind, one in known.leveled.items())
        raise NoContender(f"No player of {game.title} is called {name!r}. There are {kinds} ({highest or 'no levels'})")

    def player(self, seed: int) -> Chooser:
        """Returns a player, for one game."""
        known = opponents_of(self.game)
        return known.leveled[self.kind].make(self.level, seed) if self.level else known.players[self.kind](seed)


def at_random(seed: int) -> Chooser:
    """Returns a player that makes any legal choice."""

    def choose(observation: Observation) -> Plain:
        space = space_for(observation.state.ask(), observation.seat)
        assert space is not None
        return space.pick(Random(f"{seed} {observation.seat} {len(observation.story)}"))

    return choose


# -- games -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ContestTable:
    """What is played in a contest: a game, the number of its seats, and its options."""

    game: Game
    seats: int
    options: Mapping[str, Plain] = field(default_factory=dict)


@dataclass(frozen=True)
class Rotation:
    """The games of one seed, as many as there are seats: A sits once at each, and B at all others.

    By game, `points` are A's part of the first place, and `margins` by how much its score is above the average of the
    others'. `decisions` and `seconds` (of processor time) are those of A and of B, where there was something to decide.
    """

    seed: int
    points: tuple[float, ...]
    margins: tuple[float, ...]
    decisions: tuple[int, int]
    seconds: tuple[float, float]


def play_rotation(table: ContestTable, first: Contender, second: Contender, seed: int) -> Rotation:
    """Plays the games of a seed. All have the same chance, and each player has the same seed in all of them.

    The same seed gives the same games, except for the time that they take.
    """
    known, seats = opponents_of(table.game), table.seats
    clocks = DecisionTimer(known.is_forced), DecisionTimer(known.is_forced)
    points, margins = [], []
    for seat in range(seats):
        players = [
            clocks[number > 0].timed((second if number else first).player(seats * seed + number))
            for number in range(seats)
        ]
        sitting = players[seats - seat :] + players[: seats - seat]
        result = SeatedArena(table.game, seats, Random(seed), table.options).play(sitting)
        winners = result.winners
        points.append(1 / len(winners) if seat in winners else 0.0)
        scores = [known.score(result, one) for one in range(seats)]
        own = scores.pop(seat)
        margins.append(own - sum(scores) / len(scores))
    return Rotation(
        seed,
        tuple(points),
        tuple(margins),
        (clocks[0].decisions, clocks[1].decisions),
        (clocks[0].seconds, clocks[1].seconds),
    )


class DecisionTimer:
    """Counts the decisions of a player that are not forced, and the processor time that they take."""

    def __init__(self, is_forced: Callable[[Observation], bool]) -> None:
        self.decisions = 0
        self.seconds = 0.0
        self._is_forced = is_forced

    def timed(self, chooser: Chooser) -> Chooser:
        def choose(observation: Observation) -> Plain:
            start = time.process_time()
            choice = chooser(observation)
            if not self._is_forced(observation):
                self.decisions += 1
                self.seconds += time.process_time() - start
            return choice

        return choose
