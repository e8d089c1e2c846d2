"""Writes a store on a separate thread: the event loop never waits for a disk."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from kimberley.games.table import Plain
from kimberley.p2p.base.platform import in_background
from kimberley.p2p.base.tasks import BackgroundTasks
from kimberley.p2p.storage.files import StorageError
from kimberley.p2p.tournament.events import TournamentEvent
from kimberley.p2p.tournament.messages import TableId
from kimberley.p2p.tournament.store import Store
from kimberley.p2p.tournament.tournament import Tournament

T = TypeVar("T")


class StoreWriter:
    """Writes in the order of the calls. `broke` is called if clocks could not be stored."""

    def __init__(self, store: Store, broke: Callable[[StorageError], None]) -> None:
        self._store = store
        self._on_failure = broke
        self._thread = ThreadPoolExecutor(1, "store")
        self._clocks: dict[tuple[int, int], Plain] = {}
        """By round and table: clocks that wait to be stored."""
        self._storing = asyncio.Lock()
        self._tasks = BackgroundTasks()

    async def add(self, event: TournamentEvent, record: bytes | None) -> Tournament:
        """The tournament after an event, which is on disk with its record when this returns.

        Raises:
            ValueError: The event is impossible now; nothing has changed.
            StorageError: It could not be written; nothing has changed.

        """
        return await self._run(lambda: self._store.add(event, record))

    def store_clocks(self, place: TableId, clocks: Plain) -> None:
        """Stores a table's clocks soon; clocks that come while others are being stored share a transaction."""
        if not self._clocks:
            self._tasks.start(self._store_clocks())
        self._clocks[place.round, place.table] = clocks

    async def close(self) -> None:
        """Stores what is left and closes the store."""
        await self._tasks.wait()
        await in_background(self._finish)

    def _finish(self) -> None:
        self._thread.shutdown()
        self._store.close()

    async def _store_clocks(self) -> None:
        async with self._storing:
            clocks, self._clocks = self._clocks, {}
            try:
                await self._run(lambda: self._store.set_clocks(clocks))
            except StorageError as error:
                self._on_failure(error)

    async def _run(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)
