"""A plugin of pytest that tries mutants: it collects the tests once, and forks for each mutant.

`tests.tools.mutation` runs it in `mutants/`, where mutmut has put the program with all mutants; one of them is switched
on by its name. First, each test runs without a mutant, and what it reaches is kept in a file for the next run. Then the
tests that reach a mutant's function try it, file by file, the fastest first, and after them the others of the same
files, where such a file has a cache or a fixture that its tests share. The process that forks runs no test, so that no
mutant finds something computed before; where a function was called while modules were loaded, the tests of the folder
that mirrors its own run in a program of their own. Limits are in seconds of CPU, so that a busy machine finds no more
mutants than a quiet one.
"""

from __future__ import annotations

import hashlib
import json
import os
import resource
import signal
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final, TypeAlias

import pytest
from mutmut.mutation.trampoline import set_mutant_under_test
from mutmut.state import state

from tests.support.computed_once import compute_once

Reached: TypeAlias = dict[str, dict[str, Any]]
"""By the name of a test: its CPU time in seconds, and the functions with mutants that it calls."""

SHARING: Final = ("cache", 'scope="module"')
"""Where one of these words is in a file of tests, a test may use what another one has computed."""
SURVIVED, FAILED, TIMEOUT, BROKEN = 0, 1, 2, 3
OUTCOMES: Final = {SURVIVED: "survived", FAILED: "failed", TIMEOUT: "timeout"}
CPU_LIMIT: Final = (10, 10)
"""Seconds of CPU that a mutant may take in a test, and how many times as much as the test took without it."""
WALL_LIMIT: Final = (120, 40)
"""The same by the clock, for tests that wait in vain."""


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    if session.testsfailed:
        raise session.Interrupted("not all tests can be collected")
    order = json.loads(Path("order.json").read_text())
    # mutmut collects there which functions a test reaches; it has no other way to ask for them.
    at_load = frozenset(state()._stats)
    state()._stats.clear()
    reached = reach(session, Path(f"reached-{order['area']}.json"))
    items = {item.nodeid: item for item in session.items}
    waiting: Iterator[str] = iter(order["names"])
    running: dict[int, str] = {}
    with Path("tried.jsonl").open("a") as tried:

        def write(name: str, outcome: str) -> None:
            print(json.dumps({"name": name, "outcome": outcome}), file=tried, flush=True)

        while True:
            while len(running) < order["workers"] and (name := next(waiting, None)) is not None:
                tests = tests_of(name, reached)
                if function_of(name) in at_load:
                    running[forked(partial(begin_anew, name, order["options"], reached))] = name
                elif tests:
                    running[forked(partial(attempt, name, tests, items, reached))] = name
                else:
                    write(name, "not reached")
            if not running:
                return True
            process, status = os.wait()
            # A mutant that ends the process, or breaks pytest, was found.
            write(running.pop(process), OUTCOMES.get(os.waitstatus_to_exitcode(status), "failed"))


def forked(work: Callable[[], int]) -> int:
    """Starts this work in a copy of this process, and returns its ID. The copy exits with what the work returns."""
    process = os.fork()
    if not process:
        status = BROKEN
        try:
            status = work()
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            os._exit(status)
    return process


def function_of(mutant: str) -> str:
    return mutant.rpartition("__mutmut_")[0]


def file_of(test: str) -> str:
    return test.partition("::")[0]


def tests_of(mutant: str, reached: Reached) -> list[str]:
    """Returns the tests that call the function of a mutant, file by file, the fastest first."""
    tests = [test for test, found in reached.items() if function_of(mutant) in found["functions"]]
    costs: Counter[str] = Counter()
    for test in tests:
        costs[file_of(test)] += reached[test]["cpu"]
    return sorted(tests, key=lambda test: (costs[file_of(test)], file_of(test), reached[test]["cpu"]))


def begin_anew(name: str, options: list[str], reached: Reached) -> int:
    """Runs the tests of a mutant's folder in a program that has the mutant from the beginning."""
    seconds = round(CPU_LIMIT[0] + CPU_LIMIT[1] * sum(found["cpu"] for found in reached.values()))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    folder = Path("tests", *name.split(".")[1:-2])
    command = [sys.executable, "-m", "pytest", *options, "-x", str(folder)]
    os.execve(command[0], command, os.environ | {"MUTANT_UNDER_TEST": name})


def attempt(name: str, tests: list[str], items: dict[str, pytest.Item], reached: Reached) -> int:
    set_mutant_under_test(name)
    compute_once(name)
    sharing = {file for file in map(file_of, tests) if any(word in Path(file).read_text() for word in SHARING)}
    others = [test for test in items if file_of(test) in sharing and test not in tests]
    order = [*tests, *others]
    for test, following in zip_longest(order, order[1:]):
        cpu = reached[test]["cpu"]
        limit(signal.ITIMER_PROF, signal.SIGPROF, CPU_LIMIT[0] + CPU_LIMIT[1] * cpu)
        limit(signal.ITIMER_REAL, signal.SIGALRM, WALL_LIMIT[0] + WALL_LIMIT[1] * cpu)
        if not passes(items[test], items.get(following)):
            return FAILED
    return SURVIVED


def limit(timer: int, sent: signal.Signals, seconds: float) -> None:
    signal.signal(sent, lambda *_: os._exit(TIMEOUT))
    signal.setitimer(timer, seconds)


def passes(item: pytest.Item, following: pytest.Item | None) -> bool:
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
    return not item.session.testsfailed


def reach(session: pytest.Session, kept: Path) -> Reached:
    """Returns what each test reaches: from the last run, except for the files of tests that have changed since.

    Raises:
        RuntimeError: A test fails without a mutant.
    """
    common = digest(
        [Path("tests/conftest.py"), *sorted(Path("tests/support").rglob("*.py")), *sorted(Path("src").rglob("*.py"))]
    )
    before = json.loads(kept.read_text()) if kept.exists() else {}
    known: dict[str, Any] = before.get("files", {}) if before.get("common") == common else {}
    digests = {file: digest([Path(file)]) for file in {file_of(item.nodeid) for item in session.items}}
    files = {file: known[file] for file, now in digests.items() if file in known and known[file]["digest"] == now}
    fresh = [item for item in session.items if file_of(item.nodeid) not in files]
    found = Path("found.json")
    process = forked(lambda: watch(fresh, found))
    if os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) != SURVIVED:
        raise RuntimeError("a test fails without a mutant")
    for test, functions in json.loads(found.read_text()).items():
        file = file_of(test)
        files.setdefault(file, {"digest": digests[file], "tests": {}})["tests"][test] = functions
    kept.write_text(json.dumps({"common": common, "files": files}))
    return {test: found for file in files.values() for test, found in file["tests"].items()}


def digest(paths: Iterable[Path]) -> str:
    return hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()


def watch(items: list[pytest.Item], found: Path) -> int:
    """Runs tests without a mutant, and writes down what each reaches."""
    set_mutant_under_test("stats")
    reached: Reached = {}
    for item, following in zip_longest(items, items[1:]):
        before = os.times()
        if not passes(item, following):
            return FAILED
        after = os.times()
        cpu = after.user + after.system - before.user - before.system
        reached[item.nodeid] = {"cpu": round(cpu, 3), "functions": sorted(state()._stats)}
        state()._stats.clear()
    found.write_text(json.dumps(reached))
    return SURVIVED
