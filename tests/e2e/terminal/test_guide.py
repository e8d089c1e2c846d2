"""The guide at a newcomer's terminal: offered once, followed, skipped, started again."""

from __future__ import annotations

from pathlib import Path

from tests.support.terminal import Terminal


def test_a_newcomer_is_guided_once_against_the_easiest_bot(tmp_path: Path) -> None:
    with Terminal("--nickname", "ana", "--calm", data=tmp_path, offers=True) as terminal:
        terminal.wait("Play alone a")
        terminal.press("a")
        terminal.touch("Guide me y")
        terminal.wait("After 9 months the side with")
        terminal.press("f3")
        terminal.wait("agent, or press Tab.")
        terminal.press("1")
        terminal.wait("Salary [1]")
        terminal.press("2", "enter", "d", "y")
        terminal.wait("Select an agent")
        terminal.touch("F4 stop guide")
        terminal.wait(lambda text: "guide" not in text)
        terminal.press("f10")
        terminal.touch("Guide me")
        terminal.wait("Select an agent")
        terminal.press("c-c")
        terminal.wait("Leave")
        terminal.press("x")
        terminal.end()
    with Terminal("--nickname", "ana", "--calm", data=tmp_path, offers=True) as terminal:
        terminal.wait("Play alone a")
        terminal.press("a")
        terminal.wait("Choose how strong")
        terminal.press("c-c", "y")
        terminal.end()
