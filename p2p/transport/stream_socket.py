"""WebSockets (RFC 6455) over a stream of asyncio. The library `websockets` speaks the protocol, without any I/O."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from kimberley.p2p.base.text import clean
from kimberley.p2p.transport.channel import MOST_UNSENT

if TYPE_CHECKING:
    from websockets.frames import Frame
    from websockets.protocol import Protocol

DONE: Final = 1000
"""The status that ends a socket as usual."""
NO_BYTES: Final = 1003
"""The status that ends a socket on which text comes."""


class StreamSocket(asyncio.Protocol):
    """A `p2p.base.message_socket.MessageSocket`, after the opening handshake."""

    def __init__(
        self,
        transport: asyncio.Transport,
        protocol: Protocol,
        on_message: Callable[[bytes], None],
        on_close: Callable[[str], None],
        bye: float,
    ) -> None:
        """Takes over the transport.

        Args:
            transport: The connection, after the opening handshake.
            protocol: The library's side of the socket.
            on_message: Called with each message.
            on_close: Called once, with the reason, when the socket is closed.
            bye: Seconds for a polite end.

        """
        self._transport = transport
        self._protocol = protocol
        self._on_message = on_message
        self._on_close = on_close
        self._bye = bye
        self._message = bytearray()
        """The parts of a message that have come so far."""
        self._ending: asyncio.TimerHandle | None = None
        transport.set_protocol(self)
        self._advance()

    @property
    def opened(self) -> bool:
        """Whether the opening handshake was accepted."""
        return self._protocol.state.name != "CONNECTING"

    @property
    def unsent(self) -> int:
        return self._transport.get_write_buffer_size()

    def limit(self, size: int) -> None:
        """Limits messages to that many bytes from now on. A longer one ends the socket before it is read."""
        self._protocol.max_message_size = size

    def send(self, message: bytes) -> None:
        if not self._ended:
            self._protocol.send_binary(message)
            self._advance()

    def close(self, reason: str = "") -> None:
        """Ends the socket once everything queued is sent, and tells the other side a reason, of 123 bytes at most."""
        if not self._ended:
            self._protocol.send_close(DONE, reason)
            self._advance()

    def abort(self) -> None:
        """Ends the socket at once."""
        self._transport.abort()

    def data_received(self, data: bytes) -> None:
        self._protocol.receive_data(data)
        self._advance()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._ending is not None:
            self._ending.cancel()
        reason = clean(self._protocol.close_rcvd.reason) if self._protocol.close_rcvd is not None else ""
        broke = f"the connection broke ({exc})" if exc else "the other side closed the connection"
        self._on_close(reason or broke)

    @property
    def _ended(self) -> bool:
        """Whether this side has said that it sends no more."""
        return self._protocol.close_sent is not None or self._protocol.eof_sent or self._transport.is_closing()

    def _advance(self) -> None:
        """Passes on what the library has read, and sends what it has to say."""
        from websockets.frames import Frame

        for event in self._protocol.events_received():
            if isinstance(event, Frame):
                self._on_frame(event)
        for data in self._protocol.data_to_send():
            if not data:
                self._transport.close()
            elif not self._transport.is_closing():
                self._transport.write(data)
        if self.unsent > MOST_UNSENT:
            self._transport.abort()
        if self._protocol.close_expected() and self._ending is None:
            self._ending = asyncio.get_running_loop().call_later(self._bye, self._transport.abort)

    def _on_frame(self, frame: Frame) -> None:
        from websockets.frames import Opcode

        if frame.opcode is Opcode.TEXT:
            self._protocol.fail(NO_BYTES)
        elif frame.opcode in (Opcode.BINARY, Opcode.CONT):
            self._message += frame.data
            if frame.fin:
                message, self._message = bytes(self._message), bytearray()
                self._on_message(message)
