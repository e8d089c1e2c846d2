"""Listens, and admits peers after TLS and the handshake.

Everything before the handshake serves strangers, so everything is limited: connections at a time, per origin and per
second, their duration and their bytes. If there are too many, a newcomer still gets in and the oldest is closed. A
stranger that sends anything but a hello (a scanner, a browser, a flood) costs one log line.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import partial

from kimberley.p2p.base.tasks import BackgroundTasks
from kimberley.p2p.base.text import clean
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.transport.address import origin, remote_address
from kimberley.p2p.transport.channel import Channel, ChannelClosed, ChannelTiming, FrameProtocol, TLSChannel
from kimberley.p2p.transport.connection_limits import AcceptRateLimiter, ConnectionLimiter, ConnectionSlot
from kimberley.p2p.transport.frames import Frame, are_integers
from kimberley.p2p.transport.handshake import (
    ConnectionRejected,
    HostHandshake,
    PeerVersion,
    VersionMismatch,
    refusal_frame,
)
from kimberley.p2p.transport.ports import DEFAULT_PORT
from kimberley.p2p.transport.servers import reserve_port, stop_listening
from kimberley.p2p.transport.table_card import TableCard
from kimberley.p2p.transport.tls import server_context

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ListenerLimits:
    """Limits for connections that have not proven an identity.

    Args:
        hello: Seconds for TLS and the handshake.
        begin: Seconds from TLS to the first frame, while many are pending.
        look: Seconds that a looker may be silent.
        pending: Connections in TLS or the handshake at a time.
        pending_each: The same, from one origin (`transport.address.origin`).
        lookers: Connections that only watch the card at a time.
        lookers_each: The same, from one origin.
        rate: New connections per second from one origin.
        burst: New connections at once from one origin.
        ping: Seconds between a looker's pings.

    """

    hello: float = 8.0  # SPEC: hello
    begin: float = 1.0  # SPEC: hello begins
    look: float = 15.0  # SPEC: looker
    pending: int = 32  # SPEC: pending hellos
    pending_each: int = 8  # SPEC: pending hellos of one origin
    lookers: int = 64  # SPEC: lookers
    lookers_each: int = 8  # SPEC: lookers of one origin
    rate: float = 20.0  # SPEC: connections a second from one origin
    burst: float = 40.0  # SPEC: connections at once from one origin
    ping: float = 0.1


class Listener:
    """Accepts connections at one port and hands over those that complete the handshake."""

    def __init__(
        self,
        identity: Identity,
        welcome: Callable[[Channel], None],
        card: Callable[[], TableCard],
        expected: Callable[[], Collection[str]] = tuple,
        *,
        times: ChannelTiming | None = None,
        limits: ListenerLimits | None = None,
        speaker: PeerVersion | None = None,
    ) -> None:
        """Starts nothing yet; `open` does.

        Args:
            identity: The identity that the handshake proves.
            welcome: Called with each channel after its handshake.
            card: Returns the card for lookers.
            expected: Returns the addresses of peers that may come back. Each is its own origin, and closed last.
            times: Times of the channels; None for the defaults.
            limits: Limits for strangers; None for the defaults.
            speaker: This side's version, if not the program's.

        """
        self.port = 0
        self._identity = identity
        self._welcome = welcome
        self._card = card
        self._expected = expected
        self._times = times or ChannelTiming()
        self._limits = limits or ListenerLimits()
        self._speaker = speaker
        self._context, self._certificate = server_context()
        self._servers: list[asyncio.Server] = []
        self._new: set[asyncio.Transport] = set()
        self._greetings: dict[asyncio.Transport, asyncio.Task[None]] = {}
        self._tasks = BackgroundTasks()
        self._pending = ConnectionLimiter(self._limits.pending, self._limits.pending_each)
        self._probes = ConnectionLimiter(self._limits.lookers, self._limits.lookers_each)
        self._lookers: set[FrameProtocol] = set()
        self._gate = AcceptRateLimiter(self._limits.rate, self._limits.burst)

    async def open(self, port: int | None = None, bind: str | None = None) -> None:
        """Starts to listen.

        Args:
            port: 0 for any free port; None for the default one, or the next that is free.
            bind: The only address to listen at; None for all of this machine.

        Raises:
            UserError: The port cannot be used.

        """
        server = await reserve_port(lambda: _AcceptedConnection(self._on_connection), DEFAULT_PORT, port, bind)
        # Kept before the next await, so that it can be closed if this is canceled.
        self._servers.append(server)
        self.port = server.sockets[0].getsockname()[1]
        await server.start_serving()

    def update_card(self) -> None:
        """Shows the new card to all lookers."""
        frame = self._card().frame()
        for wire in self._lookers:
            wire.send(frame)

    async def close(self) -> None:
        """Stops listening. Channels that completed the handshake stay open."""
        await stop_listening(self._servers)
        for transport in self._new:
            transport.abort()
        await self._tasks.close()

    def _on_connection(self, transport: asyncio.Transport) -> None:
        """Called when a connection was accepted. Nothing is read from it before it is admitted."""
        transport.pause_reading()
        address = remote_address(transport)
        expected = address in self._expected()
        where = address if expected else origin(address)
        now = asyncio.get_running_loop().time()
        if not self._gate.allow(where, now):
            transport.abort()
            return
        # asyncio does this only for sockets that name their protocol; without it two frames in a row wait 40 ms.
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._new.add(transport)

        def left(_: object) -> None:
            if transport in self._new:
                # The task was canceled before it began.
                self._new.discard(transport)
                transport.abort()
            del self._greetings[transport]
            self._pending.discard(visitor)

        visitor = ConnectionSlot(where, expected, partial(self._abort, transport))
        task = self._greetings[transport] = self._tasks.start(self._greet(transport, address, visitor))
        task.add_done_callback(left)
        if (gone := self._pending.add(visitor)) is not None:
            self._gate.count_rejection(gone.origin, now)

    def _abort(self, transport: asyncio.Transport) -> None:
        """Ends a greeting and its connection. Only the listener refers to the task: everything that its error refers to
        is freed with it, without the garbage collector.
        """
        transport.abort()
        self._greetings[transport].cancel()

    async def _greet(self, transport: asyncio.Transport, address: str, visitor: ConnectionSlot) -> None:
        """Serves one stranger, until it is a peer, a looker, or gone."""
        self._new.discard(transport)
        wire = FrameProtocol(self._times)
        try:
            async with asyncio.timeout(self._limits.hello):
                secure = await self._secure(transport, wire)
                if secure is None:
                    raise ChannelClosed("it went away")
                wire.connection_made(secure)
                first = await self._first(wire)
                if first[0] != "look":
                    channel = await self._hello(wire, first, address)
                    self._welcome(channel)
                    return
            self._pending.discard(visitor)
            await self._serve_probe(wire, visitor)
        except TimeoutError:
            log.info("%s dropped: it did not finish the handshake in time", address)
            wire.abort("no hello")
        except ConnectionRejected as error:
            log.info("%s refused: %s", address, error)
            wire.send(refusal_frame(str(error)))
            await wire.close()
        except ChannelClosed as error:
            log.info("%s dropped: %s", address, clean(str(error)))
            await wire.close()
        except (OSError, EOFError) as error:
            log.info("%s dropped: it does not speak TLS 1.3 (%s)", address, clean(str(error) or type(error).__name__))
        except asyncio.CancelledError:
            wire.abort("the listener was closed, or others came")
            raise

    async def _secure(self, transport: asyncio.Transport, wire: FrameProtocol) -> asyncio.Transport | None:
        """Returns the connection inside TLS; None if it went away. Raises OSError, EOFError."""
        try:
            return await asyncio.get_running_loop().start_tls(
                transport,
                wire,
                self._context,
                server_side=True,
                ssl_handshake_timeout=self._limits.hello,
                ssl_shutdown_timeout=self._times.bye,
            )
        except BaseException as error:
            # The error refers to the frames of `start_tls`, with a buffer of 256 KiB, and they refer back to the error.
            error.__traceback__ = None
            raise

    async def _first(self, wire: FrameProtocol) -> Frame:
        """Returns the first frame. If others wait, it must arrive soon; otherwise there is time for a retransmission.

        Raises ChannelClosed, TimeoutError.
        """
        try:
            async with asyncio.timeout(self._limits.begin):
                return await wire.receive()
        except TimeoutError:
            if self._pending.crowded:
                raise
        return await wire.receive()

    async def _hello(self, wire: FrameProtocol, m1: Frame, address: str) -> TLSChannel:
        """Raises ConnectionRejected, ChannelClosed."""
        host = HostHandshake(self._identity, self._certificate, self._speaker)
        try:
            wire.send(host.on_hello(m1))
        except VersionMismatch:
            wire.send(host.version())
            raise
        wire.send(host.on_proof(await wire.receive()))
        return TLSChannel(wire, host.peer, address, host.purpose)

    async def _serve_probe(self, wire: FrameProtocol, visitor: ConnectionSlot) -> None:
        """Shows the card and each change of it, and answers pings. Raises ChannelClosed, ConnectionRejected."""
        looker = replace(visitor, close=lambda: wire.abort("others look at this table"))
        self._probes.add(looker)
        self._lookers.add(wire)
        wire.beats = True
        try:
            wire.send(self._card().frame())
            while True:
                async with asyncio.timeout(self._limits.look):
                    frame = await wire.receive()
                match frame:
                    case ("ping", int() as number) if are_integers(number):
                        wire.send(("pong", number))
                    case _:
                        raise ConnectionRejected("A connection that only looks may only ping.")
                await asyncio.sleep(self._limits.ping)
        except TimeoutError:
            wire.abort("it looked and fell silent")
        finally:
            self._lookers.discard(wire)
            self._probes.discard(looker)


class _AcceptedConnection(asyncio.Protocol):
    """A connection before TLS."""

    def __init__(self, came: Callable[[asyncio.Transport], None]) -> None:
        self._on_connection = came

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._on_connection(transport)
