"""What a seat in the browser takes: bytes, seconds to the table with a cold and a warm cache, CPU time of a game.

    .venv/bin/python -m tests.benchmarks.bench_browser [--game diamond-trust] [--address 127.0.0.1]

A bot in headless Chromium plays a host in this process. It reaches the host at an address of this machine: by default
at one that a phone would use, over plain HTTP and so without a service worker; at 127.0.0.1 it has one. CPU time is
that of Chromium's processes.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from playwright.async_api import BrowserContext

from kimberley.client.session.bots import drive
from kimberley.games.bots.levels import make_bot
from kimberley.games.lookup import find
from kimberley.games.table import Game
from kimberley.p2p.sharing.server import ServedFile, site_of
from kimberley.p2p.transport.address import own_addresses
from kimberley.protocol.audit import verify
from tests.support.browser_seat import BotPage, bot_program, served_table
from tests.support.chromium import LOOPBACK, open_chromium


def cpu_seconds() -> float:
    """Returns the CPU time of all processes below this one, including those that have ended."""
    times: dict[int, tuple[int, int]] = {}
    for process in Path("/proc").glob("[0-9]*/stat"):
        try:
            after = process.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        times[int(process.parent.name)] = int(after[1]), sum(map(int, after[11:15]))
    own = os.getpid()

    def is_below(pid: int) -> bool:
        parent = times.get(pid, (0, 0))[0]
        return parent == own or (parent > 1 and is_below(parent))

    return sum(ticks for pid, (_, ticks) in times.items() if is_below(pid)) / os.sysconf("SC_CLK_TCK")


class Sent(Mapping[str, ServedFile]):
    """What a server has, and how many bytes of it were asked for."""

    def __init__(self, files: Mapping[str, ServedFile]) -> None:
        self.bytes = 0
        self._files = files

    def __getitem__(self, path: str) -> ServedFile:
        file = self._files[path]
        self.bytes += len(file.data)
        return file

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)


async def started(context: BrowserContext, link: str, sent: Sent) -> tuple[BotPage, dict[str, float]]:
    """Returns a page that sits at the table, and what it took."""
    began, cpu, before = time.perf_counter(), cpu_seconds(), sent.bytes
    page = await BotPage.open(context, link)
    await page.heard("loaded")
    loaded = time.perf_counter() - began
    await page.heard("seated")
    took = {"fetched": loaded, "seated": time.perf_counter() - began, "cpu": cpu_seconds() - cpu}
    return page, {"bytes": sent.bytes - before} | {name: round(value, 1) for name, value in took.items()}


async def measured(context: BrowserContext, game: Game, address: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        async with served_table(game, Path(folder), bot_program()) as served:
            sent = Sent(served.files)
            served.server.files = lambda _: sent
            await served.server.close()
            await served.server.open(0, address)
            link = served.program.link(site_of(address, served.server.port), served.door.host_key)
            page, cold = await started(context, link, sent)
            secure = await page.page.evaluate("isSecureContext")
            if secure:
                await page.page.evaluate("navigator.serviceWorker.ready.then(() => null)")
            await page.page.close()
            page, warm = await started(context, link, sent)
            served.table.seating.ready(True)
            began, cpu = time.perf_counter(), cpu_seconds()
            await asyncio.gather(drive(served.table, make_bot(game, 1, 3)), page.heard("over"))
            seconds, spent = time.perf_counter() - began, cpu_seconds() - cpu
            assert served.table.ending.record is not None
            record = served.table.ending.record.read_bytes()
    assert verify(record, lambda _: game).code == "fair"
    return {
        "game": game.id,
        "service_worker": secure,
        "cold": cold,
        "warm": warm,
        "game_seconds": round(seconds, 1),
        "game_cpu": round(spent, 1),
        "record": len(record),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--game", default="diamond-trust")
    parser.add_argument("--address", default=next(iter(own_addresses()), LOOPBACK))
    chosen = parser.parse_args()
    game = find(chosen.game)
    found: dict[str, Any] = {}
    with open_chromium() as chromium:

        async def visit(context: BrowserContext) -> None:
            found.update(await measured(context, game, chosen.address))

        chromium.run(visit)
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
