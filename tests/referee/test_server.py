"""Who comes to a referee's desk: by name, twice, in crowds, or with nonsense; and who may come to its tables."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from kimberley.client.cli.list_tables import table_as_plain, table_columns
from kimberley.client.session.find_table import find_table, is_tournament
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.discovery.mdns import Browser
from kimberley.p2p.storage.files import StorageError
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table.invitation import ONLY_PAIRED
from kimberley.p2p.table.spectator_client import open_spectator_channel
from kimberley.p2p.table.table import Table, sit_down
from kimberley.p2p.tournament.events import PLAYED, PlayerEnrolled, TournamentEvent
from kimberley.p2p.tournament.messages import ENROL, TableId
from kimberley.p2p.tournament.tournament import Tournament
from kimberley.p2p.transport.channel import Channel, ChannelClosed
from kimberley.p2p.transport.dial import CardProbe, dial
from kimberley.p2p.transport.frames import Frame
from kimberley.p2p.transport.handshake import ConnectionRejected
from kimberley.p2p.transport.table_card import TableCard, TournamentCard
from kimberley.referee import player_connections
from kimberley.referee.organizer import Organizer
from kimberley.referee.server import PresenceChanged, RoundTiming, ServerNotice, TournamentServer
from kimberley.referee.store import Store
from tests.support.asyncs import run, until
from tests.support.evenings import Evening, evening
from tests.support.inside import links_of
from tests.support.seated import LOOPBACK, no_faults
from tests.support.stones import STONES

OPEN = RoundTiming(pause=0.0)


@pytest.fixture(autouse=True)
def nothing_fails_in_the_background(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    yield from no_faults(caplog)


async def said(held: Evening, *frames: Frame, identity: Identity | None = None) -> tuple[Channel, Frame]:
    """Returns a channel on which somebody has said these frames, and the referee's first answer."""
    channel = await dial(LOOPBACK, held.server.port, identity or Identity.fresh(), (ENROL,))
    for frame in frames:
        channel.send(frame)
    return channel, await channel.receive()


async def ended(channel: Channel) -> None:
    """Reads until the other side has closed."""
    with contextlib.suppress(ChannelClosed):
        while True:
            await channel.receive()
    await channel.close()


@pytest.mark.slow
def test_the_card_says_that_it_is_a_referee_and_older_programs_take_it_for_a_full_table(tmp_path: Path) -> None:
    async def story() -> None:
        async with evening(tmp_path, STONES, OPEN, rounds=3) as held:
            await held.enter("ana")
            look = await CardProbe.connect(LOOPBACK, held.server.port)
            card = look.card
            assert card.tournament == TournamentCard("Friday Cup", "swiss", 1, 0, 3, False)
            assert (card.nickname, card.game, card.seats - card.taken) == ("Friday Cup", "stones", 0)
            # What an older reader makes of it: it ignores the last entry.
            old = TableCard.read(card.frame()[:-1])
            assert (old.tournament, old.nickname, old.seats - old.taken) == (None, "Friday Cup", 0)
            for nonsense in (None, (), ("x",), ("x", "y", -1, 0, 0, False), ("x", "y", True, 0, 0, False)):
                assert TableCard.read((*card.frame()[:-1], nonsense)).tournament is None
            await look.close()
            assert await is_tournament(f"{LOOPBACK}:{held.server.port}")
            assert not await is_tournament(f"{LOOPBACK}:1")

    run(story())


@pytest.mark.slow
def test_an_error_in_the_referees_program_is_told_and_the_store_can_be_taken_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def boom(server: TournamentServer, now: object) -> bool:
        raise ZeroDivisionError("boom")

    async def story() -> None:
        async with evening(tmp_path, STONES, OPEN) as held:
            await held.enter("ana")
            with monkeypatch.context() as patched:
                patched.setattr(TournamentServer, "is_due", boom)
                await until(lambda: held.server.problem is not None)
            assert str(held.server.problem).startswith(
                "Something went wrong in the program (ZeroDivisionError('boom'))"
            )
            await held.server.close()
            await held.open()
            assert [player.nickname for player in held.server.tournament.players] == ["ana"]
            assert held.server.problem is None

    run(story())


@pytest.mark.slow
def test_a_full_disk_is_said_once_and_the_store_can_be_taken_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(store: Store, event: object, record: object = None) -> None:
        raise StorageError("The disk is full.")

    async def story() -> None:
        async with evening(tmp_path, STONES, RoundTiming(players=2, pause=0.0), rounds=1) as held:
            await held.enter("ana")
            await Organizer(held.server, held.identity).schedule(None)
            await held.enter("ben")
            with monkeypatch.context() as patched:
                patched.setattr(Store, "add", full)
                patched.setattr(TournamentServer, "is_due", lambda server, now: True)
                await until(lambda: held.server.problem is not None)
                assert await Organizer(held.server, held.identity).schedule(0) == "The disk is full."
            assert held.news.count(ServerNotice("The disk is full.")) == 1
            await held.server.close()
            await held.open()
            assert len(held.server.tournament.players) == 2

    run(story())


@pytest.mark.slow
def test_a_cup_is_found_and_listed_by_its_name(tmp_path: Path) -> None:
    async def story() -> None:
        name = f"Cup {os.getpid()}"  # Another program on this network may hold a Friday Cup.
        async with evening(tmp_path, STONES, OPEN, name=name) as held:
            await held.open_announced()
            found = await find_table(name.lower(), Browser([LOOPBACK]))
            assert not isinstance(found, str)
            assert await is_tournament(found)
            assert found.card.identity == held.identity.public
            assert "swiss, 0 players, not started" in table_columns([found])[1]
            settings = table_as_plain(found)["cup"]
            assert (settings["name"], settings["format"], settings["players"]) == (name, "swiss", 0)
            # Whoever joins any table with a free seat passes it over.
            assert found.open == 0

    run(story())


def test_a_referee_names_only_the_address_where_it_listens(tmp_path: Path) -> None:
    async def story() -> None:
        async with evening(tmp_path, STONES, OPEN) as held:
            assert held.server.addresses == (f"{LOOPBACK}:{held.server.port}",)

    run(story())


def test_who_is_called_alike_is_told_apart_and_nobody_enrols_twice(tmp_path: Path) -> None:
    async def story() -> None:
        async with evening(tmp_path, STONES, OPEN) as held:
            first, second = Identity.fresh(), Identity.fresh()
            for who, name in ((first, "Ana"), (second, "\x1bANA\n"), (first, "Somebody else")):
                channel, answer = await said(held, (ENROL, name, 0, False), identity=who)
                assert answer[0] == "cup"
                names = [held.server.tournament.name(one.identity) for one in held.server.tournament.players]
                if who is first and len(names) == 2:
                    break
                if who is first:
                    older = channel
                else:
                    await channel.close()
            assert names == [f"Ana {first.fingerprint}", f"ANA {second.fingerprint}"]
            # The one who is there twice is there once: the later connection counts.
            await ended(older)
            assert first.public in held.server.present
            await channel.close()

    run(story())


@pytest.mark.parametrize(
    "frame",
    [
        ("enrol",), ("enrol", b"ana", 0, False), ("enrol", "ana", -1, False), ("enrol", "ana", True, False),
        ("enrol", "ana", 0), ("enrol", "ana", 0, 1), ("sit", "ana", 0),
        ("event", 0, ("ended", 1)),
    ],
)  # fmt: skip
def test_what_no_player_says_is_refused(tmp_path: Path, frame: Frame) -> None:
    async def story() -> None:
        async with evening(tmp_path, STONES, OPEN) as held:
            channel, answer = await said(held, frame)
            assert answer[0] == "refused"
            await ended(channel)
            assert held.server.tournament.players == ()

    run(story())


@pytest.mark.parametrize(
    "frame",
    [
        ("decided", 1, 0, (1, 0), "played"), ("event", 1, ("ended", 1)), ("arrive", 1, 0, -1),
        ("arrive", 1, 0, 1 << 16), ("arrive", 1, 0, True), ("clocks", 1, 0, ((0, True),)), ("enrol", "again", 0, False),
    ],
)  # fmt: skip
def test_what_a_player_claims_counts_for_nothing(
    tmp_path: Path, frame: Frame, caplog: pytest.LogCaptureFixture
) -> None:
    async def story() -> None:
        async with evening(tmp_path, STONES, OPEN) as held:
            channel, _ = await said(held, (ENROL, "ana", 0, False), frame)
            await ended(channel)
            assert len(held.events()) == 1
            turned_away = [line for line in caplog.messages if "turned away" in line]
            assert len([line for line in turned_away if "ana’s program at 127.0.0.1" in line]) == 1

    with caplog.at_level(logging.WARNING):
        run(story())


def test_what_is_not_on_the_disk_yet_is_told_to_nobody_and_a_slow_disk_holds_nobody_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writes, free = threading.Event(), threading.Event()
    add = Store.add

    def slow(store: Store, event: TournamentEvent, record: bytes | None = None) -> Tournament:
        writes.set()
        assert free.wait(20)
        return add(store, event, record)

    async def story() -> None:
        async with evening(tmp_path, STONES, OPEN) as held:
            await held.enter("ana")
            monkeypatch.setattr(Store, "add", slow)
            ben = asyncio.create_task(held.enter("ben"))
            withdrawn = asyncio.create_task(held.server.withdraw(held.clients["ana"].identity))
            await until(writes.is_set)
            # The referee answers whoever looks, and ana hears of nothing.
            look = await CardProbe.connect(LOOPBACK, held.server.port)
            assert look.card.tournament == TournamentCard("Friday Cup", "swiss", 1, 0, 0, False)
            await look.close()
            assert len(held.server.tournament.players) == len(held.server.history(0)) == 1
            assert [type(event) for event in held.news if not isinstance(event, PresenceChanged)] == [PlayerEnrolled]
            free.set()
            await ben
            assert await withdrawn is None
            assert len(held.events()) == len(held.server.history(0)) == 3

    run(story())


@pytest.mark.slow
def test_doors_of_other_tables_and_without_end_do_no_harm(tmp_path: Path) -> None:
    async def story() -> None:
        async with evening(tmp_path, STONES, RoundTiming(players=2, pause=0.0), rounds=1) as held:
            floods = [("arrive", 1, 0, 9)] * (4 * player_connections.FRAME_BURST)
            channel, _ = await said(held, (ENROL, "eve", 0, False), ("arrive", 7, 9, 1), ("arrive", 0, 0, 1), *floods)
            await ended(channel)
            await held.enter("ana")
            await until(lambda: held.server.referees)
            assert all(
                referee.addresses == {} or eve not in referee.addresses
                for referee in held.server.referees.values()
                for eve in (channel.peer,)
            )

    run(story())


def test_a_crowd_from_one_address_is_let_in_slowly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player_connections, "ENROL_BURST", 3)
    monkeypatch.setattr(player_connections, "ENROL_SECONDS", 3600.0)

    async def story() -> None:
        async with evening(tmp_path, STONES, OPEN) as held:
            answers = []
            for number in range(5):
                channel, answer = await said(held, (ENROL, f"p{number}", 0, False))
                answers.append(answer[0])
                await channel.close()
            assert answers == ["cup"] * 3 + ["refused"] * 2
            assert len(held.server.tournament.players) == 3

    run(story())


def test_nobody_sits_down_at_a_referee_or_watches_it(tmp_path: Path) -> None:
    async def story() -> None:
        async with evening(tmp_path, STONES, OPEN) as held:
            where = f"{LOOPBACK}:{held.server.port}"
            with pytest.raises(UserError, match="This is the referee"):
                await Table.join(where, held.find, nickname="eve", identity=Identity.fresh(), data=None)
            with pytest.raises(ConnectionRejected, match="This is the referee"):
                await open_spectator_channel(LOOPBACK, held.server.port, Identity.fresh(), None)

    run(story())


def test_at_a_table_of_a_cup_only_the_paired_sit_and_the_referee_always_watches(tmp_path: Path) -> None:
    async def story() -> None:
        async with evening(tmp_path, STONES, OPEN) as held:
            host, guest, eve = Identity.fresh(), Identity.fresh(), Identity.fresh()
            settings = held.server.settings
            invitation = TableId(1, 0).invitation(settings, (host.public, guest.public))
            people = (host.public, "ana"), (guest.public, "ben")
            table = await sit_down(
                STONES, invitation, people, lambda _frame: None, identity=host, data=None, bind=LOOPBACK,
                headless=True, spectators=0,
            )  # fmt: skip
            where = f"{LOOPBACK}:{table.port}"
            try:
                for who in (eve, guest):
                    with pytest.raises(UserError, match=ONLY_PAIRED):
                        await Table.join(
                            where, held.find, nickname="eve", identity=who, data=None, bind=LOOPBACK, seek=False
                        )
                with pytest.raises(ConnectionRejected, match="does not allow spectators"):
                    await open_spectator_channel(LOOPBACK, table.port, eve, host.public)
                channel = await open_spectator_channel(LOOPBACK, table.port, held.identity, host.public)
                await channel.close()
            finally:
                await table.close()

    run(story())


@pytest.mark.slow
def test_no_seat_ends_the_game_for_another_one(tmp_path: Path) -> None:
    """At an ordinary table of two a goodbye ends it. Here it would lose the other's game on the other's turn."""

    async def story() -> None:
        async with evening(
            tmp_path, STONES, RoundTiming(players=2, pause=0.0), rounds=1, options={"rounds": 40}
        ) as held:
            ana = await held.enter("ana")
            ben = await held.enter("ben")
            await until(lambda: ana.table is not None and ana.table.peer is not None and len(ana.table.peer.story) > 3)
            assert ana.table is not None
            assert ben.table is not None
            for link in links_of(ben.table).values():
                for frame in (("bye", "has won"), ("aside", True), ("prepare", 99), ("have", 1 << 20)):
                    link.send(frame)
            (result,) = await held.end()
            assert result.how == PLAYED, result.sentence

    run(story())


@pytest.mark.slow
def test_a_player_finds_its_referee_again_wherever_it_is_announced(tmp_path: Path) -> None:
    async def story() -> None:
        async with evening(tmp_path, STONES, OPEN, rounds=1) as held:
            ana = await held.enter("ana", seek=True)
            await held.enter("ben", seek=True)
            former = held.server.port
            await held.server.close()
            taken = await asyncio.start_server(lambda _reader, writer: writer.close(), LOOPBACK, former)
            async with taken:
                await held.open_announced()
                assert held.server.port != former
                await until(lambda: len(held.server.present) == 2, 40)
            await until(lambda: ana.away_since is None)
            await held.start()
            (result,) = await held.end()
            assert result.how == PLAYED

    run(story(), 120)
