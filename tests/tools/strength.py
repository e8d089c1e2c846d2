"""How strong the tests are: what they reach, and which faults they catch.

    .venv/bin/python -m tests.tools.strength                             # all of it: takes hours
    .venv/bin/python -m tests.tools.strength coverage tests/protocol     # what these tests reach
    .venv/bin/python -m tests.tools.strength conformance -k roll         # these mutants of our own peer
    .venv/bin/python -m tests.tools.strength mutation --sample 10        # 10 random mutants of each area

`coverage` counts lines and branches of `games/` and `protocol/`. `conformance` gives the suite our own peer with the
faults of `tests/conformance/mutants.py`. `mutation` is `tests.tools.mutation` for each area; it needs
`pip install -e '.[dev,mutation]'`. Only what is printed counts: the figures are in no page. It ends with an error if a
test fails.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree

from tests.support.paths import ROOT
from tests.tools.mutation import AREAS

PYTEST: Final = (sys.executable, "-m", "pytest", "-n", "auto", "-p", "no:syrupy")
COUNTS: Final = ("covered_lines", "num_statements", "covered_branches", "num_branches")
MUTANTS: Final = "tests/conformance/test_mutants.py"
TRIES: Final = ("test_its_case_catches_the_mutant", "test_a_fault_that_the_suite_shares_is_found_by_the_case_or_by_a")
"""The tests that try one mutant each."""


def coverage(tests: Sequence[str]) -> int:
    """Runs tests; prints what they reach of each folder. Returns the status of pytest."""
    with tempfile.TemporaryDirectory() as folder:
        found = Path(folder) / "coverage.json"
        environ = os.environ | {"COVERAGE_FILE": str(Path(folder) / "coverage")}
        command = [*PYTEST, "-m", "not e2e", "--cov", f"--cov-report=json:{found}", *tests]
        ended = subprocess.run(command, cwd=ROOT, env=environ, check=False, stdout=sys.stderr)
        if found.exists():
            print("\n".join(reached(json.loads(found.read_text("utf-8"))["files"])))
    return ended.returncode


def reached(files: dict[str, Any]) -> Iterable[str]:
    """Yields the lines of a table with a row for each folder, from coverage's report on files."""
    sums: defaultdict[str, list[int]] = defaultdict(lambda: [0] * len(COUNTS))
    for path, report in files.items():
        for name in ("together", Path(path).parent.as_posix().removeprefix("src/kimberley/")):
            sums[name] = [
                sum(pair) for pair in zip(sums[name], map(report["summary"].__getitem__, COUNTS), strict=True)
            ]
    yield "| Folder | Lines | Branches |\n|---|---|---|"
    for name, (lines, all_lines, branches, all_branches) in sorted(
        sums.items(), key=lambda one: (one[0] == "together", one[0])
    ):
        yield f"| {name} | {share(lines, all_lines)} | {share(branches, all_branches)} |"


def share(part: int, whole: int) -> str:
    return f"{part / whole:.1%} of {whole:,}" if whole else "none"


def conformance(only: str) -> int:
    """Gives the suite our own peer with one fault after the other; prints how many it caught. Returns the status."""
    with tempfile.TemporaryDirectory() as folder:
        found = Path(folder) / "mutants.xml"
        command = [*PYTEST, f"--junitxml={found}", MUTANTS, *(("-k", only) if only else ())]
        ended = subprocess.run(command, cwd=ROOT, check=False, stdout=sys.stderr)
        if found.exists():
            print(caught(found.read_text("utf-8")))
    return ended.returncode


def caught(report: str) -> str:
    """Returns a sentence, and the mutants that were not caught, from pytest's report."""
    tests = [test for test in ElementTree.fromstring(report).iter("testcase") if test.get("name", "").startswith(TRIES)]
    good = {test: test.find("failure") is None and test.find("error") is None for test in tests}
    names = {test: test.get("name", "").partition("[")[2].removesuffix("]") for test in tests}
    missed = sorted({names[test] for test in tests if not good[test]})
    every = len(set(names.values()))
    return "\n".join([f"The suite caught {share(every - len(missed), every)} mutants.", *missed])


def mutation(sample: int) -> int:
    """Tries random mutants of each area; `tests.tools.mutation` prints what came of them. Returns the worst status."""
    if importlib.util.find_spec("mutmut") is None:
        print("Mutants of single functions need mutmut: .venv/bin/pip install -e '.[dev,mutation]'", file=sys.stderr)
        return 1
    command = [sys.executable, "-m", "tests.tools.mutation"]
    ends = [subprocess.run([*command, area, "--sample", str(sample)], cwd=ROOT, check=False) for area in AREAS]
    return max(ended.returncode for ended in ends)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("part", nargs="?", choices=("coverage", "conformance", "mutation"), help="only this")
    parser.add_argument("tests", nargs="*", metavar="TEST", help="for coverage: the tests to run (default: all)")
    parser.add_argument("-k", default="", metavar="WORD", help="for conformance: the mutants with this in their names")
    parser.add_argument("--sample", type=int, default=100, metavar="N", help="for mutation: how many of each area")
    wanted = parser.parse_args(arguments)
    parts: dict[str, Callable[[], int]] = {
        "coverage": lambda: coverage(wanted.tests),
        "conformance": lambda: conformance(wanted.k),
        "mutation": lambda: mutation(wanted.sample),
    }
    return max(part() for name, part in parts.items() if wanted.part in (None, name))


if __name__ == "__main__":
    sys.exit(main())
