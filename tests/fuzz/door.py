"""Ten thousand connections to the door of a table that plays: it plays on, at the cost of a few log lines.

.venv/bin/python -m tests.fuzz.door --connections 10000
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import logging
import socket
import tempfile
import time
from pathlib import Path

from kimberley.client.cli.bench import machine
from tests.support.asyncs import run
from tests.support.seated import LOOPBACK, circle_of_tables
from tests.support.stones import MANY_STONES


class Lines(logging.Handler):
    """Keeps what is logged."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


async def crowd(port: int, count: int, at_once: int = 400) -> int:
    """So many connections from one address, some hundred at a time, that say nothing. Returns how many were taken."""
    loop = asyncio.get_running_loop()
    taken = 0
    for start in range(0, count, at_once):
        batch = [socket.socket() for _ in range(min(at_once, count - start))]
        for one in batch:
            one.setblocking(False)
            with contextlib.suppress(OSError):
                await loop.sock_connect(one, (LOOPBACK, port))
                taken += 1
        for one in batch:
            one.close()
    return taken


async def besieged(connections: int, folder: Path) -> dict[str, object]:
    """A game of three while they come."""
    lines = Lines()
    logging.getLogger("kimberley.p2p").addHandler(lines)
    logging.getLogger("kimberley.p2p").setLevel(logging.INFO)
    start = time.perf_counter()
    try:
        async with circle_of_tables(folder, MANY_STONES) as circle:
            await circle.seat(3)
            ports = [table.port for table in circle.tables]
            sieges = [crowd(port, connections // len(ports) + 1) for port in ports]
            *_, taken = await asyncio.gather(circle.play(), *sieges)
            await circle.all("done")
            codes = sorted({table.verdict.code for table in circle.tables if table.verdict is not None})
    finally:
        logging.getLogger("kimberley.p2p").removeHandler(lines)
    return {
        "connections": connections,
        "taken_at_the_last_door": taken,
        "verdicts": codes,
        "log_lines": len(lines.lines),
        "of_refusals": sum("were refused" in line for line in lines.lines),
        "seconds": round(time.perf_counter() - start, 1),
    }


def main() -> None:
    import resource  # Windows has none, and a test of the tables there imports this module.

    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.door")
    parser.add_argument("--connections", type=int, default=10_000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = run(besieged(given.connections, Path(folder) / "tables"), 600)
    most_memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"on": machine(), **found, "most_memory_mib": round(most_memory / 1024, 1)}, indent=1))


if __name__ == "__main__":
    main()
