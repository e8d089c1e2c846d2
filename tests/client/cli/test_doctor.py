"""What the doctor finds on this machine, without a network: program, terminal, data folder."""

from __future__ import annotations

import errno
import os
import shutil
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from kimberley.client.cli import doctor
from kimberley.client.cli.main import main
from kimberley.client.ui.terminal_modes import QUERY, read_modes
from kimberley.p2p.discovery.network_checkup import CheckResult


@contextmanager
def terminal(answer: bytes, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Yields the program's own terminal, which answers the query for its modes."""
    ours, theirs = os.openpty()

    def reply() -> None:
        heard = b""
        while QUERY.encode() not in heard:
            heard += os.read(ours, 1024)
        os.write(ours, answer)

    replying = threading.Thread(target=reply)
    replying.start()
    try:
        with open(theirs, "r+b", buffering=0) as both:
            stream = SimpleNamespace(isatty=lambda: True, fileno=both.fileno, encoding="utf-8")
            with monkeypatch.context() as patch:
                patch.setattr(sys, "stdin", stream)
                patch.setattr(sys, "stdout", stream)
                yield
            replying.join()
    finally:
        os.close(ours)


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="there are no pseudoterminals here")
def test_a_terminal_is_asked_what_it_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "get_terminal_size", lambda: os.terminal_size((70, 24)))
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("COLORTERM", raising=False)
    with terminal(b"\x1b[?1006;2$y\x1b[?2026;0$y\x1b[?62;4c", monkeypatch):
        found = {one.what: one for one in doctor.check_terminal()}
    assert (found["terminal size"].ok, found["terminal size"].found) == (False, "70 columns, 24 rows")
    assert "80 by 24" in found["terminal size"].advice
    assert (found["terminal colors"].ok, found["terminal colors"].found) == (True, "8-bit")
    assert (found["terminal mouse"].ok, found["terminal mouse"].found) == (True, "reported")
    synchronized = found["terminal synchronized output"]
    assert (synchronized.ok, synchronized.found) == (None, "missing")
    assert "--calm" in synchronized.advice
    assert "keyboard" not in found
    monkeypatch.setenv("LC_ALL", "uk_UA.UTF-8")
    with terminal(b"\x1b[?62;4c", monkeypatch):
        found = {one.what: one for one in doctor.check_terminal()}
    assert found["keyboard"].found == "language uk: letters work by their position."


@pytest.mark.parametrize("name", ["dumb", "unknown"])
def test_a_terminal_that_only_prints_lines_is_sent_no_codes(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("TERM", name)
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    (found,) = doctor.check_terminal()
    assert (found.ok, found.advice) == (False, "Use --plain.")
    assert main(["--data", str(tmp_path)]) == 1
    said = f"This terminal cannot show full screens (TERM is {name}). Use --plain."
    assert capsys.readouterr() == ("", f"kimberley: {said}\n")


def test_a_terminal_that_says_nothing_of_a_mode() -> None:
    assert read_modes(b"\x1b[?1;2c").mouse is None
    assert read_modes(b"\x1b[?2026;1$y\x1b[?1;2c").synchronized is True


def test_advice_stands_in_one_column(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    _, *advice = "\n".join(doctor.lines_of([CheckResult("ana", False, "away.", "Type the address " * 4)])).splitlines()
    assert len(advice) > 1
    assert {len(row) - len(row.lstrip()) for row in advice} == {len(doctor.INDENT)}


def test_no_finding_changes_the_terminal(tmp_path: Path) -> None:
    shown = "".join(doctor.lines_of(doctor.check_folder(tmp_path / "\x1b[31mred\n")))
    assert "red" in shown
    assert "\x1b" not in shown


def test_an_installed_library_that_does_not_work_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "passed_over", lambda: "no attribute 'public_bytes_raw'")
    found = doctor.check_program()[-1]
    assert found.ok is None
    assert "installed, but does not work: no attribute 'public_bytes_raw'" in found.advice


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_in_the_place_of_the_identity_is_bad(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "identity")
    (bad,) = doctor.check_folder(tmp_path)
    assert bad.ok is False
    assert "it is not a file" in bad.advice


@pytest.mark.skipif(sys.platform == "win32", reason="files are locked by other means there")
@pytest.mark.parametrize("number", [errno.ENOLCK, errno.EOPNOTSUPP, errno.EAGAIN])
def test_a_folder_where_nothing_can_be_locked_is_bad(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on network file systems that have no locks."""
    import fcntl

    def flock(_handle: int, _how: int) -> None:
        raise OSError(number, "No locks here")

    monkeypatch.setattr(fcntl, "flock", flock)
    (bad,) = doctor.check_folder(tmp_path)
    assert bad.ok is False
    assert "could not be locked" in bad.advice
    assert "--data" in bad.advice
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="folders are not synced there")
def test_a_failed_check_of_the_folder_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fsync(_handle: int) -> None:
        raise OSError(errno.EIO, "the disk fails")

    monkeypatch.setattr(os, "fsync", fsync)
    (bad,) = doctor.check_folder(tmp_path)
    assert "could not be written (the disk fails)" in bad.advice
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_used_is_bad(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (bad,) = doctor.check_folder(tmp_path / "file")
    assert bad.ok is False
    assert "--data" in bad.advice
    (good,) = doctor.check_folder(tmp_path / "new" / "data")
    assert good.ok is True
    assert not (tmp_path / "new").exists()
    (tmp_path / "data").mkdir()
    (good,) = doctor.check_folder(tmp_path / "data")
    assert good.ok is True
    assert list((tmp_path / "data").iterdir()) == []
    (tmp_path / "data" / "identity").write_text("damaged")
    (damaged,) = doctor.check_folder(tmp_path / "data")
    assert damaged.ok is False
    assert "is damaged" in damaged.advice


def test_pure_python_is_told_as_what_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "runs_pure_python", lambda: True)
    note = doctor.check_program()[1]
    assert note.ok is None
    assert "slower, and its timing can leak" in note.advice


def test_each_finding_is_a_line_with_what_to_do() -> None:
    found = [
        CheckResult("one", True, "fine"),
        CheckResult("two", None, "so so", "Do this."),
        CheckResult("three", False, "no", "Do!"),
    ]
    assert doctor.lines_of(found) == [
        "ok    one: fine", "note  two: so so", "      Do this.", "BAD   three: no", "      Do!",
    ]  # fmt: skip


def test_an_address_that_is_none_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "[nowhere"]) == 1
    assert "is not an address" in capsys.readouterr().err
