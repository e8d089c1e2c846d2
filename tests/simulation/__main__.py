"""Plays whole games at tables in virtual time, each from one number."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import count
from pathlib import Path

from kimberley.p2p.base.errors import UserError
from tests.simulation.campaign import Figures, Kept, play, run
from tests.simulation.catalogue import CATALOGUE
from tests.simulation.faults import FAULTS
from tests.simulation.plan import GAMES, Focus, plan

SHOWS_SECONDS = 1.0
"""The time between two lines of progress."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns 0 if every law held, 1 if one was broken, 2 if the request is impossible."""
    options = _parser().parse_args(arguments)
    focus = Focus(options.game, options.seats, options.trick, options.honest, small=options.small)
    if options.list:
        for trick in CATALOGUE.values():
            print(f"{trick.name} ({trick.rule}): {trick.outcome}")
        return 0
    if options.integer is not None:
        return _one(options.integer, focus, options.fault)
    try:
        return _faults(options) if options.faults else _many(options, focus)
    except UserError as error:
        print(error, file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--tables", type=int, help="how many tables (without --seconds: 100)")
    parser.add_argument("--seconds", type=float, help="stop after this many seconds")
    parser.add_argument("--start", type=int, default=0, help="the number of the first table (default: 0)")
    parser.add_argument("--integer", type=int, help="play only the table with this number, and print all about it")
    parser.add_argument("--game", choices=GAMES, help="only this game")
    parser.add_argument("--seats", type=int, help="only tables with this many seats")
    parser.add_argument(
        "--trick", choices=sorted(CATALOGUE), metavar="NAME", help="one seat cheats in this way at every table"
    )
    parser.add_argument("--honest", action="store_true", help="nobody cheats")
    parser.add_argument("--small", action="store_true", help="nothing is played over ristretto255")
    parser.add_argument("--list", action="store_true", help="list the tricks and what must come of them")
    parser.add_argument("--fault", choices=sorted(FAULTS), metavar="NAME", help="put this fault into the code first")
    parser.add_argument("--faults", action="store_true", help="for each fault, how many tables it takes to find it")
    parser.add_argument("--workers", type=int, help="how many processes (default: one per core)")
    parser.add_argument("--dask", metavar="ADDRESS", help="work on the Dask cluster with this scheduler")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="save results in this file, and continue from it")
    return parser


def _one(number: int, focus: Focus, fault: str | None) -> int:
    outcome = play(number, focus, fault)
    print(plan(number, focus))
    print(json.dumps(vars(outcome), indent=1))
    return 1 if outcome.broken else 0


def _many(options: argparse.Namespace, focus: Focus) -> int:
    with closing(Kept(options.keep)) as kept:
        return _go_on(options, focus, kept)


def _go_on(options: argparse.Namespace, focus: Focus, kept: Kept) -> int:
    """Plays the tables that are not in the file yet."""
    figures = Figures()
    for outcome in kept.outcomes:
        figures.add(outcome)
    most = options.tables or (None if options.seconds else 100)
    progress = _Progress(len(kept.outcomes), most, options.seconds)
    numbers = _numbers(options.start, most, kept.done, progress)
    try:
        for outcome in run(numbers, focus, fault=options.fault, count=options.workers, cluster=options.dask):
            kept.add(outcome)
            figures.add(outcome)
            if outcome.broken:
                progress.line(f"{outcome.number}: {outcome.broken}")
            progress.show(figures)
    except KeyboardInterrupt:
        progress.line("stopped" + (f"; the same command goes on from {options.keep}" if options.keep else ""))
    progress.end()
    print(json.dumps(figures.plain(), indent=1))
    for number in figures.broken:
        print(f"To see it again: python -m tests.simulation --integer {number}{_again(options)}", file=sys.stderr)
    return 1 if figures.broken else 0


def _numbers(start: int, most: int | None, done: set[int], progress: _Progress) -> Iterator[int]:
    for number in count(start):
        if (most is not None and number >= start + most) or progress.late:
            return
        if number not in done:
            yield number


def _again(options: argparse.Namespace) -> str:
    chosen = {"game": options.game, "seats": options.seats, "trick": options.trick, "fault": options.fault}
    words = [f" --{name} {json.dumps(value)}" for name, value in chosen.items() if value is not None]
    return "".join([*words, *(f" --{name}" for name in ("honest", "small") if getattr(options, name))])


def _faults(options: argparse.Namespace) -> int:
    """Tries each fault on the tables of consecutive integers, until one of them finds it."""
    missed = 0
    most = options.tables or 400
    for name, fault in FAULTS.items():
        broken = None
        for outcome in run(
            range(options.start, options.start + most),
            fault.focus,
            fault=name,
            count=options.workers,
            cluster=options.dask,
            enough=lambda outcome: bool(outcome.broken),
        ):
            broken = outcome if outcome.broken else broken
        missed += broken is None
        where = "not found" if broken is None else f"found at {broken.number}: {broken.broken[:150]}"
        print(f"{name}: {where}", flush=True)
    return 1 if missed else 0


class _Progress:
    """One line of progress on the terminal."""

    def __init__(self, before: int, most: int | None, seconds: float | None) -> None:
        self._before, self._most, self._seconds = before, most, seconds
        self._started = time.monotonic()
        self._shown = 0.0
        self._live = sys.stderr.isatty()

    @property
    def late(self) -> bool:
        return self._seconds is not None and time.monotonic() - self._started >= self._seconds

    def show(self, figures: Figures) -> None:
        now = time.monotonic()
        if now - self._shown < (SHOWS_SECONDS if self._live else 30 * SHOWS_SECONDS):
            return
        self._shown = now
        passed = now - self._started
        rate = (figures.tables - self._before) / passed if passed else 0.0
        of = f" of {self._most}" if self._most is not None else ""
        text = f"{figures.tables}{of} tables, {rate:.1f} a second, {len(figures.broken)} broken, {passed:.0f} s"
        print(f"\r{text}   " if self._live else text, end="" if self._live else "\n", file=sys.stderr, flush=True)

    def line(self, text: str) -> None:
        print(("\n" if self._live else "") + text, file=sys.stderr, flush=True)

    def end(self) -> None:
        if self._live:
            print(file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
