"""Another game: it begins when all players at the table want one, including the host.

Frame between seats:

    ("again", yes)             whether the seat wants another game
"""

from __future__ import annotations

from kimberley.p2p.table.context import TableContext
from kimberley.p2p.table.events import TableChanged
from kimberley.p2p.table.lobby import HostLobby
from kimberley.p2p.table.part import TablePart
from kimberley.p2p.table.seats import Seats
from kimberley.p2p.transport.frames import Frame
from kimberley.p2p.transport.link import Link


class Rematch(TablePart):
    """Keeps track of who wants another game."""

    def __init__(self, table: TableContext, seats: Seats) -> None:
        self.frames = {"again": self._on_frame}
        self._table = table
        self._seats = seats
        self._wanted_by: set[bytes] = set()
        """The identities that want another game: players change seats for it."""

    @property
    def again_from(self) -> frozenset[int]:
        """The seats whose players want another game."""
        return frozenset(map(self._table.occupants.seat_of, self._wanted_by))

    def want(self) -> None:
        """Says that this player wants another game."""
        table = self._table
        if table.phase != "done":
            return
        if not table.policy.players_play_again:
            table.fail("The referee decides who plays next, and at which table.")
        elif not table.host and table.host_key not in table.links:
            table.fail("The host has left. Open a new table for another game.")
        else:
            self._wanted_by.add(table.identity.public)
            table.mesh.broadcast(("again", True))
            table.publish(TableChanged("again"))
            self.begin_if_agreed()

    def begin_if_agreed(self) -> None:
        """Begins another game, at the host, when everybody wants one."""
        table, lobby = self._table, self._table.lobby
        if not isinstance(lobby, HostLobby) or table.phase != "done":
            return
        seat_of = table.occupants.seat_of
        missed = [link for key, link in table.links.items() if not link.connected and seat_of(key) in table.gone_seats]
        here = {table.occupants.seat, *map(seat_of, table.links)} - {seat_of(link.identity) for link in missed}
        if here <= self.again_from and len(here) in lobby.numbers:
            for link in missed:
                self._seats.drop(link)
            table.set_phase("open")
            lobby.next_round(at_once=True)

    def game_changed(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Forgets who wanted another game: there will be one, or the host chooses what comes next."""
        self._wanted_by.clear()

    def link_restored(self, link: Link) -> None:
        if self._table.phase == "done" and self._table.identity.public in self._wanted_by:
            link.send(("again", True))

    def _on_frame(self, link: Link, frame: Frame) -> bool:
        match frame:
            case ("again", True):
                self._table.call_after(lambda: self._on_again(link))
                return True
        return False

    def _on_again(self, link: Link) -> None:
        self._wanted_by.add(link.identity)
        self._table.publish(TableChanged("again"))
        self.begin_if_agreed()
