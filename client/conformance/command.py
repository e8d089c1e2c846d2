"""`kimberley conform`: the cases that are chosen, against a target."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from client.conformance import report
from client.conformance.case import Case
from client.conformance.cases import CASES
from client.conformance.page import as_page
from client.conformance.progress import Progress
from client.conformance.runner import WORKERS, run

OWN_PEER: Final = (sys.executable, "-P", "-m", "client.peer")
STANDARD_OUTPUT: Final = "-"
"""In place of a report's path."""
NOT_PASSED: Final = 1
MISUSED: Final = 2
REPORTS: Final[Mapping[str, Callable[[report.Run], str]]] = {
    "json": report.as_json,
    "junit": report.as_junit,
    "html": as_page,
}


class BadUse(ValueError):
    """What was typed cannot be done; the sentence says what to do."""


def run_command(found: argparse.Namespace) -> int:
    """What was typed. Returns the exit status. Raises BadUse, OSError."""
    files = {kind: path for kind in REPORTS if (path := getattr(found, kind)) is not None}
    for kind, path in files.items():
        if path != STANDARD_OUTPUT and any(matches(case, path) for case in CASES.values()):
            raise BadUse(f"--{kind} {path} names a case: write cases before --{kind}, or --{kind}=FILE")
    return conform(
        found.target,
        found.cases,
        exclude=found.exclude,
        strict=found.strict,
        listed=found.list,
        expected=found.expect,
        files=files,
        full=found.traffic,
        patience=found.patience,
        workers=found.workers,
    )


def conform(
    target: str | None,
    patterns: Sequence[str] = (),
    *,
    exclude: Sequence[str] = (),
    strict: bool = False,
    listed: bool = False,
    expected: Path | None = None,
    files: Mapping[str, str] | None = None,
    full: bool = False,
    patience: float = 1.0,
    workers: int | None = None,
) -> int:
    """Runs cases and says what came of them. Returns the exit status. Raises BadUse, OSError.

    Args:
        target: the command that plays the peer; without it our own.
        patterns: which cases, see `choose`; without any, all of them.
        exclude: which cases not, likewise.
        strict: whether a missed SHOULD, and what is not implemented, count against the target.
        listed: whether cases are listed and not run.
        expected: a file with the ids of cases that may fail.
        files: the reports that are wanted, by kind ("json", "junit", "html"), each with its path, or "-".
        full: whether reports show the traffic of cases that are ok, too.
        patience: what all limits are multiplied by.
        workers: how many cases run at a time.

    """
    cases, unknown = choose(patterns, exclude)
    known, mistaken = read_expected(expected) if expected is not None else (frozenset[str](), [])
    unknown += mistaken
    if unknown and (listed or not cases):
        for name in unknown:
            print(f"kimberley: {report.unknown_case(name)}", file=sys.stderr)
        if not cases:
            return MISUSED
    if listed:
        for case in cases:
            print(f"{case.id}  {case.title}  [{', '.join(case.covers)}]")
        return MISUSED if unknown else 0
    wanted = files or {}
    people = sys.stderr if STANDARD_OUTPUT in wanted.values() else sys.stdout
    progress = Progress(sys.stderr, people, len(cases))
    outcomes = run(target or OWN_PEER, cases, patience=patience, told=progress.told, workers=workers or WORKERS)
    progress.end()
    found = report.Run(target or "kimberley peer", outcomes, strict, known, unknown, full)
    for kind, path in wanted.items():
        text = REPORTS[kind](found)
        if path == STANDARD_OUTPUT:
            sys.stdout.write(text)
        else:
            Path(path).write_text(text, encoding="utf-8")
    print(report.in_words(found), file=people)
    if not found.passed:
        return NOT_PASSED
    return MISUSED if unknown else 0


def choose(patterns: Sequence[str], exclude: Sequence[str] = ()) -> tuple[list[Case], list[str]]:
    """The cases that patterns name, in order: an id, a section, a requirement, with `*` for anything. Also the patterns
    that name none.
    """
    unknown = [one for one in (*patterns, *exclude) if not any(matches(case, one) for case in CASES.values())]
    chosen = [case for _, case in sorted(CASES.items()) if not patterns or _any(case, patterns)]
    return [case for case in chosen if not _any(case, exclude)], unknown


def matches(case: Case, pattern: str) -> bool:
    """Whether a pattern names a case."""
    section = pattern.isdecimal() and int(pattern) == case.section
    return section or any(fnmatchcase(name, pattern) for name in (case.id, *case.covers))


def read_expected(path: Path) -> tuple[frozenset[str], list[str]]:
    """The ids of cases in a file, one a line, with `#` before comments. Also those that no case has. Raises OSError."""
    ids = [line.split("#")[0].strip() for line in path.read_text(encoding="utf-8").splitlines()]
    found = frozenset(filter(None, ids))
    return found & CASES.keys(), sorted(found - CASES.keys())


def _any(case: Case, patterns: Iterable[str]) -> bool:
    return any(matches(case, pattern) for pattern in patterns)
