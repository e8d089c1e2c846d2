"""A WebSocket as this program uses it, from a page in a browser or from a library over asyncio."""

from __future__ import annotations

from typing import Protocol


class MessageSocket(Protocol):
    """An open WebSocket (RFC 6455): whole messages of bytes in both directions, each once and in order.

    Its opener names two functions, `on_message(message)` and `on_close(reason)`. They are called on the event
    loop, and nothing comes after `on_close`, which is called once, whichever side has ended the socket.
    """

    @property
    def unsent(self) -> int:
        """Bytes of messages that the network has not accepted yet."""

    def send(self, message: bytes) -> None:
        """Queues a message, and drops it if the socket is closed.

        The socket may delay it, but not reorder it. An envelope must be stored before it leaves (SPEC.md, [M-LNK-4]):
        a platform that stores in the background waits until all is durable that was written before this call.
        """

    def close(self) -> None:
        """Ends the socket once everything queued is sent. May be called again."""
