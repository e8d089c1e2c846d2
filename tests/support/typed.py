"""The line mode without a terminal."""

from __future__ import annotations

import asyncio
from io import StringIO

from kimberley.client.plain.console import Console


class Typed(Console):
    """Lines that a test types, and the lines printed."""

    def __init__(self) -> None:
        super().__init__(StringIO(), StringIO())
        self.said: list[str] = []
        self._typed: asyncio.Queue[str] = asyncio.Queue()

    def type(self, line: str) -> None:
        self._typed.put_nowait(line)

    async def read(self) -> str:
        return await self._typed.get()

    def say(self, *lines: str) -> None:
        self.said += lines

    def has(self, text: str) -> bool:
        return any(text in line for line in self.said)
