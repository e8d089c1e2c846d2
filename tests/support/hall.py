"""A host's listener for tests, and raw connections to it."""

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.transport.channel import Channel
from kimberley.p2p.transport.dial import dial
from kimberley.p2p.transport.frames import Frame, FrameDecoder
from kimberley.p2p.transport.handshake import PeerVersion
from kimberley.p2p.transport.listener import Listener
from kimberley.p2p.transport.table_card import TableCard
from kimberley.p2p.transport.tls import client_context
from tests.support.asyncs import until

LOOPBACK = "127.0.0.1"
PURPOSE: Frame = ("seat",)


def free_port() -> int:
    """Returns a port that nobody listens at, and that no host takes because it is the usual one."""
    with socket.create_server((LOOPBACK, 0)) as listener:
        return int(listener.getsockname()[1])


class Hall:
    """A host with a listener. It collects the channels that arrive."""

    def __init__(self, **options: object) -> None:
        self.identity = Identity.fresh()
        self.card = TableCard(self.identity.public, "ana", "stones", 1, 1, 2, PeerVersion((1,), "1.0"))
        self.channels: list[Channel] = []
        self.door = Listener(self.identity, self.channels.append, lambda: self.card, **options)  # type: ignore[arg-type]

    async def guest(self, identity: Identity | None = None) -> tuple[Channel, Channel]:
        """Returns both ends of a new channel."""
        channel = await dial(LOOPBACK, self.door.port, identity or Identity.fresh(), PURPOSE)
        await until(lambda: self.channels)
        return channel, self.channels.pop()


@asynccontextmanager
async def hall(**options: object) -> AsyncIterator[Hall]:
    host = Hall(**options)
    await host.door.open(0, LOOPBACK)
    try:
        yield host
    finally:
        await host.door.close()
        for channel in host.channels:
            await channel.close()


@asynccontextmanager
async def raw(port: int, *, tls: bool = True) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """Opens a raw connection, on which a test can send anything."""
    reader, writer = await asyncio.open_connection(
        LOOPBACK, port, ssl=client_context() if tls else None, server_hostname="" if tls else None
    )
    try:
        yield reader, writer
    finally:
        writer.transport.abort()
        await asyncio.sleep(0)


async def frame_from(reader: asyncio.StreamReader) -> Frame:
    """Returns the next frame on a raw connection."""
    frames = FrameDecoder()
    while (frame := frames.next()) is None:
        data = await reader.read(4096)
        assert data, "the connection ended"
        frames.feed(data)
    return frame


async def ends(reader: asyncio.StreamReader) -> bool:
    """Waits until the other side ends the connection."""
    try:
        while await reader.read(4096):
            pass
    except (ConnectionError, ssl.SSLError):
        pass
    return True
