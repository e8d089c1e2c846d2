"""Writes a store on a thread of its own: the event loop never waits for a disk."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from games.table import Plain
from p2p.files import StorageTrouble
from p2p.referee.events import Event
from p2p.referee.store import Store
from p2p.referee.tournament import Tournament
from p2p.referee.wire import Place
from p2p.tasks import Tasks

T = TypeVar("T")


class StoreWriter:
    """Does one thing after the other, in the order asked for; `broke` is told where clocks could not be stored."""

    def __init__(self, store: Store, broke: Callable[[StorageTrouble], None]) -> None:
        self._store = store
        self._broke = broke
        self._thread = ThreadPoolExecutor(1, "store")
        self._clocks: dict[tuple[int, int], Plain] = {}
        """By round and table, what clocks show and is not being stored yet."""
        self._storing = asyncio.Lock()
        self._tasks = Tasks()

    async def add(self, event: Event, record: bytes | None) -> Tournament:
        """The tournament after an event, which is on disk with its record when this returns.

        Raises ValueError for what cannot happen now, and StorageTrouble; then nothing has changed.
        """
        return await self._run(lambda: self._store.add(event, record))

    def keep(self, place: Place, clocks: Plain) -> None:
        """Stores soon what the clocks of a table show; those that come while others are stored share a transaction."""
        if not self._clocks:
            self._tasks.start(self._store_clocks())
        self._clocks[place.round, place.table] = clocks

    async def close(self) -> None:
        """Stores what is left, and closes the store."""
        await self._tasks.settle()
        await asyncio.to_thread(self._finish)

    def _finish(self) -> None:
        self._thread.shutdown()
        self._store.close()

    async def _store_clocks(self) -> None:
        async with self._storing:
            clocks, self._clocks = self._clocks, {}
            try:
                await self._run(lambda: self._store.set_clocks(clocks))
            except StorageTrouble as error:
                self._broke(error)

    async def _run(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)
