"""`kimberley conform`: runs the chosen cases against a target."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from kimberley.conformance.case import Case
from kimberley.conformance.cases import CASES
from kimberley.conformance.harness.target import split_command
from kimberley.conformance.report import report
from kimberley.conformance.report.progress import RunProgress
from kimberley.conformance.runner import WORKERS, run

OWN_PEER: Final = (sys.executable, "-P", "-m", "kimberley.conformance.target.peer")
STANDARD_OUTPUT: Final = "-"
"""The path that stands for standard output."""
NOT_PASSED: Final = 1
MISUSED: Final = 2


def _as_html(run: report.SuiteRun) -> str:
    from kimberley.conformance.report.page import as_html

    return as_html(run)


REPORTS: Final[Mapping[str, Callable[[report.SuiteRun], str]]] = {
    "json": report.as_json,
    "junit": report.as_junit,
    "html": _as_html,
}


WITHOUT_CASES: Final[Mapping[int, Sequence[str]]] = {2: ("GEN",), 19: ("JRN",), 24: ("LIM", "TIM")}
"""The areas of the requirements of sections that no case is named after: cases of other sections cover them."""


class UsageError(ValueError):
    """The command was misused. The sentence says what to do."""


def run_command(arguments: argparse.Namespace) -> int:
    """Runs the command with parsed arguments. Returns the exit status. Raises UsageError, OSError."""
    files = {kind: path for kind in REPORTS if (path := getattr(arguments, kind)) is not None}
    for kind, path in files.items():
        if path != STANDARD_OUTPUT and any(matches(case, path) for case in CASES.values()):
            raise UsageError(f"--{kind} {path} names a case: write cases before --{kind}, or --{kind}=FILE")
    if arguments.target is not None and not arguments.list:
        check_target(arguments.target)
    return conform(
        arguments.target,
        arguments.cases,
        exclude=arguments.exclude,
        strict=arguments.strict,
        listed=arguments.list,
        expected=arguments.expect,
        files=files,
        full=arguments.traffic,
        patience=arguments.patience,
        workers=arguments.workers,
    )


def check_target(command: str) -> None:
    """Raises UsageError if the command that starts the target names no program."""
    try:
        words = split_command(command)
    except ValueError as error:
        raise UsageError(f"--target {command} is not a command: {error}") from None
    if not words or shutil.which(words[0]) is None:
        raise UsageError(f"--target {command}: there is no program of that name that can be started here.")


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
    """Runs cases and reports their outcomes. Returns the exit status. Raises UsageError, OSError.

    Args:
        target: the command that starts the target; without it our own peer.
        patterns: which cases, see `choose`; without any, all of them.
        exclude: which cases to leave out, likewise.
        strict: whether missed SHOULDs and unimplemented parts count against the target.
        listed: whether the cases are listed instead of run.
        expected: a file with the ids of cases that may fail.
        files: the reports to write: by kind ("json", "junit", "html") the path, or "-" for standard output.
        full: whether reports also show the traffic of cases that are ok.
        patience: all time limits are multiplied by it.
        workers: how many cases run at the same time.

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
    progress = RunProgress(sys.stderr, people, len(cases))
    outcomes = run(
        target or OWN_PEER, cases, patience=patience, on_outcome=progress.on_outcome, workers=workers or WORKERS
    )
    progress.end()
    suite_run = report.SuiteRun(target or "kimberley peer", outcomes, strict, known, unknown, full)
    for kind, path in wanted.items():
        text = REPORTS[kind](suite_run)
        if path == STANDARD_OUTPUT:
            sys.stdout.write(text)
        else:
            Path(path).write_text(text, encoding="utf-8")
    print(report.summary(suite_run), file=people)
    if not suite_run.passed:
        return NOT_PASSED
    return MISUSED if unknown else 0


def choose(patterns: Sequence[str], exclude: Sequence[str] = ()) -> tuple[list[Case], list[str]]:
    """Returns the cases that patterns name, in order, and the patterns that name none. A pattern is an id, a section or
    a requirement; `*` stands for anything.
    """
    unknown = [one for one in (*patterns, *exclude) if not any(matches(case, one) for case in CASES.values())]
    chosen = [case for _, case in sorted(CASES.items()) if not patterns or _any(case, patterns)]
    return [case for case in chosen if not _any(case, exclude)], unknown


def matches(case: Case, pattern: str) -> bool:
    """Returns whether a pattern names a case."""
    names = (case.id, *case.covers)
    if pattern.isdecimal():
        areas = WITHOUT_CASES.get(int(pattern), ())
        return int(pattern) == case.section or any(name[2:5] in areas for name in case.covers)
    return any(fnmatchcase(name, pattern) for name in names)


def read_expected(path: Path) -> tuple[frozenset[str], list[str]]:
    """Returns the ids in a file, one a line, `#` before comments: those of cases, and the others. Raises OSError."""
    ids = [line.split("#")[0].strip() for line in path.read_text(encoding="utf-8").splitlines()]
    listed = frozenset(filter(None, ids))
    return listed & CASES.keys(), sorted(listed - CASES.keys())


def _any(case: Case, patterns: Iterable[str]) -> bool:
    return any(matches(case, pattern) for pattern in patterns)
