"""Tables that play on: through mutated envelopes, floods of a seat, crowds at the door, bytes that are no frames."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from random import Random

import pytest

from kimberley.p2p.base.rate_limited_log import QUIET_SECONDS, RateLimitedLog, RateLimitedRecords
from kimberley.p2p.discovery.mdns import MOST_TABLES, Browser
from kimberley.p2p.storage.journal import FOLDER, Entry
from kimberley.p2p.table import runner
from kimberley.p2p.table.lobby import MOST_READY
from kimberley.p2p.table.match import Match
from kimberley.p2p.table.runner import MOST_WAITING, apply
from kimberley.p2p.table.sync import RESEND_SECONDS, have_frame
from kimberley.p2p.table.table import Table
from kimberley.p2p.transport.channel import MOST_AT_ONCE, ChannelTiming, FrameProtocol
from kimberley.p2p.transport.frames import MOST_FRAME, Frame, encode
from kimberley.p2p.transport.link import Link
from kimberley.protocol.chain import MOST_QUEUED_BYTES
from kimberley.protocol.crypto import signatures
from kimberley.protocol.envelope import MOST_BYTES, STAGE, START, Envelope
from kimberley.protocol.events import Dropped
from kimberley.protocol.peer import Peer
from tests.fuzz.table import in_memory, over_sockets
from tests.support.announced import Announcements
from tests.support.asyncs import run, until
from tests.support.cards import CARDS, FEW_CARDS
from tests.support.cheats import forged
from tests.support.effort import first_is_quick, spread
from tests.support.inside import identity_of, links_of, wire_of
from tests.support.seated import LOOPBACK, Circle, circle_of_tables, pair_of_tables, play
from tests.support.tables import identity, seated

# -- envelopes ---------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("many", first_is_quick(500, 6000))
def test_no_mutated_envelope_counts_and_every_game_comes_to_its_end(many: int) -> None:
    tally = in_memory(many)
    assert tally.sent == many
    assert tally.games["played to the end"]
    # What was dropped is forgotten: memory is that of the tables.
    assert tally.memory[-1] - tally.memory[0] < 32


@pytest.mark.slow
@pytest.mark.nightly
def test_mutated_envelopes_from_a_seat_do_not_keep_the_others_from_a_fair_end(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    run(over_sockets(3000, tmp_path))
    assert 1 <= sum("dropped: " in record.getMessage() for record in caplog.records) <= 12


def test_an_envelope_that_does_not_count_is_not_kept_in_the_journal() -> None:
    wire = seated(FEW_CARDS, 3)
    wire.run(lambda: len(wire.sent) > 6)
    peer = wire.peers[0]
    good = forged(peer, 1, STAGE, ("x",), (99, 0)).pack()
    assert not apply(peer, ("received", b"junk"))
    assert not apply(peer, ("received", good[:-1] + bytes([good[-1] ^ 1])))
    assert apply(peer, ("received", good))
    assert not apply(peer, ("received", good))
    assert apply(peer, ("something that a journal keeps",))


def test_the_envelopes_that_wait_for_their_stage_are_bounded_in_bytes() -> None:
    wire = seated(FEW_CARDS, 3)
    wire.run(lambda: len(wire.sent) > 6)
    peer = wire.peers[0]
    envelope = forged(peer, 1, STAGE, bytes(MOST_BYTES - 2000), (99, 0))
    peer.take()
    for number in range(8):
        signed = envelope.signed(partial(signatures.sign, identity(1)))
        assert peer.receive(signed.pack()) == (number < MOST_QUEUED_BYTES // MOST_BYTES)
        if number < MOST_QUEUED_BYTES // MOST_BYTES:
            envelope = replace(envelope, number=envelope.number + 1, previous=signed.hash)
    assert {event.reason for event in peer.take() if isinstance(event, Dropped)} == {"seat 2 is too far ahead"}
    assert peer.caught is None


def test_an_envelope_that_was_read_hashes_to_what_its_fields_pack_to() -> None:
    wire = seated(FEW_CARDS, 2)
    wire.run()
    for _, data in wire.sent:
        read = Envelope.unpack(data)
        assert replace(read).unsigned == read.unsigned


# -- floods of a seat --------------------------------------------------------------------------------------------------

HOSTILE = 1


def behind(table: Table) -> Frame:
    """Returns a heartbeat of a seat that has none of the others' envelopes."""
    view, seat = table.peer, table.occupants.seat
    assert view is not None
    nothing = 0, START
    return have_frame(view.table.game_id, tuple(row if n == seat else nothing for n, row in enumerate(view.have)))


FLOODS: dict[str, Callable[[Table], Frame]] = {
    "unknown frames": lambda _: ("what", "\x1b[2J"),
    "heartbeats": lambda _: ("beat",),
    "heartbeats from far behind": behind,
    "junk passed on": lambda _: ("envelope", bytes(200)),
    "nonsense for a relay": lambda table: ("passed", identity_of(table).public, b"\xc1"),
    "claims to want another game": lambda _: ("vote", "again", True),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", spread(2, FLOODS))
def test_a_flood_of_small_frames_from_a_seat_costs_a_line_or_two(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, kind: str
) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, FEW_CARDS) as circle:
            await circle.seat(3)
            playing = asyncio.create_task(circle.play())
            hostile = circle.tables[HOSTILE]
            await until(lambda: hostile.peer is not None and hostile.peer.slot[0] > 1)
            frame = FLOODS[kind](hostile)
            for _ in range(10):
                for link in links_of(hostile).values():
                    for _ in range(250):
                        link.send(frame)
                await asyncio.sleep(0)
            await playing
            await all_fair(circle)

    caplog.set_level(logging.INFO)
    run(story(), 120)
    per_seat = 2 + round(60 / min(QUIET_SECONDS, RESEND_SECONDS))
    assert sum(record.name.startswith("p2p") for record in caplog.records) < 2 * per_seat
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR or "\x1b" in record.getMessage()]


@pytest.mark.slow
@pytest.mark.parametrize("past", ["behind", "another"])
def test_heartbeats_get_the_transcript_once_in_a_while_and_not_for_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, past: str
) -> None:
    """The transcript is large: a seat that asks for it again and again, on new connections too, would keep the others
    sending.
    """

    async def story() -> None:
        async with circle_of_tables(tmp_path, FEW_CARDS) as circle:
            await circle.seat(3)
            hostile, host = circle.tables[HOSTILE], circle.tables[0]
            await until(lambda: all(table.peer is not None and table.peer.slot[0] > 1 for table in circle.tables))
            assert hostile.peer is not None
            game_id, (*own, (count, _)) = hostile.peer.table.game_id, hostile.peer.have
            beat = have_frame(game_id, (*own, (count, bytes(32)) if past == "another" else (0, START)))
            to_hostile = links_of(host)[identity_of(hostile).public]
            relayed: Counter[object] = Counter()
            right = Link.send

            def send(link: Link, frame: Frame) -> None:
                match frame:
                    case ("envelope", bytes() as data) if link is to_hostile and Envelope.unpack(data).seat == 2:
                        relayed[data] += 1
                right(link, frame)

            monkeypatch.setattr(Link, "send", send)
            link, begun = links_of(hostile)[identity_of(host).public], asyncio.get_running_loop().time()
            for connection in range(4):
                for _ in range(100):
                    link.send(beat)
                host.chat.say("so far")
                await until(lambda connection=connection: len(hostile.chat.lines) > connection)  # type: ignore[misc]
                if connection < 3:
                    wire_of(link).abort("cut")
                    await until(lambda: not link.connected)
                    await until(lambda: link.connected and 1 not in host.reconnection.away)
            passed = asyncio.get_running_loop().time() - begun
            assert 1 <= max(relayed.values()) <= 1 + passed / RESEND_SECONDS
            await circle.play()
            await all_fair(circle)

    run(story(), 120)


async def all_fair(circle: Circle) -> None:
    await circle.all("done")
    assert {table.ending.verdict.code for table in circle.tables if table.ending.verdict is not None} == {"fair"}
    assert len({table.ending.record.read_bytes() for table in circle.tables if table.ending.record is not None}) == 1


def test_junk_of_a_seat_does_not_fill_the_disk(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            (journal,) = (tables.ana / FOLDER).iterdir()
            tables.guest.chat.say("before")
            await until(lambda: tables.host.chat.lines)
            size = journal.stat().st_size
            for link in links_of(tables.guest).values():
                for _ in range(50):
                    link.send(("envelope", bytes(100_000)))
            tables.guest.chat.say("after")
            await until(lambda: len(tables.host.chat.lines) == 2)
            assert journal.stat().st_size - size < 2000

    run(story())


@pytest.mark.slow
def test_what_waits_to_be_taken_is_little_so_that_an_honest_seat_waits_for_few_bad_envelopes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An envelope that is slow to read is slow whoever sent it; others wait only for the few before them."""

    async def story() -> None:
        async with circle_of_tables(tmp_path, FEW_CARDS) as circle:
            await circle.seat(3)
            host, hostile = circle.tables[0], circle.tables[HOSTILE]
            for _ in range(500):
                links_of(hostile)[identity_of(host).public].send(("envelope", bytes(1000)))
            await circle.play()
            # One more from each of the two links, and the audit.
            assert max(waited) <= MOST_WAITING + 3
            await all_fair(circle)

    arrived, taken = count(1), list[int]()
    waited: list[int] = []
    receive = Match.receive

    def received(match: Match, envelope: bytes) -> None:
        if match.seat == 0:
            waited.append(next(arrived) - len(taken))
        receive(match, envelope)

    def applied(peer: Peer, entry: Entry) -> bool:
        if peer.seat == 0 and entry[0] == "received":
            taken.append(1)
        return apply(peer, entry)

    monkeypatch.setattr(Match, "receive", received)
    monkeypatch.setattr(runner, "apply", applied)
    run(story())


def test_many_small_frames_do_not_keep_others_from_the_loop() -> None:
    async def story() -> None:
        wire = FrameProtocol(ChannelTiming())
        frames = 1000
        wire.data_received(encode(("small",)) * frames + encode(("beat",)) * frames + encode(("last",)))
        turns = 0

        async def other() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        task = asyncio.create_task(other())
        while (await wire.receive())[0] != "last":
            pass
        task.cancel()
        assert turns >= 2 * frames // MOST_AT_ONCE - 1

    run(story())


def test_lines_that_others_cause_are_counted_instead_of_written(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    seldom = RateLimitedLog(logging.getLogger("kimberley.p2p.test"))
    for second in range(25):
        seldom.log("something", float(second))
    assert [record.getMessage() for record in caplog.records] == [
        "something",
        "something (and 9 more lines like this)",
        "something (and 9 more lines like this)",
    ]


def test_warnings_of_a_library_that_others_cause_are_counted_and_its_errors_written(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr("kimberley.p2p.base.rate_limited_log.monotonic", lambda: now)
    library = logging.getLogger("library")
    monkeypatch.setattr(library, "filters", [RateLimitedRecords()])
    for second in range(12):
        now = float(second)
        library.warning("%s raised exception.", "send()")
        library.warning("Another one.") if second == 3 else None
        library.error("A fault.") if second in (3, 4) else None
    assert [record.getMessage() for record in caplog.records] == [
        "send() raised exception.",
        "Another one.",
        "A fault.",
        "A fault.",
        "send() raised exception. (and 9 more lines like this)",
    ]


@pytest.mark.slow
def test_who_changes_its_mind_without_end_loses_its_seat(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Each word is passed on to all who sit and all who look: a table can be kept busy with few bytes."""

    async def story() -> None:
        async with circle_of_tables(tmp_path, FEW_CARDS) as circle:
            host = await circle.open(4)
            for _ in range(2):
                await circle.join()
            await until(lambda: len(host.occupants.names) == 3)
            (link,) = links_of(circle.tables[HOSTILE]).values()
            for number in range(2 * MOST_READY):
                link.send(("vote", "ready", number % 2 == 0))
            await until(lambda: len(host.occupants.names) == 2)
            assert host.phase == "open"

    caplog.set_level(logging.WARNING)
    run(story())
    assert sum("keeps changing whether you are ready" in record.getMessage() for record in caplog.records) == 1


def test_more_tables_than_a_network_has_cost_a_line(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    network = Announcements(monkeypatch)

    async def story() -> None:
        async with Browser([LOOPBACK]):
            before = asyncio.all_tasks()
            for number in range(1000):
                network.announce(f"\x1b[2Jtable {number}")
            assert len(asyncio.all_tasks() - before) == MOST_TABLES

    run(story())
    (record,) = caplog.records
    assert "more than 64 tables are announced; [2Jtable 64" in record.getMessage()


# -- what breaks a connection ------------------------------------------------------------------------------------------

BROKEN: dict[str, bytes] = {
    "a frame of 4 GB": b"\xff\xff\xff\xff",
    "a frame beyond the limit": (MOST_FRAME + 1).to_bytes(4, "big"),
    "a browser": b"GET / HTTP/1.1\r\nHost: here\r\n\r\n",
    "no frame": b"\x00\x00\x00\x02\xc1\xc1",
    "a frame without a kind": b"\x00\x00\x00\x01\x90",
    "arrays without end": (1000).to_bytes(4, "big") + b"\x91" * 1000,
    "an array that lies": b"\x00\x00\x00\x05\xdd\xff\xff\xff\xff",
}


@pytest.mark.parametrize("what", first_is_quick(*BROKEN))
def test_bytes_that_are_no_frame_cost_a_seat_its_connection_and_the_table_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, what: str
) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            (link,) = links_of(tables.guest).values()
            wire_of(link).transport.write(BROKEN[what])
            await until(lambda: ": the other side does not speak" in caplog.text)
            await asyncio.gather(*(play(table, Random(table.occupants.seat)) for table in (tables.host, tables.guest)))
            assert {table.ending.verdict and table.ending.verdict.code for table in (tables.host, tables.guest)} == {
                "fair"
            }

    caplog.set_level(logging.INFO)
    run(story())
    assert sum("the other side does not speak" in record.getMessage() for record in caplog.records) == 1


@pytest.mark.slow
def test_a_frame_that_comes_a_byte_at_a_time_holds_up_nobody_but_its_seat(tmp_path: Path) -> None:
    """The largest one that is allowed, never finished: the others play until that seat is needed, and it is named."""

    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.seat(3)
            hostile = circle.tables[HOSTILE]
            wires = [wire_of(link) for link in links_of(hostile).values()]

            async def drip() -> None:
                for wire in wires:
                    wire.transport.write(MOST_FRAME.to_bytes(4, "big"))
                while True:
                    for wire in wires:
                        wire.transport.write(b"\x00")
                    await asyncio.sleep(0.05)

            dripping = asyncio.create_task(drip())
            playing = asyncio.create_task(circle.play())
            for seat in (0, 2):
                table = circle.tables[seat]
                await until(lambda table=table: table.peer is not None and table.peer.waiting == (HOSTILE,))  # type: ignore[misc]
                assert len(wire_of(links_of(table)[identity_of(hostile).public]).frames) < MOST_FRAME
            dripping.cancel()
            playing.cancel()

    run(story())


# -- at the door -------------------------------------------------------------------------------------------------------


def client_hello(version: int) -> bytes:
    """Returns the first message of a client that speaks TLS up to this version and no later one (RFC 5246, section
    7.4.1.2).
    """
    body = version.to_bytes(2, "big") + bytes(32) + b"\0" + b"\0\4\xc0\x2f\x00\x2f" + b"\1\0"
    message = b"\1" + len(body).to_bytes(3, "big") + body
    return b"\x16\3\1" + len(message).to_bytes(2, "big") + message


@pytest.mark.parametrize("version", [0x0300, 0x0301, 0x0302, 0x0303], ids=["SSL 3", "TLS 1.0", "TLS 1.1", "TLS 1.2"])
def test_an_older_tls_is_refused_with_a_line(tmp_path: Path, caplog: pytest.LogCaptureFixture, version: int) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            host = await tables.open()
            reader, writer = await asyncio.open_connection(LOOPBACK, host.port)
            try:
                writer.write(client_hello(version))
                assert await reader.read() in (b"", b"\x15\3\3\0\2\2\x46")
                await until(lambda: caplog.records)
            finally:
                writer.transport.abort()

    caplog.set_level(logging.INFO, "kimberley.p2p.transport.listener")
    run(story())
    assert ["it does not speak TLS 1.3" in record.getMessage() for record in caplog.records] == [True]
