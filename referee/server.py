"""The referee's server: admits players, pairs them, and watches every table (SPEC.md, "Referees").

Everything that happens is an event: it is stored first, then sent to all, and counts from then on. So the process may
end anywhere: the next one continues from the store, and the players reconnect. Waiting for the disk happens on another
thread, never on the event loop.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from kimberley.games.table import Game, Plain
from kimberley.p2p.base.errors import InternalError, UserError
from kimberley.p2p.base.platform import in_background, wall_time
from kimberley.p2p.base.publisher import Publisher
from kimberley.p2p.base.tasks import BackgroundTasks
from kimberley.p2p.discovery.endpoint import Endpoint
from kimberley.p2p.storage.files import StorageError
from kimberley.p2p.storage.identity import Identity, nickname_from
from kimberley.p2p.tournament import events
from kimberley.p2p.tournament.events import (
    DecisionUndone,
    GameSeated,
    LotsDrawn,
    PlayerBanned,
    PlayerWithdrew,
    RoundPaired,
    TableDecided,
    TablePaused,
    TableReplayed,
    TableResumed,
    TablesOpened,
    TimeAdded,
    TournamentEvent,
)
from kimberley.p2p.tournament.messages import TableId
from kimberley.p2p.tournament.players import IN, KEPT_OUT
from kimberley.p2p.tournament.settings import TournamentSettings
from kimberley.p2p.tournament.tournament import BETWEEN, ENROLLING, PLAYING, Tournament, is_last_round
from kimberley.p2p.transport.channel import Channel
from kimberley.p2p.transport.handshake import PeerVersion
from kimberley.p2p.transport.listener import ListenerLimits
from kimberley.p2p.transport.table_card import TableCard, TournamentCard
from kimberley.referee.async_store import AsyncStore
from kimberley.referee.membership import Membership
from kimberley.referee.named_teams import named_teams
from kimberley.referee.player_connections import PlayerConnections
from kimberley.referee.round_tables import RoundTables
from kimberley.referee.rulings import Ruling
from kimberley.referee.table_referee import COME_SECONDS, TableReferee
from kimberley.referee.table_wait import TableWait

TICK_SECONDS: Final = 0.25
"""Time between two checks of the tables."""
DOOR_LIMITS: Final = ListenerLimits(pending=128, pending_each=64, lookers=256, lookers_each=64, burst=80.0)
"""A whole club comes at once, and many bots may come from one machine."""
PAUSE_SECONDS: Final = 15.0
"""Time between the last result of a round and the next round."""


@dataclass(frozen=True, slots=True)
class PresenceChanged:
    """A player has connected or disconnected."""

    identity: bytes
    here: bool


@dataclass(frozen=True, slots=True)
class ServerNotice:
    """Something that the organizer should know: a sentence."""

    sentence: str


@dataclass(frozen=True, slots=True)
class TableWaits:
    """A table whose game has not begun waits for somebody."""

    place: TableId
    wait: TableWait


ServerEvent: TypeAlias = TournamentEvent | PresenceChanged | ServerNotice | TableWaits


@dataclass(frozen=True, slots=True)
class RoundTiming:
    """When the rounds begin.

    Args:
        players: The first round begins with this many players; None to wait for `start`.
        start: The first round begins at this time, in seconds since 1970; None to wait for players or for the
            organizer.
        pause: Seconds between two rounds.
        come: Seconds for all paired players to come to their table.
        teams: By the name of a team, the names of its players in the order of the boards.

    """

    players: int | None = None
    start: float | None = None
    pause: float = PAUSE_SECONDS
    come: float = COME_SECONDS
    teams: Mapping[str, Sequence[str]] = field(default_factory=dict)


class TournamentServer(Publisher[ServerEvent]):
    """Runs the tournament of a store. Its attributes are for reading."""

    def __init__(
        self,
        store: AsyncStore,
        game: Game,
        identity: Identity,
        plan: RoundTiming,
        history: Sequence[TournamentEvent],
        clocks: Mapping[tuple[int, int], Plain],
    ) -> None:
        """Prepares a server, which `open` starts."""
        super().__init__()
        self.tournament = store.tournament
        """The tournament with everything that is stored and sent."""
        self.game = game
        self.problem: str | None = None
        """Why the tournament has stopped: a sentence."""
        self.unannounced: str | None = None
        """Why players cannot discover the tournament; None if they can."""
        self.seats: tuple[int, str] | None = None
        """The port of the page for people who have only a browser, and the digits in its link; None without such a
        page.
        """
        self._identity = identity
        self._plan = plan
        self._connections = PlayerConnections(self)
        self._endpoint = Endpoint(identity, self.admit, self.card, self._on_announced, DOOR_LIMITS, self.expected)
        self._next_at = 0.0
        self.holding = False
        """Whether no round begins now, because the organizer is still busy with the last one."""
        self._stuck: Tournament | None = None
        self._leaving: dict[bytes, TableId] = {}
        """Who withdraws, and once which table has its result."""
        self._store = store
        self._store.on_failure = self._fail
        self._history = list(history)
        self.tables = RoundTables(self, game, identity, self._connections, store, clocks, plan.come)
        self.referees: Mapping[TableId, TableReferee] = self.tables.referees
        """The referees of the tables that are not decided."""
        self.decided_by: Mapping[TableId, TableReferee] = self.tables.decided_by
        """The referees of the current round's decided tables; what they have seen can still be read."""
        self._turn = asyncio.Lock()
        """Held while an event is added: it is judged by everything before it."""
        self.membership = Membership(self, plan.teams, lambda question: self.publish(ServerNotice(question)))
        """Who comes and goes."""
        self._tasks = BackgroundTasks(self.on_internal_error)

    @classmethod
    async def open(
        cls,
        store: AsyncStore,
        find: Callable[[str], Game],
        identity: Identity,
        plan: RoundTiming,
        *,
        port: int | None = None,
        former: int | None = None,
        bind: str | None = None,
        announce: bool = True,
    ) -> TournamentServer:
        """Starts to listen and continues the tournament.

        Args:
            store: The tournament's store. It is closed with the server.
            find: Returns the game of an id, or raises LookupError.
            identity: The referee's identity, which must be the tournament's.
            plan: When the rounds begin.
            port: The port to listen at; None for the previous one, if it is free.
            former: The previous port, if there is one.
            bind: The only address to listen and announce at; None for all.
            announce: Announce the tournament on the local network.

        Raises:
            UserError: This machine cannot listen, the store cannot be read, or the tournament is of another identity
                or revision.
            LookupError: The game is not installed.

        """
        settings = store.settings
        game = find(settings.game)
        if settings.referee != identity.public:
            raise UserError(
                "This tournament belongs to another identity. Put that identity back, or choose another folder."
            )
        if game.revision != settings.rules:
            raise UserError(
                f"This tournament began with revision {settings.rules} of the rules of {game.title}. Use that version."
            )
        server = cls(store, game, identity, plan, await store.events(), await store.clocks())
        try:
            await server._endpoint.open(former if port is None else port, bind, announce=announce)
        except UserError:
            if port is not None or former is None:
                raise
            await server._endpoint.open(None, bind, announce=announce)
        server.tables.open()
        server._continue_pause()
        server._tasks.start(server._run())
        return server

    # -- what one reads ------------------------------------------------------------------------------------------------

    @property
    def settings(self) -> TournamentSettings:
        return self._store.settings

    @property
    def port(self) -> int:
        """The port where it listens."""
        return self._endpoint.port

    @property
    def addresses(self) -> tuple[str, ...]:
        """What players can type to join, the likeliest first."""
        return self._endpoint.addresses

    @property
    def present(self) -> frozenset[bytes]:
        """The players that are connected."""
        return self._connections.present

    @property
    def over(self) -> bool:
        return self.tournament.ended

    def card(self) -> TableCard:
        """Returns the card for people who look before they join."""
        settings, now = self.settings, self.tournament
        players = sum(player.state == IN for player in now.players)
        card = TournamentCard(settings.name, settings.format, players, len(now.rounds), now.planned, now.ended)
        who = self._identity.public, nickname_from(settings.name)
        return TableCard(
            *who,
            settings.game,
            settings.rules,
            settings.seats,
            settings.seats,
            PeerVersion.own(),
            settings.options,
            (),
            card,
        )

    # -- what one does -------------------------------------------------------------------------------------------------

    async def withdraw(self, identity: bytes, after: TableId | None = None) -> str | None:
        """Takes a player out of the tournament, once the table `after` has its result if one is named where it sits.
        Returns why that is impossible, or None.
        """
        if after is not None and after in self.referees and identity in self.referees[after].people:
            self._leaving[identity] = after
            return None
        return await self.membership.remove(PlayerWithdrew(_now(), identity))

    async def ban(self, identity: bytes, sentence: str) -> str | None:
        """Keeps a player out for good, for this reason. Returns why that is impossible, or None."""
        reason = await self.membership.remove(PlayerBanned(_now(), identity, sentence))
        if reason is None:
            self._connections.dismiss(identity, f"{KEPT_OUT} The reason: {sentence}")
        return reason

    async def close(self) -> None:
        """Stops for now. The players wait, and the tournament continues with the next `open`."""
        self._tasks.cancel()
        await self._endpoint.close()
        await self._connections.close()
        await self.tables.close()
        await self._tasks.wait()
        await self.tables.wait()
        await self._store.close()

    # -- what the reception asks and tells -----------------------------------------------------------------------------

    @property
    def event_count(self) -> int:
        """How many events there are."""
        return len(self._history)

    def history(self, start: int, stop: int | None = None) -> list[TournamentEvent]:
        """Returns the events from number `start` on, up to `stop`; None for all."""
        return self._history[start:stop]

    async def enroll(self, identity: bytes, nickname: str, *, bot: bool) -> str | None:
        """Enrolls a player, or a bot. Returns why that is impossible, or None."""
        # A player who comes back plays on, unless that player says otherwise again.
        self._leaving.pop(identity, None)
        return await self.membership.enroll(identity, nickname, bot=bot)

    def admit(self, channel: Channel) -> None:
        """Admits a peer that has connected, by whatever door."""
        self._connections.admit(channel)

    def on_presence(self, identity: bytes, here: bool) -> None:
        """Called when a player has connected or disconnected."""
        if here:
            self.tables.on_reconnect(identity)
        else:
            self.tables.on_disconnect(identity)
        self.publish(PresenceChanged(identity, here))

    # -- events --------------------------------------------------------------------------------------------------------

    async def begin(self, place: TableId, game_id: bytes, signatures: tuple[bytes, ...]) -> None:
        """Begins the game of a table: all its seats have signed that the words match."""
        async with self._turn:
            table = self.tournament.rounds[-1].tables[place.number]
            if table.id == place.table and table.game is None:
                await self._append(GameSeated(_now(), place.round, place.table, game_id, signatures))

    def on_waiting(self, place: TableId, wait: TableWait) -> None:
        """Called when a table whose game has not begun waits for somebody."""
        self.publish(TableWaits(place, wait))

    async def decide(self, referee: TableReferee, ruling: Ruling, record: bytes | None) -> None:
        """Decides a table that has ended."""
        place = referee.place
        async with self._turn:
            decided = events.decide(
                self._identity,
                self.settings,
                referee.people,
                at=_now(),
                round=place.round,
                table=place.table,
                places=ruling.places,
                how=ruling.how,
                sentence=ruling.sentence,
                game=self.tournament.rounds[-1].tables[place.number].game,
                record=record,
            )
            self._refused(await self._append(decided, record))
            # In the same turn: otherwise the next round could be paired with them first.
            for identity in [one for one, table in self._leaving.items() if table == place]:
                # Another one's withdrawal takes time to store: this one may have come back.
                leaves = self._leaving.pop(identity, None) is not None
                player = self.tournament.player(identity)
                if leaves and player is not None and player.state == IN:
                    self._refused(await self._append(PlayerWithdrew(_now(), identity)))

    async def add(self, event: TournamentEvent) -> str | None:
        """Stores an event, then sends it to all. Returns why the event is impossible, or None."""
        async with self._turn:
            return await self._append(event)

    async def _append(self, event: TournamentEvent, record: bytes | None = None) -> str | None:
        """Adds as `add` does, for a caller that holds the turn. A result comes with its record."""
        if self.problem is not None:
            return self.problem
        try:
            self.tournament = await self._store.add(event, record)
        except StorageError as error:
            self._fail(error)
            return str(error)
        except ValueError as error:
            return str(error)
        self._history.append(event)
        self._connections.broadcast(len(self._history) - 1, event)
        match event:
            case RoundPaired() | TablesOpened() | TableReplayed() | DecisionUndone():
                self.tables.open()
            case TimeAdded() | TablePaused() | TableResumed():
                self.tables.on_order(event)
            case GameSeated():
                self.tables.on_seated(event)
            case TableDecided():
                self.tables.on_decided_event(event)
                self._next_at = asyncio.get_running_loop().time() + self._plan.pause
        if not isinstance(event, GameSeated | TableDecided):
            self._endpoint.update_card()
        self.publish(event)
        return None

    def _continue_pause(self) -> None:
        """Goes on with what is left of the pause in which the last run ended, however the clock was set since."""
        ends = pause_ends(self.tournament, self._plan.pause)
        if ends is not None:
            left = min(max(0.0, ends - wall_time()), self._plan.pause)
            self._next_at = asyncio.get_running_loop().time() + left

    async def _run(self) -> None:
        """Watches the tables and begins one round after the other."""
        while not self.over and self.problem is None:
            self.tables.tick()
            now = self.tournament
            if now.phase == ENROLLING and self.is_due(now):
                for event in named_teams(self._plan.teams, now, _now()):
                    self._refused(await self.add(event))
                self._refused(await self.add(LotsDrawn(_now(), self._store.seed)))
            elif now is not self._stuck and self._may_proceed(now):
                await self._proceed()
            await asyncio.sleep(TICK_SECONDS)

    def is_due(self, now: Tournament) -> bool:
        """Returns whether the first round should begin."""
        plan, there = self._plan, sum(player.state == IN for player in now.players)
        enough = plan.players is not None and there >= plan.players
        late = plan.start is not None and wall_time() >= plan.start
        called = _is_due(now) if now.scheduled is not None else enough or late
        return there >= now.settings.fewest and called

    def _may_proceed(self, now: Tournament) -> bool:
        """Returns whether tables can open, or the pause between two rounds is over. There is none after the last
        round.
        """
        if now.phase != BETWEEN:
            return now.phase == PLAYING and now.format.rolling
        if self.holding or now.scheduled is not None:
            return not self.holding and _is_due(now)
        return is_last_round(now) or asyncio.get_running_loop().time() >= self._next_at

    async def _proceed(self) -> None:
        """Begins the next round, opens tables, or ends the tournament. Players who come or go meanwhile wait for it."""
        async with self.membership.closed:
            now = self.tournament
            if not self._may_proceed(now):
                return
            try:
                event = await in_background(now.proceed, _now())
            except ValueError as error:
                self._stuck = now
                self._refused(str(error))
                return
            async with self._turn:
                # Only a result and an order from the organizer can have come meanwhile.
                latest = self.tournament
                same = (latest.players, latest.rounds, latest.ending) == (now.players, now.rounds, now.ending)
                if event is not None and same and self._may_proceed(self.tournament):
                    self._refused(await self._append(event))

    def _refused(self, reason: str | None) -> None:
        if reason is not None and reason != self.problem:
            self.publish(ServerNotice(reason))

    # -- odds and ends -------------------------------------------------------------------------------------------------

    def expected(self) -> Collection[str]:
        """Returns where the players of running games were last."""
        return self._connections.addresses if self.referees else ()

    def _on_announced(self, problem: str | None) -> None:
        self.unannounced = problem
        if problem is not None:
            self.publish(ServerNotice(problem))

    def _fail(self, error: UserError) -> None:
        """Says the first problem: it ends the referee, and others follow from it."""
        if self.problem is None:
            self.problem = str(error)
            self.publish(ServerNotice(self.problem))

    def on_internal_error(self, error: BaseException) -> None:
        """Called when a task that the tournament needs has failed: everything so far is in the store."""
        self._fail(InternalError.of(error))


def next_round_at(server: TournamentServer) -> float | None:
    """Returns when the next round begins by itself, on the event loop's clock; None if something else must happen
    first.
    """
    now, plan = server.tournament, server._plan
    if now.scheduled is not None and now.phase in (ENROLLING, BETWEEN):
        start = now.scheduled.start
        return None if start is None else asyncio.get_running_loop().time() + start - wall_time()
    if now.phase == ENROLLING and plan.start is not None:
        return asyncio.get_running_loop().time() + plan.start - wall_time()
    more = now.phase == BETWEEN and not is_last_round(now)
    return server._next_at if more and server._next_at else None


def pause_ends(now: Tournament, pause: float) -> float | None:
    """Returns when the pause after the latest round ends, in seconds since 1970; None if that round is still being
    played, or if no round follows. `pause` is in seconds.
    """
    if now.phase != BETWEEN or not now.rounds or is_last_round(now):
        return None
    results = [table.decided.at for table in now.rounds[-1].tables if table.decided is not None]
    return max(results, default=now.rounds[-1].begun) + pause


def _is_due(now: Tournament) -> bool:
    """Returns whether the time that the organizer has named for the next round has come."""
    return now.scheduled is not None and now.scheduled.start is not None and wall_time() >= now.scheduled.start


def _now() -> int:
    """Returns the time in seconds since 1970."""
    return int(wall_time())


__all__ = [
    "PresenceChanged",
    "RoundTiming",
    "ServerEvent",
    "ServerNotice",
    "TableWaits",
    "TournamentServer",
    "next_round_at",
    "pause_ends",
]
