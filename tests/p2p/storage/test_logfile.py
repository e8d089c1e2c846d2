"""The log of a program: bounded within a run, and for its owner alone."""

from __future__ import annotations

import logging
import os
import stat
from pathlib import Path

import pytest

from kimberley.p2p.storage.logfile import MOST_BYTES, LogFile


def lines(handler: LogFile, count: int) -> None:
    for number in range(count):
        handler.handle(logging.LogRecord("p2p", logging.INFO, "", 0, "%d %s", (number, "x" * 1000), None))
    handler.close()


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.slow
def test_a_log_is_bounded_within_a_run_and_keeps_the_latest_lines(tmp_path: Path) -> None:
    lines(LogFile(tmp_path / "log.txt"), 5000)
    kept = sorted(tmp_path.iterdir())
    assert [path.name for path in kept] == ["log.txt", "log.txt.1"]
    assert all(path.stat().st_size <= MOST_BYTES for path in kept)
    assert (tmp_path / "log.txt").read_text().splitlines()[-1].startswith("4999 ")


def test_a_log_is_readable_by_its_owner_alone(tmp_path: Path) -> None:
    former = tmp_path / "former.txt"
    former.write_text("what an earlier version wrote\n")
    former.chmod(0o644)
    umask = os.umask(0)
    try:
        lines(LogFile(former), 1)
        lines(LogFile(tmp_path / "log.txt"), 5000)
    finally:
        os.umask(umask)
    assert {path.name: mode(path) for path in tmp_path.iterdir()} == dict.fromkeys(
        ("former.txt", "log.txt", "log.txt.1"), 0o600
    )
    assert former.read_text().startswith("what an earlier version wrote\n0 x")


def test_a_log_that_cannot_be_written_says_nothing_on_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines(LogFile(tmp_path / "no such folder" / "log.txt"), 3)
    assert capsys.readouterr() == ("", "")
