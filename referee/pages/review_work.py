"""The reviews of finished games: each is made in a process of its own, once somebody asks for it, and then kept."""

from __future__ import annotations

import asyncio
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from kimberley.p2p.base.platform import in_background
from kimberley.p2p.base.tasks import BackgroundTasks
from kimberley.p2p.storage import files
from kimberley.p2p.storage.archive import SUFFIX
from kimberley.p2p.tournament.page_games import PageGames
from kimberley.referee.pages.packed_cache import Packed, PackedCache

NICE: Final = 19
"""The lowest priority: the referee and the page come first."""
REVIEW_SECONDS: Final = 3600.0
"""How long a review may take. Alone on a core, it takes less than a minute."""
MOST_REVIEWS: Final = 4 << 20
"""Bytes of reviews that are kept in memory, compressed. Others are read from the disk again."""


class ReviewProgress(NamedTuple):
    """How far the review of a game is.

    `page` is what the page shows of it once it is made; it is empty if the game could not be reviewed. Until then
    `done` of `steps` are judged; `steps` is 0 while that is not known. A game that is not `begun` waits for another.
    """

    begun: bool
    done: int = 0
    steps: int = 0
    page: Packed | None = None


class ReviewWork:
    """The reviews. They are made one at a time, without a queue."""

    def __init__(self, record: Callable[[bytes], bytes | None], folder: Path, games: PageGames) -> None:
        """Takes `record`, which returns the record with a SHA-256, or None; `folder`, which keeps each review beside
        its record; and `games`, which knows who makes them.
        """
        self._games = games
        self._record, self._folder = record, folder
        self._made = PackedCache(MOST_REVIEWS)
        self._tasks = BackgroundTasks()
        self._digest: bytes | None = None
        """The game that is being reviewed."""
        self._progress = ReviewProgress(True)

    def of(self, digest: bytes) -> ReviewProgress:
        """Returns the review of the game with this record. This begins it, unless another one is being made."""
        if (made := self._made.made(digest, None, lambda: None)) is not None:
            return ReviewProgress(True, page=made)
        if self._digest is None:
            self._digest, self._progress = digest, ReviewProgress(True)
            self._tasks.start(self._review(digest))
        return self._progress if self._digest == digest else ReviewProgress(False)

    async def close(self) -> None:
        """Ends a review that is being made. Nothing is kept of it."""
        await self._tasks.close()

    async def _review(self, digest: bytes) -> None:
        page = b""
        try:
            async with asyncio.timeout(REVIEW_SECONDS):
                command = self._games.review_command(await self._written(digest), NICE)
                page = await run_job(command, self._report)
        except (files.StorageError, TimeoutError):
            pass
        finally:
            self._digest = None
            self._made.made(digest, None, lambda: page)

    def _report(self, done: int, steps: int) -> None:
        self._progress = ReviewProgress(True, done, steps)

    async def _written(self, digest: bytes) -> Path:
        """Writes the record to a file of its own, and returns where that is. Raises StorageError."""
        data = self._record(digest)
        assert data is not None
        path = files.make_folder(self._folder) / f"{digest.hex()}{SUFFIX}"
        await in_background(files.replace, path, data)
        return path


async def run_job(command: Sequence[str], report: Callable[[int, int], None]) -> bytes:
    """Runs a command that reviews a game. Returns what the page shows; empty if it has failed.

    `report` is called with the number of steps judged so far, and of all steps.
    """
    process = await asyncio.create_subprocess_exec(*command, stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL)
    assert process.stdout is not None
    try:
        while counts := (await process.stdout.readline()).split():
            report(*map(int, counts))
        page = await process.stdout.read()
        return page if await process.wait() == 0 else b""
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
