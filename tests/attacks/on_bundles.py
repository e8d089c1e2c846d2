"""A referee signs a bundle with false results, and `kimberley verify` checks it."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path

from kimberley.client.cli import verify_all
from kimberley.protocol.audit import FAIR
from tests.attacks.attack import Attack, Outcome
from tests.support.hostile_referee import FALSE, MISSING, UNPROVEN
from tests.support.told import Told, honest_cup


def verdict(told: Told, folder: Path) -> tuple[str, bool]:
    """Returns the verdict, and whether it warns that something is only the referee's word."""
    judged = verify_all.verify_bundle(told.write(folder / "false.cup"))
    return judged.finding.code, any("the referee's word" in line for line in verify_all.bundle_in_words(judged))


def false_results() -> Outcome:
    honest = honest_cup()
    with tempfile.TemporaryDirectory() as folder:
        changes = [*(change for change, _ in FALSE.values()), *MISSING.values()]
        found = Counter(verdict(change(honest), Path(folder))[0] for change in changes)
    return Outcome(not found[FAIR], f"{found[FAIR]} of {found.total()} false bundles are in order (exit 0)")


def on_its_word() -> Outcome:
    honest = honest_cup()
    with tempfile.TemporaryDirectory() as folder:
        told = [verdict(change(honest), Path(folder))[1] for change in UNPROVEN.values()]
    return Outcome(all(told), f"{told.count(False)} of {len(told)} rulings without proof pass without a word")


ATTACKS = (
    Attack("false-results", "A referee signs false results of games that were played.", false_results),
    Attack("referee-word", "A referee rules or lets in as it likes, where nobody can prove otherwise.", on_its_word),
)
