"""Ten thousand connections that say nothing, to the door of a host that plays: it plays on, and needs little for it.

    .venv/bin/python -m tests.fuzz.door --connections 10000

Host and guests are programs as people start them. The connections come from many addresses of this machine, so that
the limits of one address do not spare the host.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import cycle
from pathlib import Path
from typing import Final

from kimberley.client.cli.play import LOG
from kimberley.client.session.verdicts import verify_file
from kimberley.p2p.transport.address import parse_address
from kimberley.p2p.transport.listener import ListenerLimits
from tests.lab.bench import machine
from tests.support.line_players import land_answer
from tests.support.pipe import Pipe
from tests.support.seated import LOOPBACK
from tests.support.seeded import seed_environment

ADDRESSES: Final = 64
GUESTS: Final = ("ben", "carla")
SHORT_LAND: Final = ("--option", "map=small", "--option", "turns=25")


@dataclass(frozen=True, slots=True)
class Siege:
    """What came of it: `taken` connections, the host's lines in its log, and its memory before and at most, in MiB."""

    connections: int
    taken: int
    verdict: str
    log_lines: int
    of_refusals: int
    memory_mib: float
    most_memory_mib: float
    seconds: float


def strangers(count: int) -> Iterator[str]:
    """Yields addresses of this machine, one after the other, again and again."""
    return cycle(f"127.0.1.{number}" for number in range(1, count + 1))


async def crowd(port: int, count: int, *, addresses: int = ADDRESSES) -> int:
    """Opens so many connections that say nothing, as fast as the door takes them from these addresses. Each stays until
    the door ends it, or it is no longer needed. Returns how many were taken.
    """
    loop = asyncio.get_running_loop()
    limits, sources = ListenerLimits(), strangers(addresses)
    taken, held = 0, list[socket.socket]()
    for _ in range(count):
        one = socket.socket()
        one.setblocking(False)
        with contextlib.suppress(OSError):
            one.bind((next(sources), 0))
            await loop.sock_connect(one, (LOOPBACK, port))
            taken += 1
        held.append(one)
        if len(held) > 2 * limits.pending:
            held.pop(0).close()
        await asyncio.sleep(1 / (limits.rate * addresses))
    for one in held:
        one.close()
    return taken


def memory_mib(process: int) -> float:
    """Returns the most memory that a process has had so far."""
    (line,) = [line for line in Path(f"/proc/{process}/status").read_text().splitlines() if line.startswith("VmHWM:")]
    return round(int(line.split()[1]) / 1024, 1)


def besieged(connections: int, folder: Path) -> Siege:
    """Plays a game of three while they come to the host."""
    start, seats = time.perf_counter(), 1 + len(GUESTS)
    with contextlib.ExitStack() as stack:

        def program(name: str, *arguments: str) -> Pipe:
            typed = (*arguments, "--nickname", name)
            return stack.enter_context(
                Pipe(*typed, data=folder / name, environ=seed_environment(), answers=land_answer)
            )

        ana = program("ana", "host", "land", "--seats", str(seats), "--bind", LOOPBACK, *SHORT_LAND)
        address = ana.wait("Others can join with: kimberley join (.*)")[1]
        everybody = [ana, *(program(name, "join", address) for name in GUESTS)]
        ana.wait(f"{seats} of {seats} seats taken")
        for one in everybody:
            one.type("ready")
        for one in everybody:
            one.wait("The four words: ")
        before, taken = memory_mib(ana.process.pid), list[int]()
        _, port = parse_address(address)
        siege = threading.Thread(target=lambda: taken.append(asyncio.run(crowd(port, connections))))
        siege.start()
        for one in everybody:
            one.type("same")
        for one in everybody:
            one.wait("^Record: ")
        siege.join()
        most = memory_mib(ana.process.pid)
    (kept,) = (folder / "ana" / "records").iterdir()
    lines = (folder / "ana" / LOG).read_text().splitlines()
    return Siege(
        connections,
        taken[0],
        verify_file(kept).code,
        len(lines),
        sum("Too many connections" in line for line in lines),
        before,
        most,
        round(time.perf_counter() - start, 1),
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.door")
    parser.add_argument("--connections", type=int, default=10_000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = besieged(given.connections, Path(folder))
    print(json.dumps({"on": machine(), **asdict(found)}, indent=1))


if __name__ == "__main__":
    main()
