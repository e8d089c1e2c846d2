"""People on several hosts of a test's network: their terminals, the way to one table, and the records that stay."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

from tests.support.lan import Lan
from tests.support.terminal import Terminal


def player(lan: Lan, host: int, name: str, folder: Path, **settings: object) -> Terminal:
    """The program at its title screen, on a host, with nothing moving."""
    data = folder / name
    data.mkdir()
    (data / "settings.json").write_text(json.dumps({"nickname": name, "calm": True, **settings}))
    return Terminal(data=data, inside=lan.inside(host=host))


def choose_game(terminal: Terminal, title: str) -> None:
    """By arrow keys to a game on the title screen."""
    terminal.wait("Host h")
    terminal.press_until("down", f"▸ {title}  ")


def words(terminal: Terminal) -> list[str]:
    """The four words of the lobby."""
    found = re.findall(r"(?<!\w)[1-4]\s{2,}([a-z]+)\s", terminal.wait("The same y"))
    assert len(found) == 4
    return found


def verified(record: Path) -> str:
    """What `kimberley verify` says of a record, on a machine that was not there."""
    command = [sys.executable, "-m", "client.cli", "verify", str(record), "--json"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    verdict: str = json.loads(ran.stdout)["verdict"]
    assert (ran.returncode == 0) == (verdict == "fair"), ran.stdout + ran.stderr
    return verdict


def records(folder: Path, *names: str) -> list[Path]:
    """The records of a game, one by one, which all of these people have kept alike."""
    kept = [sorted((folder / name / "records").iterdir()) for name in names]
    assert len({tuple(path.read_bytes() for path in each) for each in kept}) == 1
    return kept[0]
