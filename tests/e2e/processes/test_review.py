"""`kimberley review` as a process: it prints and keeps the review, writes a page, and can be stopped."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from kimberley.games.land import GAME
from tests.support.paths import DATA
from tests.support.tables import played
from tests.support.terminal import Terminal

pytestmark = pytest.mark.e2e

PROGRAM = """
import signal, sys
from kimberley.client.cli.main import main
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.exit(main(sys.argv[1:-2]))
"""
"""The command without the data folder that a test's terminal gives it: a review has none. It can be interrupted, even
where the tests run in the background of a shell.
"""


def run(*typed: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "kimberley.client.cli.main", *map(str, typed)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def test_a_review_is_printed_kept_and_written_as_a_page(tmp_path: Path) -> None:
    record = tmp_path / "game.kdt"
    record.write_bytes(played(GAME, salt="review").peers[0].record().pack())
    page = tmp_path / "game.html"
    first = run("review", record, "--json", "--level", 1, "--html", page)
    assert first.returncode == 0, first.stderr
    found = json.loads(first.stdout)
    assert found["decisions"]
    assert {decision["seat"] for decision in found["decisions"]} == {0, 1}
    html = page.read_text("utf-8")
    assert html.count("<tr>") > len(found["decisions"])
    assert "<script" not in html
    assert "http" not in html
    kept = record.with_name("game.kdt.review.json")
    written = kept.stat().st_mtime_ns
    told = run("review", record, "--level", 1)
    assert "accuracy" in told.stdout
    assert kept.stat().st_mtime_ns == written, "what is kept was read, and not made again"


@pytest.mark.nightly
def test_a_review_can_be_left_and_keeps_nothing_by_half(tmp_path: Path) -> None:
    record = tmp_path / "game.kdt"
    shutil.copy(DATA / "diamond-trust.kdt", record)
    with Terminal("review", str(record), "--level", "20", data=tmp_path, program=("-c", PROGRAM)) as terminal:
        terminal.wait(lambda text: re.search(r"[1-9]\d?% judged", text) is not None)
        os.killpg(terminal.process.pid, signal.SIGINT)  # As Ctrl-C does.
        assert terminal.end() == 130
    assert not record.with_name("game.kdt.review.json").exists()
