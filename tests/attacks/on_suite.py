"""A peer that rolls other dice than its seed gives, and a conformance suite that runs without asserts."""

from __future__ import annotations

import shlex
import subprocess
import sys
from typing import Final

from tests.attacks.attack import Attack, Outcome

BROKEN: Final = {"roll: no word is passed over": "14-61", "roll: words little-endian": "15-17"}
"""Mutants of our own peer, and the cases that find them."""


def judged(mutant: str, case: str) -> int:
    """Returns the exit status of the suite under `python -O`."""
    target = shlex.join([sys.executable, "-m", "tests.conformance.mutants", mutant])
    suite = [sys.executable, "-O", "-m", "kimberley.client.cli.main", "conform", "--target", target, case]
    return subprocess.run(suite, capture_output=True, timeout=180).returncode


def run() -> Outcome:
    passed = [case for mutant, case in BROKEN.items() if judged(mutant, case) == 0]
    return Outcome(not passed, f"{len(passed)} of {len(BROKEN)} broken peers pass")


ATTACKS: Final = (Attack("suite-without-asserts", "Broken peers are tested under `python -O`", run),)
