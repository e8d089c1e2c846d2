"""The tables of the current round: each has a referee until it is decided."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Protocol

from kimberley.games.table import Game, Plain
from kimberley.p2p.base.tasks import BackgroundTasks
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.tournament.clock import TableClocks
from kimberley.p2p.tournament.events import GameSeated, TableDecided, TableOrder
from kimberley.p2p.tournament.messages import TableId, pack_addresses
from kimberley.p2p.tournament.players import IN
from kimberley.p2p.tournament.settings import TournamentSettings
from kimberley.p2p.tournament.tournament import Tournament, people_at
from kimberley.p2p.transport.frames import Frame
from kimberley.p2p.transport.mesh import HostPort
from kimberley.protocol.encoding import Malformed
from kimberley.referee.async_store import AsyncStore
from kimberley.referee.player_connections import PlayerConnections
from kimberley.referee.rulings import Ruling
from kimberley.referee.table_referee import LEAVES, WAYS_OUT, TableReferee
from kimberley.referee.table_wait import TableWait

log = logging.getLogger(__name__)

TELL_SECONDS: Final = 15.0
"""After this long the server tells whom a table waits for."""
AGAIN_SECONDS: Final = 60.0
"""Time until it tells that again."""
BEAT_SECONDS: Final = 0.25
"""Time between two checks of whether this program stood still: it was stopped, or its machine slept or froze."""
STANDSTILL_SECONDS: Final = 2.0
"""Time beyond a beat after which the server counts as having stood still."""


class RoundEvents(Protocol):
    """What the tables know of the tournament, and tell it."""

    @property
    def settings(self) -> TournamentSettings: ...
    @property
    def tournament(self) -> Tournament: ...
    async def begin(self, place: TableId, game_id: bytes, signatures: tuple[bytes, ...]) -> None:
        """Begins the game of a table: all its seats have signed that the words match."""

    async def decide(self, referee: TableReferee, ruling: Ruling, record: bytes | None) -> None:
        """Decides a table that has ended."""

    def on_waiting(self, place: TableId, wait: TableWait) -> None:
        """Called when a table whose game has not begun waits for somebody."""

    def on_internal_error(self, error: BaseException) -> None:
        """Called when a result could not be stored."""


@dataclass(frozen=True, slots=True)
class _ToldWait:
    """Whom a table waits for, and the loop's time when the server tells it next."""

    seats: tuple[int, ...]
    doing: str
    next_at: float


class RoundTables:
    """Gives every open table its referee. It is the `TournamentView` of the referees."""

    def __init__(
        self,
        server: RoundEvents,
        game: Game,
        identity: Identity,
        connections: PlayerConnections,
        store: AsyncStore,
        former_clocks: Mapping[tuple[int, int], Plain],
        come_seconds: float,
    ) -> None:
        """Opens no table yet.

        Args:
            server: The tournament around the tables.
            game: The game to play.
            identity: The referee's identity.
            connections: The channels of the players.
            store: Where the clocks are stored.
            former_clocks: The clocks by round and table, as the previous process stored them last.
            come_seconds: Seconds for all paired players to come to their table.

        """
        self.referees: dict[TableId, TableReferee] = {}
        """The referees of the tables that are not decided."""
        self.decided_by: dict[TableId, TableReferee] = {}
        """The referees of the current round's decided tables; what they have seen can still be read."""
        self._server = server
        self._game = game
        self._identity = identity
        self._connections = connections
        self._store = store
        self._former_clocks = former_clocks
        self._come_seconds = come_seconds
        self._waits: dict[TableId, _ToldWait] = {}
        """Whom each table whose game has not begun waits for."""
        self._beat_at = asyncio.get_running_loop().time()
        self._beat_timer = asyncio.get_running_loop().call_soon(self._beat)
        self._adding = BackgroundTasks(server.on_internal_error)
        """Results of tables on their way into the store."""
        self._closing = BackgroundTasks()
        """Referees of tables that are closing."""

    # -- what the tournament tells -------------------------------------------------------------------------------------

    def open(self) -> None:
        """Gives a referee to every table of the round without a result. Decided tables whose players sit elsewhere by
        now are forgotten.
        """
        tournament = self._server.tournament
        if (round := tournament.round) is None:
            return
        sitting = {identity for table in round.open for identity in table.seats}
        for place, referee in tuple(self.decided_by.items()):
            if place.round < round.number or sitting.issuperset(referee.people):
                del self.decided_by[place]
        for table in round.open:
            place = TableId(round.number, table.id)
            if place in self.referees:
                continue
            referee = self.referees[place] = TableReferee(
                self._server.settings,
                place,
                people_at(tournament, table.seats),
                self._game,
                self._identity,
                self,
                clocks=self._clocks_before(place),
                game_id=table.game,
                come_seconds=self._come_seconds,
            )
            if table.paused or table.added:
                referee.keeper.on_order(table.added, paused=table.paused)
            for identity in table.seats:
                player = tournament.player(identity)
                if player is not None and player.state != IN:
                    referee.on_left(identity, WAYS_OUT[player.state])

    def on_order(self, order: TableOrder) -> None:
        """Called when the organizer has paused a table, or given its players more time."""
        place = TableId(order.round, order.table)
        round, referee = self._server.tournament.round, self.referees.get(place)
        if round is not None and referee is not None:
            table = round.tables[place.number]
            referee.keeper.on_order(table.added, paused=table.paused)

    def _clocks_before(self, place: TableId) -> TableClocks | None:
        """Returns the clocks of a table as the previous referee process stored them last."""
        try:
            return TableClocks.read(self._former_clocks[place.round, place.table])
        except (KeyError, Malformed):
            return None

    def tick(self) -> None:
        """Does what has fallen due. To be called a few times per second."""
        now = asyncio.get_running_loop().time()
        for place, referee in tuple(self.referees.items()):
            referee.tick()
            if (wait := referee.wait) is None:
                self._waits.pop(place, None)
                continue
            known = self._waits.get(place)
            if known is None or (known.seats, known.doing) != (wait.seats, wait.doing):
                self._waits[place] = _ToldWait(wait.seats, wait.doing, now + TELL_SECONDS)
            elif now >= known.next_at:
                self._waits[place] = replace(known, next_at=now + AGAIN_SECONDS)
                self._server.on_waiting(place, wait)

    def on_decided_event(self, event: TableDecided) -> None:
        """Called when the result of a table counts from now on."""
        place = TableId(event.round, event.table)
        referee = self.decided_by[place] = self.referees.pop(place)
        self._waits.pop(place, None)
        self._closing.start(referee.close())

    def on_seated(self, event: GameSeated) -> None:
        """Called when the game of a table has begun: all have been told so."""
        if (referee := self.referees.get(TableId(event.round, event.table))) is not None:
            referee.on_seated()

    def _beat(self) -> None:
        """Notices when this program stood still. A timer of the loop runs before anything that came meanwhile is
        handled.
        """
        loop = asyncio.get_running_loop()
        before, self._beat_at = self._beat_at, loop.time()
        lost = self._beat_at - before - BEAT_SECONDS
        if lost > STANDSTILL_SECONDS:
            log.warning("The referee stood still for %.0f seconds. They count against nobody.", lost)
            for referee in self.referees.values():
                referee.on_standstill(lost)
        self._beat_timer = loop.call_later(BEAT_SECONDS, self._beat)

    async def close(self) -> None:
        """Stops watching the tables."""
        self._beat_timer.cancel()
        for referee in tuple(self.referees.values()):
            await referee.close()

    async def wait(self) -> None:
        """Waits until all results are stored and everything has ended."""
        await self._adding.wait()
        await self._closing.wait()

    # -- what players do -----------------------------------------------------------------------------------------------

    def on_withdrawal(self, identity: bytes) -> None:
        """Called when a player has withdrawn from the tournament, or was banned."""
        player = self._server.tournament.player(identity)
        assert player is not None
        for referee in self._of(identity):
            referee.on_left(identity, WAYS_OUT[player.state])

    def on_leave(self, identity: bytes, place: TableId) -> None:
        """Called when a player has left its table for good."""
        referee = self.referees.get(place)
        if referee is not None and identity in referee.people:
            referee.on_left(identity, LEAVES)

    def on_seating(self, identity: bytes, place: TableId, frame: Frame) -> None:
        """Handles a player's part in the round in which all at its table sit down."""
        referee = self.referees.get(place)
        if referee is not None and identity in referee.people:
            referee.on_seating(identity, frame)

    async def on_shown(self, identity: bytes, place: TableId, frames: Frame) -> None:
        """Called when a player shows its game, as at its door."""
        referee = self.referees.get(place)
        if referee is not None and identity in referee.people:
            await referee.on_shown(identity, frames)

    def on_words(self, identity: bytes, place: TableId, game_id: bytes | None, signature: bytes | None) -> None:
        """Called when a player has the words of a game on the screen, or none; with its signature, they are the
        same.
        """
        referee = self.referees.get(place)
        if referee is not None and identity in referee.people:
            referee.on_words(identity, game_id, signature)

    def on_reconnect(self, identity: bytes) -> None:
        """Called when a player has connected."""
        for referee in self._of(identity):
            referee.on_reconnect(identity)
            self._send_addresses(referee)

    def on_disconnect(self, identity: bytes) -> None:
        """Called when a player has lost its connection."""
        for referee in self._of(identity):
            referee.on_disconnect(identity)

    def on_arrival(self, identity: bytes, place: TableId, where: HostPort | None) -> None:
        """Called when a player has come to its table, and says where it listens there."""
        referee = self.referees.get(place)
        if referee is not None and identity in referee.people and referee.on_arrival(identity, where):
            self._send_addresses(referee)

    def passes(self, sender: bytes, receiver: bytes) -> bool:
        """Returns whether these two sit at the same table of the round, and one of them listens nowhere. The last
        envelopes of a game may be on their way when its result is there.
        """
        tables = (*self.referees.values(), *self.decided_by.values())
        return any(referee.passes(sender, receiver) for referee in tables)

    def _of(self, identity: bytes) -> list[TableReferee]:
        return [referee for referee in self.referees.values() if identity in referee.people]

    def _send_addresses(self, referee: TableReferee) -> None:
        place = referee.place
        for player in referee.people:
            self.send(player, ("doors", place.round, place.table, pack_addresses(referee.addresses)))

    # -- what the referees ask and tell --------------------------------------------------------------------------------

    @property
    def cut_off(self) -> bool:
        return not self._connections.present

    def is_connected(self, player: bytes) -> bool:
        return player in self._connections.present

    def name(self, player: bytes) -> str:
        return self._server.tournament.name(player)

    def send(self, player: bytes, frame: Frame) -> None:
        self._connections.send(player, frame)

    def on_game_started(self, referee: TableReferee, game_id: bytes, signatures: tuple[bytes, ...]) -> None:
        self._adding.start(self._server.begin(referee.place, game_id, signatures))

    def store_clocks(self, place: TableId, clocks: TableClocks) -> None:
        self._store.store_clocks(place, clocks.plain(asyncio.get_running_loop().time()))

    def on_decided(self, referee: TableReferee, ruling: Ruling, record: bytes | None) -> None:
        self._adding.start(self._server.decide(referee, ruling, record))
