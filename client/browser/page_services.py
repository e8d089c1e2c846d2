"""The services of a seat in the browser: the table of the host that serves the page, and games in the page alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from kimberley.client.session.network import Network
from kimberley.client.session.ports import SharingLike, SpectatorLike, TableLike
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
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.transport.address import format_address

ONLY_THIS_TABLE: Final = "A page reaches the host that serves it, and nobody else: there you sit down at its table."


class PageServices(Network):
    """`client.session.services.Services`, in a page."""

    def __init__(self, settings: Settings, site: tuple[str, int], host_key: bytes) -> None:
        """`site` is where the page is served, and `host_key` the key of the only host to accept there."""
        super().__init__(settings)
        self.where: Final = format_address(*site)
        self._host_key = host_key

    async def warm(self) -> None:
        self._who()

    async def host(
        self, game: str, options: Mapping[str, Plain], seats: int, *, port: int | None = None, bind: str | None = None
    ) -> TableLike:
        raise UserError(ONLY_THIS_TABLE)

    async def join(self, where: ListedTable | str) -> TableLike | JoinedTournament:
        from kimberley.p2p.table.table import Table

        identity, _ = self._who()
        return await Table.join(
            self.where, lookup.find, nickname=self.settings.name, identity=identity, data=self.data,
            expected=self._host_key, listen=False, seek=False,
        )  # fmt: skip

    async def resume(self, which: UnfinishedGame | str | None) -> TableLike:
        return await self._resume(which, listen=False, seek=False)

    async def onlook(self, where: ListedTable | str) -> SpectatorLike:
        raise UserError(ONLY_THIS_TABLE)

    async def share(self, table: TableLike, picture: str) -> SharingLike:
        raise UserError(ONLY_THIS_TABLE)

    def watch(self, changed: Callable[[], None]) -> Stop:
        return lambda: None

    def nearby(self) -> NearbyTables:
        return NearbyTables(problem=ONLY_THIS_TABLE)

    async def addresses(self) -> tuple[str, ...]:
        return ()
