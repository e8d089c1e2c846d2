"""Where the records of games are kept: `<data>/records/2026-11-20-ana-ben.kdt`. No record ever replaces another."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final

from p2p.files import create, explain, make_folder
from p2p.text import cut

FOLDER: Final = "records"
SUFFIX: Final = ".kdt"
MOST_SLUG_BYTES: Final = 180
"""Of what a name gives to that of a file, which may have 255 with all that is added to it."""
MOST_NAME_BYTES: Final = 32
"""Of each player's name in that of a record, so that all six have room: 24 letters, or 8 of those that take 4 bytes."""


@dataclass(frozen=True, slots=True)
class Saved:
    """A record in the folder: its path, its size in bytes, and when it was written, seconds since 1970."""

    path: Path
    size: int
    written: float


def save(data: Path, names: Sequence[str], record: bytes, *, day: datetime.date | None = None) -> Path:
    """Keeps the packed record of a game between these people; the same bytes are kept once. Raises StorageTrouble."""
    folder = make_folder(data / FOLDER)
    stem = "-".join([(day or datetime.date.today()).isoformat(), *(slug(name, MOST_NAME_BYTES) for name in names)])
    for number in count(1):
        path = folder / f"{stem}{'' if number == 1 else f'-{number}'}{SUFFIX}"
        if create(path, record, 0o644):
            return path
        try:
            if path.read_bytes() == record:
                return path
        except OSError as error:
            raise explain(error, path, "read") from error
    raise AssertionError("count() ended")


def saved(data: Path) -> list[Saved]:
    """The records in a data folder, the latest first. Raises StorageTrouble."""
    try:
        found = [(path, path.stat()) for path in (data / FOLDER).glob(f"*{SUFFIX}")]
    except OSError as error:
        raise explain(error, data / FOLDER, "read") from error
    return sorted(
        (Saved(path, status.st_size, status.st_mtime) for path, status in found),
        key=lambda one: (one.written, one.path.name),
        reverse=True,
    )


def slug(name: str, size: int = MOST_SLUG_BYTES) -> str:
    """The letters and digits of a name, fit for that of a file: `size` bytes of UTF-8 at most."""
    return cut(re.sub(r"[\W_]+", "-", name.casefold()).strip("-"), size).rstrip("-") or "player"
