r"""The journal: everything that decides what a seat signs is on disk before any of it is sent.

A seat is a deterministic machine: its roster, its seed and its inputs, in order, restore it after a crash, with the
very envelopes that it sent. So each input is written together with the envelopes that it caused, and synced before they
are sent. Whatever happens, the seat never contradicts itself.

    "kimberley journal 1\n", then frames: number, length of the body (4 bytes each, big-endian), check (8 bytes), body

The body is the canonical packing of an array of entries; one write is one frame. Frames are numbered from 0; the check
is BLAKE2b of number and body. The first frame holds the header. Each entry is an array:

    ("header", roster, seat, seed)     the signed roster, this seat's number, and its seed
    ("places", ...)                    where the others and this seat can be reached (`table.peer_addresses`)
    ("bot", identity secret, note)     a bot of this program plays the seat, known by this key alone; how it plays
    ("practice",)                      a choice was taken back in this game
    ("started",)                       the seat began to play
    ("received", envelope)             from anyone, in the order in which the seat received them
    ("chose", step, choice)            by its player
    ("period", text)                   how far the game is from here on: "month 4 of 9", for lists of saved games
    ("resigned",)
    ("heard", speaker, text)           a line of the chat, as this seat heard or said it
    ("concluded",)                     the audit has run
    ("sent", envelope)                 what the seat signed, as a check
    ("closed", reason)                 the player has given this table up
"""

from __future__ import annotations

import hashlib
import os
import re
import struct
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kimberley.games.table import Plain
from kimberley.p2p.base.backoff import Backoff
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.platform import sync_file, sync_folder
from kimberley.p2p.storage.files import (
    BusyError,
    StorageError,
    list_files,
    lock,
    make_folder,
    open_file,
    read_file,
    read_handle,
    remove,
    storage_error,
    write_all,
)
from kimberley.p2p.storage.high_water_mark import HighWaterMark, SigningState, StaleJournal, old_copy
from kimberley.protocol.encoding import Budget, Malformed, pack, unpack
from kimberley.protocol.envelope import OtherRevision
from kimberley.protocol.roster import SignedRoster

MAGIC: Final = b"kimberley journal 1\n"
FOLDER: Final = "journals"
SUFFIX: Final = ".journal"
LOCK_TRIES: Final = 4
LOCK_SECONDS: Final = 0.05
SEED_SIZE: Final = 32
MOST_BYTES: Final = 128 << 20
MOST_VALUES: Final = 1 << 20
"""The most values in all frames of a journal."""
MOST_TORN: Final = 8 << 20
"""The most bytes after the last whole frame that can be a torn frame."""
MOST_CHECKED: Final = 64 << 20
"""The most bytes after the last whole frame that are searched for another one. Each check counts `A_LOOK` bytes more.
"""
A_LOOK: Final = 1024

Entry = tuple[Plain, ...]
PRACTICE: Final[Entry] = ("practice",)

_OTHER_FORMAT: Final = re.compile(rb"kimberley journal [2-9]\n")
_OTHER_VERSION: Final = "{path} was saved by a different version of Kimberley. Use that version to resume it."

_open_here: Final[set[Path]] = set()
"""The journals that this process has open."""
_HEAD: Final = struct.Struct(">II8s")
_NUMBER: Final = struct.Struct(">I")


class DamagedJournal(StorageError):
    """A journal that must not be continued: the seat could contradict what it signed before."""


@dataclass(frozen=True)
class JournalContents:
    """A journal's content: the seat, the table, and everything since, in order."""

    table: SignedRoster
    seat: int
    seed: bytes
    entries: tuple[Entry, ...]

    @property
    def sent(self) -> tuple[bytes, ...]:
        """The envelopes that the seat has signed, in order."""
        return _sent(self.entries)

    @property
    def closed(self) -> str | None:
        """Why the player gave this table up; None if the player did not."""
        reasons = (str(reason) for kind, *rest in self.entries if kind == "closed" for reason in rest or ("",))
        return next(reasons, None)


class Journal:
    """The journal of one seat at one table, open for writing by this process alone.

    Only one thread at a time may use it. After an error it writes nothing more.
    """

    def __init__(
        self, path: Path, handle: int, size: int, frames: int, mark: HighWaterMark, sent: Sequence[bytes] = ()
    ) -> None:
        self.path = path
        self._handle = handle
        self._size = size
        self._frames = frames
        self._mark = mark
        self._signed = SigningState().after(sent)
        self._broken: StorageError | None = None
        _open_here.add(path.resolve())

    @classmethod
    def create(cls, data: Path, table: SignedRoster, seat: int, seed: bytes) -> Journal:
        """Creates a journal in the data folder. Raises StorageError."""
        folder = make_folder(data / FOLDER)
        path = folder / f"{table.game_id.hex()[:16]}-{seat + 1}{SUFFIX}"
        try:
            handle = open_file(path, os.O_RDWR | os.O_CREAT | os.O_EXCL)
        except OSError as error:
            raise storage_error(error, path) from error
        mark = HighWaterMark(table.game_id, seat)
        journal = cls(path, handle, 0, 0, mark)
        try:
            if not lock(handle):
                raise BusyError(f"{path} is in use by another program. Close it first.")
            mark.acquire()
            # No two games have the same id, so nothing is signed in this game yet.
            mark.write(SigningState())
            journal._write(MAGIC)
            journal.write([("header", table.plain(), seat, seed)], sync=True)
            sync_folder(folder)
        except OSError as error:
            journal.remove()
            raise storage_error(error, path) from error
        except UserError:
            journal.remove()
            raise
        return journal

    @classmethod
    def resume(cls, path: Path) -> tuple[Journal, JournalContents]:
        """Opens an existing journal to continue it, and cuts off a torn tail.

        Raises:
            BusyError: Another process plays this seat.
            StaleJournal: The seat has signed more on this machine.
            DamagedJournal: The journal cannot be understood.
            StorageError: The file cannot be read, or another version wrote it.

        """
        try:
            handle = open_file(path, os.O_RDWR)
        except OSError as error:
            raise storage_error(error, path, "read") from error
        try:
            if not _taken(handle):
                raise BusyError(f"{path} is in use: this seat is already being played. Continue there.")
            data = read_handle(handle, MOST_BYTES)
            frames, size = split_frames(data, path)
            contents = understand(frames, path)
            if size < len(data):
                os.ftruncate(handle, size)
                sync_file(handle)
        except OSError as error:
            os.close(handle)
            raise storage_error(error, path, "read") from error
        except UserError:
            os.close(handle)
            raise
        journal = cls(
            path, handle, size, len(frames), HighWaterMark(contents.table.game_id, contents.seat), contents.sent
        )
        try:
            journal._mark.acquire()
            journal._mark.signed.check(contents.sent, path)
        except UserError:
            journal.close()
            raise
        return journal, contents

    @property
    def warning(self) -> str | None:
        """A sentence for the player if this machine could not notice an old copy of this journal; else None."""
        return self._mark.warning

    def mark(self) -> None:
        """Writes the high-water mark of all that the seat has signed, so that no older copy is continued. Call this
        before any of it is sent again.
        """
        self._mark.write(self._signed)

    def outdated(self, number: int, envelope: bytes) -> StaleJournal:
        """Notes in the mark that the seat has signed this envelope, with this number, which the journal lacks: this
        copy must not be continued. Returns the error that says what to do.
        """
        self._mark.write(SigningState.at(number, envelope))
        return StaleJournal(old_copy(self.path, number + 1))

    def write(self, entries: Iterable[Entry], *, sync: bool) -> None:
        """Appends entries as one frame. With `sync` they survive even a power loss once this returns, and the
        high-water mark is written.

        Raises:
            StorageError: Nothing that depends on these entries may be sent.

        """
        entries = tuple(entries)
        body = pack(entries)
        try:
            self._write(framed(self._frames, body))
            if sync:
                sync_file(self._handle)
        except OSError as error:
            self._broken = storage_error(error, self.path)
            raise self._broken from error
        self._frames += 1
        if sent := _sent(entries):
            self._signed = self._signed.after(sent)
            if sync:
                # Only once the journal is synced: a power loss could leave the mark ahead, and lock the seat out.
                self.mark()

    def close(self) -> None:
        """Releases the file to other processes."""
        self._release()
        _open_here.discard(self.path.resolve())

    def remove(self) -> None:
        """Closes and deletes the journal of a game that is over and recorded. Raises StorageError."""
        self._release()
        try:
            remove(self.path)
        finally:
            _open_here.discard(self.path.resolve())

    def _release(self) -> None:
        self._mark.close()
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def _write(self, data: bytes) -> None:
        if self._broken is not None:
            raise self._broken
        os.lseek(self._handle, self._size, os.SEEK_SET)
        write_all(self._handle, data)
        self._size += len(data)


def read_journal(path: Path) -> JournalContents:
    """Reads a journal without locking or changing it; a torn tail is left out. Raises StorageError."""
    try:
        data = read_file(path, MOST_BYTES)
    except OSError as error:
        raise storage_error(error, path, "read") from error
    return understand(split_frames(data, path)[0], path)


def is_open_here(path: Path) -> bool:
    """Returns whether this process has the journal open: it plays the seat, or is just leaving its game."""
    return path.resolve() in _open_here


def in_use(path: Path) -> bool:
    """Returns whether a process plays the seat of this journal now. Raises StorageError."""
    try:
        handle = open_file(path, os.O_RDWR)
    except OSError as error:
        raise storage_error(error, path, "read") from error
    try:
        return not lock(handle)
    except OSError as error:
        raise storage_error(error, path, "read") from error
    finally:
        os.close(handle)


def list_journals(data: Path) -> list[Path]:
    """Returns the journals in a data folder, the latest first. Raises StorageError."""
    return [file.path for file in list_files(data / FOLDER, SUFFIX)]


def split_frames(data: bytes, path: Path) -> tuple[list[bytes], int]:
    """Returns the bodies of the whole frames of a journal, and the position where the last one ends.

    Anything after that is a torn tail if it holds no whole frame: the program crashed while writing it, and had sent
    none of it. Raises DamagedJournal if the journal is damaged in the middle, StorageError if its format is another.
    """
    if not data.startswith(MAGIC):
        if MAGIC.startswith(data):
            return [], 0
        if _OTHER_FORMAT.match(data):
            raise StorageError(_OTHER_VERSION.format(path=path))
        raise DamagedJournal(f"{path} is not a saved game. Move it away.")
    bodies: list[bytes] = []
    at = len(MAGIC)
    while (body := _frame(data, at, range(len(bodies), len(bodies) + 1))) is not None:
        bodies.append(body)
        at += _HEAD.size + len(body)
    if _goes_on(data, at, len(bodies)):
        raise DamagedJournal(
            f"{path} is damaged at byte {at}. Put back a copy if you have one. Otherwise this game cannot be resumed: "
            "your seat might sign two different messages for one move, which counts as cheating."
        )
    return bodies, at


def _goes_on(data: bytes, at: int, number: int) -> bool:
    """Returns whether there is a whole frame after this place, where frame `number` is damaged. A tail that takes too
    long to search counts as one: a torn frame never does, and a journal that is not continued contradicts nobody.
    """
    if len(data) - at > MOST_TORN:
        return True
    later = range(number, number + (len(data) - at) // _HEAD.size + 1)
    room = MOST_CHECKED
    for place in range(at + 1, len(data) - _HEAD.size):
        frame, size, _ = _HEAD.unpack_from(data, place)
        if frame in later and size <= len(data) - place - _HEAD.size:
            room -= A_LOOK + size
            if room < 0 or _frame(data, place, later) is not None:
                return True
    return False


def _frame(data: bytes, at: int, numbers: range) -> bytes | None:
    """Returns the body of the frame at this place, if it is whole and has one of these numbers."""
    start = at + _HEAD.size
    if start >= len(data):
        return None
    number, size, check = _HEAD.unpack_from(data, at)
    if number not in numbers or size > len(data) - start:
        return None
    body = data[start : start + size]
    return body if checksum(number, body) == check else None


def framed(number: int, body: bytes) -> bytes:
    """Returns the frame of this number with a body."""
    return _HEAD.pack(number, len(body), checksum(number, body)) + body


def checksum(number: int, body: bytes) -> bytes:
    """Returns the check of a frame, 8 bytes."""
    return hashlib.blake2b(_NUMBER.pack(number) + body, digest_size=8).digest()


def understand(bodies: Sequence[bytes], path: Path) -> JournalContents:
    """Returns what the bodies of a journal's frames say. Raises DamagedJournal, or StorageError for another revision
    of the protocol.
    """
    entries: list[Entry] = []
    budget = Budget(MOST_VALUES)
    try:
        for body in bodies:
            batch = unpack(body, budget)
            for entry in batch if isinstance(batch, tuple) else (None,):
                if not isinstance(entry, tuple) or not entry or not isinstance(entry[0], str):
                    raise Malformed("an entry that is none")
                entries.append(entry)
        match entries[0] if entries else None:
            case ("header", roster, int() as seat, bytes() as seed) if len(seed) == SEED_SIZE:
                table = SignedRoster.read(roster)
                if type(seat) is bool or not 0 <= seat < len(table.roster.seats):
                    raise Malformed("a seat that the table does not have")
                return JournalContents(table, seat, seed, tuple(entries[1:]))
    except OtherRevision as error:
        raise StorageError(_OTHER_VERSION.format(path=path)) from error
    except Malformed as error:
        raise DamagedJournal(f"{path} cannot be read ({error}). Move it away.") from error
    raise DamagedJournal(f"{path} stops before the game began. Move it away.")


def _sent(entries: Iterable[Entry]) -> tuple[bytes, ...]:
    """Returns the envelopes in these entries that the seat has signed."""
    envelopes = (entry[1] for entry in entries if len(entry) == 2 and entry[0] == "sent")
    return tuple(envelope for envelope in envelopes if isinstance(envelope, bytes))


def _taken(handle: int) -> bool:
    """Locks the file for this process, even while another one briefly checks it. False if another process holds it."""
    backoff = Backoff((LOCK_SECONDS,))
    for _ in range(LOCK_TRIES):
        if lock(handle):
            return True
        time.sleep(backoff.next())
    return False
