"""The platform of a seat in the browser: one thread, a folder that a database mirrors, and WebSockets to its host."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

from kimberley.client.browser.bridge import Page
from kimberley.client.browser.mirror import Mirror
from kimberley.client.browser.page_socket import PageSocket
from kimberley.p2p.base.message_socket import MessageSocket
from kimberley.p2p.base.platform import SystemPlatform, Worker
from kimberley.p2p.storage.files import StorageError

T = TypeVar("T")

NO_SOCKETS: Final = "a web page can only connect to the host that serves it"
PULSE_SECONDS: Final = 0.5
"""Seconds between two calls of what must happen while the program computes."""


class InlineWorker:
    """Runs work at once."""

    async def run(self, work: Callable[[], T]) -> T:
        return work()

    def close(self) -> None:
        """Does nothing: there is nothing to close."""


class BrowserPlatform(SystemPlatform):
    """What a page has. Randomness and clocks are those of any Python."""

    def __init__(self, page: Page, mirror: Mirror, folder: Path) -> None:
        """Takes the `folder` that is mirrored."""
        self._page = page
        self._mirror = mirror
        self._folder = folder
        self._while_busy: list[Callable[[], None]] = []
        self._uninterrupted = 0
        """How deep `uninterrupted` blocks are nested now."""
        self._pulsed = self.monotonic()

    # -- work ----------------------------------------------------------------------------------------------------------

    async def in_background(self, work: Callable[[], T]) -> T:
        # First, what waits to be sent is sent, and the page shows what was drawn.
        await self._mirror.flush()
        await asyncio.sleep(0)
        return work()

    def open_worker(self) -> Worker:
        return InlineWorker()

    def start_thread(self, work: Callable[[], None]) -> None:
        raise RuntimeError("a page has no threads")

    def while_busy(self, call: Callable[[], None]) -> Callable[[], None]:
        self._while_busy.append(call)
        return lambda: self._while_busy.remove(call) if call in self._while_busy else None

    @contextmanager
    def uninterrupted(self) -> Iterator[None]:
        self._uninterrupted += 1
        try:
            yield
        finally:
            self._uninterrupted -= 1

    @property
    def has_processes(self) -> bool:
        return False

    def pulse(self) -> None:
        """Makes the calls that cannot wait for the end of a long computation, one after another. The computation calls
        this again and again.
        """
        if self._uninterrupted or (now := self.monotonic()) - self._pulsed <= PULSE_SECONDS:
            return
        self._pulsed = now
        with self.uninterrupted():
            for call in tuple(self._while_busy):
                call()

    # -- storage -------------------------------------------------------------------------------------------------------

    def data_folder(self) -> Path:
        return self._folder / "data"

    def state_folder(self) -> Path:
        return self._folder / "state"

    def sync_file(self, handle: int) -> None:
        """Does nothing: data is made durable before anything that depends on it is sent (`PageSocket`)."""

    def sync_folder(self, path: Path) -> None:
        """Does nothing, like `sync_file`."""

    # -- transports ----------------------------------------------------------------------------------------------------

    async def listen(self, protocol: object, bind: str | None, port: int) -> asyncio.Server:
        raise OSError(NO_SOCKETS)

    async def connect(self, protocol: object, host: str, port: int, **options: object) -> Any:
        raise OSError(NO_SOCKETS)

    @property
    def has_only_web_sockets(self) -> bool:
        return True

    async def open_web_socket(
        self, host: str, port: int, path: str, on_message: Callable[[bytes], None], on_close: Callable[[str], None]
    ) -> MessageSocket:
        if (host, port) != self._page.site:
            raise OSError(NO_SOCKETS)
        try:
            await self._mirror.check_owner()
        except StorageError as error:
            # Only one tab may speak for the seat: otherwise each would end the other's connection.
            raise OSError(str(error)) from error
        where = f"[{host}]" if ":" in host else host
        socket = PageSocket(self._mirror, on_close)
        await socket.connect(self._page, f"ws://{where}:{port}{path}", on_message)
        return socket

    def open_multicast(self, interfaces: object, **options: object) -> Any:
        raise OSError(NO_SOCKETS)
