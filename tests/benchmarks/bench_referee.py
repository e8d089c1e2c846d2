r"""A referee and bots, each a process of its own on this machine: how long a tournament takes, and how much of that is
the referee's work. With --page a browser shows the page all the time, and reports what went wrong there.

.venv/bin/python -m tests.benchmarks.bench_referee [GAME] [--bots 16] [--page] [--tournament "--rounds 4"] ...
.venv/bin/python -m tests.benchmarks.bench_referee --bots 32 --page --tournament "--rounds 3" \
    --tournament "--format arena --minutes 2" --tournament "--boards 4 --rounds 3"
.venv/bin/python -m tests.benchmarks.bench_referee --enroll 1000

With --enroll nothing is played: so many players enroll and stay connected, and the figure is the referee's memory.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import resource
import shlex
import ssl
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from typing import Any

from playwright.async_api import BrowserContext

from kimberley.client.cli.verify_all import verify_bundle
from kimberley.games.lookup import find
from kimberley.games.options import format_value
from kimberley.games.table import Game
from kimberley.p2p.base.platform import ProtocolT, SystemPlatform, set_platform
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.tournament.bundle import SUFFIX
from kimberley.p2p.tournament.client import TournamentClient
from kimberley.p2p.tournament.events import GameSeated, RoundPaired, TableDecided
from kimberley.referee.store import FILE, StoreReader
from tests.benchmarks.common import KIMBERLEY, report
from tests.benchmarks.terminal import TICKS
from tests.support.asyncs import until
from tests.support.chromium import open_chromium

PAGE = re.compile(r"Web page: (\S+)")
LOOK_SECONDS = 0.5
SOURCES = 32
"""Addresses from which players enroll: the referee lets in 64 at once from each."""
AT_ONCE = 16
"""Players who are enrolling at the same time."""


@dataclass
class Watched:
    """What a browser has seen of a tournament's page: the states that it showed, and what went wrong."""

    states: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def watch(self, where: str, referee: subprocess.Popen[str]) -> None:
        """Looks at the page until it says that the tournament is over."""

        async def visit(context: BrowserContext) -> None:
            page = await context.new_page()
            page.on("console", lambda message: self.wrong.append(message.text))
            page.on("pageerror", lambda error: self.wrong.append(str(error)))
            page.on("response", lambda answer: self.wrong.append(str(answer.status)) if answer.status >= 400 else None)
            await page.goto(where)
            while referee.poll() is None and not (self.states and "Finished." in self.states[-1]):
                state = await page.locator("p.state").inner_text()
                if state not in self.states[-1:]:
                    self.states.append(state)
                await asyncio.sleep(LOOK_SECONDS)

        with open_chromium() as chromium:
            chromium.run(visit)


class RefereeOutput:
    """Reads what a referee prints: the address of its page, and at each line how much memory it has had at most."""

    def __init__(self, referee: subprocess.Popen[str]) -> None:
        self.page: Future[str] = Future()
        self.memory = 0
        """In MB."""
        self._referee = referee
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self._referee.stdout is not None
        for line in self._referee.stdout:
            if (found := PAGE.search(line)) is not None:
                self.page.set_result(found[1])
            if (status := Path(f"/proc/{self._referee.pid}/status")).exists():
                peak = re.search(r"VmHWM:\s+(\d+)", status.read_text())
                self.memory = self.memory if peak is None else int(peak[1]) // 1024


class SpreadPlatform(SystemPlatform):
    """Connects from `SOURCES` addresses of this machine in turn."""

    def __init__(self) -> None:
        super().__init__()
        self._sources = cycle(f"127.0.1.{number}" for number in range(1, SOURCES + 1))

    async def connect(
        self, protocol: Callable[[], ProtocolT], host: str, port: int, *, tls: ssl.SSLContext | None, **options: Any
    ) -> tuple[asyncio.Transport, ProtocolT]:
        return await super().connect(protocol, host, port, tls=tls, local_addr=(next(self._sources), 0), **options)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("game", nargs="?", default="diamond")
    parser.add_argument("--bots", type=int, default=16)
    parser.add_argument("--page", action="store_true")
    parser.add_argument("--tournament", action="append", default=[])
    parser.add_argument("--enroll", type=int)
    found = parser.parse_args()
    if found.enroll is not None:
        report(enrolled(find(found.game), found.enroll))
        return
    for typed in found.tournament or ["--rounds 4"]:
        report(played(find(found.game), found.bots, shlex.split(typed), watched=found.page))


def played(game: Game, bots: int, typed: Sequence[str], *, watched: bool) -> dict[str, object]:
    """Plays a tournament to its end. Returns what it took."""
    quick = {option.name: option.values[0][0] for option in game.options} | dict(game.quick)
    options = [part for name, value in quick.items() for part in ("--option", f"{name}={format_value(value)}")]
    look = ["--adjust", "0"] if game.last_looks else []
    web = ["--web", "127.0.0.1:0"] if watched else []
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    with tempfile.TemporaryDirectory() as data:
        folder = Path(data) / "referee"
        start = time.perf_counter()
        settled = ["--game", game.id, "--players", str(bots), "--pause", "0", "--linger", "30", *typed]
        referee = subprocess.Popen(
            [*KIMBERLEY, "referee", "Friday Cup", *settled, *options, *look, *web, "--data", str(folder)],
            stdout=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            text=True,
        )
        seen, said = Watched(), RefereeOutput(referee)
        looking = threading.Thread(target=lambda: seen.watch(said.page.result(60), referee)) if watched else None
        if looking is not None:
            looking.start()
        while not (folder / "door").exists():
            time.sleep(0.05)
        where = f"127.0.0.1:{(folder / 'door').read_text().strip()}"
        playing = [
            subprocess.Popen(
                [
                    *KIMBERLEY, "bot", "join", where, "--level", "1", "--json", "--data", f"{data}/{number}",
                    "--nickname", f"bot {number}",
                ],
                stdout=subprocess.PIPE,
            )
            for number in range(bots)
        ]  # fmt: skip
        last = [json.loads(bot.communicate()[0].splitlines()[-1]) for bot in playing]
        whole = time.perf_counter() - start
        used = _processor_seconds(referee.pid)
        assert referee.wait() == 0
        if looking is not None:
            looking.join()
        assert sorted(one["place"] for one in last) == list(range(1, bots + 1))
        with StoreReader(folder) as reader:
            happened = reader.events()
        (bundle,) = (folder / "export").glob(f"*{SUFFIX}")
        decided = [event for event in happened if isinstance(event, TableDecided)]
        begun = next(event.at for event in happened if isinstance(event, RoundPaired))
        return {
            "game": game.id,
            "bots": bots,
            "tournament": " ".join(typed),
            "seconds": round(whole, 1),
            "seconds_from_first_pairing": happened[-1].at - begun,
            "results": len(decided),
            "played": sum(event.how == "played" for event in decided),
            "games_begun": sum(isinstance(event, GameSeated) for event in happened),
            "verdict": verify_bundle(bundle).finding.code,
            "store_mb": round(sum(path.stat().st_size for path in folder.glob(f"{FILE}*")) / 1_000_000, 1),
            "referee_processor_seconds": used,
            "referee_memory_mb": said.memory,
            "bots_processor_seconds": round(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before - used, 1),
            **(
                {"page": {"states": len(seen.states), "last": seen.states[-1:], "wrong": seen.wrong}} if watched else {}
            ),
            "load_average": os.getloadavg(),
        }


def enrolled(game: Game, players: int) -> dict[str, object]:
    """Lets players enroll and stay. Returns what they take of the referee's memory."""
    with tempfile.TemporaryDirectory() as data:
        folder = Path(data) / "referee"
        settled = ["--game", game.id, "--players", str(players + 1), "--data", str(folder)]
        referee = subprocess.Popen(
            [*KIMBERLEY, "referee", "Friday Cup", *settled], stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL
        )
        while not (folder / "door").exists():
            time.sleep(0.05)
        port = int((folder / "door").read_text())
        alone = resident_megabytes(referee.pid)
        began = time.perf_counter()
        set_platform(SpreadPlatform())
        full = asyncio.run(_enroll_all(port, players, lambda: resident_megabytes(referee.pid)))
        used = _processor_seconds(referee.pid)
        referee.terminate()
        referee.wait()
    return {
        "enrolled": players,
        "seconds": round(time.perf_counter() - began, 1),
        "referee_processor_seconds": used,
        "memory_alone_mb": alone,
        "memory_mb": full,
        "kb_each": round((full - alone) * 1000 / players),
        "load_average": os.getloadavg(),
    }


async def _enroll_all(port: int, players: int, measure: Callable[[], float]) -> float:
    """Measures when all are enrolled and connected."""
    free = asyncio.Semaphore(AT_ONCE)

    async def enter(number: int) -> TournamentClient:
        async with free:
            return await TournamentClient.enter(
                f"127.0.0.1:{port}", find, nickname=f"player {number}", identity=Identity.of(os.urandom(32)), data=None,
                headless=True, bot=True, listen=False, seek=False,
            )  # fmt: skip

    clients = await asyncio.gather(*map(enter, range(players)))
    await until(lambda: all(len(client.tournament.players) == players for client in clients), 60)
    found = measure()
    await asyncio.gather(*(client.close() for client in clients))
    return found


def resident_megabytes(pid: int) -> float:
    """Returns how much memory a process has now."""
    status = Path(f"/proc/{pid}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+)", status)
    assert found is not None
    return round(int(found[1]) / 1024, 1)


def _processor_seconds(pid: int) -> float:
    """What a process has used so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return round((int(fields[11]) + int(fields[12])) / TICKS, 1)


if __name__ == "__main__":
    main()
