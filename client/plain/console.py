"""The console of the line mode: it reads and writes lines instead of showing screens."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import sys
from functools import partial
from typing import Protocol, TextIO

from kimberley.client.ui.glyphs import clean, to_ascii, wrap
from kimberley.p2p.base.platform import start_thread
from kimberley.p2p.base.sequences import without_sequences


class ConsoleLike(Protocol):
    """Where the line mode reads and writes."""

    async def read(self) -> str:
        """Returns the next typed line without the spaces around it. Raises EOFError at the end of the input."""

    def say(self, *lines: str) -> None:
        """Writes each sentence on a line of its own."""

    def show(self, text: str) -> None:
        """Writes text for the user to copy."""


class Console:
    """Reads lines from a stream, on a thread of its own, and writes lines. `read` raises EOFError at the end."""

    def __init__(self, source: TextIO | None = None, target: TextIO | None = None, *, ascii_only: bool = False) -> None:
        self._spell = to_ascii if ascii_only else clean
        self._target = target or sys.stdout
        self._queue: asyncio.Queue[str | None] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        self._over = False
        start_thread(partial(self._pump, source or sys.stdin))

    def _pump(self, source: TextIO) -> None:
        # The loop may be closed when the last line comes. Then nobody reads that line.
        with contextlib.suppress(RuntimeError, ValueError):
            with contextlib.suppress(OSError):  # The terminal was closed.
                for line in source:
                    self._loop.call_soon_threadsafe(self._queue.put_nowait, without_sequences(line).strip())
            self._loop.call_soon_threadsafe(self._queue.put_nowait, None)

    async def read(self) -> str:
        """Returns the next typed line without the spaces around it. Raises EOFError at the end of the input."""
        line = None if self._over else await self._queue.get()
        if line is None:
            self._over = True
            raise EOFError
        return line

    def say(self, *lines: str) -> None:
        """Writes each sentence on a line of its own; a terminal gets whole words in each of its rows."""
        for line in lines:
            text = self._spell(line)
            rows = wrap(text, shutil.get_terminal_size().columns - 1) if self._target.isatty() else [text]
            print("\n".join(rows), file=self._target, flush=True)

    def show(self, text: str) -> None:
        """Writes text for the user to copy, without line breaks, however narrow the terminal is."""
        print(clean(text), file=self._target, flush=True)
