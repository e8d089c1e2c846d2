"""Files: written completely or not at all, so that they survive a crash; and read within a limit.

All that the program reads from a disk is read here (`tests/docs/test_files.py`). What others put in a file's place
costs neither time nor memory: a pipe, a device or a folder is refused without waiting for it, and a file that is larger
than what belongs there is refused unread. tests/attacks/README.md lists all files with their limits.
"""

import contextlib
import errno
import os
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from kimberley.p2p.base.backoff import Backoff
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.platform import random_bytes, sync_file, sync_folder

PRIVATE: Final = 0o600
PRIVATE_FOLDER: Final = 0o700

FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
FORBIDDEN: Final = frozenset({errno.EACCES, errno.EPERM})
ALWAYS: Final = ("O_BINARY", "O_NONBLOCK", "O_NOCTTY")
"""Flags of every file that is opened, where a system has them: no byte is changed, a pipe does not wait for its other
end, and a terminal does not become this program's.
"""
FROM_NEWER: Final = "{path} is from a newer Kimberley: update yours."
READ_SIZE: Final = 1 << 20
NOT_A_FILE: Final = "it is not a file"
NO_TEMPORARY: Final = "There is nowhere to write temporary files. Set TMPDIR to a folder that can be written to."
UNFIT: Final = {
    errno.EISDIR: NOT_A_FILE,
    errno.ELOOP: "it is a link that leads to itself",
    errno.ENODEV: NOT_A_FILE,
    errno.ENXIO: NOT_A_FILE,
    errno.EOPNOTSUPP: NOT_A_FILE,
}
"""Errors of systems when a folder, link, device or socket is opened as a file."""
HELD: Final = frozenset({errno.EAGAIN, errno.EACCES, errno.EDEADLK})
LOCKED_BYTE: Final = 1 << 30
"""The byte that stands for the whole file on Windows. Nobody else reads what is locked there, so it is beyond the end.
"""
IN_USE_SECONDS: Final = (0.01, 0.02, 0.05, 0.1, 0.2, 0.2)
"""Time between attempts to delete or replace a file that another process has open, where that is not allowed."""


class StorageError(UserError):
    """A file could not be read or written."""


class UnfitFileError(OSError):
    """Something other than a file, or a file that is larger than what belongs there. `strerror` says which."""


class BusyError(UserError):
    """Another process is using this seat or this tournament."""


def disk_full(path: Path, doing: str) -> StorageError:
    """Returns the error to show where no room is left for `path`."""
    return StorageError(f"The disk is full: {path} could not be {doing}. Free some space and try again.")


def forbidden(path: Path, doing: str) -> StorageError:
    """Returns the error to show where this user may not use `path`."""
    return StorageError(
        f"{path} cannot be {doing}: permission denied. Change the permissions, or choose another folder with --data."
    )


def storage_error(error: OSError, path: Path, doing: str = "written") -> StorageError:
    """Returns the error to show for an error of the system on `path`."""
    if isinstance(error, UnfitFileError):
        return StorageError(f"{path} could not be {doing}: {error.strerror}. Move it away.")
    if error.errno in FULL:
        return disk_full(path, doing)
    if error.errno == errno.EROFS:
        return StorageError(
            f"{path} cannot be {doing}: the file system is read-only. "
            "Choose a folder elsewhere with --data, or with the environment variable XDG_DATA_HOME."
        )
    if error.errno in FORBIDDEN:
        return forbidden(path, doing)
    if error.errno == errno.ENOENT and doing == "read":
        return StorageError(f"{path} could not be read: there is no such file.")
    reason = error.strerror or type(error).__name__
    return StorageError(f"{path} could not be {doing} ({reason}). Choose another folder with --data.")


def reason(error: OSError | StorageError) -> str:
    """Returns why, in the system's words, a file could not be read or written."""
    cause = error.__cause__ if isinstance(error, StorageError) else error
    return cause.strerror if isinstance(cause, OSError) and cause.strerror else str(error)


def make_folder(path: Path) -> Path:
    """Creates the folder, for its owner alone, if it is missing. Returns it. Raises StorageError."""
    try:
        path.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    except OSError as error:
        raise storage_error(error, path, "made") from error
    return path


def temporary_folder() -> Path:
    """Returns a folder for files that are soon deleted. Raises StorageError if there is none, as in containers that
    cannot write.
    """
    try:
        return Path(tempfile.gettempdir())
    except OSError as error:
        raise StorageError(NO_TEMPORARY) from error


def replace(path: Path, data: bytes, mode: int = PRIVATE) -> None:
    """Writes the whole file: after a crash it is either the old one or the new one. Raises StorageError."""
    replace_by_parts(path, (data,), mode)


def replace_by_parts(path: Path, parts: Iterable[bytes], mode: int = PRIVATE) -> None:
    """Replaces a file as `replace` does, for content that need not be in memory at once."""
    try:
        with _beside(path, parts, mode) as whole:
            _patiently(lambda: os.replace(whole, path))
        sync_folder(path.parent)
    except OSError as error:
        raise storage_error(error, path) from error


def check_can_replace(path: Path) -> None:
    """Tries what `replace` does, up to the file itself. Raises StorageError."""
    try:
        with _beside(path, (), PRIVATE):
            pass
    except OSError as error:
        raise storage_error(error, path) from error


def check_can_lock(path: Path) -> None:
    """Tries to lock a file that nobody uses. Some network file systems cannot. Raises StorageError."""
    try:
        handle = open_file(path, os.O_RDWR)
        try:
            if not lock(handle):
                raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))
        finally:
            os.close(handle)
    except OSError as error:
        raise storage_error(error, path, "locked") from error


def create(path: Path, data: bytes, mode: int = PRIVATE) -> bool:
    """Writes a whole new file. If there is one already, changes nothing and returns False. Raises StorageError."""
    try:
        with _beside(path, (data,), mode) as whole:
            try:
                _name(whole, path)
            except FileExistsError:
                return False
        sync_folder(path.parent)
    except OSError as error:
        raise storage_error(error, path) from error
    return True


def read(path: Path, most: int) -> bytes | None:
    """Returns the content of a file of at most `most` bytes, or None if there is none. Raises StorageError."""
    try:
        return read_file(path, most)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise storage_error(error, path, "read") from error


def read_file(path: Path, most: int) -> bytes:
    """Returns the content of a file of at most `most` bytes. Raises OSError."""
    with open_to_read(path, most) as file:
        return read_handle(file.fileno(), most)


def open_to_read(path: Path, most: int) -> BinaryIO:
    """Returns an open file of at most `most` bytes, for content that need not be in memory at once. Raises OSError."""
    handle = open_file(path, os.O_RDONLY)
    try:
        _check_size(os.fstat(handle).st_size, most)
        return open(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def read_handle(handle: int, most: int) -> bytes:
    """Returns the rest of a file that `open_file` has opened: at most `most` bytes, even if it grows. Raises
    OSError.
    """
    _check_size(os.fstat(handle).st_size, most)
    content = bytearray()
    while part := os.read(handle, min(READ_SIZE, most + 1 - len(content))):
        content += part
        _check_size(len(content), most)
    return bytes(content)


def check_file(path: Path, most: int) -> None:
    """Tries to open what something else will read, such as a library. Raises OSError."""
    open_to_read(path, most).close()


def _check_size(size: int, most: int) -> None:
    if size > most:
        raise UnfitFileError(errno.EFBIG, f"it is larger than {most} bytes")


class FoundFile(NamedTuple):
    """An entry of a folder, its size in bytes, and when it was written, in seconds since 1970."""

    path: Path
    size: int
    written: float


def list_files(folder: Path, suffix: str) -> list[FoundFile]:
    """Returns everything in a folder whose name has this suffix, the latest first. A link that leads nowhere is listed
    as a link: reading it says what is wrong. Raises StorageError.
    """
    files = []
    try:
        for path in folder.glob(f"*{suffix}"):
            try:
                status = path.stat()
            except OSError:
                status = path.lstat()
            files.append(FoundFile(path, status.st_size, status.st_mtime))
    except OSError as error:
        raise storage_error(error, folder, "read") from error
    return sorted(files, key=lambda one: (one.written, one.path.name), reverse=True)


def remove(path: Path) -> None:
    """Deletes a file if it is there. Raises StorageError."""
    try:
        _patiently(lambda: path.unlink(missing_ok=True))
    except OSError as error:
        raise storage_error(error, path, "deleted") from error


def open_file(path: Path, flags: int, mode: int = PRIVATE) -> int:
    """Returns a handle to a file whose bytes are read and written as they are. Raises OSError, also for anything that
    is not a file.
    """
    try:
        handle = os.open(path, flags | sum({getattr(os, name, 0) for name in ALWAYS}), mode)
    except OSError as error:
        if error.errno in UNFIT:
            raise UnfitFileError(error.errno, UNFIT[error.errno]) from error
        raise
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise UnfitFileError(errno.EINVAL, NOT_A_FILE)
    except BaseException:
        os.close(handle)
        raise
    return handle


def _name(whole: Path, path: Path) -> None:
    """Gives a whole file a name that no file has. Raises FileExistsError, OSError."""
    if sys.platform == "win32":
        os.rename(whole, path)  # It replaces nothing there.
        return
    try:
        os.link(whole, path)
    except FileExistsError:
        raise
    except (OSError, AttributeError):
        # No links on FAT, some shares and Android. There, others see an empty file between the two steps, and a crash
        # leaves it.
        os.close(open_file(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
        try:
            os.replace(whole, path)
        except OSError:
            path.unlink()
            raise


def _patiently(act: Callable[[], None]) -> None:
    """Tries for a moment: on Windows a file that another process reads can be neither deleted nor replaced.

    Raises OSError.
    """
    backoff = Backoff(IN_USE_SECONDS)
    while sys.platform == "win32" and backoff.failures < len(IN_USE_SECONDS):
        try:
            return act()
        except PermissionError:
            time.sleep(backoff.next())
    return act()


@contextlib.contextmanager
def _beside(path: Path, parts: Iterable[bytes], mode: int) -> Iterator[Path]:
    """Yields a synced file with this content in the same folder. It is deleted afterwards unless it was renamed."""
    whole = path.with_name(f".{path.name}.{random_bytes(4).hex()}")
    handle = open_file(whole, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
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

            at = os.lseek(handle, 0, os.SEEK_CUR)
            os.lseek(handle, LOCKED_BYTE, os.SEEK_SET)
            try:
                msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
            finally:
                os.lseek(handle, at, os.SEEK_SET)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in HELD:
            raise
        return False
    return True
