"""Plays the whole games of the tests again and again, each time with another seed.

    .venv/bin/python -m tests.tools.soak --runs 20 --seed 100                      # seeds 100 to 119
    .venv/bin/python -m tests.tools.soak --runs 5 tests/e2e/terminal/test_land.py  # only these games

Everything else that is typed goes to pytest.

Prints how to play again what failed. Ends with 1 if anything did.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from typing import Final

from tests.support.paths import ROOT

WHOLE_GAMES: Final = ("tests/e2e", "tests/client/plain/test_plain.py")


def main() -> int:
    parser = argparse.ArgumentParser(description="Play whole games with other seeds.")
    parser.add_argument("--runs", type=int, default=10, metavar="N", help="how many seeds (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="the first of them (default: %(default)s)")
    found, tests = parser.parse_known_args()
    failed = []
    for seed in range(found.seed, found.seed + found.runs):
        command = [sys.executable, "-m", "pytest", "--seed", str(seed), *(tests or WHOLE_GAMES)]
        if subprocess.run(command, cwd=ROOT, check=False).returncode:
            failed.append(seed)
    print(f"{found.runs} runs from seed {found.seed}, {len(failed)} failed{': seeds ' * bool(failed)}", *failed)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
