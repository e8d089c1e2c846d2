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
        """Begins another game, at the host, when everybody wants one."""
        table, lobby = self._table, self._table.lobby
        if not isinstance(lobby, HostLobby) or not table.at.is_over:
            return
        seat_of = table.occupants.seat_of
        missed = [link for key, link in table.links.items() if not link.connected and seat_of(key) in table.gone_seats]
        here = {table.occupants.seat, *map(seat_of, table.links)} - {seat_of(link.identity) for link in missed}
        if here <= self.again_from and len(here) in lobby.numbers:
            for link in missed:
                self._seats.drop(link)
            table.set_phase(OpenPhase(table.match))
            lobby.next_round(at_once=True)

    def game_changed(self) -> None:
        self.forget()

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
