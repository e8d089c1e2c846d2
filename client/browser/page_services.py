"""The services of a seat in the browser: the table of the host that serves the page, and games in the page alone."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from kimberley.client.session.interfaces import SharingLike, SpectatorLike
from kimberley.client.session.network import Network
from kimberley.client.session.services import (
    JoinedTournament,
    ListedTable,
    NearbyTables,
    Stop,
    UnfinishedGame,
)
from kimberley.client.session.settings import Settings
from kimberley.games import lookup
from kimberley.games.table import Plain
from kimberley.p2p.base.backoff import Backoff
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.storage.journal import read_journal
from kimberley.p2p.tournament.messages import AT_REFEREE
from kimberley.p2p.transport.address import format_address
from kimberley.p2p.transport.dial import Unreachable
from kimberley.p2p.transport.room_door import NO_HOST, NO_TABLE, RoomDoor

if TYPE_CHECKING:
    from kimberley.p2p.table.table import Table
    from kimberley.p2p.tournament.client import TournamentClient

ONLY_THIS_TABLE: Final = "A web page can only reach the host that serves it: you join that host’s table."
NOT_FAR: Final = "A web page only reaches players on the same network. For friends far away, use the terminal."
FIRST_IN_ROOM: Final = "No table is open in this room yet. To open one: title screen, choose a game, Host."
SEAT_ATTEMPTS: Final = 6
SEAT_SECONDS: Final = 2.0
"""How often, and after how many seconds each time, a page asks for another seat while its host does not come to a game
that has not begun: a host is slow to notice that a phone has lost the network.
"""
ENTER_SECONDS: Final = (0.5, 1.0, 2.0, 4.0, 8.0, 8.0, 8.0, 8.0, 8.0)
"""Seconds between a page’s attempts to join the tournament while its referee does not answer."""


class PageServices(Network):
    """`client.session.services.Services`, in a page."""

    def __init__(self, settings: Settings, site: tuple[str, int], host_key: bytes) -> None:
        """Takes the `site` where the page is served, and the `host_key` of the only host to accept there, followed by
        AT_REFEREE if that is a referee; NO_HOST in a room, where anybody may open a table.
        """
        super().__init__(settings)
        self._site = site
        self._host_key = host_key[: len(NO_HOST)]
        self.in_tournament = host_key[len(NO_HOST) :] == AT_REFEREE
        self.may_host = self._in_room = host_key == NO_HOST
        self._door: RoomDoor | None = None
        self.where: Final = format_address(*site)
        self.only_host = self.where

    async def warm(self) -> None:
        self._who()

    async def host(
        self,
        game: str,
        options: Mapping[str, Plain],
        seats: int,
        *,
        port: int | None = None,
        bind: str | None = None,
        far: bool = False,
    ) -> Table:
        if not self._in_room:
            raise UserError(ONLY_THIS_TABLE)
        from kimberley.p2p.table.table import Table

        identity, _ = self._who()
        table = await Table.open(
            lookup.find(game), nickname=self.settings.name, identity=identity, data=self.data, options=options,
            seats=seats, listen=False,
        )  # fmt: skip
        try:
            await self._open_door(table)
        except BaseException:
            await table.close()
            raise
        return table

    def invite_far(self, table: Table, *, anew: bool = False) -> None:
        raise UserError(NOT_FAR)

    async def _open_door(self, table: Table) -> None:
        """Lets in others who come to the same room. Raises UserError."""
        if self._door is not None:
            await self._door.close()
        identity, _ = self._who()
        self._door = RoomDoor(identity, lambda channel: table.page_seats.welcome(channel, 0), self._site)
        await self._door.open()

    async def join(
        self, where: ListedTable | str, queued: Callable[[str], None] = lambda sentence: None
    ) -> Table | JoinedTournament:
        return JoinedTournament(await self._enter()) if self.in_tournament else await self._join(queued)

    async def _enter(self) -> TournamentClient:
        """Joins the tournament of the referee that serves the page, or comes back to it. The referee may have stopped
        since it served the page, and be back soon. Raises UserError.
        """
        from kimberley.p2p.tournament.client import TournamentClient

        identity, _ = self._who()
        backoff = Backoff(ENTER_SECONDS)
        while True:
            try:
                return await TournamentClient.enter(
                    self.where, lookup.find, nickname=self.settings.name, identity=identity, data=self.data,
                    expected=self._host_key, listen=False, seek=False,
                )  # fmt: skip
            except Unreachable:
                if backoff.failures == len(ENTER_SECONDS):
                    raise
            await asyncio.sleep(backoff.next())

    async def _join(self, queued: Callable[[str], None] = lambda sentence: None) -> Table:
        from kimberley.p2p.table.table import Table

        identity, _ = self._who()
        try:
            return await Table.join(
                self.where, lookup.find, nickname=self.settings.name, identity=identity, data=self.data,
                expected=None if self._in_room else self._host_key, listen=False, seek=False, queued=queued,
            )  # fmt: skip
        except Unreachable as error:
            if NO_TABLE not in str(error):
                raise
            raise UserError(FIRST_IN_ROOM) from error

    async def resume(self, which: UnfinishedGame | str | None) -> Table:
        """Resumes the seat of an unfinished game; if nothing is signed there, and its host offers a seat because it has
        not begun the game, takes that one.
        """
        path = await self._journal(which)
        signed = read_journal(path).sent
        table = await self._resume(path, listen=False, seek=False)
        try:
            if self._in_room and table.host:
                await self._open_door(table)
            seat = None if signed or table.host else await self._seat_instead_of(table)
        except BaseException:
            await table.suspend()
            raise
        if seat is None:
            return table
        await table.close()
        return seat

    async def _seat_instead_of(self, table: Table) -> Table | None:
        """Returns another seat at the host's table; None if the host comes to this game, or gives no other seat."""
        for _ in range(SEAT_ATTEMPTS):
            if table.phase != "playing" or await _has_come(table, table.host_seat, SEAT_SECONDS):
                break
            with contextlib.suppress(UserError):
                return await self._join()
        return None

    async def spectate(self, where: ListedTable | str) -> SpectatorLike:
        raise UserError(ONLY_THIS_TABLE)

    @property
    def serves_pages(self) -> bool:
        return False

    async def share(self, table: Table, picture: str) -> SharingLike:
        raise UserError(ONLY_THIS_TABLE)

    async def close(self) -> None:
        if self._door is not None:
            await self._door.close()
        await super().close()

    def watch(self, changed: Callable[[], None]) -> Stop:
        return lambda: None

    def nearby(self) -> NearbyTables:
        return NearbyTables(problem=ONLY_THIS_TABLE)

    async def addresses(self) -> tuple[str, ...]:
        return ()


async def _has_come(table: Table, seat: int, seconds: float) -> bool:
    """Waits some seconds for a seat to come to a resumed game, and returns whether it has come."""
    stirred = asyncio.Event()
    stop = table.subscribe(lambda _event: stirred.set())
    try:
        async with asyncio.timeout(seconds):
            while seat in table.reconnection.not_come:
                stirred.clear()
                await stirred.wait()
    except TimeoutError:
        return False
    finally:
        stop()
    return True
