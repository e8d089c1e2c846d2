"""The walker that compares two checkouts finds what a refactoring must not change, and nothing else."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from tests.tools.walk import Walks, differences, looks

PANEL = "client/boards/mine/panel.py"
PLACES = "client/boards/mine/form_place.py"
MOVES = "client/boards/mine/form_move.py"
SCENE = "client/boards/mine/scene.py"
STEPS = ("--steps", "60")
FAULTS = {
    "a seat that phones cannot touch": (PANEL, "canvas.hit(seat * room, 0, room,", "canvas.hit(seat * room, 0, 0,"),
    "a click elsewhere": (PANEL, "canvas.hit(0, y + 1, canvas.width, 2,", "canvas.hit(0, y, canvas.width, 2,"),
    "a color": (SCENE, 'Color = "line" if self._dark else "soft"', 'Color = "line" if self._dark else "text"'),
    "a hint": (PLACES, '"place it", "Place it"', '"place", "Place it"'),
    "what the chip of a gem does": (MOVES, "partial(self._drop, None if active else gem)", "partial(self._drop, None)"),
    "a sentence of text mode": (PLACES, "quarter. Type a square", "quarter; type a square"),
}  # fmt: skip


def checkout(folder: Path) -> Path:
    """Returns a checkout like this one, whose client can be changed."""
    (folder / "src" / "kimberley").mkdir(parents=True)
    shutil.copytree(ROOT / "client", folder / "client", ignore=shutil.ignore_patterns("__pycache__"))
    for link in (ROOT / "src" / "kimberley").iterdir():
        place = folder / link.name if link.name == "client" else ROOT / link.name
        (folder / "src" / "kimberley" / link.name).symlink_to(place)
    (folder / "tests").symlink_to(ROOT / "tests")
    return folder


@pytest.fixture(scope="module")
def here() -> Walks:
    return looks([ROOT], STEPS)[0]


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.nightly
def test_a_fault_is_found(fault: str, here: Walks, tmp_path: Path) -> None:
    other = checkout(tmp_path)
    name, right, wrong = FAULTS[fault]
    text = (other / name).read_text("utf-8")
    assert text.count(right) == 1
    (other / name).write_text(text.replace(right, wrong), "utf-8")
    assert differences(here, looks([other], (*STEPS, "--only", "mine"))[0])


@pytest.mark.slow
@pytest.mark.nightly
def test_the_same_code_looks_the_same(here: Walks, tmp_path: Path) -> None:
    assert differences(here, looks([checkout(tmp_path)], STEPS)[0]) == []
    assert sum(map(len, here.values())) > 1000
