"""A table in memory with a spectator: what the spectator knows, as a screen sees it, and how the game goes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kimberley.client.session.interfaces import SpectatedPeer, Stop
from kimberley.games import lookup
from kimberley.games.table import Answer, Ask, Game, Result, State
from kimberley.protocol.audit import AuditedGame
from kimberley.protocol.events import Caught, Send
from kimberley.protocol.peer import Peer
from kimberley.protocol.roster import SignedRoster
from tests.support.tables import Chooser, Wire, at_once, seated

SEATS = {"diamond-trust": 2, "diamond": 2, "land": 3, "mine": 4, "piecepack": 3}
"""The games of this package, and a number of seats for each."""


class WireSeen:
    """A spectator's Peer at a table in memory: `client.session.interfaces.SpectatedPeer`. No wait has lasted long."""

    def __init__(self, peer: Peer) -> None:
        self._peer = peer
        self.waiting_since: dict[int, float] = {}

    @property
    def first_state(self) -> State:
        return self._peer.first_state

    @property
    def state(self) -> State:
        return self._peer.state

    @property
    def story(self) -> tuple[tuple[Ask, Answer], ...]:
        return self._peer.story

    @property
    def waiting(self) -> tuple[int, ...]:
        return self._peer.waiting

    @property
    def result(self) -> Result | None:
        return self._peer.result

    @property
    def table(self) -> SignedRoster:
        return self._peer.table

    @property
    def finished(self) -> bool:
        return self._peer.finished

    @property
    def caught(self) -> Caught | None:
        return self._peer.caught


class WireWatch:
    """A watched table in memory: `client.session.interfaces.SpectatorLike`. `play` continues the game and notifies
    listeners.
    """

    def __init__(self, wire: Wire) -> None:
        self.problem: str | None = None
        self.away_since: float | None = None
        self.closed = False
        self.listeners: list[Callable[[Any], None]] = []
        self.begin(wire)

    @property
    def game(self) -> Game | None:
        return self.wire.peers[-1].game

    @property
    def peer(self) -> SpectatedPeer | None:
        return self._seen

    def begin(self, wire: Wire) -> None:
        """Begins another game at the same table."""
        self.wire = wire
        self._seen = WireSeen(wire.peers[-1])
        self._told = len(wire.events)

    def subscribe(self, callback: Callable[[Any], None]) -> Stop:
        self.listeners.append(callback)
        return lambda: self.listeners.remove(callback)

    async def audit(self) -> AuditedGame | None:
        spectator = self.wire.peers[-1]
        return AuditedGame.by(spectator, spectator.record())

    async def close(self) -> None:
        self.closed = True

    def tell(self, event: Any = None) -> None:
        """Notifies the listeners."""
        for listener in list(self.listeners):
            listener(event)

    def play(self, length: int | None = None) -> None:
        """Plays until the story has that length and a choice is pending, or to the end."""
        wire, own = self.wire, len(self.wire.peers) - 1
        wire.silent = set()
        for peer in wire.peers[:own]:
            if peer.asked is not None:
                peer.choose(wire.choosers[peer.seat or 0](peer, peer.asked))
        wire.run(lambda: length is not None and len(wire.peers[own].story) >= length)
        if length is not None:
            wire.silent = set(range(own))
            wire.run()
        for index, event in self.wire.events[self._told :]:
            if index == own and not isinstance(event, Send):
                self.tell(event)
        self._told = len(self.wire.events)
        self.tell()


def bots_at(game: str, salt: str = "watched", choosers: list[Chooser] | None = None) -> Wire:
    """Returns a table of a game of this package that has just begun, with bots at its seats, then a spectator."""
    rules = lookup.find(game)
    return seated(rules, SEATS[game], salt, choosers or at_once(rules, SEATS[game]))
