"""Where the minutes of the tests go, from what pytest wrote with `--junitxml`.

    .venv/bin/pytest --all -n auto --junitxml=all.xml && .venv/bin/python -m tests.tools.minutes all.xml

Prints a table of the test files that took longest: seconds from beginning to end, and seconds of CPU, those of the
programs that the tests started included. Files run side by side, so both add up to more than a run takes. The last line
says how many tests passed and failed in all the files that were given.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

ROWS: Final = 25
FAILED: Final = frozenset({"failure", "error"})


@dataclass
class Spent:
    """What the tests of a file took together, in seconds."""

    tests: int = 0
    wall: float = 0.0
    cpu: float = 0.0
    longest: float = 0.0

    def add(self, other: Spent) -> None:
        self.tests += other.tests
        self.wall += other.wall
        self.cpu += other.cpu
        self.longest = max(self.longest, other.longest)

    def row(self, what: str) -> str:
        return f"| {what} | {self.tests} | {self.wall:.0f} | {self.cpu:.0f} | {self.longest:.1f} |"


def spent_by_file(cases: Sequence[ElementTree.Element]) -> dict[str, Spent]:
    """Returns the files, those that took longest first."""
    files: defaultdict[str, Spent] = defaultdict(Spent)
    for case in cases:
        wall = float(case.get("time", 0))
        cpu = sum(float(found.get("value", 0)) for found in case.iterfind("properties/property[@name='cpu']"))
        files[case.get("classname", "").replace(".", "/") + ".py"].add(Spent(1, wall, cpu, wall))
    return dict(sorted(files.items(), key=lambda entry: -entry[1].wall))


def table(files: dict[str, Spent]) -> str:
    rows = [spent.row(f"`{name}`") for name, spent in list(files.items())[:ROWS]]
    rest, total = Spent(), Spent()
    for number, spent in enumerate(files.values()):
        total.add(spent)
        if number >= ROWS:
            rest.add(spent)
    head = ("| File | Tests | Seconds | CPU seconds | Longest test |", "|---|---|---|---|---|")
    return "\n".join([*head, *rows, rest.row("all others"), total.row("together")])


def closing_line(cases: Sequence[ElementTree.Element]) -> str:
    """Returns how many passed and failed; an error on the way to or from a test is a failure."""
    failed = sum(any(child.tag in FAILED for child in case) for case in cases)
    skipped = sum(case.find("skipped") is not None for case in cases)
    line = f"{len(cases) - failed - skipped} passed, {failed} failed"
    return f"{line}, {skipped} skipped" if skipped else line


def main(reports: Sequence[str]) -> None:
    cases = [case for report in reports for case in ElementTree.parse(Path(report)).iter("testcase")]
    print(table(spent_by_file(cases)))
    print()
    print(closing_line(cases))


if __name__ == "__main__":
    main(sys.argv[1:])
