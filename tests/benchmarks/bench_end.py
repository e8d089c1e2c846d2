"""What the end of a six-seat game of piecepack costs one player's process: from the result to the shown dossier.

.venv/bin/python -m tests.benchmarks.bench_end

The other seats are bots in processes of their own. The game is the same in each interface. The figures are the CPU time
of all threads of this process, the most memory that it has had, and the longest callback of its event loop, in CPU time
of that thread. The floor is one check of the record, which plays every seat once more.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import resource
import sys
import tempfile
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

from kimberley.client.session.bots import drive
from kimberley.games import lookup
from kimberley.games.bots.levels import make_bot
from kimberley.games.piecepack import GAME
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table.spectator_client import SpectatorClient
from kimberley.p2p.table.table import Table
from kimberley.protocol.audit import verify
from kimberley.protocol.record import Record
from tests.benchmarks.common import report
from tests.benchmarks.ratios import ratio
from tests.support.end_of_game import AT_TABLE, WATCHING, IsShown, loop_slices
from tests.support.seated import LOOPBACK
from tests.support.seeded import SEED_VARIABLE

SEATS: Final = 6
GAMES: Final = 1
SECONDS: Final = 300.0
POLL_SECONDS: Final = 0.05
"""How often to check for the end. Checking costs CPU time itself: about 2 ms a second."""


@dataclass
class Ended:
    """One end of a game, in seconds."""

    cpu: float
    wall: float
    longest: float
    what: str
    memory: int
    """Megabytes."""
    envelopes: int = 0
    floor: float = 0.0
    """CPU seconds of one check of the record."""


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(SECONDS):
        while not condition():  # noqa: ASYNC110 - what is waited for knows nothing of this benchmark
            await asyncio.sleep(POLL_SECONDS)


def judge(ended: Ended, record: Record) -> None:
    """Notes what a check of the record takes."""
    cpu = time.process_time()
    assert verify(record.pack(), lookup.find).code == "fair"
    ended.floor, ended.envelopes = time.process_time() - cpu, len(record.envelopes)


@asynccontextmanager
async def bots(folder: Path, salt: int, count: int, where: str) -> AsyncIterator[None]:
    """Starts bots that sit down one after another, each in a process of its own."""
    running: list[Process] = []
    try:
        for number in range(count):
            running.append(await start_bot(folder, salt, number, "join", where))
            reports = running[-1].stdout
            assert reports is not None
            await reports.readline()
        yield
    finally:
        for process in running:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()


async def start_bot(folder: Path, salt: int, number: int, *how: str) -> Process:
    name = f"bot{number}-{salt}"
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.support.seeded", "bot", *how, "--json", "--level", "1", "--linger", "600",
        "--seed", str(number), "--data", str(folder / name), "--nickname", name,
        stdout=PIPE, env=os.environ | {SEED_VARIABLE: str(salt)},
    )  # fmt: skip


async def measured(shown: Callable[[], bool]) -> Ended:
    """Measures from now until the dossier is shown."""
    wall, cpu = time.perf_counter(), time.process_time()
    with loop_slices() as slices:
        await until(shown)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return Ended(time.process_time() - cpu, time.perf_counter() - wall, slices.longest, slices.what, memory)


async def at_table(how: str, folder: Path, salt: int) -> Ended:
    """Measures the end at a seat: `how` names the interface; a "bot" has none."""
    own = await Table.open(
        GAME,
        nickname="ana",
        identity=Identity.of(bytes([salt]) * 32),
        data=folder / "ana",
        seats=SEATS,
        options={},
        port=0,
        bind=LOOPBACK,
        announce=False,
        headless=True,
        draw=Random(salt).randbytes,
    )
    async with AsyncExitStack() as stack:
        stack.push_async_callback(own.close)
        await stack.enter_async_context(bots(folder, salt, SEATS - 1, f"{LOOPBACK}:{own.port}"))
        shown: IsShown = lambda: own.phase == "done"  # noqa: E731
        if how in AT_TABLE:
            shown = await stack.enter_async_context(AT_TABLE[how](own, folder))
        playing = asyncio.create_task(drive(own, make_bot(GAME, 1, 99)))
        stack.callback(playing.cancel)
        await until(lambda: own.phase in ("closing", "done"))
        ended = await measured(shown)
        assert own.peer is not None
        judge(ended, own.peer.record())
        return ended


async def beside(how: str, folder: Path, salt: int) -> Ended:
    """Measures the end for somebody who watches."""
    host = await start_bot(folder, salt, SEATS, "host", GAME.id, "--seats", str(SEATS), "--bind", LOOPBACK)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(host.wait)
        stack.callback(host.kill)
        assert host.stdout is not None
        where = f"{LOOPBACK}:{json.loads(await host.stdout.readline())['port']}"
        watch = await SpectatorClient.open(where, lookup.find)
        stack.push_async_callback(watch.close)
        await stack.enter_async_context(bots(folder, salt, SEATS - 1, where))
        shown = await stack.enter_async_context(WATCHING[how](watch, folder))
        await until(lambda: watch.peer is not None and watch.peer.result is not None)
        ended = await measured(shown)
        record = await watch.record()
        assert record is not None
        judge(ended, record)
        return ended


def main() -> None:
    figures: dict[str, object] = {}
    for how in sys.argv[1:] or ["bot", *AT_TABLE, *WATCHING]:
        found = []
        for salt in range(1, GAMES + 1):
            with tempfile.TemporaryDirectory() as folder:
                found.append(asyncio.run((beside if how in WATCHING else at_table)(how, Path(folder), salt)))
        longest = max(found, key=lambda one: one.longest)
        figures[how] = {
            "envelopes": [one.envelopes for one in found],
            "cpu_seconds": [round(one.cpu, 2) for one in found],
            "ratios": {how: ratio([one.cpu for one in found], [one.floor for one in found])},
            "wall_seconds": [round(one.wall, 2) for one in found],
            "memory_mb": max(one.memory for one in found),
            "longest_callback_ms": round(longest.longest * 1000, 1),
            "it": longest.what,
        }
    report(figures)


if __name__ == "__main__":
    main()
