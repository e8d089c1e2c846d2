r"""The journal: everything that decides what a seat signs, on disk before anything of it is sent.

A seat is a deterministic machine, so its roster, its seed and what it was told, in order, give it back after a crash,
with the very envelopes that it sent. Therefore each input is written together with the envelopes that it led to, and
synced before they are sent: whatever happens, the seat never says two things.

    "kimberley journal 1\n", then frames: number, length of the body (4 bytes each, big-endian), check (8 bytes), body

The body is the canonical packing of an array of entries; what is written at once is one frame. Frames are numbered from
0; the check is BLAKE2b of number and body. The first frame holds the header. Each entry is an array:

    ("header", roster, seat, seed)     the signed roster, this seat's number, and its seed
    ("places", ...)                    where the others and this seat can be reached, as far as is known (`p2p.places`)
    ("bot", identity secret, note)     the seat is a bot's of this program, known by this key alone; how it plays
    ("started",)                       the seat began to play
    ("received", envelope)             from anyone, in the order in which the seat was given them
    ("chose", step, choice)            by its player
    ("said", text), ("resigned",)
    ("concluded",)                     the audit has run
    ("sent", envelope)                 what the seat signed, as a check
    ("closed", reason)                 the player has given this table up
"""

from __future__ import annotations

import hashlib
import os
import struct
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from games.table import Plain
from p2p.files import PRIVATE, Busy, StorageTrouble, explain, lock, make_folder, sync_folder, write_all
from p2p.mark import Mark, Signed
from p2p.trouble import Trouble
from protocol.encoding import Budget, Malformed, pack, unpack
from protocol.roster import SignedRoster

MAGIC: Final = b"kimberley journal 1\n"
FOLDER: Final = "journals"
SUFFIX: Final = ".journal"
LOCK_TRIES: Final = 4
LOCK_SECONDS: Final = 0.05
SEED_SIZE: Final = 32
MOST_BYTES: Final = 128 << 20
MOST_VALUES: Final = 1 << 20
"""In all frames of a journal."""
MOST_TORN: Final = 8 << 20
"""Bytes behind the last whole frame that may be a torn one."""
MOST_CHECKED: Final = 64 << 20
"""Bytes behind it that are looked through for a whole frame, where each look counts for `A_LOOK` bytes more."""
A_LOOK: Final = 1024

Entry = tuple[Plain, ...]

_HEAD: Final = struct.Struct(">II8s")
_NUMBER: Final = struct.Struct(">I")


class DamagedJournal(StorageTrouble):
    """A journal that must not be continued: the seat could say something else than it said before."""


@dataclass(frozen=True)
class Contents:
    """What a journal says: whose seat at which table, and everything since, in order."""

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
        """Why the player has given this table up; None if it was not given up."""
        reasons = (str(reason) for kind, *said in self.entries if kind == "closed" for reason in said or ("",))
        return next(reasons, None)


class Journal:
    """The journal of one seat at one table, open for writing by this process alone.

    One thread at a time may use it. After an error nothing more is written.
    """

    def __init__(self, path: Path, handle: int, size: int, frames: int, mark: Mark, sent: Sequence[bytes] = ()) -> None:
        self.path = path
        self._handle = handle
        self._size = size
        self._frames = frames
        self._mark = mark
        self._signed = Signed().then(sent)
        self._broken: StorageTrouble | None = None

    @classmethod
    def create(cls, data: Path, table: SignedRoster, seat: int, seed: bytes) -> Journal:
        """A new journal in the data folder. Raises StorageTrouble."""
        folder = make_folder(data / FOLDER)
        path = folder / f"{table.game_id.hex()[:16]}-{seat + 1}{SUFFIX}"
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), PRIVATE)
        except OSError as error:
            raise explain(error, path) from error
        mark = Mark(table.game_id, seat)
        journal = cls(path, handle, 0, 0, mark)
        try:
            if not lock(handle):
                raise Busy(f"Another program uses {path}. Close it first.")
            mark.take()
            # No two games have one id: of this one nothing is signed yet.
            mark.write(Signed())
            journal._write(MAGIC)
            journal.write([("header", table.plain(), seat, seed)], sync=True)
            sync_folder(folder)
        except OSError as error:
            journal.remove()
            raise explain(error, path) from error
        except Trouble:
            journal.remove()
            raise
        return journal

    @classmethod
    def resume(cls, path: Path) -> tuple[Journal, Contents]:
        """An existing journal, to be continued; a torn tail is cut off.

        Raises Busy, StorageTrouble, DamagedJournal, and OldJournal where its seat has signed more on this machine.
        """
        try:
            handle = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0))
        except OSError as error:
            raise explain(error, path, "read") from error
        try:
            if not _taken(handle):
                raise Busy(f"Another program uses {path}: this seat is being played already. Go on there.")
            data = _read(handle, path)
            frames, size = split(data, path)
            contents = _understand(frames, path)
            if size < len(data):
                os.ftruncate(handle, size)
                os.fsync(handle)
        except OSError as error:
            os.close(handle)
            raise explain(error, path, "read") from error
        except Trouble:
            os.close(handle)
            raise
        journal = cls(path, handle, size, len(frames), Mark(contents.table.game_id, contents.seat), contents.sent)
        try:
            journal._mark.take()
            journal._mark.signed.check(contents.sent, path)
        except Trouble:
            journal.close()
            raise
        return journal, contents

    @property
    def warning(self) -> str | None:
        """A sentence for the person, where an old copy of this journal would not be noticed on this machine."""
        return self._mark.warning

    def mark(self) -> None:
        """Marks all that the seat has signed, so that from here on it does not go on from an older copy. To be called
        before anything of it is sent once more.
        """
        self._mark.write(self._signed)

    def write(self, entries: Iterable[Entry], *, sync: bool) -> None:
        """Appends entries as one frame. With `sync` they last when this returns, also through a loss of power, and what
        was signed is marked.

        Raises StorageTrouble; then nothing that depends on these entries may be sent.
        """
        entries = tuple(entries)
        body = pack(entries)
        head = _HEAD.pack(self._frames, len(body), _check(self._frames, body))
        try:
            self._write(head + body)
            if sync:
                _sync(self._handle)
        except OSError as error:
            self._broken = explain(error, self.path)
            raise self._broken from error
        self._frames += 1
        if sent := _sent(entries):
            self._signed = self._signed.then(sent)
            if sync:
                # Not before the journal lasts: a loss of power could leave the mark ahead, and lock the seat out.
                self.mark()

    def close(self) -> None:
        """Lets other processes have the file."""
        self._mark.close()
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def remove(self) -> None:
        """Closes the journal of a game that is over and recorded, and deletes it."""
        self.close()
        self.path.unlink(missing_ok=True)

    def _write(self, data: bytes) -> None:
        if self._broken is not None:
            raise self._broken
        os.lseek(self._handle, self._size, os.SEEK_SET)
        write_all(self._handle, data)
        self._size += len(data)


def read(path: Path) -> Contents:
    """What a journal says, without taking or changing it; a torn tail is left out. Raises StorageTrouble."""
    try:
        with path.open("rb") as file:
            data = _read(file.fileno(), path)
    except OSError as error:
        raise explain(error, path, "read") from error
    return _understand(split(data, path)[0], path)


def busy(path: Path) -> bool:
    """Whether another process plays the seat of a journal now. Raises StorageTrouble."""
    try:
        handle = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0))
    except OSError as error:
        raise explain(error, path, "read") from error
    try:
        return not lock(handle)
    except OSError as error:
        raise explain(error, path, "read") from error
    finally:
        os.close(handle)


def journals(data: Path) -> list[Path]:
    """The journals in a data folder, the latest first."""
    found = [(path.stat().st_mtime, path) for path in (data / FOLDER).glob(f"*{SUFFIX}")]
    return [path for _, path in sorted(found, reverse=True)]


def split(data: bytes, path: Path) -> tuple[list[bytes], int]:
    """The bodies of the whole frames of a journal, and where the last of them ends.

    What follows is a torn tail, if it holds no whole frame: the crash came while it was written, and nothing of it had
    been sent. Raises DamagedJournal where the middle is damaged.
    """
    if not data.startswith(MAGIC):
        if MAGIC.startswith(data):
            return [], 0
        raise DamagedJournal(f"{path} is no journal of a game. Move it away.")
    bodies: list[bytes] = []
    at = len(MAGIC)
    while (body := _frame(data, at, range(len(bodies), len(bodies) + 1))) is not None:
        bodies.append(body)
        at += _HEAD.size + len(body)
    if _goes_on(data, at, len(bodies)):
        raise DamagedJournal(
            f"{path} is damaged at byte {at}, and there is more behind. Put back a copy of it if you have one; "
            "otherwise this game cannot be continued, for your seat might contradict what it said before."
        )
    return bodies, at


def _goes_on(data: bytes, at: int, number: int) -> bool:
    """Whether a whole frame stands behind this place, where frame `number` does not. What takes too long to tell, as no
    torn frame does, counts as one: a journal that is not continued contradicts nobody.
    """
    if len(data) - at > MOST_TORN:
        return True
    later = range(number, number + (len(data) - at) // _HEAD.size + 1)
    room = MOST_CHECKED
    for place in range(at + 1, len(data) - _HEAD.size):
        found, size, _ = _HEAD.unpack_from(data, place)
        if found in later and size <= len(data) - place - _HEAD.size:
            room -= A_LOOK + size
            if room < 0 or _frame(data, place, later) is not None:
                return True
    return False


def _frame(data: bytes, at: int, numbers: range) -> bytes | None:
    """The body of the frame at this place, if one of these numbers stands there whole."""
    start = at + _HEAD.size
    if start >= len(data):
        return None
    number, size, check = _HEAD.unpack_from(data, at)
    if number not in numbers or size > len(data) - start:
        return None
    body = data[start : start + size]
    return body if _check(number, body) == check else None


def _check(number: int, body: bytes) -> bytes:
    return hashlib.blake2b(_NUMBER.pack(number) + body, digest_size=8).digest()


def _understand(bodies: Sequence[bytes], path: Path) -> Contents:
    """Raises DamagedJournal."""
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
                return Contents(table, seat, seed, tuple(entries[1:]))
    except Malformed as error:
        raise DamagedJournal(f"{path} cannot be understood ({error}). Move it away.") from error
    raise DamagedJournal(f"{path} was cut off before the game began. Move it away.")


def _sent(entries: Iterable[Entry]) -> tuple[bytes, ...]:
    """The envelopes that the seat has signed, among these entries."""
    found = (entry[1] for entry in entries if len(entry) == 2 and entry[0] == "sent")
    return tuple(envelope for envelope in found if isinstance(envelope, bytes))


def _taken(handle: int) -> bool:
    """Takes the file for this process, also where another one only looks at who has it; False if it has it."""
    for _ in range(LOCK_TRIES):
        if lock(handle):
            return True
        time.sleep(LOCK_SECONDS)
    return False


def _read(handle: int, path: Path) -> bytes:
    """Raises DamagedJournal, and OSError."""
    if (size := os.fstat(handle).st_size) > MOST_BYTES:
        raise DamagedJournal(f"{path} has {size} bytes, and a journal has {MOST_BYTES} at most. Move it away.")
    parts = []
    while part := os.read(handle, 1 << 20):
        parts.append(part)
    return b"".join(parts)


def _sync(handle: int) -> None:
    """What was written, and the file's new length, last from now on."""
    if hasattr(os, "fdatasync"):
        os.fdatasync(handle)
    else:
        os.fsync(handle)
