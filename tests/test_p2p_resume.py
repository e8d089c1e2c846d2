"""Seats that come back from their journals, over real sockets: killed, moved, at an old copy, refused."""

import asyncio
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from games.diamond_trust import GAME
from games.table import Game
from p2p.files import StorageTrouble
from p2p.identity import Identity
from p2p.journal import Busy, DamagedJournal, Journal, journals, read
from p2p.resume import choose, kept, rebuild
from p2p.table import Table
from p2p.trouble import Trouble
from protocol.audit import verify
from protocol.events import Answered
from tests.support.asyncs import run, until
from tests.support.cards import CARDS
from tests.support.seated import LOOPBACK, QUICK, Circle, Pair, circle_of_tables, pair_of_tables, play
from tests.support.stones import STONES


@pytest.fixture(autouse=True)
def nothing_fails_in_the_background(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Errors in background tasks are logged, and must not be."""
    yield
    assert [record.getMessage() for record in caplog.get_records("call") if record.levelname == "ERROR"] == []


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


def answers(table: Table) -> int:
    return len(table.peer.story) if table.peer is not None else 0


async def to_answer(table: Table, count: int) -> None:
    await until(lambda: answers(table) >= count or table.phase != "playing")


@pytest.mark.parametrize("who", ["ana", "ben"])
@pytest.mark.parametrize("game", [STONES, GAME], ids=["stones", "diamond-trust"])
def test_a_killed_seat_takes_its_seat_again_and_the_game_ends_fairly(tmp_path: Path, game: Game, who: str) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path, game) as tables:
            await tables.seat()
            playing = [asyncio.create_task(play(table, Random(n))) for n, table in enumerate(tables.both_tables)]
            dead, other = (tables.host, tables.guest) if who == "ana" else (tables.guest, tables.host)
            await to_answer(dead, 4)
            before = dead.peer
            await die(dead)
            await until(lambda: other.away)
            again = tables.follow(await back(tmp_path / who, game), who)
            assert (again.seat, again.host, again.names) == (dead.seat, dead.host, dead.names)
            assert again.options == dead.options
            assert before is not None
            assert again.peer is not None
            assert again.peer.story[: len(before.story)] == before.story
            await play(again, Random(9))
            await until(lambda: other.phase == again.phase == "done")
            assert other.away == again.away == {}
            for table in (again, other):
                assert table.verdict is not None
                assert table.verdict.code == "fair"
            assert again.record is not None
            assert other.record is not None
            assert again.record.read_bytes() == other.record.read_bytes()
            assert journals(tmp_path / who) == []
            await asyncio.gather(*playing)

    run(story())
