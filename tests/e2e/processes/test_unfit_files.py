"""Commands that meet a pipe, a device or far too much in place of a file: each says so, and none hangs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from kimberley.client.session import review_file, settings
from kimberley.p2p.storage.archive import FOLDER as RECORDS
from kimberley.p2p.storage.files import NOT_A_FILE
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.storage.journal import FOLDER as JOURNALS

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here"),
]

SECONDS: Final = 60.0
"""More than any of these commands takes."""


def kimberley(*typed: str | Path) -> subprocess.CompletedProcess[str]:
    """Runs a command to its end, or fails if it hangs."""
    command = [sys.executable, "-m", "kimberley.client.cli.main", *map(str, typed)]
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Returns a data folder in which everything but the identity is a pipe."""
    Identity.load_or_create(tmp_path)
    for folder in (RECORDS, JOURNALS):
        (tmp_path / folder).mkdir()
    os.mkfifo(tmp_path / RECORDS / "a.kdt")
    os.mkfifo(tmp_path / RECORDS / "a.cup")
    os.mkfifo(tmp_path / JOURNALS / "a.journal")
    return tmp_path


def test_each_command_says_what_is_wrong_and_hangs_at_nothing(data: Path) -> None:
    record, journal = data / RECORDS / "a.kdt", data / JOURNALS / "a.journal"
    for typed in (
        ("list", "--finished", "--data", data),
        ("verify", record),
        ("verify", data / RECORDS),
        ("replay", record),
        ("review", record),
        ("resume", journal, "--plain", "--data", data),
    ):
        ended = kimberley(*typed)
        said = ended.stdout + ended.stderr
        assert NOT_A_FILE in said, typed
        assert "Traceback" not in said, typed
    ended = kimberley("resume", "--plain", "--data", data)
    assert NOT_A_FILE in ended.stdout + ended.stderr


@pytest.mark.parametrize("name", [settings.FILE, "identity", "known-keys.json"])
def test_the_title_names_the_file_that_is_none(data: Path, name: str) -> None:
    (data / name).unlink(missing_ok=True)
    os.mkfifo(data / name)
    ended = kimberley("--plain", "--data", data)
    assert f"{data / name} could not be read: {NOT_A_FILE}. Move it away." in ended.stdout + ended.stderr
    assert (data / name).is_fifo()


def test_findings_and_a_log_that_are_pipes_hold_nothing_up(data: Path) -> None:
    for name in ("findings.json", "log.txt"):
        os.mkfifo(data / name)
    assert kimberley("list", "--finished", "--data", data).returncode == 0
    assert kimberley("--plain", "--data", data).returncode == 0
    assert (data / "log.txt").is_fifo()


def test_a_device_and_a_file_of_terabytes_are_refused(tmp_path: Path) -> None:
    (tmp_path / "zero.kdt").symlink_to("/dev/zero")
    with (tmp_path / "large.kdt").open("wb") as file:
        file.truncate(1 << 40)
    said = kimberley("verify", tmp_path).stdout
    assert NOT_A_FILE in said
    assert "it is larger than" in said
    review_file.review_file(tmp_path / "large.kdt").symlink_to("/dev/zero")
    assert kimberley("review", tmp_path / "large.kdt").returncode != 0
