"""Plays whole tournaments with hostile players in virtual time, each from one number."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import count
from typing import Final

from tests.simulation.evenings.campaign import Figures, play, run
from tests.simulation.evenings.evening import Outcome
from tests.simulation.evenings.faults import FAULTS, Fault
from tests.simulation.evenings.plan import Focus, plan
from tests.simulation.evenings.tricks import TRICKS

SHOWS_SECONDS: Final = 60.0
"""The time between two lines of progress."""
MOST_FOR_A_FAULT: Final = 400


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns 0 if every law held, 1 if one was broken."""
    options = _parser().parse_args(arguments)
    focus = Focus(options.trick, honest=options.honest)
    if options.list:
        for name in TRICKS:
            print(name)
        return 0
    if options.integer is not None:
        return _one(options.integer, focus, options.fault)
    return _faults(options) if options.faults else _many(options, focus)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation.evenings", description=__doc__)
    parser.add_argument("--evenings", type=int, help="how many evenings (without --seconds and --hours: 100)")
    parser.add_argument("--seconds", type=float, help="stop after this many seconds")
    parser.add_argument("--hours", type=float, help="stop after this many hours")
    parser.add_argument("--start", type=int, default=0, help="the number of the first evening (default: 0)")
    parser.add_argument("--integer", type=int, help="play only the evening with this number, and print all about it")
    parser.add_argument("--trick", choices=sorted(TRICKS), metavar="NAME", help="every hostile player does this")
    parser.add_argument("--honest", action="store_true", help="nobody is hostile")
    parser.add_argument("--list", action="store_true", help="list the tricks")
    parser.add_argument("--fault", choices=sorted(FAULTS), metavar="NAME", help="put this fault into the code first")
    parser.add_argument("--faults", action="store_true", help="for each fault, how many evenings it takes to find it")
    parser.add_argument("--any", action="store_true", help="with --faults: whatever the hostile players do")
    parser.add_argument("--workers", type=int, help="how many processes (default: one per core)")
    return parser


def _one(number: int, focus: Focus, fault: str | None) -> int:
    outcome = play(number, focus, fault)
    print(plan(number, focus))
    print(json.dumps(vars(outcome), indent=1))
    return 1 if outcome.broken else 0


def _many(options: argparse.Namespace, focus: Focus) -> int:
    started, shown, figures = time.monotonic(), time.monotonic(), Figures()
    most_seconds = options.hours * 3600 if options.hours else options.seconds
    most = options.evenings or (None if most_seconds else 100)

    def numbers() -> Iterator[int]:
        for number in count(options.start):
            late = most_seconds is not None and time.monotonic() - started >= most_seconds
            if late or (most is not None and number >= options.start + most):
                return
            yield number

    try:
        for outcome in run(numbers(), focus, fault=options.fault, count=options.workers):
            figures.add(outcome)
            if outcome.broken:
                print(f"{outcome.number}: {outcome.broken}", file=sys.stderr, flush=True)
            if time.monotonic() - shown >= SHOWS_SECONDS:
                shown = time.monotonic()
                passed = shown - started
                rate = figures.evenings / passed * 3600
                told = f"{figures.evenings} evenings, {rate:.0f} an hour, {len(figures.broken)} broken, {passed:.0f} s"
                print(told, file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
    print(json.dumps(figures.plain(), indent=1))
    chosen = {"trick": options.trick, "fault": options.fault}
    again = "".join(f" --{name} {json.dumps(value)}" for name, value in chosen.items() if value is not None)
    for number in figures.broken:
        print(
            f"To see it again: python -m tests.simulation.evenings --integer {number}{again}"
            + (" --honest" if options.honest else ""),
            file=sys.stderr,
        )
    return 1 if figures.broken else 0


def _faults(options: argparse.Namespace) -> int:
    """Tries each fault on the evenings of consecutive integers, until one of them finds it."""
    missed = 0
    most = options.evenings or MOST_FOR_A_FAULT
    for name, fault in FAULTS.items():
        if options.fault not in (None, name):
            continue
        broken = None
        for outcome in run(
            range(options.start, options.start + most),
            Focus() if options.any else fault.focus,
            fault=name,
            count=options.workers,
            enough=partial(_finds, fault),
        ):
            broken = outcome if _finds(fault, outcome) else broken
        missed += broken is None
        where = "not found" if broken is None else f"found at {broken.number}: {broken.broken[:150]}"
        print(f"{name}: {where}", flush=True)
    return 1 if missed else 0


def _finds(fault: Fault, outcome: Outcome) -> bool:
    return fault.finds(outcome.broken)


if __name__ == "__main__":
    sys.exit(main())
