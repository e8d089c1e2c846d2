"""Diamond over the real network: two bots in two processes, the record, and its uses."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from kimberley.games.diamond.score_sheet import read_sheet
from kimberley.protocol.record import Record
from tests.support.terminal import Terminal, address_of

pytestmark = pytest.mark.e2e


def run(*typed: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "kimberley.client.cli.main", *map(str, typed)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


@pytest.mark.nightly
def test_a_demo_is_played_verified_and_replayed(tmp_path: Path) -> None:
    ran = run("demo", "diamond", "--seed", 5, "--level", 3, "--data", tmp_path, "--json")
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    assert found["verdict"] == "fair"
    record = Path(found["record"])
    assert Record.unpack(record.read_bytes()).table.roster.game == "diamond"
    assert run("verify", record).returncode == 0

    steps = [json.loads(line) for line in run("replay", record, "--json").stdout.splitlines()]
    turns = tuple(step["answer"] for step in steps if step["ask"] == "decide")
    plain = run("replay", record, "--plain").stdout
    sheet = plain.rpartition("’s move comes first.\n")[2].partition("The lead. ")[0]
    assert read_sheet(sheet).turns == turns
    assert found["result"]["reason"] in plain


def test_two_people_play_by_mouse_and_by_typing(tmp_path: Path) -> None:
    with (
        Terminal("host", "diamond", "--nickname", "ana", data=tmp_path / "ana") as ana,
        Terminal("join", address_of(ana), "--nickname", "ben", data=tmp_path / "ben") as ben,
    ):
        for terminal in (ana, ben):
            terminal.touch("Same y")
        begins = "You are Black" in ana.wait(lambda text: "You are Black" in text or "Black to place" in text)
        first, second = (ana, ben) if begins else (ben, ana)
        first.press(*"d4", "enter")
        second.touch("Swap sides s")
        second.wait("Swap and play Black?")
        second.touch("Swap sides s")
        first.wait("You are White")
        first.press("=", *"e5", "enter")
        second.wait("offers a draw")
        second.press("=")
        second.press("y")
        for terminal in (first, second):
            assert "by agreement" in terminal.dossier().lower()
        first.press("d")
        first.wait("the moves")
        first.press("down", "enter")
        first.wait("move 2 of 4")
        first.press("left")
        first.wait("Last: d4")
