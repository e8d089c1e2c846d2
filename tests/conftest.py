"""What the tests have in common: the seed of games that are played by whole programs, and what may run side by side."""

from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path
from typing import Final

import pytest

from tests.support.seeded import SEED_VARIABLE

HERE: Final = Path(__file__).parent
TAKING_TURNS: Final = (HERE / "lan", HERE / "terminal")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--seed", type=int, default=1, metavar="N",
        help="what programs in whole games draw: identities, secrets, bots (default: %(default)s)",
    )  # fmt: skip


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        group = "hosts" if item.path.parent in TAKING_TURNS else str(item.path.relative_to(HERE))
        item.add_marker(pytest.mark.xdist_group(group))


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Programs of this test draw what they draw with this seed in no other test."""
    os.environ[SEED_VARIABLE] = f"{item.config.getoption('--seed')} {item.name}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test that fails shows with which seed it did."""
    report = yield
    if report.failed:
        report.sections.append(("Seed", f"pytest '{item.nodeid}' --seed {item.config.getoption('--seed')}"))
    return report
