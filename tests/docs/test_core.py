"""The core of the house by itself: rules, protocol and network, without what is built on them and without
tournaments.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.paths import ROOT

CORE = ("games", "protocol", "p2p")
BESIDE = ("SPEC.md", "docs", "pyproject.toml", "tests/__init__.py", "tests/conftest.py")
HELPERS = tuple(f"tests/{name}" for name in ("attacks", "data", "fuzz", "lab", "support"))
"""Their modules need other rooms only where no test of the core uses them."""
TESTS = tuple(f"tests/{room}" for room in CORE)
LEFT_OUT = shutil.ignore_patterns("*tournament*")
ONCE = """
def pytest_collection_modifyitems(items):
    functions = {item.nodeid.partition("[")[0]: item for item in reversed(items)}
    items[:] = [item for name, item in functions.items() if not name.startswith("tests/games/")]
"""
"""All tests are collected. One of each function runs, since other values import nothing else; and none of the rules,
which import nothing late.
"""


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a checkout with nothing else."""
    folder = tmp_path_factory.mktemp("core")
    package = folder / "src" / "kimberley"
    package.mkdir(parents=True)
    # Without this file, `kimberley` is a namespace, to which the checkout that is installed would add its rooms.
    (package / "__init__.py").touch()
    for name in (*CORE, *HELPERS, *TESTS, *BESIDE):
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=LEFT_OUT)
        else:
            shutil.copy(ROOT / name, folder / name)
    for room in CORE:
        (package / room).symlink_to(Path("..", "..", room))
    (folder / "conftest.py").write_text(ONCE)
    return folder


@pytest.mark.slow
@pytest.mark.nightly
def test_its_tests_need_nothing_that_stands_on_it(core: Path) -> None:
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-m", "not slow and not e2e", *TESTS],
        cwd=core,
        env=environ | {"PYTHONPATH": str(core / "src")},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stdout[-4000:] + ran.stderr[-4000:]
