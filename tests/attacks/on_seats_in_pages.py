"""Floods of the port of a page with WebSockets, while friends sit down from the page (SPEC.md, section 10.9)."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Final

from kimberley.p2p.sharing.server import FileServer
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.transport.channel import Channel
from kimberley.p2p.transport.dial import Unreachable, dial
from kimberley.p2p.transport.mesh import SEAT
from kimberley.p2p.transport.web_channel import SEAT_PATH
from kimberley.p2p.transport.web_listener import WebListener
from tests.attacks.attack import Attack, Outcome
from tests.attacks.on_doors import ENOUGH
from tests.attacks.on_share import TRIES, TRY_SECONDS, besieged, hold
from tests.support.asyncs import run
from tests.support.hall import LOOPBACK
from tests.support.web_seat import pages, served_from

REQUEST: Final = (
    "GET /seat HTTP/1.1\r\nHost: {site}\r\nOrigin: http://{site}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


async def sits(port: int) -> bool:
    """Returns whether a friend completes the hello soon enough."""
    with contextlib.suppress(Unreachable, TimeoutError), served_from(port):
        async with asyncio.timeout(TRY_SECONDS):
            channel = await dial(LOOPBACK, port, Identity.fresh(), (SEAT,))
            await channel.close()
            return True
    return False


async def besieged_page(sources: int, each: int, *expected: str) -> int:
    """Returns how many of `TRIES` friends, all from one address, sit down while attackers hold WebSockets and say
    nothing.
    """
    came: list[Channel] = []
    door = WebListener(Identity.fresh(), came.append, lambda: expected)
    server = FileServer(lambda _: {}, handed_over={SEAT_PATH: door.take_over}, expected=door.expected)
    try:
        return await besieged(server, sources, each, ask_and_hold, sits)
    finally:
        await door.close()
        for channel in came:
            await channel.close()


async def ask_and_hold(port: int, source: str) -> None:
    """Asks for a WebSocket, and says nothing more."""
    await hold(port, source, REQUEST.format(site=f"{LOOPBACK}:{port}").encode())


def measured(sources: int, each: int, *expected: str, seconds: float = 0.0) -> Outcome:
    """Measures how many friends sit down. A message takes `seconds` to reach a friend."""
    with pages() as between:
        between.seconds = seconds
        through = run(besieged_page(sources, each, *expected), 600)
    return Outcome(through >= ENOUGH * TRIES, f"{through} of {TRIES} sit down")


ATTACKS = (
    Attack(
        "page-silent",
        "32 WebSockets from 4 addresses say nothing at the port of a page, while friends sit down from it",
        lambda: measured(4, 8),
    ),
    Attack(
        "page-of-a-game",
        "WebSockets from 64 addresses say nothing at the port of a page, while a seat comes back to its game",
        lambda: measured(64, 1, LOOPBACK, seconds=0.1),
    ),
)
