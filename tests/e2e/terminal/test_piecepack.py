"""Whole games of the piecepack on a real terminal of 80 by 24 against bots: by keyboard or mouse, and in line mode."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kimberley.games.piecepack import GAME
from tests.support.at_the_lan import verified
from tests.support.effort import tries
from tests.support.line_players import piecepack_answer
from tests.support.pipe import Pipe
from tests.support.program import PATIENCE
from tests.support.terminal import Terminal, at_the_end

LONG = 60.0
"""Seconds for the turns of others and for an audit, on a busy machine."""


def settled(data: Path, seats: int) -> Path:
    """Returns a data folder whose settings have so many seats and the weakest bots."""
    chosen = {"nickname": "ana", "seats": seats, "level": 1, "game": "piecepack", "calm": True}
    (data / "settings.json").write_text(json.dumps(chosen))
    return data


def my_turn(text: str) -> bool:
    strip = text.splitlines()[1]
    return at_the_end(text) or "your turn" in strip or "your turn to answer" in strip or "Back Esc" in text


def phase(text: str) -> str:
    return text.splitlines()[1].split()[0]


def play(terminal: Terminal, by_mouse: bool) -> set[str]:
    """Plays until the end. Returns the phases seen."""
    met: set[str] = set()
    turn = 0
    while not at_the_end(text := terminal.wait(my_turn, LONG)):
        turn += 1
        met.add(phase(text))
        (click if by_mouse else press)(terminal, text, turn)
        terminal.wait(lambda now, before=text: now != before, LONG)  # type: ignore[misc]
    return met


def press(terminal: Terminal, text: str, turn: int) -> None:
    """Takes a turn at the keyboard: explores, mines what it can, and steps about."""
    if "Go there?" in text or "Worth nothing" in text:
        terminal.press("x")
        return
    match phase(text):
        case "EXPLORE":
            terminal.press(*["right", "down", "left", "up"][: turn % 5], "enter")
        case "ACT" if "(Mine with" not in text:
            terminal.press("k")
        case "ACT" if "(Rest with" not in text:
            terminal.press("r")
        case "ACT" if "(Beat with" not in text:
            terminal.press("b")
        case "ACT" if "(Step " not in text:
            terminal.press("w")
        case "ACT":
            terminal.press("d")
        case "STEP":
            terminal.press(*["space"] * (turn % 4), "enter")
        case "TRAVEL" if "left" in text:
            terminal.press("d")
        case "DEFEND!":
            terminal.press("a", "enter")
        case "STEAL" | "PEEK":
            terminal.press("space", "enter")
        case "MINE" | "REST" | "BEAT" | "TRAVEL" | "TRADE":
            terminal.press(*["a"] * ("Choose a coin first" in text), "enter")


def click(terminal: Terminal, text: str, turn: int) -> None:
    """Takes a turn with the mouse."""
    if "Go there?" in text or "Worth nothing" in text:
        terminal.touch(" x ")
        return
    if " nothing?" in text:
        terminal.touch(" y ")
        return
    match phase(text):
        case "EXPLORE":
            terminal.touch("place it")
        case "ACT" if "(Mine with" not in text:
            terminal.touch("Mine with")
        case "ACT" if "(Step " not in text:
            terminal.touch("Step ")
        case "ACT":
            terminal.touch("▸ End the turn" if "▸ End the turn" in text else "End the turn  ")
        case "STEP":
            if turn % 3:
                terminal.touch(" ∙∙ ") if " ∙∙ " in text else terminal.touch("Go there")
            else:
                terminal.touch("Enter")
        case "DEFEND!":
            terminal.touch("Spend none n")
        case "STEAL" | "PEEK":
            # Coins seen before show their value, and can be chosen again, so there may be no hidden coin to click.
            terminal.touch("Enter" if " 0 of " not in text else "?" if "?" in text else "None n")
        case "MINE":
            terminal.touch("a all" if "Choose a coin first" in text else "Mine Enter")


@pytest.mark.nightly
@pytest.mark.parametrize(
    "by_mouse", tries([False], [False, True]), ids=lambda by_mouse: "mouse" if by_mouse else "keys"
)
def test_a_whole_game_and_its_replay(by_mouse: bool, tmp_path: Path) -> None:
    with Terminal(data=settled(tmp_path, 3)) as terminal:
        terminal.wait("quit")
        if by_mouse:
            terminal.touch("Play alone a")
            terminal.touch("Play Enter")
        else:
            terminal.press("a")
            terminal.wait("Level")
            terminal.press("enter")
        met = play(terminal, by_mouse)
        assert {"EXPLORE", "ACT", "STEP"} <= met
        terminal.dossier()
        terminal.press("d")
        text = terminal.wait("Hand after")
        assert "Every move was replayed" in text
        terminal.press("down", "down", "enter")
        terminal.wait("replay", LONG)
        terminal.wait("START", LONG)
        terminal.press("right", "v", "tab")
        terminal.wait("begins. ")


@pytest.mark.nightly
def test_a_whole_game_in_lines(tmp_path: Path) -> None:
    """An answer that comes too late, or twice, only gets a reply that it makes no sense."""
    said: list[str] = []

    def answer(line: str) -> str | None:
        said.append(line)
        return piecepack_answer(line)

    with Pipe(data=settled(tmp_path, 2), answers=answer) as ana:
        ana.type("alone 1")
        record = ana.wait(r"^Record: (.*\.kdt)[.]", 3 * PATIENCE)[1]
        ana.type("leave")
        ana.wait(r"^You are back at the main menu\.")
        ana.type("quit")
        assert ana.end() == 0
    text = "\n".join(said)
    assert f"The game begins: {GAME.title}, with ana" in text
    assert "You go to " in text
    assert "Fair: every move was replayed" in text
    assert "Turn 1: " in text
    assert verified(Path(record)) == "fair"
