"""Players on several hosts of a test network: their terminals, their way to one table, and the records they keep."""

from __future__ import annotations

import json
import re
from pathlib import Path

from kimberley.client.session.verdicts import verify_file
from tests.support.lan import Lan
from tests.support.terminal import Terminal


def player(lan: Lan, host: int, name: str, folder: Path, **settings: object) -> Terminal:
    """Starts the program on a host, at its title screen and without animation."""
    data = folder / name
    data.mkdir()
    (data / "settings.json").write_text(json.dumps({"nickname": name, "calm": True, **settings}))
    return Terminal(data=data, inside=lan.inside(host=host), network=lan.network(host))


def choose_game(terminal: Terminal, title: str) -> None:
    """Selects a game on the title screen with the arrow keys."""
    terminal.wait("Host h")
    terminal.press_until("down", f"▸ {title}  ")


def words(terminal: Terminal) -> list[str]:
    """Reads the four words of the lobby."""
    words = re.findall(r"(?<!\w)[1-4]\s{2,}([a-z]+)\s", terminal.wait("Same y"))
    assert len(words) == 4
    return words


def verified(record: Path) -> str:
    """Returns the verdict on a record, of somebody who was not at the table."""
    return verify_file(record).code


def records(folder: Path, *names: str) -> list[Path]:
    """Returns the records of a game, which all these players have kept and which must be equal."""
    kept = [sorted((folder / name / "records").iterdir()) for name in names]
    assert len({tuple(path.read_bytes() for path in each) for each in kept}) == 1
    return kept[0]
