"""Reconnection: seats return to their game, and lost seats are found again (SPEC.md, section 10).

Frames between seats:

    ("door", port)     where the sender listens, at the address from which it has connected
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import Final

from kimberley.p2p.base.errors import UserError
from kimberley.p2p.discovery.peer_rediscovery import PeerRediscovery
from kimberley.p2p.far.door import FarDoor
from kimberley.p2p.storage.journal import Entry
from kimberley.p2p.table.context import TableContext
from kimberley.p2p.table.page_seats import PageSeats
from kimberley.p2p.table.part import TablePart
from kimberley.p2p.table.peer_addresses import KIND, PeerAddresses
from kimberley.p2p.table.phases import Phase
from kimberley.p2p.transport.address import parse_address
from kimberley.p2p.transport.channel import Channel
from kimberley.p2p.transport.frames import Frame, are_integers
from kimberley.p2p.transport.link import Link

SEARCH_AFTER_SECONDS: Final = 2.0  # SPEC: search
"""A connection that is back sooner than this is not searched for on the network."""


class Reconnection(TablePart):
    """Lets seats return, and keeps track of where they are. `seeks`: whether missing seats are searched for on the
    network.
    """

    def __init__(self, table: TableContext, page_seats: PageSeats, far: FarDoor, *, seeks: bool) -> None:
        self.frames = {"door": self._on_port}
        self._table = table
        self._page_seats = page_seats
        self._far = far
        self._seeks = seeks
        self._rediscovery: PeerRediscovery | None = None
        self._rediscovery_timer: asyncio.TimerHandle | None = None
        self._journaled: PeerAddresses | None = None

    def on_channel(self, channel: Channel) -> bool:
        table = self._table
        match channel.purpose:
            case ("seat", bytes()) if not table.left and table.mesh.attach(channel):
                pass
            case ("seat", bytes()) if (
                table.at.between_games and not table.host and channel.peer in dict(table.lobby.people)
            ):
                if (old := table.mesh.hold_early(channel)) is not None:
                    table.closing.start(old.close())
            case _:
                return False
        return True

    async def close(self) -> None:
        """Stops searching."""
        if self._rediscovery_timer is not None:
            self._rediscovery_timer.cancel()
            self._rediscovery_timer = None
        rediscovery, self._rediscovery = self._rediscovery, None
        if rediscovery is not None:
            await rediscovery.close()

    # -- what happens at the table -------------------------------------------------------------------------------------

    def game_changed(self) -> None:
        self._table.closing.start(self.close())
        self._journaled = None

    def phase_changed(self, phase: Phase) -> None:
        if phase.plays:
            for link in self._table.links.values():
                self._send_port(link)
        self.journal_addresses()
        self._update_search()

    def link_changed(self, link: Link) -> None:
        if link.connected and not self._table.at.before_game:
            self._send_port(link)
            self.journal_addresses()
        self._update_search()

    # -- who is missing ------------------------------------------------------------------------------------------------

    @property
    def away(self) -> dict[int, float]:
        """The seats whose connection is lost, and the loop's time when that happened, without seats that have left or
        are just leaving. Nobody is away from a table that has ended, and neither is a seat of this program, which no
        network can cut off.
        """
        table, people = self._table, dict(self._table.lobby.people).keys() - self._table.parting
        if table.left:
            return {}
        seats = {
            table.occupants.seat_of(key): link.away_since
            for key, link in table.links.items()
            if link.away_since is not None and key in people and key not in table.mesh.neighbours
        }
        return {seat: since for seat, since in seats.items() if seat not in table.gone_seats}

    @property
    def not_come(self) -> frozenset[int]:
        """The seats `away` that have not come since this program resumed the game."""
        table = self._table
        yet = {table.occupants.seat_of(key) for key, link in table.links.items() if not link.has_come}
        return frozenset(yet & set(self.away))

    # -- where everybody is --------------------------------------------------------------------------------------------

    def _addresses(self) -> PeerAddresses:
        table = self._table
        doors = {key: where for key, where in table.mesh.addresses.items() if key in table.links}
        bots = frozenset(table.trust.bots)
        lobby = table.lobby
        page, far = self._page_seats.port, self._far.keys
        return PeerAddresses(table.host_key, lobby.terms.seats, lobby.number, table.port, doors, bots, page, far)

    def addresses_entry(self) -> Entry:
        """Returns where the seats are, for a journal that begins."""
        self._journaled = self._addresses()
        return KIND, *self._journaled.plain()

    def journal_addresses(self) -> None:
        """Writes the addresses of the seats to the journal, if they have changed."""
        match = self._table.played
        if match is not None and self._journaled != self._addresses():
            self._journaled = self._addresses()
            match.write_note(KIND, *self._journaled.plain())

    def _send_port(self, link: Link) -> None:
        if self._table.port and link.direct and link.dialed and not link.local:
            link.send(("door", self._table.port))

    # -- the search ----------------------------------------------------------------------------------------------------

    def _missing_seats(self) -> list[bytes]:
        """Returns the seats that are waited for and not connected."""
        table = self._table
        if table.played is None:
            return []
        gone, seat_of = table.gone_seats, table.occupants.seat_of
        return [key for key, link in table.links.items() if not link.connected and seat_of(key) not in gone]

    def _update_search(self) -> None:
        """Searches for seats that have been missing for longer than a moment, and for nobody else."""
        missed = self._missing_seats()
        if not missed:
            if self._rediscovery_timer is not None:
                self._rediscovery_timer.cancel()
                self._rediscovery_timer = None
            if self._rediscovery is not None:
                self._rediscovery.set_missing(())
        elif self._rediscovery is not None and self._rediscovery_timer is None:
            self._rediscovery.set_missing(missed)
        elif self._seeks and self._rediscovery_timer is None:
            self._rediscovery_timer = asyncio.get_running_loop().call_later(SEARCH_AFTER_SECONDS, self._start_search)

    def _start_search(self) -> None:
        table, self._rediscovery_timer = self._table, None
        missed, match = self._missing_seats(), table.played
        if not missed or match is None:
            return
        if self._rediscovery is None:
            interfaces = None if table.bind is None else [table.bind]
            game_id, own = match.game_id, table.identity.public
            self._rediscovery = PeerRediscovery(game_id, own, table.port, table.mesh.add_candidates, interfaces)
        self._rediscovery.set_missing(missed)

    # -- frames --------------------------------------------------------------------------------------------------------

    def _on_port(self, link: Link, frame: Frame) -> bool:
        """Notes where a seat that has connected listens."""
        match frame:
            case ("door", int() as port) if are_integers(port) and 0 < port < 1 << 16:
                if link.direct and not link.local and not link.dialed:
                    with contextlib.suppress(UserError):
                        self._table.mesh.add_addresses({link.identity: (parse_address(link.address)[0], port)})
                        self.journal_addresses()
                return True
        return False
