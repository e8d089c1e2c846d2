"""`python -m tests.chaos`: a short run of it, how it ends, and who may run it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from kimberley.games import lookup
from tests.chaos.__main__ import NO_ROOT
from tests.chaos.plan import draw
from tests.support.effort import first_is_quick
from tests.support.paths import ROOT

PATIENCE = 300.0
"""Seconds. A game takes less than one minute on a machine that does nothing else."""

as_root = pytest.mark.skipif(os.geteuid() != 0, reason=NO_ROOT)


def start(*typed: str, under: Sequence[str] = ()) -> subprocess.Popen[str]:
    command = [*under, sys.executable, "-m", "tests.chaos", *typed]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT)


def processes(word: str) -> list[str]:
    """Returns the command lines of all processes that have a word in them."""
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = file.read_bytes()
        except OSError:
            continue  # It has just ended.
        if word.encode() in line:
            found.append(line.replace(b"\0", b" ").decode())
    return found


@as_root
@pytest.mark.parametrize(
    "typed",
    [
        pytest.param(("--game", "diamond-trust", "--no-phone", "--seed", "2"), id="terminals"),
        pytest.param(("--game", "land", "--seats", "2", "--phone", "--seed", "3"), id="phone"),
    ],
)
@pytest.mark.nightly
def test_a_game_in_the_chaos_ends_fair(tmp_path: Path, typed: tuple[str, ...]) -> None:
    with start(*typed, "--most-stop", "4", "--logs", str(tmp_path / "logs")) as chaos:
        said, trouble = chaos.communicate(timeout=PATIENCE)
    assert chaos.returncode == 0, said + trouble
    assert json.loads(said[said.index("{") :])["findings"] == {}
    assert "; fair" in said
    assert not (tmp_path / "logs").exists()


@as_root
@pytest.mark.parametrize("number", first_is_quick(signal.SIGKILL, signal.SIGINT, signal.SIGTERM))
def test_nothing_is_left_when_it_is_interrupted(tmp_path: Path, number: signal.Signals) -> None:
    logs = tmp_path / "logs"
    with start("--game", "mine", "--seats", "2", "--no-phone", "--logs", str(logs)) as chaos:
        assert chaos.stdout is not None
        assert str(logs) in chaos.stdout.readline()
        while not processes(str(logs / "1" / "data")):
            assert chaos.poll() is None
        chaos.send_signal(number)
        rest, _ = chaos.communicate(timeout=PATIENCE)
    if number is not signal.SIGKILL:
        assert json.loads(rest)["games"] == 0
    while processes(str(logs)):
        continue  # The kernel ends them now.
    assert str(logs) not in Path("/proc/mounts").read_text()


def test_without_root_it_says_what_it_needs() -> None:
    # The right to read stays: root's checkout may be closed to others.
    reads = ("--inh-caps", "+dac_read_search", "--ambient-caps", "+dac_read_search")
    under = ("setpriv", "--reuid", "65534", "--clear-groups", *reads) if os.geteuid() == 0 else ()
    with start(under=under) as chaos:
        said, trouble = chaos.communicate(timeout=PATIENCE)
    assert chaos.returncode == 2
    assert (said, trouble.strip()) == ("", NO_ROOT)


def test_a_seed_leads_to_the_same_game_and_all_seeds_to_all_games() -> None:
    plans = [draw(seed) for seed in range(300)]
    assert plans == [draw(seed) for seed in range(300)]
    assert {plan.game for plan in plans} == set(lookup.ids())
    assert {len(plan.seats) for plan in plans} == {2, 3, 4, 5, 6}
    assert {plan.network for plan in plans} == {"plain", "IPv6 only", "MTU 600"}
    assert {seat.clock for plan in plans for seat in plan.seats} == {"", "wild", "ahead"}
    kinds = {fault.kind for plan in plans for fault in plan.faults}
    assert kinds == {
        *("kill", "stop", "full", "cut", "move", "loss", "delay", "reorder", "reload"),
        *("cut spectator", "stop spectator"),
    }
    assert any(plan.phone is not None for plan in plans)
    assert any(plan.phone is None for plan in plans)
