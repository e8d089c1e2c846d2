"""A host's friend has no copy: the line from Host's screen, typed where there is only Python, leads to a game."""

from __future__ import annotations

import re
from base64 import b64decode
from pathlib import Path

import pytest

from kimberley.client.screens.copy_panel import READ_ALOUD
from kimberley.client.screens.waiting import INVITE
from tests.support.friend import Friend
from tests.support.terminal import Terminal

pytestmark = pytest.mark.e2e

LOCAL = ("--bind", "127.0.0.1")


def copied(terminal: Terminal) -> str:
    """Returns what the program has put into the clipboard last (OSC 52)."""
    return b64decode(re.findall(rb"\x1b\]52;c;([A-Za-z0-9+/=]+)", terminal.raw)[-1]).decode()


def line_shown(text: str) -> str:
    """Returns the line as a person reads it off the screen, row by row."""
    rows = [row.strip() for row in text.split("\n")]
    first = next(number for number, row in enumerate(rows) if row.startswith("Your friend types"))
    last = next(number for number, row in enumerate(rows) if row.endswith(READ_ALOUD))
    return "".join(rows[first + 1 : last])


def resign(terminal: Terminal) -> None:
    terminal.press("f10")
    terminal.touch("Resign")
    terminal.touch("Resign x")


@pytest.mark.nightly
def test_a_friend_with_only_python_joins_plays_to_the_end_and_shares_on(tmp_path: Path) -> None:
    friend = Friend(tmp_path / "ben")
    with Terminal("host", "--nickname", "ana", *LOCAL, data=tmp_path / "ana") as ana:
        ana.touch(INVITE)
        line = line_shown(ana.wait("Your friend types this"))
        ana.press("y")
        ana.wait("Copied")
        assert copied(ana) == line
        with friend.types(f"{line} --nickname ben") as ben:
            for terminal in (ana, ben):
                terminal.wait("Same y")
                terminal.press("y")
            for terminal in (ana, ben):
                terminal.wait(" PAY ")
            resign(ben)
            assert "You win" in ana.dossier()
            ben.dossier()
    with friend.types(f"python3 {friend.copy} host {' '.join(LOCAL)} --nickname ben") as ben:
        ben.wait(f"{INVITE} f")
        ben.press("f")
        passed_on = line_shown(ben.wait("Your friend types this"))
        (digits,) = set(re.findall(r"=='([0-9a-f]{22})'", line))
        assert f"=='{digits}'" in passed_on
