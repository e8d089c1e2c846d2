"""The players at a table, as one seat sees them."""

from __future__ import annotations

from kimberley.games.table import Plain
from kimberley.p2p.base.confusables import distinct_names
from kimberley.p2p.table.guest_lobby import GuestLobby
from kimberley.p2p.table.lobby import HostLobby
from kimberley.p2p.table.paired_lobby import PairedLobby
from kimberley.p2p.transport.handshake import PeerVersion
from kimberley.p2p.transport.table_card import TableCard


class Occupants:
    """The players at the table, before and during a game. Its `lobby` is set when a seat is taken."""

    lobby: HostLobby | GuestLobby | PairedLobby

    def __init__(self, own: bytes) -> None:
        """Takes `own`, this seat's identity key."""
        self._own = own

    @property
    def seats(self) -> int:
        """The number of seats, taken or not."""
        return self.lobby.terms.seats

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of players with which the game can begin here."""
        return self.lobby.numbers

    @property
    def asks_ready(self) -> bool:
        """Whether the game waits for everybody to be ready: it does if the number of players is not fixed."""
        return len(self.numbers) > 1

    @property
    def options(self) -> dict[str, Plain]:
        """The options of the next game, or of the one that is played."""
        return dict(self.lobby.terms.options)

    @property
    def readiness(self) -> tuple[bool, ...]:
        """By seat: who is ready."""
        return tuple(sitting.ready for sitting in self.lobby.sitting)

    @property
    def called_bots(self) -> tuple[bool, ...]:
        """By seat: whether the host calls the player a bot. Nothing but the words may rely on that."""
        return tuple(sitting.bot for sitting in self.lobby.sitting)

    @property
    def names(self) -> tuple[str, ...]:
        """The nicknames by seat. Those that look alike are followed by the seat's number."""
        return distinct_names([name for _, name in self.lobby.people])

    @property
    def seat(self) -> int:
        """The own seat."""
        return self.seat_of(self._own)

    def seat_of(self, key: bytes) -> int:
        return next((seat for seat, (other, _) in enumerate(self.lobby.people) if other == key), 0)

    def card(self, *, open: bool) -> TableCard:
        """Returns the card for people who look at the table. Only an `open` one has free seats."""
        lobby, terms = self.lobby, self.lobby.terms
        free = open and isinstance(lobby, HostLobby) and not lobby.beginning
        return TableCard(
            self._own,
            dict(lobby.people).get(self._own, "player"),
            terms.game,
            terms.rules,
            len(lobby.people) if free else terms.seats,
            terms.seats,
            PeerVersion.own(),
            terms.options,
            tuple(name for _, name in lobby.people),
        )
