"""How many mutants the tests find, from what `mutmut run` left in `mutants/`.

    .venv/bin/pip install -e '.[dev,mutation]' && .venv/bin/mutmut run
    .venv/bin/python -m tests.tools.mutation

`mutmut run` tries all mutants of the modules that pyproject.toml names, or those that are named behind it
(`mutmut run 'kimberley.protocol.crypto.*'`); it can be stopped at any time, and goes on where it stopped. Prints a row
for each module of which mutants were tried; the interval, of 95 % (Wilson), is what the share of all of them may be,
where those that were tried are a sample.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from kimberley.client.cli.arena import interval

SURVIVED: Final = (0, 33)
"""Exit statuses of mutmut for mutants that pass all tests that reach them, and for those that no test reaches."""


def modules(folder: Path) -> Iterator[tuple[str, list[int | None]]]:
    """The modules, with what came of each mutant, None where it was not tried."""
    for file in sorted(folder.rglob("*.py.meta")):
        found = json.loads(file.read_text())["exit_code_by_key"]
        yield str(file.relative_to(folder)).removesuffix(".meta"), list(found.values())


def row(name: str, ends: Iterable[int | None]) -> str:
    every = list(ends)
    tried = [end for end in every if end is not None]
    found = sum(end not in SURVIVED for end in tried)
    low, high = interval(found / len(tried), len(tried))
    return f"| {name} | {len(every)} | {len(tried)} | {found} | {found / len(tried):.1%} | {low:.1%} to {high:.1%} |"


def main() -> int:
    found = [(name, ends) for name, ends in modules(Path("mutants")) if any(end is not None for end in ends)]
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
