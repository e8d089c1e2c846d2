"""Who sits at a table, as one seat of it sees them."""

from __future__ import annotations

from games.table import Game
from p2p.card import Card
from p2p.confusables import confusable
from p2p.hello import Speaker
from p2p.identity import Identity, fingerprint
from p2p.lobby import GuestLobby, HostLobby


class Attendance:
    """The table's people, before a game and in it; whoever takes a seat gives it its `_lobby`."""

    def __init__(self, game: Game, identity: Identity) -> None:
        self.game = game
        self._identity = identity
        self._lobby: HostLobby | GuestLobby

    @property
    def seats(self) -> int:
        """How many seats the table has, taken or not."""
        return self._lobby.terms.seats

    @property
    def numbers(self) -> tuple[int, ...]:
        """How many may play here."""
        return self._lobby.numbers

    @property
    def asks_ready(self) -> bool:
        """Whether the game waits for everybody to be ready: where it leaves a choice of how many play."""
        return len(self.numbers) > 1

    @property
    def readiness(self) -> tuple[bool, ...]:
        """By seat: who is ready."""
        return tuple(sitting.ready for sitting in self._lobby.sitting)

    @property
    def called_bots(self) -> tuple[bool, ...]:
        """By seat: whom the host calls a bot. It is a label for a person to read: nothing may rest on it."""
        return tuple(sitting.bot for sitting in self._lobby.sitting)

    @property
    def names(self) -> tuple[str, ...]:
        """The nicknames of those who sit, by seat; of two that are alike one carries the key's fingerprint."""
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

    def _card_of(self, *, open: bool) -> Card:
        """What is shown to who looks at the table; only an `open` one has free seats."""
        lobby, terms = self._lobby, self._lobby.terms
        free = open and isinstance(lobby, HostLobby) and not lobby.beginning
        return Card(
            self._identity.public,
            dict(lobby.people).get(self._identity.public, "player"),
            terms.game,
            terms.rules,
            len(lobby.people) if free else terms.seats,
            terms.seats,
            Speaker.own(),
            terms.options,
            tuple(name for _, name in lobby.people),
        )
