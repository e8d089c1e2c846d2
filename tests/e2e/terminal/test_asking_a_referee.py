"""`kimberley referee` without a name, on a terminal: it also asks in a form, and the first answers count."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.error import URLError
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest

from kimberley.referee.pages.organizer import SET_UP
from kimberley.referee.store import StoreReader
from tests.support.terminal import Terminal

PATIENCE = 60
ASKED = "Name of the tournament [Friday Cup]:"


def referee(data: Path, *typed: str) -> Terminal:
    """Returns a referee in a terminal, with its page at any free port of this machine."""
    return Terminal("referee", *typed, "--bind", "127.0.0.1", "--web", "127.0.0.1:0", data=data, columns=160, rows=48)


def link(terminal: Terminal) -> str:
    """Returns the organizer's link, once the terminal asks."""
    found = re.search(r"http://\S+/organizer/\w+", terminal.wait(ASKED, PATIENCE))
    assert found is not None
    return found[0]


def page(url: str, **form: str) -> str:
    """Returns the page, or what comes of a form."""
    with urlopen(url, urlencode(form).encode() if form else None, timeout=PATIENCE) as answer:
        text: str = answer.read().decode()
        return text


def test_the_form_begins_the_tournament_and_becomes_the_organizer_page(tmp_path: Path) -> None:
    with referee(tmp_path) as terminal:
        where = link(terminal)
        assert "New tournament" in page(where)
        answers = {"game": "diamond", "format": "swiss", "rounds": "3", "clock": "5m"}
        assert "Type a number: 1 to 64." in page(where, **(answers | {"name": "Club <Night>", "rounds": "0"}))
        begun = page(where, **(answers | {"name": "Club <Night>"}))
        assert "<title>Organizer · Club &lt;Night&gt;</title>" in begun
        assert "Start round 1" in begun
        terminal.wait("answered on the page.", PATIENCE)
        terminal.wait("organizer’s page: " + where, PATIENCE)
        # What is typed from now on is for the referee.
        terminal.send("status\r")
        assert "Phones:" not in terminal.wait("No players yet.", PATIENCE), "none reaches this address"
        assert "Club &lt;Night&gt;" in page(where.partition("/organizer/")[0])
        (folder,) = tmp_path.rglob("cup.sqlite")
        with StoreReader(folder.parent) as reader:
            assert (reader.settings.game, reader.settings.rounds) == ("diamond", 3)
        kept = json.loads((folder.parent / "run.json").read_text())
        assert kept["web"] == "127.0.0.1:0"
        terminal.send("stop\r")
        assert terminal.end(PATIENCE) == 1
    with pytest.raises(URLError):
        page(where)


def test_the_terminal_is_quicker_and_the_form_says_so(tmp_path: Path) -> None:
    with referee(tmp_path, "--game", "diamond", "--format", "round-robin") as terminal:
        where = link(terminal)
        terminal.send("Club\r")
        terminal.wait("Each player’s time", PATIENCE)
        terminal.send("none\r")
        terminal.wait("organizer’s page: " + where, PATIENCE)
        assert SET_UP in page(where, name="Other", format="swiss")
        assert "Start round 1" in page(where)
        terminal.send("stop\r")
        assert terminal.end(PATIENCE) == 1


def test_who_ends_the_answers_begins_nothing(tmp_path: Path) -> None:
    with referee(tmp_path) as terminal:
        link(terminal)
        terminal.send("\x04")
        assert terminal.end(PATIENCE) == 1
        assert not list(tmp_path.rglob("cup.sqlite"))


def test_the_form_continues_a_tournament_whose_name_is_typed_again(tmp_path: Path) -> None:
    with referee(tmp_path) as terminal:
        page(link(terminal), game="diamond", name="Club")
        terminal.wait("A new tournament", PATIENCE)
        terminal.send("stop\r")
        terminal.end(PATIENCE)
    with referee(tmp_path) as terminal:
        where = link(terminal)
        assert 'name="continue" value="1">Continue Club</button>' in page(where, game="land", name="Club")
        assert "Start round 1" in page(where, **{"game": "land", "name": "Club", "continue": "1"})
        terminal.wait("The tournament continues", PATIENCE)
        terminal.send("stop\r")
        assert terminal.end(PATIENCE) == 1
