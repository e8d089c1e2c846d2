"""The gate that each request passes before it reaches the page: it checks the host asked for, and handles errors.

A name on the Internet can be pointed at this machine (DNS rebinding): a site that somebody here visits could then read
the page as if it were its own. So the page answers only requests for an address, which no site can take, or for a name
of this machine. The development servers Vite and webpack-dev-server do the same.
"""

from __future__ import annotations

import logging
import re
import socket
from collections.abc import Collection
from typing import Final

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kimberley.p2p.base.text import clean
from kimberley.p2p.transport.address import is_ip

log = logging.getLogger(__name__)

THIS_MACHINE: Final = "localhost"
LOCAL_DOMAINS: Final = ("home", "home.arpa", "internal", "lan", "local", "localdomain")
"""Domains in which networks name their machines. None of them is on the Internet."""
MISDIRECTED: Final = 421
ELSEWHERE: Final = (
    "This page does not answer to that name. Use the address of its computer, or the computer’s own name. "
    "The organizer can allow another name with --web-name NAME.\n"
)
FAILED: Final = "This page has failed. Reload it; if that does not help, tell the organizer.\n"
MOST_SHOWN: Final = 200
"""Characters of a path in the log."""
PLAIN_SAFETY: Final = {"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"}
_HOST: Final = re.compile(r"(?:\[(?P<address>[^][]+)\]|(?P<name>[^][:]+))(?::\d{0,5})?")


class Gate:
    """An application that answers for another one: to those who ask for this machine, and whatever fails."""

    def __init__(self, application: ASGIApp, names: Collection[str] = ()) -> None:
        """Takes `names`, by which people know this machine besides its own."""
        self._application = application
        self._names = own_names() | {_plain(name) for name in names}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        if not self._asks_for_this_machine(scope):
            await PlainTextResponse(ELSEWHERE, MISDIRECTED, PLAIN_SAFETY)(scope, receive, send)
            return
        begun = False

        async def note(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._application(scope, receive, note)
        except Exception:
            log.exception("%s %s failed", scope["method"], clean(repr(scope["path"]), MOST_SHOWN))
            if not begun:
                await failed_response()(scope, receive, send)

    def _asks_for_this_machine(self, scope: Scope) -> bool:
        hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
        match = _HOST.fullmatch(hosts[0]) if len(hosts) == 1 else None
        if match is None:
            return False
        if match["address"] is not None:
            return is_ip(match["address"])
        return is_ip(match["name"]) or _plain(match["name"]) in self._names


async def respond_to_error(request: Request, error: Exception) -> Response:
    """Answers for Starlette, which raises the error once more after this response: the gate logs it."""
    del request, error
    return failed_response()


def failed_response() -> Response:
    """Says in a sentence that something failed."""
    return PlainTextResponse(FAILED, 500, PLAIN_SAFETY)


def own_names() -> set[str]:
    """Returns the names of this machine in its network, in lower case."""
    whole = _plain(socket.gethostname())
    first = whole.partition(".")[0]
    return {THIS_MACHINE, *([whole, first, *(f"{first}.{domain}" for domain in LOCAL_DOMAINS)] if first else [])}


def _plain(name: str) -> str:
    return name.strip().lower().removesuffix(".")
