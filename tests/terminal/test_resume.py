"""Killed in the middle of a game on real terminals, and back: by command, by the title screen, in lines, alone."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.support.terminal import Terminal
from tests.terminal.test_tables import address, host, join, resign, words


def journal_of(data: Path) -> Path:
    (path,) = (data / "journals").iterdir()
    return path


def verdict(data: Path) -> dict[str, object]:
    """What `kimberley verify` says of the only record in a data folder."""
    (record,) = (data / "records").iterdir()
    command = [sys.executable, "-m", "client.cli", "verify", "--json", str(record)]
    found: dict[str, object] = json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)
    return found


def begin(ana: Terminal, ben: Terminal) -> None:
    """To the first ask."""
    assert words(ana) == words(ben)
    ana.press("y")
    ben.press("y")
    ana.wait(" PAY ")
    ben.wait(" PAY ")


def pay_nothing(*terminals: Terminal) -> None:
    """And say so again when asked back."""
    for terminal in terminals:
        terminal.press("d")
        terminal.touch("Done y")


def test_killed_and_back_by_command_the_game_is_proven_fair(tmp_path: Path) -> None:
    with host(tmp_path) as ana:
        with join(tmp_path, address(ana)) as ben:
            begin(ana, ben)
            pay_nothing(ana, ben)
            ana.wait(" MOVE ")
            ben.wait(" MOVE ")
            ben.process.kill()
            ana.wait("ben is away")
        with Terminal("resume", data=tmp_path / "ben") as ben:
            ben.wait(" MOVE ")
            ana.wait(lambda text: "ben is away" not in text)
            resign(ben)
            assert "You win" in ana.wait("FAIR ✓")
            ben.wait("FAIR ✓")
        assert verdict(tmp_path / "ana")["verdict"] == verdict(tmp_path / "ben")["verdict"] == "fair"
        assert list((tmp_path / "ben" / "journals").iterdir()) == []
