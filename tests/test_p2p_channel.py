"""Channels over real sockets: the hello, heartbeats, loss, and everything that must not get in."""

import asyncio
import logging
import socket
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from p2p.address import DEFAULT_PORT
from p2p.card import Card
from p2p.channel import Channel, Lost, Times, TLSChannel, Wire, pair
from p2p.dial import Look, Unreachable, dial
from p2p.door import MOST_ADDRESSES, Door, Limits, _Gate
from p2p.frames import MOST_FRAME, BadFrame, Frame, Frames, encode
from p2p.hello import Host, Joiner, OtherVersion, Refused, Speaker, software
from p2p.identity import Identity
from p2p.tls import certificate_seen, client_context, server_context
from p2p.trouble import Trouble
from tests.support.asyncs import run, until

LOOPBACK = "127.0.0.1"
PURPOSE: Frame = ("seat",)


class Hall:
    """What a host's door leads to, in these tests."""

    def __init__(self, **options: object) -> None:
        self.identity = Identity.fresh()
        self.card = Card(self.identity.public, "ana", "stones", 1, 1, 2, Speaker((1,), "1.0"))
        self.channels: list[Channel] = []
        self.door = Door(self.identity, self.channels.append, lambda: self.card, **options)  # type: ignore[arg-type]

    async def guest(self, identity: Identity | None = None) -> tuple[TLSChannel, Channel]:
        """Both ends of a new channel."""
        channel = await dial(LOOPBACK, self.door.port, identity or Identity.fresh(), PURPOSE)
        await until(lambda: self.channels)
        return channel, self.channels.pop()


@asynccontextmanager
async def hall(**options: object) -> AsyncIterator[Hall]:
    host = Hall(**options)
    await host.door.open(0, LOOPBACK)
    try:
        yield host
    finally:
        await host.door.close()
        for channel in host.channels:
            await channel.close()


@asynccontextmanager
async def raw(port: int, *, tls: bool = True) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A connection that does as it likes."""
    reader, writer = await asyncio.open_connection(
        LOOPBACK, port, ssl=client_context() if tls else None, server_hostname="" if tls else None
    )
    try:
        yield reader, writer
    finally:
        writer.transport.abort()
        await asyncio.sleep(0)


async def frame_from(reader: asyncio.StreamReader) -> Frame:
    """The next frame on a raw connection."""
    frames = Frames()
    while (frame := frames.next()) is None:
        data = await reader.read(4096)
        assert data, "the connection ended"
        frames.feed(data)
    return frame


async def ends(reader: asyncio.StreamReader) -> bool:
    """Whether the other side ends the connection."""
    try:
        while await reader.read(4096):
            pass
    except (ConnectionError, ssl.SSLError):
        pass
    return True


# -- the hello ---------------------------------------------------------------------------------------------------------


def test_both_sides_learn_who_the_other_is_and_what_for() -> None:
    async def play() -> None:
        async with hall() as host:
            ben = Identity.fresh()
            joined, received = await host.guest(ben)
            assert (joined.peer, received.peer) == (host.identity.public, ben.public)
            assert joined.purpose == received.purpose == PURPOSE
            assert received.address == LOOPBACK
            joined.send(("text", "hello", 1))
            received.send(("text", b"bytes", (None, True)))
            assert await received.receive() == ("text", "hello", 1)
            assert await joined.receive() == ("text", b"bytes", (None, True))
            await joined.close()
            with pytest.raises(Lost, match="the other side closed"):
                await received.receive()

    run(play())


def test_frames_of_the_largest_size_pass_in_both_directions() -> None:
    async def play() -> None:
        async with hall() as host:
            joined, received = await host.guest()
            large = ("large", bytes(MOST_FRAME - 20))
            for _ in range(3):
                joined.send(large)
                received.send(large)
            for _ in range(3):
                assert await joined.receive() == large
                assert await received.receive() == large
            with pytest.raises(BadFrame):
                joined.send(("large", bytes(MOST_FRAME)))
            joined.send(("small",))
            assert await received.receive() == ("small",)
            await joined.close()

    run(play())


def test_tls_is_1_3_without_tickets() -> None:
    async def play() -> None:
        async with hall() as host, raw(host.door.port) as (_, writer):
            connection = writer.get_extra_info("ssl_object")
            assert connection.version() == "TLSv1.3"
            assert connection.session is None or not connection.session.has_ticket
            old = client_context()
            old.minimum_version = old.maximum_version = ssl.TLSVersion.TLSv1_2
            with pytest.raises((ssl.SSLError, ConnectionError)):
                await asyncio.open_connection(LOOPBACK, host.door.port, ssl=old, server_hostname="")

    run(play())


def test_each_run_has_a_certificate_of_its_own() -> None:
    assert server_context()[1] != server_context()[1]


def test_the_same_identity_on_both_sides_is_refused() -> None:
    async def play() -> None:
        async with hall() as host:
            with pytest.raises(Refused, match=r"same identity.*--data"):
                await dial(LOOPBACK, host.door.port, host.identity, PURPOSE)
            assert not host.channels

    run(play())


def test_another_identity_than_the_expected_one_is_refused() -> None:
    async def play() -> None:
        async with hall() as host:
            with pytest.raises(Refused, match="Somebody else"):
                await dial(LOOPBACK, host.door.port, Identity.fresh(), PURPOSE, expected=bytes(32))
            channel = await dial(LOOPBACK, host.door.port, Identity.fresh(), PURPOSE, expected=host.identity.public)
            await channel.close()

    run(play())


@pytest.mark.parametrize(("older", "newer"), [((1,), (2, 3)), ((2, 3), (1,))])
def test_other_versions_are_named_on_both_sides(
    caplog: pytest.LogCaptureFixture, older: tuple[int, ...], newer: tuple[int, ...]
) -> None:
    async def play() -> None:
        async with hall(speaker=Speaker(older, "1.9")) as host:
            with pytest.raises(OtherVersion) as caught:
                await dial(LOOPBACK, host.door.port, Identity.fresh(), PURPOSE, speaker=Speaker(newer, "2.0"))
            sentence = str(caught.value)
            assert str(Speaker(older, "1.9")) in sentence
            assert str(Speaker(newer, "2.0")) in sentence
            await until(lambda: sentence in caplog.text)
            assert not host.channels

    caplog.set_level(logging.INFO)
    run(play())


def test_a_later_version_is_named_whatever_its_hello_holds_besides(caplog: pytest.LogCaptureFixture) -> None:
    async def play() -> None:
        async with hall() as host, raw(host.door.port) as (reader, writer):
            writer.write(encode(("hello", (7,), "9.9", ("something", 1), None, True)))
            assert (await frame_from(reader))[:3] == ("hello", (2,), software())
            assert await ends(reader)

    caplog.set_level(logging.INFO)
    run(play())
    assert "9.9 (protocol revision 7)" in caplog.text
    assert f"Kimberley {software()} (protocol revision 2)" in caplog.text


def test_a_man_in_the_middle_is_found_out_by_the_host() -> None:
    """He passes every frame on as it is, and can only show a certificate of his own."""

    async def play() -> None:
        async with hall() as host:
            middle, _ = server_context()
            seen: list[str] = []

            async def between(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                async with raw(host.door.port) as (onward, back):

                    async def copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
                        while data := await source.read(4096):
                            target.write(data)

                    copies = [asyncio.create_task(copy(reader, back)), asyncio.create_task(copy(onward, writer))]
                    await asyncio.wait(copies, return_when=asyncio.FIRST_COMPLETED)
                    for task in copies:
                        task.cancel()
                    writer.close()
                    seen.append("passed on")

            server = await asyncio.start_server(between, LOOPBACK, 0, ssl=middle)
            port = server.sockets[0].getsockname()[1]
            with pytest.raises(Refused, match="somebody may be in the middle"):
                await dial(LOOPBACK, port, Identity.fresh(), PURPOSE)
            await until(lambda: seen)
            server.close()
            assert not host.channels

    run(play())


def test_what_is_signed_binds_role_nonces_purpose_and_certificate() -> None:
    ana, ben = Identity.fresh(), Identity.fresh()
    here, elsewhere = bytes(32), bytes([1]) * 32

    def meet(purpose: Frame = PURPOSE, certificate: bytes = here) -> tuple[Joiner, Host, Frame]:
        joiner, host = Joiner(ben, PURPOSE, here), Host(ana, certificate)
        m3 = joiner.second(host.first(joiner.first()))
        return joiner, host, (m3[0], m3[1], purpose, m3[3])

    joiner, host, m3 = meet()
    m4 = host.second(m3)
    joiner.done(m4)
    altered = meet(purpose=("watch",)), meet(certificate=elsewhere), (*meet()[:2], m3)
    for _, host, proof in altered:
        with pytest.raises(Refused, match="in the middle"):
            host.second(proof)
    # The joiner's own signature, sent back to it, proves nothing; nor does the host's of another hello.
    for signature in (m3[3], m4[1]):
        joiner, _, _ = meet()
        with pytest.raises(Refused, match="in the middle"):
            joiner.done(("proven", signature))


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
        async with hall(limits=Limits(hello=0.5)) as host:
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
        (encode(("what", 1)), "did not answer as a peer"),
        (encode(("hello", (2,), "1.0")), "did not say hello as the protocol asks"),
        (encode(("hello", (2,), "1.0", bytes(32), bytes(32))), "did not say hello as the protocol asks"),
        (encode(("hello", (2,), "1.0", bytes(31), bytes(32))), "did not say hello as the protocol asks"),
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
                    seen = certificate_seen(writer.get_extra_info("ssl_object"))
                    joiner = Joiner(ben, purpose, seen)
                    writer.write(encode(joiner.first()))
                    m3 = joiner.second(await frame_from(reader))
                    signature = bytes(64) if signer is None else signer.sign("hello", b"")
                    writer.write(encode((*m3[:3], signature)))
                    answer = await frame_from(reader)
                    assert answer[0] == "refused"
                    assert "in the middle" in str(answer[1])
            assert not host.channels

    run(play())


def test_who_says_nothing_or_drips_is_dropped_in_time(caplog: pytest.LogCaptureFixture) -> None:
    async def drip(port: int, *, tls: bool) -> None:
        async with raw(port, tls=tls) as (reader, writer):
            end = asyncio.create_task(ends(reader))
            for byte in encode(("hello", (2,), "1.0", bytes(32), bytes(2000))):
                if end.done():
                    break
                writer.write(bytes([byte]))
                await asyncio.sleep(0.02)
            assert await end

    async def play() -> None:
        async with hall(limits=Limits(hello=0.3)) as host:
            async with raw(host.door.port, tls=False) as (reader, _):
                assert await ends(reader)
            async with raw(host.door.port) as (reader, _):
                assert await ends(reader)
            await drip(host.door.port, tls=True)
            await (await host.guest())[0].close()

    caplog.set_level(logging.INFO)
    run(play())
    assert len(caplog.records) == 3


def test_a_flood_is_turned_away_and_costs_a_line(caplog: pytest.LogCaptureFixture) -> None:
    async def play() -> None:
        async with hall(limits=Limits(hello=0.5, pending_each=4, rate=50, burst=100)) as host:
            flood = []
            for _ in range(600):
                connection = socket.socket()
                connection.setblocking(False)
                await asyncio.get_running_loop().sock_connect(connection, (LOOPBACK, host.door.port))
                flood.append(connection)
            for connection in flood:
                connection.close()
            await until(lambda: "were refused: too many" in caplog.text)
            lines = len(caplog.records)
            # Those who behave get in again as soon as the flood ends.
            await asyncio.sleep(0.6)
            await (await host.guest())[0].close()
            assert lines < 150

    caplog.set_level(logging.INFO)
    run(play())


def test_the_gate_forgets_addresses_and_recovers() -> None:
    gate = _Gate(rate=2, burst=3)
    assert [gate.lets("a", 0.0, True) for _ in range(5)] == [True, True, True, False, False]
    assert [gate.lets("a", 1.0, True) for _ in range(3)] == [True, True, False]
    assert not gate.lets("b", 1.0, False)
    for number in range(5000):
        gate.lets(str(number), 2.0, True)
    assert len(gate._left) <= MOST_ADDRESSES


# -- a channel that lives ----------------------------------------------------------------------------------------------


def test_a_silent_peer_is_lost_and_a_beating_one_is_not() -> None:
    async def play() -> None:
        times = Times(beat=0.05, idle=0.4)
        async with hall(times=times) as host:
            alive = await dial(LOOPBACK, host.door.port, Identity.fresh(), PURPOSE, times=times)
            await until(lambda: len(host.channels) == 1)
            mute = await dial(LOOPBACK, host.door.port, Identity.fresh(), PURPOSE, times=replace(times, beat=60))
            await until(lambda: len(host.channels) == 2)
            kept, lost = host.channels
            with pytest.raises(Lost, match="nothing was heard"):
                await lost.receive()
            alive.send(("still", "here"))
            assert await kept.receive() == ("still", "here")
            await alive.close()
            await mute.close()

    run(play())


def test_heartbeats_carry_what_they_are_given() -> None:
    async def play() -> None:
        times = Times(beat=0.05)
        async with hall(times=times) as host:
            joined = await dial(LOOPBACK, host.door.port, Identity.fresh(), PURPOSE, times=times)
            await until(lambda: host.channels)
            heard: list[Frame] = []
            host.channels[0].beat = lambda: (b"head", 7)
            joined.on_beat = heard.append
            reading = asyncio.create_task(joined.receive())
            await until(lambda: (b"head", 7) in heard)
            host.channels[0].send(("frame",))
            assert await reading == ("frame",)
            await joined.close()

    run(play())


def test_who_does_not_read_is_lost_instead_of_filling_memory() -> None:
    async def play() -> None:
        async with hall() as host:
            joined, received = await host.guest()
            for _ in range(64):
                received.send(("large", bytes(MOST_FRAME - 100)))
            with pytest.raises(Lost, match="does not read"):
                await received.receive()
            await joined.close()

    run(play())


def test_an_oversized_or_garbled_frame_ends_only_its_own_channel() -> None:
    async def play() -> None:
        async with hall() as host:
            joined, received = await host.guest()
            bystander, other = await host.guest()
            joined._wire.transport.write((MOST_FRAME + 1).to_bytes(4, "big"))
            with pytest.raises(Lost, match="a frame of 1048577 bytes; 1048576 at most"):
                await received.receive()
            bystander.send(("fine",))
            assert await other.receive() == ("fine",)
            await joined.close()
            await bystander.close()

    run(play())


def test_what_was_sent_before_closing_arrives() -> None:
    async def play() -> None:
        async with hall() as host:
            joined, received = await host.guest()
            for number in range(50):
                joined.send(("number", number, bytes(10_000)))
            await joined.close()
            for number in range(50):
                assert (await received.receive())[1] == number
            with pytest.raises(Lost):
                await received.receive()
            received.send(("too late",))

    run(play())


def test_channels_in_memory_behave_like_those_on_the_network() -> None:
    async def play() -> None:
        ana, ben = Identity.fresh(), Identity.fresh()
        at_host, at_joiner = pair(ana, ben, PURPOSE)
        assert (at_host.peer, at_joiner.peer) == (ben.public, ana.public)
        assert at_host.local
        waiting = asyncio.create_task(at_host.receive())
        at_joiner.send(("list", ["as", "tuple"]))  # type: ignore[arg-type]
        assert await waiting == ("list", ("as", "tuple"))
        at_host.send(("last",))
        with pytest.raises(BadFrame):
            at_host.send(("large", bytes(MOST_FRAME)))
        await at_host.close()
        assert await at_joiner.receive() == ("last",)
        for end in (at_host, at_joiner):
            end.send(("nobody hears this",))
            with pytest.raises(Lost):
                await end.receive()

    run(play())


# -- looking -----------------------------------------------------------------------------------------------------------


def test_who_looks_sees_the_card_and_its_changes() -> None:
    async def play() -> None:
        async with hall() as host:
            look = await Look.at(LOOPBACK, host.door.port)
            assert look.card == host.card
            assert not await look.ping(5)
            assert 0 < look.round_trip < 5
            host.card = replace(host.card, taken=2)
            host.door.changed()
            assert await look.news(5)
            assert look.card.taken == 2
            assert not await look.news(0.01)
            await host.door.close()
            with pytest.raises(Unreachable):
                await look.ping(5)

    run(play())


def test_text_on_a_card_is_made_safe() -> None:
    card = Card(bytes(32), "a\x1b[2Jna\u202e", "sto\nnes", 1, 1, 2, Speaker((1,), "1\x07"))
    read = Card.read(card.frame())
    assert (read.nickname, read.game, read.speaker.software) == ("a[2Jna", "sto nes", "1")


@pytest.mark.parametrize("change", [{"taken": 3}, {"taken": -1}, {"seats": 1000}, {"identity": b""}])
def test_a_card_that_cannot_be_is_refused(change: dict[str, object]) -> None:
    card = Card(bytes(32), "ana", "stones", 1, 1, 2, Speaker((1,), "1"))
    with pytest.raises(Trouble):
        Card.read(replace(card, **change).frame())  # type: ignore[arg-type]


def test_lookers_are_limited_and_do_not_keep_players_out() -> None:
    async def play() -> None:
        async with hall(limits=Limits(lookers_each=3, look=0.4)) as host:
            looks = [await Look.at(LOOPBACK, host.door.port) for _ in range(3)]
            with pytest.raises(Unreachable, match="Too many look"):
                await Look.at(LOOPBACK, host.door.port)
            await (await host.guest())[0].close()
            for look in looks:
                with pytest.raises(Unreachable):
                    await look.news(5)
            await (await Look.at(LOOPBACK, host.door.port)).close()
            for look in looks:
                await look.close()

    run(play())


# -- where nobody answers ----------------------------------------------------------------------------------------------


def free_port() -> int:
    with socket.create_server((LOOPBACK, 0)) as listener:
        return int(listener.getsockname()[1])


def test_nobody_there() -> None:
    async def play() -> None:
        with pytest.raises(Unreachable, match=r"Nobody hosts a table at 127\.0\.0\.1:"):
            await dial(LOOPBACK, free_port(), Identity.fresh(), PURPOSE)
        with pytest.raises(Unreachable, match="no machine called"):
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
        for attempt in (lambda: dial(LOOPBACK, port, Identity.fresh(), PURPOSE), lambda: Look.at(LOOPBACK, port)):
            with pytest.raises(Unreachable, match=f"127.0.0.1:{port}"):
                await attempt()
        server.close()
        await server.wait_closed()

    run(play())


def test_the_next_free_port_is_taken() -> None:
    async def play() -> None:
        doors: list[Door] = []
        for _ in range(3):
            identity = Identity.fresh()
            card = Card(identity.public, "ana", "stones", 1, 1, 2, Speaker.own())
            door = Door(identity, lambda channel: None, lambda card=card: card)  # type: ignore[misc]
            await door.open(bind=LOOPBACK)
            doors.append(door)
        ports = [door.port for door in doors]
        assert ports == sorted(set(ports))
        assert all(DEFAULT_PORT <= port < DEFAULT_PORT + 20 for port in ports)
        with pytest.raises(Trouble, match=f"{ports[0]} .*--port"):
            await doors[1].open(ports[0], LOOPBACK)
        for door in doors:
            await door.close()

    run(play())


def test_every_address_of_the_machine_is_listened_at() -> None:
    async def play() -> None:
        identity = Identity.fresh()
        card = Card(identity.public, "ana", "stones", 1, 1, 2, Speaker.own())
        door = Door(identity, lambda channel: None, lambda: card)
        await door.open(0)
        for address in (LOOPBACK, "localhost", *(["::1"] if socket.has_dualstack_ipv6() else [])):
            look = await Look.at(address, door.port)
            assert look.card.identity == identity.public
            await look.close()
        await door.close()

    run(play())


def test_a_wire_is_not_used_before_it_is_connected() -> None:
    async def play() -> None:
        wire = Wire(Times())
        wire.send(("nowhere",))
        await wire.close()
        with pytest.raises(Lost):
            await wire.receive()

    run(play())
