"""Serves the page for people who have only a browser, as a host does, and lets their seats in.

Their programs join the tournament like any other, by a WebSocket to the port of the page (SPEC.md, section 10.9). They
listen nowhere: the others at their tables reach them through the referee.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.extras import BROWSER, has
from kimberley.p2p.base.platform import in_background
from kimberley.p2p.sharing.page_program import PageProgram, build_page_program
from kimberley.p2p.sharing.server import FileServer, ServerLimits
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.tournament.messages import AT_REFEREE
from kimberley.p2p.transport.web_channel import SEAT_PATH
from kimberley.p2p.transport.web_listener import WebListener
from kimberley.referee.last_port import SEATS, keep_port, last_port
from kimberley.referee.server import TournamentServer

LIMITS: Final = ServerLimits(connections=128, connections_each=32, burst=80.0)
"""A whole club scans the code at once, and each browser opens several connections."""
AGAIN_SECONDS: Final = (1.0, 2.0, 5.0)
"""Seconds between attempts to serve it at the port where its players' browsers look for it."""
TAKEN: Final = "Port {port} is in use, so players in browsers cannot come back. Close the program that uses it."


class FormerPortTaken(UserError):
    """The port where the browsers of players look for their page cannot be used now."""


class SeatPage:
    """The page of a tournament’s seats, until it is closed."""

    def __init__(
        self, server: TournamentServer, identity: Identity, program: PageProgram, folder: Path, bind: str | None
    ) -> None:
        """Serves nothing yet; `serve` does.

        Args:
            server: Lets the seats in.
            identity: The referee's identity.
            program: What the page runs.
            folder: The folder of the tournament.
            bind: The only address to listen at; None for all of this machine.

        """
        self._server, self._folder, self._bind = server, folder, bind
        self._key = identity.public + AT_REFEREE
        self._program = program
        self._door = WebListener(identity, server.admit, server.expected)
        files = program.served_by(self._key)
        self._files = FileServer(lambda _: files, LIMITS, {SEAT_PATH: self._door.take_over}, server.expected)

    @property
    def port(self) -> int:
        """The port where it is served."""
        return self._files.port

    @property
    def digits(self) -> str:
        """The digits in its link, which stand for the program and the referee."""
        return self._program.digits(self._key)

    async def serve(self) -> None:
        """Serves it at the port of the last run, or at another one if that is taken and nobody has joined: a browser
        keeps its player's identity for one port alone. Raises UserError; FormerPortTaken if it may be free later.
        """
        former = last_port(self._folder / SEATS)
        try:
            await self._files.open(former, self._bind)
        except UserError as error:
            if former is None:
                raise
            if self._server.tournament.players:
                raise FormerPortTaken(TAKEN.format(port=former)) from error
            await self._files.open(None, self._bind)
        keep_port(self._folder / SEATS, self.port)
        self._server.seats = self.port, self.digits

    async def close(self) -> None:
        """Serves nothing any more. Players who have joined stay connected."""
        await self._files.close()
        await self._door.close()


async def build_seat_page(
    server: TournamentServer, identity: Identity, folder: Path, bind: str | None
) -> SeatPage | None:
    """Returns the page of the tournament in this folder; None if what it runs on is not installed."""
    if not has(BROWSER):
        return None
    return SeatPage(server, identity, await in_background(build_page_program), folder, bind)
