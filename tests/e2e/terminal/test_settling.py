"""The options of a table on real terminals: set by keys, read and joined with the mouse, and set by command."""

from __future__ import annotations

import re
from pathlib import Path

from tests.support.cards_board import installed
from tests.support.terminal import Terminal


def test_settled_by_keys_and_joined_with_the_mouse(tmp_path: Path) -> None:
    environ = installed(tmp_path / "packages")
    with (
        Terminal("--nickname", "olga77", "--calm", data=tmp_path / "olga", environ=environ) as olga,
        Terminal("--nickname", "ben", "--calm", data=tmp_path / "ben", environ=environ) as ben,
    ):
        olga.wait("Play alone a")
        olga.press_until("down", "▸ Choosy Cards")
        olga.press("h")
        olga.touch("Options o")
        olga.wait("2 players")
        olga.press("down", "right", "down", "right", "down", "right")
        # The fifth suit needs at least three players.
        olga.wait("A fifth suit is for 3 and more.")
        olga.press("up", "up", "up", "right", "enter")
        # Two of the four options do not fit below the code.
        olga.wait(
            lambda text: (
                "1 of 3 seats taken" in text
                and re.search(r"large and long .* 25 turns each +\+2 more", text) is not None
            )
        )

        ben.touch("Join j")
        if "olga77’s table" not in ben.wait("olga77 "):
            # The network has other tables, too.
            ben.touch("olga77 ")
        ben.wait("large and long, 25 turns each, a fifth color")
        ben.touch("Join Enter")
        text = ben.wait("2 of 3 seats taken")
        assert "large and long" in text
        assert "a fifth color, worth triple" in text
        # With these options the game needs exactly three players, so it begins when the third is seated.
        olga.press("b")
        for seat in (olga, ben):
            assert "25 turns each" in seat.wait("Same y")
        ben.touch("Same y")
        olga.press("y")
        for seat in (olga, ben):
            seat.wait("bid 2")

    (first,) = (path for path in (tmp_path / "olga").glob("settings.json"))
    assert re.search(r'"choosy"', first.read_text())


def test_a_table_alone_by_command(tmp_path: Path) -> None:
    environ = installed(tmp_path / "packages")
    typed = ("alone", "choosy", "--seats", "5", "--level", "2", "--option", "deck=large", "--calm", "--nickname", "ana")
    with Terminal(*typed, data=tmp_path / "ana", environ=environ) as ana:
        text = ana.wait("bid 2")
        assert len(re.findall(r"^ [\w-]+( \(left\))?: \d+ points", text, re.MULTILINE)) == 5
        ana.press("f10")
        ana.touch("Leave the table")
        ana.touch("Leave for good x")
        ana.wait("Play alone a")
