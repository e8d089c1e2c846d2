"""A platform without threads: work runs where it is asked for, chance comes from a seed, and time is not waited for."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import pytest

from kimberley.p2p.base.platform import SystemPlatform, Worker, set_platform

T = TypeVar("T")

BEGINNING = 1_800_000_000.0


class ImpatientSelector(selectors.SelectSelector):
    """Moves the time of a loop forward instead of waiting."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if not ready:
            assert timeout is not None, "nothing will ever happen"
            self.now += timeout
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose time passes only while it has nothing to do."""

    def __init__(self) -> None:
        self._virtual = ImpatientSelector()
        super().__init__(self._virtual)

    def time(self) -> float:
        return self._virtual.now


class InlineWorker:
    """Runs work at once."""

    async def run(self, work: Callable[[], T]) -> T:
        return work()

    def close(self) -> None:
        pass


class ThreadlessPlatform(SystemPlatform):
    """The files of this machine, and nothing else of it."""

    def __init__(self, seed: int, folder: Path) -> None:
        self._chance = Random(seed)
        self._folder = folder
        self.worked = 0

    async def in_background(self, work: Callable[[], T]) -> T:
        self.worked += 1
        return work()

    def open_worker(self) -> Worker:
        return InlineWorker()

    def start_thread(self, work: Callable[[], None]) -> None:
        raise RuntimeError("no threads here")

    @property
    def has_processes(self) -> bool:
        return False

    def random_bytes(self, size: int) -> bytes:
        return self._chance.randbytes(size)

    def chance(self) -> Random:
        return self._chance

    def wall_time(self) -> float:
        return BEGINNING + asyncio.get_running_loop().time()

    def monotonic(self) -> float:
        return asyncio.get_running_loop().time()

    def data_folder(self) -> Path:
        return self._folder / "data"

    def state_folder(self) -> Path:
        return self._folder / "state"

    async def listen(self, protocol: object, bind: str | None, port: int) -> asyncio.Server:
        raise OSError("no sockets here")

    async def connect(self, protocol: object, host: str, port: int, **options: object) -> Any:
        raise OSError("no sockets here")

    def open_multicast(self, interfaces: object, **options: object) -> Any:
        raise OSError("no sockets here")


@contextmanager
def threadless(
    seed: int, folder: Path, monkeypatch: pytest.MonkeyPatch, platform: ThreadlessPlatform | None = None
) -> Iterator[ThreadlessPlatform]:
    """Runs everything in the block on such a platform, or on the given one; a thread that starts nevertheless is an
    error.
    """

    def refuse(self: object) -> None:
        raise RuntimeError("can't start new thread")

    platform = platform or ThreadlessPlatform(seed, folder)
    former = set_platform(platform)
    try:
        with monkeypatch.context() as patched:
            patched.setattr("threading.Thread.start", refuse)
            yield platform
    finally:
        set_platform(former)


def run_virtually(work: Coroutine[Any, Any, T]) -> T:
    """Returns the result of a coroutine, on a loop that does not wait for time."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(work)
