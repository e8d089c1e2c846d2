"""What all tests have in common: which of them run, which side by side, with which seed, and what they take."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Generator, Sequence
from itertools import takewhile
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Final, SupportsIndex

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants
from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

from kimberley.p2p.base.platform import set_platform
from tests.support import effort
from tests.support.computed_once import compute_once
from tests.support.imported import cpu_used
from tests.support.seeded import SEED_VARIABLE, SeededPlatform

END_TO_END: Final = "tests/e2e/"
FAULTS_OF_BOTS: Final = "KIMBERLEY_BOT_FAULTS"
"""As in `client/session/bots.py`, also for programs of tests. It is not imported here: few tests need it."""
PROGRAMS: Final = Path(__file__).parent / "e2e"
BROWSER: Final = f"{END_TO_END}browser/"
SHARING: Final = (
    f"{END_TO_END}terminal/test_sixth_game.py",
    f"{END_TO_END}processes/test_side_channels.py",
)
"""Files of tests that share what takes long to make: an installed package, games."""
PHONES: Final = tuple(
    f"{BROWSER}test_{name}.py"
    for name in ("alone", "hostile_host", "killed_page", "phone_and_terminals", "phone_game", "room", "seat")
)
"""Files in which the program runs in pages, where it takes a core for itself: one after the other."""
CHAINS: Final = ("tests/conformance/test_cases.py", "tests/conformance/test_mutants.py", PHONES[0])
"""What takes minutes in one process and waits most of the time: it begins first."""
FILES_BEGIN, PROGRAMS_END = 0.25, 0.75
"""When the first file that computes begins, and when the last programs do, as shares of a run."""
PARSING: Final = ("tests/docs/test_house.py", "tests/docs/test_one_place.py")
"""Files of tests that parse the whole program: in one process, once."""
FAKES: Final = ("*test_windows.py", "*test_systems.py", "*test_other_systems.py")
collect_ignore_glob = [] if sys.platform == "linux" else list(FAKES)
"""Other systems are faked on Linux alone; they have their own runs (.github/workflows)."""
CPU_BEFORE: Final = pytest.StashKey[float]()
QUICK: Final = "not slow and not e2e"
E2E: Final = ("e2e", "e2e and not nightly")
COMPUTING: Final = ("slow and not e2e", "slow and not e2e and not nightly")
"""As `.ci/run` has them."""
WORDS: Final = {
    E2E[0]: (b"e2e",),
    E2E[1]: (b"e2e",),
    COMPUTING[0]: (b"slow", b"SLOW", b"snapshot_tests", b"support.effort"),
    COMPUTING[1]: (b"slow", b"SLOW", b"snapshot_tests"),
}
"""A file outside of the folder of programs that has tests of such a choice has one of these: a mark, or where it comes
from.
"""
MEMORY: Final = Path("/dev/shm")
ROOM: Final = 1 << 31
"""Bytes that must be free in memory for the files of tests to be kept there."""
GARBAGE: Final = 50_000
"""Objects that are made before the garbage collector looks through the youngest ones; Python's own number is 700."""

HERE: Final = "the process of the tests"
"""For the seed of what tables, bots and identities in this process draw. No data folder has this name."""
REPEATABLE: Final = "repeatable"
NO_CONSTANTS: Final = Constants()
# The same few examples each time, however long the machine takes; `--hypothesis-profile exploring` tries others.
PATIENT: Final = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.register_profile("exploring", PATIENT)
settings.register_profile(REPEATABLE, PATIENT, derandomize=True, max_examples=30)
settings.load_profile(REPEATABLE)

_constants_of_modules = vars(providers).get("_get_local_constants", Constants)
# Hypothesis also tries constants of those modules that happen to be loaded: different ones in each process. It would
# parse them all, for several seconds. It has no setting for that.
vars(providers)["_get_local_constants"] = lambda: (
    NO_CONSTANTS if settings.get_current_profile_name() == REPEATABLE else _constants_of_modules()
)

# jsonschema would load this to check internationalized addresses, which none of our schemas has: its grammar takes a
# second and a half to compile.
sys.modules.setdefault("rfc3987_syntax", ModuleType("rfc3987_syntax"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--seed", type=int, default=1, metavar="N",
        help="what programs in whole games draw: identities, secrets, bots (default: %(default)s)",
    )  # fmt: skip
    parser.addoption("--thorough", action="store_true", help="slow tests try more: takes hours, not minutes")
    parser.addoption("--all", action="store_true", help="also what is marked slow or e2e, where no path is given")


def pytest_configure(config: pytest.Config) -> None:
    """Chooses only what is quick, without a path, a choice by markers or `--all`."""
    compute_once(os.environ.get("MUTANT_UNDER_TEST", ""))
    os.environ.setdefault(FAULTS_OF_BOTS, "raise")
    # These end programs of the tests, even if the tests themselves were started in a way that ignores them.
    for name in ("SIGHUP", "SIGQUIT"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if in_memory():
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))
        tempfile.tempdir = tempfile.tempdir or os.environ.get("TMPDIR", str(MEMORY))
    named = config.args_source is pytest.Config.ArgsSource.ARGS
    if not (named or config.option.markexpr or config.getoption("--all")):
        config.option.markexpr = QUICK
    effort.set_effort(thorough=config.getoption("--thorough"), hasty=config.option.markexpr == QUICK)


def in_memory() -> bool:
    """Returns whether files of tests can be in memory, where syncing a file costs nothing."""
    try:
        programs = not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC
        return programs and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free >= ROOM
    except (AttributeError, OSError):
        return False


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Ignores the tests of whole programs where only others run, and files outside of their folder that have none of
    the tests that run.
    """
    programs, chosen = collection_path.is_relative_to(PROGRAMS), config.option.markexpr
    if chosen in WORDS and not programs and collection_path.match("test_*.py"):
        return True if not may_have(collection_path, chosen) else None
    return True if chosen in (QUICK, *COMPUTING) and programs else None


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(collector: pytest.Collector, obj: object) -> list[pytest.Item] | None:
    """Skips slow tests, with all their values, where only the quick ones run."""
    if collector.config.option.markexpr != QUICK or not isinstance(obj, FunctionType):
        return None
    return [] if any(mark.name == "slow" for mark in getattr(obj, "pytestmark", ())) else None


def may_have(file: Path, chosen: str) -> bool:
    """Returns whether this file, outside of the folder of programs, may have tests of a choice."""
    text = file.read_bytes()
    return any(word in text for word in WORDS[chosen])


def check_words(items: Sequence[pytest.Item]) -> None:
    """Raises UsageError if a file with slow tests would not be read where only these run."""
    slow: dict[Path, set[str]] = {}
    for item in items:
        if item.get_closest_marker("slow") and not item.nodeid.startswith(END_TO_END):
            slow.setdefault(item.path, set()).add(COMPUTING[item.get_closest_marker("nightly") is None])
    missed = [str(file) for file, chosen in slow.items() if not all(may_have(file, each) for each in chosen)]
    if missed:
        raise pytest.UsageError(f"WORDS of tests/conftest.py miss the slow tests of: {', '.join(missed)}")


def unit_of(nodeid: str) -> str:
    """Returns the unit of a test, which runs in one process, one test after the other: a file, or a single test where
    whole programs play; several files together where the program is parsed, runs in pages, or is looked at in a
    browser.
    """
    file = nodeid.partition("::")[0]
    for together in (PARSING, PHONES):
        if file in together:
            return together[0]
    if file.startswith(BROWSER):
        return BROWSER
    return file if not file.startswith(END_TO_END) or file in SHARING else nodeid


class Places(list[str]):
    """The names of thousands of tests. xdist asks for the place of each of them."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(names)
        self._places = {name: place for place, name in enumerate(names)}

    def index(self, name: str, *bounds: SupportsIndex) -> int:
        return self._places[name]


class Units(LoadScopeScheduling):  # type: ignore[misc]
    """Gives one unit after the other to the processes. (The groups of xdist 3.8 do nothing with pytest 9.2.)"""

    def add_node_collection(self, node: WorkerController, collection: Sequence[str]) -> None:
        super().add_node_collection(node, collection)
        if node in self.registered_collections:
            self.registered_collections[node] = Places(collection)

    def remove_node(self, node: WorkerController) -> str | None:
        """Handles a process that has ended or died. The test in which it died is not tried again; others do the rest of
        its work. Returns that test.
        """
        left = {unit: tests for unit, tests in self.assigned_work.pop(node).items() if not all(tests.values())}
        if not left:
            return None
        tests = next(iter(left.values()))
        deadly: str = next(name for name, done in tests.items() if not done)
        tests[deadly] = True
        self.workqueue.update({unit: tests for unit, tests in left.items() if not all(tests.values())})
        for other in self.nodes:
            self._reschedule(other)
        return deadly

    def _reschedule(self, node: WorkerController) -> None:
        """Gives a process more to do. It runs a test only when it knows the next one, or that no other comes."""
        super()._reschedule(node)
        while not node.shutting_down and self._pending_of(self.assigned_work[node]) < 2:
            super()._reschedule(node)

    def _pending_of(self, workload: dict[str, dict[str, bool]]) -> int:
        """Counts the tests that are not done yet. Units are done in order, so those before a finished one need not be
        counted.
        """
        left = (sum(not done for done in tests.values()) for tests in reversed(workload.values()))
        return sum(takewhile(bool, left))

    def _split_scope(self, nodeid: str) -> str:
        return unit_of(nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> Units:
    return Units(config, log)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Puts programs first, those of all folders side by side: they wait most of the time and take longest. Files that
    compute, those with many tests first, keep the cores busy while programs wait, and at the end.
    """
    if config.getoption("--all"):
        check_words(items)
    units: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.nodeid.startswith(END_TO_END):
            item.add_marker(pytest.mark.e2e)
        units.setdefault(unit_of(item.nodeid), []).append(item)
    folders: dict[str, list[str]] = {}
    for unit in units:
        if unit.startswith(END_TO_END):
            folders.setdefault(unit.removeprefix(END_TO_END).partition("/")[0], []).append(unit)
    files = sorted((unit for unit in units if not unit.startswith(END_TO_END)), key=lambda unit: -len(units[unit]))
    place = {unit: FILES_BEGIN + (1 - FILES_BEGIN) * number / len(files) for number, unit in enumerate(files)}
    for programs in folders.values():
        place |= {unit: PROGRAMS_END * number / len(programs) for number, unit in enumerate(programs)}
    place |= dict.fromkeys(CHAINS, -1.0)
    items[:] = [item for unit in sorted(units, key=place.__getitem__) for item in units[unit]]


def pytest_collectstart() -> None:
    """Stops the garbage collector: what is collected stays until the end, and need not be looked through a hundred
    times.
    """
    gc.disable()


@settings(max_examples=1, database=None)
@given(st.none())
def _one_example(_: None) -> None: ...


def pytest_collection_finish() -> None:
    # At its first example Hypothesis asks the collector who holds its random generator, and what is frozen does not
    # count.
    _one_example()
    gc.freeze()
    gc.enable()
    gc.set_threshold(GARBAGE, 20, 20)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure() -> None:
    """Freezes what is left: it need not be looked through twice more. Garbage that warns as it goes has just been
    looked for.
    """
    gc.freeze()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Sets the seed of this test and its programs: no other test draws the same."""
    os.environ[SEED_VARIABLE] = f"{item.config.getoption('--seed')} {item.name}"
    set_platform(SeededPlatform(HERE))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    item.stash[CPU_BEFORE] = cpu()
    return (yield)


def cpu() -> float:
    """Returns the seconds of CPU that this process has used, and the programs that it started and saw end."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system + cpu_used()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Adds its seed to the report of a failed test, and the seconds of CPU to that of `--junitxml`."""
    if call.when == "teardown":
        item.user_properties.append(("cpu", f"{cpu() - item.stash[CPU_BEFORE]:.3f}"))
    report = yield
    if report.failed:
        report.sections.append(("Seed", f"pytest '{item.nodeid}' --seed {item.config.getoption('--seed')}"))
    return report
