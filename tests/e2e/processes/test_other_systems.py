"""Whole programs on a faked Windows: bots meet by mDNS, play over TLS, keep their files, and print to a cp1252 pipe."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final
from urllib.request import urlopen

import pytest

from kimberley.games.lookup import ids
from tests.support.effort import tries
from tests.support.paths import ROOT
from tests.support.recorded_table import RECORD

pytestmark = pytest.mark.e2e


KIMBERLEY: Final = (sys.executable, "-m", "kimberley.client.cli.main")


def on_windows() -> dict[str, str]:
    """The environment of a program that is on Windows, with the streams of a pipe there."""
    environ = {name: value for name, value in os.environ.items() if name != "TERM"}
    return environ | {"PYTHONPATH": str(ROOT / "tests/support/on_windows"), "PYTHONIOENCODING": "cp1252"}


def windows(*typed: object) -> subprocess.CompletedProcess[bytes]:
    """Runs the command as on Windows."""
    command = [*KIMBERLEY, *map(str, typed)]
    return subprocess.run(command, capture_output=True, timeout=300, check=False, env=on_windows())


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


def test_windows_spreads_work_over_processes_that_import_the_program_anew(tmp_path: Path) -> None:
    for name in ("one.kdt", "two.kdt"):
        shutil.copy(RECORD, tmp_path / name)
    judged = windows("verify", tmp_path)
    assert (judged.returncode, judged.stderr) == (0, b"")
    assert b"2 records: 2 fair." in judged.stdout
    played = windows("arena", "random", "heuristic", "--pairs", 2, "--workers", 2, "--json")
    assert played.returncode == 0, played.stderr.decode()
    assert json.loads(played.stdout)["games"] == 4


def test_a_referee_on_windows_serves_its_page_from_another_process(tmp_path: Path) -> None:
    typed = ("referee", "CON", "--game", "diamond", "--data", str(tmp_path), "--web", "127.0.0.1:0")
    with subprocess.Popen(
        [*KIMBERLEY, *typed], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, env=on_windows()
    ) as referee:
        try:
            assert referee.stdout is not None
            said = (re.search(rb"The page is at (\S+)", line) for line in referee.stdout)
            address = next(found[1].decode() for found in said if found)
            with urlopen(address, timeout=60) as page:
                assert b"<title>CON</title>" in page.read()
        finally:
            referee.kill()
