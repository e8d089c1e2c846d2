"""WebSockets of the page. Nothing is sent before everything written earlier is durable."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from kimberley.client.browser.bridge import Page, RawSocket
from kimberley.client.browser.mirror import Mirror
from kimberley.p2p.base.tasks import BackgroundTasks


class PageSocket:
    """`p2p.base.message_socket.MessageSocket`."""

    def __init__(self, mirror: Mirror, on_close: Callable[[str], None]) -> None:
        self._mirror = mirror
        self._on_close = on_close
        self._socket: RawSocket | None = None
        self._waiting: deque[bytes] = deque()
        self._closing = False
        self._tasks = BackgroundTasks(self._on_error)

    async def connect(self, page: Page, address: str, on_message: Callable[[bytes], None]) -> None:
        """Opens the socket. Raises OSError."""
        self._socket = await page.open_socket(address, on_message, self._closed)

    @property
    def unsent(self) -> int:
        raw = 0 if self._socket is None else self._socket.unsent
        return raw + sum(map(len, self._waiting))

    def send(self, message: bytes) -> None:
        if self._socket is None or self._closing:
            return
        if not self._waiting and self._mirror.clean:
            # At once: while the program computes, no task gets a turn.
            self._socket.send(message)
            return
        self._waiting.append(message)
        if len(self._waiting) == 1:
            self._tasks.start(self._send_waiting())

    def close(self) -> None:
        self._closing = True
        if not self._waiting and self._socket is not None:
            self._socket.close()

    async def _send_waiting(self) -> None:
        while self._waiting and self._socket is not None:
            durable = len(self._waiting)
            await self._mirror.flush()
            # The connection may have ended meanwhile, and then nothing is waiting any more.
            for _ in range(min(durable, len(self._waiting))):
                self._socket.send(self._waiting[0])
                self._waiting.popleft()
        if self._closing and self._socket is not None:
            self._socket.close()

    def _on_error(self, error: BaseException) -> None:
        """Drops what is waiting, which must never be sent, since it may depend on what is not stored, and closes."""
        self._waiting.clear()
        self.close()

    def _closed(self, reason: str) -> None:
        self._socket = None
        self._waiting.clear()
        self._on_close(reason)
