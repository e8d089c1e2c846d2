"""What the host of a table does between games: options, seats, and a table that opens again after a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from kimberley.games.table import Game, Plain
from kimberley.p2p.table.admission import REMOVED
from kimberley.p2p.table.context import TableContext
from kimberley.p2p.table.lobby import HostLobby
from kimberley.p2p.table.seats import Seats
from kimberley.p2p.table.terms import make_terms, playable_numbers
from kimberley.p2p.transport.handshake import refusal_frame
from kimberley.protocol.play import NotAllowed


class Hosting:
    """What a host may do before a game and after it. The others can only watch."""

    def __init__(self, table: TableContext, seats: Seats, reopen: Callable[[], None]) -> None:
        """Takes `reopen`, which opens the table again after a game."""
        self._table = table
        self._seats = seats
        self._reopen = reopen

    @property
    def queue(self) -> tuple[str, ...]:
        """The nicknames of those who wait for a seat, in their turn; empty if this seat is not the host."""
        lobby = self._table.lobby
        return lobby.waiting.names if isinstance(lobby, HostLobby) else ()

    @property
    def begins(self) -> bool:
        """Whether a full table waits until its host is ready: after a game, if the number of players is fixed."""
        lobby = self._table.lobby
        return lobby.after_game and len(lobby.numbers) == 1

    def change_options(self, options: Mapping[str, Plain], seats: int, game: Game | None = None) -> None:
        """Changes the options, the most players and the `game` before a game, for all who are here. Nobody is ready
        then. Raises UserError if it cannot be played like this; NotAllowed if this is not the host, the table is not
        open, or more players are here.
        """
        table, lobby = self._table, self._table.lobby
        is_open = isinstance(lobby, HostLobby) and table.at.is_open and not lobby.beginning
        if not isinstance(lobby, HostLobby) or not is_open or seats < len(lobby.people):
            raise NotAllowed("only the host can change the options, and only while the table is open")
        game = game or table.game
        terms = make_terms(game, dict(options), seats)
        numbers = playable_numbers(game, terms)
        table.game = game
        lobby.change_terms(terms, numbers)

    def send_away(self, seat: int) -> None:
        """Takes a seat back, before a game: from a bot, or from a person, who cannot sit down here again. Raises
        NotAllowed if this is not the host, the game has begun, or nobody else sits there.
        """
        table, lobby = self._table, self._table.lobby
        key = lobby.people[seat][0] if 0 <= seat < len(lobby.people) else b""
        link = table.links.get(key)
        allowed = isinstance(lobby, HostLobby) and table.at.before_game
        if not isinstance(lobby, HostLobby) or not allowed or link is None:
            raise NotAllowed("only the host can remove someone, and only before the game")
        if link.local:
            self._seats.free(link, ("bye", "gave this seat to someone else"))
        else:
            lobby.waiting.shut_out(link, lobby.links.values())
            self._seats.free(link, refusal_frame(REMOVED))

    def open_again(self) -> None:
        """Opens the table again after a game, with everybody who is connected, for a game with other options or another
        one. Raises NotAllowed if this is not the host, or no game has just ended.
        """
        table, lobby = self._table, self._table.lobby
        if not isinstance(lobby, HostLobby) or not table.at.is_over:
            raise NotAllowed("only the host can open the table again, and only after a game")
        for link in [link for link in table.links.values() if not link.connected]:
            self._seats.drop(link)
        self._reopen()
        lobby.next_round(at_once=False)
