"""Watching on a real terminal: a game over the network, from its start to the verdict."""

from __future__ import annotations

import re
from pathlib import Path

from tests.support.terminal import Terminal

BOT = ("-m", "tests.support.seeded", "bot")
PIECES = {"○", "■"}
GAME = 120.0
"""Seconds within which a game must have ended and been proven."""


def host(folder: Path) -> Terminal:
    quick = ("--bind", "127.0.0.1", "--nickname", "ana", "--level", "1", "--seed", "3", "--json")
    return Terminal("host", "diamond", *quick, data=folder / "ana", columns=400, program=BOT)


def place(person: Terminal) -> None:
    """Places a piece where the bot with this seed does not begin. The bot may answer by changing sides."""
    person.wait("your move")
    person.press(*"c7", "enter")
    person.wait(lambda text: any(row.strip().startswith("7 ") and PIECES & set(row) for row in text.splitlines()))


def test_a_game_is_watched_from_its_start_to_the_verdict(tmp_path: Path) -> None:
    with host(tmp_path) as ana:
        found = re.search(r'"port": (\d+)', ana.wait('"port": '))
        assert found
        address = f"127.0.0.1:{found[1]}"
        with Terminal("watch", address, "--ascii", data=tmp_path / "eve") as eve:
            eve.wait("The game has not begun.")
            with Terminal("join", address, "--nickname", "ben", data=tmp_path / "ben") as ben:
                ben.wait("Same y")
                ben.press("y")
                place(ben)
                eve.wait("O live")
                eve.wait(lambda text: "ana" in text and "ben" in text and "Last: " in text)
                eve.press("left", "left")
                eve.wait("behind")
                eve.press("l")
                eve.wait("What happened")
                eve.press("esc")
                eve.touch("End live")
                ben.press("f10", "r", "x")
                text = eve.wait("THE END", GAME)
                assert text.isascii()
                text = eve.wait("FAIR ok", GAME)
                assert "Every move was replayed" in text
                eve.touch("Save the record")
                eve.wait("Saved: ")
                kept = list((tmp_path / "eve" / "records").iterdir())
                assert len(kept) == 1
                assert kept[0].read_bytes() == next((tmp_path / "ana" / "records").iterdir()).read_bytes()
                eve.press("esc")
                eve.wait("d moves")
                eve.press("esc")
                eve.wait("quit")
                eve.press("q")
                assert eve.end() == 0
