"""Serves a few files to anybody, over plain HTTP: a page, the program, a wheel. Hands over connections for WebSockets.

It serves strangers, so everything is limited as at a table's listener: connections at a time, per origin and per
second, their duration and their bytes. It reads a request of each connection, answers it, and closes; a browser that
asks to keep the connection may send some more. It serves nothing but the files that it was given, and nothing in a
request is kept or shown.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Final, Protocol

from kimberley.p2p.base.rate_limited_log import RateLimitedLog
from kimberley.p2p.transport.address import origin, remote_address
from kimberley.p2p.transport.connection_limits import AcceptRateLimiter, ConnectionLimiter, ConnectionSlot
from kimberley.p2p.transport.ports import SHARE_PORT
from kimberley.p2p.transport.servers import reserve_port, stop_listening

log = logging.getLogger(__name__)

MOST_REQUEST_BYTES: Final = 8192
CHUNK: Final = 1 << 16
"""Bytes that are written at a time, so that a slow reader costs no more memory than this."""
_REQUEST: Final = re.compile(rb"([A-Z]{1,16}) (\S{1,2048}) HTTP/1\.[01]")
_KEEP: Final = re.compile(rb"\r\nconnection: *keep-alive *(?=\r\n|$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ServedFile:
    """One file, and the headers that belong to it in addition to its length."""

    data: bytes
    headers: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ServerLimits:
    """Limits for strangers.

    Args:
        request: Seconds until a request must be there.
        answer: Seconds for its answer.
        connections: Connections at a time.
        connections_each: The same, from one origin (`transport.address.origin`).
        requests: On one connection.
        rate: New connections per second from one origin.
        burst: New connections at once from one origin.

    """

    request: float = 8.0
    answer: float = 300.0
    connections: int = 32
    connections_each: int = 8
    requests: int = 16
    rate: float = 20.0
    burst: float = 40.0


class TakeOver(Protocol):
    """Serves a connection from its first request on."""

    def __call__(self, transport: asyncio.Transport, request: bytes, leave: Callable[[], None]) -> None:
        """Serves a request without a body. `leave` is to be called when the connection is closed, or when it is no
        longer a stranger's: then no limit counts it.
        """


def site_of(host: str, port: int) -> str:
    """Returns where a browser finds what is served at an address of this machine, without a slash at the end."""
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


class FileServer:
    """Serves files at one port until it is closed."""

    def __init__(
        self,
        files: Callable[[str], Mapping[str, ServedFile]],
        limits: ServerLimits | None = None,
        handed_over: Mapping[str, TakeOver] | None = None,
        expected: Callable[[], Collection[str]] = tuple,
    ) -> None:
        """Starts nothing yet; `open` does.

        Args:
            files: Returns the files by their paths, for a visitor who reached this machine at that address.
            limits: Limits for strangers; None for the defaults.
            handed_over: What takes over the connections that ask for these paths; None for nothing.
            expected: Returns the addresses of peers that may come back. Each is its own origin, and closed last.

        """
        self.port = 0
        self.files = files
        self.handed_over = handed_over or {}
        self.expected = expected
        self.limits = limits or ServerLimits()
        self._servers: list[asyncio.Server] = []
        self._connections = ConnectionLimiter(self.limits.connections, self.limits.connections_each)
        self._gate = AcceptRateLimiter(self.limits.rate, self.limits.burst)
        self._open: set[asyncio.Transport] = set()
        self._refusals = RateLimitedLog(log)

    @property
    def connections(self) -> int:
        """How many strangers are connected."""
        return len(self._open)

    async def open(self, port: int | None = None, bind: str | None = None) -> None:
        """Starts to listen.

        Args:
            port: 0 for any free port; None for SHARE_PORT, or the next that is free.
            bind: The only address to listen at; None for all of this machine.

        Raises:
            UserError: The port cannot be used.

        """
        server = await reserve_port(lambda: _HttpConnection(self), SHARE_PORT, port, bind)
        # Kept before the next await, so that it can be closed if this is canceled.
        self._servers.append(server)
        self.port = server.sockets[0].getsockname()[1]
        await server.start_serving()

    async def close(self) -> None:
        """Ends the connections of all strangers, and stops listening."""
        await stop_listening(self._servers)
        for transport in list(self._open):
            transport.abort()

    def admit(self, transport: asyncio.Transport) -> ConnectionSlot | None:
        """Returns the place of a new connection, or None if its origin has opened too many."""
        address = remote_address(transport)
        expected = address in self.expected()
        where = address if expected else origin(address)
        now = asyncio.get_running_loop().time()
        if not self._gate.allow(where, now):
            return None
        slot = ConnectionSlot(where, expected, transport.abort)
        self._open.add(transport)
        if (gone := self._connections.add(slot)) is not None:
            self._gate.count_rejection(gone.origin, now)
        return slot

    def leave(self, transport: asyncio.Transport, slot: ConnectionSlot) -> None:
        """Frees the place of a connection that has ended."""
        self._open.discard(transport)
        self._connections.discard(slot)

    def refused(self, slot: ConnectionSlot, reason: str) -> None:
        """Logs a request that got nothing."""
        self._refusals.log(f"{slot.origin} asked for nothing that is served here: {reason}")


class _HttpConnection(asyncio.Protocol):
    """A request and its answer, and so on, as long as the connection is kept."""

    def __init__(self, server: FileServer) -> None:
        self._server = server
        self._transport: asyncio.Transport | None = None
        self._slot: ConnectionSlot | None = None
        self._received = bytearray()
        self._rest = memoryview(b"")
        self._answering = self._kept = self._paused = False
        self._requests = 0
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._slot = self._server.admit(transport)
        if self._slot is None:
            transport.abort()
            return
        self._transport = transport
        transport.set_write_buffer_limits(CHUNK)
        self._abort_in(transport, self._server.limits.request)

    def data_received(self, data: bytes) -> None:
        if self._transport is None:
            return
        if self._answering:
            # Browsers wait for the answer.
            self._kept = False
            return
        self._received += data
        head, ended, more = self._received.partition(b"\r\n\r\n")
        if not ended and len(self._received) <= MOST_REQUEST_BYTES:
            return
        self._abort_in(self._transport, self._server.limits.answer)
        self._received.clear()
        self._answering = True
        self._requests += 1
        self._kept = not more and self._requests < self._server.limits.requests and bool(_KEEP.search(head))
        self._answer(bytes(head) if ended else b"")

    def pause_writing(self) -> None:
        self._paused = True

    def resume_writing(self) -> None:
        self._paused = False
        # Not at once: a transport of asyncio that is closed within this call ends twice (Python 3.11).
        asyncio.get_running_loop().call_soon(self._send)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        if self._transport is not None and self._slot is not None:
            self._server.leave(self._transport, self._slot)

    def _abort_in(self, transport: asyncio.Transport, seconds: float) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = asyncio.get_running_loop().call_later(seconds, transport.abort)

    def _answer(self, head: bytes) -> None:
        match = _REQUEST.fullmatch(head.partition(b"\r\n")[0])
        method, path = (match[1], match[2]) if match else (b"", b"")
        name = path.partition(b"?")[0].decode("ascii", "replace")
        if method == b"GET" and name in self._server.handed_over:
            self._hand_over(self._server.handed_over[name], head)
            return
        served = self._server.files(self._reached()).get(name)
        if not match:
            self._refuse(HTTPStatus.BAD_REQUEST)
        elif method not in (b"GET", b"HEAD"):
            self._refuse(HTTPStatus.METHOD_NOT_ALLOWED, ("Allow", "GET, HEAD"))
        elif served is None:
            self._refuse(HTTPStatus.NOT_FOUND, with_body=method == b"GET")
        else:
            self._respond(HTTPStatus.OK, served.headers, served.data, with_body=method == b"GET")

    def _hand_over(self, take_over: TakeOver, head: bytes) -> None:
        assert self._transport is not None
        assert self._slot is not None
        if self._deadline is not None:
            self._deadline.cancel()
        transport, self._transport = self._transport, None
        take_over(transport, head + b"\r\n\r\n", partial(self._server.leave, transport, self._slot))

    def _reached(self) -> str:
        """Returns the address of this machine that the connection came to."""
        assert self._transport is not None
        name: tuple[str, ...] = self._transport.get_extra_info("sockname")
        return name[0].removeprefix("::ffff:")

    def _refuse(self, status: HTTPStatus, *headers: tuple[str, str], with_body: bool = True) -> None:
        assert self._slot is not None
        self._server.refused(self._slot, status.phrase)
        plain = ("Content-Type", "text/plain; charset=utf-8")
        self._respond(status, (plain, *headers), f"{status.phrase}\n".encode(), with_body=with_body)

    def _respond(
        self, status: HTTPStatus, headers: tuple[tuple[str, str], ...], body: bytes, *, with_body: bool
    ) -> None:
        assert self._transport is not None
        lines = [
            f"HTTP/1.1 {status.value} {status.phrase}",
            *(f"{name}: {value}" for name, value in headers),
            f"Content-Length: {len(body)}",
            *([] if any(name == "Cache-Control" for name, _ in headers) else ["Cache-Control: no-store"]),
            "X-Content-Type-Options: nosniff",
            f"Connection: {'keep-alive' if self._kept else 'close'}",
        ]
        self._transport.write("".join(f"{line}\r\n" for line in [*lines, ""]).encode("ascii"))
        self._rest = memoryview(body if with_body else b"")
        self._send()

    def _send(self) -> None:
        """Writes as much as the other side takes. Then waits for the next request, or closes."""
        if self._transport is None or self._transport.is_closing():
            return
        while self._rest and not self._paused and not self._transport.is_closing():
            part, self._rest = self._rest[:CHUNK], self._rest[CHUNK:]
            self._transport.write(part)
        if self._rest:
            return
        if self._kept:
            self._answering = False
            self._abort_in(self._transport, self._server.limits.request)
        else:
            self._transport.close()
