"""A process of tests that dies: the run goes on, ends, and says in which test it was."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.paths import ROOT

DEADLY = """
import os

def test_before(): pass

def test_deadly(): os._exit(3)

def test_behind(): pass
"""


@pytest.mark.nightly
def test_a_process_that_dies_costs_one_test(tmp_path: Path) -> None:
    (tmp_path / "test_deadly.py").write_text(DEADLY)
    for number in range(3):
        (tmp_path / f"test_{number}.py").write_text("def test_other(): pass\n")
    options = ["-n", "2", "-c", str(ROOT / "pyproject.toml"), "-p", "tests.conftest", "-p", "no:cacheprovider"]
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", *options, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert re.search("crashed while running .*test_deadly.py::test_deadly", ran.stdout), ran.stdout + ran.stderr
    assert re.search("1 failed, 5 passed", ran.stdout), ran.stdout
    assert (ran.returncode, ran.stderr) == (1, "")
