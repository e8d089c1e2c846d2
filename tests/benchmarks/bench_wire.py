"""What a whole game puts on the wire, TLS and hello and heartbeats included, both directions: counted between two bots.

.venv/bin/python -m tests.benchmarks.bench_wire
"""

from __future__ import annotations

import asyncio
import json
import tempfile
from asyncio.subprocess import PIPE, Process
from pathlib import Path

from tests.benchmarks.common import KIMBERLEY, report, size
from tests.support.seated import LOOPBACK, Proxy

GAMES = size(5, quick=1)


async def bot(*typed: str) -> Process:
    return await asyncio.create_subprocess_exec(*KIMBERLEY, "bot", *typed, "--json", "--level", "1", stdout=PIPE)


async def game(folder: Path, seed: int) -> int:
    """Returns the bytes of one game, from the guest's first to its last."""
    own = ("--adjust", "0", "--bind", LOOPBACK, "--nickname", "ana", "--data", str(folder / "ana"))
    host = await bot("host", *own, "--seed", str(2 * seed))
    assert host.stdout is not None
    port = json.loads(await host.stdout.readline())["port"]
    async with Proxy(port) as proxy:
        other = ("--nickname", "ben", "--data", str(folder / "ben"))
        guest = await bot("join", f"{LOOPBACK}:{proxy.port}", *other, "--seed", str(2 * seed + 1))
        told, _ = await asyncio.gather(guest.communicate(), host.communicate())
        assert json.loads(told[0].splitlines()[-1])["verdict"] == "fair"
        return proxy.passed


def main() -> None:
    sizes = []
    for seed in range(GAMES):
        with tempfile.TemporaryDirectory() as folder:
            sizes.append(asyncio.run(game(Path(folder), seed)))
    report({"games": GAMES, "median_bytes": sorted(sizes)[GAMES // 2], "most_bytes": max(sizes)})


if __name__ == "__main__":
    main()
