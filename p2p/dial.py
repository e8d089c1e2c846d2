"""Connects: to take part in a table, or only to look at it."""

from __future__ import annotations

import asyncio
import errno
import socket
import ssl

from p2p.address import is_ip, show
from p2p.card import Card
from p2p.channel import Lost, Times, TLSChannel, Wire
from p2p.frames import Frame
from p2p.hello import Joiner, Refused, Speaker
from p2p.identity import Identity
from p2p.tls import certificate_seen, client_context
from p2p.trouble import Trouble

CONNECT_SECONDS = 5.0
HELLO_SECONDS = 8.0
NO_ANSWER = (
    "{where} does not answer. A firewall, another network or a guest network that keeps its users apart may be in the "
    "way; or the address has a slip."
)


class Unreachable(Trouble):
    """Nobody answers at an address, or what answers is no table."""


async def dial(
    host: str,
    port: int,
    identity: Identity,
    purpose: Frame,
    *,
    expected: bytes | None = None,
    times: Times | None = None,
    speaker: Speaker | None = None,
) -> TLSChannel:
    """A channel to the peer at an address, after the hello; if `expected` is given, to that identity only.

    Raises Unreachable, Refused (OtherVersion among them).
    """
    wire, certificate = await _connect(host, port, times or Times())
    where = show(host, port)
    joiner = Joiner(identity, purpose, certificate, speaker)
    try:
        async with asyncio.timeout(HELLO_SECONDS):
            wire.send(joiner.first())
            wire.send(joiner.second(await wire.receive()))
            joiner.done(await wire.receive())
    except TimeoutError:
        wire.abort("no hello")
        raise Unreachable(f"{where} took the connection, but does not answer. Try again.") from None
    except Lost as error:
        raise Unreachable(f"{where} ended the connection: {error}. Try again.") from error
    except Refused:
        await wire.close()
        raise
    except asyncio.CancelledError:
        wire.abort("given up")
        raise
    if expected is not None and joiner.peer != expected:
        await wire.close()
        raise Refused(f"Somebody else is at {where} than the one who was expected there. Look for the table again.")
    return TLSChannel(wire, joiner.peer, where, purpose)


class Look:
    """A connection that only watches a table's card: no identity is shown, nothing is promised."""

    def __init__(self, wire: Wire, card: Card, seconds: float) -> None:
        self.card = card
        self.round_trip = seconds
        """Seconds between a ping and its answer, the latest."""
        self._wire = wire
        self._number = 0

    @classmethod
    async def at(cls, host: str, port: int, seconds: float = CONNECT_SECONDS) -> Look:
        """Raises Unreachable."""
        wire, _ = await _connect(host, port, Times(), seconds)
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(seconds):
                asked = loop.time()
                wire.send(("look",))
                card = Card.read(await wire.receive())
        except (TimeoutError, Lost, Trouble) as error:
            wire.abort("no card")
            raise Unreachable(f"{show(host, port)} is no table of this game: {error}") from error
        except asyncio.CancelledError:
            wire.abort("given up")
            raise
        return cls(wire, card, loop.time() - asked)

    async def ping(self, seconds: float) -> bool:
        """Asks whether the table is still there; True if its card has changed. Raises Unreachable."""
        loop = asyncio.get_running_loop()
        self._number += 1
        changed = False
        try:
            async with asyncio.timeout(seconds):
                asked = loop.time()
                self._wire.send(("ping", self._number))
                while (frame := await self._wire.receive()) != ("pong", self._number):
                    self.card, changed = Card.read(frame), True
                self.round_trip = loop.time() - asked
        except (TimeoutError, Lost, Trouble) as error:
            self._wire.abort("it does not answer")
            raise Unreachable(str(error) or "it does not answer") from error
        return changed

    async def news(self, seconds: float) -> bool:
        """Waits up to so many seconds for a change of the card; True if there was one. Raises Unreachable."""
        try:
            async with asyncio.timeout(seconds):
                self.card = Card.read(await self._wire.receive())
        except TimeoutError:
            return False
        except (Lost, Trouble) as error:
            self._wire.abort("it is gone")
            raise Unreachable(str(error)) from error
        return True

    async def close(self) -> None:
        await self._wire.close()

    def abort(self) -> None:
        """Ends it at once."""
        self._wire.abort("given up")


async def _connect(host: str, port: int, times: Times, seconds: float = CONNECT_SECONDS) -> tuple[Wire, bytes]:
    """TCP and TLS; the SHA-256 of the certificate that the other side showed. Raises Unreachable."""
    where = show(host, port)
    try:
        async with asyncio.timeout(seconds):
            transport, wire = await asyncio.get_running_loop().create_connection(
                lambda: Wire(times),
                host,
                port,
                ssl=client_context(),
                server_hostname="",
                # Not for one address: a race that is given up as an attempt succeeds leaves its socket open.
                happy_eyeballs_delay=None if is_ip(host) else 0.25,
                ssl_shutdown_timeout=times.bye,
            )
    except TimeoutError:
        raise Unreachable(NO_ANSWER.format(where=where)) from None
    except ConnectionRefusedError:
        raise Unreachable(
            f"Nobody hosts a table at {where}. Type the address as the Host screen shows it, with its port if any."
        ) from None
    except socket.gaierror:
        raise Unreachable(f'There is no machine called "{host}" on this network. Type its address instead.') from None
    except (ssl.SSLError, ConnectionError) as error:
        raise Unreachable(f"{where} answers, but it is no table of this game ({type(error).__name__}).") from error
    except OSError as error:
        if error.errno in (errno.EHOSTUNREACH, errno.ETIMEDOUT):
            raise Unreachable(NO_ANSWER.format(where=where)) from error
        raise Unreachable(f"No network of this machine leads to {where}. Is it connected?") from error
    connection = transport.get_extra_info("ssl_object")
    return wire, certificate_seen(connection)
