r"""The mark of a seat: how far it has signed, kept outside the data folder too.

Who puts back an old copy of the data folder has a journal that forgets what its seat has signed. The others would say
so, but one that lies has it sign again, and can prove that it signed two things. The mark is in the state folder of
the platform, one file for each seat at each table, written over in place:

    "kimberley mark 1\n", game id (32 bytes), seat, envelopes signed (4 bytes each, big-endian), hash of the last one
    (32 bytes), check (8 bytes)

It is written when the journal is synced, before what was signed is sent, and is not synced itself. So after a loss of
power it is behind the journal, which refuses nothing; ahead of it is only a mark whose journal is an old copy. A mark
stays when its game is over: its journal might still be put back. What cannot be read, or is nonsense, is no mark.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from p2p.files import PRIVATE, PRIVATE_FOLDER, Busy, lock, state_folder, write_all
from p2p.trouble import Trouble

log = logging.getLogger(__name__)

MAGIC: Final = b"kimberley mark 1\n"
FOLDER: Final = "signed"
SUFFIX: Final = ".mark"
MOST_MARKS: Final = 4096
"""In the folder; those that were written longest ago give way to new ones."""

_BODY: Final = struct.Struct(f">{len(MAGIC)}s32sII32s")
_CHECK: Final = 8
_SIZE: Final = _BODY.size + _CHECK

_OLD: Final = (
    "{path} is an old copy: it lacks message {count} of your seat, the last one that it signed on this machine. Put "
    "back the latest copy. This one is not continued, for your seat would sign another message in its place, and be "
    "proven unfair. If there is no later copy, delete this one: the others can give up waiting."
)
_NOT_KEPT: Final = (
    "{path} could not be written ({reason}). The game goes on; but if you ever put back an old copy of its journal, "
    "this program will not notice. Make room there, or give yourself permission."
)


class OldJournal(Trouble):
    """A journal that lacks what its seat has signed. To continue it would be to sign two things."""


@dataclass(frozen=True, slots=True)
class Signed:
    """So many envelopes were signed; `last` is the hash of the last of them. With none there is no hash."""

    count: int = 0
    last: bytes = bytes(32)

    def then(self, envelopes: Sequence[bytes]) -> Signed:
        """After these, too."""
        return Signed(self.count + len(envelopes), _hash(envelopes[-1])) if envelopes else self

    def check(self, envelopes: Sequence[bytes], path: Path) -> None:
        """Raises OldJournal where the seat's envelopes, as the journal at `path` has them, lack one of these."""
        if self.count and (len(envelopes) < self.count or _hash(envelopes[self.count - 1]) != self.last):
            raise OldJournal(_OLD.format(path=path, count=self.count))


class Mark:
    """The mark of one seat at one table, for this process alone. `signed` is what it says.

    `warning` is a sentence where it cannot be kept: the game goes on without it.
    """

    def __init__(self, game_id: bytes, seat: int) -> None:
        self.signed = Signed()
        self.warning: str | None = None
        self._game_id = game_id
        self._seat = seat
        self._path = _path(game_id, seat)
        self._handle = -1

    def take(self) -> None:
        """Reads it, and takes it for this process. Raises Busy."""
        try:
            self._path.parent.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
            _make_room(self._path.parent)
            self._handle = os.open(self._path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), PRIVATE)
            if not self._lock():
                raise Busy("Another program plays this seat, from another copy of its journal. Go on there.")
            self.signed = _read(self._handle, self._game_id, self._seat)
        except OSError as error:
            self._fail(error)

    def _lock(self) -> bool:
        """False, and the file is let go of, where another process has it."""
        try:
            free = lock(self._handle)
        except OSError:
            return True  # Nothing can be locked there, so that nobody can be kept out.
        if not free:
            os.close(self._handle)
            self._handle = -1
        return free

    def write(self, signed: Signed) -> None:
        """From now on so much is signed. Never raises: a mark that is behind is no reason to stop."""
        self.signed = signed
        if self._handle < 0:
            return
        body = _BODY.pack(MAGIC, self._game_id, self._seat, signed.count, signed.last)
        try:
            os.lseek(self._handle, 0, os.SEEK_SET)
            write_all(self._handle, body + _check(body))
        except OSError as error:
            self._fail(error)

    def close(self) -> None:
        """Lets other processes have it. Where nothing was signed, nothing is left of it."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1
            if not self.signed.count:
                with contextlib.suppress(OSError):
                    self._path.unlink()

    def _fail(self, error: OSError) -> None:
        if self.warning is None:
            self.warning = _NOT_KEPT.format(path=self._path, reason=error.strerror or type(error).__name__)
            log.warning("%s", self.warning)


def signed_before(game_id: bytes, seat: int) -> Signed:
    """What the mark of a seat says, whoever has it."""
    try:
        with _path(game_id, seat).open("rb") as file:
            return _read(file.fileno(), game_id, seat)
    except OSError:
        return Signed()


def _path(game_id: bytes, seat: int) -> Path:
    return state_folder() / FOLDER / f"{game_id.hex()}-{seat + 1}{SUFFIX}"


def _read(handle: int, game_id: bytes, seat: int) -> Signed:
    """Raises OSError."""
    data = os.read(handle, _SIZE)
    body, check = data[: _BODY.size], data[_BODY.size :]
    if len(data) != _SIZE or check != _check(body):
        return Signed()
    magic, *whose, count, last = _BODY.unpack(body)
    return Signed(count, last) if magic == MAGIC and whose == [game_id, seat] else Signed()


def _check(body: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=_CHECK).digest()


def _hash(envelope: bytes) -> bytes:
    return hashlib.blake2b(envelope, digest_size=32).digest()


def _make_room(folder: Path) -> None:
    """Deletes the marks that were written longest ago, once there are too many. Raises OSError."""
    if len(os.listdir(folder)) < MOST_MARKS:
        return
    with os.scandir(folder) as entries:
        oldest = sorted((entry.stat().st_mtime, entry.path) for entry in entries)
    for _, path in oldest[: MOST_MARKS // 4]:
        with contextlib.suppress(OSError):
            os.unlink(path)
