"""Files of long work: what is wrong with one is reported before the work, and nothing that was found is lost."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.lab import tune
from tests.lab.__main__ import main
from tests.lab.diamond_trust.tuning import TuningJob
from tests.support.full_disk import full_disk

TUNE = ("tune", "--generations", "1", "--workers", "1")


@pytest.fixture
def nothing_works(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the work itself impossible: whatever is reported is reported before it."""
    monkeypatch.delattr(tune, "in_order")


@pytest.fixture
def fifo(tmp_path: Path) -> Path:
    path = tmp_path / "fifo"
    os.mkfifo(path)
    return path


@pytest.mark.parametrize("option", ["--out", "--state"])
def test_a_place_where_no_file_can_be_is_refused_before_the_work(
    option: str, fifo: Path, tmp_path: Path, nothing_works: None, capsys: pytest.CaptureFixture[str]
) -> None:
    for path, told in (
        (tmp_path / "none" / "x.json", f"there is no folder {tmp_path / 'none'}. Create it, or name another file."),
        (tmp_path, "is not a file. Name another one."),
        (Path(os.devnull), "is not a file. Name another one."),
        (fifo, "is not a file. Name another one."),
    ):
        assert main([*TUNE, option, str(path)]) == 1
        said = capsys.readouterr()
        assert said.out == ""
        assert str(path) in said.err
        assert said.err.endswith(f"{told}\n")
    assert list(tmp_path.iterdir()) == [fifo]


def test_the_result_does_not_take_the_place_of_the_state(
    tmp_path: Path, nothing_works: None, capsys: pytest.CaptureFixture[str]
) -> None:
    state, link = tmp_path / "state", tmp_path / "link"
    link.symlink_to(state)
    assert main([*TUNE, "--state", str(state), "--out", str(link)]) == 1
    assert f"{link} would be overwritten, but is still needed" in capsys.readouterr().err


@pytest.mark.nightly
@pytest.mark.slow
def test_a_result_that_does_not_fit_on_the_disk_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "tuned.json"
    out.write_text("before")
    with full_disk(64):
        assert main([*TUNE, "--out", str(out)]) == 1
    said = capsys.readouterr()
    assert json.loads(said.out)["generations"] == 1
    assert said.err == f"lab: Could not write {out}: File too large. Free some space, or name another file.\n"
    assert out.read_text() == "before"
    assert list(tmp_path.iterdir()) == [out]


def exits(job: TuningJob) -> list[float]:
    os._exit(1)


@pytest.mark.nightly
@pytest.mark.slow
def test_a_state_is_kept_when_a_worker_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    state = tmp_path / "state"
    assert main([*TUNE, "--state", str(state)]) == 0
    monkeypatch.setattr(tune, "fitness", exits)
    capsys.readouterr()
    assert main(["tune", "--generations", "2", "--workers", "1", "--state", str(state)]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("lab: A worker process was killed, perhaps for lack of memory. The same")
    assert json.loads(state.read_text())["generation"] == 1


def test_a_state_that_does_not_fit_on_the_disk_is_told_before_the_work(
    tmp_path: Path, nothing_works: None, capsys: pytest.CaptureFixture[str]
) -> None:
    state = tmp_path / "state"
    with full_disk(64):
        assert main([*TUNE, "--state", str(state)]) == 1
    assert capsys.readouterr().err == (
        f"lab: Could not write {state}: File too large. Free some space, or name another file.\n"
    )
    assert not state.exists()
