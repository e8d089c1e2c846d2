"""Asks a host whether it shares this program: for a joiner whose own copy is of another version."""

from __future__ import annotations

import asyncio
from typing import Final

from kimberley.p2p.base.installation import SHARED_FILE
from kimberley.p2p.base.platform import connect
from kimberley.p2p.sharing.one_line import PATH
from kimberley.p2p.sharing.server import site_of
from kimberley.p2p.transport.ports import SHARE_PORT

ANSWER_SECONDS: Final = 2.0
MOST_HEAD_BYTES: Final = 4096


async def find_shared_copy(host: str, port: int | None = None, seconds: float = ANSWER_SECONDS) -> str | None:
    """Returns the address of the page where that host shares a copy; None if it does not name one within `seconds`, at
    that port or the default one.

    Only asks what the file is called, and fetches nothing: what the host answers proves nothing about the file.
    """
    if "%" in host:
        # A browser takes no address with a scope.
        return None
    port = SHARE_PORT if port is None else port
    try:
        async with asyncio.timeout(seconds):
            transport, head = await connect(_ResponseHead, host, port, tls=None)
            try:
                transport.write(f"HEAD {PATH} HTTP/1.1\r\nConnection: close\r\n\r\n".encode("ascii"))
                shares = await head.ended and f'filename="{SHARED_FILE}"'.encode() in head.received
            finally:
                transport.abort()
    except (OSError, TimeoutError):
        return None
    return site_of(host, port) if shares else None


class _ResponseHead(asyncio.Protocol):
    """The head of an HTTP response. `ended` becomes true when all of it is there, false if that does not happen."""

    def __init__(self) -> None:
        self.received = bytearray()
        self.ended: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

    def data_received(self, data: bytes) -> None:
        self.received += data[: MOST_HEAD_BYTES - len(self.received)]
        if b"\r\n\r\n" in self.received:
            self._end(self.received.startswith((b"HTTP/1.0 200 ", b"HTTP/1.1 200 ")))
        elif len(self.received) == MOST_HEAD_BYTES:
            self._end(False)

    def connection_lost(self, exc: Exception | None) -> None:
        self._end(False)

    def _end(self, whole: bool) -> None:
        if not self.ended.done():
            self.ended.set_result(whole)
