"""Admits peers that come by a WebSocket to the port of a host's page (SPEC.md, section 10.9)."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable, Collection
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from kimberley.p2p.base.errors import UserError, reason_of
from kimberley.p2p.base.rate_limited_log import RateLimitedLog
from kimberley.p2p.base.tasks import BackgroundTasks
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.transport.address import is_ip, parse_address, remote_address
from kimberley.p2p.transport.channel import Channel, ChannelClosed, ChannelTiming
from kimberley.p2p.transport.frames import MOST_FRAME, MOST_HELLO
from kimberley.p2p.transport.handshake import HELLO_SECONDS
from kimberley.p2p.transport.stream_socket import StreamSocket
from kimberley.p2p.transport.web_channel import WebChannel

if TYPE_CHECKING:
    from websockets.datastructures import Headers

log = logging.getLogger(__name__)

THIS_MACHINE: Final = "localhost"

_library_log = logging.getLogger(f"{__name__}.library")
# The library logs a line for each stranger.
_library_log.setLevel(logging.CRITICAL)


class WebListener:
    """Takes over connections that ask for a WebSocket, and hands on those that complete the handshake.

    Its caller limits the number of connections; this limits what each may send, and for how long.
    """

    def __init__(
        self,
        identity: Identity,
        welcome: Callable[[Channel], None],
        expected: Callable[[], Collection[str]] = tuple,
        times: ChannelTiming | None = None,
    ) -> None:
        """Takes over nothing yet.

        Args:
            identity: The identity that the handshake proves.
            welcome: Called with each channel after its handshake.
            expected: Returns the addresses of peers that may come back.
            times: Times of the channels; None for the defaults.

        """
        self._identity = identity
        self._welcome = welcome
        self.expected = expected
        self._times = times or ChannelTiming()
        self._tasks = BackgroundTasks()
        self._refusals = RateLimitedLog(log)

    @property
    def host_key(self) -> bytes:
        """The identity key that the handshake proves."""
        return self._identity.public

    def take_over(self, transport: asyncio.Transport, request: bytes, leave: Callable[[], None]) -> None:
        """Answers a request for a WebSocket, and serves whoever sent it (`p2p.sharing.server.TakeOver`)."""
        address = remote_address(transport)
        channel = WebChannel(self._identity, address, self._times)

        def on_close(reason: str) -> None:
            channel.on_close(reason)
            leave()

        stream = accept_socket(transport, request, channel.on_message, on_close, self._times.bye)
        channel.use(stream)
        self._tasks.start(self._greet(channel, stream, leave))

    async def close(self) -> None:
        """Ends the connections of all who have not completed the handshake. Channels stay open."""
        await self._tasks.close()

    async def _greet(self, channel: WebChannel, stream: StreamSocket, leave: Callable[[], None]) -> None:
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                m1 = await channel.knock()
            await channel.greet(m1)
        except (UserError, ChannelClosed, TimeoutError) as error:
            self._refusals.log(f"{channel.address} is no seat: {reason_of(error)}")
            await channel.close()
        except asyncio.CancelledError:
            channel.mark_lost("the listener was closed")
            raise
        else:
            stream.limit(MOST_FRAME)
            leave()
            self._welcome(channel)


def accept_socket(
    transport: asyncio.Transport,
    request: bytes,
    on_message: Callable[[bytes], None],
    on_close: Callable[[str], None],
    bye: float,
) -> StreamSocket:
    """Returns the WebSocket that a request asks for; closed at once if it is not for this host's own page. A message
    may be as long as before the hello.
    """
    from websockets.http11 import Request
    from websockets.server import ServerProtocol

    # As at the listener: without it two messages in a row wait 40 ms.
    transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    protocol = ServerProtocol(max_size=MOST_HELLO, logger=_library_log)
    protocol.receive_data(request)
    for event in protocol.events_received():
        if isinstance(event, Request):
            answer = (
                protocol.accept(event)
                if comes_from_own_page(event.headers)
                else protocol.reject(HTTPStatus.FORBIDDEN, "Only this host’s own page may do that.\n")
            )
            protocol.send_response(answer)
    return StreamSocket(transport, protocol, on_message, on_close, bye)


def comes_from_own_page(headers: Headers) -> bool:
    """Returns whether it is a page of this host that opens the WebSocket.

    A page of another site has another origin. A name could be one that its owner points at this machine to get around
    that (DNS rebinding), so only addresses count.
    """
    match headers.get_all("Host"), headers.get_all("Origin"):
        case [host], [origin]:
            try:
                name, _ = parse_address(host)
            except UserError:
                return False
            return origin.lower() == f"http://{host}".lower() and (is_ip(name) or name.lower() == THIS_MACHINE)
    return False
