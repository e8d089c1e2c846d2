"""`kimberley arena A B`: plays two bots of Diamond Trust of London against each other, in many paired games."""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, TextIO

from kimberley.client.session.workers import as_done, cores, workers
from kimberley.games.diamond_trust import GAME
from kimberley.games.diamond_trust.contest import Contender, GamePair, NoContender, play_pair
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.platform import monotonic

NORMAL: Final = 1.959964
"""Standard errors to each side in a 95% interval."""


class ArenaTrouble(UserError):
    """The contest cannot begin; the message says why, and what to do."""


@dataclass(frozen=True)
class ContestStanding:
    """How A stands against B after pairs of games."""

    win_rate: float
    interval: tuple[float, float]
    margin: float
    games: int
    seconds_per_decision: tuple[float, float]

    @classmethod
    def of(cls, pairs: Sequence[GamePair]) -> ContestStanding:
        """The standing after `pairs`, which must not be empty."""
        games = 2 * len(pairs)
        rate = sum(sum(pair.points) for pair in pairs) / games
        margin = sum(sum(pair.margins) for pair in pairs) / games
        first, second = (
            sum(pair.seconds[side] for pair in pairs) / max(sum(pair.decisions[side] for pair in pairs), 1)
            for side in (0, 1)
        )
        return cls(rate, interval(rate, games), margin, games, (first, second))


def interval(rate: float, games: int) -> tuple[float, float]:
    """The 95% interval of a rate over so many games (Wilson 1927). It assumes that the games are independent."""
    spread = NORMAL**2 / games
    middle = (rate + spread / 2) / (1 + spread)
    reach = NORMAL * math.sqrt(rate * (1 - rate) / games + spread / (4 * games)) / (1 + spread)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def run(found: argparse.Namespace) -> int:
    """Plays the remaining pairs and prints the standing. Raises UserError."""
    first, second = contender(found.a), contender(found.b)
    book = PairLog(found.state, {"a": found.a, "b": found.b, "seed": found.seed})
    seeds = [seed for seed in range(found.seed, found.seed + found.pairs) if seed not in book.pairs]
    progress = ContestProgress(sys.stderr, found.pairs, len(book.pairs))
    try:
        with workers(found.workers, found.dask) as executor:
            jobs = [(GAME, first, second, seed) for seed in seeds]
            for pair in as_done(executor, play_pair, jobs, 2 * (found.workers or cores())):
                book.add(pair)
                progress.show(book.ordered(found.seed, found.pairs))
    except KeyboardInterrupt:
        progress.end()
        kept = f" The same command goes on from {found.state}." if found.state else " With --state FILE it could go on."
        print(f"kimberley: stopped after {len(book.pairs)} of {found.pairs} pairs.{kept}", file=sys.stderr)
        if not book.pairs:
            raise
    progress.end()
    pairs = book.ordered(found.seed, found.pairs)
    standing = ContestStanding.of(pairs)
    if found.plot is not None:
        from kimberley.client.cli.arena_plot import draw

        found.plot.write_text(draw(found.a, found.b, [sum(pair.points) / 2 for pair in pairs], interval), "utf-8")
    print(
        json.dumps({"a": found.a, "b": found.b, **asdict(standing)})
        if found.json
        else standing_sentence(found, standing)
    )
    return 0


def contender(name: str) -> Contender:
    """The player with that name, or the response in that file (*.json). Raises ArenaTrouble."""
    path = Path(name)
    if path.suffix != ".json":
        try:
            return Contender.named(name)
        except NoContender as error:
            raise ArenaTrouble(f"{error}.") from error
    try:
        return Contender.of_response(json.loads(path.read_text("utf-8")))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ArenaTrouble(
            f"{path} holds no response: {error}. This trains one: kimberley tune --against level:4 --out {path}"
        ) from error


def standing_sentence(found: argparse.Namespace, standing: ContestStanding) -> str:
    low, high = standing.interval
    first, second = (1000 * seconds for seconds in standing.seconds_per_decision)
    return (
        f"{found.a} against {found.b}: {standing.win_rate:.1%} [{low:.1%}, {high:.1%}] of {standing.games} games, "
        f"{standing.margin:+.1f} diamonds; a decision took {first:.1f} and {second:.1f} ms of processor time"
    )


class PairLog:
    """The pairs played so far.

    In a file, each line is a JSON object. The first line describes the contest, each other line a pair.
    """

    def __init__(self, path: Path | None, contest: dict[str, Any]) -> None:
        """Raises ArenaTrouble if the file belongs to another contest, or cannot be read or written."""
        self.pairs: dict[int, GamePair] = {}
        self._path = path
        if path is None:
            return
        try:
            lines = path.read_text("utf-8").splitlines() if path.exists() else []
            if not lines:
                path.write_text(json.dumps(contest) + "\n", "utf-8")
                return
            kept = [json.loads(line) for line in lines]
        except (OSError, ValueError) as error:
            raise ArenaTrouble(f"{path} cannot be used: {error}. Name another file.") from error
        if kept[0] != contest:
            raise ArenaTrouble(f"{path} holds another contest, {kept[0]}. Name another file for this one.")
        for line in kept[1:]:
            pair = GamePair(
                line["seed"], *(tuple(line[name]) for name in ("points", "margins", "decisions", "seconds"))
            )
            self.pairs[pair.seed] = pair

    def add(self, pair: GamePair) -> None:
        self.pairs[pair.seed] = pair
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(pair)) + "\n")

    def ordered(self, first: int, count: int) -> list[GamePair]:
        """The pairs played with `count` seeds from `first` on, in the order of their seeds."""
        return [self.pairs[seed] for seed in range(first, first + count) if seed in self.pairs]


class ContestProgress:
    """Shows the progress in one changing line on a terminal; elsewhere nothing."""

    def __init__(self, stream: TextIO, count: int, done: int) -> None:
        self._stream = stream
        self._here = stream.isatty()
        self._count = count
        self._before = done
        self._start = monotonic()

    def show(self, pairs: Sequence[GamePair]) -> None:
        if not self._here or not pairs:
            return
        standing = ContestStanding.of(pairs)
        low, high = standing.interval
        played = len(pairs) - self._before
        left = (monotonic() - self._start) / max(played, 1) * (self._count - len(pairs))
        text = f"{len(pairs)}/{self._count} pairs, {standing.win_rate:.1%} [{low:.1%}, {high:.1%}], {left:.0f} s left"
        print(f"\r\x1b[K{text}", end="", file=self._stream, flush=True)

    def end(self) -> None:
        if self._here:
            print("\r\x1b[K", end="", file=self._stream, flush=True)
