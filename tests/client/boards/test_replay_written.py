"""`kimberley replay` on games that were written as text, on their boards and in lines."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from kimberley.client.boards.game_board import ReadsText
from kimberley.client.boards.registry import find_board
from kimberley.client.cli import main
from kimberley.games.diamond.score_sheet import ScoreSheet, write_sheet
from kimberley.games.land import GAME as LAND
from kimberley.games.land.account_sheet import read_sheet, sheet_from_story, story_from_sheet
from kimberley.games.land.account_sheet import write_sheet as write_land
from kimberley.games.land.rules import State as LandState
from kimberley.games.table import Result, space_for
from tests.support.terminal import Terminal

WITHOUT_FOLDER = ("-c", "import sys; from kimberley.client.cli.main import main; sys.exit(main(sys.argv[1:-2]))")
"""The command without the data folder that a test's terminal gives it: a replay has none."""
DIAMOND = write_sheet(ScoreSheet(("d4", "e5", "c3", "b2"), (1,)))


def land_sheet() -> str:
    """A short game of the land, played at random."""
    rng = Random(5)
    start = LAND.start(3, dict(LAND.quick), 1)
    assert isinstance(start, LandState)
    state, story = start, []
    while not isinstance(ask := state.ask(), Result):
        space = next((space for seat in range(3) if (space := space_for(ask, seat)) is not None), None)
        answer = space.pick(rng) if space is not None else tuple(rng.randrange(side) for side in ask.sides)  # type: ignore[attr-defined]
        story.append((ask, answer))
        state = state.apply(answer)
    return write_land(sheet_from_story(start, story))


def replayed(file: Path, capsys: pytest.CaptureFixture[str], *flags: str) -> tuple[int, str, str]:
    status = main.main(["replay", str(file), *flags])
    said = capsys.readouterr()
    return status, said.out, said.err


def test_a_score_sheet_of_diamond_is_told_in_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.txt"
    file.write_text(DIAMOND)
    status, said, _ = replayed(file, capsys, "--plain")
    assert status == 0
    assert "White resigned" in said
    assert DIAMOND.splitlines()[0] in said


def test_an_account_sheet_of_the_land_is_told_in_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = land_sheet()
    assert write_land(read_sheet(text)) == text
    assert len(story_from_sheet(read_sheet(text))) == len(read_sheet(text).events)
    file = tmp_path / "game.txt"
    file.write_text(text)
    status, said, _ = replayed(file, capsys, "--plain")
    assert status == 0
    assert "player A" in said
    assert text.splitlines()[-1] in said


@pytest.mark.e2e
@pytest.mark.parametrize(
    ("text", "shown", "then"),
    [(DIAMOND, "move 0 of 4", "White resigned"), (land_sheet(), "turn 0 of", "is the last player in the game")],
)
def test_a_written_game_is_stepped_through_on_its_board(text: str, shown: str, then: str, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(text)
    with Terminal("replay", str(file), data=tmp_path, program=WITHOUT_FOLDER) as terminal:
        terminal.wait(shown)
        terminal.press("\x1b[F")
        terminal.wait(then)
        terminal.press("esc")
        assert terminal.end() == 0


def test_other_text_is_refused_with_what_each_game_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear Ana,\n")
    status, _, problem = replayed(file, capsys, "--plain")
    assert status == 1
    assert "as Diamond: " in problem
    assert "as Blood Diamonds, the land game: " in problem
    file.write_text(DIAMOND)
    assert replayed(file, capsys, "--json")[0] == 1


def test_boards_that_read_text_say_so() -> None:
    assert isinstance(find_board("diamond"), ReadsText)
    assert not isinstance(find_board("mine"), ReadsText)
