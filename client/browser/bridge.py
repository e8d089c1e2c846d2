"""Everything that the page provides to the program in its worker. Only `javascript` knows that it is JavaScript."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol, TypeAlias

from kimberley.client.browser.page_port import PagePort
from kimberley.protocol.crypto.wasm_sodium import SodiumModule

Part: TypeAlias = tuple[str, int, bytes | None]
"""Bytes of a file, from an offset to its end; None if the file no longer exists."""


class Database(Protocol):
    """What the browser stores for this page while it is closed."""

    async def read(self) -> Sequence[tuple[str, int, bytes]]:
        """Takes the database from any other tab, and returns all parts of all files, in order. Raises OSError."""

    async def write(self, parts: Sequence[Part]) -> None:
        """Makes these parts durable, all or none. Replaces what the files had from each offset on. Raises OSError."""


class RawSocket(Protocol):
    """A WebSocket of the browser."""

    @property
    def unsent(self) -> int:
        """Bytes that the network has not accepted yet."""

    def send(self, message: bytes) -> None: ...
    def close(self) -> None: ...


class Page(PagePort, Protocol):
    """The page, as its worker sees it."""

    @property
    def site(self) -> tuple[str, int]:
        """The address and the port of the host that serves the page."""

    @property
    def host_key(self) -> bytes:
        """The host's identity key, as given in the link."""

    @property
    def sodium(self) -> SodiumModule: ...
    @property
    def database(self) -> Database: ...
    def listen(self) -> None:
        """Calls `on_message` from now on, beginning with messages that have arrived already."""

    def open_socket(
        self, address: str, on_message: Callable[[bytes], None], on_close: Callable[[str], None]
    ) -> Awaitable[RawSocket]:
        """Connects to a WebSocket. Raises OSError, when awaited."""
