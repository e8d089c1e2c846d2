"""Two tables that meet on this machine, and a proxy between them."""

from __future__ import annotations

import asyncio
import shutil
import socket
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from kimberley.games.table import Game, Plain
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table.spectators import MOST_SPECTATORS
from kimberley.p2p.table.table import Table, TableEvent
from kimberley.protocol.audit import verify
from tests.support.asyncs import until
from tests.support.stones import STONES

if TYPE_CHECKING:
    import pytest

LOOPBACK = "127.0.0.1"
QUICK: Mapping[str, Plain] = {"last_look": 0}


class Proxy:
    """Forwards bytes to a port, until it is cut."""

    def __init__(self, target: int) -> None:
        self.target = target
        self._server: asyncio.Server | None = None
        self._held = socket.socket()
        """Keeps the port from others while the proxy accepts no connections."""
        self._writers: set[asyncio.StreamWriter] = set()
        self.port = 0
        self.passed = 0
        self.cut_after: int | None = None
        self.cuts = 0

    async def __aenter__(self) -> Proxy:
        if not self.port:
            self._held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self._held.bind((LOOPBACK, 0))
            self.port = self._held.getsockname()[1]
        self._server = await asyncio.start_server(self._between, LOOPBACK, self.port)
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()
        self._held.close()

    async def close(self) -> None:
        """Accepts no more connections, and cuts the open ones."""
        if self._server is not None:
            self._server.close()
            self.cut()
            await self._server.wait_closed()
            self._server = None

    def cut(self) -> None:
        for writer in self._writers:
            writer.transport.abort()

    async def _between(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            onward, back = await asyncio.open_connection(LOOPBACK, self.target)
        except OSError:
            writer.transport.abort()
            return
        self._writers |= {writer, back}
        await asyncio.gather(self._copy(reader, back), self._copy(onward, writer))
        self._writers -= {writer, back}
        for end in (writer, back):
            end.transport.abort()

    async def _copy(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        try:
            while data := await source.read(65536):
                self.passed += len(data)
                if self.cut_after is not None and self.passed > self.cut_after:
                    self.passed = 0
                    self.cuts += 1
                    self.cut()
                    return
                target.write(data)
                await target.drain()
            target.close()
        except OSError:
            target.transport.abort()


class Pair:
    """A host and a guest, each with a data folder, and all events of their tables."""

    def __init__(self, folder: Path, game: Game = STONES) -> None:
        self.folder = folder
        self.game = game
        self.ana, self.ben = folder / "ana", folder / "ben"
        self.host: Table
        self.guest: Table
        self.told: dict[str, list[TableEvent]] = {"ana": [], "ben": []}
        self._tables: list[Table] = []

    async def open(
        self,
        options: Mapping[str, Plain] = QUICK,
        *,
        nickname: str = "ana",
        headless: bool = False,
        announce: bool = False,
    ) -> Table:
        self.host = await Table.open(
            self.game,
            nickname=nickname,
            identity=Identity.load_or_create(self.ana),
            data=self.ana,
            options=options,
            port=0,
            bind=LOOPBACK,
            announce=announce,
            headless=headless,
        )
        return self.follow(self.host, "ana")

    async def join(self, port: int | None = None, *, nickname: str = "ben", headless: bool = False) -> Table:
        self.guest = await Table.join(
            f"{LOOPBACK}:{port or self.host.port}",
            lambda _: self.game,
            nickname=nickname,
            identity=Identity.load_or_create(self.ben),
            data=self.ben,
            headless=headless,
        )
        return self.follow(self.guest, "ben")

    @property
    def both_tables(self) -> tuple[Table, Table]:
        return self.host, self.guest

    def follow(self, table: Table, name: str) -> Table:
        table.subscribe(self.told[name].append)
        self._tables.append(table)
        return table

    async def seat(self, options: Mapping[str, Plain] = QUICK, port: int | None = None) -> None:
        """Seats both, until they play."""
        await self.open(options, headless=True)
        await self.join(port, headless=True)
        await self.both("playing")

    async def both(self, phase: str) -> None:
        await until(lambda: self.host.phase == self.guest.phase == phase)

    async def close(self) -> None:
        for table in reversed(self._tables):
            await table.close()


@asynccontextmanager
async def pair_of_tables(folder: Path, game: Game = STONES) -> AsyncIterator[Pair]:
    tables = Pair(folder, game)
    try:
        yield tables
    finally:
        await tables.close()
        shutil.rmtree(folder, ignore_errors=True)


def no_faults(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Fails, as a fixture, if a background task logged an error, except for errors that a test provokes."""
    yield
    errors = [record.getMessage() for record in caplog.get_records("call") if record.levelname == "ERROR"]
    expected = (
        "a subscriber failed",
        "the game’s machine failed",
        "the record could not be checked",
        "a background task failed",
        "the table did not end as it should",
    )
    assert [error for error in errors if not error.startswith(expected)] == []


async def play_on(tables: Pair, salt: int = 0) -> None:
    """Plays at random for both to the end."""
    await asyncio.gather(play(tables.host, Random(salt)), play(tables.guest, Random(salt + 1)))


_ANSWERED: Final = WeakKeyDictionary[Table, tuple[int, object]]()
"""The last ask that `play` answered at a table: it may be canceled, and begun again before the answer is applied."""


async def play(table: Table, rng: Random, until_phase: str = "done") -> None:
    """Makes random choices until the game reaches that phase."""
    stirred = asyncio.Event()
    stop = table.subscribe(lambda _: stirred.set())
    while table.phase not in (until_phase, "failed"):
        stirred.clear()
        if (asked := table.play.asked) is not None:
            now = asked.step, table.peer
            if now != _ANSWERED.get(table):
                _ANSWERED[table] = now
                table.play.choose(asked.space.pick(rng))
        await stirred.wait()
    stop()


NAMES = ("ana", "ben", "cleo", "dan", "eva", "finn")


class Circle:
    """Two to six tables that meet, the host's first. `told` has the events of each, by nickname."""

    def __init__(self, folder: Path, game: Game) -> None:
        self.game = game
        self.find: Callable[[str], Game] = lambda _: game
        """Finds the game for those who join."""
        self.tables: list[Table] = []
        self.told: dict[str, list[TableEvent]] = {}
        self._folder = folder
        self._all: list[Table] = []

    async def open(
        self,
        seats: int,
        *,
        options: Mapping[str, Plain] = QUICK,
        headless: bool = True,
        spectators: int = MOST_SPECTATORS,
    ) -> Table:
        data = self._folder / NAMES[0]
        table = await Table.open(
            self.game,
            nickname=NAMES[0],
            identity=Identity.load_or_create(data),
            data=data,
            seats=seats,
            options=options,
            port=0,
            bind=LOOPBACK,
            announce=False,
            headless=headless,
            spectators=spectators,
        )
        return self.follow(table, NAMES[0])

    async def join(self, port: int | None = None, *, headless: bool = True, spectators: int = MOST_SPECTATORS) -> Table:
        name = NAMES[len(self.tables)]
        data = self._folder / name
        table = await Table.join(
            f"{LOOPBACK}:{port or self.tables[0].port}",
            self.find,
            nickname=name,
            identity=Identity.load_or_create(data),
            data=data,
            bind=LOOPBACK,
            headless=headless,
            spectators=spectators,
        )
        return self.follow(table, name)

    def follow(self, table: Table, name: str) -> Table:
        self.told[name] = []
        table.subscribe(self.told[name].append)
        self.tables.append(table)
        self._all.append(table)
        return table

    async def seat(self, seats: int, options: Mapping[str, Plain] = QUICK) -> None:
        """Seats all, until they play."""
        await self.open(seats, options=options)
        while len(self.tables) < seats:
            await self.join()
        await self.all("playing")

    async def agree(self) -> None:
        """Makes all who sit ready and finds the words the same for them, until they play."""
        for table in self.tables:
            table.seating.ready(True)
        await self.all("words")
        for table in self.tables:
            table.words.answer(True)
        await self.all("playing")

    async def all(self, phase: str) -> None:
        await until(lambda: {table.phase for table in self.tables} == {phase})

    async def play(self, salt: int = 0) -> None:
        """Plays at random for all to the end."""
        await asyncio.gather(*(play(table, Random(f"{salt} {n}")) for n, table in enumerate(self.tables)))

    async def close(self) -> None:
        for table in reversed(self._all):
            await table.close()


@asynccontextmanager
async def circle_of_tables(folder: Path, game: Game) -> AsyncIterator[Circle]:
    circle = Circle(folder, game)
    try:
        yield circle
    finally:
        await circle.close()
        shutil.rmtree(folder, ignore_errors=True)


def judged_alike(circle: Circle) -> None:
    """Asserts that every seat found the game fair and kept the same record."""
    kept = set()
    for table in circle.tables:
        assert table.ending.verdict is not None
        assert table.ending.verdict.code == "fair", table.ending.verdict
        assert table.ending.record is not None
        kept.add(table.ending.record.read_bytes())
    (record,) = kept
    assert verify(record, lambda _: circle.game).code == "fair"
