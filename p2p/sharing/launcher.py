"""Starts the program from the one file that holds it, where there is only Python. This is that file's `__main__.py`.

It unpacks the file into the user's cache, into a folder named by the file's hash, so that Python keeps what it has
compiled. Old Pythons must understand it far enough to say that they are too old, and it imports nothing of ours before
it has unpacked it.
"""

import hashlib
import io
import os
import shutil
import sys
import tempfile
import zipfile
import zlib
from contextlib import suppress
from errno import ENOSPC
from importlib import import_module

OLDEST = (3, 11)
DIGITS = 22
"""Hexadecimal digits of the hash: 88 bits."""
FILE = "kimberley.pyz"
COMPILED = "__pycache__"


def start(archive: bytes, place: "str | None") -> None:
    """Runs the program with the arguments of this process, and exits. `place` is the archive's path; None if it was
    only fetched.
    """
    if sys.version_info < OLDEST:
        here = ".".join(map(str, sys.version_info[:2]))
        sys.exit(f"Kimberley needs Python 3.11 or newer; this is {here}. Get it at https://www.python.org/downloads")
    folder = cache_folder()
    if not os.path.isabs(folder):
        sys.exit("Kimberley unpacks itself into your home folder, and this user has none. Set HOME.")
    umask = os.umask(0o077)
    try:
        unpacked = unpack(archive, folder)
    except zipfile.BadZipFile:
        sys.exit("This file is damaged. Download it again.")
    except OSError as error:
        why = "The disk is full" if error.errno == ENOSPC else error.strerror or type(error).__name__
        sys.exit(f"Cannot unpack Kimberley in {folder}: {why}.")
    finally:
        os.umask(umask)
    sys.path[:] = search_path(unpacked, [path for path in sys.path if path not in ("", place)])
    status = import_module("kimberley.client.cli.main").main()
    if place is None:
        print("Kimberley is saved here. To play without the host, type:", file=sys.stderr)
        print(f'  {sys.executable} "{os.path.join(unpacked, FILE)}"', file=sys.stderr)
    sys.exit(status)


def cache_folder() -> str:
    """Returns where this user's programs keep what can be fetched again."""
    home = os.path.expanduser("~")
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local")
    elif sys.platform == "darwin":
        base = os.path.join(home, "Library", "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME", "")
        base = base if os.path.isabs(base) else os.path.join(home, ".cache")
    return os.path.join(base, "kimberley")


def search_path(ours: str, others: "list[str]") -> "list[str]":
    """Returns where to look for modules: nothing in our folder replaces the standard library, and nothing else replaces
    ours.

    Args:
        ours: Our folder.
        others: Where Python looks by default.

    """
    library = os.path.dirname(os.__file__)
    standard = (library, os.path.join(library, "lib-dynload"), os.path.join(sys.base_exec_prefix, "DLLs"))
    return [
        *(path for path in others if path in standard),
        ours,
        *(path for path in others if path not in standard),
    ]


def unpack(archive: bytes, cache: str) -> str:
    """Unpacks the archive; returns the folder in the cache with everything in it, and the archive itself. Any number of
    programs may do this at once: intact files stay, each file is written whole or not at all, and files that the
    archive does not name are removed, except those that Python has compiled.

    Raises OSError, zipfile.BadZipFile.
    """
    folder = os.path.join(cache, hashlib.sha256(archive).hexdigest()[:DIGITS])
    with zipfile.ZipFile(io.BytesIO(archive)) as packed:
        files = {os.path.join(folder, *info.filename.split("/")): info for info in packed.infolist()}
        place = os.path.join(folder, FILE)
        if os.path.isdir(folder):
            _clean(folder, {*files, place})
        else:
            print("Unpacking Kimberley: the first start takes a few seconds.", file=sys.stderr)
        for path, info in files.items():
            if not _is_whole(path, info.file_size, info.CRC):
                _write(path, packed.read(info), info.CRC, cache)
    checksum = zlib.crc32(archive)
    if not _is_whole(place, len(archive), checksum):
        _write(place, archive, checksum, cache)
    return folder


def _clean(folder: str, files: "set[str]") -> None:
    """Removes all but these files, the folders that lead to them, and what Python has compiled. Raises OSError."""
    for entry in list(os.scandir(folder)):
        # Another start may be removing the same files.
        with suppress(FileNotFoundError):
            if not entry.is_dir(follow_symlinks=False):
                if entry.path not in files or entry.is_symlink():
                    os.unlink(entry.path)
            elif entry.name != COMPILED:
                inside = {path for path in files if path.startswith(entry.path + os.sep)}
                if inside:
                    _clean(entry.path, inside)
                else:
                    shutil.rmtree(entry.path)


def _is_whole(path: str, size: int, checksum: int) -> bool:
    """Returns whether the file is there, with this size and this CRC-32. Nothing else in its place is read."""
    try:
        if not os.path.isfile(path) or os.path.getsize(path) != size:
            return False
        with open(path, "rb") as file:
            return zlib.crc32(file.read()) == checksum
    except OSError:
        return False


def _write(path: str, data: bytes, checksum: int, cache: str) -> None:
    """Raises OSError."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    # Next to the folder, where no other start removes it.
    handle, beside = tempfile.mkstemp(dir=cache)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(beside, path)
    except OSError:
        os.unlink(beside)
        # On Windows, a file that another start has just written and now reads cannot be replaced.
        if not _is_whole(path, len(data), checksum):
            raise


def _own_archive() -> "tuple[bytes, str]":
    """Returns the file that Python was told to run, and its path."""
    place = os.path.dirname(os.path.abspath(__file__))
    with open(place, "rb") as file:
        return file.read(), place


if __name__ == "__main__":
    # The line that fetches the file leaves it here, checked; otherwise Python runs the file itself.
    fetched = globals().get("archive")
    if isinstance(fetched, bytes):
        start(fetched, None)
    else:
        start(*_own_archive())
