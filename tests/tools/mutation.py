"""How many mutants the tests find, from what `mutmut run` left in `mutants/`.

    .venv/bin/pip install -e '.[dev,mutation]' && .venv/bin/mutmut run 'kimberley.protocol.words.*'
    .venv/bin/mutmut run $(.venv/bin/python -m tests.tools.mutation --sample 20 --seed 1)
    .venv/bin/python -m tests.tools.mutation

`mutmut run` tries all mutants of the modules that pyproject.toml names, or those that are named behind it; it can be
stopped at any time, and goes on where it stopped. Every run first makes all mutants and finds out which tests reach
which functions. `--sample` names mutants, the same ones for the same seed: so many of each module at random. Without
it, prints a row for each module of which mutants were tried; the interval, of 95 % (Wilson), is what the share of all
of them may be, where those that were tried are a sample.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Final

from kimberley.client.cli.arena import interval

FOLDER: Final = Path("mutants")
SURVIVED: Final = (0, 33)
"""Exit statuses of mutmut for mutants that pass all tests that reach them, and for those that no test reaches."""


def modules(folder: Path) -> Iterator[tuple[str, dict[str, int | None]]]:
    """The modules, with what came of each mutant by its name, None where it was not tried."""
    for file in sorted(folder.rglob("*.py.meta")):
        found = json.loads(file.read_text())["exit_code_by_key"]
        yield str(file.relative_to(folder)).removeprefix("src/kimberley/").removesuffix(".meta"), found


def sample(folder: Path, most: int, seed: int) -> Iterator[str]:
    """Names of mutants: of each module so many at random, or all if it has no more."""
    for name, found in modules(folder):
        yield from Random(f"{seed} {name}").sample(sorted(found), min(most, len(found)))


def row(name: str, ends: Iterable[int | None]) -> str:
    every = list(ends)
    tried = [end for end in every if end is not None]
    found = sum(end not in SURVIVED for end in tried)
    low, high = interval(found / len(tried), len(tried))
    return f"| {name} | {len(every)} | {len(tried)} | {found} | {found / len(tried):.1%} | {low:.1%} to {high:.1%} |"


def main() -> int:
    parser = argparse.ArgumentParser(description="Name mutants to try, or say how many the tests find.")
    parser.add_argument("--sample", type=int, metavar="N", help="print the names of N mutants of each module")
    parser.add_argument("--seed", type=int, default=1, help="which ones (default: %(default)s)")
    wanted = parser.parse_args()
    if wanted.sample is not None:
        print("\n".join(sample(FOLDER, wanted.sample, wanted.seed)))
        return 0
    every = [(name, list(found.values())) for name, found in modules(FOLDER)]
    found = [(name, ends) for name, ends in every if any(end is not None for end in ends)]
    if not found:
        print("No mutant was tried yet: run `mutmut run` first.", file=sys.stderr)
        return 1
    print("| Module | Mutants | Tried | Found | Score | Interval |\n|---|---|---|---|---|---|")
    for name, ends in found:
        print(row(f"`{name}`", ends))
    print(row("together", [end for _, ends in found for end in ends]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
