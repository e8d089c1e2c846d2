"""Channels over real sockets: the hello, heartbeats and loss."""

import asyncio
import logging
import os
import socket
import ssl
from asyncio.sslproto import _SSLProtocolTransport
from dataclasses import replace
from typing import Any

import pytest

from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.transport.channel import ChannelClosed, ChannelTiming, TLSChannel, memory_pair
from kimberley.p2p.transport.dial import CardProbe, Unreachable, dial
from kimberley.p2p.transport.frames import MOST_FRAME, BadFrame, Frame, encode
from kimberley.p2p.transport.handshake import (
    ConnectionRejected,
    HostHandshake,
    JoinerHandshake,
    PeerVersion,
    VersionMismatch,
    software,
)
from kimberley.p2p.transport.tls import client_context, server_context
from tests.support.asyncs import run, until
from tests.support.hall import LOOPBACK, PURPOSE, ends, frame_from, hall, raw

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
            with pytest.raises(ChannelClosed, match="the other side closed"):
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
            with pytest.raises(ConnectionRejected, match=r"same identity.*--data"):
                await dial(LOOPBACK, host.door.port, host.identity, PURPOSE)
            assert not host.channels

    run(play())


def test_another_identity_than_the_expected_one_is_refused() -> None:
    async def play() -> None:
        async with hall() as host:
            with pytest.raises(ConnectionRejected, match="Someone else"):
                await dial(LOOPBACK, host.door.port, Identity.fresh(), PURPOSE, expected=bytes(32))
            channel = await dial(LOOPBACK, host.door.port, Identity.fresh(), PURPOSE, expected=host.identity.public)
            await channel.close()

    run(play())


@pytest.mark.parametrize(("older", "newer"), [((1,), (2, 3)), ((2, 3), (1,))])
def test_other_versions_are_named_on_both_sides(
    caplog: pytest.LogCaptureFixture, older: tuple[int, ...], newer: tuple[int, ...]
) -> None:
    async def play() -> None:
        async with hall(speaker=PeerVersion(older, "1.9")) as host:
            with pytest.raises(VersionMismatch) as caught:
                await dial(LOOPBACK, host.door.port, Identity.fresh(), PURPOSE, speaker=PeerVersion(newer, "2.0"))
            sentence = str(caught.value)
            assert str(PeerVersion(older, "1.9")) in sentence
            assert str(PeerVersion(newer, "2.0")) in sentence
            await until(lambda: sentence in caplog.text)
            assert not host.channels

    caplog.set_level(logging.INFO)
    run(play())


def test_a_later_version_is_named_whatever_its_hello_holds_besides(caplog: pytest.LogCaptureFixture) -> None:
    async def play() -> None:
        async with hall() as host, raw(host.door.port) as (reader, writer):
            writer.write(encode(("hello", (7,), "9.9", ("something", 1), None, True)))
            assert (await frame_from(reader))[:3] == ("hello", (3,), software())
            assert await ends(reader)

    caplog.set_level(logging.INFO)
    run(play())
    assert "9.9 (protocol revision 7)" in caplog.text
    assert f"Kimberley {software()} (protocol revision 3)" in caplog.text


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
            with pytest.raises(ConnectionRejected, match="Someone may be tampering with the connection"):
                await dial(LOOPBACK, port, Identity.fresh(), PURPOSE)
            await until(lambda: seen)
            server.close()
            assert not host.channels

    run(play())


def test_what_is_signed_binds_role_nonces_purpose_and_certificate() -> None:
    ana, ben = Identity.fresh(), Identity.fresh()
    here, elsewhere = bytes(32), bytes([1]) * 32

    def meet(purpose: Frame = PURPOSE, certificate: bytes = here) -> tuple[JoinerHandshake, HostHandshake, Frame]:
        joiner, host = JoinerHandshake(ben, PURPOSE, here), HostHandshake(ana, certificate)
        m3 = joiner.on_hello(host.on_hello(joiner.hello()))
        return joiner, host, (m3[0], m3[1], purpose, m3[3])

    joiner, host, m3 = meet()
    m4 = host.on_proof(m3)
    joiner.on_proof(m4)
    altered = meet(purpose=("watch",)), meet(certificate=elsewhere), (*meet()[:2], m3)
    for _, host, proof in altered:
        with pytest.raises(ConnectionRejected, match="be tampering with the connection"):
            host.on_proof(proof)
    # The joiner's own signature, sent back to it, proves nothing; nor does the host's of another hello.
    for signature in (m3[3], m4[1]):
        joiner, _, _ = meet()
        with pytest.raises(ConnectionRejected, match="be tampering with the connection"):
            joiner.on_proof(("proven", signature))


@pytest.mark.parametrize("host", ["a..b", f"{'a' * 64}.local", f"fe80::1%{'e' * 70}"])
def test_a_name_that_cannot_be_looked_up_leads_nowhere(host: str) -> None:
    with pytest.raises(Unreachable, match="No table or computer called"):
        run(dial(host, 7411, Identity.fresh(), PURPOSE))


@pytest.mark.slow
def test_a_service_that_stays_silent_does_not_answer() -> None:
    async def play() -> None:
        mute = await asyncio.start_server(lambda _reader, _writer: None, LOOPBACK, 0, ssl=server_context()[0])
        async with mute:
            port = mute.sockets[0].getsockname()[1]
            with pytest.raises(Unreachable, match="accepted the connection, but does not answer"):
                await CardProbe.connect(LOOPBACK, port, 0.5)

    run(play())


@pytest.mark.parametrize("answer", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"SSH-2.0-OpenSSH_9.6\r\n"])
def test_a_service_that_is_no_table_is_called_so_without_its_bytes(answer: bytes) -> None:
    async def reply(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(4)
        writer.write(answer)
        writer.close()

    async def play() -> None:
        service = await asyncio.start_server(reply, LOOPBACK, 0, ssl=server_context()[0])
        async with service:
            port = service.sockets[0].getsockname()[1]
            said = f"^Something answers at {LOOPBACK}:{port}, but it is not a Kimberley table. Check the address and"
            with pytest.raises(Unreachable, match=said):
                await dial(LOOPBACK, port, Identity.fresh(), PURPOSE)
            with pytest.raises(Unreachable, match=said):
                await CardProbe.connect(LOOPBACK, port, 5)

    run(play())


# -- a channel that lives ----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_silent_peer_is_lost_and_a_beating_one_is_not() -> None:
    async def play() -> None:
        times = ChannelTiming(beat=0.05, idle=0.4)
        async with hall(times=times) as host:
            alive = await dial(LOOPBACK, host.door.port, Identity.fresh(), PURPOSE, times=times)
            await until(lambda: len(host.channels) == 1)
            mute = await dial(LOOPBACK, host.door.port, Identity.fresh(), PURPOSE, times=replace(times, beat=60))
            await until(lambda: len(host.channels) == 2)
            kept, lost = host.channels
            with pytest.raises(ChannelClosed, match="no answer"):
                await lost.receive()
            alive.send(("still", "here"))
            assert await kept.receive() == ("still", "here")
            await alive.close()
            await mute.close()

    run(play())


def test_a_heartbeat_is_what_the_channel_is_given() -> None:
    async def play() -> None:
        times = ChannelTiming(beat=0.05)
        async with hall(times=times) as host:
            joined = await dial(LOOPBACK, host.door.port, Identity.fresh(), PURPOSE, times=times)
            await until(lambda: host.channels)
            host.channels[0].heartbeat = lambda: ("have", 7)
            assert await joined.receive() == ("have", 7)
            host.channels[0].heartbeat = None
            host.channels[0].send(("frame",))
            while (frame := await joined.receive()) == ("have", 7):
                pass
            assert frame == ("frame",), "the plain heartbeat is no frame to receive"
            await joined.close()

    run(play())


def test_who_does_not_read_is_lost_instead_of_filling_memory() -> None:
    async def play() -> None:
        async with hall() as host:
            joined, received = await host.guest()
            for _ in range(64):
                received.send(("large", bytes(MOST_FRAME - 100)))
            with pytest.raises(ChannelClosed, match="not receiving"):
                await received.receive()
            await joined.close()

    run(play())


def test_frames_for_somebody_who_is_gone_cost_one_line_at_most(caplog: pytest.LogCaptureFixture) -> None:
    """After the first few, asyncio logs each write to a connection that has broken."""

    async def play() -> None:
        async with hall() as host:
            joined, received = await host.guest()
            assert isinstance(joined, TLSChannel)
            fd = os.dup(joined.protocol.transport.get_extra_info("socket").fileno())
            with socket.socket(fileno=fd) as end:
                end.shutdown(socket.SHUT_RDWR)
            # Before the event loop hears of it.
            for _ in range(100):
                received.send(("again", True))
            with pytest.raises(ChannelClosed):
                await received.receive()
            await joined.close()
            await received.close()

    run(play())
    assert len([record for record in caplog.records if record.name == "asyncio"]) <= 1


def test_an_oversized_or_garbled_frame_ends_only_its_own_channel() -> None:
    async def play() -> None:
        async with hall() as host:
            joined, received = await host.guest()
            bystander, other = await host.guest()
            assert isinstance(joined, TLSChannel)
            joined.protocol.transport.write((MOST_FRAME + 1).to_bytes(4, "big"))
            with pytest.raises(ChannelClosed, match="a frame of 1048577 bytes; 1048576 at most"):
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
            with pytest.raises(ChannelClosed):
                await received.receive()
            received.send(("too late",))

    run(play())


@pytest.mark.parametrize("who", ["joined", "received"])
def test_a_channel_closes_twice_on_a_python_that_aborts_a_closed_connection_badly(
    who: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = _SSLProtocolTransport.abort

    def abort(transport: Any) -> None:
        """Aborts as Python up to 3.11.2 does, which did not ask. That is inside asyncio, so only code inside it can
        imitate it.
        """
        if transport._ssl_protocol is None:
            raise AttributeError("'NoneType' object has no attribute '_abort'")
        now(transport)

    async def play() -> None:
        async with hall() as host:
            channels = dict(zip(("joined", "received"), await host.guest(), strict=True))
            await channels[who].close()
            for channel in channels.values():
                with pytest.raises(ChannelClosed):
                    await channel.receive()
            for channel in channels.values():
                await asyncio.gather(channel.close(), channel.close())

    monkeypatch.setattr(_SSLProtocolTransport, "abort", abort)
    run(play())


def test_channels_in_memory_behave_like_those_on_the_network() -> None:
    async def play() -> None:
        ana, ben = Identity.fresh(), Identity.fresh()
        at_host, at_joiner = memory_pair(ana, ben, PURPOSE)
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
            with pytest.raises(ChannelClosed):
                await end.receive()

    run(play())
