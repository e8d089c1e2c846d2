"""`kimberley replay` steps through games that were written as text, on their boards."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.terminal import Terminal
from tests.support.written import DIAMOND_SHEET, land_sheet

WITHOUT_FOLDER = ("-c", "import sys; from kimberley.client.cli.main import main; sys.exit(main(sys.argv[1:-2]))")
"""The command without the data folder that a test's terminal gives it: a replay has none."""


@pytest.mark.parametrize(
    ("text", "shown", "then"),
    [(DIAMOND_SHEET, "move 0 of 4", "White resigned"), (land_sheet(), "turn 0 of", "Player C has won.")],
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
