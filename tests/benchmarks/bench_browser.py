"""What a seat in the browser takes: bytes, seconds to the table with a cold and a warm cache, CPU time of a game.

    .venv/bin/python -m tests.benchmarks.bench_browser [--game diamond-trust]

A bot in headless Chromium plays a host in this process, over loopback. CPU time is that of Chromium's processes.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.async_api import BrowserContext

from kimberley.client.session.bots import drive
from kimberley.games.lookup import find
from kimberley.games.table import Game
from kimberley.protocol.audit import verify
from tests.support.browser_seat import BotPage, bot_program, page_program, served_table
from tests.support.chromium import open_chromium


def cpu_seconds() -> float:
    """CPU time of all processes below this one, those that have ended included."""
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


async def started(context: BrowserContext, link: str) -> tuple[BotPage, dict[str, float]]:
    """A page that sits at the table, and how long it took."""
    began, cpu = time.perf_counter(), cpu_seconds()
    page = await BotPage.open(context, link)
    await page.heard("loaded")
    loaded = time.perf_counter() - began
    await page.heard("seated")
    took = {"fetched": loaded, "seated": time.perf_counter() - began, "cpu": cpu_seconds() - cpu}
    return page, {name: round(value, 1) for name, value in took.items()}


async def measured(context: BrowserContext, game: Game) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        async with served_table(game, Path(folder), bot_program()) as served:
            page, cold = await started(context, served.link)
            await page.page.close()
            page, warm = await started(context, served.link)
            served.table.ready(True)
            began, cpu = time.perf_counter(), cpu_seconds()
            await asyncio.gather(drive(served.table, game.bot(1, 3)), page.heard("over"))
            seconds, spent = time.perf_counter() - began, cpu_seconds() - cpu
            assert served.table.record is not None
            record = served.table.record.read_bytes()
    assert verify(record, lambda _: game).code == "fair"
    return {
        "game": game.id,
        "bytes": sum(len(file.data) for path, file in page_program().files.items() if path not in ("/play", "/play/")),
        "cold": cold,
        "warm": warm,
        "game_seconds": round(seconds, 1),
        "game_cpu": round(spent, 1),
        "record": len(record),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--game", default="diamond-trust")
    game = find(parser.parse_args().game)
    found: dict[str, Any] = {}
    with open_chromium() as chromium:

        async def visit(context: BrowserContext) -> None:
            found.update(await measured(context, game))

        chromium.run(visit)
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
