"""Serves the page of a tournament in a process of its own: `python -m kimberley.client.web FOLDER HOST PORT
[NAME ...]`.

Only a referee starts it. It reads the store in FOLDER, and what the referee sends to its standard input
(`referee.feed`), and ends when that input ends. It prints a line of JSON: {"addresses": [...]} once it serves the
page, or {"trouble": "..."} if it cannot, or no longer; and the organizer's orders (`client.web.organizer`).
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from kimberley.client.session.logfile import LogFile
from kimberley.client.web.organizer import OrderLine
from kimberley.client.web.serve import LEAVE_SECONDS, open_page
from kimberley.client.web.stored import StoredTournament
from kimberley.games import lookup
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.platform import run_loop, start_thread
from kimberley.p2p.base.rate_limited_log import RateLimitedRecords
from kimberley.p2p.tournament.store import StoreReader
from kimberley.p2p.transport.frames import FrameDecoder

NICE = 10
"""A low priority: the referee comes first. At the lowest, nobody would see a page on a machine that is busy."""
LOG = "page-log.txt"
"""What fails, in the folder of the tournament: not on the organizer's terminal, where anybody could cause lines."""
REFRESH_SECONDS = 0.5
"""Time between two reads of the store."""


def main() -> int:
    folder, host, port, *names = sys.argv[1:]
    # Ctrl-C reaches all processes of a terminal, but the referee decides when its page ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(NICE)
    keep_log(Path(folder))
    try:
        run_loop(_serve(Path(folder), host, int(port), names), subprocesses=True)
    except UserError as error:
        print(json.dumps({"trouble": str(error)}), flush=True)
        return 1
    return 0


def keep_log(folder: Path) -> None:
    """Writes errors to a file in the tournament's folder, each kind once in a while."""
    handler = LogFile(folder / LOG)
    handler.addFilter(RateLimitedRecords(logging.ERROR))
    logging.basicConfig(level=logging.ERROR, handlers=[handler], format="%(asctime)s %(levelname)s %(message)s")


async def _serve(folder: Path, host: str, port: int, names: Sequence[str]) -> None:
    with StoreReader(folder) as reader:
        source = StoredTournament(reader, lookup.find)
        orders = OrderLine(lambda number, line: print(json.dumps({"order": number, "line": line}), flush=True))
        async with open_page(source, host, port, orders, names) as addresses:
            print(json.dumps({"addresses": addresses}), flush=True)
            ended = _listen(source, orders)
            while not ended.is_set():
                source.refresh()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(ended.wait(), REFRESH_SECONDS)


def _listen(source: StoredTournament, orders: OrderLine) -> asyncio.Event:
    """Reads what the referee sends, on a thread. Returns an event that is set when the input ends.

    If the loop is too busy to end in time after that, the thread ends the process.
    """
    loop, ended, frames = asyncio.get_running_loop(), asyncio.Event(), FrameDecoder()

    def take(data: bytes) -> None:
        frames.feed(data)
        while (frame := frames.next()) is not None:
            if orders.take(frame):
                # The organizer's page shows what a command has changed.
                source.refresh()
            else:
                source.take(frame)

    def read() -> None:
        with contextlib.suppress(RuntimeError, OSError):
            while data := os.read(sys.stdin.fileno(), 1 << 16):
                loop.call_soon_threadsafe(take, data)
            loop.call_soon_threadsafe(ended.set)
        time.sleep(2 * LEAVE_SECONDS)
        os._exit(1)

    start_thread(read)
    return ended


if __name__ == "__main__":
    sys.exit(main())
