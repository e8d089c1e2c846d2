"""A store on a thread of its own: no other thread may use its file, and its errors reach whoever asked."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from functools import partial
from pathlib import Path

import pytest

from kimberley.p2p.storage.files import StorageError
from kimberley.p2p.tournament.events import PlayerEnrolled
from kimberley.p2p.tournament.messages import TableId
from kimberley.referee.async_store import AsyncStore
from kimberley.referee.store import Store, StoreReader
from tests.support.asyncs import run
from tests.support.tournaments import SEED, settings_of


def enrolled(number: int) -> PlayerEnrolled:
    return PlayerEnrolled(number, bytes([number]) * 32, f"player {number}")


def test_everything_happens_on_one_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    used: list[str] = []
    for name in ("add", "events", "clocks", "set_clocks", "close"):
        plain = getattr(Store, name)

        def seen(store: Store, *given: object, plain: object = plain) -> object:
            used.append(threading.current_thread().name)
            return plain(store, *given)  # type: ignore[operator]

        monkeypatch.setattr(Store, name, seen)

    async def story() -> None:
        store = await AsyncStore.open(partial(Store.create, tmp_path, settings_of(), SEED))
        await asyncio.gather(*(store.add(enrolled(number), None) for number in range(1, 9)))
        store.store_clocks(TableId(1, 0), (1, 2))
        store.store_clocks(TableId(1, 1), (3, 4))
        assert len(await store.events()) == 8
        await store.clocks()
        await store.close()
        await store.close()

    run(story())
    assert len(set(used)) == 1
    assert used[0] != threading.current_thread().name
    with StoreReader(tmp_path) as reader:
        assert [event.at for event in reader.events()] == list(range(1, 9))
        assert reader.clocks() == {(1, 0): (1, 2), (1, 1): (3, 4)}


def test_sqlite_refuses_another_thread(tmp_path: Path) -> None:
    with Store.create(tmp_path, settings_of(), SEED) as store:

        async def story() -> None:
            with pytest.raises(sqlite3.ProgrammingError, match="thread"):
                await asyncio.to_thread(store.events)

        run(story())


def test_what_cannot_be_opened_is_said_where_it_was_asked_for(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="is no tournament"):
        run(AsyncStore.open(partial(Store.open, tmp_path)))


def test_what_is_impossible_or_cannot_be_written_is_said_where_it_was_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures: list[StorageError] = []

    def full(store: Store, clocks: object) -> None:
        raise StorageError("The disk is full.")

    async def story() -> None:
        store = await AsyncStore.open(partial(Store.create, tmp_path, settings_of(), SEED))
        store.on_failure = failures.append
        await store.add(enrolled(1), None)
        with pytest.raises(ValueError, match="already joined"):
            await store.add(enrolled(1), None)
        monkeypatch.setattr(Store, "set_clocks", full)
        store.store_clocks(TableId(1, 0), (1, 2))
        await store.close()

    run(story())
    assert [str(error) for error in failures] == ["The disk is full."]
