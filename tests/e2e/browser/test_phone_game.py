"""A host in a terminal and a phone in Chromium: whole games by touch alone, from the link to records that verify."""

from __future__ import annotations

import gzip
import hashlib
import re
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from kimberley.client.screens.app import GIVEN
from kimberley.client.screens.waiting import INVITE
from kimberley.games.diamond.rules import State
from tests.support.at_the_lan import verified, words
from tests.support.browser_seat import KEPT
from tests.support.chromium import LOOPBACK, Chromium
from tests.support.diamond_game import TURNS, some_step, turn_by_touch
from tests.support.phone import Phone, open_phone
from tests.support.phone_game import PhoneSeat
from tests.support.terminal import Terminal
from tests.support.whole_game import Seat, play

pytestmark = pytest.mark.e2e


def link_of(host: Terminal) -> str:
    """Returns the link in the code that the host's screen shows, by what can be read beside it."""
    host.wait(INVITE)
    host.press("f")
    port = re.search(r"Firewall: allow TCP (\d+)", host.wait("Firewall: allow TCP"))
    assert port is not None
    site = f"http://{LOOPBACK}:{port[1]}"
    program = hashlib.sha256(_fetched(f"{site}/play/files.json")).digest()
    digits = hashlib.sha256(program + bytes.fromhex(_fetched(f"{site}/play/host").decode())).hexdigest()[:22]
    assert f"Digits to compare: {digits}" in host.text
    return f"{site}/p#{digits}"


def _fetched(address: str) -> bytes:
    with urllib.request.urlopen(address) as answer:
        data: bytes = answer.read()
        return gzip.decompress(data) if answer.headers["Content-Encoding"] == "gzip" else data


@contextmanager
def at_one_table(chromium: Chromium, folder: Path, game: str, *options: str) -> Iterator[tuple[Terminal, Phone]]:
    """Yields a host in a terminal and a guest on a phone, who have compared their four words."""
    arguments = ("host", game, "--nickname", "ana", "--calm", "--bind", LOOPBACK, *options)
    with Terminal(*arguments, data=folder / "ana") as ana, open_phone(chromium, link_of(ana), "ben") as ben:
        shown = ben.wait("Same")
        assert all(word in shown for word in words(ana))
        ana.press("y")
        ben.touch("Same")
        yield ana, ben
        assert ben.problems == []


def record_of(ana: Path, ben: Phone, folder: Path) -> tuple[Path, Path]:
    """Returns the host's record, and the one that the phone downloads."""
    (kept,) = sorted((ana / "records").iterdir())
    got = folder / "phone.kdt"
    got.write_bytes(ben.download("Export record"))
    return kept, got


@pytest.mark.nightly
def test_a_phone_whose_page_was_loaded_again_is_back_when_its_host_is_killed_and_resumes(
    chromium: Chromium, tmp_path: Path
) -> None:
    folder = tmp_path / "ana"
    host = ("host", "diamond", "--nickname", "ana", "--calm", "--bind", LOOPBACK)
    with ExitStack() as evening:
        ana = evening.enter_context(Terminal(*host, data=folder))
        ben = evening.enter_context(open_phone(chromium, link_of(ana), "ben"))
        ben.wait("Same")
        ana.press("y")
        ben.touch("Same")
        ben.wait("ben, you")
        chromium.wait_for(ben.page.evaluate(KEPT))
        chromium.wait_for(ben.page.reload())
        ana.wait("ben is back.")
        ben.wait("ben, you")
        ana.process.kill()
        ana.process.wait()
        ben.wait("ana lost the connection.")
        ana = evening.enter_context(Terminal("resume", "--calm", data=folder))
        ben.wait("ana is back.")
        ben.touch("Menu")
        ben.touch("Resign")
        ben.wait("wins at once")
        ben.touch("Resign")
        ana.dossier()
        ben.wait_through("FAIR ✓")
        # The browser complains of nothing but the sockets that it could not open meanwhile.
        assert [problem for problem in ben.problems if "WebSocket" not in problem] == []


@pytest.mark.nightly
def test_diamond_by_touch_and_its_record_is_verified_in_the_page(chromium: Chromium, tmp_path: Path) -> None:
    with at_one_table(chromium, tmp_path, "diamond") as (ana, ben):
        hers = "your move" in ana.wait(lambda text: "your move" in text or "to place" in text)
        state = State(first=0)
        for number, written in enumerate(TURNS.split()):
            if (number % 2 == 0) == hers:
                ana.press(*("=" if "*" in written else ""))
                turn(ana, written)
            else:
                turn_by_touch(ben, written)
            state = state.apply(written)
        if not hers:
            ana.press("=")
            turn(ana, some_step(state))
        ben.touch("Accept draw")
        ben.wait("Draw?")
        ben.touch("Accept")
        ana.dossier()
        ben.wait_through("FAIR ✓")
        mine, theirs = record_of(tmp_path / "ana", ben, tmp_path)
        # What fits into a row of the phone.
        ben.wait(GIVEN.partition(" is ")[0])
        assert mine.read_bytes() == theirs.read_bytes()
        assert verified(mine) == "fair"
        # In the page, too, it can be verified, and kept again later.
        ben.touch("Title")
        ben.wait("ana is still here.")
        ben.touch("Leave")
        ben.wait("Play alone")
        ben.touch("Menu")
        ben.touch("Finished games")
        ben.wait("✓ fair")
        ben.touch("Check again")
        ben.wait("Checked again: fair")
        ben.touch("Menu")
        assert ben.download("Export record") == mine.read_bytes()


def turn(terminal: Terminal, written: str) -> None:
    """Makes a turn by keys, and waits until it is made."""
    terminal.wait("your move")
    terminal.press(*written.rstrip("*"), "enter")
    terminal.wait(lambda text: "your move" not in text)


@pytest.mark.nightly
def test_diamond_trust_by_touch_with_a_bribe_that_turns_an_agent(chromium: Chromium, tmp_path: Path) -> None:
    with at_one_table(chromium, tmp_path, "diamond-trust", "--adjust", "3") as (ana, ben):
        play(Seat(ana, True, "[1]"), PhoneSeat(ben, "(1)"))
        ana.press("d")
        ana.wait("[1] → (1)♥ double agent")
        mine, theirs = record_of(tmp_path / "ana", ben, tmp_path)
        assert mine.read_bytes() == theirs.read_bytes()
        assert verified(mine) == verified(theirs) == "fair"
        assert "The game is over" in ben.said
