"""A store that only one thread uses: the event loop never waits for a disk."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from kimberley.games.table import Plain
from kimberley.p2p.base.platform import Worker, open_worker
from kimberley.p2p.base.tasks import BackgroundTasks
from kimberley.p2p.storage.files import StorageError
from kimberley.p2p.tournament.events import TournamentEvent
from kimberley.p2p.tournament.messages import TableId
from kimberley.p2p.tournament.settings import TournamentSettings
from kimberley.p2p.tournament.tournament import Tournament
from kimberley.referee.store import Store


class AsyncStore:
    """Reads and writes in the order of the calls. SQLite itself refuses every other thread."""

    def __init__(self, store: Store, worker: Worker) -> None:
        """Wraps a store, which `open` opens."""
        self.on_failure: Callable[[StorageError], None] | None = None
        """Called if clocks could not be stored."""
        self._store = store
        self._worker = worker
        self._clocks: dict[tuple[int, int], Plain] = {}
        """Clocks waiting to be stored, by round and table."""
        self._storing = asyncio.Lock()
        self._tasks = BackgroundTasks()
        self._closed = False

    @classmethod
    async def open(cls, opened: Callable[[], Store]) -> AsyncStore:
        """Returns the store that `opened` returns, such as by `Store.create`. Raises what it raises."""
        worker = open_worker()
        try:
            return cls(await worker.run(opened), worker)
        except BaseException:
            worker.close()
            raise

    @property
    def settings(self) -> TournamentSettings:
        """The settings of the tournament."""
        return self._store.settings

    @property
    def seed(self) -> bytes:
        """The seed of the lots: secret until enrollment closes."""
        return self._store.seed

    @property
    def tournament(self) -> Tournament:
        """The tournament with everything that is stored."""
        return self._store.tournament

    async def events(self) -> list[TournamentEvent]:
        """Returns all events, in order. Raises StorageError."""
        return await self._worker.run(self._store.events)

    async def clocks(self) -> dict[tuple[int, int], Plain]:
        """Returns the stored clocks, by round and table. Raises StorageError."""
        return await self._worker.run(self._store.clocks)

    async def add(self, event: TournamentEvent, record: bytes | None) -> Tournament:
        """Returns the tournament after an event, which is on disk with its record when this returns.

        Raises:
            ValueError: The event is impossible now; nothing has changed.
            StorageError: It could not be written; nothing has changed.

        """
        return await self._worker.run(lambda: self._store.add(event, record))

    def store_clocks(self, place: TableId, clocks: Plain) -> None:
        """Stores a table's clocks soon; clocks that come while others are being stored share a transaction."""
        if not self._clocks:
            self._tasks.start(self._store_clocks())
        self._clocks[place.round, place.table] = clocks

    async def close(self) -> None:
        """Stores what is left and releases the tournament to other processes. May be called again."""
        if self._closed:
            return
        self._closed = True
        await self._tasks.wait()
        await self._worker.run(self._store.close)
        self._worker.close()

    async def _store_clocks(self) -> None:
        async with self._storing:
            clocks, self._clocks = self._clocks, {}
            try:
                await self._worker.run(lambda: self._store.set_clocks(clocks))
            except StorageError as error:
                if self.on_failure is None:
                    raise
                self.on_failure(error)
