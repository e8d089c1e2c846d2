"""The players at a table, as one seat sees them."""

from __future__ import annotations

from kimberley.games.table import Game
from kimberley.p2p.base.confusables import confusable
from kimberley.p2p.storage.identity import Identity, fingerprint
from kimberley.p2p.table.lobby import GuestLobby, HostLobby
from kimberley.p2p.transport.handshake import PeerVersion
from kimberley.p2p.transport.table_card import TableCard


class Occupants:
    """The players at the table, before and during a game. Whoever takes a seat sets its `_lobby`."""

    def __init__(self, game: Game, identity: Identity) -> None:
        self.game = game
        self._identity = identity
        self._lobby: HostLobby | GuestLobby

    @property
    def seats(self) -> int:
        """The number of seats, taken or not."""
        return self._lobby.terms.seats

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of players with which the game can begin here."""
        return self._lobby.numbers

    @property
    def asks_ready(self) -> bool:
        """Whether the game waits for everybody to be ready: it does if the number of players is not fixed."""
        return len(self.numbers) > 1

    @property
    def readiness(self) -> tuple[bool, ...]:
        """By seat: who is ready."""
        return tuple(sitting.ready for sitting in self._lobby.sitting)

    @property
    def called_bots(self) -> tuple[bool, ...]:
        """By seat: whether the host calls the player a bot. It is a label for people: nothing may rely on it."""
        return tuple(sitting.bot for sitting in self._lobby.sitting)

    @property
    def names(self) -> tuple[str, ...]:
        """The nicknames by seat. If two look alike, one carries its key's fingerprint."""
        people = self._lobby.people
        return tuple(
            f"{name} {fingerprint(key)}" if any(confusable(name, n) and k < key for k, n in people) else name
            for key, name in people
        )

    @property
    def seat(self) -> int:
        return self._seat_of(self._identity.public)

    def _seat_of(self, key: bytes) -> int:
        return next((seat for seat, (other, _) in enumerate(self._lobby.people) if other == key), 0)

    def _card_of(self, *, open: bool) -> TableCard:
        """The card for people who look at the table. Only an `open` one has free seats."""
        lobby, terms = self._lobby, self._lobby.terms
        free = open and isinstance(lobby, HostLobby) and not lobby.beginning
        return TableCard(
            self._identity.public,
            dict(lobby.people).get(self._identity.public, "player"),
            terms.game,
            terms.rules,
            len(lobby.people) if free else terms.seats,
            terms.seats,
            PeerVersion.own(),
            terms.options,
            tuple(name for _, name in lobby.people),
        )
