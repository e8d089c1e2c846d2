"""A tournament as a process other than the referee's knows it: from the store, and from what the referee sends."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from kimberley.games.table import Game, Plain
from kimberley.p2p.base.platform import in_background, monotonic
from kimberley.p2p.table.runner import PeerView
from kimberley.p2p.table.spectated_game import SpectatedGame
from kimberley.p2p.tournament.clock import TableClocks
from kimberley.p2p.tournament.tournament import Tournament
from kimberley.p2p.transport.frames import Frame
from kimberley.protocol.encoding import Malformed
from kimberley.protocol.peer import Peer
from kimberley.protocol.roster import SignedRoster
from kimberley.referee.export import bundle_path
from kimberley.referee.store import StoreReader
from kimberley.referee.table_wait import TableWait

REVIEWS: Final = "reviews"
"""The folder of reviews, in the data folder."""


class StoredTournament:
    """A `referee.pages.tournament_source.TournamentSource`. It reads the store in `refresh`, and for records."""

    def __init__(self, reader: StoreReader, find: Callable[[str], Game]) -> None:
        """Takes `find`, which returns the game with an id, or raises LookupError."""
        self.here: frozenset[bytes] = frozenset()
        self.tournament: Tournament
        self.join = ""
        self.seats: tuple[int, str] | None = None
        self.next_round_at: float | None = None
        self._reader = reader
        self._find = find
        self._stored: dict[tuple[int, int], Plain] = {}
        self._at = (0, 0)
        """The round and the table that the next frames are about."""
        self._games: dict[tuple[int, int], _RunningGame] = {}
        self._clocks: dict[tuple[int, int], TableClocks] = {}
        self._waits: dict[tuple[int, int], TableWait] = {}
        self._taken = 0
        self.refresh()

    @property
    def count(self) -> int:
        return self._reader.count

    @property
    def moment(self) -> Hashable:
        runs = any(clocks.running for clocks in self._clocks.values()) or bool(self._waits)
        return self._taken, int(self.now()) if runs else 0

    @property
    def reviews(self) -> Path:
        return self._reader.path.parent / REVIEWS

    def bundle(self) -> Path | None:
        path = bundle_path(self._reader.path.parent, self.tournament.settings.name)
        return path if path.exists() else None

    def now(self) -> float:
        return monotonic()

    async def catch_up(self, round_: int, table: int) -> None:
        if (game := self._games.get((round_, table))) is not None:
            await game.catch_up()

    def view(self, round_: int, table: int) -> SpectatedGame | None:
        game = self._games.get((round_, table))
        # A table that is played again, or was to be, has a different game now, or none.
        seated = self.tournament.rounds[round_ - 1].tables[table].game
        return None if game is None or game.id != seated else game.view

    def clocks(self, round_: int, table: int) -> TableClocks | None:
        if (clocks := self._clocks.get((round_, table))) is not None:
            return clocks
        try:
            # A table that is played again has different clocks now.
            id_ = self.tournament.rounds[round_ - 1].tables[table].id
            return TableClocks.read(self._stored[round_, id_])
        except (KeyError, Malformed):
            return None

    def wait(self, round_: int, table: int) -> TableWait | None:
        return self._waits.get((round_, table))

    def record(self, digest: bytes) -> bytes | None:
        return self._reader.record(digest)

    # -- what comes ----------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Reads what has been written since the last call. Raises StorageError."""
        if not self._reader.changed():
            return
        before = self._reader.count
        self.tournament = self._reader.tournament()
        if self._reader.count == before and before:
            return
        # The clocks of earlier rounds no longer change. The referee sends those that run.
        self._stored = self._reader.clocks()
        latest = len(self.tournament.rounds)
        self._games = {place: game for place, game in self._games.items() if place[0] >= latest}
        self._clocks = {place: clocks for place, clocks in self._clocks.items() if place[0] >= latest}
        self._waits = {place: wait for place, wait in self._waits.items() if place[0] >= latest}

    def take(self, frame: Frame) -> None:
        """Applies a frame of a `referee.feed.Feed`."""
        self._taken += 1
        match frame:
            case ("here", tuple() as identities):
                self.here = frozenset(one for one in identities if isinstance(one, bytes))
            case ("join", str() as address):
                self.join = address
            case ("seats", int() as port, str() as digits):
                self.seats = port, digits
            case ("next", int() | None as following):
                self.next_round_at = None if following is None else following / 1000
            case ("at", int() as round_, int() as table):
                self._at = round_, table
            case ("signed", roster):
                game = self._find(self.tournament.settings.game)
                self._games[self._at] = _RunningGame(game, SignedRoster.read(roster))
            case ("envelope", bytes() as envelope):
                self._games[self._at].envelopes.append(envelope)
            case ("clocks", clocks, tuple() as running, int() as at):
                seats = frozenset(seat for seat in running if isinstance(seat, int))
                self._clocks[self._at] = replace(TableClocks.read(clocks), running=seats, since=at / 1000)
            case ("waits",):
                self._waits.pop(self._at, None)
            case ("waits", tuple() as waiting, str() as doing, int() as until):
                awaited = tuple(seat for seat in waiting if isinstance(seat, int))
                self._waits[self._at] = TableWait(awaited, doing, until / 1000)
            case _:
                raise ValueError(f"a referee sends no frame of the kind {frame[0]!r}")


class _RunningGame:
    """A running game. It is replayed only when somebody looks at it, and in the background, because checking proofs
    takes time.
    """

    def __init__(self, game: Game, signed: SignedRoster) -> None:
        self.envelopes: list[bytes] = []
        """The envelopes that have not been replayed yet."""
        self.id = signed.game_id
        self._peer = Peer(game, signed, None)
        self._peer.start()
        self.view = PeerView(self._peer)
        self._lock = asyncio.Lock()

    async def catch_up(self) -> None:
        async with self._lock:
            new, self.envelopes = self.envelopes, []
            if new:
                await in_background(self._replay, new)
                self.view.refresh()

    def _replay(self, envelopes: Sequence[bytes]) -> None:
        for envelope in envelopes:
            self._peer.receive(envelope)
            self._peer.take()
