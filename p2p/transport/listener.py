"""The door: listens, and lets peers in after TLS and the hello.

Everything before the hello is done for strangers, so everything is limited: how many connections at the same time, from
one origin, in a second, for how long, with how many bytes. Where they are too many, a newcomer still comes in, and the
oldest goes. Whoever comes with something else than a hello (a scanner, a browser, a flood) costs a log line.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Final

from p2p.address import DEFAULT_PORT, origin
from p2p.card import Card
from p2p.channel import Channel, Lost, Times, TLSChannel, Wire
from p2p.crowd import Crowd, Visitor
from p2p.frames import Frame, whole
from p2p.hello import Host, OtherVersion, Refused, Speaker, refusal
from p2p.identity import Identity
from p2p.pace import MOST_ADDRESSES, Buckets
from p2p.tasks import Tasks
from p2p.text import clean
from p2p.tls import server_context
from p2p.trouble import Trouble

log = logging.getLogger(__name__)

PORTS_TRIED: Final = 20
"""Ports from the default one on that are tried before any free one is taken."""


@dataclass(frozen=True, slots=True)
class Limits:
    """For connections that have not proven who they are. `hello` and `look` in seconds, and `begin`, from TLS to the
    first frame where many are on their way; `pending` connections on their way through TLS and hello, `lookers` that
    only watch the table's card, both in all and from `_each` origin (`p2p.address.origin`); `rate` new connections a
    second from one origin, with `burst` at once; `ping` seconds between a looker's pings.
    """

    hello: float = 8.0
    begin: float = 1.0
    look: float = 15.0
    pending: int = 32
    pending_each: int = 8
    lookers: int = 64
    lookers_each: int = 8
    rate: float = 20.0
    burst: float = 40.0
    ping: float = 0.1


class Door:
    """`welcome` is given each channel that went through the hello; `card` says what lookers are shown; `expected` names
    the addresses of those who may come back: each is an origin of its own, and the last to go.
    """

    def __init__(
        self,
        identity: Identity,
        welcome: Callable[[Channel], None],
        card: Callable[[], Card],
        expected: Callable[[], Collection[str]] = tuple,
        *,
        times: Times | None = None,
        limits: Limits | None = None,
        speaker: Speaker | None = None,
    ) -> None:
        self.port = 0
        self._identity = identity
        self._welcome = welcome
        self._card = card
        self._expected = expected
        self._times = times or Times()
        self._limits = limits or Limits()
        self._speaker = speaker
        self._context, self._certificate = server_context()
        self._servers: list[asyncio.Server] = []
        self._new: set[asyncio.Transport] = set()
        self._tasks = Tasks()
        self._pending = Crowd(self._limits.pending, self._limits.pending_each)
        self._looking = Crowd(self._limits.lookers, self._limits.lookers_each)
        self._lookers: set[Wire] = set()
        self._gate = _Gate(self._limits.rate, self._limits.burst)

    async def open(self, port: int | None = None, bind: str | None = None) -> None:
        """Listens at `port` (0: any free one; None: the default one, or the next that is free), at all addresses of
        this machine or only at `bind`. Raises Trouble.
        """
        ports = [port] if port is not None else [*range(DEFAULT_PORT, DEFAULT_PORT + PORTS_TRIED), 0]
        for number in ports:
            try:
                listener = _listen(bind, number)
            except OSError as error:
                reason = error.strerror or str(error)
                continue
            self.port = listener.getsockname()[1]
            loop = asyncio.get_running_loop()
            self._servers.append(await loop.create_server(lambda: _Stranger(self._came), sock=listener))
            return
        where = f"port {port}" if bind is None else f"{bind}, port {port or DEFAULT_PORT}"
        raise Trouble(f"This machine cannot listen at {where} ({reason}). Choose another with --port, or leave it out.")

    def changed(self) -> None:
        """Shows the new card to all who look."""
        frame = self._card().frame()
        for wire in self._lookers:
            wire.send(frame)

    async def close(self) -> None:
        """Lets nobody in any more. Channels that went through stay open."""
        for server in self._servers:
            server.close()
        self._servers.clear()
        for transport in self._new:
            transport.abort()
        self._tasks.cancel()
        await self._tasks.settle()

    def _came(self, transport: asyncio.Transport) -> None:
        """A connection was taken. Nothing of it is read before it may come in."""
        transport.pause_reading()
        address = transport.get_extra_info("peername", ("nowhere",))[0].removeprefix("::ffff:")
        expected = address in self._expected()
        where = address if expected else origin(address)
        now = asyncio.get_running_loop().time()
        if not self._gate.lets(where, now):
            transport.abort()
            return
        # asyncio does this only for sockets that name their protocol; without it two frames in a row wait 40 ms.
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._new.add(transport)

        def leave() -> None:
            transport.abort()
            task.cancel()

        def left(_: object) -> None:
            self._new.discard(transport)
            self._pending.discard(visitor)

        visitor = Visitor(where, expected, leave)
        task = self._tasks.start(self._greet(transport, address, visitor))
        task.add_done_callback(left)
        if (gone := self._pending.add(visitor)) is not None:
            self._gate.note(gone.origin, now)

    async def _greet(self, transport: asyncio.Transport, address: str, visitor: Visitor) -> None:
        """One stranger, until it is a peer, a looker, or gone."""
        self._new.discard(transport)
        wire = Wire(self._times)
        try:
            async with asyncio.timeout(self._limits.hello):
                loop = asyncio.get_running_loop()
                secure = await loop.start_tls(
                    transport,
                    wire,
                    self._context,
                    server_side=True,
                    ssl_handshake_timeout=self._limits.hello,
                    ssl_shutdown_timeout=self._times.bye,
                )
                if secure is None:
                    raise Lost("it went away")
                wire.connection_made(secure)
                first = await self._first(wire)
                if first[0] != "look":
                    channel = await self._hello(wire, first, address)
                    self._welcome(channel)
                    return
            self._pending.discard(visitor)
            await self._look(wire, visitor)
        except TimeoutError:
            log.info("%s dropped: it did not finish its hello in time", address)
            wire.abort("no hello")
        except Refused as error:
            log.info("%s refused: %s", address, error)
            wire.send(refusal(str(error)))
            await wire.close()
        except Lost as error:
            log.info("%s dropped: %s", address, clean(str(error)))
            await wire.close()
        except (OSError, EOFError) as error:
            log.info("%s dropped: it does not speak TLS 1.3 (%s)", address, clean(str(error) or type(error).__name__))
        except asyncio.CancelledError:
            wire.abort("the door is closed, or others came")
            raise

    async def _first(self, wire: Wire) -> Frame:
        """The first frame. Where others wait it must come soon; else a network may lose it and send it again. Raises
        Lost, TimeoutError.
        """
        try:
            async with asyncio.timeout(self._limits.begin):
                return await wire.receive()
        except TimeoutError:
            if self._pending.crowded:
                raise
        return await wire.receive()

    async def _hello(self, wire: Wire, m1: Frame, address: str) -> TLSChannel:
        """Raises Refused, Lost."""
        host = Host(self._identity, self._certificate, self._speaker)
        try:
            wire.send(host.first(m1))
        except OtherVersion:
            wire.send(host.introduction())
            raise
        wire.send(host.second(await wire.receive()))
        return TLSChannel(wire, host.peer, address, host.purpose)

    async def _look(self, wire: Wire, visitor: Visitor) -> None:
        """Shows the card, and each change of it, and answers pings. Raises Lost, Refused."""
        looker = replace(visitor, leave=lambda: wire.abort("others look at this table"))
        self._looking.add(looker)
        self._lookers.add(wire)
        try:
            wire.send(self._card().frame())
            while True:
                async with asyncio.timeout(self._limits.look):
                    frame = await wire.receive()
                match frame:
                    case ("ping", int() as number) if whole(number):
                        wire.send(("pong", number))
                    case _:
                        raise Refused("Who only looks may only ping.")
                await asyncio.sleep(self._limits.ping)
        except TimeoutError:
            wire.abort("it looked and said nothing more")
        finally:
            self._lookers.discard(wire)
            self._looking.discard(looker)


class _Stranger(asyncio.Protocol):
    """A connection before TLS."""

    def __init__(self, came: Callable[[asyncio.Transport], None]) -> None:
        self._came = came

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._came(transport)


class _Gate:
    """Lets `rate` a second through for each origin, `burst` at once, and logs at most a line in ten seconds of all that
    were turned away.
    """

    QUIET: Final = 10.0

    def __init__(self, rate: float, burst: float) -> None:
        self._rates = Buckets(burst, rate)
        self._refused: Counter[str] = Counter()
        self._logged = -self.QUIET

    def lets(self, where: str, now: float) -> bool:
        """Whether one more connection from this origin may come in now."""
        through = self._rates.takes(where, now)
        if not through:
            self.note(where, now)
        return through

    def note(self, where: str, now: float) -> None:
        """A connection from this origin was turned away."""
        self._refused[where if where in self._refused or len(self._refused) < MOST_ADDRESSES else "elsewhere"] += 1
        if now - self._logged >= self.QUIET:
            self._logged = now
            worst, count = self._refused.most_common(1)[0]
            log.warning("%d connections were refused: too many (%d from %s)", self._refused.total(), count, worst)
            self._refused.clear()


def _listen(bind: str | None, port: int) -> socket.socket:
    if bind is not None:
        family, _, _, _, where = socket.getaddrinfo(bind, port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(where, family=family, backlog=128)
    if socket.has_dualstack_ipv6():
        return socket.create_server(("", port), family=socket.AF_INET6, backlog=128, dualstack_ipv6=True)
    return socket.create_server(("", port), backlog=128)
