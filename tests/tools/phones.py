"""Plays at tables of phones and terminals again and again: real programs, and phones in headless Chromium.

    .venv/bin/python -m tests.tools.phones --times 10                 # every table
    .venv/bin/python -m tests.tools.phones --times 2 land-4-2 mine-4-2   # the game, its seats, and its phones

Everybody compares the four words and plays some rounds. The host listens at all addresses of this machine. A game
fails if any connection ended, or if it stands still. Prints a line for each game, and ends with 1 if any failed.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Final, NamedTuple

from playwright.async_api import Error as PlaywrightError

from tests.support.chromium import open_chromium
from tests.support.phone_tables import at_one_table
from tests.support.seeded import SEED_VARIABLE

ROUNDS: Final = 6
MOST_SHOWN: Final = 4
"""Problems of one game that are printed."""


class Kind(NamedTuple):
    """A kind of table."""

    game: str
    seats: int
    phones: int

    @property
    def name(self) -> str:
        return f"{self.game}-{self.seats}-{self.phones}"


KINDS: Final = {
    kind.name: kind
    for kind in (
        Kind("land", 3, 1), Kind("land", 4, 2), Kind("land", 6, 2), Kind("mine", 4, 2),
        Kind("piecepack", 3, 1), Kind("piecepack", 4, 2), Kind("piecepack", 6, 2),
    )
}  # fmt: skip


def played(kind: Kind, rounds: int) -> list[str]:
    """Plays at a table of this kind once. Returns what went wrong."""
    with tempfile.TemporaryDirectory() as folder, open_chromium() as chromium:
        try:
            with at_one_table(
                chromium, Path(folder), kind.game, terminals=kind.seats - kind.phones, phones=kind.phones, bind=None
            ) as table:
                try:
                    table.play(rounds)
                finally:
                    problems = table.problems
        except (AssertionError, PlaywrightError) as error:
            return [str(error)]
    return problems


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.tools.phones", description="Plays at tables of phones and terminals."
    )
    parser.add_argument("--times", type=int, default=1, metavar="N", help="how often each table (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=ROUNDS, metavar="N", help="to be played (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of the first game (default: %(default)s)")
    parser.add_argument("table", nargs="*", metavar="TABLE", help=f"of {', '.join(KINDS)} (default: all)")
    typed = parser.parse_args()
    kinds = [KINDS[name] for name in typed.table] or [*KINDS.values()]
    whole = Counter[str]()
    for number in range(typed.times):
        os.environ[SEED_VARIABLE] = str(typed.seed + number)
        for kind in kinds:
            start = time.monotonic()
            problems = played(kind, typed.rounds)
            whole[kind.name] += not problems
            found = f"{typed.rounds} rounds" if not problems else "\n  ".join(["FAILED", *problems[:MOST_SHOWN]])
            print(f"{kind.name}, seed {typed.seed + number}, {time.monotonic() - start:.0f} s: {found}", flush=True)
    for kind in kinds:
        print(f"{kind.name}: {whole[kind.name]} of {typed.times} as they should be")
    return 1 if whole.total() < len(kinds) * typed.times else 0


if __name__ == "__main__":
    sys.exit(main())
