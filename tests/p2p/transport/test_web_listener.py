"""The page's port as a door: who may open a WebSocket there, and what strangers may do with it."""

from __future__ import annotations

import asyncio
import gc
import logging
import socket
import struct
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any
from weakref import WeakSet

import pytest
from websockets.datastructures import Headers
from websockets.frames import Frame as WebSocketFrame
from websockets.frames import Opcode

from kimberley.p2p.base.message_socket import MessageSocket
from kimberley.p2p.sharing.server import FileServer, ServedFile, ServerLimits
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.transport.channel import Channel, ChannelClosed, ChannelTiming
from kimberley.p2p.transport.dial import Unreachable, dial
from kimberley.p2p.transport.frames import MOST_FRAME, MOST_HELLO, BadFrame, Frame
from kimberley.p2p.transport.handshake import ConnectionRejected, JoinerHandshake, PeerVersion
from kimberley.p2p.transport.mesh import SEAT
from kimberley.p2p.transport.signed_channel import NO_CERTIFICATE, unpacked
from kimberley.p2p.transport.web_channel import SEAT_PATH, WebChannel
from kimberley.p2p.transport.web_listener import WebListener, comes_from_own_page
from kimberley.protocol.encoding import pack
from tests.support.asyncs import run, settled, until
from tests.support.hall import LOOPBACK, raw
from tests.support.web_seat import Refused, open_web_socket, pages, served_from


class Host:
    """A host whose page takes seats. It collects the channels that arrive."""

    def __init__(self, limits: ServerLimits | None) -> None:
        self.identity = Identity.fresh()
        self.channels: list[Channel] = []
        self.guests: list[Channel] = []
        self.sockets: list[MessageSocket] = []
        self.door = WebListener(self.identity, self.channels.append)
        page = {"/": ServedFile(b"page", ())}
        self.server = FileServer(lambda _: page, limits, handed_over={SEAT_PATH: self.door.take_over})

    async def seat(self, expected: bytes | None = None) -> Channel:
        with served_from(self.server.port):
            self.guests.append(await dial(LOOPBACK, self.server.port, Identity.fresh(), (SEAT,), expected=expected))
        return self.guests[-1]

    async def both_ends(self) -> tuple[Channel, Channel]:
        channel = await self.seat()
        await until(lambda: self.channels)
        self.guests.append(self.channels.pop())
        return channel, self.guests[-1]

    async def socket(
        self, on_message: Callable[[bytes], None], on_close: Callable[[str], None], origin: str | None = None
    ) -> MessageSocket:
        """Returns a WebSocket on which a test can send anything."""
        port = self.server.port
        self.sockets.append(await open_web_socket(LOOPBACK, port, SEAT_PATH, on_message, on_close, origin))
        return self.sockets[-1]

    async def close(self) -> None:
        await self.server.close()
        await self.door.close()
        for channel in (*self.guests, *self.channels):
            await channel.close()
        for opened in self.sockets:
            opened.close()


@asynccontextmanager
async def hosting(limits: ServerLimits | None = None) -> AsyncIterator[Host]:
    host = Host(limits)
    await host.server.open(0, LOOPBACK)
    with pages():
        try:
            yield host
        finally:
            await host.close()


class Raw:
    """The messages that have arrived at a WebSocket, and why it was closed."""

    def __init__(self) -> None:
        self.messages: list[bytes] = []
        self.closed: str | None = None

    def on_close(self, reason: str) -> None:
        self.closed = reason

    async def open(self, host: Host) -> MessageSocket:
        return await host.socket(self.messages.append, self.on_close)


def frames(said: list[bytes]) -> list[Frame | None]:
    return [unpacked(message) for message in said]


def test_frames_pass_in_both_directions_and_each_side_knows_the_other() -> None:
    async def story() -> None:
        async with hosting() as host:
            here, there = await host.both_ends()
            assert (here.peer, there.purpose, there.address) == (host.identity.public, (SEAT,), LOOPBACK)
            for size in (1, 60_000, 1_000_000):
                assert here.send(("envelope", bytes(size))) > size
                assert await there.receive() == ("envelope", bytes(size))
                there.send(("envelope", bytes(size)))
                assert await here.receive() == ("envelope", bytes(size))
            with pytest.raises(BadFrame):
                here.send(("envelope", bytes(MOST_FRAME)))
            there.send(("bye", "left the table"))
            await there.close()
            assert await here.receive() == ("bye", "left the table")
            with pytest.raises(ChannelClosed, match="the other side closed the connection"):
                await here.receive()

    run(story())


def test_nothing_is_left_of_a_socket_that_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    there: WeakSet[WebChannel] = WeakSet()

    class Noted(WebChannel):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            there.add(self)

    async def story() -> None:
        async with hosting() as host:
            for said in (b"", b"\xc1"):
                opened = await Raw().open(host)
                await until(lambda: there)
                if said:
                    opened.send(said)
                else:
                    opened.close()
                host.sockets.clear()
                del opened
                await until(lambda: not host.server.connections)
                await settled()
                assert not there

    monkeypatch.setattr("kimberley.p2p.transport.web_listener.WebChannel", Noted)
    gc.disable()
    try:
        run(story())
    finally:
        gc.enable()


def test_a_channel_that_completed_its_hello_outlives_the_page() -> None:
    async def story() -> None:
        async with hosting() as host:
            here, there = await host.both_ends()
            assert host.server.connections == 0
            await host.server.close()
            await host.door.close()
            here.send(("have", 1))
            assert await there.receive() == ("have", 1)
            await here.close()
            with pytest.raises(Unreachable, match="Ask the host for a new link"):
                await host.seat()

    run(story())


@pytest.mark.slow
def test_heartbeats_are_signed_and_silence_ends_the_channel() -> None:
    async def story() -> None:
        async with hosting() as host:
            here = WebChannel(Identity.fresh(), "here", ChannelTiming(beat=0.1, idle=0.5))
            here.use(await host.socket(here.on_message, here.on_close))
            await here.join((SEAT,))
            await until(lambda: host.channels)
            here.heartbeat = lambda: ("here",)
            assert await host.channels[0].receive() == ("here",)
            # The host has nothing to say for two seconds.
            with pytest.raises(ChannelClosed, match="nothing was heard for 0 seconds"):
                await here.receive()

    run(story())


@pytest.mark.parametrize(
    ("host", "origin", "own"),
    [
        ("192.168.1.7:7480", "http://192.168.1.7:7480", True),
        ("[fe80::1]:7480", "http://[fe80::1]:7480", True),
        ("localhost:7480", "http://LOCALHOST:7480", True),
        ("192.168.1.7", "http://192.168.1.7", True),
        ("192.168.1.7:7480", "http://192.168.1.7", False),
        ("192.168.1.7:7480", "https://192.168.1.7:7480", False),
        ("192.168.1.7:7480", "http://evil.example", False),
        ("192.168.1.7:7480", "null", False),
        ("evil.example:7480", "http://evil.example:7480", False),
        ("ana.local:7480", "http://ana.local:7480", False),
        ("", "http://", False),
        ("[1]:2", "http://[1]:2", False),
    ],
)
def test_only_a_page_of_this_host_may_open_a_socket(host: str, origin: str, own: bool) -> None:
    headers = Headers([("Host", host), ("Origin", origin)])
    assert comes_from_own_page(headers) is own


def test_a_request_with_no_origin_or_two_is_refused() -> None:
    assert not comes_from_own_page(Headers([("Host", "10.0.0.1")]))
    assert not comes_from_own_page(Headers([("Origin", "http://10.0.0.1")]))
    twice = [("Host", "10.0.0.1"), ("Origin", "http://10.0.0.1"), ("Origin", "http://10.0.0.2")]
    assert not comes_from_own_page(Headers(twice))


def test_another_sites_page_is_turned_away() -> None:
    async def story() -> None:
        async with hosting() as host:
            with pytest.raises(Refused, match="403"):
                await host.socket(lambda _: None, lambda _: None, "http://evil.example")
            await until(lambda: host.server.connections == 0)
            async with raw(host.server.port, tls=False) as (reader, writer):
                writer.write(b"GET /seat HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://127.0.0.1\r\n\r\n")
                assert (await reader.read(-1)).startswith(b"HTTP/1.1 426 ")
            async with raw(host.server.port, tls=False) as (reader, writer):
                writer.write(b"POST /seat HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                assert (await reader.read(-1)).startswith(b"HTTP/1.1 405 ")

    run(story())


def bytes_of(*frames: WebSocketFrame) -> bytes:
    return b"".join(frame.serialize(mask=True) for frame in frames)


def request_to(port: int) -> bytes:
    """Returns the request with which a page opens a WebSocket."""
    site = f"{LOOPBACK}:{port}"
    return (
        f"GET /seat HTTP/1.1\r\nHost: {site}\r\nOrigin: http://{site}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    ).encode()


async def say(port: int, said: bytes) -> None:
    """Says something over a WebSocket, until the host ends it."""
    async with raw(port, tls=False) as (reader, writer):
        writer.write(request_to(port))
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101 ")
        writer.write(said)
        await reader.read(-1)


def garbage(of: int) -> Callable[[], bytes]:
    return lambda: bytes_of(WebSocketFrame(Opcode.BINARY, bytes(of)))


@pytest.mark.slow
@pytest.mark.parametrize(
    "said",
    [
        pytest.param(lambda: bytes_of(WebSocketFrame(Opcode.TEXT, b"hello")), id="text"),
        pytest.param(garbage(10), id="no-frame"),
        pytest.param(garbage(MOST_HELLO + 1), id="too-long"),
        pytest.param(
            lambda: bytes_of(
                WebSocketFrame(Opcode.BINARY, bytes(MOST_HELLO), fin=False), WebSocketFrame(Opcode.CONT, b"more")
            ),
            id="too-long-in-parts",
        ),
        pytest.param(lambda: bytes_of(WebSocketFrame(Opcode.BINARY, pack(("look",)))), id="look"),
        pytest.param(lambda: bytes_of(WebSocketFrame(Opcode.BINARY, pack(("beat",)))), id="beat"),
        pytest.param(lambda: b"\xff\xff\xff\xff", id="no-websocket"),
        pytest.param(lambda: WebSocketFrame(Opcode.BINARY, pack(("look",))).serialize(mask=False), id="unmasked"),
    ],
)
def test_who_says_anything_but_a_hello_is_dropped_and_costs_one_line(
    said: Callable[[], bytes], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)

    async def story() -> None:
        async with hosting() as host:
            await asyncio.gather(*(say(host.server.port, said()) for _ in range(3)))
            await until(lambda: host.server.connections == 0)
            assert host.channels == []

    run(story())
    (record,) = caplog.records
    assert record.getMessage().startswith(f"{LOOPBACK} is no seat: ")


def test_who_says_nothing_is_dropped_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kimberley.p2p.transport.web_listener.HELLO_SECONDS", 0.1)

    async def story() -> None:
        async with hosting() as host:
            silent = Raw()
            await silent.open(host)
            await until(lambda: silent.closed)
            await until(lambda: host.server.connections == 0)

    run(story())


def test_answers_to_pings_of_somebody_who_is_gone_leave_no_lines(caplog: pytest.LogCaptureFixture) -> None:
    """After the first few, asyncio logs each write to a connection that has broken."""
    caplog.set_level(logging.INFO)

    async def story() -> None:
        async with hosting() as host:
            client = socket.create_connection((LOOPBACK, host.server.port))
            client.sendall(request_to(host.server.port))
            client.setblocking(False)
            assert b" 101 " in await asyncio.get_running_loop().sock_recv(client, 4096)
            # All of this happens before the event loop, and so the host, reads any of it.
            client.setblocking(True)
            client.sendall(bytes_of(WebSocketFrame(Opcode.PING, b"")) * 5000)
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            client.close()
            await until(lambda: host.server.connections == 0)

    run(story())
    assert [record.getMessage() for record in caplog.records if record.name == "asyncio"] == []


def test_a_newcomer_gets_in_however_many_hold_sockets() -> None:
    async def story() -> None:
        async with hosting(ServerLimits(connections_each=2, burst=1000)) as host:
            held = [Raw() for _ in range(6)]
            for one in held:
                await one.open(host)
            await host.both_ends()
            assert [one.closed is None for one in held].count(True) <= 2

    run(story())


def test_a_program_of_another_version_hears_which_one_to_update() -> None:
    async def story() -> None:
        async with hosting() as host:
            later = Raw()
            socket = await later.open(host)
            speaker = PeerVersion((99,), "9.9")
            socket.send(pack(JoinerHandshake(Identity.fresh(), (SEAT,), NO_CERTIFICATE, speaker).hello()))
            await until(lambda: later.closed)
            hello, refused = frames(later.messages)
            assert hello is not None
            assert (hello[0], len(hello)) == ("hello", 3)
            assert refused is not None
            assert refused[0] == "refused"
            assert "9.9" in str(refused[1])

    run(story())


@pytest.mark.parametrize("bound_to", ["a certificate", "another host"])
def test_a_hello_for_another_connection_is_refused(bound_to: str) -> None:
    async def story() -> None:
        async with hosting() as host:
            if bound_to == "another host":
                with pytest.raises(ConnectionRejected, match="Someone else is at"):
                    await host.seat(expected=Identity.fresh().public)
                return
            stranger = Raw()
            socket = await stranger.open(host)
            joiner = JoinerHandshake(Identity.fresh(), (SEAT,), bytes([1]) * 32)
            socket.send(pack(joiner.hello()))
            await until(lambda: stranger.messages)
            (m2,) = frames(stranger.messages)
            assert m2 is not None
            socket.send(pack(joiner.on_hello(m2)))
            await until(lambda: stranger.closed)
            refused = frames(stranger.messages)[-1]
            assert refused is not None
            assert "Someone may be tampering with the connection: do not play" in str(refused[1])
            assert host.channels == []

    run(story())
