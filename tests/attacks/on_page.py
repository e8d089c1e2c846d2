"""A flood of the referee's page, while players connect to the referee (docs/referee.md, "The page")."""

from __future__ import annotations

import asyncio
import math
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

from kimberley.p2p.base.errors import UserError
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.tournament.enrollment import connect_to_referee
from kimberley.p2p.tournament.events import LotsDrawn, PlayerEnrolled
from kimberley.referee.store import Store
from tests.attacks.attack import Attack, Outcome
from tests.support.tournaments import PEOPLE, Evening, by_number, secret

PLAYERS: Final = 64
ROUNDS: Final = 6
TRIPS: Final = 40
MOST_SECONDS: Final = 60.0
PAGES: Final = ("/wall", "/rounds/1", "/players/1")
SPELLINGS: Final = 100
FAILURES: Final = 100
LOOPBACK: Final = "127.0.0.1"


@contextmanager
def _referee(folder: Path, terminal: int | None = None) -> Iterator[tuple[int, int]]:
    """Runs `kimberley referee` with a page, and sends its errors to that handle. Yields the port for players and the
    port of the page.
    """
    typed = ("--game", "diamond", "--rounds", str(ROUNDS), "--bind", LOOPBACK, "--web", f"{LOOPBACK}:0")
    process = subprocess.Popen(
        [sys.executable, "-m", "kimberley.client.cli.main", "referee", "Friday Cup", *typed, "--data", str(folder)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=terminal,
        text=True,
    )
    try:
        assert process.stdout is not None
        page = next(found for line in process.stdout if (found := re.search(r"The page is at http://.*:(\d+)", line)))
        next(line for line in process.stdout if "Bots join with" in line)
        yield int((folder / "door").read_text()), int(page[1])
    finally:
        process.terminate()
        process.communicate()


def _fill(folder: Path) -> int:
    """Plays the tournament in a folder up to its last round. Returns the number of events."""
    with Store.open(folder) as store:
        evening = Evening(store.tournament, write=store.add)
        for number in range(PLAYERS):
            evening.add(PlayerEnrolled(evening.at, PEOPLE[number], f"player{number}"))
        evening.add(LotsDrawn(evening.at, store.seed))
        for _ in range(ROUNDS - 1):
            evening.round(by_number)
        evening.proceed()
        return len(evening.events)


async def _trips(port: int, known: int) -> list[float]:
    """The round trips of returning players who know that many events: seconds from the connection to the referee's
    answer, or infinity if there was none.
    """
    found: list[float] = []
    begun = time.perf_counter()
    while len(found) < TRIPS and time.perf_counter() - begun < MOST_SECONDS:
        await asyncio.sleep(0.1)
        since, number = time.perf_counter(), len(found)
        try:
            channel, *_ = await connect_to_referee(
                (LOOPBACK, port), Identity.of(secret(number)), f"player{number}", known, None, bot=True
            )
        except UserError:
            found.append(math.inf)
            continue
        found.append(time.perf_counter() - since)
        await channel.close()
    return found


def _spoken(trips: list[float]) -> str:
    answered = [trip for trip in trips if trip < math.inf]
    if not answered:
        return f"none of {len(trips)} answered"
    missing = f", {len(trips) - len(answered)} of {len(trips)} not answered" if len(answered) < len(trips) else ""
    return f"{1000 * statistics.median(answered):.0f} ms ({1000 * max(answered):.0f}){missing}"


def _flooded(connections: int) -> Outcome:
    with tempfile.TemporaryDirectory() as data:
        folder = Path(data)
        with _referee(folder):
            pass
        known = _fill(folder)
        with _referee(folder) as (door, page):
            before = asyncio.run(_trips(door, known))
            flood = subprocess.Popen(
                [sys.executable, "-m", "tests.attacks.page_flood", str(page), str(connections)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            assert flood.stdout is not None
            flood.stdout.readline()
            since = time.monotonic()
            try:
                during = asyncio.run(_trips(door, known))
            finally:
                took = time.monotonic() - since
                answers, _ = flood.communicate("")
    held = statistics.median(during) <= 2 * statistics.median(before)
    rate = f"{int(answers) / took:.0f} answers a second"
    return Outcome(held, f"a player's round trip: {_spoken(before)} without, {_spoken(during)} with; {rate}")


def _asked(page: int, path: str, host: str = LOOPBACK) -> tuple[int, float]:
    """Returns the status of the answer for a path, and the seconds until it arrived."""
    since = time.perf_counter()
    with socket.create_connection((LOOPBACK, page), timeout=MOST_SECONDS) as line:
        line.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: line.recv(1 << 16), b""))
    return int(answer.split()[1]), time.perf_counter() - since


def _by_other_names() -> Outcome:
    """A site whose name leads to the referee's machine reads the page in the browser of somebody there."""
    names = ("attacker.example", "127.0.0.1.attacker.example", "localhost.attacker.example:80", "127.0.0.1/rounds/1?")
    with tempfile.TemporaryDirectory() as data, _referee(Path(data)) as (_, page):
        read = sum(_asked(page, "/cup.json", host)[0] == 200 for host in names)
    return Outcome(not read, f"the page answers to {read} of {len(names)} names that are not its own")


def _spelled_otherwise() -> Outcome:
    """Pages are asked for in ever new spellings of their paths."""
    with tempfile.TemporaryDirectory() as data:
        folder = Path(data)
        with _referee(folder):
            pass
        _fill(folder)
        with _referee(folder) as (_, page):
            for path in PAGES:
                _asked(page, path)
            plain = sum(_asked(page, path)[1] for _ in range(SPELLINGS) for path in PAGES)
            other = 0.0
            for number in range(1, SPELLINGS + 1):
                zeros = "0" * number
                for path in (f"/wall/{1000 + number}", f"/rounds/{zeros}1", f"/players/{zeros}1"):
                    other += _asked(page, path)[1]
    figure = f"{SPELLINGS} spellings of {len(PAGES)} pages take {other:.1f} s, one spelling {plain:.1f} s"
    return Outcome(other < 2 * plain, figure)


def _failing() -> Outcome:
    """A path with a number of 5000 digits is asked for again and again."""
    with tempfile.TemporaryDirectory() as data, tempfile.TemporaryFile() as terminal:
        with _referee(Path(data), terminal.fileno()) as (_, page):
            statuses = {_asked(page, f"/rounds/{'9' * 5000}")[0] for _ in range(FAILURES)}
        size = terminal.seek(0, 2)
    return Outcome(not size, f"{size} bytes on the organizer's terminal for {FAILURES} requests, status {statuses}")


ATTACKS = [
    Attack("page-hosts", "Points a name of its own at a referee's machine, and reads the page there.", _by_other_names),
    Attack("page-spellings", "Asks for the pages of a tournament in ever new spellings.", _spelled_otherwise),
    Attack("page-failing", "Asks for a page that fails, to fill the organizer's terminal.", _failing),
    *(
        Attack(
            f"page-flood-{connections}",
            f"{connections} connections ask a referee's page for /cup.json without end, while players come to it.",
            partial(_flooded, connections),
        )
        for connections in (16, 128)
    ),
]
