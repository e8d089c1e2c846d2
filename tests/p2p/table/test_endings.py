"""How games at a table end early: by people, by cables and by disks."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from kimberley.games.table import Plain
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.storage.journal import list_journals, read_journal
from kimberley.p2p.table.chat import AWAY
from kimberley.p2p.table.events import Notice
from kimberley.p2p.table.match import Match
from kimberley.p2p.table.sync import RESEND_SECONDS, have_frame
from kimberley.p2p.table.table import Table, TableChanged
from kimberley.p2p.transport.channel import ChannelClosed, memory_pair
from kimberley.p2p.transport.dial import dial
from kimberley.protocol.audit import verify
from kimberley.protocol.envelope import START, Envelope
from kimberley.protocol.events import Caught
from kimberley.protocol.play import NotAllowed
from tests.support.asyncs import run, until
from tests.support.full_disk import full_disk
from tests.support.inside import links_of, signed_by, welcome
from tests.support.seated import LOOPBACK, QUICK, Proxy, no_faults, pair_of_tables, play_on
from tests.support.stones import STONES


@pytest.fixture(autouse=True)
def nothing_fails_in_the_background(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    yield from no_faults(caplog)


# -- how games end before their end ------------------------------------------------------------------------------------


def test_who_leaves_a_game_leaves_incomplete_records(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            await until(lambda: tables.host.peer is not None and tables.host.peer.asked)
            tables.guest.departures.leave()
            await tables.both("failed")
            assert tables.host.problem == "ben left the table."
            for table, data in ((tables.host, tables.ana), (tables.guest, tables.ben)):
                assert table.ending.verdict is not None
                assert table.ending.verdict.code == "incomplete"
                assert table.ending.record is not None
                (journal,) = list_journals(data)
                assert read_journal(journal).closed
            with pytest.raises(NotAllowed, match="not your turn"):
                tables.host.play.choose(1)

    run(story())


@pytest.mark.slow
def test_a_game_goes_on_after_its_connection_was_cut(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.open({**QUICK, "rounds": 40}, headless=True)
            async with Proxy(tables.host.port) as proxy:
                await tables.join(proxy.port, headless=True)
                await tables.both("playing")
                proxy.cut_after = 12_000
                await play_on(tables)
                assert proxy.cuts >= 3
            assert tables.host.phase == tables.guest.phase == "done"
            assert tables.host.ending.verdict is not None
            assert tables.host.ending.verdict.code == "fair"
            assert not any(isinstance(event, Caught) for events in tables.told.values() for event in events)

    run(story(), 120)


@pytest.mark.slow
def test_a_seat_is_shown_the_latest_of_its_own_envelopes_once_in_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However often it says that it has none, on other connections too."""
    shown: Counter[bytes] = Counter()
    real = Match.receive

    def receive(match: Match, envelope: bytes) -> None:
        if Envelope.unpack(envelope).seat == match.seat:
            shown[envelope] += 1
        real(match, envelope)

    async def ask(guest: Table) -> None:
        (link,), view = links_of(guest).values(), guest.peer
        assert view is not None
        for _ in range(50):
            link.send(have_frame(view.table.game_id, (view.have[0], (0, START))))
        await until(lambda: shown)

    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.open(headless=True)
            async with Proxy(tables.host.port) as proxy:
                await tables.join(proxy.port, headless=True)
                await until(lambda: tables.host.peer is not None and tables.host.peer.asked)
                begun = asyncio.get_running_loop().time()
                await ask(tables.guest)
                proxy.cut()
                await until(lambda: tables.host.reconnection.away)
                await until(lambda: not tables.host.reconnection.away and not tables.guest.reconnection.away)
                await ask(tables.guest)
                # Whatever the flood has left would have come before the next choice.
                tables.host.play.choose(1)
                await until(lambda: tables.guest.peer is not None and tables.guest.peer.asked)
                (times,) = shown.values()
                assert times <= 1 + (asyncio.get_running_loop().time() - begun) / RESEND_SECONDS

    monkeypatch.setattr(Match, "receive", receive)
    run(story())


def test_a_lost_connection_is_told_with_its_time_and_waited_for(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.open(headless=True)
            proxy = Proxy(tables.host.port)
            async with proxy:
                await tables.join(proxy.port, headless=True)
                await until(lambda: tables.host.peer is not None and tables.host.peer.asked)
                before = asyncio.get_running_loop().time()
            await until(lambda: bool(tables.host.reconnection.away and tables.guest.reconnection.away))
            assert set(tables.host.reconnection.away) == {1}
            assert before <= tables.host.reconnection.away[1] <= asyncio.get_running_loop().time()
            assert TableChanged("away") in tables.told["ana"]
            assert tables.host.phase == tables.guest.phase == "playing"
            # What is done meanwhile goes out when the connection is back.
            tables.host.play.choose(1)
            tables.host.chat.say("are you there?")
            assert Notice(AWAY.format(name="ben")) in tables.told["ana"]
            async with proxy:
                await until(lambda: not tables.host.reconnection.away and not tables.guest.reconnection.away)
                await play_on(tables)
                assert not tables.guest.chat.lines
            await tables.both("done")

    run(story())


def test_who_gives_up_waiting_keeps_an_incomplete_record(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.open(headless=True)
            async with Proxy(tables.host.port) as proxy:
                await tables.join(proxy.port, headless=True)
                await tables.both("playing")
                await until(lambda: tables.guest.peer is not None and tables.guest.peer.asked)
            await until(lambda: tables.guest.reconnection.away)
            tables.guest.departures.leave()
            await until(lambda: tables.guest.phase == "failed")
            assert tables.guest.ending.record is not None
            assert verify(tables.guest.ending.record.read_bytes(), lambda _: STONES).code == "incomplete"
            assert tables.host.phase == "playing"

    run(story())


def test_nobody_else_can_come_back_to_a_seat(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            game_id = tables.host.game_id
            for identity, purpose in (
                (Identity.fresh(), ("seat", game_id)),
                (Identity.load_or_create(tables.ben), ("seat", bytes(32))),
                (Identity.load_or_create(tables.ben), ("watch", game_id)),
                (Identity.fresh(), ("seat",)),
            ):
                channel = await dial(LOOPBACK, tables.host.port, identity, purpose)
                assert (await channel.receive())[0] == "refused"
                await channel.close()
            await play_on(tables)
            assert tables.host.phase == "done"

    run(story())


def other_keys(last: Envelope) -> Iterator[Envelope]:
    """Returns a first envelope other than the one that a seat has signed."""
    yield replace(last, number=0, previous=START, step=0, body=(1,))


def another_body(last: Envelope) -> Iterator[Envelope]:
    """Yields a second envelope for the stage that the seat has signed."""
    yield replace(last, number=last.number + 1, previous=last.hash)


@pytest.mark.parametrize(
    ("cheat", "step", "reason"),
    [
        (other_keys, 0, "they signed two different messages with one number"),
        (another_body, 0, "they signed a message out of turn"),
    ],
)
def test_a_cheat_ends_the_game_with_who_when_and_what_proves_it(
    tmp_path: Path, cheat: Callable[[Envelope], Iterator[Envelope]], step: int, reason: str
) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            await until(lambda: tables.host.peer is not None and tables.host.peer.asked)
            ben = Identity.load_or_create(tables.ben)
            (link,) = links_of(tables.guest).values()
            for envelope in cheat(Envelope.unpack(signed_by(tables.guest)[-1])):
                link.send(("envelope", envelope.signed(ben.sign).pack()))
            await tables.both("failed")
            assert tables.host.problem == (
                f"ben was caught cheating in move {step}: {reason}. ben’s own signature proves it. The game is over."
            )
            assert tables.host.ending.verdict is not None
            assert (tables.host.ending.verdict.code, tables.host.ending.verdict.seats) == ("unfair", (1,))
            assert (tables.host.ending.verdict.step, tables.host.ending.verdict.stage) == (step, 0)
            assert tables.host.ending.record is not None
            assert verify(tables.host.ending.record.read_bytes(), lambda _: STONES).code == "unfair"

    run(story())


def test_a_second_signature_after_the_end_is_told_as_such(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            await play_on(tables)
            assert not list_journals(tables.ana)
            ben = Identity.load_or_create(tables.ben)
            (link,) = links_of(tables.guest).values()
            (other,) = other_keys(Envelope.unpack(signed_by(tables.guest)[-1]))
            link.send(("envelope", other.signed(ben.sign).pack()))
            await until(lambda: tables.host.problem)
            assert tables.host.problem == (
                "ben was caught cheating in move 0: they signed two different messages with one number. ben’s own "
                "signature proves it. The game is over."
            )

    run(story())


def test_nonsense_from_a_seat_changes_nothing(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            (link,) = links_of(tables.guest).values()
            for frame in (
                ("envelope", b""),
                ("envelope", b"\xc1" * 100),
                ("envelope", 5),
                ("have", 7),
                ("have", tables.host.game_id, ((0, START),)),
                ("have", tables.host.game_id, ((True, START), (0, b""))),
                ("have", bytes(32), ((99, START), (99, START))),
                ("sit", "again"),
                ("sit", "again", 0),
                ("place", 9, bytes(32), bytes(32)),
                ("nonces", 1, ()),
                ("table",),
                ("vote", "same", (b"", True)),
                ("vote", "same", (1, 2)),
                ("vote", "again", None),
                ("roster", 1, b""),
                ("what is this", ((), 1)),
            ):
                link.send(frame)
            await play_on(tables)
            assert tables.host.phase == tables.guest.phase == "done"
            assert tables.host.ending.verdict is not None
            assert tables.host.ending.verdict.code == "fair"

    run(story())


def test_who_claims_what_was_never_signed_loses_only_the_connection_at_a_table_of_two(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            (link,) = links_of(tables.guest).values()
            changes = {name: events.count(TableChanged("away")) for name, events in tables.told.items()}
            assert tables.host.game_id is not None
            link.send(have_frame(tables.host.game_id, ((99, START), (0, START))))
            # At each seat the connection was lost, and is back.
            await until(
                lambda: all(
                    events.count(TableChanged("away")) >= changes[name] + 2 for name, events in tables.told.items()
                )
            )
            await play_on(tables)
            assert (tables.host.problem, tables.guest.problem) == (None, None)
            assert not any(isinstance(event, Caught) for events in tables.told.values() for event in events)
            for table in tables.both_tables:
                assert table.phase == "done"
                assert table.ending.verdict is not None
                assert table.ending.verdict.code == "fair"

    run(story())


@pytest.mark.parametrize(
    ("frame", "reason"),
    [
        (("vote", "same", (bytes(32), True)), "sent a message before it had a seat"),
        (("have", 0), "sent a message before it had a seat"),
        (("sit", "eve", 1 << 16), "asks for a seat in an unknown way"),
    ],
    ids=str,
)
def test_a_newcomer_who_does_not_sit_down_is_told_why_it_is_put_off(
    tmp_path: Path, frame: tuple[Plain, ...], reason: str
) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.open()
            at_host, at_guest = memory_pair(Identity.load_or_create(tables.ana), Identity.fresh(), ("seat",))
            welcome(tables.host, at_host)
            assert (await at_guest.receive())[0] == "table"
            at_guest.send(frame)
            kind, said = await at_guest.receive()
            assert kind == "refused"
            assert reason in str(said)
            with pytest.raises(ChannelClosed, match="closed the connection"):
                await at_guest.receive()
            assert tables.host.occupants.names == ("ana",)

    run(story())


# -- the disk ----------------------------------------------------------------------------------------------------------


def test_on_a_full_disk_nothing_is_sent_that_is_not_on_the_journal(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            await until(lambda: tables.guest.peer is not None and tables.guest.peer.asked)
            (path,) = list_journals(tables.ben)
            with full_disk(path.stat().st_size + 10):
                tables.guest.play.choose(1)
                await until(lambda: tables.guest.phase == "failed")
            assert str(tables.guest.problem).startswith("The disk is full:")
            sent = [entry[1] for entry in read_journal(path).entries if entry[0] == "sent"]
            await until(lambda: tables.host.reconnection.away)
            assert tables.host.peer is not None
            arrived = [envelope.pack() for envelope in tables.host.peer.record().envelopes if envelope.seat == 1]
            assert arrived == sent
            assert not read_journal(path).closed

    run(story())


def test_a_record_that_cannot_be_kept_is_told_and_the_journal_stays(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            (tables.ben).mkdir()
            (tables.ben / "records").write_text("in the way")
            await tables.seat()
            await play_on(tables)
            assert tables.guest.phase == "done"
            assert tables.guest.ending.record is None
            assert "records" in str(tables.guest.problem)
            assert tables.guest.ending.verdict is not None
            assert tables.guest.ending.verdict.code == "fair"
            assert len(list_journals(tables.ben)) == 1

    run(story())
