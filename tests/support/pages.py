"""The page of a tournament, with games as the player's program draws them, and what is answered there."""

from __future__ import annotations

import asyncio
import http.client
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from email.message import Message
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from starlette.types import ASGIApp

from kimberley.client.cli.lent import LentProgram
from kimberley.client.web.drawn_games import DrawnGames
from kimberley.referee.pages import serve
from kimberley.referee.pages.organizer import OrderLine
from kimberley.referee.pages.site import site
from kimberley.referee.pages.tournament_source import TournamentSource

LOOPBACK: Final = "127.0.0.1"
ADDRESS: Final = "http://192.0.2.7:8080"
"""Where the others on the network find a page."""
PAGE_GAMES: Final = LentProgram.page_games


def open_page(
    source: TournamentSource, host: str, port: int, orders: OrderLine | None = None, names: Sequence[str] = ()
) -> AbstractAsyncContextManager[tuple[str, ...]]:
    """Serves the page as `referee.pages.serve.open_page` does."""
    return serve.open_page(source, DrawnGames(), host, port, orders, names)


def open_watched(source: TournamentSource, address: str = ADDRESS) -> AbstractAsyncContextManager[tuple[str, ...]]:
    """Serves the page to this machine, as one that others find at `address`."""

    def at_address(_: object) -> ASGIApp:
        return site(source, DrawnGames(), (address,), names=(LOOPBACK,))

    return serve.open_application(at_address, LOOPBACK, 0)


class Reply(NamedTuple):
    status: int
    headers: Message
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()


def fetch(url: str, headers: Mapping[str, str] | None = None, method: str = "GET") -> Reply:
    request = urllib.request.Request(url, headers=dict(headers or {}), method=method)
    try:
        with urllib.request.urlopen(request, timeout=60) as reply:
            return Reply(reply.status, reply.headers, reply.read())
    except urllib.error.HTTPError as error:
        with error:
            return Reply(error.code, error.headers, error.read())


async def get(url: str, headers: Mapping[str, str] | None = None, method: str = "GET") -> Reply:
    return await asyncio.to_thread(fetch, url, headers, method)


def ask(where: str, path: str, name: str) -> Reply:
    """Returns the response to somebody who has typed this name of the machine; redirections are not followed."""
    port = urlsplit(where).port
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=60)
    try:
        connection.request("GET", path, headers={"Host": f"{name}:{port}"})
        reply = connection.getresponse()
        return Reply(reply.status, reply.headers, reply.read())
    finally:
        connection.close()
