"""What the referee sends its page, and what the page makes of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from kimberley.p2p.transport.frames import FrameDecoder
from kimberley.referee.feed import Feed
from kimberley.referee.organizer import Organizer
from kimberley.referee.pages.stored import StoredTournament
from kimberley.referee.readiness import COMPARING
from kimberley.referee.server import RoundTiming
from kimberley.referee.store import StoreReader
from kimberley.referee.table_referee import COME_SECONDS
from tests.support.asyncs import run, until
from tests.support.evenings import clock, evening
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
                ben.table.words.answer(True)
                await until(lambda: taken().wait(1, 0) is None)
                assert ana.table is not None

    run(story())


@pytest.mark.slow
def test_the_clocks_of_a_table_that_is_decided_stand_still_on_pages_and_screens(tmp_path: Path) -> None:
    async def story() -> None:
        async with evening(tmp_path, STONES, RoundTiming(players=2, pause=0.0), rounds=1, **clock(600)) as held:
            ana = await held.enter("ana", plays=False)
            await held.enter("ben", plays=False)
            await until(lambda: any(referee.clocks.running for referee in held.server.referees.values()))
            await until(lambda: any(face.runs for face in ana.clocks))
            feed, decoder = Feed(held.server), FrameDecoder()
            with StoreReader(tmp_path / "referee") as reader:
                page = StoredTournament(reader, held.find)

                def running() -> frozenset[int]:
                    decoder.feed(feed.batch())
                    while (frame := decoder.next()) is not None:
                        page.take(frame)
                    clocks = page.clocks(1, 0)
                    assert clocks is not None
                    return clocks.running

                assert running()
                assert await Organizer(held.server, held.identity).decide(0, [ana.identity], "it is late") is None
                assert not running()
                await until(lambda: not any(face.runs for face in ana.clocks))

    run(story())


@pytest.mark.slow
def test_a_table_decided_again_does_not_show_the_game_that_was_undone(tmp_path: Path) -> None:
    async def story() -> None:
        async with evening(tmp_path, STONES, RoundTiming(players=2, pause=0.0), rounds=1) as held:
            ana = await held.enter("ana", plays=False)
            await held.enter("ben", plays=False)
            await until(lambda: any(one.tables[0].game for one in held.server.tournament.rounds))
            organizer, feed, decoder = Organizer(held.server, held.identity), Feed(held.server), FrameDecoder()
            await organizer.schedule(None)
            with StoreReader(tmp_path / "referee") as reader:
                page = StoredTournament(reader, held.find)

                def shows() -> bool:
                    decoder.feed(feed.batch())
                    while (frame := decoder.next()) is not None:
                        page.take(frame)
                    page.refresh()
                    return page.view(1, 0) is not None

                await until(shows)
                assert await organizer.decide(0, [ana.identity], "a mistake") is None
                assert shows()
                assert await organizer.undo(0, "the wrong name") is None
                assert not shows()
                assert await organizer.decide(0, [], "it is late") is None
                assert held.server.tournament.rounds[0].tables[0].game is None
                assert not shows()

    run(story())
