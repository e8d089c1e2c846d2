"""The page of a tournament in a process of its own: `python -m client.web FOLDER HOST PORT`, for a referee alone.

It reads the store in FOLDER, and what its referee sends on the standard input (`client.web.feed`), and ends with it. It
says lines of JSON: {"addresses": [...]} once the page is shown, {"trouble": "..."} where it is not, or not any more.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import signal
import sys
import threading
import time
from pathlib import Path

from client.web.serve import LEAVE_SECONDS, open_page
from client.web.stored import StoredHall
from games import lookup
from p2p.frames import Frames
from p2p.referee.store import Reader
from p2p.trouble import Trouble

NICE = 19
"""Whatever else this machine does comes first: the players' referee above all."""
REFRESH_SECONDS = 0.5
"""Between two looks into the store."""


def main() -> int:
    folder, host, port = sys.argv[1:]
    # Ctrl-C goes to all processes of a terminal; the referee decides when its page ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(NICE)
    logging.basicConfig(level=logging.ERROR, format="%(asctime)s %(levelname)s the page: %(message)s")
    try:
        asyncio.run(_serve(Path(folder), host, int(port)))
    except Trouble as error:
        print(json.dumps({"trouble": str(error)}), flush=True)
        return 1
    return 0


async def _serve(folder: Path, host: str, port: int) -> None:
    with Reader(folder) as reader:
        hall = StoredHall(reader, lookup.find)
        async with open_page(hall, host, port) as addresses:
            print(json.dumps({"addresses": addresses}), flush=True)
            ended = _listen(hall)
            while not ended.is_set():
                hall.refresh()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(ended.wait(), REFRESH_SECONDS)


def _listen(hall: StoredHall) -> asyncio.Event:
    """Takes up what the referee sends, on a thread that outlives a busy loop. Returns what is set when it ends."""
    loop, ended, frames = asyncio.get_running_loop(), asyncio.Event(), Frames()

    def take(data: bytes) -> None:
        frames.feed(data)
        while (frame := frames.next()) is not None:
            hall.take(frame)

    def read() -> None:
        with contextlib.suppress(RuntimeError, OSError):
            while data := os.read(sys.stdin.fileno(), 1 << 16):
                loop.call_soon_threadsafe(take, data)
            loop.call_soon_threadsafe(ended.set)
        time.sleep(2 * LEAVE_SECONDS)
        os._exit(1)

    threading.Thread(target=read, daemon=True).start()
    return ended


if __name__ == "__main__":
    sys.exit(main())
