"""Tables over real sockets with one hostile seat: it is named on every other screen, and in every other's record."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from kimberley.conformance.forgeries import FORGERIES, Forgery
from kimberley.games.table import Plain
from kimberley.p2p.table.table import Table
from kimberley.protocol.audit import verify
from kimberley.protocol.peer import Peer
from tests.support.asyncs import run, until
from tests.support.cards import CARDS
from tests.support.cheats import cheat
from tests.support.effort import first_is_quick
from tests.support.inside import machine_of
from tests.support.seated import Circle, circle_of_tables, play

HOSTILE = 1
Bend = Callable[[Peer, Plain], Plain]
NAMES = ("A shuffle with an item doubled", "Shares with another point", "A mailbox key whose secret it does not know")
FORGED = [forgery for forgery in FORGERIES if forgery.name in NAMES]


def corrupt(table: Table, bend: Bend) -> None:
    """Bends the machine behind a table as soon as there is one, before it has signed anything."""

    def heard(_event: object) -> None:
        if table.phase == "words":
            machine_of(table).__class__ = cheat(bend)

    table.subscribe(heard)


async def seated(circle: Circle, seats: int, bend: Bend) -> None:
    """Seats all at a table, one of them with a bent machine."""
    await circle.open(seats)
    while len(circle.tables) < seats:
        table = await circle.join()
        if len(circle.tables) == HOSTILE + 1:
            corrupt(table, bend)


@pytest.mark.parametrize("seats", first_is_quick(2, 4))
@pytest.mark.parametrize("forgery", FORGED, ids=lambda forgery: forgery.name)
def test_a_hostile_seat_is_named_by_all_the_others(tmp_path: Path, seats: int, forgery: Forgery) -> None:
    def bend(peer: Peer, body: Plain) -> Plain:
        return forgery.body(peer.play, body) if forgery.moment.fits(peer.play) else body

    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await seated(circle, seats, bend)
            honest = [table for seat, table in enumerate(circle.tables) if seat != HOSTILE]
            playing = asyncio.gather(*(play(table, Random(seat)) for seat, table in enumerate(circle.tables)))
            await until(lambda: all(table.phase == "failed" for table in honest), 60)
            playing.cancel()
            for table in honest:
                assert forgery.told in str(table.problem)
                assert table.ending.verdict is not None
                assert (table.ending.verdict.code, table.ending.verdict.seats) == ("unfair", (HOSTILE,))
                assert table.ending.record is not None
                verdict = verify(table.ending.record.read_bytes(), lambda _: CARDS)
                assert (verdict.code, verdict.seats) == ("unfair", (HOSTILE,))

    run(story(), 120)
