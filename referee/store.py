"""A tournament on disk: one SQLite file that only its referee writes (docs/referee.md, "What is stored").

    cup         one row: the packed settings of the tournament, and the seed of its lots
    events      number from 1, the packed event: never changed, never deleted
    records     SHA-256, the packed record of a game
    clocks      round, table, the latest clocks of that table

Each addition is one transaction, and on disk when `add` returns (write-ahead log, synchronous=FULL). Whenever the
process ends, the file holds everything that was sent to anybody, and the tournament is the fold of its events.
https://www.sqlite.org/wal.html
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePath
from types import TracebackType
from typing import Any, Final, NoReturn, Self
from urllib.parse import quote

from kimberley.games.table import Plain
from kimberley.p2p.base.platform import sync_folder
from kimberley.p2p.storage.files import (
    FROM_NEWER,
    BusyError,
    StorageError,
    check_file,
    disk_full,
    forbidden,
    lock,
    make_folder,
    open_file,
    storage_error,
)
from kimberley.p2p.tournament import events
from kimberley.p2p.tournament.events import TableDecided, TournamentEvent, record_digest
from kimberley.p2p.tournament.settings import TournamentSettings, commit_lots
from kimberley.p2p.tournament.tournament import Tournament
from kimberley.protocol.encoding import Malformed, pack, unpack
from kimberley.protocol.envelope import OtherRevision
from kimberley.protocol.record import MOST_BYTES as MOST_RECORD_BYTES

FILE: Final = "cup.sqlite"
LOCK: Final = "cup.lock"
APPLICATION: Final = int.from_bytes(b"Kimb")
FORMAT: Final = 1
MOST_BYTES: Final = 64 << 30
"""The most bytes of the file, which is read row by row."""
MOST_EVENT_BYTES: Final = 256 << 20
"""The most bytes of all events, counting `EVENT_SIZE` more for each."""
EVENT_SIZE: Final = 64
MOST_VALUE: Final = MOST_RECORD_BYTES + (1 << 20)
"""Bytes of one row: the largest is a record."""
PATIENCE: Final = 10.0
"""Seconds that a reader waits for a writer, and a writer for a reader."""

_SCHEMA: Final = (
    "CREATE TABLE cup (only INTEGER PRIMARY KEY CHECK (only = 1), body BLOB NOT NULL, seed BLOB NOT NULL)",
    "CREATE TABLE events (number INTEGER PRIMARY KEY, body BLOB NOT NULL)",
    "CREATE TABLE records (digest BLOB PRIMARY KEY, body BLOB NOT NULL)",
    "CREATE TABLE clocks (round INTEGER, tab INTEGER, body BLOB NOT NULL, PRIMARY KEY (round, tab)) WITHOUT ROWID",
    f"PRAGMA application_id = {APPLICATION}",
    f"PRAGMA user_version = {FORMAT}",
)


class _StoreFile:
    """Reads the file, for readers and the writer."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self.connection = connection
        self.settings, self._seed = self._header()

    def events(self, after: int = 0) -> list[TournamentEvent]:
        """Returns the events after the first `after`, in order. Raises StorageError."""
        size = "SELECT coalesce(sum(length(body) + ?), 0) FROM events WHERE number > ?"
        if self._rows(size, (EVENT_SIZE, after))[0][0] > MOST_EVENT_BYTES:
            raise self._damaged(f"its events are larger than {MOST_EVENT_BYTES} bytes")
        rows = self._rows("SELECT number, body FROM events WHERE number > ? ORDER BY number", (after,))
        if [number for number, _ in rows] != list(range(after + 1, after + 1 + len(rows))):
            raise self._damaged("an event is missing")
        try:
            return [events.read(unpack(body)) for _, body in rows]
        except (Malformed, TypeError) as error:
            raise self._damaged(str(error)) from error

    def clocks(self) -> dict[tuple[int, int], Plain]:
        """Returns the stored clocks, by round and table. Raises StorageError."""
        try:
            return {
                (round, table): unpack(body) for round, table, body in self._rows("SELECT round, tab, body FROM clocks")
            }
        except (Malformed, TypeError) as error:
            raise self._damaged(str(error)) from error

    def record(self, digest: bytes) -> bytes | None:
        """Returns the packed record with this digest; None if there is none. Raises StorageError."""
        rows = self._rows("SELECT body FROM records WHERE digest = ?", (digest,))
        return rows[0][0] if rows else None

    def close(self) -> None:
        self.connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()

    def _header(self) -> tuple[TournamentSettings, bytes]:
        """Returns the tournament's settings, and the seed of its lots. Raises StorageError."""
        application, version = (self._rows(f"PRAGMA {name}")[0][0] for name in ("application_id", "user_version"))
        if application != APPLICATION or version > FORMAT:
            newer = application == APPLICATION
            sentence = FROM_NEWER if newer else "{path} is not a tournament file: move it away."
            raise StorageError(sentence.format(path=self.path))
        rows = self._rows("SELECT body, seed FROM cup")
        try:
            settings = TournamentSettings.read(unpack(rows[0][0]))
        except OtherRevision as error:
            raise StorageError(FROM_NEWER.format(path=self.path)) from error
        except (Malformed, IndexError, TypeError) as error:
            raise self._damaged(str(error)) from error
        return settings, rows[0][1]

    def _rows(self, query: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        try:
            return self.connection.execute(query, values).fetchall()
        except sqlite3.Error as error:
            self._raise(error, "read")

    def _damaged(self, reason: str) -> StorageError:
        return damaged_store(self.path, reason)

    def _raise(self, error: sqlite3.Error, doing: str) -> NoReturn:
        """Raises the StorageError for an error of SQLite; faults of this program, such as a wrong thread, unchanged."""
        if isinstance(error, sqlite3.ProgrammingError):
            raise error
        raise sqlite_error(error, self.path, doing) from error


class Store(_StoreFile):
    """The file, open for writing by this process alone, and in it by the thread that opened it."""

    def __init__(self, path: Path, connection: sqlite3.Connection, held: int) -> None:
        super().__init__(path, connection)
        self._held = held
        self._count = 0
        try:
            written = self.events()
            self._count = len(written)
            self.tournament = Tournament.fold(self.settings, written)
        except ValueError as error:
            raise self._damaged(str(error)) from error

    @property
    def seed(self) -> bytes:
        """The seed of the lots: secret until enrollment closes."""
        return self._seed

    @staticmethod
    def exists(folder: Path) -> bool:
        """Returns whether a folder holds a tournament."""
        return (folder / FILE).exists()

    @classmethod
    def create(cls, folder: Path, settings: TournamentSettings, seed: bytes) -> Store:
        """Creates a tournament in this folder.

        Raises:
            BusyError: Another process uses the folder.
            StorageError: The folder holds another tournament, or cannot be written.
            ValueError: The seed is not the one that the tournament committed to.

        """
        if commit_lots(seed) != settings.lots:
            raise ValueError("These are not the random draws this tournament committed to.")
        held = _hold(make_folder(folder))
        path = folder / FILE
        begun = folder / f".{FILE}.new"
        try:
            if cls.exists(folder):
                raise StorageError(f"{folder} already holds another tournament. Choose another folder with --data.")
            # SQLite would apply an old log to the new file.
            if (log := folder / f"{FILE}-wal").exists():
                raise StorageError(
                    f"{log} is part of a tournament that was moved away. Move it to the folder where the rest is."
                )
            _forget(begun)
            os.close(open_file(begun, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
            with contextlib.closing(_connect(begun)) as connection, _transaction(connection):
                for statement in _SCHEMA:
                    connection.execute(statement)
                connection.execute("INSERT INTO cup VALUES (1, ?, ?)", (pack(settings.plain()), seed))
            os.replace(begun, path)
            sync_folder(folder)
        except sqlite3.Error as error:
            os.close(held)
            raise sqlite_error(error, path) from error
        except OSError as error:
            os.close(held)
            raise storage_error(error, path) from error
        except StorageError:
            os.close(held)
            raise
        return cls._opened(path, held)

    @classmethod
    def open(cls, folder: Path) -> Store:
        """Opens the tournament in a folder, to continue it. Raises BusyError, StorageError."""
        if not cls.exists(folder):
            raise StorageError(f"There is no tournament in {folder}.")
        return cls._opened(folder / FILE, _hold(folder))

    @classmethod
    def _opened(cls, path: Path, held: int) -> Store:
        try:
            connection = _connect(path)
            try:
                return cls(path, connection, held)
            except BaseException:
                connection.close()
                raise
        except sqlite3.Error as error:
            os.close(held)
            raise sqlite_error(error, path, "read") from error
        except BaseException:
            os.close(held)
            raise

    def add(self, event: TournamentEvent, record: bytes | None = None) -> Tournament:
        """Returns the tournament after an event, which is on disk with its record when this returns.

        Raises:
            ValueError: The event is impossible now; nothing has changed.
            StorageError: It could not be written; nothing has changed.

        """
        after = self.tournament.after(event)
        named = event.record if isinstance(event, TableDecided) else None
        if named != (None if record is None else record_digest(record)):
            raise ValueError("A result comes with the record that it names.")
        with self._writing():
            self.connection.execute("INSERT INTO events VALUES (?, ?)", (self._count + 1, pack(events.plain(event))))
            if record is not None:
                self.connection.execute("INSERT OR IGNORE INTO records VALUES (?, ?)", (named, record))
        self.tournament = after
        self._count += 1
        return after

    def set_clocks(self, readings: Mapping[tuple[int, int], Plain]) -> None:
        """Stores clocks by round and table, in place of earlier ones. Raises StorageError."""
        with self._writing():
            for (round, table), clocks in readings.items():
                self.connection.execute("INSERT OR REPLACE INTO clocks VALUES (?, ?, ?)", (round, table, pack(clocks)))

    def close(self) -> None:
        """Releases the tournament to other processes."""
        super().close()
        if self._held >= 0:
            os.close(self._held)
            self._held = -1

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            with _transaction(self.connection):
                yield
        except sqlite3.Error as error:
            self._raise(error, "written")


class StoreReader(_StoreFile):
    """The file of a tournament, for reading, even while a referee writes it in another process. Only the thread that
    opened it may use it.
    """

    def __init__(self, folder: Path) -> None:
        """Raises StorageError."""
        path = folder / FILE
        if not path.exists():
            raise StorageError(f"There is no tournament in {folder}.")
        try:
            connection = _connect(path, writing=False)
        except sqlite3.Error as error:
            raise sqlite_error(error, path, "read") from error
        try:
            super().__init__(path, connection)
        except BaseException:
            connection.close()
            raise
        self._tournament = Tournament(self.settings)
        self.count = 0
        """The number of events in the last result of `tournament`."""
        self._version = -1

    def changed(self) -> bool:
        """Returns whether anything was written since the last call: cheap enough to call often. Raises StorageError."""
        before, self._version = self._version, self._rows("PRAGMA data_version")[0][0]
        return before != self._version

    def tournament(self) -> Tournament:
        """Returns the tournament as far as it is written. Raises StorageError."""
        new = self.events(self.count)
        try:
            for event in new:
                self._tournament = self._tournament.after(event)
                self.count += 1
        except ValueError as error:
            raise self._damaged(str(error)) from error
        return self._tournament


def sqlite_error(error: sqlite3.Error, path: Path, doing: str = "written") -> StorageError:
    """Returns the error to show for an error of SQLite on `path`."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL:
        return disk_full(path, doing)
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return forbidden(path, doing)
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return damaged_store(path, str(error))
    return StorageError(f"{path} could not be {doing} ({error}). Try again, or choose another folder with --data.")


def damaged_store(path: Path, reason: str) -> StorageError:
    """Returns the error to show for a file with damaged content."""
    return StorageError(
        f"{path} is damaged ({reason}). Move it away, together with {path.name}-wal if that exists. "
        "Then put back a copy if you have one; without a copy, the tournament starts over."
    )


def _connect(path: Path, *, writing: bool = True) -> sqlite3.Connection:
    """Returns a connection without implicit transactions to a file that exists. Raises StorageError, sqlite3.Error."""
    try:
        check_file(path, MOST_BYTES)
    except OSError as error:
        raise storage_error(error, path, "read") from error
    where = database_uri(path.absolute())
    connection = sqlite3.connect(
        where if writing else f"{where}?mode=ro", uri=True, timeout=PATIENCE, isolation_level=None
    )
    try:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_VALUE)
        if writing:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA fullfsync = ON")  # on macOS; without a meaning elsewhere
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def database_uri(path: PurePath) -> str:
    """Returns the address of a file for SQLite, which accepts no host before the path: a Windows share is written as a
    path.
    """
    posix = path.as_posix()
    return f"file://{quote(posix if posix.startswith('/') else f'/{posix}', safe='/:')}"


@contextlib.contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Runs a transaction: everything executed within it is stored, or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _hold(folder: Path) -> int:
    """Locks a folder for this process and returns the handle. Raises BusyError, StorageError."""
    path = folder / LOCK
    try:
        handle = open_file(path, os.O_RDWR | os.O_CREAT)
    except OSError as error:
        raise storage_error(error, path) from error
    try:
        free = lock(handle)
    except OSError as error:
        os.close(handle)
        raise storage_error(error, path) from error
    if not free:
        os.close(handle)
        raise BusyError(
            f"Another program is already the referee of the tournament in {folder}. Use that one, or close it first."
        )
    return handle


def _forget(path: Path) -> None:
    """Deletes what an interrupted `create` left behind."""
    for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
        path.with_name(name).unlink(missing_ok=True)
