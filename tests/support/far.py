"""What stands in for a transit relay, and for the process that leads to one."""

from __future__ import annotations

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Self

from kimberley.p2p.far.codes import FarKey
from tests.support.asyncs import settled


class LittleRelay:
    """Does what the transit relay of magic-wormhole does, for one pair after the other. `seen` is all that it passes
    on.
    """

    def __init__(self) -> None:
        self.seen = bytearray()
        self.address = ""
        self._writers: list[StreamWriter] = []
        self._waiting: dict[bytes, tuple[bytes, StreamReader, StreamWriter]] = {}

    @asynccontextmanager
    async def serve(self) -> AsyncIterator[Self]:
        server = await asyncio.start_server(self._on_connection, "127.0.0.1", 0)
        self.address = f"tcp:127.0.0.1:{server.sockets[0].getsockname()[1]}"
        try:
            yield self
        finally:
            server.close()
            for writer in self._writers:
                writer.transport.abort()
            await settled()

    async def _on_connection(self, reader: StreamReader, writer: StreamWriter) -> None:
        self._writers.append(writer)
        asked = await reader.readline()
        if not asked:
            return
        _, _, token, _, _, side = asked.split()
        if token not in self._waiting or self._waiting[token][0] == side:
            self._waiting[token] = side, reader, writer
            return
        _, far_reader, far_writer = self._waiting.pop(token)
        for one in (writer, far_writer):
            one.write(b"ok\n")
        await asyncio.gather(self._pass_on(reader, far_writer), self._pass_on(far_reader, writer))

    async def _pass_on(self, reader: StreamReader, writer: StreamWriter) -> None:
        try:
            while data := await reader.read(1 << 16):
                self.seen += data
                writer.write(data)
        except OSError:
            pass
        writer.close()

    def key(self, letter: bytes = b"k") -> FarKey:
        return FarKey("7-velvet-harbor", letter * 32, self.address)


class PretendFarProcess:
    """In place of `p2p.far.process.FarProcess`: a test says what it says."""

    made: list[PretendFarProcess]

    def __init__(self, order: Any, on_news: Callable[[dict[str, Any]], None]) -> None:
        self.orders = [order]
        self.closed = False
        self._on_news = on_news
        self.made.append(self)

    def tell(self, order: Any) -> None:
        self.orders.append(order)

    def close(self) -> None:
        self.closed = True

    def say(self, **news: Any) -> None:
        self._on_news(news)
