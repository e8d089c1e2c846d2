"""Two people on two hosts, from the title screen to the dossier, by keys and by mouse; the record proves itself."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

from games.lookup import find
from protocol.audit import examine
from protocol.record import Record
from tests.support.lan import Lan
from tests.support.terminal import Terminal
from tests.support.whole_game import play

LOOK_SECONDS = 3


def player(lan: Lan, host: int, name: str, folder: Path) -> Terminal:
    """The program at its title screen, on a host, with a short last look and nothing moving."""
    data = folder / name
    data.mkdir()
    (data / "settings.json").write_text(json.dumps({"nickname": name, "calm": True, "last_look": LOOK_SECONDS}))
    return Terminal(data=data, inside=lan.inside(host=host))


def words(terminal: Terminal) -> list[str]:
    found = re.findall(r"(?<!\w)[1-4]\s{2,}([a-z]+)\s", terminal.wait("The same y"))
    assert len(found) == 4
    return found


def verified(record: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "client.cli", "verify", str(record), "--json"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_nine_rounds_between_two_hosts(tmp_path: Path) -> None:
    with Lan(2) as lan, player(lan, 1, "ana", tmp_path) as ana, player(lan, 2, "ben", tmp_path) as ben:
        ana.wait("Host h")
        ana.press("h")
        ana.wait("Last look")
        ana.press("enter")
        assert "kimberley join 10.77.0.1" in ana.wait("Others join like this")
        ben.touch("Join j")
        ben.touch("ana ")
        assert words(ana) == words(ben)
        ana.press("y")
        ben.touch("The same y")
        play(ana, ben)
        rows = ana.text
        # Whether (1) and [1] brought anything home depends on where the Inspector stood.
        assert any(ending in rows for ending in ("You win", "ben wins"))
        assert "[1] → (1)♥ turned" in rows
        assert "that [1] was bribed, $2" in rows
        assert "you changed Uige $2 to $4" in rows
        assert "(1) → [1]♥ turned" in rows
        ana.press("esc")
        ana.wait("Play alone")
        ben.wait("Play alone")

    (of_ana,), (of_ben,) = (list((tmp_path / name / "records").iterdir()) for name in ("ana", "ben"))
    assert of_ana.read_bytes() == of_ben.read_bytes()
    said = verified(of_ana)
    assert said.returncode == 0, said.stdout + said.stderr
    assert json.loads(said.stdout)["verdict"] == "fair"
    assert examine(find("diamond-trust"), Record.unpack(of_ana.read_bytes())).code == "fair"
