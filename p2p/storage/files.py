"""Files that survive a crash: written completely or not at all, and never over another file by accident."""

import contextlib
import errno
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.platform import random_bytes, sync_file, sync_folder

PRIVATE: Final = 0o600
PRIVATE_FOLDER: Final = 0o700

FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
FORBIDDEN: Final = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})
HELD: Final = frozenset({errno.EAGAIN, errno.EACCES, errno.EDEADLK})


class StorageError(UserError):
    """A file could not be read or written."""


class BusyError(UserError):
    """Another process is using this seat or this tournament."""


def storage_error(error: OSError, path: Path, doing: str = "written") -> StorageError:
    """The error to show for an error of the system on `path`."""
    if error.errno in FULL:
        return StorageError(f"The disk is full: {path} could not be {doing}. Make room and try again.")
    if error.errno in FORBIDDEN:
        return StorageError(
            f"{path} cannot be {doing}: permission denied. "
            "Give yourself permission, or choose another folder with --data."
        )
    reason = error.strerror or type(error).__name__
    return StorageError(f"{path} could not be {doing} ({reason}). Choose another folder with --data.")


def make_folder(path: Path) -> Path:
    """Creates the folder, for its owner alone, if it is missing. Returns it. Raises StorageError."""
    try:
        path.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    except OSError as error:
        raise storage_error(error, path, "made") from error
    return path


def replace(path: Path, data: bytes, mode: int = PRIVATE) -> None:
    """Writes the whole file: after a crash it is either the old one or the new one. Raises StorageError."""
    replace_by_parts(path, (data,), mode)


def replace_by_parts(path: Path, parts: Iterable[bytes], mode: int = PRIVATE) -> None:
    """Like `replace`, for content that need not be in memory at once."""
    try:
        with _beside(path, parts, mode) as whole:
            os.replace(whole, path)
        sync_folder(path.parent)
    except OSError as error:
        raise storage_error(error, path) from error


def create(path: Path, data: bytes, mode: int = PRIVATE) -> bool:
    """Writes a whole new file. If there is one already, changes nothing and returns False. Raises StorageError."""
    try:
        with _beside(path, (data,), mode) as whole:
            try:
                os.link(whole, path)
            except FileExistsError:
                return False
        sync_folder(path.parent)
    except OSError as error:
        raise storage_error(error, path) from error
    return True


@contextlib.contextmanager
def _beside(path: Path, parts: Iterable[bytes], mode: int) -> Iterator[Path]:
    """A synced file with this content in the same folder. It is deleted afterwards unless it was renamed."""
    whole = path.with_name(f".{path.name}.{random_bytes(4).hex()}")
    handle = os.open(whole, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        try:
            for part in parts:
                write_all(handle, part)
            sync_file(handle)
        finally:
            os.close(handle)
        yield whole
    finally:
        whole.unlink(missing_ok=True)


def write_all(handle: int, data: bytes) -> None:
    """Calls os.write until everything is written. On a full disk the first call may write less; the next one raises."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]


def lock(handle: int) -> bool:
    """Locks the file for this process until it is closed. False if another process holds it.

    Raises:
        OSError: Files cannot be locked there.

    """
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in HELD:
            raise
        return False
    return True
