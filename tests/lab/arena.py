"""`arena [GAME] A B`: plays two players of a game against each other, in many games with changed seats."""

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
from kimberley.client.cli.output_file import OutputFile, OutputFileTrouble
from kimberley.client.session.workers import WorkerLost, as_done, cores, workers
from kimberley.games import lookup
from kimberley.games.table import Game, Plain
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.platform import monotonic
from kimberley.p2p.base.terminal import ChangingLine
from kimberley.p2p.sentences.options import refusal
from tests.lab.contest import (
    ContestTable,
    NamedContender,
    NoContender,
    Rotation,
    opponents_of,
    play_rotation,
)
from tests.lab.opponents import Contender
from tests.lab.rotation_log import DIGESTS, RotationLog
from tests.lab.work_files import Unusable, after_loss, going_on, load

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
        """Returns the standing after `rotations`, which must not be empty."""
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
    """Returns the 95% interval of a rate over that many games (Wilson 1927). It assumes independent games."""
    spread = NORMAL**2 / games
    middle = (rate + spread / 2) / (1 + spread)
    reach = NORMAL * math.sqrt(rate * (1 - rate) / games + spread / (4 * games)) / (1 + spread)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def run(found: argparse.Namespace, options: Mapping[str, Plain]) -> int:
    """Plays the remaining games and prints the standing, even if they end early. Raises UserError."""
    game = lookup.find(found.game)
    table = ContestTable(game, found.seats or min(game.seats), dict(options))
    if (reason := refusal(game, table.seats, options)) is not None:
        raise ArenaTrouble(reason)
    (first, digest_of_first), (second, digest_of_second) = contender(game, found.a), contender(game, found.b)
    digests = {name: digest for name, digest in ((found.a, digest_of_first), (found.b, digest_of_second)) if digest}
    plot = None if found.plot is None else OutputFile.at(found.plot, found.state, *map(Path, digests))
    book = RotationLog(found.state, described(found, digests), table.seats)
    status = _play(found, table, (first, second), book)
    if rotations := book.ordered(found.seed, found.pairs):
        _tell(found, table, rotations)
        if plot is not None:
            plot.write(_drawn(found, table, rotations))
    return status


def _play(
    found: argparse.Namespace, table: ContestTable, contenders: tuple[Contender, Contender], book: RotationLog
) -> int:
    """Plays what is not in the log yet. If that ends early, says why. Returns the exit status. Raises UserError."""
    progress = ContestProgress(sys.stderr, found.pairs, len(book.ordered(found.seed, found.pairs)))
    missing = (seed for seed in range(found.seed, found.seed + found.pairs) if seed not in book.rotations)
    try:
        with workers(found.workers, found.dask, after_loss(found.state)) as executor:
            jobs = ((table, *contenders, seed) for seed in missing)
            for rotation in as_done(executor, play_rotation, jobs, 2 * (found.workers or cores())):
                book.add(rotation)
                progress.show(book.ordered(found.seed, found.pairs))
    except KeyboardInterrupt:
        progress.end()
        done = len(book.ordered(found.seed, found.pairs))
        kept = f"stopped after {done} of {found.pairs} {unit_of(table)}. {going_on(found.state)}"
        print(f"lab: {kept}", file=sys.stderr)
        if not done:
            raise
    except (WorkerLost, OutputFileTrouble) as error:
        progress.end()
        print(f"lab: {error}", file=sys.stderr)
        return 1
    progress.end()
    return 0


def _tell(found: argparse.Namespace, table: ContestTable, rotations: Sequence[Rotation]) -> None:
    """Prints how the contest stands."""
    standing = ContestStanding.of(rotations)
    print(
        json.dumps({"game": table.game.id, "seats": table.seats, "a": found.a, "b": found.b, **asdict(standing)})
        if found.json
        else standing_sentence(found, table, standing)
    )


def _drawn(found: argparse.Namespace, table: ContestTable, rotations: Sequence[Rotation]) -> str:
    """Returns the contest as a picture."""
    from tests.lab.arena_plot import draw

    shares = [sum(rotation.points) / table.seats for rotation in rotations]
    return draw(f"{found.a} against {found.b}", unit_of(table), shares, table.seats, interval)


def described(found: argparse.Namespace, digests: Mapping[str, str]) -> dict[str, Any]:
    """Returns the contest as its file tells it from others: what the command says of it, without the defaults, and the
    digests of files with players.
    """
    game = None if found.game == DEFAULT_GAME else found.game
    optional = {"game": game, "seats": found.seats, "options": sorted(found.options), DIGESTS: digests}
    who = {"a": found.a, "b": found.b, "seed": found.seed}
    return {name: value for name, value in optional.items() if value} | who


def unit_of(table: ContestTable) -> str:
    """Returns what the games of one seed are called, in the plural."""
    return "pairs" if table.seats == 2 else "rotations"


def contender(game: Game, name: str) -> tuple[Contender, str]:
    """Returns the player with that name, or the one in that file (*.json), with the SHA-256 of the file; empty without
    one.

    Raises ArenaTrouble.
    """
    path = Path(name)
    if path.suffix != ".json":
        try:
            return NamedContender.of(game, name), ""
        except NoContender as error:
            raise ArenaTrouble(f"{error}.") from error
    known = opponents_of(game)
    if (read := known.read_trained) is None:
        raise ArenaTrouble(f"{path} cannot play: players of {game.title} are not trained into files.")
    try:
        return load(path, read)
    except Unusable as error:
        raise ArenaTrouble(
            f"{path} cannot be used: {error}. To train one: python -m tests.lab train --against search:4 --out {path}"
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
        f"{above}{margin}; {first:.1f} and {second:.1f} ms of processor time per decision"
    )


class ContestProgress:
    """Shows the progress in one changing line on a terminal; nothing elsewhere."""

    def __init__(self, stream: TextIO, count: int, done: int) -> None:
        self._line = ChangingLine(stream)
        self._count = count
        self._before = done
        self._start = monotonic()

    def show(self, rotations: Sequence[Rotation]) -> None:
        if not self._line.here or not rotations:
            return
        standing = ContestStanding.of(rotations)
        low, high = standing.interval
        played = len(rotations) - self._before
        left = (monotonic() - self._start) / max(played, 1) * (self._count - len(rotations))
        text = f"{len(rotations)}/{self._count}, {standing.win_rate:.1%} [{low:.1%}, {high:.1%}], {left:.0f} s left"
        self._line.show(text)

    def end(self) -> None:
        self._line.end()
