"""How many mutants the quick tests find, in a random sample of all mutants of an area.

    .venv/bin/pip install -e '.[dev,mutation]'
    .venv/bin/python -m tests.tools.mutation rules --sample 100 --seed 2
    .venv/bin/python -m tests.tools.mutation rules kimberley.games.mine.moves.x_lines__mutmut_3
    .venv/bin/mutmut show kimberley.games.mine.moves.x_lines__mutmut_3

A mutant is the program with one thing changed in one function. mutmut makes them, in `mutants/`, of the modules that
pyproject.toml names; `tests.tools.mutation_plugin` tries them, with the tests of TESTS. Prints a row for each module of
the sample, and the mutants for which no test failed. The interval, of 95 % (Wilson), is where the share of all mutants
of the area may lie; it means nothing where the mutants are named one by one.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from random import Random
from typing import Any, Final

FOLDER: Final = Path("mutants")
SOURCE: Final = FOLDER / "src" / "kimberley"
ORDER, TRIED, LOG = FOLDER / "order.json", FOLDER / "tried.jsonl", FOLDER / "pytest.log"
TESTS: Final[Mapping[str, tuple[str, ...]]] = {
    "protocol": (
        "--deselect=tests/conformance/test_vectors.py::test_the_vectors_ship_in_the_wheel",
        "--deselect=tests/conformance/test_vectors.py::test_every_file_fits_the_schema",
        "tests/protocol", "tests/conformance/test_forgeries.py", "tests/conformance/test_forged_envelopes.py",
        "tests/conformance/test_vectors.py",
        "tests/games/test_table.py",
    ),
    "rules": (
        *(f"--ignore-glob=*/test_{name}.py" for name in ("bot", "beliefs", "heuristic", "policy", "simulator")),
        *(f"--ignore-glob=*/test_{name}.py" for name in ("arena", "reduced", "tables", "world")), "tests/games",
    ),
    "tournament": ("tests/p2p/tournament",),
    "referee": ("tests/referee",),
}  # fmt: skip
"""What pytest is asked to run for each area. Bots and whole tables take long to find a fault of the rules."""
AREAS: Final[Mapping[str, str]] = {"protocol": "protocol", "rules": "games", "tournament": "p2p", "referee": "referee"}
"""The folder of each area; `only_mutate` in pyproject.toml names the modules in it."""
FOUND: Final = ("failed", "timeout")


def make() -> None:
    """Makes all mutants, or those of modules that have changed, as `mutmut run` does before it tries them."""
    from mutmut.__main__ import create_mutants
    from mutmut.mutation.trampoline import set_mutant_under_test
    from mutmut.utils.file_utils import copy_also_copy_files, copy_src_dir

    set_mutant_under_test("mutant_generation")
    FOLDER.mkdir(exist_ok=True)
    copy_src_dir()
    copy_also_copy_files()
    create_mutants(os.cpu_count() or 1)
    set_mutant_under_test("")


def modules(area: str) -> dict[str, list[str]]:
    """Returns the mutants of each module of an area, by name."""
    metas = sorted((SOURCE / AREAS[area]).rglob("*.py.meta"))
    named = {str(meta.relative_to(SOURCE)).removesuffix(".meta"): json.loads(meta.read_text()) for meta in metas}
    return {module: sorted(found["exit_code_by_key"]) for module, found in named.items()}


def attempt(area: str, names: Iterable[str], workers: int) -> list[dict[str, Any]]:
    """Tries mutants in this order. Returns what came of each.

    Raises:
        RuntimeError: The tests did not pass without a mutant, or pytest could not run.
    """
    options = [
        "--rootdir=.", "-p", "no:cacheprovider", "-p", "no:xdist", "-o", "addopts=--import-mode=importlib",
        "-m", "not slow and not e2e", *(test for test in TESTS[area] if test.startswith("--")),
    ]  # fmt: skip
    folders = [test for test in TESTS[area] if not test.startswith("--")]
    ORDER.write_text(json.dumps({"area": area, "names": list(names), "workers": workers, "options": options}))
    TRIED.write_text("")
    environment = os.environ | {"PYTHONPATH": str((FOLDER / "src").absolute()), "MUTANT_UNDER_TEST": "stats"}
    with LOG.open("w") as log:
        ended = subprocess.run(
            [sys.executable, "-m", "pytest", "-p", "tests.tools.mutation_plugin", *options, *folders],
            cwd=FOLDER, env=environment, stdout=log, stderr=subprocess.STDOUT, check=False,
        )  # fmt: skip
    if ended.returncode:
        raise RuntimeError(f"pytest ended with {ended.returncode}: see {LOG}")
    return [json.loads(line) for line in TRIED.read_text().splitlines()]


def row(name: str, mutants: int, outcomes: list[str]) -> str:
    from tests.lab.arena import interval

    found = sum(outcome in FOUND for outcome in outcomes)
    low, high = interval(found / len(outcomes), len(outcomes))
    share = f"{found / len(outcomes):.1%} | {low:.1%} to {high:.1%}"
    return f"| {name} | {mutants:,} | {len(outcomes)} | {found} | {share} |"


def main() -> int:
    parser = argparse.ArgumentParser(description="Say how many mutants the quick tests find.")
    parser.add_argument("area", choices=AREAS, help="whose mutants")
    parser.add_argument("names", nargs="*", metavar="MUTANT", help="only these mutants")
    parser.add_argument("--sample", type=int, metavar="N", help="N of the area's mutants, at random (default: all)")
    parser.add_argument("--seed", type=int, default=1, help="which ones (default: %(default)s)")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="mutants at a time (default: cores)")
    wanted = parser.parse_args()
    make()
    every = modules(wanted.area)
    names = [name for found in every.values() for name in found]
    order = Random(f"{wanted.seed} {wanted.area}").sample(names, min(wanted.sample or len(names), len(names)))
    outcome = {tried["name"]: tried["outcome"] for tried in attempt(wanted.area, wanted.names or order, wanted.workers)}
    print("| Module | Mutants | Tried | Found | Score | Interval |\n|---|---|---|---|---|---|")
    for module, found in every.items():
        outcomes = [outcome[name] for name in found if name in outcome]
        if outcomes:
            print(row(f"`{module}`", len(found), outcomes))
    print(row("together", len(names), list(outcome.values())))
    print(*(f"{end}: {name}" for name, end in sorted(outcome.items()) if end != "failed"), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
