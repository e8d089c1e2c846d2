"""Two homes behind routers, with the real servers between them, beside two on one network: from `kimberley join`
to the four words, a round trip to the table, and what a whole game puts on the wire at the guest, both directions.

.venv/bin/python -m tests.benchmarks.bench_far     as root
"""

from __future__ import annotations

import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from asyncio.subprocess import PIPE
from contextlib import AsyncExitStack
from pathlib import Path

from tests.benchmarks.common import report, size
from tests.support.far_lan import HOMES, MAILBOX, RELAY, SERVERS, FarLan

GAMES = size(5)
PINGS = size(50)
PATIENCE = 300.0
HERE, THERE = HOMES
NEAR_PORT = 7411
TRUST = ("host", "diamond-trust", "--adjust", "0", "--level", "1", "--nickname", "ana")
FAR = ("--far", "--mailbox", MAILBOX, "--relay", RELAY)
NEAR = ("--port", str(NEAR_PORT), "--bind", f"10.77.0.{SERVERS}")
PROBE = f"""
import asyncio, sys
from pathlib import Path
from kimberley.client.session.far import lead_far
from kimberley.client.session.settings import Settings
from kimberley.p2p.transport.address import parse_address
from kimberley.p2p.transport.dial import CardProbe
async def main(where, folder):
    ways = lead_far(Settings(mailbox={MAILBOX!r}), Path(folder))
    probe = await CardProbe.connect(*parse_address(where), 60)
    for _ in range({PINGS}):
        # A host answers the next ping only after a pause.
        await asyncio.sleep(0.1)
        await probe.ping(60)
        print(probe.round_trip)
    await probe.close()
    ways.close()
asyncio.run(main(*sys.argv[1:]))
"""


class Bench:
    """The network, its servers, and folders that nobody has used."""

    def __init__(self, lan: FarLan, folder: Path) -> None:
        self._lan, self._folder, self._tables = lan, folder, 0

    async def open(self, stack: AsyncExitStack, *, far: bool) -> tuple[str, Path]:
        """Opens a table. Returns what its guest types, and a folder for the guest."""
        self._tables += 1
        folder = self._folder / str(self._tables)
        home, more = (HERE, FAR) if far else (SERVERS, NEAR)
        host = await stack.enter_async_context(self._lan.bot(home, folder / "ana", *TRUST, *more))
        shown = await host.says(event="code") if far else await host.says(event="open")
        return (str(shown["code"]) if far else f"10.77.0.{SERVERS}:{NEAR_PORT}"), folder / "ben"

    async def play(self, *, far: bool) -> tuple[float, int]:
        """Returns the seconds until the words, and the bytes of a whole game."""
        async with AsyncExitStack() as stack:
            where, folder = await self.open(stack, far=far)
            before, began = self._bytes(), time.perf_counter()
            typed = ("join", where, "--mailbox", MAILBOX, "--level", "1", "--nickname", "ben")
            ben = await stack.enter_async_context(self._lan.bot(THERE, folder, *typed))
            await ben.says(event="words", seconds=PATIENCE)
            seconds = time.perf_counter() - began
            assert (await ben.says(event="done", seconds=PATIENCE))["verdict"] == "fair"
            return seconds, self._bytes() - before

    async def round_trips(self, *, far: bool) -> list[float]:
        async with AsyncExitStack() as stack:
            where, folder = await self.open(stack, far=far)
            command = self._lan.inside(sys.executable, "-c", PROBE, where, str(folder), host=THERE)
            process = await asyncio.create_subprocess_exec(*command, stdout=PIPE)
            told, _ = await process.communicate()
            return [float(line) for line in told.split()]

    def _bytes(self) -> int:
        command = self._lan.inside("ip", "-s", "-j", "link", "show", "eth0", host=THERE)
        (told,) = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
        return int(told["stats64"]["rx"]["bytes"]) + int(told["stats64"]["tx"]["bytes"])


async def measure(lan: FarLan, folder: Path) -> dict[str, object]:
    bench, figures = Bench(lan, folder), dict[str, object]()
    async with lan.mailbox(folder), lan.relay():
        for name, far in (("near", False), ("far", True)):
            games = [await bench.play(far=far) for _ in range(GAMES)]
            figures[f"{name}_words_s"] = round(statistics.median(seconds for seconds, _ in games), 2)
            figures[f"{name}_game_bytes"] = max(size for _, size in games)
            trips = await bench.round_trips(far=far)
            figures[f"{name}_round_trip_ms"] = round(statistics.median(trips) * 1000, 2)
    return {"games": GAMES, **figures}


def main() -> None:
    with FarLan() as lan, tempfile.TemporaryDirectory() as folder:
        report(asyncio.run(measure(lan, Path(folder))))


if __name__ == "__main__":
    main()
