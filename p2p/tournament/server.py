"""The referee at its desk: lets players in, pairs them, and watches over every table (SPEC.md, "Referees").

Whatever happens is an event: stored first, then told to all, and it counts from then on. So the process may end
anywhere: the next one goes on from the store, and the players come back to it. The disk is waited for on another
thread, never on the event loop.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Final, TypeAlias

from games.table import Game
from p2p.card import Card, CupCard
from p2p.door import Limits
from p2p.files import StorageTrouble
from p2p.frames import Frame
from p2p.front import Front
from p2p.hello import Speaker
from p2p.identity import Identity, nickname_from
from p2p.mesh import Where
from p2p.publisher import Publisher
from p2p.referee import events
from p2p.referee.arbiter import COME_SECONDS, LEAVES, WITHDRAWS, Arbiter
from p2p.referee.clock import Clocks
from p2p.referee.cup import Cup
from p2p.referee.events import Decided, Drawn, Enrolled, Event, Paired, Returned, Seated, Withdrew
from p2p.referee.field import DISQUALIFIED, IN, WITHDRAWN
from p2p.referee.reception import Reception
from p2p.referee.rulings import Ruling
from p2p.referee.store import Store
from p2p.referee.tournament import BETWEEN, ENROLLING, Tournament
from p2p.referee.wire import Place, doors_plain
from p2p.referee.writer import StoreWriter
from p2p.tasks import Tasks
from p2p.trouble import Fault, Trouble
from protocol.encoding import Malformed

log = logging.getLogger(__name__)

TICK_SECONDS: Final = 0.25
"""Between two looks at the tables."""
DOOR_LIMITS: Final = Limits(pending=128, pending_each=64, lookers=256, lookers_each=64, burst=80.0)
"""A whole club comes at once, and many bots may come from one machine."""
PAUSE_SECONDS: Final = 15.0
"""Between the last result of a round and the next round."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A player has connected, or its connection is lost."""

    identity: bytes
    here: bool


@dataclass(frozen=True, slots=True)
class Said:
    """Something that whoever runs the cup should know: a sentence."""

    sentence: str


News: TypeAlias = Event | Moved | Said


@dataclass(frozen=True, slots=True)
class Plan:
    """When the rounds begin: the first one when so many `players` are there, or at the time `start` in seconds since
    1970, or when `Desk.start` is called; the next ones after a `pause` in seconds. For all who are paired to come to
    their table there are `come` seconds.
    """

    players: int | None = None
    start: float | None = None
    pause: float = PAUSE_SECONDS
    come: float = COME_SECONDS


class Desk(Publisher[News]):
    """Runs the cup of a store. Its attributes are for reading."""

    def __init__(self, store: Store, game: Game, identity: Identity, plan: Plan) -> None:
        """Use `open`."""
        super().__init__()
        self.store = store
        """To be read while nothing is written: its thread may be at it at any time."""
        self.tournament = store.tournament
        """With all that is stored and told."""
        self.game = game
        self.arbiters: dict[Place, Arbiter] = {}
        """Of the tables that are not decided."""
        self.decided_by: dict[Place, Arbiter] = {}
        """Of the tables of the present round that are; what they have seen can still be read."""
        self.problem: str | None = None
        """Why nothing goes on any more: a sentence."""
        self.unannounced: str | None = None
        """Why players cannot find the cup by itself, if they cannot."""
        self._identity = identity
        self._plan = plan
        self._reception = Reception(self)
        self._front = Front(identity, self._reception.welcome, self.card, self._announced, DOOR_LIMITS, self._expected)
        self._started = False
        self._next_at = 0.0
        self._stuck: Tournament | None = None
        self._history = store.events()
        self._former_clocks = store.clocks()
        self._writer = StoreWriter(store, self._break)
        self._turn = asyncio.Lock()
        """Of who adds an event: it is judged by all that came before it."""
        self._tasks = Tasks(self._at_fault)
        self._adding = Tasks(self._at_fault)
        """What tables came to, on its way into the store."""
        self._closing = Tasks()
        """Arbiters that end."""

    @classmethod
    async def open(
        cls,
        store: Store,
        find: Callable[[str], Game],
        identity: Identity,
        plan: Plan,
        *,
        port: int | None = None,
        former: int | None = None,
        bind: str | None = None,
        announce: bool = True,
    ) -> Desk:
        """Listens at `port`, where that is None at the `former` one if it is free, and goes on with the cup. Raises
        Trouble, and LookupError for a game that is not installed.
        """
        cup = store.cup
        game = find(cup.game)
        if cup.referee != identity.public:
            raise Trouble("This cup was begun by another identity: put that back, or choose another folder.")
        if game.revision != cup.rules:
            raise Trouble(
                f"This cup was begun with revision {cup.rules} of the rules of {game.title}. Use that version."
            )
        desk = cls(store, game, identity, plan)
        try:
            await desk._front.open(former if port is None else port, bind, announce=announce)
        except Trouble:
            if port is not None or former is None:
                raise
            await desk._front.open(None, bind, announce=announce)
        desk._attend()
        desk._tasks.start(desk._run())
        return desk

    # -- what one reads ------------------------------------------------------------------------------------------------

    @property
    def cup(self) -> Cup:
        return self.store.cup

    @property
    def port(self) -> int:
        """Where players come in."""
        return self._front.port

    @property
    def addresses(self) -> tuple[str, ...]:
        """What players may type to join, the likeliest first."""
        return self._front.addresses

    @property
    def present(self) -> frozenset[bytes]:
        """The players that are connected."""
        return self._reception.present

    @property
    def over(self) -> bool:
        return self.tournament.ended

    def card(self) -> Card:
        """What is shown to who looks."""
        cup, now = self.cup, self.tournament
        players = sum(player.state == IN for player in now.players)
        shown = CupCard(cup.name, cup.format, players, len(now.rounds), now.planned, now.ended)
        who = self._identity.public, nickname_from(cup.name)
        return Card(*who, cup.game, cup.rules, cup.seats, cup.seats, Speaker.own(), cup.options, (), shown)

    # -- what one does -------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """The first round may begin."""
        self._started = True

    def next(self) -> None:
        """The next round begins now, if no table is open."""
        self._next_at = 0.0

    async def withdraw(self, identity: bytes) -> str | None:
        """Takes a player out of the cup. Returns why that cannot be, or None."""
        reason = await self._add(Withdrew(self._now(), identity))
        if reason is None:
            for arbiter in self._tables_of(identity):
                arbiter.gone(identity, WITHDRAWS)
        return reason

    def leave(self, identity: bytes, place: Place) -> None:
        """A player has left its table for good."""
        arbiter = self.arbiters.get(place)
        if arbiter is not None and identity in arbiter.people:
            arbiter.gone(identity, LEAVES)

    async def close(self) -> None:
        """Stops for now. The players wait, and the cup goes on with the next `open`."""
        self._tasks.cancel()
        await self._front.close()
        await self._reception.close()
        for arbiter in tuple(self.arbiters.values()):
            await arbiter.close()
        await self._tasks.settle()
        await self._adding.settle()
        await self._closing.settle()
        await self._writer.close()

    # -- what the reception asks and tells -----------------------------------------------------------------------------

    def history(self, start: int) -> list[Event]:
        """The events from this number on."""
        return self._history[start:]

    async def enrol(self, identity: bytes, nickname: str) -> str | None:
        """Somebody wants to play. Returns why it may not, or None."""
        async with self._turn:
            player = self.tournament.player(identity)
            if player is None:
                return await self._store(Enrolled(self._now(), identity, nickname))
            if player.state == DISQUALIFIED:
                return "You are disqualified from this tournament."
            if player.state == WITHDRAWN and not self.over:
                return await self._store(Returned(self._now(), identity))
            return None

    def moved(self, identity: bytes, here: bool) -> None:
        """A player has connected, or its connection is lost."""
        if here:
            for arbiter in self._tables_of(identity):
                arbiter.back(identity)
                self._show_doors(arbiter)
        self._publish(Moved(identity, here))

    def come(self, identity: bytes, place: Place, where: Where | None) -> None:
        """A player is on its way to its table, or says where its door is there."""
        arbiter = self.arbiters.get(place)
        if arbiter is not None and identity in arbiter.people and arbiter.come(identity, where):
            self._show_doors(arbiter)

    # -- what arbiters tell --------------------------------------------------------------------------------------------

    @property
    def cut_off(self) -> bool:
        return not self._reception.present

    def here(self, player: bytes) -> bool:
        return player in self._reception.present

    def name(self, player: bytes) -> str:
        return self.tournament.name(player)

    def send(self, player: bytes, frame: Frame) -> None:
        self._reception.send(player, frame)

    def began(self, arbiter: Arbiter, game_id: bytes) -> None:
        self._adding.start(self._begin(arbiter.place, game_id))

    def keep(self, arbiter: Arbiter, clocks: Clocks) -> None:
        self._writer.keep(arbiter.place, clocks.plain(asyncio.get_running_loop().time()))

    def decided(self, arbiter: Arbiter, ruling: Ruling, record: bytes | None) -> None:
        self._adding.start(self._decide(arbiter, ruling, record))

    # -- events --------------------------------------------------------------------------------------------------------

    async def _begin(self, place: Place, game_id: bytes) -> None:
        async with self._turn:
            if self.tournament.rounds[-1].tables[place.table].game is None:
                await self._store(Seated(self._now(), place.round, place.table, game_id))

    async def _decide(self, arbiter: Arbiter, ruling: Ruling, record: bytes | None) -> None:
        place = arbiter.place
        async with self._turn:
            decided = events.decide(
                self._identity,
                self.cup,
                arbiter.people,
                at=self._now(),
                round=place.round,
                table=place.table,
                places=ruling.places,
                how=ruling.how,
                sentence=ruling.sentence,
                game=self.tournament.rounds[-1].tables[place.table].game,
                record=record,
            )
            self._refused(await self._store(decided, record))

    async def _add(self, event: Event) -> str | None:
        """As `_store`, in its turn."""
        async with self._turn:
            return await self._store(event)

    async def _store(self, event: Event, record: bytes | None = None) -> str | None:
        """Stores what has happened, then tells it; whoever calls this has the turn. Returns why it cannot happen, or
        None.
        """
        if self.problem is not None:
            return self.problem
        try:
            self.tournament = await self._writer.add(event, record)
        except StorageTrouble as error:
            self._break(error)
            return str(error)
        except ValueError as error:
            return str(error)
        self._history.append(event)
        self._reception.tell(len(self._history) - 1, event)
        match event:
            case Paired():
                self.decided_by.clear()
                self._attend()
            case Decided():
                self._decided(event)
        if not isinstance(event, Seated | Decided):
            self._front.changed()
        self._publish(event)
        return None

    def _attend(self) -> None:
        """Every table without a result gets its arbiter."""
        round = self.tournament.round
        for table in round.open if round is not None else ():
            assert round is not None
            place = Place(round.number, table.number)
            arbiter = self.arbiters[place] = Arbiter(
                self.cup,
                place,
                table.seats,
                self.game,
                self._identity,
                self,
                clocks=self._clocks_before(place),
                game_id=table.game,
                come=self._plan.come,
            )
            for identity in table.seats:
                player = self.tournament.player(identity)
                if player is not None and player.state != IN:
                    arbiter.gone(identity, WITHDRAWS)

    def _clocks_before(self, place: Place) -> Clocks | None:
        """The clocks of a table as the referee before this one has stored them last."""
        try:
            return Clocks.read(self._former_clocks[place.round, place.table])
        except (KeyError, Malformed):
            return None

    def _decided(self, event: Decided) -> None:
        place = Place(event.round, event.table)
        arbiter = self.decided_by[place] = self.arbiters.pop(place)
        self._closing.start(arbiter.close())
        self._next_at = asyncio.get_running_loop().time() + self._plan.pause

    async def _run(self) -> None:
        """Looks after the tables, and begins one round after the other."""
        while not self.over and self.problem is None:
            for arbiter in tuple(self.arbiters.values()):
                arbiter.tick()
            now = self.tournament
            if now.phase == ENROLLING and self._due(now):
                self._refused(await self._add(Drawn(self._now(), self.store.seed)))
            elif now.phase == BETWEEN and now is not self._stuck and self._rested(now):
                await self._proceed(now)
            await asyncio.sleep(TICK_SECONDS)

    def _due(self, now: Tournament) -> bool:
        """Whether the first round is to begin."""
        plan, there = self._plan, sum(player.state == IN for player in now.players)
        enough = plan.players is not None and there >= plan.players
        late = plan.start is not None and time.time() >= plan.start
        return there > 1 and (self._started or enough or late)

    def _rested(self, now: Tournament) -> bool:
        """Whether the pause is over. After the last round there is none."""
        return len(now.rounds) >= now.planned > 0 or asyncio.get_running_loop().time() >= self._next_at

    async def _proceed(self, now: Tournament) -> None:
        """The next round, or the end; where somebody comes or goes while it is paired, it is paired anew."""
        try:
            event = await asyncio.to_thread(now.proceed, self._now())
        except ValueError as error:
            self._stuck = now
            self._refused(str(error))
            return
        async with self._turn:
            if self.tournament is now:
                self._refused(await self._store(event))

    def _refused(self, reason: str | None) -> None:
        if reason is not None:
            self._publish(Said(reason))

    # -- odds and ends -------------------------------------------------------------------------------------------------

    def _tables_of(self, identity: bytes) -> list[Arbiter]:
        return [arbiter for arbiter in self.arbiters.values() if identity in arbiter.people]

    def _show_doors(self, arbiter: Arbiter) -> None:
        place = arbiter.place
        for player in arbiter.people:
            self.send(player, ("doors", place.round, place.table, doors_plain(arbiter.doors)))

    def _expected(self) -> Collection[str]:
        """Where the players of games at hand were last."""
        return self._reception.addresses if self.arbiters else ()

    def _announced(self, problem: str | None) -> None:
        self.unannounced = problem
        if problem is not None:
            self._publish(Said(problem))

    def _break(self, error: Trouble) -> None:
        self.problem = str(error)
        self._publish(Said(self.problem))

    def _at_fault(self, error: BaseException) -> None:
        """Something failed without which the tournament cannot go on: what has happened is in the store."""
        self._break(Fault.of(error))

    @staticmethod
    def _now() -> int:
        return int(time.time())


__all__ = ["Desk", "Moved", "News", "Plan", "Said"]
