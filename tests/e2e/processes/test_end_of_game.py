"""The end of games of piecepack, in every interface at once with six seats, under a referee with four: nothing holds up
the event loop meanwhile. The six choose at random, which ends sooner than a game of bots.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

import pytest

from kimberley.client.session.bots import drive
from kimberley.games import lookup
from kimberley.games.piecepack import GAME
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table.spectator_client import SpectatorClient
from kimberley.p2p.table.table import Table
from kimberley.p2p.transport.frames import FrameDecoder
from kimberley.protocol.audit import FAIR, audit
from kimberley.referee.feed import Feed
from kimberley.referee.pages.stored import StoredTournament
from kimberley.referee.server import RoundTiming
from kimberley.referee.store import StoreReader
from tests.support.asyncs import run, until
from tests.support.chance import RandomBot
from tests.support.computed_once import run_once
from tests.support.end_of_game import AT_TABLE, WATCHING, loop_slices
from tests.support.evenings import PLAYERS, evening
from tests.support.pages import get, open_page
from tests.support.seated import LOOPBACK, no_faults

pytestmark = pytest.mark.e2e

SEATS = 6
SEATS_OF_A_TOURNAMENT = 4
SECONDS = 400.0
MOST_SECONDS = 0.1
"""CPU time of the event loop's thread in one callback."""
MOST_SHARE = 0.2
"""The same as a share of what an audit of the same game takes in this run: about MOST_SECONDS on a quiet machine (two
cores, 0.2 to 0.4 s for the audit, operations of the group computed before), and longer where other programs slow down
both.
"""


@pytest.fixture(autouse=True)
def nothing_fails_in_the_background(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    yield from no_faults(caplog)


async def sit_down(folder: Path) -> list[Table]:
    """Returns six tables that play the same game whenever they are opened, the host's first."""
    tables: list[Table] = []
    for seat in range(SEATS):
        own = {
            "nickname": f"player{seat + 1}",
            "identity": Identity.of(bytes([seat + 1]) * 32),
            "data": folder / f"player{seat + 1}",
            "bind": LOOPBACK,
            "headless": True,
            "draw": Random(seat).randbytes,
        }
        if seat == 0:
            tables.append(await Table.open(GAME, seats=SEATS, options={}, port=0, announce=False, **own))  # type: ignore[arg-type]
        else:
            tables.append(await Table.join(f"{LOOPBACK}:{tables[0].port}", lookup.find, **own))  # type: ignore[arg-type]
    return tables


def seconds_of_audit(record: bytes) -> float:
    """Returns the CPU time that an audit of a record takes in this thread, with all its seats run again."""
    run_once.cache_clear()
    began = time.thread_time()
    assert audit(record, lookup.find).verdict.code == FAIR
    return time.thread_time() - began


def longest_allowed(folder: Path) -> float:
    """Returns the bound for one callback, in seconds of CPU, after a game whose record is in the folder."""
    return max(MOST_SECONDS, MOST_SHARE * seconds_of_audit(kept_record(folder)))


def kept_record(folder: Path) -> bytes:
    """Returns a record of the game that somebody kept."""
    return next(folder.rglob("*.kdt")).read_bytes()


@pytest.mark.nightly
def test_no_interface_holds_up_the_event_loop_at_the_end_of_a_game(tmp_path: Path) -> None:
    async def story() -> None:
        async with AsyncExitStack() as stack:
            tables = await sit_down(tmp_path)
            for table in tables:
                stack.push_async_callback(table.close)
            shown = {}
            for number, (name, interface) in enumerate(AT_TABLE.items()):
                shown[name] = await stack.enter_async_context(interface(tables[number], tmp_path))
            for name, watching in WATCHING.items():
                watch = await SpectatorClient.open(f"{LOOPBACK}:{tables[0].port}", lookup.find)
                stack.push_async_callback(watch.close)
                shown[name] = await stack.enter_async_context(watching(watch, tmp_path))
            for seat, table in enumerate(tables):
                stack.callback(asyncio.create_task(drive(table, RandomBot(seat))).cancel)
            await until(lambda: any(table.phase == "closing" for table in tables), SECONDS)
            with loop_slices() as slices:
                await until(lambda: all(table.phase == "done" for table in tables), SECONDS)
                await until(lambda: all(each() for each in shown.values()), SECONDS)
            assert slices.longest < longest_allowed(tmp_path), slices
            assert {table.ending.verdict.code for table in tables if table.ending.verdict is not None} == {FAIR}

    run(story(), SECONDS)


@pytest.mark.nightly
def test_the_referee_and_the_page_of_a_tournament_are_not_held_up_either(tmp_path: Path) -> None:
    async def story() -> None:
        plan = RoundTiming(players=SEATS_OF_A_TOURNAMENT, pause=0.0)
        async with evening(tmp_path, GAME, plan, rounds=1, seats=SEATS_OF_A_TOURNAMENT) as held:
            with StoreReader(tmp_path / "referee") as reader:
                source, feed, frames = StoredTournament(reader, lookup.find), Feed(held.server), FrameDecoder()
                async with open_page(source, LOOPBACK, 0) as (where,):
                    await held.all(PLAYERS[:SEATS_OF_A_TOURNAMENT])
                    await until(
                        lambda: any(one.table and one.table.phase == "closing" for one in held.clients.values()),
                        SECONDS,
                    )
                    with loop_slices() as slices:
                        await until(lambda: held.server.over, SECONDS)
                        frames.feed(feed.batch())
                        while (frame := frames.next()) is not None:
                            source.take(frame)
                        source.refresh()
                        page = await get(f"{where}/tables/1/1")
                    assert '<pre class="board"' in page.text
                    assert slices.longest < longest_allowed(tmp_path), slices

    run(story(), SECONDS)
