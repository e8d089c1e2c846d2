"""Spectators have the transcript that the seats have, and can attest whose step is absent: a claim, and no more."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import pytest

from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table import spectators
from kimberley.p2p.table.spectator_client import SpectatorClient
from kimberley.p2p.table.spectators import WATCH
from kimberley.p2p.table.table import Table
from kimberley.p2p.transport.channel import Channel, ChannelClosed, memory_pair
from kimberley.p2p.transport.dial import dial
from kimberley.p2p.transport.handshake import ConnectionRejected as TurnedAway
from kimberley.protocol.attestation import Attestation
from kimberley.protocol.audit import Verdict, verify
from kimberley.protocol.events import Answered
from kimberley.protocol.play import NotAllowed
from kimberley.protocol.record import Record
from tests.support.asyncs import run, until
from tests.support.cards import CARDS
from tests.support.comeback import back, die
from tests.support.inside import links_of, match_of
from tests.support.seated import (
    LOOPBACK,
    NAMES,
    QUICK,
    Circle,
    Pair,
    Proxy,
    circle_of_tables,
    no_faults,
    pair_of_tables,
    play,
)
from tests.support.stones import STONES


@pytest.fixture(autouse=True)
def nothing_fails_in_the_background(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    yield from no_faults(caplog)


async def watched(port: int, tables: Pair | Circle, identity: Identity | None = None) -> SpectatorClient:
    watch = await SpectatorClient.open(f"{LOOPBACK}:{port}", lambda _: tables.game, identity=identity)
    await until(lambda: watch.peer is not None)
    return watch


@asynccontextmanager
async def watching(
    port: int, tables: Pair | Circle, identity: Identity | None = None
) -> AsyncIterator[SpectatorClient]:
    watch = await watched(port, tables, identity)
    try:
        yield watch
    finally:
        await watch.close()


def age(watch: SpectatorClient, seconds: float) -> None:
    """Moves the start of all that is missing, and of the spectator's visit, so many seconds back."""
    assert watch.peer is not None
    watch.here_since -= seconds
    for seat in watch.peer.waiting_since:
        watch.peer.waiting_since[seat] -= seconds


async def asked(*tables: Table) -> None:
    await until(lambda: all(table.peer is not None and table.peer.asked is not None for table in tables))


def choose(table: Table) -> None:
    assert table.peer is not None
    assert table.peer.asked is not None
    table.play.choose(table.peer.asked.space.pick(Random(1)))


async def misses(watch: SpectatorClient, table: Table, *seats: int) -> None:
    """Waits until the spectator waits for these seats alone, at the step of the table's ask: chance takes a moment
    first.
    """
    assert table.peer is not None
    assert table.peer.asked is not None
    step = table.peer.asked.step
    await until(lambda: watch.peer is not None and watch.peer.slot[0] == step and watch.peer.waiting == seats)


def judged(record: Record) -> Verdict:
    return verify(record.pack(), lambda _: STONES)


def sees_the_same(watch: SpectatorClient, circle: Circle) -> None:
    assert watch.peer is not None
    assert watch.problem is None
    for table in circle.tables:
        assert table.peer is not None
        assert watch.peer.head == table.peer.head
        assert watch.peer.result == table.peer.result
        assert watch.peer.public == table.peer.public
    assert watch.peer.record().pack() == circle.tables[0].peer.record().pack()  # type: ignore[union-attr]


@pytest.mark.slow
def test_a_spectator_that_comes_late_has_the_transcript_of_the_seats(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.seat(3)
            playing = asyncio.create_task(circle.play())
            await until(lambda: all(table.peer and len(table.peer.story) > 6 for table in circle.tables))
            # Any seat shows the game, before its end, at its end and after it.
            watches = [await watched(circle.tables[2].port, circle)]
            told: list[object] = []
            watches[0].subscribe(told.append)
            await playing
            await circle.all("done")
            watches.append(await watched(circle.tables[0].port, circle))
            for watch in watches:
                await until(lambda watch=watch: watch.peer.finished)  # type: ignore[misc]
                sees_the_same(watch, circle)
                assert watch.names == NAMES[:3]
            assert any(isinstance(event, Answered) for event in told)
            for watch in watches:
                await watch.close()

    run(story())


@pytest.mark.slow
def test_a_spectator_follows_from_game_to_game_and_over_a_lost_connection(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.open(3, headless=False)
            async with Proxy(circle.tables[0].port) as proxy:
                watch = await SpectatorClient.open(f"{LOOPBACK}:{proxy.port}", lambda _: CARDS)
                assert watch.peer is None
                for _ in range(2):
                    await circle.join(headless=True)
                circle.tables[0].seating.ready(True)
                await until(lambda: circle.tables[0].phase == "words")
                circle.tables[0].words.answer(True)
                await circle.all("playing")
                for salt in range(2):
                    playing = asyncio.create_task(circle.play(salt))
                    await until(lambda: watch.peer is not None and len(watch.peer.story) > 4)
                    view = watch.peer
                    proxy.cut()
                    await until(lambda: watch.away_since is not None)
                    await playing
                    await circle.all("done")
                    await until(lambda: watch.away_since is None and watch.peer is not None and watch.peer.finished)
                    sees_the_same(watch, circle)
                    assert watch.peer is view
                    for table in circle.tables:
                        table.rematch.want()
                    await until(lambda view=view: watch.peer is not view)  # type: ignore[misc]
                    await circle.all("playing")
                await watch.close()

    run(story())


@pytest.mark.slow
def test_a_table_lets_in_as_many_spectators_as_it_wants(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.open(3, spectators=0)
            await circle.join(spectators=1)
            await circle.join()
            await circle.all("playing")
            with pytest.raises(TurnedAway, match="does not allow spectators"):
                await watched(circle.tables[0].port, circle)
            first = await watched(circle.tables[1].port, circle)
            with pytest.raises(TurnedAway, match="has no room for more spectators"):
                await watched(circle.tables[1].port, circle)
            await first.close()
            await until(lambda: not len(circle.tables[1].spectators))
            await (await watched(circle.tables[1].port, circle)).close()

    run(story())


def test_a_spectator_of_a_saved_game_is_told_at_once_and_not_when_the_player_goes_on(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat(QUICK)
            async with watching(tables.host.port, tables) as watch:
                await asked(tables.host, tables.guest)
                for table in tables.both_tables:
                    table.adjournment.vote(True)
                await until(lambda: tables.host.phase == "failed")
                await until(lambda: watch.away_since is not None)

    run(story())


def test_a_spectator_of_a_table_that_closes_before_a_game_is_told_so(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.open()
            watch = await SpectatorClient.open(f"{LOOPBACK}:{tables.host.port}", lambda _: tables.game)
            try:
                await tables.host.close()
                await until(lambda: watch.problem == "The host has closed this table.", seconds=10)
            finally:
                await watch.close()

    run(story())


@pytest.mark.parametrize("closes", ["just after", "just before"])
def test_a_spectator_that_comes_as_the_table_closes_is_not_kept_waiting(closes: str) -> None:
    async def story() -> None:
        feed = spectators.Spectators(1)
        here, there = memory_pair(Identity.fresh(), Identity.fresh(), (WATCH,))
        if closes == "just before":
            await feed.close()
        feed.admit(here)
        await feed.close()
        async with asyncio.timeout(10):
            with pytest.raises(ChannelClosed):
                await read_all(there)
        assert len(feed) == 0

    run(story())


# -- who is silent ---------------------------------------------------------------------------------------------------


def test_a_spectator_tells_who_is_silent_and_the_records_name_it_as_the_witness(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat({**QUICK, "grace": 30})
            witness = Identity.fresh()
            async with watching(tables.host.port, tables, witness) as watch:
                await asked(tables.host, tables.guest)
                choose(tables.host)
                await misses(watch, tables.host, 1)
                await die(tables.guest)
                await until(lambda: tables.host.reconnection.away)
                # It waits for ben, and cannot say yet that he is silent.
                assert watch.silent == ()
                with pytest.raises(NotAllowed, match="silent for 30 seconds"):
                    watch.attest()
                age(watch, 30)
                assert set(watch.silent) == {1}
                own = watch.attest()
                await until(lambda: tables.host.spectators.attestations == (own,))
                record = await watch.record()
                assert record is not None
                assert record.attestations == (own,)
                name = f"spectator {witness.public.hex()[:16]}"
                assert (judged(record).absent, judged(record).attested) == ((1,), ((1, (name,)),))
                for link in links_of(tables.host).values():
                    link.away_since = -1e9
                tables.host.abandonment.declare()
                await until(lambda: tables.host.phase == "failed")
                assert tables.host.ending.record is not None
                kept = judged(Record.unpack(tables.host.ending.record.read_bytes()))
                assert (kept.code, kept.attested) == ("incomplete", ((1, ("ana", name)),))
                assert f"ana and {name} attest that ben was silent" in kept.reason

    run(story())


def test_what_a_spectator_attested_counts_no_more_once_the_step_is_there(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            async with watching(tables.host.port, tables) as watch:
                await asked(tables.host, tables.guest)
                choose(tables.host)
                await misses(watch, tables.host, 1)
                await die(tables.guest)
                age(watch, 1000)
                watch.attest()
                again = tables.follow(await back(tables.ben, STONES), "ben")
                await asyncio.gather(play(tables.host, Random(1)), play(again, Random(2)))
                assert watch.peer is not None
                await until(lambda: watch.peer is not None and watch.peer.finished)
                record = await watch.record()
                assert record is not None
                assert record.attestations == ()
                assert judged(record).code == "fair"
                assert tables.host.ending.record is not None
                assert tables.host.ending.record.read_bytes() == record.pack()

    run(story())


@pytest.mark.slow
def test_a_spectator_counts_only_while_it_was_connected_and_repeats_what_it_attested(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.seat(3)
            async with Proxy(circle.tables[0].port) as proxy, watching(proxy.port, circle) as watch:
                await asked(*circle.tables)
                for table in circle.tables[:2]:
                    choose(table)
                await misses(watch, circle.tables[0], 2)
                age(watch, 1000)
                proxy.cut()
                await until(lambda: watch.away_since is not None)
                assert watch.silent == ()
                await until(lambda: watch.away_since is None)
                # What it missed while nobody could tell it does not count.
                assert watch.silent == ()
                age(watch, 1000)
                own = watch.attest()
                await until(lambda: circle.tables[0].spectators.attestations == (own,))
                await proxy.close()
                await until(lambda: circle.tables[0].spectators.attestations == ())
                async with proxy:
                    await until(lambda: circle.tables[0].spectators.attestations == (own,))
                assert all(table.phase == "playing" for table in circle.tables)

    run(story())


def test_a_spectator_attests_nothing_of_a_seat_for_which_the_game_may_not_have_begun(tmp_path: Path) -> None:
    """The host shows a game whose roster ben has signed, and its own first envelope: ben compares the words."""

    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            host = await circle.open(2, headless=False)
            ben = await circle.join(headless=False)
            await until(lambda: {host.phase, ben.phase} == {"words"})
            host.play.begin(match_of(host))
            async with watching(host.port, circle) as watch:
                await until(lambda: watch.peer is not None and watch.peer.waiting == (1,))
                age(watch, 1000)
                assert watch.silent == ()
                with pytest.raises(NotAllowed):
                    watch.attest()

    run(story())


async def read_all(channel: Channel) -> None:
    """Raises ChannelClosed once there are no more frames."""
    while True:
        await channel.receive()


@pytest.mark.parametrize("forged", ["of another", "for another table", "no attestation", "talk"])
def test_a_spectator_that_says_anything_else_is_shown_the_door(tmp_path: Path, forged: str) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            game, me, other = tables.host.game_id, Identity.fresh(), Identity.fresh()
            assert game is not None
            blank = Attestation(me.public, 1, 0, bytes(32), (1,))
            frame = {
                "of another": (
                    "vote",
                    "abandon",
                    Attestation(other.public, 1, 0, bytes(32), (1,)).signed(game, other.sign).plain(),
                ),
                "for another table": ("vote", "abandon", blank.signed(bytes(32), me.sign).plain()),
                "no attestation": ("vote", "abandon", 7),
                "talk": ("envelope", b"hello"),
            }[forged]
            channel = await dial(LOOPBACK, tables.host.port, me, (WATCH,))
            assert await channel.receive() == ("watching",)
            channel.send(frame)
            with pytest.raises(ChannelClosed):
                await read_all(channel)
            await channel.close()
            assert tables.host.phase == "playing"
            tables.host.departures.leave()
            await until(lambda: tables.host.phase == "failed")
            assert tables.host.ending.record is not None
            assert Record.unpack(tables.host.ending.record.read_bytes()).attestations == ()

    run(story())


@pytest.mark.slow
def test_attestations_of_spectators_do_not_gather(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Any number of identities may come and attest: a record keeps those of whoever is still there."""
    monkeypatch.setattr(spectators, "ATTEST_SECONDS", 0.01)

    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            assert tables.host.game_id is not None
            for _ in range(12):
                me = Identity.fresh()
                channel = await dial(LOOPBACK, tables.host.port, me, (WATCH,))
                for step in range(3):
                    own = Attestation(me.public, step, 0, bytes(32), (1,)).signed(tables.host.game_id, me.sign)
                    channel.send(("vote", "abandon", own.plain()))
                    await until(lambda own=own: tables.host.spectators.attestations == (own,))  # type: ignore[misc]
                await channel.close()
                await until(lambda: tables.host.spectators.attestations == ())
            # None of them is of the stage at hand.
            tables.host.departures.leave()
            await until(lambda: tables.host.phase == "failed")
            assert tables.host.ending.record is not None
            assert Record.unpack(tables.host.ending.record.read_bytes()).attestations == ()

    run(story())
