"""Serves the page of a tournament in a process of its own: `python -m kimberley.referee.pages GAMES FOLDER HOST
PORT [NAME ...]`.

Only a referee starts it. GAMES says what draws games, a `p2p.tournament.page_games.PageGames`, as
`pkgutil.resolve_name` takes it. With an empty FOLDER, it serves the form for a new tournament first
(`referee.pages.setup_form`). It reads the store in FOLDER, and what the referee sends to its standard input
(`referee.feed`), and ends when that input ends. It prints a line of JSON: {"addresses": [...]} once it serves the
page, or {"trouble": "..."} if it cannot, or no longer; and the organizer's orders (`referee.pages.organizer`).
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
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from pkgutil import resolve_name

from kimberley.games import lookup
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.platform import run_loop, start_thread
from kimberley.p2p.base.rate_limited_log import RateLimitedRecords
from kimberley.p2p.storage.logfile import LogFile
from kimberley.p2p.tournament.page_games import PageGames
from kimberley.p2p.transport.frames import Frame, FrameDecoder
from kimberley.referee.pages.gate import Gate
from kimberley.referee.pages.organizer import OrderLine
from kimberley.referee.pages.serve import LEAVE_SECONDS, open_application, open_page
from kimberley.referee.pages.setup_form import Entrance, SetupForm
from kimberley.referee.pages.site import site
from kimberley.referee.pages.stored import StoredTournament
from kimberley.referee.store import StoreReader

NICE = 10
"""A low priority: the referee comes first. At the lowest, nobody would see a page on a machine that is busy."""
LOG = "page-log.txt"
"""The log of what fails, in the folder of the tournament: on the organizer's terminal, anybody could cause lines."""
REFRESH_SECONDS = 0.5
"""Time between two reads of the store."""


def main() -> int:
    lent, folder, host, port, *names = sys.argv[1:]
    games: PageGames = resolve_name(lent)()
    # Ctrl-C reaches all processes of a terminal, but the referee decides when its page ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(NICE)
    if folder:
        keep_log(Path(folder))
        serving = _serve(games, Path(folder), host, int(port), names)
    else:
        logging.basicConfig(handlers=[logging.NullHandler()])
        serving = _serve_form(games, host, int(port), names)
    try:
        run_loop(serving, subprocesses=True)
    except UserError as error:
        print(json.dumps({"trouble": str(error)}), flush=True)
        return 1
    return 0


def keep_log(folder: Path) -> None:
    """Writes errors to a file in the tournament's folder, each kind once in a while."""
    handler = LogFile(folder / LOG)
    handler.addFilter(RateLimitedRecords(logging.ERROR))
    style = "%(asctime)s %(levelname)s %(message)s"
    logging.basicConfig(level=logging.ERROR, handlers=[handler], format=style, force=True)


async def _serve(games: PageGames, folder: Path, host: str, port: int, names: Sequence[str]) -> None:
    with StoreReader(folder) as reader:
        source, orders = StoredTournament(reader, lookup.find), OrderLine(_order)
        async with open_page(source, games, host, port, orders, names) as addresses:
            print(json.dumps({"addresses": addresses}), flush=True)
            await _follow(lambda: source, _listen(lambda frame: _take(source, orders, frame)))


async def _serve_form(games: PageGames, host: str, port: int, names: Sequence[str]) -> None:
    """Serves the form for a new tournament, and then that tournament."""
    form, orders = SetupForm(lambda filled: print(json.dumps({"form": filled}), flush=True), games), OrderLine(_order)
    names = (host, *names) if host else names
    entrance = Entrance(Gate(form.application, names))
    source: StoredTournament | None = None
    async with AsyncExitStack() as closing, open_application(lambda _: entrance, host, port) as addresses:

        def take(frame: Frame) -> None:
            nonlocal source
            match frame:
                case ("open", str() as folder):
                    keep_log(Path(folder))
                    source = StoredTournament(closing.enter_context(StoreReader(Path(folder))), lookup.find)
                case _ if source is None:
                    form.take(frame)
                case _:
                    _take(source, orders, frame)
                    if not form.closed and orders.link.opened:
                        # Not earlier: whoever has filled in the form is sent to the organizer's page.
                        entrance.show(site(source, games, addresses, orders, names))
                        form.close()

        print(json.dumps({"addresses": addresses}), flush=True)
        await _follow(lambda: source, _listen(take))


async def _follow(source: Callable[[], StoredTournament | None], ended: asyncio.Event) -> None:
    """Reads the store again and again until the referee has ended."""
    while not ended.is_set():
        if (stored := source()) is not None:
            stored.refresh()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(ended.wait(), REFRESH_SECONDS)


def _order(number: int, line: str) -> None:
    print(json.dumps({"order": number, "line": line}), flush=True)


def _take(source: StoredTournament, orders: OrderLine, frame: Frame) -> None:
    if orders.take(frame):
        # The organizer's page shows what a command has changed.
        source.refresh()
    else:
        source.take(frame)


def _listen(take: Callable[[Frame], None]) -> asyncio.Event:
    """Reads what the referee sends, on a thread. Returns an event that is set when the input ends.

    If the loop is too busy to end in time after that, the thread ends the process.
    """
    loop, ended, frames = asyncio.get_running_loop(), asyncio.Event(), FrameDecoder()

    def decode(data: bytes) -> None:
        frames.feed(data)
        while (frame := frames.next()) is not None:
            take(frame)

    def read() -> None:
        with contextlib.suppress(RuntimeError, OSError):
            while data := os.read(sys.stdin.fileno(), 1 << 16):
                loop.call_soon_threadsafe(decode, data)
            loop.call_soon_threadsafe(ended.set)
        time.sleep(2 * LEAVE_SECONDS)
        os._exit(1)

    start_thread(read)
    return ended


if __name__ == "__main__":
    sys.exit(main())
