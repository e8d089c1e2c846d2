"""What all tests have in common: which of them run, which side by side, with which seed, and what they take."""

from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, settings

from tests.support.seeded import SEED_VARIABLE

HERE: Final = Path(__file__).parent
END_TO_END: Final = (HERE / "lan", HERE / "terminal")
CPU_BEFORE: Final = pytest.StashKey[float]()
QUICK: Final = "not slow and not e2e"

# The same examples each time, however long the machine takes for them; `--hypothesis-profile exploring` tries others.
PATIENT: Final = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.register_profile("exploring", PATIENT)
settings.register_profile("repeatable", PATIENT, derandomize=True)
settings.load_profile("repeatable")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--seed", type=int, default=1, metavar="N",
        help="what programs in whole games draw: identities, secrets, bots (default: %(default)s)",
    )  # fmt: skip
    parser.addoption("--all", action="store_true", help="also what is marked slow or e2e, where no path is given")


def pytest_configure(config: pytest.Config) -> None:
    """Without a path, a choice by markers or `--all`, only what is quick runs."""
    named = config.args_source is pytest.Config.ArgsSource.ARGS
    if not (named or config.option.markexpr or config.getoption("--all")):
        config.option.markexpr = QUICK


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of a file run in one process, one after the other; those that play on terminals and hosts wherever."""
    for item in items:
        if item.path.parent in END_TO_END:
            item.add_marker(pytest.mark.e2e)
        else:
            item.add_marker(pytest.mark.xdist_group(str(item.path.relative_to(HERE))))


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Programs of this test draw what they draw with this seed in no other test."""
    os.environ[SEED_VARIABLE] = f"{item.config.getoption('--seed')} {item.name}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    item.stash[CPU_BEFORE] = cpu()
    return (yield)


def cpu() -> float:
    """Seconds of CPU that this process has used, and programs that it started and saw end."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test that fails shows with which seed it did; `--junitxml` gets the seconds of CPU."""
    if call.when == "teardown":
        item.user_properties.append(("cpu", f"{cpu() - item.stash[CPU_BEFORE]:.3f}"))
    report = yield
    if report.failed:
        report.sections.append(("Seed", f"pytest '{item.nodeid}' --seed {item.config.getoption('--seed')}"))
    return report
