"""A real terminal of 40 columns by 40 rows, like a phone held upright: by the mouse alone, in place of a finger."""

from __future__ import annotations

from pathlib import Path

from tests.support.terminal import Terminal, place_in

ANSWERS = ("Finish", "Continue", "   Done")
"""What is touched to go on through a month, the most pressing first."""


def test_a_month_of_diamond_trust_is_played_by_touch_alone(tmp_path: Path) -> None:
    with Terminal("--nickname", "ana", data=tmp_path, columns=40, rows=40) as terminal:
        terminal.touch("Play alone")
        terminal.wait("Choose how strong")
        terminal.touch("Play")
        terminal.wait(" PAY ")
        terminal.touch("[1]")
        terminal.wait("$ 0")
        terminal.touch("Undo")
        while "month 2 of 9" not in (text := terminal.wait(lambda text: any(each in text for each in ANSWERS))):
            # A touch that comes too early for what is shown, or too late, means nothing, and is repeated.
            terminal.click(*place_in(text, next(each for each in ANSWERS if each in text)))
        terminal.touch("Menu")
        terminal.touch("Leave the table")
        terminal.wait("If you save the game")
        terminal.touch("Leave for good")
        terminal.wait("Play alone")
