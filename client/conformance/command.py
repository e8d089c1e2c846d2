"""`kimberley conform`: the cases that are chosen, against a target."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from client.conformance import report
from client.conformance.case import Case
from client.conformance.cases import CASES
from client.conformance.page import as_page
from client.conformance.runner import WORKERS, Outcome, run

OWN_PEER = (sys.executable, "-P", "-m", "client.peer")


class BadUse(ValueError):
    """What was typed cannot be done; the sentence says what to do."""


def run_command(found: argparse.Namespace) -> int:
    """What was typed. Returns the exit status. Raises BadUse, OSError."""
    files = {kind: path for kind in ("json", "junit", "html") if (path := getattr(found, kind)) is not None}
    return conform(
        found.target,
        found.cases,
        exclude=found.exclude,
        strict=found.strict,
        listed=found.list,
        expected=found.expect,
        files=files,
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
    files: dict[str, Path] | None = None,
    patience: float = 1.0,
    workers: int | None = None,
) -> int:
    """Runs cases and says what came of them. Returns 0 if the target has passed, else 1. Raises BadUse, OSError.

    `files` are the reports that are wanted: "json", "junit" and "html", each with its path.
    """
    cases = choose(patterns, exclude)
    if listed:
        for case in cases:
            print(f"{case.id}  {case.title}  [{', '.join(case.covers)}]")
        return 0
    known = read_expected(expected) if expected is not None else frozenset()
    command = target or OWN_PEER
    outcomes = run(command, cases, patience=patience, told=_told, workers=workers or WORKERS)
    found = report.Run(target or "kimberley peer", outcomes, strict, known)
    writers = {"json": report.as_json, "junit": report.as_junit, "html": as_page}
    for kind, path in (files or {}).items():
        path.write_text(writers[kind](found), encoding="utf-8")
    print(report.in_words(found))
    return 0 if found.passed else 1


def choose(patterns: Sequence[str], exclude: Sequence[str] = ()) -> list[Case]:
    """The cases that patterns name, in order: an id, a section, a requirement, with `*` for anything. Raises BadUse."""
    for pattern in (*patterns, *exclude):
        if not any(matches(case, pattern) for case in CASES.values()):
            raise BadUse(f"no case is called {pattern!r}: kimberley conform --list shows all")
    chosen = [case for _, case in sorted(CASES.items()) if not patterns or _any(case, patterns)]
    return [case for case in chosen if not _any(case, exclude)]


def matches(case: Case, pattern: str) -> bool:
    """Whether a pattern names a case."""
    section = pattern.isdecimal() and int(pattern) == case.section
    return section or any(fnmatchcase(name, pattern) for name in (case.id, *case.covers))


def read_expected(path: Path) -> frozenset[str]:
    """The ids in a file, one a line, with `#` before comments. Raises BadUse, OSError."""
    ids = [line.split("#")[0].strip() for line in path.read_text(encoding="utf-8").splitlines()]
    found = frozenset(filter(None, ids))
    if unknown := sorted(found - CASES.keys()):
        raise BadUse(f"{path} names cases that there are not: {' '.join(unknown)}")
    return found


def _any(case: Case, patterns: Iterable[str]) -> bool:
    return any(matches(case, pattern) for pattern in patterns)


def _told(outcome: Outcome) -> None:
    if outcome.verdict != "ok":
        print(report.line(outcome), flush=True)
