"""What a host's door leads to, and connections to it that do as they like."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from p2p.card import Card
from p2p.channel import Channel, TLSChannel
from p2p.dial import dial
from p2p.door import Door
from p2p.frames import Frame, Frames
from p2p.hello import Speaker
from p2p.identity import Identity
from p2p.tls import client_context
from tests.support.asyncs import until

LOOPBACK = "127.0.0.1"
PURPOSE: Frame = ("seat",)


class Hall:
    """What a host's door leads to, in these tests."""

    def __init__(self, **options: object) -> None:
        self.identity = Identity.fresh()
        self.card = Card(self.identity.public, "ana", "stones", 1, 1, 2, Speaker((1,), "1.0"))
        self.channels: list[Channel] = []
        self.door = Door(self.identity, self.channels.append, lambda: self.card, **options)  # type: ignore[arg-type]

    async def guest(self, identity: Identity | None = None) -> tuple[TLSChannel, Channel]:
        """Both ends of a new channel."""
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
    """A connection that does as it likes."""
    reader, writer = await asyncio.open_connection(
        LOOPBACK, port, ssl=client_context() if tls else None, server_hostname="" if tls else None
    )
    try:
        yield reader, writer
    finally:
        writer.transport.abort()
        await asyncio.sleep(0)


async def frame_from(reader: asyncio.StreamReader) -> Frame:
    """The next frame on a raw connection."""
    frames = Frames()
    while (frame := frames.next()) is None:
        data = await reader.read(4096)
        assert data, "the connection ended"
        frames.feed(data)
    return frame


async def ends(reader: asyncio.StreamReader) -> bool:
    """Whether the other side ends the connection."""
    try:
        while await reader.read(4096):
            pass
    except (ConnectionError, ssl.SSLError):
        pass
    return True
