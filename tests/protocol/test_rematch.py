"""Another game at the same table: who begins it was settled by the last one, and all sign that."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import cast

import pytest

from kimberley.games.diamond import GAME
from kimberley.games.diamond.rules import State
from kimberley.games.table import Decide, Roll
from kimberley.p2p.storage import archive
from kimberley.p2p.table.spectator_client import SpectatorClient
from kimberley.p2p.table.table import Table
from kimberley.protocol.audit import replay, verify
from kimberley.protocol.encoding import Malformed
from kimberley.protocol.peer import Peer
from kimberley.protocol.record import Record
from kimberley.protocol.roster import Roster, SignedRoster
from tests.support.asyncs import run, until
from tests.support.cards import CARDS, Cards
from tests.support.seated import LOOPBACK, circle_of_tables, pair_of_tables, play
from tests.support.tables import signed_roster


def beginner(table: Table) -> str:
    """Returns the name of who began the game at hand."""
    assert table.peer is not None
    began = table.game.starting_seat(table.peer.state)
    assert began is not None
    return table.occupants.names[began]


def record_of(table: Table) -> Record:
    assert table.ending.record is not None
    return Record.unpack(table.ending.record.read_bytes())


async def again(*tables: Table) -> None:
    """Begins another game, which all want."""
    views = [table.peer for table in tables]
    for table in tables:
        table.rematch.want()
    await until(lambda: all(t.phase == "playing" and t.peer is not v for t, v in zip(tables, views, strict=True)))


@pytest.mark.slow
def test_the_other_side_begins_the_next_game_of_diamond(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path, GAME) as tables:
            await tables.seat()
            host, guest = tables.host, tables.guest
            watch = await SpectatorClient.open(f"{LOOPBACK}:{host.port}", lambda _: GAME)
            began: list[str] = []
            for game in range(3):
                await asyncio.gather(play(host, Random(game)), play(guest, Random(game + 10)))
                record = record_of(host)
                first = record.table.roster.begins
                assert beginner(host) == beginner(guest)
                began.append(beginner(host))
                assert (first is None) == (game == 0)
                assert verify(record.pack(), lambda _: GAME).code == "fair"
                spectator, _ = replay(GAME, record)
                assert [type(spectator.story[0][0])] == [Roll if game == 0 else Decide]
                turns = [ask.seat for ask, _ in spectator.story if isinstance(ask, Decide)]
                assert turns[0] == GAME.starting_seat(spectator.state)
                await until(lambda end=spectator.state: watch.peer is not None and watch.peer.state == end)  # type: ignore[misc]
                await again(host, guest)
            assert began[0] != began[1]
            assert began[0] == began[2]
            await watch.close()

    run(story())


@pytest.mark.slow
def test_a_game_given_up_before_it_is_rolled_who_begins_leaves_that_to_the_next(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path, GAME) as tables:
            await tables.open()
            await tables.join()
            await tables.both("words")
            tables.host.words.answer(True)
            tables.guest.words.answer(True)
            tables.guest.subscribe(lambda _: tables.guest.play.resign())
            tables.host.subscribe(lambda _: tables.host.play.resign())
            await tables.both("done")
            spectator, _ = replay(GAME, record_of(tables.host))
            assert cast(State, spectator.state).first is None
            tables.host.rematch.want()
            tables.guest.rematch.want()
            await until(lambda: len(archive.list_records(tables.ana)) == 2)
            await tables.both("done")
            assert record_of(tables.host).table.roster.begins is None

    run(story())


@pytest.mark.slow
def test_the_next_who_is_still_there_begins(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.seat(3)
            ana, ben, cleo = circle.tables
            assert beginner(ana) == "ana"
            await circle.play()
            await again(ana, ben, cleo)
            assert (ana.occupants.names, beginner(cleo)) == (("ben", "cleo", "ana"), "ben")
            await circle.play(1)
            await again(ana, ben, cleo)
            assert (ana.occupants.names, beginner(ana)) == (("cleo", "ana", "ben"), "cleo")
            cleo.departures.leave()
            await asyncio.gather(play(ana, Random(1)), play(ben, Random(2)))
            await until(lambda: cleo.phase == "failed")
            await again(ana, ben)
            assert (ana.occupants.names, beginner(ana), beginner(ben)) == (("ana", "ben"), "ana", "ana")

    run(story())


@pytest.mark.slow
def test_who_has_gone_after_the_game_is_passed_over(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.seat(3)
            ana, ben, cleo = circle.tables
            await circle.play()
            ben.departures.leave()
            await until(lambda: ben.phase == "failed")
            for table in (ana, cleo):
                table.rematch.want()
            await until(lambda: ana.phase == cleo.phase == "playing")
            assert ana.occupants.names == ("cleo", "ana")
            assert beginner(cleo) == "cleo"

    run(story())


def test_who_begins_is_hashed_and_bounded() -> None:
    tables = [signed_roster(CARDS, 3, begins=begins) for begins in (None, 0, 2)]
    assert len({table.game_id for table in tables}) == len({table.phrase for table in tables}) == 3
    for table in tables:
        table.check()
        assert SignedRoster.read(table.plain()).roster == table.roster
        state = cast(Cards, Peer(CARDS, table, None).state)
        assert state.turn == (table.roster.begins or 0)
    for wrong in (-1, 3, True, "0"):
        roster = replace(tables[0].roster, begins=wrong)  # type: ignore[arg-type]
        with pytest.raises(Malformed):
            Roster.unpack(roster.packed)
