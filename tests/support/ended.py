"""Programs that are asked to end by a signal."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def disposed(number: int, disposition: Any) -> Iterator[None]:
    """Gives a signal this disposition while the block lasts, as in a program that was started with it."""
    before = signal.signal(number, disposition)
    try:
        yield
        assert signal.getsignal(number) == disposition, "it is as it was"
    finally:
        signal.signal(number, before)


class Guest:
    """Waits for a signal, and says goodbye once it is canceled. Another such signal changes nothing."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.said: list[str] = []

    async def stay(self) -> str:
        try:
            os.kill(os.getpid(), self.number)
            await asyncio.sleep(0.5)
        except asyncio.CancelledError:
            os.kill(os.getpid(), self.number)
            await asyncio.sleep(0.01)
            self.said.append("goodbye")
            raise
        return "stayed"
