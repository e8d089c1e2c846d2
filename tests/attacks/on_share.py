"""Floods of the port where a copy is shared, while a friend fetches it (docs/sharing.md, "The port")."""

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


async def hold(port: int, source: str, said: bytes) -> None:
    """Holds a connection forever: says this much, and reads nothing."""
    while True:
        with contextlib.suppress(OSError):
            _, writer = await asyncio.open_connection(LOOPBACK, port, local_addr=(source, 0), limit=1)
            writer.write(said)
            closed = asyncio.create_task(writer.wait_closed())
            await asyncio.wait([closed])
            closed.exception()
        await asyncio.sleep(AGAIN_SECONDS)


async def fetch(port: int) -> bool:
    """Whether a friend gets the whole file, soon enough."""
    with contextlib.suppress(OSError, TimeoutError):
        async with asyncio.timeout(TRY_SECONDS):
            reader, writer = await asyncio.open_connection(LOOPBACK, port)
            writer.write(REQUEST)
            _, _, body = (await reader.read(-1)).partition(b"\r\n\r\n")
            writer.close()
            return body == FILE.data
    return False


async def besieged(sources: int, each: int, siege: Siege) -> int:
    """How many of `TRIES` friends, all from one address, get the file."""
    through = 0
    server = FileServer(lambda _: {"/k": FILE})
    await server.open(0, LOOPBACK)
    try:
        async with asyncio.TaskGroup() as group:
            attackers = [group.create_task(siege(server.port, source)) for source in addresses(sources) * each]
            await asyncio.sleep(1)
            for _ in range(TRIES):
                through += await fetch(server.port)
            for one in attackers:
                one.cancel()
    finally:
        await server.close()
    return through


def measured(sources: int, each: int, said: bytes) -> Outcome:
    through = run(besieged(sources, each, partial(hold, said=said)), 600)
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
