"""The file of a contest: what is whole in it counts, and what is wrong with it is reported."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from kimberley.client.cli.output_file import OutputFileTrouble
from tests.lab import arena
from tests.lab.__main__ import main
from tests.lab.contest import ContestTable, Rotation
from tests.lab.opponents import Contender
from tests.lab.rotation_log import RotationLog
from tests.support.full_disk import full_disk

CONTEST = {"a": "heuristic", "b": "random", "seed": 0}
GOOD = {"seed": 0, "points": [1, 0.5], "margins": [3.5, -1], "decisions": [9, 9], "seconds": [0.1, 0.1]}
ODD: list[dict[str, Any]] = [
    {"seed": "0"}, {"seed": -1}, {"seed": True}, {"seed": 0.5}, {"points": []}, {"points": [1]}, {"points": [1, 1.5]},
    {"points": [1, -0.5]}, {"points": [1, "1"]}, {"points": [1, None]}, {"points": 1}, {"points": [1, float("nan")]},
    {"margins": []}, {"margins": [float("inf"), 0]}, {"margins": [10**400, 0]}, {"decisions": [9]},
    {"decisions": [9.5, 9]}, {"decisions": [-9, 9]}, {"seconds": []}, {"seconds": [-1, 1]},
]  # fmt: skip
"""What makes a line unsound."""
COMMAND = ("arena", "heuristic", "random", "--pairs", "3", "--workers", "1", "--json", "--state")


def rotation(seed: int) -> Rotation:
    return Rotation(seed, (1.0, 0.5), (3.5, -1.0), (9, 9), (0.1, 0.1))


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A contest of two rotations."""
    path = tmp_path / "contest.jsonl"
    book = RotationLog(path, CONTEST, 2)
    for seed in range(2):
        book.add(rotation(seed))
    return path


def test_a_last_line_that_was_cut_is_dropped_and_nothing_is_glued_to_it(state: Path) -> None:
    """Wherever it was cut."""
    whole = state.read_bytes()
    for end in range(len(whole)):
        state.write_bytes(whole[:end])
        book = RotationLog(state, CONTEST, 2)
        kept = whole[:end].count(b"\n") - 1
        assert len(book.rotations) == max(kept, 0)
        for seed in range(2):
            if seed not in book.rotations:
                book.add(rotation(seed))
        assert state.read_bytes() == whole


@pytest.mark.parametrize(
    "line",
    [
        "nothing",
        "",
        "[1]",
        "7",
        '{"seed": 0}',
        "[" * 100_000,
        *(json.dumps(GOOD | odd) for odd in ODD),
    ],
)
def test_any_other_line_that_is_no_rotation_is_named(line: str, state: Path) -> None:
    state.write_text(f"{json.dumps(CONTEST)}\n{json.dumps(GOOD)}\n{line}\n{json.dumps(GOOD)}\n")
    before = state.read_bytes()
    with pytest.raises(OutputFileTrouble, match=r"Line 3 of .*contest\.jsonl has no games for 2 seats\. Delete it or"):
        RotationLog(state, CONTEST, 2)
    assert state.read_bytes() == before


def test_a_line_that_is_no_text_is_named(state: Path) -> None:
    state.write_bytes(state.read_bytes() + b"\xff\n")
    with pytest.raises(OutputFileTrouble, match="Line 4 of "):
        RotationLog(state, CONTEST, 2)


@pytest.mark.parametrize("content", ["nothing", "nothing\n", "\n", '{"a": "heu\n', "x" * 9999])
def test_what_is_no_contest_is_left_as_it_is(content: str, tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text(content)
    with pytest.raises(OutputFileTrouble, match=r"is not a contest file\. Name another one\."):
        RotationLog(path, CONTEST, 2)
    assert path.read_text() == content


def test_no_contest_is_kept_where_no_file_can_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    for path, told in (
        (fifo, "is not a file."),
        (Path(os.devnull), "is not a file."),
        (tmp_path, "is not a file."),
        (tmp_path / "none" / "x", "there is no folder "),
    ):
        assert main([*COMMAND, str(path)]) == 1
        said = capsys.readouterr()
        assert said.out == ""
        assert str(path) in said.err
        assert told in said.err


@pytest.mark.nightly
@pytest.mark.slow
def test_a_full_disk_is_told_beside_the_standing_and_the_contest_goes_on(
    state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = state.read_bytes()
    with full_disk(len(kept) + 8):
        assert main([*COMMAND, str(state)]) == 1
    said = capsys.readouterr()
    assert json.loads(said.out)["games"] == 6, "what was not kept counts"
    assert (
        f"{state} cannot be written anymore: File too large. Free some space. The same command continues from {state}"
        in said.err
    )
    assert state.read_bytes()[:-8] == kept
    assert main([*COMMAND, str(state)]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 6
    assert len(RotationLog(state, CONTEST, 2).rotations) == 3
    assert state.read_bytes().startswith(kept)


def killed(table: ContestTable, first: Contender, second: Contender, seed: int) -> Rotation:
    os._exit(1)


def test_a_worker_that_is_killed_is_told_beside_the_standing(
    state: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(arena, "play_rotation", killed)
    assert main([*COMMAND, str(state)]) == 1
    said = capsys.readouterr()
    assert json.loads(said.out)["games"] == 4
    assert "A worker process was killed, perhaps for lack of memory. The same command continues from" in said.err
    assert main([*COMMAND[:-1]]) == 1
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert (
        "Nothing is saved; with --state FILE it could continue. Fewer workers need less memory: --workers N."
        in said.err
    )


def ended(table: ContestTable, first: Contender, second: Contender, seed: int) -> Rotation:
    if seed > 3:
        os._exit(1)
    return rotation(seed)


def test_games_are_counted_only_as_they_are_played(
    state: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(arena, "play_rotation", ended)
    assert main([*COMMAND, str(state), "--pairs", str(sys.maxsize)]) == 1
    assert json.loads(capsys.readouterr().out)["games"] >= 4


@pytest.mark.nightly
@pytest.mark.slow
def test_a_picture_is_drawn_only_where_it_can_be(
    state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with monkeypatch.context() as patched:
        patched.delattr(arena, "play_rotation")
        for path, told in (
            (tmp_path, "is not a file."),
            (tmp_path / "none" / "x", "there is no folder "),
            (state, "would be overwritten"),
        ):
            assert main([*COMMAND, str(state), "--plot", str(path)]) == 1
            assert told in capsys.readouterr().err
    plot = tmp_path / "plot.svg"
    with full_disk(state.stat().st_size + 500):
        assert main([*COMMAND, str(state), "--plot", str(plot)]) == 1
    said = capsys.readouterr()
    assert json.loads(said.out)["games"] == 6
    assert f"Could not write {plot}: File too large." in said.err
    assert not plot.exists()


def test_what_is_kept_is_read_as_it_was(state: Path) -> None:
    assert RotationLog(state, CONTEST, 2).rotations == {seed: rotation(seed) for seed in range(2)}
    assert json.loads(state.read_text().splitlines()[1]) == json.loads(json.dumps(asdict(rotation(0))))
