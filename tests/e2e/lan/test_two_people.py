"""Two people on two hosts, from the title screen to the dossier, by keyboard and mouse, with a record that verifies."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.at_the_lan import player, records, verified, words
from tests.support.lan import Lan
from tests.support.whole_game import on_terminals, play

ADJUST = "1-4"
"""Adjusting ends when both are done, after 1 to 4 s."""


@pytest.mark.nightly
def test_nine_rounds_between_two_hosts(tmp_path: Path) -> None:
    look = {"adjust": ADJUST}
    with Lan(2) as lan, player(lan, 1, "ana", tmp_path, **look) as ana, player(lan, 2, "ben", tmp_path, **look) as ben:
        ana.wait("Host h")
        ana.press("h")
        assert "kimberley join 10.77.0.1" in ana.wait("How to join")
        ben.touch("Join j")
        ben.touch("ana ")
        assert words(ana) == words(ben)
        ana.press("y")
        ben.touch("Same y")
        play(*on_terminals(ana, ben))
        # Whether (1) and [1] brought diamonds home depends on where the Inspector was.
        assert any(ending in ana.text for ending in ("You win", "ben wins"))
        ana.press("d")
        rows = ana.wait("[1] → (1)♥ double agent")
        assert "bribe to [1], $2" in rows
        assert "you changed Uige $2 to $4" in rows
        assert "(1) → [1]♥ double agent" in rows
        ana.press("esc", "esc", "y")
        ana.wait("Play alone")
        ben.wait("ana left the table")
        ben.press("esc")
        ben.wait("Play alone")

    (record,) = records(tmp_path, "ana", "ben")
    assert verified(record) == "fair"
