"""`kimberley arena [GAME] A B`: plays two players of a game against each other, in many games with changed seats."""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, TextIO

from kimberley.client.cli.arguments import DEFAULT_GAME
from kimberley.client.session.options import refusal
from kimberley.client.session.workers import as_done, cores, workers
from kimberley.games import lookup
from kimberley.games.contest import (
    Contender,
    ContestTable,
    NamedContender,
    NoContender,
    Rotation,
    opponents_of,
    play_rotation,
)
from kimberley.games.table import Game, Plain
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.platform import monotonic

NORMAL: Final = 1.959964
"""Standard errors to each side in a 95% interval."""


class ArenaTrouble(UserError):
    """The contest cannot begin; the message says why, and what to do."""


@dataclass(frozen=True)
class ContestStanding:
    """How A stands against B after some rotations.

    `win_rate` is A's share of the first places, `fair_share` what it would be if all seats were equally strong. `above`
    is the part of what lies above the fair share that A has won, 0 for an equal player and 1 for one that always wins.
    """

    win_rate: float
    interval: tuple[float, float]
    margin: float
    games: int
    seconds_per_decision: tuple[float, float]
    fair_share: float
    above: float
    above_interval: tuple[float, float]

    @classmethod
    def of(cls, rotations: Sequence[Rotation]) -> ContestStanding:
        """The standing after `rotations`, which must not be empty."""
        seats = len(rotations[0].points)
        games, fair = seats * len(rotations), 1 / seats
        rate = sum(sum(rotation.points) for rotation in rotations) / games
        low, high = interval(rate, games)
        margin = sum(sum(rotation.margins) for rotation in rotations) / games
        first, second = (
            sum(rotation.seconds[side] for rotation in rotations)
            / max(sum(rotation.decisions[side] for rotation in rotations), 1)
            for side in (0, 1)
        )
        above, least, most = ((share - fair) / (1 - fair) for share in (rate, low, high))
        return cls(rate, (low, high), margin, games, (first, second), fair, above, (least, most))


def interval(rate: float, games: int) -> tuple[float, float]:
    """The 95% interval of a rate over so many games (Wilson 1927). It assumes that the games are independent."""
    spread = NORMAL**2 / games
    middle = (rate + spread / 2) / (1 + spread)
    reach = NORMAL * math.sqrt(rate * (1 - rate) / games + spread / (4 * games)) / (1 + spread)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def run(found: argparse.Namespace, options: Mapping[str, Plain]) -> int:
    """Plays the remaining games and prints the standing. Raises UserError."""
    game = lookup.find(found.game)
    table = ContestTable(game, found.seats or min(game.seats), dict(options))
    if (reason := refusal(game, table.seats, options)) is not None:
        raise ArenaTrouble(reason)
    first, second = contender(game, found.a), contender(game, found.b)
    book = RotationLog(found.state, described(found))
    seeds = [seed for seed in range(found.seed, found.seed + found.pairs) if seed not in book.rotations]
    progress = ContestProgress(sys.stderr, found.pairs, len(book.rotations))
    try:
        with workers(found.workers, found.dask) as executor:
            jobs = [(table, first, second, seed) for seed in seeds]
            for rotation in as_done(executor, play_rotation, jobs, 2 * (found.workers or cores())):
                book.add(rotation)
                progress.show(book.ordered(found.seed, found.pairs))
    except KeyboardInterrupt:
        progress.end()
        kept = f" The same command goes on from {found.state}." if found.state else " With --state FILE it could go on."
        done, unit = len(book.rotations), unit_of(table)
        print(f"kimberley: stopped after {done} of {found.pairs} {unit}.{kept}", file=sys.stderr)
        if not book.rotations:
            raise
    progress.end()
    rotations = book.ordered(found.seed, found.pairs)
    standing = ContestStanding.of(rotations)
    if found.plot is not None:
        from kimberley.client.cli.arena_plot import draw

        shares = [sum(rotation.points) / table.seats for rotation in rotations]
        picture = draw(f"{found.a} against {found.b}", unit_of(table), shares, table.seats, interval)
        found.plot.write_text(picture, "utf-8")
    print(
        json.dumps({"game": game.id, "seats": table.seats, "a": found.a, "b": found.b, **asdict(standing)})
        if found.json
        else standing_sentence(found, table, standing)
    )
    return 0


def described(found: argparse.Namespace) -> dict[str, Any]:
    """The contest as its file tells it from others: what the command says of it, without what is so by default."""
    game = None if found.game == DEFAULT_GAME else found.game
    optional = {"game": game, "seats": found.seats, "options": sorted(found.options)}
    who = {"a": found.a, "b": found.b, "seed": found.seed}
    return {name: value for name, value in optional.items() if value} | who


def unit_of(table: ContestTable) -> str:
    """What the games of one seed are called, of several seeds."""
    return "pairs" if table.seats == 2 else "rotations"


def contender(game: Game, name: str) -> Contender:
    """The player with that name, or the response in that file (*.json). Raises ArenaTrouble."""
    path = Path(name)
    if path.suffix != ".json":
        try:
            return NamedContender.of(game, name)
        except NoContender as error:
            raise ArenaTrouble(f"{error}.") from error
    read = opponents_of(game).read_trained
    if read is None:
        raise ArenaTrouble(f"{path} cannot play: players of {game.title} are not trained into files.")
    try:
        return read(json.loads(path.read_text("utf-8")))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ArenaTrouble(
            f"{path} holds no response: {error}. This trains one: kimberley train --against search:4 --out {path}"
        ) from error


def standing_sentence(found: argparse.Namespace, table: ContestTable, standing: ContestStanding) -> str:
    low, high = standing.interval
    first, second = (1000 * seconds for seconds in standing.seconds_per_decision)
    rivals, above = found.b, ""
    if table.seats > 2:
        least, most = standing.above_interval
        rivals = f"{table.seats - 1} of {found.b}"
        above = f", {standing.above:.1%} [{least:.1%}, {most:.1%}] of what is above {standing.fair_share:.1%}"
    unit = opponents_of(table.game).unit
    margin = f", {standing.margin:+.1f} {unit}" if unit else ""
    return (
        f"{found.a} against {rivals}: {standing.win_rate:.1%} [{low:.1%}, {high:.1%}] of {standing.games} games"
        f"{above}{margin}; a decision took {first:.1f} and {second:.1f} ms of processor time"
    )


class RotationLog:
    """The rotations played so far.

    In a file, each line is a JSON object. The first line describes the contest, each other line a rotation.
    """

    def __init__(self, path: Path | None, contest: dict[str, Any]) -> None:
        """Raises ArenaTrouble if the file belongs to another contest, or cannot be read or written."""
        self.rotations: dict[int, Rotation] = {}
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
            rotation = Rotation(
                line["seed"], *(tuple(line[name]) for name in ("points", "margins", "decisions", "seconds"))
            )
            self.rotations[rotation.seed] = rotation

    def add(self, rotation: Rotation) -> None:
        self.rotations[rotation.seed] = rotation
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(rotation)) + "\n")

    def ordered(self, first: int, count: int) -> list[Rotation]:
        """The rotations played with `count` seeds from `first` on, in the order of their seeds."""
        return [self.rotations[seed] for seed in range(first, first + count) if seed in self.rotations]


class ContestProgress:
    """Shows the progress in one changing line on a terminal; elsewhere nothing."""

    def __init__(self, stream: TextIO, count: int, done: int) -> None:
        self._stream = stream
        self._here = stream.isatty()
        self._count = count
        self._before = done
        self._start = monotonic()

    def show(self, rotations: Sequence[Rotation]) -> None:
        if not self._here or not rotations:
            return
        standing = ContestStanding.of(rotations)
        low, high = standing.interval
        played = len(rotations) - self._before
        left = (monotonic() - self._start) / max(played, 1) * (self._count - len(rotations))
        text = f"{len(rotations)}/{self._count}, {standing.win_rate:.1%} [{low:.1%}, {high:.1%}], {left:.0f} s left"
        print(f"\r\x1b[K{text}", end="", file=self._stream, flush=True)

    def end(self) -> None:
        if self._here:
            print("\r\x1b[K", end="", file=self._stream, flush=True)
