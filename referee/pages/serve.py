"""Serves the page over HTTP (uvicorn) within limits. Connections that exceed them are dropped."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from typing import Final, cast

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.tasks import task_scope
from kimberley.p2p.tournament.page_games import PageGames
from kimberley.p2p.transport.address import origin, own_addresses
from kimberley.referee.pages.organizer import OrderLine
from kimberley.referee.pages.site import site
from kimberley.referee.pages.tournament_source import TournamentSource

MOST_CONNECTIONS: Final = 256
MOST_EACH: Final = 64
"""Connections from one address: all clients behind a proxy share one."""
MOST_HEADERS: Final = 16 << 10
"""Bytes of a request before its body. Only the organizer's page accepts a body."""
ANSWER_SECONDS: Final = 20.0
"""How long a client may take to ask, and to read a response. The time in which the page is made does not count."""
LEAVE_SECONDS: Final = 2


def open_page(
    source: TournamentSource,
    games: PageGames,
    host: str,
    port: int,
    orders: OrderLine | None = None,
    names: Sequence[str] = (),
) -> AbstractAsyncContextManager[tuple[str, ...]]:
    """Serves `source`, as `open_application` does, with what `games` draws. The organizer's `orders` go to the referee.
    `names` are those by which people know this machine, besides its own.
    """
    names = (host, *names) if host else names
    return open_application(lambda addresses: site(source, games, addresses, orders, names), host, port)


@asynccontextmanager
async def open_application(
    make: Callable[[tuple[str, ...]], ASGIApp], host: str, port: int
) -> AsyncIterator[tuple[str, ...]]:
    """Serves the application that `make` returns for its addresses. An empty host means every address of this machine,
    port 0 any free port.

    Yields the addresses of the page, like "http://192.168.0.5:8080". Raises UserError if the port is taken.
    """
    try:
        listener = _listener(host, port)
    except OSError as error:
        raise UserError(
            f"The page cannot run at {host or 'this computer'}, port {port}: {error.strerror or error}. "
            "Choose another port: --web PORT."
        ) from error
    bound = listener.getsockname()[1]
    addresses = tuple(f"http://{_in_url(address)}:{bound}" for address in ((host,) if host else _reachable()))
    config = uvicorn.Config(
        make(addresses),
        http=_Connection,
        ws="none",
        log_config=None,
        access_log=False,
        lifespan="on",
        server_header=False,
        h11_max_incomplete_event_size=MOST_HEADERS,
        timeout_graceful_shutdown=LEAVE_SECONDS,
    )
    # It logs a line for each invalid request: a flood of them would fill the log.
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
    server = _Server(config)
    try:
        async with task_scope() as tasks:
            serving = tasks.start(server.serve([listener]))
            try:
                yield addresses
            finally:
                server.should_exit = True
                await asyncio.wait([serving])
    finally:
        listener.close()


class _Connection(H11Protocol):
    """A connection that makes room for others.

    If there are too many, the oldest one is dropped: a person's connection needs little time. A connection is also
    dropped if the client does not ask, or does not read the response.
    """

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.came = self.loop.time()
        self._answered = False
        self._timer = self.loop.call_later(ANSWER_SECONDS, self._expire)
        self.origin = origin(self.client[0]) if self.client is not None else ""
        others = [cast(_Connection, one) for one in self.connections]
        near = [one for one in others if one.origin == self.origin]
        crowd = near if len(near) > MOST_EACH else others if len(others) > MOST_CONNECTIONS else []
        if crowd:
            min(crowd, key=lambda one: one.came).drop()

    def connection_lost(self, exc: Exception | None) -> None:
        self._timer.cancel()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        self._answered = True
        super().on_response_complete()

    def drop(self) -> None:
        """Closes the connection at once, even during a response."""
        self.connections.discard(self)
        self.transport.abort()

    def _expire(self) -> None:
        making = self.cycle is not None and not (self.cycle.response_started or self.flow.write_paused)
        if not (self._answered or making):
            self.drop()
            return
        self._answered = False
        self._timer = self.loop.call_later(ANSWER_SECONDS, self._expire)


class _Server(uvicorn.Server):
    """A server that leaves signals to the program around it."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Does nothing: Ctrl-C ends the referee, not the page alone."""
        yield


def _listener(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host or (not host and socket.has_dualstack_ipv6()) else socket.AF_INET
    dual = not host and family == socket.AF_INET6
    return socket.create_server((host, port), family=family, dualstack_ipv6=dual)


def _reachable() -> list[str]:
    """Returns this machine's addresses that a browser accepts, so none with a scope; the loopback address without a
    network.
    """
    return [address for address in own_addresses() if "%" not in address] or ["127.0.0.1"]


def _in_url(address: str) -> str:
    return f"[{address}]" if ":" in address else address
