"""The door: listens, and lets peers in after TLS and the hello.

Everything before the hello is done for strangers, so everything is limited: how many connections at the same time, from
one address, in a second, for how long, with how many bytes. Whoever comes with something else than a hello (a scanner,
a browser, a flood) costs a log line.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from p2p.address import DEFAULT_PORT
from p2p.card import Card
from p2p.channel import Channel, Lost, Times, TLSChannel, Wire
from p2p.frames import Frame, whole
from p2p.hello import Host, OtherVersion, Refused, Speaker, refusal
from p2p.identity import Identity
from p2p.pace import Buckets
from p2p.tasks import Tasks
from p2p.text import clean
from p2p.tls import server_context
from p2p.trouble import Trouble

log = logging.getLogger(__name__)

PORTS_TRIED: Final = 20
"""Ports from the default one on that are tried before any free one is taken."""


@dataclass(frozen=True, slots=True)
class Limits:
    """For connections that have not proven who they are. `hello` and `look` in seconds; `pending` connections on their
    way through TLS and hello, `lookers` that only watch the table's card, both in all and from `_each` address;
    `rate` new connections a second from one address, with `burst` at once; `ping` seconds between a looker's pings.
    """

    hello: float = 8.0
    look: float = 15.0
    pending: int = 32
    pending_each: int = 8
    lookers: int = 64
    lookers_each: int = 8
    rate: float = 20.0
    burst: float = 40.0
    ping: float = 0.1


class Door:
    """`welcome` is given each channel that went through the hello; `card` says what lookers are shown."""

    def __init__(
        self,
        identity: Identity,
        welcome: Callable[[Channel], None],
        card: Callable[[], Card],
        *,
        times: Times | None = None,
        limits: Limits | None = None,
        speaker: Speaker | None = None,
    ) -> None:
        self.port = 0
        self._identity = identity
        self._welcome = welcome
        self._card = card
        self._times = times or Times()
        self._limits = limits or Limits()
        self._speaker = speaker
        self._context, self._certificate = server_context()
        self._servers: list[asyncio.Server] = []
        self._new: set[asyncio.Transport] = set()
        self._tasks = Tasks()
        self._pending: Counter[str] = Counter()
        self._looking: Counter[str] = Counter()
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
        room = self._pending.total() < self._limits.pending and self._pending[address] < self._limits.pending_each
        if not self._gate.lets(address, asyncio.get_running_loop().time(), room):
            transport.abort()
            return
        # asyncio does this only for sockets that name their protocol; without it two frames in a row wait 40 ms.
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._pending[address] += 1
        self._new.add(transport)
        self._tasks.start(self._greet(transport, address))

    async def _greet(self, transport: asyncio.Transport, address: str) -> None:
        """One stranger, until it is a peer, a looker, or gone."""
        self._new.discard(transport)
        wire = Wire(self._times)
        pending = True
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
                first = await wire.receive()
                if first[0] != "look":
                    channel = await self._hello(wire, first, address)
                    self._welcome(channel)
                    return
            self._done(self._pending, address)
            pending = False
            await self._look(wire, address)
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
            wire.abort("the door was closed")
            raise
        finally:
            if pending:
                self._done(self._pending, address)

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

    async def _look(self, wire: Wire, address: str) -> None:
        """Shows the card, and each change of it, and answers pings. Raises Lost."""
        if len(self._lookers) >= self._limits.lookers or self._looking[address] >= self._limits.lookers_each:
            raise Refused("Too many look at this table already.")
        self._looking[address] += 1
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
            self._done(self._looking, address)

    @staticmethod
    def _done(counter: Counter[str], address: str) -> None:
        counter[address] -= 1
        if not counter[address]:
            del counter[address]


class _Stranger(asyncio.Protocol):
    """A connection before TLS."""

    def __init__(self, came: Callable[[asyncio.Transport], None]) -> None:
        self._came = came

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._came(transport)


class _Gate:
    """Lets `rate` a second through for each address, `burst` at once, and logs at most a line in ten seconds for it."""

    QUIET: Final = 10.0

    def __init__(self, rate: float, burst: float) -> None:
        self._rates = Buckets(burst, rate)
        self._refused: Counter[str] = Counter()
        self._logged = -self.QUIET

    def lets(self, address: str, now: float, room: bool) -> bool:
        """Whether one more connection from this address may come in now; never where there is no room."""
        through = room and self._rates.takes(address, now)
        if not through:
            self._refused[address] += 1
        if self._refused and now - self._logged >= self.QUIET:
            self._logged = now
            worst, count = self._refused.most_common(1)[0]
            log.warning("%d connections were refused: too many (%d from %s)", self._refused.total(), count, worst)
            self._refused.clear()
        return through


def _listen(bind: str | None, port: int) -> socket.socket:
    if bind is not None:
        family, _, _, _, where = socket.getaddrinfo(bind, port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(where, family=family, backlog=128)
    if socket.has_dualstack_ipv6():
        return socket.create_server(("", port), family=socket.AF_INET6, backlog=128, dualstack_ipv6=True)
    return socket.create_server(("", port), backlog=128)
