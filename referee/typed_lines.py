"""What is typed at a referee's machine, line by line."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import suppress
from typing import Final

from kimberley.p2p.base.platform import start_thread

MOST_READ: Final = 4096
"""Bytes that are read at once."""


class TypedLines:
    """The lines of a terminal, a pipe or a file. Each is read only once, whoever waits for it."""

    def __init__(self) -> None:
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()

    def start(self) -> None:
        """Starts to read standard input, if there is one."""
        loop, take = asyncio.get_running_loop(), self._lines.put_nowait
        try:
            handle = sys.stdin.fileno() if sys.stdin is not None else None
        except (OSError, ValueError):
            handle = None
        if handle is None:
            take(None)
            return

        def read() -> None:
            # Not by lines of `sys.stdin`: a thread that waits there holds a lock that the end of the program needs.
            rest = b""
            with suppress(RuntimeError):
                with suppress(OSError):
                    while data := os.read(handle, MOST_READ):
                        *lines, rest = (rest + data).split(b"\n")
                        for line in lines:
                            loop.call_soon_threadsafe(take, line.decode("utf-8", "replace"))
                        rest = rest[:MOST_READ]
                if rest:
                    loop.call_soon_threadsafe(take, rest.decode("utf-8", "replace"))
                loop.call_soon_threadsafe(take, None)

        start_thread(read)

    async def next(self) -> str:
        """Returns the next line, without its end. Raises EOFError when there are no more."""
        line = await self._lines.get()
        if line is None:
            self._lines.put_nowait(None)
            raise EOFError
        return line
