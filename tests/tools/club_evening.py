"""Plays a club evening: a referee, eight bots and two people, while two phones and a wall show its page.

    .venv/bin/python -m tests.tools.club_evening [--bots 8] [--rounds 3]

All are real programs on this machine. The people play the land game in the line mode; they compare words with each
other. Prints the figures as JSON, and ends with 1 if a game was not played to a fair end, or anything went wrong on a
page.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from playwright.async_api import BrowserContext, Page

from kimberley.client.cli.verify_all import verify_bundle
from kimberley.p2p.tournament.bundle import SUFFIX
from kimberley.p2p.tournament.events import TableDecided
from kimberley.protocol.audit import FAIR
from kimberley.referee.store import StoreReader
from tests.benchmarks.common import KIMBERLEY, report
from tests.support.chromium import open_chromium
from tests.support.line_players import land_answer
from tests.support.pipe import Pipe
from tests.support.seat_page import UPRIGHT, phone
from tests.support.seeded import SEED_VARIABLE

PEOPLE: Final = ("ana", "ben")
PHONES: Final = 2
WALL: Final = {"viewport": {"width": 1920, "height": 1080}}
GAME: Final = ("--game", "land", "--option", "map=small", "--option", "turns=25", "--clock", "10m+5s")
PAGE: Final = re.compile(r"Web page: (\S+)")
LOOK_SECONDS: Final = 1.0
PATIENCE: Final = 1800.0


def person(line: str) -> str | None:
    """Returns what a person types: that the words are the same, what to buy, and finally the way back."""
    if line.startswith("The four words: "):
        return "same"
    return "leave" if line.startswith("Type leave to return") else land_answer(line)


class Screens:
    """The phones and the wall: what went wrong on them, and whether they show the end."""

    def __init__(self) -> None:
        self.wrong: list[str] = []
        self.states: dict[str, int] = {}
        """How many different things each screen has shown."""

    def watch(self, where: str, referee: subprocess.Popen[str]) -> None:
        """Shows the page on all screens until it says that the tournament is over."""

        async def look(context: BrowserContext) -> None:
            end = asyncio.get_running_loop().time() + PATIENCE
            sizes = {f"phone {number + 1}": phone(UPRIGHT) for number in range(PHONES)} | {"wall": WALL}
            browser = context.browser
            assert browser is not None
            pages = {name: await (await browser.new_context(**size)).new_page() for name, size in sizes.items()}
            shown: dict[str, set[str]] = {name: set() for name in pages}
            for name, page in pages.items():
                self._listen(name, page)
                await page.goto(f"{where}/wall" if name == "wall" else where)
            while referee.poll() is None and asyncio.get_running_loop().time() < end:
                for name, page in pages.items():
                    shown[name].add(await page.locator("body").inner_text())
                self.states = {name: len(texts) for name, texts in shown.items()}
                if "Finished." in await pages["phone 1"].locator("p.state").inner_text():
                    return
                await asyncio.sleep(LOOK_SECONDS)

        with open_chromium() as chromium:
            chromium.run(look)

    def _listen(self, name: str, page: Page) -> None:
        page.on("console", lambda message: self.wrong.append(f"{name}: {message.text}"))
        page.on("pageerror", lambda error: self.wrong.append(f"{name}: {error}"))
        page.on(
            "response", lambda answer: self.wrong.append(f"{name}: {answer.status}") if answer.status >= 400 else None
        )


def play(folder: Path, bots: int, rounds: int) -> dict[str, object]:
    """Plays an evening in this folder, and returns its figures."""
    data, begun = folder / "referee", time.monotonic()
    with ExitStack() as stack:
        referee = subprocess.Popen(
            [
                *KIMBERLEY, "referee", "Club evening", *GAME, "--rounds", str(rounds), "--pause", "3",
                "--players", str(bots + len(PEOPLE)), "--web", "127.0.0.1:0", "--linger", "30", "--data", str(data),
            ],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        stack.callback(referee.kill)
        assert referee.stdout is not None
        where = next(found[1] for line in referee.stdout if (found := PAGE.search(line)) is not None)
        with (folder / "referee.log").open("w") as log:
            reading = subprocess.Popen(["cat"], stdin=referee.stdout, stdout=log)
        stack.callback(reading.kill)
        while not (data / "door").exists():
            time.sleep(0.05)
        door = f"127.0.0.1:{(data / 'door').read_text().strip()}"
        for name in PEOPLE:
            stack.enter_context(Pipe("join", door, "--nickname", name, data=folder / name, answers=person))
        for number in range(bots):
            bot = subprocess.Popen(
                [
                    *KIMBERLEY, "bot", "join", door, "--level", "1", "--nickname", f"bot {number + 1}",
                    "--data", str(folder / f"bot{number}"),
                ],
                stdout=subprocess.DEVNULL,
            )  # fmt: skip
            stack.callback(bot.kill)
        screens = Screens()
        screens.watch(where, referee)
        referee.wait(PATIENCE)
    with StoreReader(data) as reader:
        results = [event for event in reader.events() if isinstance(event, TableDecided)]
    (bundle,) = (data / "export").glob(f"*{SUFFIX}")
    return {
        "bots": bots,
        "people": len(PEOPLE),
        "rounds": rounds,
        "seconds": round(time.monotonic() - begun),
        "results": dict(Counter(result.how for result in results)),
        "verdict": verify_bundle(bundle).finding.code,
        "screens": screens.states,
        "wrong": screens.wrong,
    }


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.tools.club_evening", description="Plays a club evening.")
    parser.add_argument("--bots", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=3)
    found = parser.parse_args()
    os.environ.setdefault(SEED_VARIABLE, "1")
    with tempfile.TemporaryDirectory() as folder:
        figures = play(Path(folder), found.bots, found.rounds)
    report(figures)
    tables = found.rounds * ((found.bots + len(PEOPLE)) // 2)
    return 0 if (figures["results"], figures["verdict"], figures["wrong"]) == ({"played": tables}, FAIR, []) else 1


if __name__ == "__main__":
    sys.exit(main())
