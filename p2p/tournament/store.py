"""A cup on disk: one SQLite file, written by its referee alone and read by anybody (docs/referee.md, "What is stored").

    cup         one row: the packed cup, and the seed of its lots
    events      number from 1, the packed event: never changed, never deleted
    records     SHA-256, the packed record of a game
    clocks      round, table, what the clocks of that table showed last

What is added is one transaction, and on disk when `add` returns (write-ahead log, synchronous=FULL): wherever the
process ends, the file holds all that somebody was told, and the tournament is the fold of its events.
https://www.sqlite.org/wal.html
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NoReturn, Self

from games.table import Plain
from p2p.files import PRIVATE, Busy, StorageTrouble, explain, lock, make_folder, sync_folder
from p2p.referee import events
from p2p.referee.cup import Cup, lots
from p2p.referee.events import Decided, Event, record_digest
from p2p.referee.tournament import Tournament
from protocol.encoding import Malformed, pack, unpack

FILE: Final = "cup.sqlite"
LOCK: Final = "cup.lock"
APPLICATION: Final = int.from_bytes(b"Kimb")
FORMAT: Final = 1
PATIENCE: Final = 10.0
"""Seconds that a reader waits for a writer that is at it, and the other way round."""

_SCHEMA: Final = (
    "CREATE TABLE cup (only INTEGER PRIMARY KEY CHECK (only = 1), body BLOB NOT NULL, seed BLOB NOT NULL)",
    "CREATE TABLE events (number INTEGER PRIMARY KEY, body BLOB NOT NULL)",
    "CREATE TABLE records (digest BLOB PRIMARY KEY, body BLOB NOT NULL)",
    "CREATE TABLE clocks (round INTEGER, tab INTEGER, body BLOB NOT NULL, PRIMARY KEY (round, tab)) WITHOUT ROWID",
    f"PRAGMA application_id = {APPLICATION}",
    f"PRAGMA user_version = {FORMAT}",
)


class _File:
    """What readers and the writer share: reading."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection
        self.cup, self._seed = self._header()

    def events(self, after: int = 0) -> list[Event]:
        """The events behind the first `after`, in order. Raises StorageTrouble."""
        rows = self._rows("SELECT number, body FROM events WHERE number > ? ORDER BY number", (after,))
        if [number for number, _ in rows] != list(range(after + 1, after + 1 + len(rows))):
            raise self._damaged("an event is missing")
        try:
            return [events.read(unpack(body)) for _, body in rows]
        except (Malformed, TypeError) as error:
            raise self._damaged(str(error)) from error

    def clocks(self) -> dict[tuple[int, int], Plain]:
        """What was stored of the clocks, by round and table. Raises StorageTrouble."""
        try:
            return {
                (round, table): unpack(body) for round, table, body in self._rows("SELECT round, tab, body FROM clocks")
            }
        except (Malformed, TypeError) as error:
            raise self._damaged(str(error)) from error

    def record(self, digest: bytes) -> bytes | None:
        """The packed record that a result names. Raises StorageTrouble."""
        rows = self._rows("SELECT body FROM records WHERE digest = ?", (digest,))
        return rows[0][0] if rows else None

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()

    def _header(self) -> tuple[Cup, bytes]:
        """The cup, and the seed of its lots. Raises StorageTrouble."""
        application, version = (self._rows(f"PRAGMA {name}")[0][0] for name in ("application_id", "user_version"))
        if application != APPLICATION or version > FORMAT:
            newer = application == APPLICATION
            reason = "of a newer Kimberley: update this one" if newer else "no cup of a referee: move it away"
            raise StorageTrouble(f"{self.path} is {reason}.")
        rows = self._rows("SELECT body, seed FROM cup")
        try:
            cup = Cup.read(unpack(rows[0][0]))
        except (Malformed, IndexError, TypeError) as error:
            raise self._damaged(str(error)) from error
        return cup, rows[0][1]

    def _rows(self, query: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        try:
            return self._connection.execute(query, values).fetchall()
        except sqlite3.Error as error:
            self._raise(error, "read")

    def _damaged(self, reason: str) -> StorageTrouble:
        return damage(self.path, reason)

    def _raise(self, error: sqlite3.Error, doing: str) -> NoReturn:
        """Raises the StorageTrouble of an error of SQLite."""
        raise trouble(error, self.path, doing) from error


class Store(_File):
    """The file, open for writing by this process alone. One thread at a time may use it."""

    def __init__(self, path: Path, connection: sqlite3.Connection, held: int) -> None:
        super().__init__(path, connection)
        self._held = held
        self._count = 0
        try:
            written = self.events()
            self._count = len(written)
            self.tournament = Tournament.fold(self.cup, written)
        except ValueError as error:
            raise self._damaged(str(error)) from error

    @property
    def seed(self) -> bytes:
        """The seed of the lots: nobody may see it before enrolment closes."""
        return self._seed

    @staticmethod
    def exists(folder: Path) -> bool:
        """Whether a cup was begun in a folder."""
        return (folder / FILE).exists()

    @classmethod
    def create(cls, folder: Path, cup: Cup, seed: bytes) -> Store:
        """A new cup in this folder. Raises Busy, StorageTrouble, and ValueError for a seed that is not the cup's."""
        if lots(seed) != cup.lots:
            raise ValueError("These are not the lots that the cup committed to.")
        held = _hold(make_folder(folder))
        path = folder / FILE
        begun = folder / f".{FILE}.new"
        try:
            if cls.exists(folder):
                raise StorageTrouble(f"{folder} holds another cup: choose another folder with --data.")
            # SQLite would take it for this cup's.
            if (log := folder / f"{FILE}-wal").exists():
                raise StorageTrouble(f"{log} is part of a cup that was moved away: move it to where that cup is.")
            _forget(begun)
            os.close(os.open(begun, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE))
            with contextlib.closing(_connect(begun)) as connection, _transaction(connection):
                for statement in _SCHEMA:
                    connection.execute(statement)
                connection.execute("INSERT INTO cup VALUES (1, ?, ?)", (pack(cup.plain()), seed))
            os.replace(begun, path)
            sync_folder(folder)
        except sqlite3.Error as error:
            os.close(held)
            raise trouble(error, path) from error
        except OSError as error:
            os.close(held)
            raise explain(error, path) from error
        except StorageTrouble:
            os.close(held)
            raise
        return cls._opened(path, held)

    @classmethod
    def open(cls, folder: Path) -> Store:
        """The cup of a folder, to go on with. Raises Busy, StorageTrouble."""
        if not cls.exists(folder):
            raise StorageTrouble(f"{folder} holds no cup.")
        return cls._opened(folder / FILE, _hold(folder))

    @classmethod
    def _opened(cls, path: Path, held: int) -> Store:
        try:
            connection = _connect(path)
        except sqlite3.Error as error:
            os.close(held)
            raise trouble(error, path, "read") from error
        try:
            return cls(path, connection, held)
        except BaseException:
            connection.close()
            os.close(held)
            raise

    def add(self, event: Event, record: bytes | None = None) -> Tournament:
        """The tournament after an event, which is on disk with its record when this returns.

        Raises ValueError for what cannot happen now, and StorageTrouble; then nothing has changed.
        """
        after = self.tournament.after(event)
        named = event.record if isinstance(event, Decided) else None
        if named != (None if record is None else record_digest(record)):
            raise ValueError("A result comes with the record that it names.")
        with self._writing():
            self._connection.execute("INSERT INTO events VALUES (?, ?)", (self._count + 1, pack(events.plain(event))))
            if record is not None:
                self._connection.execute("INSERT OR IGNORE INTO records VALUES (?, ?)", (named, record))
        self.tournament = after
        self._count += 1
        return after

    def set_clocks(self, shown: Mapping[tuple[int, int], Plain]) -> None:
        """Keeps what clocks show, by round and table, in place of what was kept. Raises StorageTrouble."""
        with self._writing():
            for (round, table), clocks in shown.items():
                self._connection.execute("INSERT OR REPLACE INTO clocks VALUES (?, ?, ?)", (round, table, pack(clocks)))

    def close(self) -> None:
        """Lets other processes have the cup."""
        super().close()
        if self._held >= 0:
            os.close(self._held)
            self._held = -1

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            with _transaction(self._connection):
                yield
        except sqlite3.Error as error:
            self._raise(error, "written")


class Reader(_File):
    """The file of a cup, to read: also while a referee writes to it, in any process. One thread at a time."""

    def __init__(self, folder: Path) -> None:
        """Raises StorageTrouble."""
        path = folder / FILE
        if not path.exists():
            raise StorageTrouble(f"{folder} holds no cup.")
        try:
            connection = _connect(path, writing=False)
        except sqlite3.Error as error:
            raise trouble(error, path, "read") from error
        try:
            super().__init__(path, connection)
        except BaseException:
            connection.close()
            raise
        self._tournament = Tournament(self.cup)
        self.count = 0
        """The events that `tournament` came from, when it was last asked for."""
        self._version = -1

    def changed(self) -> bool:
        """Whether anything was written since this was last asked: cheap enough to ask often. Raises StorageTrouble."""
        before, self._version = self._version, self._rows("PRAGMA data_version")[0][0]
        return before != self._version

    def tournament(self) -> Tournament:
        """The tournament as far as it is written. Raises StorageTrouble."""
        new = self.events(self.count)
        try:
            for event in new:
                self._tournament = self._tournament.after(event)
                self.count += 1
        except ValueError as error:
            raise self._damaged(str(error)) from error
        return self._tournament


def trouble(error: sqlite3.Error, path: Path, doing: str = "written") -> StorageTrouble:
    """The sentence for an error of SQLite on `path`."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL:
        return StorageTrouble(f"The disk is full: {path} could not be {doing}. Make room and try again.")
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return StorageTrouble(
            f"{path} may not be {doing}: give yourself permission, or choose another folder with --data."
        )
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return damage(path, str(error))
    return StorageTrouble(f"{path} could not be {doing} ({error}). Try again, or choose another folder with --data.")


def damage(path: Path, reason: str) -> StorageTrouble:
    """The sentence for a file that does not hold what it should."""
    return StorageTrouble(
        f"{path} is damaged ({reason}). Move it away, and with it {path.name}-wal if that is there. "
        "Then put back a copy if you have one; without one this cup begins anew."
    )


def _connect(path: Path, *, writing: bool = True) -> sqlite3.Connection:
    """A connection without transactions of its own making; the file exists, or is made by who writes."""
    where = path.absolute().as_uri() + ("" if writing else "?mode=ro")
    connection = sqlite3.connect(where, uri=True, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
    try:
        if writing:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


@contextlib.contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All that is executed within, or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _hold(folder: Path) -> int:
    """Takes a folder for this process: the handle that holds it. Raises Busy, StorageTrouble."""
    path = folder / LOCK
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE)
    except OSError as error:
        raise explain(error, path) from error
    try:
        free = lock(handle)
    except OSError as error:
        os.close(handle)
        raise explain(error, path) from error
    if not free:
        os.close(handle)
        raise Busy(f"Another program is the referee of the cup in {folder}. Go on there, or close it first.")
    return handle


def _forget(path: Path) -> None:
    """Removes what an interrupted `create` left."""
    for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
        path.with_name(name).unlink(missing_ok=True)
