"""The line mode without a terminal."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from io import StringIO

from kimberley.client.plain.console import Console
from kimberley.client.plain.main import PlainClient
from kimberley.client.session.network import Network
from kimberley.client.session.settings import Settings
from kimberley.client.session.start_requests import StartRequest


class Typed(Console):
    """Lines that a test types, and the lines printed."""

    def __init__(self) -> None:
        super().__init__(StringIO(), StringIO())
        self.said: list[str] = []
        self._typed: asyncio.Queue[str] = asyncio.Queue()

    def type(self, line: str) -> None:
        self._typed.put_nowait(line)

    @property
    def all_read(self) -> bool:
        return self._typed.empty()

    async def read(self) -> str:
        return await self._typed.get()

    def say(self, *lines: str) -> None:
        self.said += lines

    def has(self, text: str) -> bool:
        return any(text in line for line in self.said)


@asynccontextmanager
async def line_mode(settings: Settings, start: StartRequest | None) -> AsyncIterator[Typed]:
    """Runs the line mode over the real network, from its `start` on."""
    network, lines = Network(settings), Typed()
    running = asyncio.create_task(PlainClient(settings, network, lines).main(start))
    try:
        yield lines
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        await network.close()
