"""Commands of rooms that are installed apart."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from kimberley.client.cli.main import main
from kimberley.client.cli.rooms import ROOM_COMMANDS
from kimberley.p2p.base import extras, installation

NAMES = [one.name for one in ROOM_COMMANDS]


@pytest.fixture
def absent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes it seem that no room is installed."""
    for one in ROOM_COMMANDS:
        monkeypatch.setitem(sys.modules, f"kimberley.{one.room}.commands", None)


@pytest.mark.usefixtures("absent")
@pytest.mark.parametrize("rest", [(), ("--help",), ("--strict", "8"), ("Friday Cup", "--web", "8080")])
@pytest.mark.parametrize("name", NAMES)
def test_a_command_whose_room_is_missing_says_what_to_type(
    name: str, rest: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([name, *rest]) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"kimberley: kimberley {name} is not installed. Type: ")
    assert "pip install" in said
    assert {one.name: one.room for one in ROOM_COMMANDS}[name] in said.partition("pip install")[2]


@pytest.mark.usefixtures("absent")
def test_a_shared_copy_says_how_to_install_all(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(extras, "shared_file", lambda: Path("kimberley.pyz"))
    assert main(["conform"]) == 1
    assert installation.MORE_THAN_SHARED in capsys.readouterr().err
