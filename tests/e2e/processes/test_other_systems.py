"""Whole programs on a faked Windows: bots meet by mDNS, play over TLS, keep their files, and print to a cp1252 pipe."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Final
from urllib.request import urlopen

import pytest

from kimberley.games.lookup import ids
from kimberley.p2p.tournament.events import TableDecided
from kimberley.referee.store import Store
from tests.support.effort import tries
from tests.support.exchange import Exchange
from tests.support.pages import PAGE_GAMES
from tests.support.paths import ROOT
from tests.support.pretend_source import SEED, over
from tests.support.recorded_table import RECORD

pytestmark = pytest.mark.e2e


KIMBERLEY: Final = (sys.executable, "-m", "kimberley.client.cli.main")


def on_windows() -> dict[str, str]:
    """Returns the environment of a program that is on Windows, with the streams of a pipe there."""
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


def test_a_referee_on_windows_serves_its_page_from_another_process(tmp_path: Path) -> None:
    typed = ("referee", "CON", "--game", "diamond", "--data", str(tmp_path), "--web", "127.0.0.1:0")
    with subprocess.Popen(
        [*KIMBERLEY, *typed], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, env=on_windows()
    ) as referee:
        try:
            assert referee.stdout is not None
            said = (re.search(rb"Web page: (\S+)", line) for line in referee.stdout)
            address = next(found[1].decode() for found in said if found)
            with urlopen(address, timeout=60) as page:
                assert b"<title>CON</title>" in page.read()
        finally:
            referee.kill()


@pytest.mark.nightly
def test_the_page_on_windows_has_a_stored_game_reviewed_by_another_process(tmp_path: Path) -> None:
    # A game of few decisions: each is judged for a while.
    source = over("diamond-trust", Exchange().peers[0].record().pack())
    with Store.create(tmp_path, source.settings, SEED) as store:
        for event in source.events:
            digest = event.record if isinstance(event, TableDecided) else None
            store.add(event, None if digest is None else source.records[digest])
    command = (sys.executable, "-m", "kimberley.referee.pages", PAGE_GAMES, str(tmp_path), "127.0.0.1", "0")
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=on_windows()) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        (address,) = json.loads(process.stdout.readline())["addresses"]
        review = f"{address}/tables/1/1/review"
        given_up = time.monotonic() + 300
        while b"Reviewing this game" in (page := loaded(review)) and time.monotonic() < given_up:
            time.sleep(0.1)
        assert "ana’s 4 decisions".encode() in page
        assert len(list((tmp_path / "reviews").glob("*.kdt.review.json"))) == 1
        process.stdin.close()
        assert process.wait(60) == 0


def loaded(address: str) -> bytes:
    with urlopen(address, timeout=60) as page:
        content: bytes = page.read()
        return content
