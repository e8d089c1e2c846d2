"""Tables that end like killed programs, and resume from their journals."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

from kimberley.games.table import Game
from kimberley.p2p.base.platform import state_folder
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.storage.journal import list_journals
from kimberley.p2p.table.table import Table
from tests.support.inside import links_of
from tests.support.seated import LOOPBACK


async def die(table: Table) -> None:
    """Ends a table like a killed process: without a goodbye, and without writing anything."""
    await table.suspend("killed")


def age(*tables: Table) -> None:
    """Makes the absence of those who are away at these tables longer than any grace."""
    for table in tables:
        for link in links_of(table).values():
            if link.away_since is not None:
                link.away_since -= 100_000


async def die_in_words(table: Table, data: Path) -> None:
    """Ends a seat as `die` does, after it has agreed on the words, before its game begins: its journal stays there."""
    (path,) = list_journals(data)
    kept = path.read_bytes()
    await die(table)
    path.write_bytes(kept)


async def back(data: Path, game: Game, **more: object) -> Table:
    """Resumes the only unfinished game in a data folder."""
    (path,) = list_journals(data)
    identity = Identity.load_or_create(data)
    given = {"bind": LOOPBACK, "seek": False, "headless": True, **more}
    return await Table.resume(path, lambda _: game, identity=identity, data=data, **given)  # type: ignore[arg-type]


def as_on_another_machine() -> None:
    """Deletes the marks of what seats have signed on this machine."""
    shutil.rmtree(state_folder(), ignore_errors=True)


def answers(table: Table) -> int:
    return len(table.peer.story) if table.peer is not None else 0


async def to_answer(table: Table, count: int) -> None:
    """Returns as soon as a table knows that many answers, so that a game of milliseconds is not over by then."""
    stirred = asyncio.Event()
    stop = table.subscribe(lambda _: stirred.set())
    try:
        async with asyncio.timeout(60):
            while answers(table) < count and table.phase == "playing":
                await stirred.wait()
                stirred.clear()
    finally:
        stop()
