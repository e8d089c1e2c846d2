"""Diamond between two hosts, from the title screen to the dossier, with a rematch that the other side begins.

ana has only a keyboard, ben only a mouse.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from kimberley.client.boards.diamond.panel import panel_width
from kimberley.client.boards.diamond.tiling import tiling
from kimberley.games.diamond.board import NAMED
from kimberley.games.diamond.rules import State
from kimberley.protocol.record import Record
from tests.support.at_the_lan import choose_game, player, records, verified, words
from tests.support.diamond_game import TURNS, some_step
from tests.support.lan import Lan
from tests.support.terminal import Terminal

BOARD: Final = 80 - panel_width(80), 24 - 3


def click(terminal: Terminal, point: str) -> None:
    """Clicks on a point of the board."""
    x, y = tiling(*BOARD).at[NAMED[point]]
    terminal.click(x, y + 2)


def turn(terminal: Terminal, written: str, *, keyboard: bool) -> None:
    """Makes a turn, and waits until it is made."""
    terminal.wait("your move")
    if keyboard:
        terminal.press(*written.rstrip("*"), "enter")
    else:
        points = written.rstrip("*").split("-")
        for point in points:
            click(terminal, point)
        terminal.wait("Click again")
        click(terminal, points[-1])
    terminal.wait(lambda text: "your move" not in text)


@pytest.mark.nightly
def test_two_games_between_two_hosts(tmp_path: Path) -> None:
    with Lan(2) as lan, player(lan, 1, "ana", tmp_path) as ana, player(lan, 2, "ben", tmp_path) as ben:
        choose_game(ana, "Diamond")
        ana.press("h")
        assert "kimberley join 10.77.0.1" in ana.wait("How to join")
        ben.touch("Join j")
        ben.wait("ana ")
        ben.touch("Join Enter")
        assert words(ana) == words(ben)
        ana.press("y")
        ben.touch("Same y")

        hers = "your move" in ana.wait(lambda text: "your move" in text or "to place" in text)
        state = State(first=0)
        for number, written in enumerate(TURNS.split()):
            mine = (number % 2 == 0) == hers
            if "*" in written and hers:
                ana.press("=")
            turn(ana if mine else ben, written, keyboard=mine)
            state = state.apply(written)
        for seat in (ana, ben):
            seat.wait("Last: c7-d7*")
        if not hers:
            ana.press("=")
            turn(ana, some_step(state), keyboard=True)
        ben.touch("Accept draw =")
        ben.touch("Accept y")
        for seat in (ana, ben):
            assert "by agreement" in seat.dossier().lower()

        ben.touch("Rematch p")
        ana.wait("ben wants")
        ana.press("p")
        first, second = (ben, ana) if hers else (ana, ben)
        first.wait("You are Black")
        assert "Black to place" in second.wait("ana")
        ana.press("f10", "r", "x")
        for seat in (ana, ben):
            seat.dossier()
        ana.press("esc", "y")
        ana.wait("Play alone")
        ben.wait("ana left the table")
        ben.press("esc")
        ben.wait("Play alone")

    played = records(tmp_path, "ana", "ben")
    assert [verified(record) for record in played] == ["fair", "fair"]
    begins = {Record.unpack(record.read_bytes()).table.roster.begins for record in played}
    # Lots decided the first game. For the second, everybody moves up a seat, and the other player begins.
    assert begins == {None, 0 if hers else 1}
