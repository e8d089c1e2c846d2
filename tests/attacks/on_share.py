"""Floods of the port where a copy is shared (docs/browser.md, "The port and the shared file")."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, Final

from kimberley.p2p.sharing.server import FileServer, ServedFile
from tests.attacks.attack import Attack, Outcome
from tests.attacks.on_doors import AGAIN_SECONDS, ENOUGH, addresses
from tests.support.asyncs import run
from tests.support.hall import LOOPBACK

FILE: Final = ServedFile(bytes(range(256)) * 8192, ())
"""2 MiB, the size of the program."""
TRIES: Final = 40
TRY_SECONDS: Final = 5.0
REQUEST: Final = b"GET /k HTTP/1.1\r\n\r\n"

Siege = Callable[[int, str], Coroutine[Any, Any, None]]
Attempt = Callable[[int], Coroutine[Any, Any, bool]]


class Held(asyncio.Protocol):
    """A connection that says this much, and then nothing more. Unless it reads, what is sent to it stays unread."""

    def __init__(self, said: bytes, *, reads: bool) -> None:
        self.lost = asyncio.Event()
        self._said, self._reads = said, reads

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        transport.write(self._said)
        if not self._reads:
            transport.pause_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost.set()


async def hold(port: int, source: str, said: bytes, *, reads: bool = True) -> None:
    """Holds a connection forever, and opens another one when it is ended."""
    loop = asyncio.get_running_loop()
    while True:
        with contextlib.suppress(OSError):
            made = partial(Held, said, reads=reads)
            transport, held = await loop.create_connection(made, LOOPBACK, port, local_addr=(source, 0))
            try:
                await held.lost.wait()
            finally:
                transport.abort()
        await asyncio.sleep(AGAIN_SECONDS)


async def fetch(port: int) -> bool:
    """Returns whether a friend gets the whole file soon enough."""
    with contextlib.suppress(OSError, TimeoutError):
        async with asyncio.timeout(TRY_SECONDS):
            reader, writer = await asyncio.open_connection(LOOPBACK, port)
            try:
                writer.write(REQUEST)
                return (await reader.read(-1)).endswith(FILE.data)
            finally:
                writer.transport.abort()
    return False


async def besieged(server: FileServer, sources: int, each: int, siege: Siege, attempt: Attempt) -> int:
    """Returns how many of `TRIES` friends, all from one address, get what they want from this server."""
    through = 0
    await server.open(0, LOOPBACK)
    try:
        async with asyncio.TaskGroup() as group:
            attackers = [group.create_task(siege(server.port, source)) for source in addresses(sources) * each]
            await asyncio.sleep(1)
            for _ in range(TRIES):
                through += await attempt(server.port)
            for one in attackers:
                one.cancel()
    finally:
        await server.close()
    return through


def measured(sources: int, each: int, said: bytes) -> Outcome:
    siege = partial(hold, said=said, reads=not said)
    through = run(besieged(FileServer(lambda _: {"/k": FILE}), sources, each, siege, fetch), 600)
    return Outcome(through >= ENOUGH * TRIES, f"{through} of {TRIES} get the file")


ATTACKS = (
    Attack(
        "share-silent",
        "32 connections from 4 addresses say nothing where a copy is shared, while friends fetch it",
        lambda: measured(4, 8, b""),
    ),
    Attack(
        "share-unread",
        "64 connections from 8 addresses ask for the shared file without reading it, while friends fetch it",
        lambda: measured(8, 8, REQUEST),
    ),
)
