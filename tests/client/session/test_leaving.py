"""A seat whose player has left, while the others still need it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest

from kimberley.client.session.leaving import leave_table
from tests.support.asyncs import run, until
from tests.support.cards import CARDS
from tests.support.comeback import age, die
from tests.support.seated import circle_of_tables


@pytest.mark.slow
@pytest.mark.parametrize("asks_first", [True, False], ids=["asked before", "asked afterwards"])
def test_a_seat_whose_player_has_left_agrees_to_save_the_game(tmp_path: Path, *, asks_first: bool) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.seat(3)
            ana, ben, cleo = circle.tables
            await until(lambda: all(table.peer is not None and table.peer.asked for table in circle.tables))
            if asks_first:
                ana.adjournment.vote(True)
                await until(lambda: bool(cleo.adjournment.adjourn_from))
            leaving = asyncio.create_task(leave_table(cleo))
            await until(lambda: cleo.leaving)
            ana.adjournment.vote(True)
            ben.adjournment.vote(True)
            await until(lambda: ana.phase == ben.phase == "failed")
            assert ana.adjournment.adjourned
            assert ben.adjournment.adjourned
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
