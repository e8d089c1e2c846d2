"""A phone and three bots play a tournament of two rounds, by touch alone, from the link on the tournament's page."""

from __future__ import annotations

import asyncio
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Page

from kimberley.referee.last_port import SEATS, keep_port
from tests.support.browser_seat import KEPT
from tests.support.chromium import LOOPBACK, Chromium
from tests.support.hall import free_port
from tests.support.phone import PATIENCE, Phone
from tests.support.seat_page import UPRIGHT, phone

pytestmark = pytest.mark.e2e

CUP: Final = "Phone Cup"
BEGINS: Final = ("--game", "diamond", "--format", "swiss", "--rounds", "2", "--players", "4", "--pause", "2")
PLACE: Final = ("--web", f"{LOOPBACK}:0", "--bind", LOOPBACK)
NAME: Final = "phoebe"


class Referee:
    """The program of a referee, and what it has printed."""

    def __init__(self, chromium: Chromium, process: subprocess.Popen[bytes], log: Path) -> None:
        self._chromium = chromium
        self.process = process
        self._log = log

    def says(self, pattern: str) -> str:
        """Waits for what it prints. Returns the first group, or all that is found."""
        end = time.monotonic() + PATIENCE
        while (found := re.search(pattern, said := self._log.read_text())) is None:
            assert time.monotonic() < end, said
            assert self.process.poll() is None, said
            # The browser goes on meanwhile.
            self._chromium.wait_for(asyncio.sleep(0.1))
        return found[found.re.groups]


@contextmanager
def program(log: Path, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """Runs `kimberley` without a terminal."""
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.seeded", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
        )
        try:
            yield process
        finally:
            process.kill()
            process.wait()


async def _play_from_this_phone(page: Page, site: str) -> None:
    await page.goto(site)
    await page.get_by_role("link", name="Play on this phone").click()
    await page.get_by_label("Your name at the table").fill(NAME)
    await page.get_by_role("button", name="Join").click()


def resign(seat: Phone) -> None:
    """Resigns, by the menu."""
    seat.touch("Menu")
    seat.touch("Resign")
    seat.wait("wins at once")
    seat.touch("Resign")
    seat.wait("THE END")


def at_a_board(text: str) -> bool:
    """Returns whether the phone shows a game in which its player is asked or waits."""
    return f"{NAME}, you" in text and "THE END" not in text


@pytest.mark.nightly
def test_a_phone_plays_two_rounds_through_a_reload_and_a_referee_that_is_killed(
    chromium: Chromium, tmp_path: Path
) -> None:
    with ExitStack() as evening:
        folder = tmp_path / "referee"
        data = ("--data", str(folder))
        # Not the port where any other program of the tests would serve its page while this referee is away.
        folder.mkdir()
        keep_port(folder / SEATS, free_port())
        log = tmp_path / "referee.log"
        process = evening.enter_context(program(log, "referee", CUP, *BEGINS, *PLACE, *data))
        referee = Referee(chromium, process, log)
        site, digits = referee.says(r"Web page: (\S+)"), referee.says(r"with its page: (\w+)")
        context = chromium.wait_for(chromium.open_context(**phone(UPRIGHT), reduced_motion="reduce"))
        evening.callback(lambda: chromium.wait_for(context.close()))
        page = chromium.wait_for(context.new_page())
        seat = Phone(chromium, page)
        chromium.wait_for(_play_from_this_phone(page, site))
        assert page.url.endswith(f"#{digits}")
        seat.wait(lambda text: "Waiting for the first round." in text and "1 player" in text)
        where = referee.says(rf"kimberley join ({LOOPBACK}\S*)")
        for number in range(3):
            own = str(tmp_path / f"bot{number}")
            bot = ("bot", "join", where, "--level", "1", "--nickname", f"bot{number}", "--data", own)
            evening.enter_context(program(tmp_path / f"bot{number}.log", *bot))
        # The first round: the page is loaded again, and then the referee is killed.
        seat.wait(at_a_board)
        chromium.wait_for(page.evaluate(KEPT))
        chromium.wait_for(page.reload())
        seat.wait(at_a_board)
        process.send_signal(signal.SIGKILL)
        process.wait()
        again = tmp_path / "again.log"
        port = urlsplit(page.url).port
        assert port is not None
        # Before the referee is back, another program has taken the port where the page looks for it.
        with socket.create_server((LOOPBACK, port)):
            referee = Referee(chromium, evening.enter_context(program(again, "referee", CUP, *data)), again)
            referee.says(rf"Port {port} is in use")
        referee.says("Players in browsers can come back now.")
        referee.says(rf"{NAME} is back")
        seat.wait(at_a_board)
        resign(seat)
        # The second round comes by itself.
        referee.says(r"Round 2 of 2:")
        seat.wait(at_a_board)
        resign(seat)
        referee.says(rf"{CUP} is over")
        seat.wait_through("FAIR ✓")
        seat.touch("Tournament")
        assert "The tournament is over." in seat.wait("Standings")
        # The browser complains of nothing but the socket that was lost with the referee.
        assert [problem for problem in seat.problems if "WebSocket" not in problem] == []
        said = again.read_text()
        assert said.count(f"{NAME} resigned. The game was fair.") == 2
