"""The exit status of a command that did not do its work: that of `verify` is never the status of a verdict then."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import pytest

from kimberley.client.cli import main as command
from kimberley.client.cli import verify_all
from kimberley.client.cli.main import main
from kimberley.protocol.crypto import backend
from tests.support.paths import ROOT

RECORD = ROOT / "tests" / "data" / "diamond-trust.kdt"
FULL = Path("/dev/full")


@pytest.fixture
def unread() -> Iterator[TextIO]:
    """Yields a pipe that nobody reads."""
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, "w", encoding="utf-8") as stream:
        yield stream


@pytest.mark.parametrize(
    "typed",
    [
        ("verify",),
        ("verify", "a.kdt", "--nonsense"),
        ("--colors", "no", "verify", "a.kdt"),
        ("verify", ""),
    ],
)
def test_verify_mistyped_is_no_verdict(typed: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit) as ending:
        main(typed)
    assert ending.value.code == 64


def test_verify_without_its_cryptography_is_no_verdict(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(backend.VARIABLE, "nonsense")
    assert main(["verify", "a.kdt"]) == 69
    assert "can only be 'libsodium' or 'pure'" in capsys.readouterr().err


def test_verify_without_an_extra_is_no_verdict(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / RECORD.name).write_bytes(RECORD.read_bytes())
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main(["verify", str(tmp_path), "--dask", "tcp://127.0.0.1:1"]) == 69
    assert "[dask]" in capsys.readouterr().err


def test_a_fault_of_the_program_is_no_verdict(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.delattr(verify_all, "run_many")
    assert main(["verify", str(tmp_path)]) == 70
    assert "AttributeError" in capsys.readouterr().err


def test_a_verdict_that_nobody_reads_is_lost(
    unread: TextIO, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "stdout", unread)
    assert main(["verify", str(tmp_path)]) == 74
    assert capsys.readouterr().err == ""


@pytest.mark.skipif(not FULL.exists(), reason="there is no full device here")
@pytest.mark.parametrize("typed", [("verify", str(ROOT / "README.md")), ("rules", "land"), ("verify", "--help")])
def test_output_that_cannot_be_written_is_said(
    typed: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with FULL.open("w", encoding="utf-8") as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        assert main(typed) == 74
    (said,) = capsys.readouterr().err.splitlines()
    assert "failed (No space left on device)" in said


def test_a_closed_output_is_said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    assert main(["rules", "land"]) == 74
    assert capsys.readouterr().err.startswith("kimberley: Standard output is closed.")


@pytest.mark.e2e
@pytest.mark.skipif(not FULL.exists(), reason="there is no full device here")
@pytest.mark.parametrize("where", [">&-", "> /dev/full", "2>&- > /dev/full", "| true", "<&- 2>&- >&-"])
def test_a_shell_reads_no_verdict_where_none_could_be_printed(where: str) -> None:
    typed = f"set -o pipefail; '{sys.executable}' -m {command.__name__} verify '{ROOT / 'SPEC.md'}' {where}"
    ran = subprocess.run(["bash", "-c", typed], capture_output=True, text=True, check=False)
    assert ran.returncode == 74
    assert "Traceback" not in ran.stderr
