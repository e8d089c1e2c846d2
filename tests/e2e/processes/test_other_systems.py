"""Whole programs on a faked Windows: bots meet by mDNS, play over TLS, keep their files, and print to a cp1252 pipe."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kimberley.games.lookup import ids
from tests.support.effort import tries
from tests.support.paths import ROOT

pytestmark = pytest.mark.e2e


def windows(*typed: object) -> subprocess.CompletedProcess[bytes]:
    """Runs the command as on Windows, with the streams of a pipe there."""
    environ = {name: value for name, value in os.environ.items() if name != "TERM"}
    environ |= {"PYTHONPATH": str(ROOT / "tests/support/on_windows"), "PYTHONIOENCODING": "cp1252"}
    return subprocess.run(
        [sys.executable, "-m", "kimberley.client.cli.main", *map(str, typed)],
        capture_output=True, timeout=300, check=False, env=environ,
    )  # fmt: skip


@pytest.mark.parametrize("game", tries(("diamond",), tuple(ids())))
def test_a_game_on_windows_is_played_kept_and_proven_fair(game: str, tmp_path: Path) -> None:
    played = windows("demo", game, "--seed", 1, "--data", tmp_path, "--json")
    assert played.returncode == 0, played.stderr.decode()
    found = json.loads(played.stdout)
    assert found["verdict"] == "fair"
    assert Path(found["record"]).is_relative_to(tmp_path)
    judged = windows("verify", tmp_path / "ben" / "records")
    assert (judged.returncode, judged.stderr) == (0, b"")
    assert b"1 record: 1 fair." in judged.stdout


def test_windows_prints_what_its_pipes_cannot_take() -> None:
    rules = windows("rules", "mine")
    assert (rules.returncode, rules.stderr) == (0, b"")
    assert "gems" in rules.stdout.decode("cp1252")
