"""Doors: what must not get in, who only looks, and where nobody answers."""

import asyncio
import contextlib
import gc
import logging
import socket
from asyncio.sslproto import SSLProtocol
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from weakref import WeakSet

import pytest

from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.token_bucket import MOST_ADDRESSES
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.transport.address import origin
from kimberley.p2p.transport.channel import ChannelClosed, ChannelTiming, FrameProtocol
from kimberley.p2p.transport.connection_limits import AcceptRateLimiter, ConnectionLimiter, ConnectionSlot
from kimberley.p2p.transport.dial import CardProbe, Unreachable, dial
from kimberley.p2p.transport.frames import encode
from kimberley.p2p.transport.handshake import JoinerHandshake, PeerVersion
from kimberley.p2p.transport.listener import Listener, ListenerLimits
from kimberley.p2p.transport.ports import DEFAULT_PORT
from kimberley.p2p.transport.table_card import TableCard
from kimberley.p2p.transport.tls import peer_certificate_hash, server_context
from tests.support.asyncs import run, settled, until
from tests.support.hall import LOOPBACK, PURPOSE, Hall, ends, frame_from, free_port, hall, raw

# -- what is left of those that are gone -------------------------------------------------------------------------------


class Kept:
    """What TLS has made for connections, as long as it exists."""

    def __init__(self) -> None:
        self.made = 0
        self.there: WeakSet[SSLProtocol] = WeakSet()


@pytest.fixture
def tls(monkeypatch: pytest.MonkeyPatch) -> Iterator[Kept]:
    """Notes what TLS makes, while Python collects no garbage."""
    kept = Kept()

    class Noted(SSLProtocol):
        def __init__(self, *arguments: Any, **named: Any) -> None:
            super().__init__(*arguments, **named)
            kept.made += 1
            kept.there.add(self)

    monkeypatch.setattr("asyncio.sslproto.SSLProtocol", Noted)
    gc.disable()
    yield kept
    gc.enable()


@pytest.mark.slow
@pytest.mark.parametrize("sent", [None, b"", b"GET / HTTP/1.1\r\n\r\n", b"\x16\x03\x01"])
def test_nothing_is_left_of_a_connection_that_never_finishes_tls(tls: Kept, sent: bytes | None) -> None:
    """Where `sent` is None, each goes at once. Otherwise the first make way for later ones, and the time limit ends the
    last, unless what they say ends them before.
    """

    async def play() -> None:
        async with hall(limits=ListenerLimits(hello=1.0, pending_each=2)) as host:
            strangers = []
            for number in range(1, 7):
                reader, writer = await asyncio.open_connection(LOOPBACK, host.door.port)
                await until(lambda number=number: tls.made == number)  # type: ignore[misc]
                if sent is None:
                    writer.transport.abort()
                else:
                    writer.write(sent)
                    strangers.append((reader, writer))
            for reader, writer in strangers:
                assert await ends(reader)
                writer.close()
            await settled()
            assert not tls.there

    run(play())


def test_nothing_is_left_of_a_peer_that_is_gone(tls: Kept) -> None:
    async def play() -> None:
        async with hall() as host:
            here, there = await host.guest()
            assert len(tls.there) == 2
            await here.close()
            with pytest.raises(ChannelClosed):
                await there.receive()
            await there.close()
            del here, there
            await settled()
            assert not tls.there

    run(play())


# -- what must not get in ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        b"GET / HTTP/1.1\r\nHost: here\r\n\r\n",
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"\x00" * 64,
        b"\x16\x03\x01\x00\x05hello",
        bytes(range(256)) * 40,
    ],
    ids=["browser", "ssh", "zeros", "half a TLS", "noise"],
)
def test_strangers_that_speak_something_else_cost_a_log_line(caplog: pytest.LogCaptureFixture, data: bytes) -> None:
    async def play() -> None:
        async with hall(limits=ListenerLimits(hello=0.5)) as host:
            async with raw(host.door.port, tls=False) as (reader, writer):
                writer.write(data)
                assert await ends(reader)
            await until(lambda: len(caplog.records) == 1)
            await (await host.guest())[0].close()

    caplog.set_level(logging.INFO)
    run(play())
    assert [record.levelname for record in caplog.records] == ["INFO"]
    assert caplog.records[0].getMessage().startswith(f"{LOOPBACK} dropped: ")


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"GET / HTTP/1.1\r\n\r\n", "a frame of 1195725856 bytes; 4096 at most"),
        ((4097).to_bytes(4, "big"), "a frame of 4097 bytes; 4096 at most"),
        (b"\xff\xff\xff\xff", "a frame of 4294967295 bytes; 4096 at most"),
        (b"\x00\x00\x00\x01\xc1", "dropped"),
        (encode(("what", 1)), "is not a Kimberley table"),
        (encode(("beat",)), "is not a Kimberley table"),
        (encode(("hello", (3,), "1.0")), "does not follow this game’s protocol"),
        (encode(("hello", (3,), "1.0", bytes(32), bytes(32))), "does not follow this game’s protocol"),
        (encode(("hello", (3,), "1.0", bytes(31), bytes(32))), "does not follow this game’s protocol"),
        (encode(("hello", (True,), "1.0", bytes(32), bytes(32))), "protocol revision none"),
        (encode(("hello", ("1",), "\x1b[2J", bytes(32), bytes(32))), "[2J (protocol revision none)"),
    ],
)
def test_strangers_inside_tls_cost_a_log_line(caplog: pytest.LogCaptureFixture, data: bytes, line: str) -> None:
    async def play() -> None:
        async with hall() as host:
            async with raw(host.door.port) as (reader, writer):
                writer.write(data)
                assert await ends(reader)
            await until(lambda: len(caplog.records) == 1)
            await (await host.guest())[0].close()

    caplog.set_level(logging.INFO)
    run(play())
    (record,) = caplog.records
    assert line in record.getMessage()
    assert "\x1b" not in record.getMessage()


def test_a_proof_that_does_not_fit_is_refused() -> None:
    async def play() -> None:
        async with hall() as host:
            ben, eve = Identity.fresh(), Identity.fresh()
            for purpose, signer in ((PURPOSE, eve), (PURPOSE, None)):
                async with raw(host.door.port) as (reader, writer):
                    seen = peer_certificate_hash(writer.get_extra_info("ssl_object"))
                    joiner = JoinerHandshake(ben, purpose, seen)
                    writer.write(encode(joiner.hello()))
                    m3 = joiner.on_hello(await frame_from(reader))
                    signature = bytes(64) if signer is None else signer.sign("hello", b"")
                    writer.write(encode((*m3[:3], signature)))
                    answer = await frame_from(reader)
                    assert answer[0] == "refused"
                    assert "be tampering with the connection" in str(answer[1])
            assert not host.channels

    run(play())


@pytest.mark.slow
def test_who_says_nothing_or_drips_is_dropped_in_time(caplog: pytest.LogCaptureFixture) -> None:
    async def silence(port: int, *, tls: bool) -> None:
        async with raw(port, tls=tls) as (reader, _):
            assert await ends(reader)

    async def drip(port: int, *, tls: bool) -> None:
        async with raw(port, tls=tls) as (reader, writer):
            end = asyncio.create_task(ends(reader))
            for byte in encode(("hello", (3,), "1.0", bytes(32), bytes(2000))):
                if end.done():
                    break
                writer.write(bytes([byte]))
                await asyncio.sleep(0.02)
            assert await end

    async def play() -> None:
        async with hall(limits=ListenerLimits(hello=0.3)) as host:
            port = host.door.port
            await asyncio.gather(silence(port, tls=False), silence(port, tls=True), drip(port, tls=True))
            await (await host.guest())[0].close()

    caplog.set_level(logging.INFO)
    run(play())
    assert len(caplog.records) == 3


@pytest.mark.slow
def test_a_flood_is_turned_away_and_costs_a_line(caplog: pytest.LogCaptureFixture) -> None:
    async def play() -> None:
        async with hall(limits=ListenerLimits(hello=0.5, pending_each=4, rate=50, burst=100)) as host:
            flood = []
            for _ in range(600):
                connection = socket.socket()
                connection.setblocking(False)
                await asyncio.get_running_loop().sock_connect(connection, (LOOPBACK, host.door.port))
                flood.append(connection)
            for connection in flood:
                connection.close()
            await until(lambda: "Too many connections" in caplog.text)
            lines = len(caplog.records)
            # Those who behave get in again once the flood has ended.
            async with asyncio.timeout(60):
                while True:
                    with contextlib.suppress(Unreachable):
                        await (await host.guest())[0].close()
                        break
            assert lines < 150

    caplog.set_level(logging.INFO)
    run(play())


SILENT = [f"127.0.0.{number}" for number in range(2, 6)]


async def silence(port: int, sources: list[str], each: int) -> list[socket.socket]:
    """Returns connections that say nothing, so many from each of these addresses."""
    loop = asyncio.get_running_loop()
    silent = []
    for source in sources * each:
        one = socket.socket()
        one.setblocking(False)
        one.bind((source, 0))
        await loop.sock_connect(one, (LOOPBACK, port))
        silent.append(one)
    return silent


def test_silent_connections_from_four_addresses_keep_nobody_out() -> None:
    async def play() -> None:
        async with hall() as host:
            silent = await silence(host.door.port, SILENT, 8)
            for _ in range(3):
                await (await host.guest())[0].close()
                await (await CardProbe.connect(LOOPBACK, host.door.port)).close()
                silent += await silence(host.door.port, SILENT, 2)
            for one in silent:
                one.close()

    run(play())


def test_a_newcomer_that_is_expected_is_counted_by_itself_and_goes_last() -> None:
    crowd = ConnectionLimiter(4, 2)
    gone: list[str] = []

    def visitor(name: str, where: str, expected: bool = False) -> ConnectionSlot:
        return ConnectionSlot(where, expected, lambda: gone.append(name))

    for name in ("seat", "other"):
        crowd.add(visitor(name, name, expected=True))
    for number in range(4):
        crowd.add(visitor(f"a{number}", "a"))
    assert gone == ["a0", "a1"]
    crowd.add(visitor("b0", "b"))
    assert gone.pop() == "a2"
    crowd.add(visitor("c0", "c"))
    assert gone.pop() == "a3"
    crowd.add(visitor("d0", "d"))
    assert gone.pop() == "b0"
    assert len(crowd) == 4


@pytest.mark.slow
def test_where_many_wait_a_hello_must_begin_within_a_second_of_tls() -> None:
    async def play() -> None:
        async with hall(limits=ListenerLimits(hello=30, begin=0.1, pending_each=2)) as host:
            async with raw(host.door.port) as (reader, writer):
                # One connection may take its time.
                await asyncio.sleep(0.3)
                assert not reader.at_eof()
                silent = await silence(host.door.port, SILENT[:3], 1)
                async with raw(host.door.port) as (late, _):
                    assert await ends(late)
                writer.write(encode(("look",)))
                assert (await frame_from(reader))[0] == "card"
            for one in silent:
                one.close()

    run(play())


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.168.1.7", "192.168.1.7"),
        ("::ffff:192.168.1.7", "192.168.1.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("nowhere", "nowhere"),
    ],
)
def test_connections_are_counted_by_ipv4_address_or_ipv6_network(address: str, counted: str) -> None:
    assert origin(address) == counted


def test_the_gate_forgets_addresses_and_recovers() -> None:
    gate = AcceptRateLimiter(rate=2, burst=3)
    assert [gate.allow("a", 0.0) for _ in range(5)] == [True, True, True, False, False]
    assert [gate.allow("a", 1.0) for _ in range(3)] == [True, True, False]
    assert [gate.allow("b", 1.0) for _ in range(4)] == [True, True, True, False]
    for number in range(MOST_ADDRESSES):
        assert gate.allow(str(number), 1.0)
        gate.count_rejection(str(number), 1.0)
    assert gate.allow("b", 1.0), "so many have come since that b's attempts are forgotten"


def test_rejections_of_more_origins_than_are_counted_are_those_of_elsewhere(caplog: pytest.LogCaptureFixture) -> None:
    gate = AcceptRateLimiter(rate=2, burst=3)
    gate.count_rejection("first", 0.0)
    for number in range(MOST_ADDRESSES + 5):
        gate.count_rejection(str(number), 1.0)
    gate.count_rejection("last", 11.0)
    assert [record.getMessage() for record in caplog.records] == [
        "Too many connections. Refused: 1 (1 from first).",
        f"Too many connections. Refused: {MOST_ADDRESSES + 6} (6 from elsewhere).",
    ]


# -- looking -----------------------------------------------------------------------------------------------------------


def test_who_looks_sees_the_card_and_its_changes() -> None:
    async def play() -> None:
        async with hall() as host:
            look = await CardProbe.connect(LOOPBACK, host.door.port)
            assert look.card == host.card
            assert not await look.ping(5)
            assert 0 < look.round_trip < 5
            host.card = replace(host.card, taken=2)
            host.door.update_card()
            assert await look.wait_for_change(5)
            assert look.card.taken == 2
            assert not await look.wait_for_change(0.01)
            await host.door.close()
            with pytest.raises(Unreachable):
                await look.ping(5)

    run(play())


def test_heartbeats_mean_nothing_where_somebody_only_looks() -> None:
    async def play() -> None:
        async with hall() as host:
            async with raw(host.door.port) as (reader, writer):
                writer.write(encode(("look",)))
                assert await frame_from(reader) == host.card.frame()
                writer.write(encode(("beat",)) + encode(("ping", 7)))
                assert await frame_from(reader) == ("pong", 7)

            async def beat_and_show(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                writer.write(encode(("beat",)) + encode(host.card.frame()))

            server = await asyncio.start_server(beat_and_show, LOOPBACK, 0, ssl=server_context()[0])
            async with server:
                look = await CardProbe.connect(LOOPBACK, server.sockets[0].getsockname()[1])
                assert look.card == host.card
                look.abort()

    run(play())


def test_text_on_a_card_is_made_safe() -> None:
    card = TableCard(bytes(32), "a\x1b[2Jna\u202e", "sto\nnes", 1, 1, 2, PeerVersion((1,), "1\x07"))
    read = TableCard.read(card.frame())
    assert (read.nickname, read.game, read.speaker.software) == ("a[2Jna", "sto nes", "1")


@pytest.mark.parametrize("change", [{"taken": 3}, {"taken": -1}, {"seats": 1000}, {"identity": b""}])
def test_a_card_that_cannot_be_is_refused(change: dict[str, object]) -> None:
    card = TableCard(bytes(32), "ana", "stones", 1, 1, 2, PeerVersion((1,), "1"))
    with pytest.raises(UserError):
        TableCard.read(replace(card, **change).frame())  # type: ignore[arg-type]


def test_a_looker_too_many_takes_the_place_of_the_oldest_and_players_come_in() -> None:
    async def play() -> None:
        async with hall(limits=ListenerLimits(lookers_each=3)) as host:
            looks = [await CardProbe.connect(LOOPBACK, host.door.port) for _ in range(4)]
            with pytest.raises(Unreachable):
                await looks[0].wait_for_change(5)
            await (await host.guest())[0].close()
            for look in looks[1:]:
                assert not await look.ping(5)
            for look in looks:
                await look.close()

    run(play())


@pytest.mark.slow
def test_lookers_that_say_nothing_more_are_dropped() -> None:
    async def play() -> None:
        async with hall(limits=ListenerLimits(look=0.4)) as host:
            look = await CardProbe.connect(LOOPBACK, host.door.port)
            with pytest.raises(Unreachable):
                await look.wait_for_change(5)
            await look.close()

    run(play())


def test_a_listener_that_is_cancelled_while_it_opens_can_still_be_closed() -> None:
    async def play() -> None:
        door = Hall().door
        opening = asyncio.create_task(door.open(0, LOOPBACK))
        await asyncio.sleep(0)
        assert door.port
        opening.cancel()
        await asyncio.wait([opening])
        await door.close()
        with pytest.raises(Unreachable):
            await dial(LOOPBACK, door.port, Identity.fresh(), PURPOSE)

    run(play())


# -- where nobody answers ----------------------------------------------------------------------------------------------


def test_nobody_there() -> None:
    async def play() -> None:
        with pytest.raises(Unreachable, match=r"Nobody is hosting a table at 127\.0\.0\.1:"):
            await dial(LOOPBACK, free_port(), Identity.fresh(), PURPOSE)
        with pytest.raises(Unreachable, match="No table or computer called"):
            await dial("nobody.invalid", 1, Identity.fresh(), PURPOSE)

    run(play())


@pytest.mark.parametrize("tls", [False, True])
def test_something_else_is_there(tls: bool) -> None:
    async def play() -> None:
        async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            writer.close()

        context = server_context()[0] if tls else None
        server = await asyncio.start_server(answer, LOOPBACK, 0, ssl=context)
        port = server.sockets[0].getsockname()[1]
        for attempt in (
            lambda: dial(LOOPBACK, port, Identity.fresh(), PURPOSE),
            lambda: CardProbe.connect(LOOPBACK, port),
        ):
            with pytest.raises(Unreachable, match=f"127.0.0.1:{port}"):
                await attempt()
        server.close()
        await server.wait_closed()

    run(play())


def test_the_next_free_port_is_taken() -> None:
    async def play() -> None:
        doors: list[Listener] = []
        for _ in range(3):
            identity = Identity.fresh()
            card = TableCard(identity.public, "ana", "stones", 1, 1, 2, PeerVersion.own())
            door = Listener(identity, lambda channel: None, lambda card=card: card)  # type: ignore[misc]
            await door.open(bind=LOOPBACK)
            doors.append(door)
        ports = [door.port for door in doors]
        assert ports == sorted(set(ports))
        assert all(DEFAULT_PORT <= port < DEFAULT_PORT + 20 for port in ports)
        with pytest.raises(UserError, match=f"{ports[0]} .*--port"):
            await doors[1].open(ports[0], LOOPBACK)
        for door in doors:
            await door.close()

    run(play())


def test_every_address_of_the_machine_is_listened_at() -> None:
    async def play() -> None:
        identity = Identity.fresh()
        card = TableCard(identity.public, "ana", "stones", 1, 1, 2, PeerVersion.own())
        door = Listener(identity, lambda channel: None, lambda: card)
        await door.open(0)
        for address in (LOOPBACK, "localhost", *(["::1"] if socket.has_dualstack_ipv6() else [])):
            look = await CardProbe.connect(address, door.port)
            assert look.card.identity == identity.public
            await look.close()
        await door.close()

    run(play())


def test_a_wire_is_not_used_before_it_is_connected() -> None:
    async def play() -> None:
        wire = FrameProtocol(ChannelTiming())
        wire.send(("nowhere",))
        await wire.close()
        with pytest.raises(ChannelClosed):
            await wire.receive()

    run(play())
