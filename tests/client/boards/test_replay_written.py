"""`kimberley replay` on games that were written as text, on their boards and in lines."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kimberley.client.boards.registry import find_board
from kimberley.client.cli import main
from kimberley.games.land.account_sheet import read_sheet, story_from_sheet
from kimberley.games.land.account_sheet import write_sheet as write_land
from tests.support.pretend import pretend_app, shown
from tests.support.written import DIAMOND_SHEET, land_sheet


def replayed(file: Path, capsys: pytest.CaptureFixture[str], *flags: str) -> tuple[int, str, str]:
    status = main.main(["replay", str(file), *flags])
    said = capsys.readouterr()
    return status, said.out, said.err


def test_a_score_sheet_of_diamond_is_told_in_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.txt"
    file.write_text(DIAMOND_SHEET)
    status, said, _ = replayed(file, capsys, "--plain")
    assert status == 0
    assert "White resigned" in said
    assert "Black: " not in said, "nobody knows who played"
    assert DIAMOND_SHEET.splitlines()[0] in said


def test_an_account_sheet_of_the_land_is_told_in_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = land_sheet()
    assert write_land(read_sheet(text)) == text
    assert len(story_from_sheet(read_sheet(text))) == len(read_sheet(text).events)
    file = tmp_path / "game.txt"
    file.write_text(text)
    status, said, _ = replayed(file, capsys, "--plain")
    assert status == 0
    assert re.search(r"^Player C has \S+ and \d+ parcels after \d+ turns\.$", said, re.MULTILINE)
    assert re.search(r"^Player A is bankrupt after \d+ turns?\.$", said, re.MULTILINE)
    assert "is Player" not in said
    assert text.splitlines()[-1] in said


def test_other_text_is_refused_with_what_each_game_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear Ana,\n")
    status, _, problem = replayed(file, capsys, "--plain")
    assert status == 1
    refused = f"{file} cannot be replayed: it is neither a record nor a game written as text."
    assert problem.startswith(f"kimberley: {refused} As Diamond, move 1: 'Dear' is not a turn")
    assert "As Blood Diamonds: Land, line 1: " in problem


@pytest.mark.parametrize("option", ["--json", "--picture"])
def test_an_option_for_records_is_refused_for_text(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str
) -> None:
    file = tmp_path / "game.txt"
    file.write_text(DIAMOND_SHEET)
    refused = f"kimberley: {file} is text: {option} is for records.\n"
    assert replayed(file, capsys, option) == (1, "", refused)
    assert list(tmp_path.iterdir()) == [file]


def test_an_empty_file_is_no_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "nothing.txt"
    for text in ("", " \n"):
        file.write_text(text)
        status, said, problem = replayed(file, capsys, "--plain")
        assert (status, said) == (1, "")
        assert problem == f"kimberley: {file} cannot be replayed: this is not a Kimberley record.\n"


def test_boards_that_read_text_say_so() -> None:
    assert find_board("diamond").read_text(DIAMOND_SHEET) is not None
    assert find_board("mine").read_text(DIAMOND_SHEET) is None


@pytest.mark.parametrize("sheet", ["white resigns", DIAMOND_SHEET])
def test_of_a_game_without_moves_no_key_steps_through_it(sheet: str) -> None:
    written = find_board("diamond").read_text(sheet)
    assert written is not None
    app = pretend_app()
    app.push(written.replay(app, None))
    keys = shown(app).splitlines()[-1]
    assert "Esc close" in keys
    assert ("→ next" in keys) == ("Space play" in keys) == (sheet == DIAMOND_SHEET)
