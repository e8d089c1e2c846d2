"""Channels over a WebSocket, between a seat in a browser and the host that serves its page (SPEC.md, section 10.9).

Each message is the packing of a frame of a signed channel (`transport.signed_channel`): a page cannot see the host's
certificate, and the port that serves it has none.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import Final

from kimberley.p2p.base.message_socket import MessageSocket
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.transport.channel import MOST_UNSENT, ChannelTiming
from kimberley.p2p.transport.frames import MOST_FRAME, MOST_HELLO, BadFrame, Frame
from kimberley.p2p.transport.handshake import (
    ConnectionRejected,
    HostHandshake,
    VersionMismatch,
    refusal_frame,
    someone_else,
)
from kimberley.p2p.transport.signed_channel import NO_CERTIFICATE, SignedChannel, unpacked

SEAT_PATH: Final = "/seat"
"""Where the host's page takes WebSockets of seats."""
ROOM_PATH: Final = "/room"
"""Where the page of a room takes WebSockets of the seat that opens a table, which wait for other seats."""


class WebChannel(SignedChannel):
    """One side of a channel over a WebSocket, which is set by `use` and calls `on_message` and `on_close`."""

    def __init__(
        self, identity: Identity, address: str, times: ChannelTiming | None = None, expected: bytes | None = None
    ) -> None:
        """Takes `expected`, the only identity to accept; None for any."""
        super().__init__(identity, address, times or ChannelTiming())
        self._expected = expected
        self._socket: MessageSocket | None = None
        self._closed = asyncio.Event()

    def use(self, socket: MessageSocket) -> None:
        """Sends over this socket from now on."""
        self._socket = socket

    def on_message(self, message: bytes) -> None:
        """Called when the socket has brought a message."""
        frame = unpacked(message) if len(message) <= (MOST_FRAME if self.peer else MOST_HELLO) else None
        if frame is None:
            self.mark_lost("the other side sent something that is not a frame")
        else:
            self.on_frame(frame, len(message))

    def on_close(self, reason: str) -> None:
        """Called when the socket is closed."""
        self._closed.set()
        self.mark_lost(reason)
        # They refer to each other: both would stay until the garbage collector runs.
        self._socket = None

    async def knock(self) -> Frame:
        """Waits for the first frame of somebody who joins, however long that takes. Raises ChannelClosed."""
        return await self._next()

    async def greet(self, m1: Frame) -> None:
        """Does the host's side of the handshake. Raises ConnectionRejected, ChannelClosed, TimeoutError."""
        host = HostHandshake(self._identity, NO_CERTIFICATE)
        try:
            await self._welcome(host, m1)
        except ConnectionRejected as error:
            if isinstance(error, VersionMismatch):
                self._send_unsigned(host.version())
            self._send_unsigned(refusal_frame(str(error)))
            raise

    @property
    def unsent(self) -> int:
        return 0 if self._socket is None else self._socket.unsent

    async def close(self) -> None:
        """Ends the channel once everything queued is sent, or after `ChannelTiming.bye`."""
        await super().close()
        if self._socket is None:
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._times.bye):
                await self._closed.wait()

    def _carry(self, packed: bytes) -> int:
        if len(packed) > MOST_FRAME:
            raise BadFrame(f"a frame of {len(packed)} bytes; {MOST_FRAME} at most")
        if self._socket is None or self._lost is not None:
            return 0
        self._socket.send(packed)
        if self.unsent > MOST_UNSENT:
            self.mark_lost("the other side does not read what it is sent")
        return len(packed)

    def _check_peer(self, peer: bytes) -> None:
        if self._expected is not None and peer != self._expected:
            raise someone_else(self.address)

    def _on_lost(self) -> None:
        if self._socket is not None:
            self._socket.close()
