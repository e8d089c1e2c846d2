"""The walker that compares two checkouts finds what a refactoring must not change, and nothing else."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from tests.tools.walk import compare

MOVES = "client/boards/mine/form_move.py"
STEPS = ("--only", "mine", "--steps", "60")
FAULTS = {
    "a chip that phones lack": (MOVES, "    touch_chip(canvas, 0, ON_ROOM,", "    0 and touch_chip(canvas, 0, ON_ROOM,"),
    "a click that means something else": (MOVES, 'False, ("focus", each)', 'False, ("drop", each)'),
    "a hint": (MOVES, 'Hint("Enter", "go", primary=True)', 'Hint("Enter", "move", primary=True)'),
    "a sentence of text mode": (MOVES, "Your card is {self.space.card}: move", "Your card is {self.space.card}, move"),
    "a color": (MOVES, 'f"{self.way.index(each) + 1} {name(each)}", "text"', 'f"{self.way.index(each) + 1} {name(each)}", "soft"'),
}  # fmt: skip


def checkout(folder: Path) -> Path:
    """A checkout like this one, whose client can be changed."""
    (folder / "src" / "kimberley").mkdir(parents=True)
    shutil.copytree(ROOT / "client", folder / "client", ignore=shutil.ignore_patterns("__pycache__"))
    for link in (ROOT / "src" / "kimberley").iterdir():
        place = folder / link.name if link.name == "client" else ROOT / link.name
        (folder / "src" / "kimberley" / link.name).symlink_to(place)
    (folder / "tests").symlink_to(ROOT / "tests")
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found(fault: str, tmp_path: Path) -> None:
    other = checkout(tmp_path)
    name, right, wrong = FAULTS[fault]
    text = (other / name).read_text("utf-8")
    assert text.count(right) == 1
    (other / name).write_text(text.replace(right, wrong), "utf-8")
    _, found = compare(other, ROOT, STEPS)
    assert found


@pytest.mark.slow
def test_the_same_code_looks_the_same(tmp_path: Path) -> None:
    count, found = compare(checkout(tmp_path), ROOT, ("--steps", "20"))
    assert found == []
    assert count > 1000
