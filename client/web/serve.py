"""Serves the page in the referee's own process and event loop (uvicorn)."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Final

import uvicorn

from client.web.hall import Hall
from client.web.site import site
from p2p.address import own_addresses
from p2p.trouble import Trouble

PORT: Final = 8080
MOST_AT_ONCE: Final = 256
"""Requests; more are told to come back."""
LEAVE_SECONDS: Final = 2


@asynccontextmanager
async def open_page(hall: Hall, host: str = "", port: int = PORT) -> AsyncIterator[tuple[str, ...]]:
    """Serves `hall` at an address; an empty host is every address of this machine, port 0 any free one.

    Gives the addresses for people, like "http://192.168.0.5:8080". Raises Trouble where the port is taken.
    """
    try:
        listener = _listener(host, port)
    except OSError as error:
        raise Trouble(
            f"The page cannot be shown at {host or 'this machine'}, port {port}: {error.strerror or error}. "
            "Choose another port: --web PORT."
        ) from error
    config = uvicorn.Config(
        site(hall),
        log_config=None,
        access_log=False,
        lifespan="off",
        server_header=False,
        limit_concurrency=MOST_AT_ONCE,
        timeout_graceful_shutdown=LEAVE_SECONDS,
    )
    server = _Server(config)
    serving = asyncio.create_task(server.serve([listener]))
    try:
        bound = listener.getsockname()[1]
        yield tuple(f"http://{_in_url(address)}:{bound}" for address in ((host,) if host else _reachable()))
    finally:
        server.should_exit = True
        with suppress(asyncio.CancelledError):
            await serving
        listener.close()


class _Server(uvicorn.Server):
    """One that leaves signals to the program around it."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Nothing: Ctrl-C ends the referee, not the page alone."""
        yield


def _listener(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host or (not host and socket.has_dualstack_ipv6()) else socket.AF_INET
    dual = not host and family == socket.AF_INET6
    return socket.create_server((host, port), family=family, dualstack_ipv6=dual)


def _reachable() -> list[str]:
    """The addresses of this machine that a browser takes: none with a scope."""
    return [address for address in own_addresses() if "%" not in address]


def _in_url(address: str) -> str:
    return f"[{address}]" if ":" in address else address
