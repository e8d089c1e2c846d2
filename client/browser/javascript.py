"""The page as its JavaScript provides it (`page/worker.js`): turns JavaScript's values into Python's."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from kimberley.client.browser.bridge import Database, Part, RawSocket
from kimberley.client.browser.page_port import Message
from kimberley.protocol.crypto.wasm_sodium import SodiumModule


class JavaScriptPage:
    """`client.browser.bridge.Page`."""

    def __init__(self, page: Any) -> None:
        self.on_message: Callable[[Message], None] = lambda message: None
        self.site: tuple[str, int] = (page.host, page.port)
        self.host_key: bytes = bytes.fromhex(page.host_key)
        self.sodium: SodiumModule = page.sodium
        self.database: Database = JavaScriptDatabase(page)
        self._page = page

    def listen(self) -> None:
        self._page.listen(lambda message: self.on_message(message.to_py()))

    def post(self, message: Message) -> None:
        self._page.post(dict(message))

    async def open_socket(
        self, address: str, on_message: Callable[[bytes], None], on_close: Callable[[str], None]
    ) -> RawSocket:
        opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def on_open() -> None:
            if not opened.done():
                opened.set_result(None)

        def closed(reason: str) -> None:
            if opened.done():
                on_close(reason or "the other side closed the connection")
            else:
                opened.set_exception(ConnectionRefusedError(f"no answer at {address}"))

        socket = JavaScriptSocket(
            self._page.open_socket(address, on_open, lambda message: on_message(message.to_bytes()), closed)
        )
        try:
            await opened
        except asyncio.CancelledError:
            socket.close()
            raise
        return socket


class JavaScriptSocket:
    """`client.browser.bridge.RawSocket`."""

    def __init__(self, socket: Any) -> None:
        self._socket = socket

    @property
    def unsent(self) -> int:
        return int(self._socket.unsent())

    def send(self, message: bytes) -> None:
        self._socket.send(message)

    def close(self) -> None:
        self._socket.close()


class JavaScriptDatabase:
    """`client.browser.bridge.Database`."""

    def __init__(self, page: Any) -> None:
        self._page = page

    async def read(self) -> Sequence[tuple[str, int, bytes]]:
        parts = await self._page.read()
        return [(path, int(offset), bytes(data)) for path, offset, data in parts.to_py()]

    async def write(self, parts: Sequence[Part]) -> None:
        writing: Awaitable[None] = self._page.write(parts)
        try:
            await writing
        except Exception as error:
            raise OSError(getattr(error, "message", str(error))) from error
