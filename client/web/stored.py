"""A tournament as another process than its referee knows it: from the store, and from what the referee sends."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from dataclasses import replace

from client.moments import Onlooker
from games.table import Game, Plain
from p2p.frames import Frame
from p2p.referee.clock import Clocks
from p2p.referee.store import Reader
from p2p.referee.tournament import Tournament
from protocol.encoding import Malformed
from protocol.peer import Peer
from protocol.roster import SignedRoster


class StoredHall:
    """A `client.web.hall.Hall`. Its store is read when `refresh` is called, and for records."""

    def __init__(self, reader: Reader, find: Callable[[str], Game]) -> None:
        """`find` gives the game of an id, or raises LookupError."""
        self.here: frozenset[bytes] = frozenset()
        self.tournament: Tournament
        self._reader = reader
        self._find = find
        self._stored: dict[tuple[int, int], Plain] = {}
        self._at = (0, 0)
        """The round and the table that frames are of."""
        self._games: dict[tuple[int, int], _RunningGame] = {}
        self._clocks: dict[tuple[int, int], Clocks] = {}
        self._taken = 0
        self.refresh()

    @property
    def count(self) -> int:
        return self._reader.count

    @property
    def moment(self) -> Hashable:
        runs = any(clocks.running for clocks in self._clocks.values())
        return self._taken, int(self.now()) if runs else 0

    def now(self) -> float:
        return time.monotonic()

    def view(self, round_: int, table: int) -> Onlooker | None:
        game = self._games.get((round_, table))
        return None if game is None else game.view()

    def clocks(self, round_: int, table: int) -> Clocks | None:
        if (clocks := self._clocks.get((round_, table))) is not None:
            return clocks
        try:
            return Clocks.read(self._stored[round_, table])
        except (KeyError, Malformed):
            return None

    def record(self, digest: bytes) -> bytes | None:
        return self._reader.record(digest)

    # -- what comes ----------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Takes up what was written since. Raises StorageTrouble."""
        if not self._reader.changed():
            return
        before = self._reader.count
        self.tournament = self._reader.tournament()
        if self._reader.count == before and before:
            return
        # The clocks of earlier rounds do not change any more; those that run are sent.
        self._stored = self._reader.clocks()
        latest = len(self.tournament.rounds)
        self._games = {place: game for place, game in self._games.items() if place[0] >= latest}
        self._clocks = {place: clocks for place, clocks in self._clocks.items() if place[0] >= latest}

    def take(self, frame: Frame) -> None:
        """Takes up a frame of a `client.web.feed.Feed`."""
        self._taken += 1
        match frame:
            case ("here", tuple() as identities):
                self.here = frozenset(one for one in identities if isinstance(one, bytes))
            case ("at", int() as round_, int() as table):
                self._at = round_, table
            case ("signed", roster):
                game = self._find(self.tournament.cup.game)
                self._games[self._at] = _RunningGame(game, SignedRoster.read(roster))
            case ("envelope", bytes() as envelope):
                self._games[self._at].envelopes.append(envelope)
            case ("clocks", clocks, tuple() as running, int() as at):
                seats = frozenset(seat for seat in running if isinstance(seat, int))
                self._clocks[self._at] = replace(Clocks.read(clocks), running=seats, since=at / 1000)
            case _:
                raise ValueError(f"a referee sends no frame of the kind {frame[0]!r}")


class _RunningGame:
    """A game that is followed only as far as somebody looks: proofs take time."""

    def __init__(self, game: Game, signed: SignedRoster) -> None:
        self.envelopes: list[bytes] = []
        """Those that nobody has looked at yet."""
        self._peer = Peer(game, signed, None)
        self._peer.start()

    def view(self) -> Onlooker:
        new, self.envelopes = self.envelopes, []
        for envelope in new:
            self._peer.receive(envelope)
            self._peer.take()
        return self._peer
