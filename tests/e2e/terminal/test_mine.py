"""Whole games of Diamond Mine on a real terminal of 80 x 24 against bots: by keyboard, by mouse, and in line mode."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.support.line_players import mine_player
from tests.support.terminal import Terminal, at_the_end

MINE: Final = ("NESTS", "CARD", "MOVE", "VEIN")
HOME, PAGE_DOWN, END = "\x1b[H", "\x1b[6~", "\x1b[F"
ENDED: Final = (
    r"won( with \d+ points?( each)?)?\. (The game ended when )?"
    r"({} veins were exhausted|all players agreed|both players agreed|no gem)"
)
"""How a game ended, in any case; with the number of veins."""
CARDS_ROW: Final = 21
SQUARES: Final = [(5 + 5 * column + 2, 3 + 2 * row + 1) for row in range(8) for column in range(8)]
"""A cell in the lower half of each square. The board starts at column 5 and row 3."""


def asked(text: str) -> str:
    """Returns what the player must do: the phase, END after the game, or an empty text."""
    if at_the_end(text):
        return "END"
    strip = text.splitlines()[1]
    phase = strip.split(maxsplit=1)[0] if strip.strip() else ""
    turn = "your turn" in strip or re.search(r"you move \d", strip)
    return phase if turn and phase in MINE else ""


def seated(data: Path, *, calm: bool) -> Terminal:
    """Starts the program, with bots at their lowest level."""
    (data / "settings.json").write_text(json.dumps({"nickname": "ana", "level": 1, "calm": calm}))
    return Terminal(data=data)


def setup(terminal: Terminal, seats: int) -> None:
    """Goes from the title screen to a game alone, by keyboard."""
    terminal.wait("Diamond Mine")
    terminal.press_until("down", "▸ Diamond Mine")
    terminal.press("a")
    terminal.wait("Level")
    if seats == 4:
        terminal.press("right")
        terminal.wait("4 players")
    terminal.press("enter")
    terminal.wait("NESTS")


def seek(terminal: Terminal, most: int) -> None:
    """Presses Tab up to `most` times, until the target has a vein or is home. Stops if the move is over, which the
    screen showed too late.
    """
    for _ in range(most):
        before = terminal.text
        terminal.press("tab")
        text = terminal.wait(lambda now: "Enter moves" in now or asked(now) != "MOVE")
        if (
            asked(text) != "MOVE"
            or "an unopened vein" in text
            or "an open vein" in text
            or "At home" in text
            or text == before
        ):
            break


@pytest.mark.nightly
def test_a_whole_game_of_two_by_keyboard_alone(tmp_path: Path) -> None:
    with seated(tmp_path, calm=False) as terminal:
        setup(terminal, 2)
        turns = 0
        while (
            what := asked(text := terminal.wait(lambda text: asked(text) != "" or "skip to the end" in text))
        ) != "END":
            if "skip to the end" in text:
                pass
            elif what == "CARD":
                terminal.press(str(turns % 3 + 1))
                terminal.wait("plays it face down")
            elif what == "MOVE":
                seek(terminal, turns % 5 + 1)
                if asked(terminal.text) != what:
                    continue
            turns += 1
            before = terminal.text
            while terminal.text == before:
                # Right after something was shown, Enter is still meant for that.
                terminal.press("enter")
        text = terminal.dossier()
        assert re.search(
            ENDED.format(6),
            text,
        )
        terminal.press("d")
        terminal.wait("What happened")
        terminal.press("enter")
        terminal.wait("· replay")
        for key, shown in ((HOME, "0 of"), ("right", "1 of"), (PAGE_DOWN, "CARD"), (END, "THE END")):
            terminal.press(key)
            terminal.wait(shown)
        terminal.press("esc")
        terminal.dossier()
        terminal.press("c-c")
        terminal.wait("Leave the table and quit?")
        terminal.press("c-c")
        assert terminal.end() == 0


def lit(terminal: Terminal) -> list[tuple[int, int]]:
    """Returns cells of the lit squares, found by their color."""
    return [(x, y) for x, y in SQUARES if terminal.colours(x + 2, y - 1)[1] == "1c4c3a"]


@pytest.mark.nightly
def test_a_whole_game_of_four_by_mouse_alone(tmp_path: Path) -> None:
    with seated(tmp_path, calm=True) as terminal:
        terminal.touch("Diamond Mine")
        terminal.touch("Play alone a")
        _, y = terminal.find("2 players")
        terminal.click(terminal.text.splitlines()[y].rindex("▸"), y)
        terminal.wait("4 players")
        terminal.touch("Play Enter")
        turns = 0
        while (what := asked(terminal.wait(lambda text: asked(text) != ""))) != "END":
            button = {"NESTS": "Place it Enter", "CARD": "Play it Enter", "MOVE": "Go Enter", "VEIN": " Enter "}[what]
            if what == "CARD":
                terminal.click(terminal.text.splitlines()[CARDS_ROW].index(str(turns % 3 + 1)), CARDS_ROW)
            elif what == "MOVE":
                targets = lit(terminal)
                assert targets
                terminal.click(*targets[turns % len(targets)])
            turns += 1
            before = terminal.wait(button)
            terminal.touch(button)
            terminal.wait(lambda now, before=before: now != before)  # type: ignore[misc]
        text = terminal.dossier()
        assert re.search(
            ENDED.format(8),
            text,
        )
        assert "Every move was replayed" in text
        terminal.touch("Leave")
        terminal.wait("Play alone a")


def test_a_whole_game_in_lines(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.support.seeded", "alone", "mine", "--seats", "2", "--level", "1", "--plain"]
    answer = mine_player()
    with subprocess.Popen(
        [*command, "--nickname", "ana", "--data", str(tmp_path)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
    ) as program:  # fmt: skip
        assert program.stdin is not None
        assert program.stdout is not None
        heard = []
        for line in map(str.strip, program.stdout):
            heard.append(line)
            typed = "leave\nquit" if line.startswith("Type rematch") else answer(line)
            if typed is not None:
                program.stdin.write(f"{typed}\n")
    assert program.returncode == 0
    text = "\n".join(heard)
    assert "The nests are filled. Nobody knows what is inside." in text
    assert "The vein on " in text
    assert "Fair: every move was replayed" in text
    assert "You are back at the main menu." in text
