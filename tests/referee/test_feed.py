"""What the referee sends its page, and what the page makes of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from kimberley.client.web.stored import StoredTournament
from kimberley.p2p.tournament.store import StoreReader
from kimberley.p2p.transport.frames import FrameDecoder
from kimberley.referee.feed import Feed
from kimberley.referee.readiness import COMPARING
from kimberley.referee.server import RoundTiming
from kimberley.referee.table_referee import COME_SECONDS
from tests.support.asyncs import run, until
from tests.support.evenings import evening
from tests.support.stones import STONES


@pytest.mark.slow
def test_the_page_knows_whom_a_table_waits_for_and_when_it_waits_no_more(tmp_path: Path) -> None:
    async def story() -> None:
        async with evening(tmp_path, STONES, RoundTiming(players=2, pause=0.0), rounds=1) as held:
            ana = await held.enter("ana", plays=False)
            ben = await held.enter("ben", plays=False, headless=False)
            await until(lambda: ben.table is not None and ben.table.phase == "words")
            (referee,) = held.server.referees.values()
            await until(lambda: referee.wait is not None and referee.wait.doing == COMPARING)
            await until(lambda: referee.wait is not None and len(referee.wait.seats) == 1)
            feed, decoder = Feed(held.server), FrameDecoder()
            with StoreReader(tmp_path / "referee") as reader:
                page = StoredTournament(reader, held.find)

                def taken() -> StoredTournament:
                    decoder.feed(feed.batch())
                    while (frame := decoder.next()) is not None:
                        page.take(frame)
                    return page

                wait = taken().wait(1, 0)
                assert wait is not None
                seats = held.server.tournament.rounds[0].tables[0].seats
                assert (wait.seats, wait.doing) == ((seats.index(ben.identity),), COMPARING)
                assert 0 < wait.until - page.now() <= COME_SECONDS
                assert ben.table is not None
                ben.table.same(True)
                await until(lambda: taken().wait(1, 0) is None)
                assert ana.table is not None

    run(story())
