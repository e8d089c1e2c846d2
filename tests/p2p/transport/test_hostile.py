"""Tables over real sockets with one hostile seat: it is named on every other screen, and in every other's record."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import cast

import pytest

from kimberley.games.table import Plain
from kimberley.p2p.table.table import Table
from kimberley.protocol.asks.show import ShowMachine
from kimberley.protocol.asks.shuffle import ShuffleMachine
from kimberley.protocol.audit import verify
from kimberley.protocol.peer import Peer
from tests.support.asyncs import run, until
from tests.support.cards import CARDS
from tests.support.cheats import cheat
from tests.support.inside import machine_of
from tests.support.seated import Circle, circle_of_tables, play

HOSTILE = 1
Bend = Callable[[Peer, Plain], Plain]


def drops_an_item(peer: Peer, body: Plain) -> Plain:
    """A shuffle in which the first item stands in the place of the second too."""
    if not isinstance(peer.play.machine, ShuffleMachine):
        return body
    items, proof = cast(tuple[bytes, bytes], body)
    size = len(items) // len(peer.play.machine.items)
    return items[:size] + items[:size] + items[2 * size :], proof


def wrong_share(peer: Peer, body: Plain) -> Plain:
    """Another point where the share of what all are shown is due."""
    if not isinstance(peer.play.machine, ShowMachine):
        return body
    shares, mail = cast(tuple[bytes, Plain], body)
    return peer.play.crypto.group.base(7) + shares[32:], mail


def wrong_key(peer: Peer, body: Plain) -> Plain:
    """A mailbox key with a proof that proves nothing."""
    if peer.play.step:
        return body
    return *cast(tuple[Plain, ...], body)[:2], (peer.play.crypto.group.base(3), bytes(64))


def corrupt(table: Table, bend: Bend) -> None:
    """Bends the machine behind a table as soon as there is one, before it has signed anything."""

    def heard(_event: object) -> None:
        if table.phase == "words":
            machine_of(table).__class__ = cheat(bend)

    table.subscribe(heard)


async def seated(circle: Circle, seats: int, bend: Bend) -> None:
    """All sit and play, one of them with a bent machine."""
    await circle.open(seats)
    while len(circle.tables) < seats:
        table = await circle.join()
        if len(circle.tables) == HOSTILE + 1:
            corrupt(table, bend)


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize(
    ("bend", "reason"),
    [
        (drops_an_item, "their shuffle does not prove"),
        (wrong_share, "their shares are not those"),
        (wrong_key, "do not prove that they know their mailbox key"),
    ],
    ids=["a dropped item", "a wrong share", "a key without proof"],
)
def test_a_hostile_seat_is_named_by_all_the_others(tmp_path: Path, seats: int, bend: Bend, reason: str) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await seated(circle, seats, bend)
            honest = [table for seat, table in enumerate(circle.tables) if seat != HOSTILE]
            playing = asyncio.gather(*(play(table, Random(seat)) for seat, table in enumerate(circle.tables)))
            await until(lambda: all(table.phase == "failed" for table in honest), 60)
            playing.cancel()
            for table in honest:
                assert reason in str(table.problem)
                assert table.verdict is not None
                assert (table.verdict.code, table.verdict.seats) == ("unfair", (HOSTILE,))
                assert table.record is not None
                verdict = verify(table.record.read_bytes(), lambda _: CARDS)
                assert (verdict.code, verdict.seats) == ("unfair", (HOSTILE,))

    run(story(), 120)
