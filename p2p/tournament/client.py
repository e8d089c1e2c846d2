"""A player's side of a tournament: follows the referee, and goes to the tables.

The client folds the referee's events into its own `Tournament`; results count only with the referee's signature. It
sits down at the table to which it is paired, a `Table` that somebody else plays. After a lost connection it finds the
referee by its address or its announcement, and the table by its journal.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias

from kimberley.games.table import Game, Plain
from kimberley.p2p.base.backoff import Backoff
from kimberley.p2p.base.errors import InternalError, UserError
from kimberley.p2p.base.platform import in_background
from kimberley.p2p.base.publisher import Publisher
from kimberley.p2p.base.tasks import BackgroundTasks
from kimberley.p2p.discovery.mdns import DiscoveredTable
from kimberley.p2p.storage.identity import Identity, nickname_from
from kimberley.p2p.table.common_options import TOURNAMENT_MARK
from kimberley.p2p.table.ending import LEFT
from kimberley.p2p.table.invitation import Invitation
from kimberley.p2p.table.paired_lobby import referee_untrusted
from kimberley.p2p.table.refereeing import Refereeing
from kimberley.p2p.table.table import Table, sit_down
from kimberley.p2p.tournament import events
from kimberley.p2p.tournament.enrollment import (
    check_game,
    close_journals,
    connect_to_referee,
    find_referee,
    find_table_journal,
)
from kimberley.p2p.tournament.events import (
    DecisionUndone,
    GameSeated,
    RoundPaired,
    TableDecided,
    TableReplayed,
    TournamentEvent,
)
from kimberley.p2p.tournament.messages import ClockReading, TableId, WaitReading, read_addresses, read_clocks, read_wait
from kimberley.p2p.tournament.players import IN
from kimberley.p2p.tournament.seat_reports import SeatReports
from kimberley.p2p.tournament.settings import TournamentSettings, table_name
from kimberley.p2p.tournament.tournament import Tournament, people_at
from kimberley.p2p.transport.address import parse_address
from kimberley.p2p.transport.channel import Channel, ChannelClosed
from kimberley.p2p.transport.frames import Frame
from kimberley.p2p.transport.handshake import RefusedForGood, refusal_reason
from kimberley.p2p.transport.link import REDIAL_SECONDS
from kimberley.p2p.transport.mesh import HostPort
from kimberley.protocol.attestation import Attestation
from kimberley.protocol.encoding import Malformed

log = logging.getLogger(__name__)

Phase: TypeAlias = Literal["waiting", "seated", "over", "withdrawn", "failed"]

SEEK_AFTER: Final = 3
"""Failed attempts to reach the referee before it is looked for on the network."""
LASTING_SECONDS: Final = 10.0
"""A seat that was kept for this long did not fail at once: the next pause before it is taken again is short."""
RESULT_SECONDS: Final = 5.0
"""How long a player who leaves waits for the referee's result of a game that is over here."""


@dataclass(frozen=True, slots=True)
class TournamentChanged:
    """Something has changed: "event", "phase", "table", "clocks", "wait" or "away". `event` is what has just happened
    in the tournament; None while this player catches up with earlier events.
    """

    what: str
    event: TournamentEvent | None = None


class TournamentClient(Publisher[TournamentChanged]):
    """A player in a tournament. Its attributes are for reading."""

    def __init__(
        self,
        settings: TournamentSettings,
        find: Callable[[str], Game],
        where: HostPort,
        *,
        nickname: str,
        identity: Identity,
        data: Path | None,
        headless: bool,
        bot: bool,
        bind: str | None,
        listen: bool,
        seek: bool,
    ) -> None:
        """Prepares a player, who comes in by `enter`."""
        super().__init__()
        self.settings = settings
        self.tournament = Tournament(settings)
        """The tournament as the referee reports it."""
        self.identity = identity.public
        self.place: TableId | None = None
        """The table to which this player was paired last; it stays until the next round."""
        self.table: Table | None = None
        """The seat at that table, once it is taken; it stays after the game, until the next round."""
        self.clocks: tuple[ClockReading, ...] = ()
        """The clocks of that table, in the order of its pairing. Empty without clocks."""
        self.wait: WaitReading | None = None
        """Whom that table waits for before its game, once the referee has said so."""
        self.paused = False
        """Whether the organizer has paused that table."""
        self.away_since: float | None = None
        """The loop's time when the connection to the referee was lost; None while there is one."""
        self.problem: str | None = None
        """Why the tournament continues without this player: a sentence for a person."""
        self._own = identity
        self._find = find
        self._where = where
        self._nickname = nickname
        self._data = data
        self._headless = headless
        self._bot = bot
        self._bind = bind
        self._listen = listen
        self._seek = seek
        self._channel: Channel | None = None
        self._count = 0
        self._known = 0
        """The number of events when the referee was last reached."""
        self._addresses: dict[bytes, HostPort] = {}
        self._attested: Attestation | None = None
        self._wakeup = asyncio.Event()
        self._sitting: asyncio.Task[None] | None = None
        self._tasks = BackgroundTasks(self._on_internal_error)
        self._closing = BackgroundTasks()
        """Tables that are closing."""
        self._withdraws = False
        self._withdrawn_on: Channel | None = None
        """The connection on which the referee was told that this player withdraws."""
        self._reports = SeatReports(identity, lambda: (self.place, self.table), self._tasks)

    @classmethod
    async def enter(
        cls,
        where: str | DiscoveredTable,
        find: Callable[[str], Game],
        *,
        nickname: str,
        identity: Identity,
        data: Path | None,
        headless: bool = False,
        bot: bool = False,
        bind: str | None = None,
        expected: bytes | None = None,
        listen: bool = True,
        seek: bool = True,
    ) -> TournamentClient:
        """Enrolls with a referee; a player who has enrolled before is back.

        Args:
            where: The referee's address, or its announcement.
            find: Returns the game of an id, or raises LookupError.
            nickname: The player's name.
            identity: The own identity.
            data: The folder for journals, records and known keys; None to keep nothing.
            headless: Nobody is there to compare words.
            bot: The player is a program, and is announced as one.
            bind: The only address to listen at; None for all.
            expected: The only referee to accept at an address; None for any.
            listen: Let the others at a table connect to this player.
            seek: Look for lost peers, and the referee, on the network.

        Raises:
            UserError: The player cannot enroll; ConnectionRejected if the referee refuses.

        """
        host, port = (where.host, where.port) if isinstance(where, DiscoveredTable) else parse_address(where)
        if isinstance(where, DiscoveredTable):
            expected = where.card.identity
        channel, settings, known = await connect_to_referee((host, port), identity, nickname, 0, expected, bot=bot)
        try:
            check_game(settings, find)
        except UserError:
            await channel.close()
            raise
        client = cls(
            settings, find, (host, port),
            nickname=nickname_from(nickname), identity=identity, data=data, headless=headless, bot=bot,
            bind=bind, listen=listen, seek=seek,
        )  # fmt: skip
        client._tasks.start(client._run(channel, known))
        return client

    # -- what the player reads -----------------------------------------------------------------------------------------

    @property
    def referee(self) -> bytes:
        """The referee's identity."""
        return self.settings.referee

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
        """The players at the table of `place`, by seat."""
        return self._pairing[0] if self._pairing is not None else ()

    @property
    def ruling(self) -> TableDecided | None:
        """The result of the table of `place`; None before."""
        return self._pairing[1] if self._pairing is not None else None

    @property
    def _pairing(self) -> tuple[tuple[bytes, ...], TableDecided | None] | None:
        if self.place is None:
            return None
        table = self.tournament.rounds[self.place.round - 1].tables[self.place.number]
        return table.seats, table.decided

    # -- what the player does ------------------------------------------------------------------------------------------

    def withdraw(self) -> None:
        """Leaves the tournament and the current table. A game that is over here gets its result first."""
        if self.table is not None and self.table.phase not in ("done", "failed") and not self._awaits_result:
            self.table.departures.leave()
        self._withdraws = True
        self._send_withdrawal()

    async def close(self) -> None:
        """Ends everything that runs here. The tournament continues; so does the current game once this player is back.
        A game that is over here is shown to the referee first.
        """
        await self._wait_for_result()
        self._tasks.cancel()
        # What the table still says may go through the referee.
        if self.table is not None:
            await (self.table.suspend() if self.phase == "seated" else self.table.close())
        await self._closing.wait()
        if self._channel is not None:
            await self._channel.close()
        await self._tasks.wait()

    @property
    def _awaits_result(self) -> bool:
        """Whether the game is over here, by its end or by a proof against a cheat, and has no result yet: the referee
        may not have seen it, and a player who leaves would give it up.
        """
        peer = self.table.peer if self.table is not None else None
        over = peer is not None and (peer.result is not None or peer.caught is not None)
        return over and self.ruling is None and self.phase == "seated"

    async def _wait_for_result(self) -> None:
        came = asyncio.Event()
        stop = self.subscribe(lambda _change: came.set())
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(RESULT_SECONDS):
                while self._awaits_result:
                    came.clear()
                    await came.wait()
        stop()

    def _send_withdrawal(self) -> None:
        """Tells the referee, once on each connection, that this player withdraws: now, or after the result of a game
        that is over here.
        """
        if self._withdraws and self._channel is not None and self._channel is not self._withdrawn_on:
            self._withdrawn_on = self._channel
            after = (self.place.round, self.place.table) if self.place is not None and self._awaits_result else ()
            self._channel.send(("withdraw", *after))

    # -- the referee ---------------------------------------------------------------------------------------------------

    async def _run(self, channel: Channel, known: int) -> None:
        """Follows the referee for as long as there is a reason to. `known` is the number of its events."""
        while True:
            self._channel, self.away_since, self._known = channel, None, known
            self._send_withdrawal()
            if self._refereeing is not None:
                self._refereeing.on_referee()
                self._refereeing.use(channel)
            self._reports.on_connected(channel)
            self.publish(TournamentChanged("away"))
            try:
                while self.problem is None:
                    await self._on_frame(await channel.receive())
            except ChannelClosed as error:
                log.info("the connection to the referee at %s is lost: %s", channel.address, error)
            self._reports.on_lost()
            self._channel = None
            if self._refereeing is not None:
                self._refereeing.use(None)
            await channel.close()
            if self.phase in ("failed", "over", "withdrawn"):
                return
            self.away_since = asyncio.get_running_loop().time()
            self.publish(TournamentChanged("away"))
            if (reached := await self._reconnect()) is None:
                return
            channel, known = reached

    async def _reconnect(self) -> tuple[Channel, int] | None:
        """Reaches the referee again, however long it takes, wherever it is now. Returns None once there is no longer a
        place for this player: `problem` says why.
        """
        backoff = Backoff(REDIAL_SECONDS)
        while True:
            await asyncio.sleep(backoff.next())
            if self._seek and backoff.failures > SEEK_AFTER:
                self._where = await find_referee(self.referee, self._bind) or self._where
            try:
                channel, settings, known = await connect_to_referee(
                    self._where, self._own, self._nickname, self._count, self.referee, bot=self._bot
                )
            except RefusedForGood as error:
                self._fail(str(error))
                return None
            except UserError as error:
                log.info("the referee is not back yet: %s", error)
                continue
            if settings.id == self.settings.id:
                return channel, known
            await channel.close()
            self._fail("The referee has started another tournament. Join that one.")
            return None

    async def _on_frame(self, frame: Frame) -> None:
        match frame:
            case ("event", int() as number, plain):
                self._on_event(number, plain)
            case ("doors", int() as round, int() as table, plain) if TableId(round, table) == self.place:
                self._addresses = read_addresses(plain, self._where[0])
                self._share_news()
            case ("passed" | "lost", *_):
                if self._refereeing is not None:
                    self._refereeing.on_passed(frame)
            case ("seating", int() as round, int() as table, tuple() as asked) if TableId(round, table) == self.place:
                if self._refereeing is not None:
                    self._refereeing.ask(asked)
            case ("clocks", int() as round, int() as table, plain) if TableId(round, table) == self.place:
                self.clocks = read_clocks(plain, asyncio.get_running_loop().time())
                self.publish(TournamentChanged("clocks"))
            case ("waits", int() as round, int() as table, seats, left) if TableId(round, table) == self.place:
                self.wait = read_wait(seats, left, max(self.settings.sizes), asyncio.get_running_loop().time())
                self.publish(TournamentChanged("wait"))
            case ("envelope", int() as round, int() as table, bytes() as envelope) if (
                TableId(round, table) == self.place
            ):
                if self._refereeing is not None:
                    await self._refereeing.receive(envelope)
            case ("have", int() as round, int() as table, tuple() as have) if TableId(round, table) == self.place:
                if self._refereeing is not None:
                    self._refereeing.on_have(have)
            case ("attest", int() as round, int() as table, plain) if TableId(round, table) == self.place:
                with contextlib.suppress(Malformed):
                    self._attested = Attestation.read(plain)
            case ("refused", _):
                self._stop(refusal_reason(frame) or "The referee is not admitting anyone.")

    def _on_event(self, number: int, plain: Plain) -> None:
        """Handles the next event; known ones are skipped."""
        if number < self._count:
            return
        try:
            event = events.read(plain)
            if number != self._count:
                raise ValueError("an event is missing")
            if isinstance(event, TableDecided | GameSeated):
                _check_signed(self.tournament, event)
            self.tournament = self.tournament.after(event)
        except ValueError as error:
            self._fail(referee_untrusted(error))
            return
        self._count += 1
        self._apply(event)
        self.publish(TournamentChanged("event", event if self._count > self._known else None))

    def _apply(self, event: TournamentEvent) -> None:
        match event:
            case RoundPaired():
                self._leave_table()
                self.place = None
            case GameSeated() if TableId(event.round, event.table) == self.place:
                if self.table is not None and self.table.game_id != event.game:
                    # The others are in the game from before a crash: it is resumed.
                    self._closing.start(self.table.suspend())
                elif self._refereeing is not None:
                    self._refereeing.begin(event.game)
            case TableDecided():
                self._on_decided(event)
            case TableReplayed() | DecisionUndone() if TableId(event.round, event.table) == self.place:
                self._leave_table()
        table = self.tournament.table_of(self.identity)
        self.paused = table is not None and table.paused
        if self.phase == "withdrawn":
            self._leave_table()
        elif self._count >= self._known:
            self._go_to_table()
        self.publish(TournamentChanged("phase"))

    def _fail(self, problem: str) -> None:
        self.problem = problem
        self._leave_table()
        self.publish(TournamentChanged("phase"))

    def _on_internal_error(self, error: BaseException) -> None:
        """Called when a task failed without which this player cannot continue: its game waits until it is back."""
        self._tasks.cancel()
        self._stop(f"{InternalError.of(error)} Your place and game are kept. Join the tournament again.")

    def _stop(self, problem: str) -> None:
        """Ends this program's part as if it were killed: the game waits for the player."""
        self.problem = problem
        if self._sitting is not None:
            self._sitting.cancel()
        if self.table is not None:
            self._closing.start(self.table.suspend())
        self.publish(TournamentChanged("phase"))

    # -- the table -----------------------------------------------------------------------------------------------------

    def _go_to_table(self) -> None:
        """Goes to the table where this player is expected, if it is not there yet."""
        table, round = self.tournament.table_of(self.identity), self.tournament.round
        if table is None or round is None or self.place == TableId(round.number, table.id):
            return
        self._leave_table()
        self._addresses, self._attested, self.clocks, self.wait = {}, None, (), None
        self.place = TableId(round.number, table.id)
        bots = (player.identity for player in self.tournament.players if player.bot)
        invitation = self.place.invitation(self.settings, table.seats, bots)
        self._sitting = self._tasks.start(self._keep_seat(self.place, invitation))

    def _on_decided(self, result: TableDecided) -> None:
        """Called when the referee has decided a table. This player's game there ends: by itself if it was played to its
        end; in its journal if this program does not sit there.
        """
        place, sitting = TableId(result.round, result.table), self._sitting
        here = place == self.place
        if here and sitting is not None:
            sitting.cancel()
        if here and self._refereeing is not None:
            self._refereeing.apply_ruling(None if result.how == events.PLAYED else result.sentence, self._attested)
        elif self.identity in self.tournament.rounds[place.round - 1].tables[place.number].seats:
            self._closing.start(self._close_journals(place, result, sitting if here else None))

    async def _close_journals(self, place: TableId, result: TableDecided, sitting: asyncio.Task[None] | None) -> None:
        """Closes the journals of a table that has its result, once nothing here can resume one any more."""
        if sitting is not None:
            await asyncio.wait([sitting])
        if self._data is not None:
            mark = place.mark(self.settings)
            await in_background(close_journals, self._data, mark, result, self._find, self._own)

    def _leave_table(self) -> None:
        """Leaves the table where this player has played before, if there is one."""
        if self._sitting is not None:
            self._sitting.cancel()
        table, self.table = self.table, None
        if table is not None:
            self._closing.start(table.close())

    async def _keep_seat(self, place: TableId, invitation: Invitation) -> None:
        """Keeps a seat at the table until it is decided: takes it, and again after a crash or a lost connection."""
        backoff, loop = Backoff(REDIAL_SECONDS), asyncio.get_running_loop()
        while True:
            begun, began_at = self._game_at(place), loop.time()
            try:
                table = await self._take_seat(place, invitation)
            except UserError as error:
                log.info("no seat at %s yet: %s", table_name(place.table), error)
            else:
                self.table = table
                if table.refereeing is not None:
                    table.refereeing.use(self._channel)
                stop = table.subscribe(lambda _event: self._wakeup.set())
                self._reports.send_arrival()
                self._share_news()
                self.publish(TournamentChanged("table"))
                while table.phase != "failed" and not self._has_missed(place, begun, table):
                    if table.leaving:
                        self._reports.leave_for_good(place)
                    self._reports.send_words()
                    self._wakeup.clear()
                    await self._wakeup.wait()
                stop()
                if table.problem == LEFT:
                    if table.peer is None or table.peer.result is None:
                        self._reports.leave_for_good(place)
                    return
                if table.peer is not None and not table.ending.resumable:
                    # The game was given up here, and its record is kept. Only the ruling is missing.
                    return
                self.table = None
                self._closing.start(table.close())
                self.publish(TournamentChanged("table"))
            if loop.time() - began_at > LASTING_SECONDS:
                backoff.reset()
            # News does not end this pause: each attempt causes some, so attempts that fail at once would follow without
            # a pause.
            await asyncio.sleep(backoff.next())

    def _game_at(self, place: TableId) -> bytes | None:
        """Returns the game that has begun at a table, if the referee has reported one."""
        return self.tournament.rounds[place.round - 1].tables[place.number].game

    def _has_missed(self, place: TableId, begun: bytes | None, table: Table) -> bool:
        """Returns whether another game than the one for which this program sits down has begun since: an earlier run of
        the program has said its words, and left its journal.
        """
        game = self._game_at(place)
        return game != begun and table.phase in ("open", "words") and table.game_id != game

    async def _take_seat(self, place: TableId, invitation: Invitation) -> Table:
        """Resumes this table's game from its journal, or sits down there. Raises UserError."""
        known = self._game_at(place)
        path = await in_background(
            find_table_journal, self._data, dict(invitation.terms.options)[TOURNAMENT_MARK], known
        )
        if path is not None and self._data is not None:
            return await Table.resume(
                path, self._find,
                identity=self._own, data=self._data, bind=self._bind, listen=self._listen, seek=self._seek,
                headless=self._headless, invitation=invitation,
            )  # fmt: skip

        def say(answer: Frame) -> None:
            if self._channel is not None and place == self.place:
                self._channel.send(("seating", place.round, place.table, answer))

        people = people_at(self.tournament, invitation.people)
        return await sit_down(
            self._find(self.settings.game), invitation, people, say,
            identity=self._own, data=self._data, bind=self._bind, listen=self._listen, seek=self._seek,
            headless=self._headless,
        )  # fmt: skip

    def _share_news(self) -> None:
        """Tells the table where the others are now, in case it has lost one of them."""
        self._wakeup.set()
        if self._refereeing is not None:
            for seat, where in self._addresses.items():
                if seat != self.identity:
                    self._refereeing.add_candidates(seat, [where])
            if not self._listen:
                # To everyone with a door; where neither has one, the higher seat connects.
                lower = self.people[: self.people.index(self.identity)]
                for seat in {*self._addresses, *lower} - {self.identity}:
                    self._refereeing.reach_through_referee(seat)

    @property
    def _refereeing(self) -> Refereeing | None:
        """The referee's part of the table at which this player sits."""
        return self.table.refereeing if self.table is not None else None


def _check_signed(tournament: Tournament, event: TableDecided | GameSeated) -> None:
    """Raises ValueError unless the referee has signed this result for the paired players, or they all have signed that
    its words match.
    """
    here = [one for one in tournament.rounds if one.number == event.round]
    seats = [table.seats for one in here for table in one.tables if table.id == event.table]
    if isinstance(event, GameSeated):
        if not seats or not event.holds(seats[0]):
            raise ValueError("it says that a game began, but not everyone has confirmed the words")
    elif not seats or not event.holds(tournament.settings, seats[0]):
        raise ValueError("it shows a result that it has not signed")


__all__ = ["Phase", "TournamentChanged", "TournamentClient"]
