"""A player of a tournament, at its own side: what the referee tells, and the tables to which it leads.

An entrant folds the events that the referee tells into a tournament of its own; results count only with the referee's
signature. It opens or joins the table to which it is paired, as an ordinary `Table`, which somebody else plays. What it
loses it finds again: the referee by its address or its announcement, the table by its journal.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias

from games.table import Game, Plain
from p2p.address import parse, show
from p2p.channel import Channel, Lost
from p2p.common_options import CUP
from p2p.discovery import Browser, Found
from p2p.ending import LEFT, TableEvent
from p2p.frames import Frame
from p2p.hello import refused
from p2p.identity import Identity, nickname_from
from p2p.invitation import Invitation
from p2p.link import REDIAL_SECONDS
from p2p.mesh import Where
from p2p.publisher import Publisher
from p2p.referee import events
from p2p.referee.cup import Cup
from p2p.referee.enrolment import check_game, introduced, journal_of
from p2p.referee.events import Decided, Event, Paired, Seated
from p2p.referee.field import IN
from p2p.referee.tournament import Tournament
from p2p.referee.wire import Place, ShownClock, read_clocks, read_doors
from p2p.table import Table
from p2p.tasks import Tasks
from p2p.trouble import Fault, Trouble
from protocol.attest import Attestation
from protocol.encoding import Malformed

log = logging.getLogger(__name__)

Phase: TypeAlias = Literal["waiting", "seated", "over", "withdrawn", "failed"]

SEEK_AFTER: Final = 3
"""Attempts in vain to reach the referee where it was, from which on it is looked for on the network."""
SEEK_SECONDS: Final = 4.0


@dataclass(frozen=True, slots=True)
class Changed:
    """Something has changed: "event", "phase", "table", "clocks" or "away"."""

    what: str


class Entrant(Publisher[Changed]):
    """A player in a tournament. Its attributes are for reading."""

    def __init__(
        self,
        cup: Cup,
        find: Callable[[str], Game],
        where: Where,
        *,
        nickname: str,
        identity: Identity,
        data: Path | None,
        headless: bool,
        bind: str | None,
        seek: bool,
    ) -> None:
        """Use `enter`."""
        super().__init__()
        self.cup = cup
        self.tournament = Tournament(cup)
        """The tournament, as the referee tells it."""
        self.identity = identity.public
        self.place: Place | None = None
        """The table to which this player was paired last; it stays until the next round."""
        self.table: Table | None = None
        """The seat at that table, once it is taken; it stays when the game is over, until the next round."""
        self.clocks: tuple[ShownClock, ...] = ()
        """What the seats of that table have left, in the order of its pairing. Empty without clocks."""
        self.away_since: float | None = None
        """The loop's time since when the referee is not reached; None while it is."""
        self.problem: str | None = None
        """Why the tournament goes on without this player: a sentence for a person."""
        self._own = identity
        self._find = find
        self._where = where
        self._nickname = nickname
        self._data = data
        self._headless = headless
        self._bind = bind
        self._seek = seek
        self._channel: Channel | None = None
        self._count = 0
        self._known = 0
        """How many events there were when the referee was reached last."""
        self._doors: dict[bytes, Where] = {}
        self._attested: Attestation | None = None
        self._stirred = asyncio.Event()
        self._sitting: asyncio.Task[None] | None = None
        self._tasks = Tasks(self._at_fault)
        self._closing = Tasks()
        """Tables that end."""
        self._withdraws = False
        self._leaves: Place | None = None
        """The table that this player has left for good."""

    @classmethod
    async def enter(
        cls,
        where: str | Found,
        find: Callable[[str], Game],
        *,
        nickname: str,
        identity: Identity,
        data: Path | None,
        headless: bool = False,
        bind: str | None = None,
        seek: bool = True,
    ) -> Entrant:
        """Enrols with the referee at an address, or that was found; who has enrolled before is back. `find` gives the
        game of an id, or raises LookupError. At a table, `data`, `headless` and `bind` are as for `Table.open`. With
        `seek`, what is lost is looked for on the network. Raises Trouble, Refused among them.
        """
        host, port = (where.host, where.port) if isinstance(where, Found) else parse(where)
        expected = where.card.identity if isinstance(where, Found) else None
        channel, cup, known = await introduced((host, port), identity, nickname, 0, expected)
        try:
            check_game(cup, find)
        except Trouble:
            await channel.close()
            raise
        entrant = cls(
            cup, find, (host, port),
            nickname=nickname_from(nickname), identity=identity, data=data, headless=headless, bind=bind, seek=seek,
        )  # fmt: skip
        entrant._tasks.start(entrant._follow(channel, known))
        return entrant

    # -- what one reads ------------------------------------------------------------------------------------------------

    @property
    def referee(self) -> bytes:
        """The referee's identity."""
        return self.cup.referee

    @property
    def phase(self) -> Phase:
        """Whether there is a table to play at, or why not."""
        player = self.tournament.player(self.identity)
        if self.problem is not None:
            return "failed"
        if self.tournament.ended:
            return "over"
        if player is not None and player.state != IN:
            return "withdrawn"
        return "seated" if self.tournament.table_of(self.identity) is not None else "waiting"

    @property
    def people(self) -> tuple[bytes, ...]:
        """Who sits at the table of `place`, by seat."""
        return self._pairing[0] if self._pairing is not None else ()

    @property
    def ruling(self) -> Decided | None:
        """The result of the table of `place`, once there is one."""
        return self._pairing[1] if self._pairing is not None else None

    @property
    def _pairing(self) -> tuple[tuple[bytes, ...], Decided | None] | None:
        if self.place is None:
            return None
        table = self.tournament.rounds[self.place.round - 1].tables[self.place.table]
        return table.seats, table.decided

    @property
    def _called(self) -> str:
        """Its name at tables: the one by which it has enrolled, whatever it is called by now."""
        player = self.tournament.player(self.identity)
        return player.nickname if player is not None else self._nickname

    # -- what one does -------------------------------------------------------------------------------------------------

    def withdraw(self) -> None:
        """Leaves the tournament, and the table at hand."""
        if self.table is not None and self.table.phase not in ("done", "failed"):
            self.table.leave()
        self._withdraws = True
        if self._channel is not None:
            self._channel.send(("withdraw",))

    async def close(self) -> None:
        """Ends all that runs here. The tournament goes on, and so does the game at hand once this player is back."""
        self._tasks.cancel()
        if self._channel is not None:
            await self._channel.close()
        await self._tasks.settle()
        if self.table is not None:
            await (self.table.suspend() if self.phase == "seated" else self.table.close())
        await self._closing.settle()

    # -- the referee ---------------------------------------------------------------------------------------------------

    async def _follow(self, channel: Channel, known: int) -> None:
        """Hears the referee out, as long as there is a reason to. It has `known` events to tell."""
        while True:
            self._channel, self.away_since, self._known = channel, None, known
            if self._withdraws:
                channel.send(("withdraw",))
            self._tell_leaving()
            self._tell_door()
            self._publish(Changed("away"))
            try:
                while self.problem is None:
                    await self._take(await channel.receive())
            except Lost as error:
                log.info("the connection to the referee at %s is lost: %s", channel.address, error)
            self._channel = None
            await channel.close()
            if self.phase in ("failed", "over", "withdrawn"):
                return
            self.away_since = asyncio.get_running_loop().time()
            self._publish(Changed("away"))
            channel, known = await self._again()

    async def _again(self) -> tuple[Channel, int]:
        """Reaches the referee again, however long it takes, wherever it is by now."""
        attempt = 0
        while True:
            delay = REDIAL_SECONDS[min(attempt, len(REDIAL_SECONDS) - 1)]
            await asyncio.sleep(delay * random.uniform(0.75, 1.25))
            attempt += 1
            if self._seek and attempt > SEEK_AFTER:
                await self._look_around()
            try:
                channel, cup, known = await introduced(
                    self._where, self._own, self._nickname, self._count, self.referee
                )
            except Trouble as error:
                log.info("the referee is not back yet: %s", error)
                continue
            if cup.id == self.cup.id:
                return channel, known
            await channel.close()
            self._fail("The referee has begun another tournament. Join that one.")

    async def _look_around(self) -> None:
        """Looks for the referee's announcement: it may be at another address or port by now."""
        async with Browser(None if self._bind is None else [self._bind]) as browser:
            came = asyncio.Event()
            browser.subscribe(lambda _listing: came.set())
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(SEEK_SECONDS):
                    while True:
                        came.clear()
                        for found in browser.found:
                            if found.card.identity == self.referee:
                                self._where = found.host, found.port
                                return
                        await came.wait()

    async def _take(self, frame: Frame) -> None:
        match frame:
            case ("event", int() as number, plain):
                self._event(number, plain)
            case ("doors", int() as round, int() as table, plain) if Place(round, table) == self.place:
                self._doors = read_doors(plain, self._where[0])
                self._reach()
            case ("clocks", int() as round, int() as table, plain) if Place(round, table) == self.place:
                self.clocks = read_clocks(plain, asyncio.get_running_loop().time())
                self._publish(Changed("clocks"))
            case ("relay", int() as round, int() as table, bytes() as envelope) if Place(round, table) == self.place:
                if self.table is not None:
                    await self.table.receive(envelope)
            case ("attest", int() as round, int() as table, plain) if Place(round, table) == self.place:
                with contextlib.suppress(Malformed):
                    self._attested = Attestation.read(plain)
            case ("refused", _):
                self._fail(refused(frame) or "The referee lets nobody in.")

    def _event(self, number: int, plain: Plain) -> None:
        """The next thing that has happened; what is known already is passed over."""
        if number < self._count:
            return
        try:
            event = events.read(plain)
            if number != self._count:
                raise ValueError("an event is missing")
            if isinstance(event, Decided):
                self._check(event)
            self.tournament = self.tournament.after(event)
        except ValueError as error:
            self._fail(f"The referee cannot be trusted: {error}. Do not play there.")
            return
        self._count += 1
        self._happened(event)
        self._publish(Changed("event"))

    def _check(self, result: Decided) -> None:
        """Raises ValueError unless the referee has signed this result for those who were paired."""
        here = [one for one in self.tournament.rounds if one.number == result.round]
        seats = [table.seats for one in here for table in one.tables if table.number == result.table]
        if not seats or not result.holds(self.cup, seats[0]):
            raise ValueError("it has not signed a result that it shows")

    def _happened(self, event: Event) -> None:
        match event:
            case Paired():
                self._stand_up()
                self.place = None
            case Seated() if Place(event.round, event.table) == self.place:
                if self.table is not None and self.table.game_id != event.game:
                    # The others have begun the game of before a crash: it is taken up.
                    self._closing.start(self.table.close())
            case Decided() if Place(event.round, event.table) == self.place:
                self._decided(event)
        if self.phase == "withdrawn":
            self._stand_up()
        elif self._count >= self._known:
            self._go_to_table()
        self._publish(Changed("phase"))

    def _fail(self, problem: str) -> None:
        self.problem = problem
        self._stand_up()
        self._publish(Changed("phase"))

    def _at_fault(self, error: BaseException) -> None:
        """Something failed without which this player cannot go on: its game waits until it is back."""
        self.problem = f"{Fault.of(error)} Your place and your game are kept: join the tournament again."
        self._tasks.cancel()
        if self.table is not None:
            self._closing.start(self.table.suspend())
        self._publish(Changed("phase"))

    # -- the table -----------------------------------------------------------------------------------------------------

    def _go_to_table(self) -> None:
        """To the table at which this player is expected, if there is one to which it has not gone yet."""
        table, round = self.tournament.table_of(self.identity), self.tournament.round
        if table is None or round is None or self.place == Place(round.number, table.number):
            return
        self._doors, self._attested, self.clocks = {}, None, ()
        self.place = Place(round.number, table.number)
        self._tell_door()
        self._sitting = self._tasks.start(self._sit(self.place, self.place.invitation(self.cup, table.seats)))

    def _decided(self, result: Decided) -> None:
        """The referee has decided the own table. A game that was played to its end comes to it here, too."""
        if self._sitting is not None:
            self._sitting.cancel()
        if self.table is not None and result.how != events.PLAYED:
            self.table.rule(result.sentence, self._attested)

    def _stand_up(self) -> None:
        """Leaves the table of the round before, if there is one."""
        if self._sitting is not None:
            self._sitting.cancel()
        table, self.table = self.table, None
        if table is not None:
            self._closing.start(table.close())

    async def _sit(self, place: Place, invitation: Invitation) -> None:
        """Keeps a seat at the table until it is decided: takes it, and again after a crash or a broken connection."""
        attempt = 0
        while True:
            try:
                table = await self._take_seat(place, invitation)
            except Trouble as error:
                log.info("no seat at table %d yet: %s", place.table + 1, error)
            else:
                self.table = table
                stop = table.subscribe(self._stir)
                self._tell_door()
                self._reach()
                self._publish(Changed("table"))
                while table.phase != "failed":
                    if table.leaving:
                        self._leave_for_good(place)
                    self._stirred.clear()
                    await self._stirred.wait()
                stop()
                if table.problem == LEFT:
                    self._leave_for_good(place)
                    return
                if table.peer is not None and not table.resumable:
                    # The game was given up here, and its record is kept: what is left is the ruling.
                    return
                self.table = None
                self._closing.start(table.close())
                self._publish(Changed("table"))
            self._stirred.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(REDIAL_SECONDS[min(attempt, len(REDIAL_SECONDS) - 1)]):
                    await self._stirred.wait()
            attempt += 1

    async def _take_seat(self, place: Place, invitation: Invitation) -> Table:
        """Takes up the game of this table from its journal, or opens the table, or joins it. Raises Trouble."""
        known = self.tournament.rounds[place.round - 1].tables[place.table].game
        path = await asyncio.to_thread(journal_of, self._data, dict(invitation.terms.options)[CUP], known)
        if path is not None and self._data is not None:
            return await Table.resume(
                path, self._find,
                identity=self._own, data=self._data, bind=self._bind, seek=self._seek, headless=self._headless,
                invitation=invitation,
            )  # fmt: skip
        if invitation.people[0] == self.identity:
            return await Table.open(
                self._find(self.cup.game),
                nickname=self._called, identity=self._own, data=self._data, port=0, bind=self._bind,
                announce=False, headless=self._headless, invitation=invitation,
            )  # fmt: skip
        while (where := self._doors.get(invitation.people[0])) is None:
            self._stirred.clear()
            await self._stirred.wait()
        return await Table.join(
            show(*where), self._find,
            nickname=self._called, identity=self._own, data=self._data, bind=self._bind, seek=self._seek,
            headless=self._headless, invitation=invitation,
        )  # fmt: skip

    def _stir(self, event: TableEvent) -> None:
        del event
        self._stirred.set()

    def _tell_door(self) -> None:
        """Tells the referee where the own door at the table is, or that this player is on its way."""
        if self._channel is not None and self.place is not None:
            port = self.table.port if self.table is not None else 0
            self._channel.send(("door", self.place.round, self.place.table, port))

    def _leave_for_good(self, place: Place) -> None:
        if self._leaves != place:
            self._leaves = place
            self._tell_leaving()

    def _tell_leaving(self) -> None:
        """Tells the referee that this player has left its table for good, if it has."""
        if self._channel is not None and self._leaves is not None and self._leaves == self.place:
            self._channel.send(("leave", self._leaves.round, self._leaves.table))

    def _reach(self) -> None:
        """Where the others are by now, for a seat that misses one of them."""
        self._stirred.set()
        if self.table is not None:
            for seat, where in self._doors.items():
                if seat != self.identity:
                    self.table.reach(seat, [where])


__all__ = ["Changed", "Entrant", "Phase"]
