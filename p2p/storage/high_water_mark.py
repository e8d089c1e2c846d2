r"""The mark of a seat: how far it has signed, kept outside the data folder too.

If a player puts back an old copy of the data folder, its journal lacks envelopes that the seat has signed. Honest
players would say so, but a cheat could make the seat sign again, and then prove that it signed two things. So there is
a mark in the state folder of the platform, one file for each seat at each table, overwritten in place:

    "kimberley mark 1\n", game id (32 bytes), seat, envelopes signed (4 bytes each, big-endian), hash of the last one
    (32 bytes), check (8 bytes)

It is written when the journal is synced, before the signed envelopes are sent, and is not synced itself. So after a
power loss it may be behind the journal, which does no harm; it is ahead only if the journal is an old copy. It is
also written when another seat shows an envelope that this seat has signed and the journal lacks. A mark
stays when its game is over, because its journal might still be put back. A mark that cannot be read, or makes no sense,
counts as none.
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

from kimberley.p2p.base.errors import NoHomeError, UserError
from kimberley.p2p.base.platform import state_folder
from kimberley.p2p.storage.files import (
    PRIVATE_FOLDER,
    BusyError,
    UnfitFileError,
    lock,
    open_file,
    read_file,
    read_handle,
    write_all,
)

log = logging.getLogger(__name__)

MAGIC: Final = b"kimberley mark 1\n"
FOLDER: Final = "signed"
SUFFIX: Final = ".mark"
MOST_MARKS: Final = 4096
"""Marks in the folder. Beyond that the oldest ones are deleted."""

_BODY: Final = struct.Struct(f">{len(MAGIC)}s32sII32s")
_CHECK: Final = 8
MOST_BYTES: Final = _BODY.size + _CHECK

_OLD: Final = (
    "{path} is an old copy: message {count}, which your seat has signed, is missing. Put back the latest copy and "
    "resume that. This one cannot be used: your seat would sign a different message in its place, which counts as "
    "cheating. If there is no later copy, delete this one: the others can stop waiting for you."
)
_NOT_KEPT: Final = (
    "{path} could not be written ({reason}). The game goes on, but if you ever put back an old copy of its saved "
    "game, this program will not notice. Free some space, or change the permissions."
)
_NO_HOME: Final = (
    "This user has no home folder. The game goes on, but if you ever put back an old copy of its saved game, this "
    "program will not notice. To change that, set HOME or XDG_STATE_HOME."
)


class StaleJournal(UserError):
    """A journal that lacks envelopes of its seat. If it were continued, the seat could sign two different things."""


def old_copy(path: Path, count: int) -> str:
    """Returns what to do about the journal at `path`, which lacks the seat's envelope with this place in its chain,
    from 1.
    """
    return _OLD.format(path=path, count=count)


@dataclass(frozen=True, slots=True)
class SigningState:
    """The number of envelopes signed, and the hash of the last one (zeros if there is none)."""

    count: int = 0
    last: bytes = bytes(32)

    @classmethod
    def at(cls, number: int, envelope: bytes) -> SigningState:
        """Returns the state of a seat that has signed this envelope, with this number."""
        return cls(number + 1, _hash(envelope))

    def after(self, envelopes: Sequence[bytes]) -> SigningState:
        """Returns the state after these further envelopes."""
        return SigningState(self.count + len(envelopes), _hash(envelopes[-1])) if envelopes else self

    def check(self, envelopes: Sequence[bytes], path: Path) -> None:
        """Raises StaleJournal if the journal at `path`, which holds these envelopes of the seat, lacks a signed one."""
        if self.count and (len(envelopes) < self.count or _hash(envelopes[self.count - 1]) != self.last):
            raise StaleJournal(old_copy(path, self.count))


class HighWaterMark:
    """The mark of one seat at one table, for this process alone. `signed` is its content.

    `warning` is a sentence for the player if the mark cannot be kept: the game continues without it.
    """

    def __init__(self, game_id: bytes, seat: int) -> None:
        self.signed = SigningState()
        self.warning: str | None = None
        self._game_id = game_id
        self._seat = seat
        self._path = Path()
        self._handle = -1

    def acquire(self) -> None:
        """Reads the mark and locks it for this process. Raises BusyError."""
        try:
            self._path = _path(self._game_id, self._seat)
            self._path.parent.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
            _make_room(self._path.parent)
            self._handle = open_file(self._path, os.O_RDWR | os.O_CREAT)
            if not self._lock():
                raise BusyError(
                    "Another program is playing this seat, from another copy of the saved game. Continue there."
                )
            self.signed = _read(self._handle, self._game_id, self._seat)
        except NoHomeError:
            self._warn(_NO_HOME)
        except OSError as error:
            self._fail(error)

    def _lock(self) -> bool:
        """Locks the file; False, with the file closed, if another process holds it."""
        try:
            free = lock(self._handle)
        except OSError:
            return True  # Files there cannot be locked, so no process can be kept out.
        if not free:
            os.close(self._handle)
            self._handle = -1
        return free

    def write(self, signed: SigningState) -> None:
        """Records what is signed so far. Never raises: a mark that is behind is no reason to stop."""
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
        """Releases the mark to other processes. If nothing was signed, the file is deleted."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1
            if not self.signed.count:
                with contextlib.suppress(OSError):
                    self._path.unlink()

    def _fail(self, error: OSError) -> None:
        self._warn(_NOT_KEPT.format(path=self._path, reason=error.strerror or type(error).__name__))

    def _warn(self, sentence: str) -> None:
        if self.warning is None:
            self.warning = sentence
            log.warning("%s", sentence)


def read_high_water_mark(game_id: bytes, seat: int) -> SigningState:
    """Returns the state in a seat's mark, even while another process holds the mark."""
    try:
        return _understand(read_file(_path(game_id, seat), MOST_BYTES), game_id, seat)
    except (OSError, NoHomeError):
        return SigningState()


def _path(game_id: bytes, seat: int) -> Path:
    """Raises NoHomeError."""
    return state_folder() / FOLDER / f"{game_id.hex()}-{seat + 1}{SUFFIX}"


def _read(handle: int, game_id: bytes, seat: int) -> SigningState:
    """Reads a mark from its beginning. One that is too long is emptied. Raises OSError."""
    try:
        return _understand(read_handle(handle, MOST_BYTES), game_id, seat)
    except UnfitFileError:
        os.ftruncate(handle, 0)
        return SigningState()


def _understand(data: bytes, game_id: bytes, seat: int) -> SigningState:
    """Returns what a seat's mark says. One that makes no sense counts as none."""
    body, check = data[: _BODY.size], data[_BODY.size :]
    if len(data) != MOST_BYTES or check != _check(body):
        return SigningState()
    magic, *whose, count, last = _BODY.unpack(body)
    return SigningState(count, last) if magic == MAGIC and whose == [game_id, seat] else SigningState()


def _check(body: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=_CHECK).digest()


def _hash(envelope: bytes) -> bytes:
    return hashlib.blake2b(envelope, digest_size=32).digest()


def _make_room(folder: Path) -> None:
    """Deletes the oldest marks if there are too many. Raises OSError."""
    if len(os.listdir(folder)) < MOST_MARKS:
        return
    with os.scandir(folder) as entries:
        oldest = sorted((entry.stat().st_mtime, entry.path) for entry in entries)
    for _, path in oldest[: MOST_MARKS // 4]:
        with contextlib.suppress(OSError):
            os.unlink(path)
