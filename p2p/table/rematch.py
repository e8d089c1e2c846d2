"""Another game: it begins when all players at the table want one, including the host (`table.votes`)."""

from __future__ import annotations

from typing import Final

from kimberley.games.table import Plain
from kimberley.p2p.table.context import TableContext
from kimberley.p2p.table.events import TableChanged
from kimberley.p2p.table.lobby import HostLobby
from kimberley.p2p.table.part import TablePart
from kimberley.p2p.table.phases import OpenPhase
from kimberley.p2p.table.seats import Seats
from kimberley.p2p.table.votes import BallotBox, Votes
from kimberley.p2p.transport.link import Link

AGAIN: Final = "again"


class Rematch(TablePart):
    """Keeps track of who wants another game."""

    def __init__(self, table: TableContext, seats: Seats, votes: Votes) -> None:
        self._table = table
        self._seats = seats
        self._votes = votes
        votes.ask(AGAIN, BallotBox(self._take, frozenset({"done"})))

    @property
    def again_from(self) -> frozenset[int]:
        """The seats whose players want another game."""
        return frozenset(map(self._table.occupants.seat_of, self._votes.of(AGAIN)))

    @property
    def partners(self) -> frozenset[int]:
        """The other seats whose players a rematch needs: all still at the table, except those who left the game and
        have lost the connection.
        """
        table, missed = self._table, self._missed
        return frozenset(table.occupants.seat_of(key) for key, link in table.links.items() if link not in missed)

    @property
    def _missed(self) -> list[Link]:
        """The links to seats that left the game and are not connected: nobody waits for them."""
        table = self._table
        return [
            link
            for key, link in table.links.items()
            if not link.connected and table.occupants.seat_of(key) in table.gone_seats
        ]

    def want(self) -> None:
        """Says that this player wants another game."""
        table = self._table
        if not table.at.is_over:
            return
        if not table.policy.players_play_again:
            table.fail("The referee decides who plays next, and at which table.")
        elif not table.host and table.host_key not in table.links:
            table.fail("The host has left. Open a new table for another game.")
        else:
            self._votes.cast(AGAIN, True)
            table.publish(TableChanged("again"))
            self.begin_if_agreed()

    def begin_if_agreed(self) -> None:
        """Begins another game, at the host, when everybody wants one and is connected."""
        table, lobby = self._table, self._table.lobby
        if not isinstance(lobby, HostLobby) or not table.at.is_over:
            return
        missed, here = self._missed, self.partners | {table.occupants.seat}
        connected = all(link.connected for link in table.links.values() if link not in missed)
        if connected and here <= self.again_from and len(here) in lobby.numbers:
            for link in missed:
                self._seats.drop(link)
            table.set_phase(OpenPhase(table.match))
            lobby.next_round(at_once=True)

    def game_changed(self) -> None:
        self.forget()

    def link_changed(self, link: Link) -> None:
        if self._table.at.is_over:
            # The last one who was waited for may be back, or is no longer waited for.
            self._table.call_after(self.begin_if_agreed)

    def forget(self) -> None:
        """Forgets who wanted another game: there will be one, or the host chooses what comes next."""
        self._votes.forget(AGAIN)

    def _take(self, link: Link, ballot: Plain) -> bool:
        if ballot is not True:
            return False
        self._table.call_after(lambda: self._on_again(link))
        return True

    def _on_again(self, link: Link) -> None:
        self._votes.count(AGAIN, link.identity, True)
        self._table.publish(TableChanged("again"))
        self.begin_if_agreed()
