"""Keeps the records of games: `<data>/records/2026-11-20-ana-ben.kdt`. A new record never replaces another one.

The record of a practice game, in which a choice was taken back, is called `practice-2026-11-20-ana-ben.kdt`.
"""

from __future__ import annotations

import contextlib
import datetime
import re
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Final

from kimberley.p2p.base.platform import wall_time
from kimberley.p2p.base.text import cut
from kimberley.p2p.storage.files import (
    FoundFile,
    create,
    list_files,
    make_folder,
    read_file,
)
from kimberley.protocol.record import MOST_BYTES

FOLDER: Final = "records"
SUFFIX: Final = ".kdt"
PRACTICE: Final = "practice-"
"""How the name of the record of a practice game begins."""
MOST_SLUG_BYTES: Final = 180
"""The most bytes that a name adds to a file's name, which has room for 255 with everything around it."""
DEVICE: Final = re.compile("con|prn|aux|nul|(com|lpt)[0-9¹²³]")
MOST_NAME_BYTES: Final = 32
"""The most bytes of each player's name in the name of a record, so that all six fit: 24 letters, or 8 characters of 4
bytes.
"""


def save_record(
    data: Path, names: Sequence[str], record: bytes, *, day: datetime.date | None = None, practice: bool = False
) -> Path:
    """Keeps the packed record of a game between these players; the same bytes are kept once, whatever the day.

    Raises:
        StorageError: The folder cannot be read or written.

    """
    folder = make_folder(data / FOLDER)
    for kept in list_records(data):
        if kept.size == len(record):
            # A file that cannot be read is not this record.
            with contextlib.suppress(OSError):
                if read_file(kept.path, MOST_BYTES) == record:
                    return kept.path
    day = day or datetime.date.fromtimestamp(wall_time())
    stem = PRACTICE * practice + "-".join([day.isoformat(), *(slug(name, MOST_NAME_BYTES) for name in names)])
    for number in count(1):
        path = folder / f"{stem}{'' if number == 1 else f'-{number}'}{SUFFIX}"
        if create(path, record, 0o644):
            return path
    raise AssertionError("count() ended")


def is_practice(path: Path) -> bool:
    """Returns whether a record is that of a practice game."""
    return path.name.startswith(PRACTICE)


def list_records(data: Path) -> list[FoundFile]:
    """Returns the records in a data folder, the latest first. Raises StorageError."""
    return list_files(data / FOLDER, SUFFIX)


def slug(name: str, size: int = MOST_SLUG_BYTES) -> str:
    """Returns the letters and digits of a name, fit for the name of a file or folder: at most `size` bytes of UTF-8.

    One that Windows reserves for a device, with or without a suffix, gets an underscore at its end.
    """
    letters = cut(re.sub(r"[\W_]+", "-", name.casefold()).strip("-"), size).rstrip("-") or "player"
    return f"{letters}_" if DEVICE.fullmatch(letters) else letters
