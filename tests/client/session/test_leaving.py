"""A seat whose player has left, while the others still need it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest

from kimberley.client.session.leaving import leave_table
from kimberley.games.land import GAME as LAND
from kimberley.p2p.table.adjournment import SETTLE_SECONDS
from tests.support.asyncs import run, until
from tests.support.cards import CARDS
from tests.support.comeback import age, die
from tests.support.seated import circle_of_tables


@pytest.mark.slow
@pytest.mark.parametrize("asks_first", [True, False], ids=["asked before", "asked afterwards"])
def test_a_game_is_saved_once_it_needs_the_seat_of_who_has_left_no_more(tmp_path: Path, *, asks_first: bool) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, LAND) as circle:
            await circle.seat(3)
            tables = circle.tables
            await until(lambda: any(table.play.asked for table in tables))
            first = next(table for table in tables if table.play.asked)
            leaver, other = (table for table in tables if table is not first)
            for table in (first, other) if asks_first else ():
                table.adjournment.vote(True)
            await until(lambda: len(leaver.adjournment.adjourn_from) == 2 * asks_first)
            leaving = asyncio.create_task(leave_table(leaver))
            await until(lambda: leaver.leaving)
            for table in (first, other):
                table.adjournment.vote(True)
            await asyncio.sleep(SETTLE_SECONDS)
            assert first.phase == other.phase == "playing", "it could not be resumed without the leaver"
            while not first.gone_seats:
                asked = next((table for table in (first, other) if table.play.asked is not None), None)
                if asked is not None and asked.play.asked is not None:
                    asked.play.choose(asked.play.asked.space.pick(Random(1)))
                await asyncio.sleep(0.05)
            await until(lambda: first.phase == other.phase == "failed")
            assert first.adjournment.adjourned
            assert other.adjournment.adjourned
            assert first.gone_seats == other.gone_seats == (leaver.occupants.seat,)
            await asyncio.wait_for(leaving, 10)

    run(story())


@pytest.mark.slow
def test_a_seat_whose_player_has_left_agrees_to_stop_waiting_for_another(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.seat(3)
            ana, ben, cleo = circle.tables
            await until(lambda: all(table.peer is not None and table.peer.asked for table in circle.tables))
            await die(cleo)
            await until(lambda: 2 in ana.reconnection.away and 2 in ben.reconnection.away)
            age(ana, ben)
            assert ana.peer is not None
            assert ana.peer.asked is not None
            ana.play.choose(ana.peer.asked.space.pick(Random(1)))
            leaving = asyncio.create_task(leave_table(ben))
            await until(lambda: ana.abandonment.absent == (2,))
            ana.abandonment.declare()
            await until(lambda: ana.phase == "failed")
            assert "cleo did not come back" in str(ana.problem)
            await asyncio.wait_for(leaving, 10)

    run(story())
