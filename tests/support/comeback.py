"""Tables that end as killed programs end, and come back from their journals."""

from __future__ import annotations

import shutil
from pathlib import Path

from games.table import Game
from p2p.files import state_folder
from p2p.identity import Identity
from p2p.journal import journals
from p2p.table import Table
from tests.support.asyncs import until
from tests.support.seated import LOOPBACK


async def die(table: Table) -> None:
    """Ends a table as a killed process ends: no goodbye, nothing written."""
    table._end("killed", None)
    await until(lambda: table.phase == "failed")
    await table.close()


async def back(data: Path, game: Game, **more: object) -> Table:
    """The one game that waits in a data folder."""
    (path,) = journals(data)
    identity = Identity.load_or_create(data)
    given = {"bind": LOOPBACK, "seek": False, "headless": True, **more}
    return await Table.resume(path, lambda _: game, identity=identity, data=data, **given)  # type: ignore[arg-type]


def as_on_another_machine() -> None:
    """Forgets what seats have signed on this one: their marks."""
    shutil.rmtree(state_folder(), ignore_errors=True)


def answers(table: Table) -> int:
    return len(table.peer.story) if table.peer is not None else 0


async def to_answer(table: Table, count: int) -> None:
    await until(lambda: answers(table) >= count or table.phase != "playing")
