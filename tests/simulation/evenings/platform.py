"""The platform of an evening: no threads, seeded chance, virtual time, and disks and cores that take their time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, Final, TypeVar

from kimberley.p2p.base.platform import Worker, set_platform
from tests.support.threadless import ThreadlessPlatform

T = TypeVar("T")

WORK_SECONDS: Final = (0.0, 0.03)
"""What work on other threads takes."""
PAIRING_SECONDS: Final = (0.1, 5.0)
"""What the pairing of a round takes: those of 64 players and more take seconds."""


class Busy:
    """Runs work at once; its result comes a little later."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    async def run(self, work: Callable[[], T]) -> T:
        try:
            return work()
        finally:
            await asyncio.sleep(self._rng.uniform(*_span(work)))

    def close(self) -> None:
        pass


class EveningPlatform(ThreadlessPlatform):
    """Work takes time, during which the event loop goes on, and nothing is synced."""

    def __init__(self, seed: int, folder: Path) -> None:
        super().__init__(seed, folder)
        self._busy = Busy(Random(seed))

    async def in_background(self, work: Callable[[], T]) -> T:
        return await self._busy.run(work)

    def open_worker(self) -> Worker:
        return self._busy

    def sync_file(self, handle: int) -> None:
        pass

    def sync_folder(self, path: Path) -> None:
        pass


class NumberedTask(asyncio.Task[Any]):
    """A task whose place in a set follows from its number: so sets of tasks are in the same order each time."""

    def __init__(self, number: int, work: Coroutine[Any, Any, Any], loop: asyncio.AbstractEventLoop, **more: Any):
        self._number = number
        super().__init__(work, loop=loop, **more)

    def __hash__(self) -> int:
        return self._number

    def __eq__(self, other: object) -> bool:
        return self is other


def number_tasks() -> None:
    """Numbers the tasks of the running loop from now on."""
    numbers = count()
    asyncio.get_running_loop().set_task_factory(
        lambda loop, work, **more: NumberedTask(next(numbers), work, loop, **more)
    )


@contextmanager
def platform_of(seed: int, folder: Path) -> Iterator[None]:
    """Runs everything in the block on such a platform."""
    former = set_platform(EveningPlatform(seed, folder))
    try:
        yield
    finally:
        set_platform(former)


def _span(work: Callable[[], Any]) -> tuple[float, float]:
    name = getattr(getattr(work, "func", None), "__name__", "")
    return PAIRING_SECONDS if name == "proceed" else WORK_SECONDS
