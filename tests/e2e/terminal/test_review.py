"""The review on the screen of the real program: all cores judge, it can be left, and it is the same as the
command's.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import pytest

from kimberley.games.land import GAME
from tests.support.paths import DATA
from tests.support.tables import played
from tests.support.terminal import Terminal

pytestmark = pytest.mark.e2e

PATIENCE: Final = 180.0
"""Other tests may use all cores, and workers let everything else go first."""
LOOK: Final = 0.05
"""Seconds between looking at the processes of the system."""


def kept_in(data: Path) -> Path:
    """Returns the record in a data folder. Its review is kept beside it."""
    folder = data / "records"
    folder.mkdir()
    return folder / "2026-11-20-ana-ben.kdt"


def review_beside(record: Path) -> Path:
    return record.with_name(f"{record.name}.review.json")


def open_review(terminal: Terminal) -> None:
    terminal.wait("quit")
    terminal.press("r")
    terminal.wait("✓ fair", PATIENCE)
    terminal.press("r")


def workers_of(terminal: Terminal) -> list[int]:
    """Returns the processes that judge for a program."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            command = (folder / "cmdline").read_bytes()
        except (OSError, IndexError, ValueError):
            continue
        if parent == terminal.process.pid and b"spawn_main" in command:
            found.append(int(folder.name))
    return found


@pytest.mark.nightly
def test_escape_leaves_at_once_and_the_workers_end_with_the_program(tmp_path: Path) -> None:
    record = kept_in(tmp_path)
    shutil.copy(DATA / "diamond-trust.kdt", record)
    with Terminal(data=tmp_path) as terminal:
        open_review(terminal)
        terminal.wait(lambda text: re.search(r"[1-9]\d?% judged", text) is not None, PATIENCE)
        terminal.press("esc")
        terminal.wait("FINISHED")
        workers = workers_of(terminal)
        assert workers, "the review goes on"
        terminal.press("esc")
        terminal.press("q")
        assert terminal.end() == 0
        assert b"Traceback" not in terminal.raw
    end = time.monotonic() + PATIENCE
    while any(Path(f"/proc/{worker}").exists() for worker in workers):
        assert time.monotonic() < end, "a worker goes on"
        time.sleep(LOOK)
    assert list(record.parent.iterdir()) == [record]


@pytest.mark.nightly
def test_the_program_can_be_left_in_the_middle(tmp_path: Path) -> None:
    record = kept_in(tmp_path)
    shutil.copy(DATA / "diamond-trust.kdt", record)
    with Terminal(data=tmp_path) as terminal:
        open_review(terminal)
        terminal.wait(lambda text: re.search(r"[1-9]\d?% judged", text) is not None, PATIENCE)
        terminal.press("c-c")
        assert terminal.end() == 0
        assert b"Traceback" not in terminal.raw
    assert list(record.parent.iterdir()) == [record]


@pytest.mark.nightly
def test_what_it_keeps_is_byte_for_byte_what_the_command_keeps_and_is_read_the_next_time(tmp_path: Path) -> None:
    data = played(GAME).peers[0].record().pack()
    apart = tmp_path / "apart.kdt"
    apart.write_bytes(data)
    command = [sys.executable, "-m", "kimberley.client.cli.main", "review", str(apart)]
    subprocess.run(command, check=True, capture_output=True, timeout=PATIENCE)
    record = kept_in(tmp_path)
    record.write_bytes(data)
    with Terminal(data=tmp_path) as terminal:
        open_review(terminal)
        terminal.wait("TURNING POINT", PATIENCE)
        kept = review_beside(record)
        assert kept.read_bytes() == review_beside(apart).read_bytes()
        written = kept.stat().st_mtime_ns
        terminal.press("esc")
        terminal.press("r")
        terminal.wait("TURNING POINT", PATIENCE)
        assert kept.stat().st_mtime_ns == written, "what is kept was read, and not made again"
