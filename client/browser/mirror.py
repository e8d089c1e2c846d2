"""Keeps what a seat has written even when its page is closed: a database of the browser mirrors its folder in memory.

Nothing writes to the database by itself. Code that is about to send something that depends on a file awaits `flush`
first, which makes everything written before it durable. Of a file that has only grown, only the added part is stored.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kimberley.client.browser.bridge import Database, Part
from kimberley.p2p.storage.files import StorageError, open_to_read, read_file
from kimberley.p2p.storage.journal import MOST_BYTES

SMALL: Final = 4096
"""The most bytes of a file that may be overwritten in place: its content is compared, because the clock may not have
advanced.
"""


@dataclass(frozen=True, slots=True)
class Stored:
    """What is known about a file whose content is in the database."""

    inode: int
    size: int
    changed: int
    """In nanoseconds."""
    content: bytes | None
    """The content of a small file."""


class Mirror:
    """A folder and its copy in the database."""

    def __init__(self, folder: Path, database: Database, on_failure: Callable[[str], None]) -> None:
        """Takes a `folder`, which need not exist. Call `load` first. `on_failure` is called with the reason if nothing
        more can be stored: then the seat cannot go on here.
        """
        self._folder = folder
        self._database = database
        self._on_failure = on_failure
        self._stored: dict[str, Stored] = {}
        self._writing = asyncio.Lock()

    async def load(self) -> None:
        """Fills the folder from the database, and takes the seat from any other tab. Raises OSError."""
        for path, offset, data in await self._database.read():
            file = self._folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("r+b" if offset else "wb") as opened:
                opened.seek(offset)
                opened.write(data)
        self._stored = dict(self._files())

    @property
    def clean(self) -> bool:
        """Returns whether the database has everything that is in the folder."""
        return not self._writing.locked() and not self._changes(dict(self._files()))

    async def flush(self) -> None:
        """Makes everything written before this call durable. Raises StorageError: then nothing more may be sent."""
        async with self._writing:
            files = dict(self._files())
            if changes := self._changes(files):
                await self._write(changes)
            self._stored = files

    async def check_owner(self) -> None:
        """Raises StorageError if another tab has taken the seat."""
        async with self._writing:
            await self._write([])

    async def _write(self, changes: list[Part]) -> None:
        try:
            await self._database.write(changes)
        except OSError as error:
            self._on_failure(str(error))
            raise StorageError(str(error)) from error

    def _files(self) -> Iterator[tuple[str, Stored]]:
        """Yields each file of the folder by its path within it."""
        for place, _, names in os.walk(self._folder):
            for name in names:
                path = Path(place, name)
                status = path.stat()
                content = read_file(path, SMALL) if status.st_size <= SMALL else None
                yield (
                    path.relative_to(self._folder).as_posix(),
                    Stored(status.st_ino, status.st_size, status.st_mtime_ns, content),
                )

    def _changes(self, files: dict[str, Stored]) -> list[Part]:
        """Returns what the database lacks."""
        changes: list[Part] = [(path, 0, None) for path in self._stored if path not in files]
        for path, now in files.items():
            before = self._stored.get(path)
            if now == before:
                continue
            with open_to_read(self._folder / path, MOST_BYTES) as file:
                kept = 0
                if before is not None and before.inode == now.inode and before.size < now.size:
                    # A file that has grown is a journal, which is only appended to; a small one may be anything.
                    start = None if before.content is None else file.read(before.size)
                    kept = before.size if start == before.content else 0
                file.seek(kept)
                changes.append((path, kept, file.read(now.size - kept)))
        return changes
