"""Connects to a table: to take part in it, or only to read its card."""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
import ssl
from typing import Final

from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.platform import connect, has_only_web_sockets, open_web_socket, unreachable_hint
from kimberley.p2p.far.codes import read_code
from kimberley.p2p.far.ways import HERE, port_of, problem_of
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.transport.address import format_address, interface_problem, is_ip
from kimberley.p2p.transport.channel import Channel, ChannelClosed, ChannelTiming, FrameProtocol, TLSChannel
from kimberley.p2p.transport.frames import BadFrame, Frame
from kimberley.p2p.transport.handshake import (
    HELLO_SECONDS,
    ConnectionRejected,
    JoinerHandshake,
    PeerVersion,
    someone_else,
)
from kimberley.p2p.transport.table_card import TableCard
from kimberley.p2p.transport.tls import client_context, peer_certificate_hash
from kimberley.p2p.transport.web_channel import SEAT_PATH, WebChannel

log = logging.getLogger(__name__)
CONNECT_SECONDS = 5.0  # SPEC: reaching
FAR_SECONDS: Final = 20.0
"""To connect through a relay, which is asked for the host first."""
WEB_ATTEMPTS: Final = 4
"""How often a page tries to reach the host that serves it."""
MUTE: Final = "{where} accepted the connection, but does not answer. Try again."
CLOSED: Final = "{where} closed the connection. Try again."
NO_TABLE: Final = "Something answers at {where}, but it is not a Kimberley table. Check the address and the port."
NO_ANSWER = (
    "{where} does not answer. Check the {what}. A firewall may block the table, the table may be on another "
    "network, or the network may keep devices apart. If you are in different places, the host types kimberley host "
    "--far."
)


class Unreachable(UserError):
    """Nobody answers at an address, or something answers that is not a table."""


async def dial(
    host: str,
    port: int,
    identity: Identity,
    purpose: Frame,
    *,
    expected: bytes | None = None,
    times: ChannelTiming | None = None,
    speaker: PeerVersion | None = None,
) -> Channel:
    """Opens a channel to the peer at an address: by TLS, or by a WebSocket where the platform has nothing else.

    Args:
        host: The peer's address or host name.
        port: The port that the peer listens at.
        identity: This side's identity, which the handshake proves.
        purpose: The purpose of the channel (SPEC.md, section 7).
        expected: The only identity to accept; None for any.
        times: Times of the channel; None for the defaults.
        speaker: This side's version, if not the program's.

    Raises:
        Unreachable: Nobody answers, or the answer is not a peer's.
        ConnectionRejected: One side refuses; VersionMismatch if there is no common revision.

    """
    if has_only_web_sockets():
        return await _dial_by_web(host, port, identity, purpose, expected, times)
    wire, certificate = await _connect(host, port, times or ChannelTiming())
    where = format_address(host, port)
    joiner = JoinerHandshake(identity, purpose, certificate, speaker)
    try:
        async with asyncio.timeout(HELLO_SECONDS):
            wire.send(joiner.hello())
            wire.send(joiner.on_hello(await wire.receive()))
            joiner.on_proof(await wire.receive())
    except TimeoutError:
        wire.abort("no hello")
        raise Unreachable(MUTE.format(where=where)) from None
    except ChannelClosed as error:
        raise _closed(where, error) from error
    except ConnectionRejected:
        await wire.close()
        raise
    except asyncio.CancelledError:
        wire.abort("given up")
        raise
    if expected is not None and joiner.peer != expected:
        await wire.close()
        raise someone_else(where)
    return TLSChannel(wire, joiner.peer, where, purpose)


async def _dial_by_web(
    host: str, port: int, identity: Identity, purpose: Frame, expected: bytes | None, times: ChannelTiming | None
) -> WebChannel:
    """Dials as `dial` does. Retries an attempt that was too slow: a phone is busy while it loads the page."""
    where = format_address(host, port)
    for left in reversed(range(WEB_ATTEMPTS)):
        channel = WebChannel(identity, where, times, expected)
        try:
            await _join_by_web(channel, host, port, purpose)
        except ChannelClosed as error:
            if left == 0:  # The host of a room says why.
                raise Unreachable(f"{where} closed the connection: {error}. Try again.") from error
        except OSError as error:
            if left == 0 or not isinstance(error, TimeoutError):
                raise Unreachable(f"{where} does not answer. Ask the host for a new link.") from error
        else:
            break
    return channel


async def _join_by_web(channel: WebChannel, host: str, port: int, purpose: Frame) -> None:
    """Raises OSError, TimeoutError, ChannelClosed, ConnectionRejected."""
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            channel.use(await open_web_socket(host, port, SEAT_PATH, channel.on_message, channel.on_close))
        await channel.join(purpose)
    except (OSError, ConnectionRejected):
        await channel.close()
        raise
    except asyncio.CancelledError:
        channel.mark_lost("given up")
        raise


class CardProbe:
    """A connection that only reads a table's card: it shows no identity and promises nothing."""

    def __init__(self, wire: FrameProtocol, card: TableCard, seconds: float) -> None:
        self.card = card
        self.round_trip = seconds
        """Seconds between the latest ping and its answer."""
        self._protocol = wire
        self._number = 0

    @classmethod
    async def connect(cls, host: str, port: int, seconds: float = CONNECT_SECONDS) -> CardProbe:
        """Connects and reads the card. Raises Unreachable."""
        wire, _ = await _connect(host, port, ChannelTiming(), seconds)
        where = format_address(host, port)
        wire.beats = True
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(seconds):
                asked = loop.time()
                wire.send(("look",))
                card = TableCard.read(await wire.receive())
        except TimeoutError:
            wire.abort("no card")
            raise Unreachable(MUTE.format(where=where)) from None
        except ChannelClosed as error:
            wire.abort("no card")
            raise _closed(where, error) from error
        except UserError as error:
            wire.abort("no card")
            raise Unreachable(str(error)) from error
        except asyncio.CancelledError:
            wire.abort("given up")
            raise
        return cls(wire, card, loop.time() - asked)

    async def ping(self, seconds: float) -> bool:
        """Checks for up to `seconds` whether the table is still there. True if its card has changed. Raises
        Unreachable.
        """
        loop = asyncio.get_running_loop()
        self._number += 1
        changed = False
        try:
            async with asyncio.timeout(seconds):
                asked = loop.time()
                self._protocol.send(("ping", self._number))
                while (frame := await self._protocol.receive()) != ("pong", self._number):
                    self.card, changed = TableCard.read(frame), True
                self.round_trip = loop.time() - asked
        except (TimeoutError, ChannelClosed, UserError) as error:
            self._protocol.abort("it does not answer")
            raise Unreachable(str(error) or "it does not answer") from error
        return changed

    async def wait_for_change(self, seconds: float) -> bool:
        """Waits up to `seconds` for a change of the card. True if there was one. Raises Unreachable."""
        try:
            async with asyncio.timeout(seconds):
                self.card = TableCard.read(await self._protocol.receive())
        except TimeoutError:
            return False
        except (ChannelClosed, UserError) as error:
            self._protocol.abort("it is gone")
            raise Unreachable(str(error)) from error
        return True

    async def close(self) -> None:
        await self._protocol.close()

    def abort(self) -> None:
        """Ends the connection at once."""
        self._protocol.abort("given up")


def _closed(where: str, error: ChannelClosed) -> Unreachable:
    """Returns what to tell the user about a connection that ended too early. The log has the reason."""
    log.info("%s is not reached: %s", where, error)
    return Unreachable((NO_TABLE if isinstance(error.__cause__, BadFrame) else CLOSED).format(where=where))


async def _connect(
    host: str, port: int, times: ChannelTiming, seconds: float = CONNECT_SECONDS
) -> tuple[FrameProtocol, bytes]:
    """Connects by TCP and TLS; a code leads to a table far away. Returns the SHA-256 of the other side's certificate,
    too. Raises Unreachable.
    """
    # Where the look-up of names does not work, a name that nobody has gets no answer.
    where = format_address(host, port)
    silence = NO_ANSWER.format(where=where, what="name" if host[-1:].isalpha() and not is_ip(host) else "address")
    if (problem := interface_problem(host, port)) is not None:
        raise Unreachable(problem)
    if (code := read_code(host)) is not None:
        return await _connect_far(code, times)
    try:
        return await _secure(host, port, times, seconds)
    except TimeoutError:
        raise Unreachable(silence) from None
    except ConnectionRefusedError:
        raise Unreachable(
            f"Nobody is hosting a table at {where}. Type the address on the host’s screen, with the port if there is "
            "one."
        ) from None
    except (socket.gaierror, UnicodeError):
        # A name that cannot be one, such as "a..b", is no error of the look-up but of its encoding.
        raise Unreachable(
            f'No table or computer called "{host}" was found on this network. Type the address on the host’s screen.'
        ) from None
    except (ssl.SSLError, ConnectionError) as error:
        log.info("%s: %s", where, str(error) or type(error).__name__)
        raise Unreachable(NO_TABLE.format(where=where)) from error
    except OSError as error:
        if error.errno in (errno.EHOSTUNREACH, errno.ETIMEDOUT):
            raise Unreachable(f"{silence} {unreachable_hint(error)}".strip()) from error
        raise Unreachable(f"This computer cannot reach {where}. Is it connected to the network?") from error


async def _connect_far(code: str, times: ChannelTiming) -> tuple[FrameProtocol, bytes]:
    """Raises Unreachable."""
    try:
        return await _secure(HERE, await port_of(code), times, FAR_SECONDS)
    except UserError as error:
        raise Unreachable(str(error)) from error
    except (OSError, ssl.SSLError) as error:
        raise Unreachable(problem_of(code) or f"The table at {code} does not answer. Try again.") from error


async def _secure(host: str, port: int, times: ChannelTiming, seconds: float) -> tuple[FrameProtocol, bytes]:
    """Raises OSError, UnicodeError, SSLError."""
    async with asyncio.timeout(seconds):
        transport, wire = await connect(
            lambda: FrameProtocol(times),
            host,
            port,
            tls=client_context(),
            # Not for a single address: canceling the race as an attempt succeeds leaks its socket.
            happy_eyeballs_delay=None if is_ip(host) else 0.25,
            ssl_shutdown_timeout=times.bye,
        )
    return wire, peer_certificate_hash(transport.get_extra_info("ssl_object"))
