"""`python -m tests.lab bench`: that it measures what it says. How long things take is not tested."""

from __future__ import annotations

import json
import time
from io import StringIO
from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest

from kimberley.protocol.crypto.ristretto import RISTRETTO
from kimberley.protocol.crypto.windowed import WINDOWED
from tests.lab import bench, counting_group
from tests.lab.parser import build_parser


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


STEPS = {
    "shuffle",
    "prove",
    "verify",
    "share to all: make",
    "share to all: check",
    "share to one seat: make",
    "share to one seat: check",
}


def test_the_command_is_quick_unless_told_otherwise() -> None:
    found = build_parser().parse_args(["bench"])
    assert not found.full
    assert not found.json
    assert build_parser().parse_args(["bench", "--full", "--json"]).full


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the clock advance by 0.01 s with each reading, however long the machine takes."""
    looks = count()
    told = SimpleNamespace(perf_counter=lambda: next(looks) / 100, strftime=time.strftime)
    for module in (bench, counting_group):
        monkeypatch.setattr(module, "time", told)


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.usefixtures("clock")
def test_json_tells_everything_for_both_groups(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench.run(as_json=True, full=False, sizes=(2, 3), pure_sizes=(2,), seconds=0.0) == 0
    said = capsys.readouterr()
    found = json.loads(said.out)
    assert set(found) == {"on", "date", "bits", "groups"}
    assert found["on"]["cores"] >= 1
    sodium, pure = found["groups"]
    assert (sodium["group"], sodium["left_out"]) == ("libsodium", [])
    assert (pure["group"], pure["left_out"]) == ("pure", [3])
    assert _bags(sodium) == [(2, 1), (2, 2), (3, 1), (3, 2)]
    assert _bags(pure) == [(2, 1), (2, 2)]
    for group in found["groups"]:
        assert set(group["operations"]) == {task.name for task in bench.operations()}
        assert {name.split(" ")[0] for name in group["proofs"]} == {"commitment", "range", "disclosure", "share", "one"}
        for step in (*group["operations"].values(), *group["proofs"].values(), *_steps(group)):
            assert 0 < step["best_ms"] <= step["median_ms"]
            assert step["runs"] == 1
        for operation in group["operations"].values():
            assert operation["per_second"] > 0
    for step in _steps(sodium):
        assert 0 < step["in_group"] < 1
        assert set(step["counts"]) >= {"mul", "base"}
    assert all("in_group" not in step for step in _steps(pure))
    assert said.err.splitlines()[0] == "libsodium: group operations"


@pytest.mark.slow
def test_full_leaves_nothing_out(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for others in ("operations", "proofs"):
        monkeypatch.setattr(bench, others, lambda: ())
    bench.run(as_json=True, full=True, sizes=(2,), pure_sizes=(), seconds=0.0)
    assert [group["left_out"] for group in json.loads(capsys.readouterr().out)["groups"]] == [[], []]


@pytest.mark.slow
def test_what_is_measured_is_the_work_itself() -> None:
    """Each check that is timed accepts, with both groups: a refusal would be quick."""
    for group in (RISTRETTO, WINDOWED):
        for task in (*bench.proofs(), *bench.bag(3, 2).tasks):
            if task.name.split(": ")[-1] in ("verify", "check", "accept", "read"):
                assert task.work(group), task.name


@pytest.mark.nightly
@pytest.mark.slow
def test_both_groups_do_the_same_work() -> None:
    for task in (*bench.operations(), *bench.proofs(), *bench.bag(2, 2).tasks):
        assert task.work(RISTRETTO) == task.work(WINDOWED), task.name


@pytest.mark.usefixtures("clock")
def test_counts_are_those_of_one_run() -> None:
    verify = next(task for task in bench.bag(5, 2).tasks if task.name == "verify")
    found = bench.figure(verify.work, RISTRETTO, 16)
    assert found.runs > 1
    assert found.counts == {"add": 54, "base": 4, "mul": 56, "valid": 28}


@pytest.mark.nightly
@pytest.mark.slow
def test_tables_fit_a_terminal_and_say_what_is_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    bench.run(as_json=False, full=False, sizes=(2, 3), pure_sizes=(2,), seconds=0.0)
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    assert any("3 items. --full" in line for line in lines)
    assert any("of the time to verify goes into group operations" in line for line in lines)
    assert sum(line.split()[:2] == ["2", "2"] for line in lines) == 2


def test_on_a_terminal_progress_is_one_line_that_goes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    progress = bench.BenchProgress(terminal)
    progress.now("one")
    progress.now("two")
    progress.end()
    assert terminal.getvalue() == "\r\x1b[Kone\r\x1b[Ktwo\r\x1b[K"


@pytest.mark.parametrize("name", ["dumb", "unknown"])
def test_on_a_terminal_that_only_prints_lines_progress_is_lines(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", name)
    terminal = Terminal()
    progress = bench.BenchProgress(terminal)
    progress.now("one")
    progress.now("two")
    progress.end()
    assert terminal.getvalue() == "one\ntwo\n"


def _bags(group: dict[str, Any]) -> list[tuple[int, int]]:
    return [(bag["items"], bag["parts"]) for bag in group["bags"]]


def _steps(group: dict[str, Any]) -> list[dict[str, Any]]:
    for bag in group["bags"]:
        assert set(bag) == {"items", "parts"} | STEPS
    return [bag[name] for bag in group["bags"] for name in STEPS]
