"""The referee of one table of a tournament: watches it, keeps its clocks, and decides when and how it has ended.

Only what the seats have signed counts, and when the referee received it; nothing that a player says. Clocks run during
stages that await a person's choice, and only while the referee sees the table (SPEC.md, "Referees").
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Protocol

from kimberley.games.table import Game, SupportsLeave
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.platform import in_background
from kimberley.p2p.base.tasks import BackgroundTasks
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table.common_options import FINAL_ADJUSTMENT, GRACE, GRACE_SECONDS
from kimberley.p2p.table.runner import PeerView
from kimberley.p2p.table.seating import Person
from kimberley.p2p.tournament import events
from kimberley.p2p.tournament.clock import TableClocks
from kimberley.p2p.tournament.messages import TableId
from kimberley.p2p.tournament.players import BANNED, DISQUALIFIED, WITHDRAWN
from kimberley.p2p.tournament.settings import TournamentSettings
from kimberley.p2p.transport.frames import Frame
from kimberley.p2p.transport.mesh import HostPort
from kimberley.protocol import audit
from kimberley.protocol.attestation import Attestation
from kimberley.protocol.play import LEAST_TO_LEAVE
from kimberley.protocol.record import Record
from kimberley.protocol.roster import SignedRoster
from kimberley.referee.attendance import Attendance
from kimberley.referee.clock_keeper import ClockAudience, ClockKeeper, WaitState
from kimberley.referee.forwarding import Forwarding
from kimberley.referee.readiness import Readiness
from kimberley.referee.rulings import Ruling, names_at, ruling_against, ruling_from_audit, void_ruling
from kimberley.referee.silence import Loss, given_up, late_before_game, silent_in_game
from kimberley.referee.table_observer import TableObserver
from kimberley.referee.table_wait import TableWait
from kimberley.referee.wait_news import WaitNews

log = logging.getLogger(__name__)

COME_SECONDS: Final = 180.0  # SPEC: coming
"""Time for a paired player to come to the table, and as much again for what the table waits for before its game."""
AT_FAULT: Final = "The referee’s program failed at this table. Nobody wins."
WAYS_OUT: Final = {
    WITHDRAWN: "withdrew from the tournament",
    DISQUALIFIED: "was disqualified",
    BANNED: "was removed by the organizer",
}
"""How a player who is no longer in the tournament went out of it."""
LEAVES: Final = "left the table for good"


class TournamentView(ClockAudience, Protocol):
    """What the referee of a table knows of the tournament, and tells it."""

    def is_connected(self, player: bytes) -> bool:
        """Returns whether a player is connected."""

    def name(self, player: bytes) -> str:
        """Returns a player's name."""

    def on_game_started(self, referee: TableReferee, game_id: bytes, signatures: tuple[bytes, ...]) -> None:
        """Called when the game of a table begins: all its seats have signed that the words match."""

    def on_decided(self, referee: TableReferee, ruling: Ruling, record: bytes | None) -> None:
        """Called when a table has ended."""


class TableReferee:
    """The referee of the table at `place`."""

    def __init__(
        self,
        settings: TournamentSettings,
        place: TableId,
        people: Sequence[Person],
        game: Game,
        identity: Identity,
        tournament: TournamentView,
        *,
        clocks: TableClocks | None = None,
        game_id: bytes | None = None,
        come_seconds: float = COME_SECONDS,
    ) -> None:
        """Starts to watch once a seat's address is known.

        Args:
            settings: The settings of the tournament.
            place: The table's place in it.
            people: The players as enrolled, in seat order.
            game: The game to play.
            identity: The referee's identity.
            tournament: The tournament around the table.
            clocks: The clocks, as stored before; None for new ones.
            game_id: The game at this table, if it is already known.
            come_seconds: Seconds for a player to come, and then once more until the words match.

        """
        self.place = place
        self.people = tuple(key for key, _ in people)
        self.over = False
        """Whether the table is decided, or about to be."""
        options = dict(settings.options)
        grace, look = options.get(GRACE, GRACE_SECONDS), options.get(FINAL_ADJUSTMENT, 0)
        self._grace = grace if isinstance(grace, int) else GRACE_SECONDS
        self._come_seconds = come_seconds
        self._game = game
        self._identity = identity
        self._tournament = tournament
        invitation = place.invitation(settings, self.people)
        self._observer = TableObserver(invitation, game, identity, self, game_id)
        self._readiness = Readiness(
            people,
            invitation.terms,
            tournament.is_connected,
            lambda player, frame: tournament.send(player, ("seating", place.round, place.table, frame)),
            asyncio.get_running_loop().time(),
            come_seconds,
            begun=game_id is not None,
        )
        self._told = game_id is not None
        """Whether all know that the game begins."""
        self._wait_news = WaitNews(place, self.people, tournament.send)
        self._still: WaitState | None = None
        self._counts_from = 0.0
        """The loop's time up to which nothing counts against anybody."""
        self._attendance = Attendance(self.people, self._observer, tournament.is_connected)
        self.keeper = ClockKeeper(
            place,
            self.people,
            clocks or TableClocks.of(len(people), settings.clock),
            look if isinstance(look, int) else 0,
            self._attendance,
            tournament,
        )
        self._forwarding = Forwarding(place, self.people, self._observer, tournament)
        self._here: set[bytes] = set()
        """The players who have said on their present channels that they have come."""
        self._gone: dict[int, str] = {}
        """The seats that gave the game up, and how."""
        self._examining = False
        self._tasks = BackgroundTasks(self._on_internal_error)

    # -- what one reads ------------------------------------------------------------------------------------------------

    @property
    def clocks(self) -> TableClocks:
        """The clocks of the players."""
        return self.keeper.clocks

    @property
    def view(self) -> PeerView | None:
        """What a spectator knows of the game; None before it has begun."""
        return self._observer.view

    @property
    def game_id(self) -> bytes | None:
        """The game that counts at this table, once it has begun."""
        return self._observer.game_id

    @property
    def signed(self) -> SignedRoster | None:
        """The roster that all have signed, once the game has begun."""
        return self._observer.signed

    def envelopes(self, start: int) -> list[bytes]:
        """Returns the envelopes of the game that counts, in order of arrival, from number `start` on."""
        return self._observer.envelopes(start)

    @property
    def wait(self) -> TableWait | None:
        """Whom the table waits for before its game; None once that is played."""
        return None if self.over or self.view is not None else self._readiness.wait()

    @property
    def addresses(self) -> dict[bytes, HostPort]:
        """Where the seats listen."""
        return self._observer.addresses

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players, by seat."""
        return tuple(self._tournament.name(player) for player in self.people)

    # -- what one does -------------------------------------------------------------------------------------------------

    def on_arrival(self, player: bytes, where: HostPort | None) -> bool:
        """Notes that a player has come to the table, and where it listens if that is known. Returns whether the others
        should be told.
        """
        self._here.add(player)
        self._readiness.on_arrival(player)
        self._wait_news.forget()
        self._forwarding.on_arrival(self.people.index(player))
        return where is not None and self._observer.set_address(player, where)

    def passes(self, sender: bytes, receiver: bytes) -> bool:
        """Returns whether both are at this table, and nobody can connect to one of them."""
        both = {sender, receiver}
        return len(both) == 2 and both <= self._here and not both <= self.addresses.keys()

    def on_seating(self, player: bytes, frame: Frame) -> None:
        """Handles a player's part in the round in which all sit down."""
        if not self.over and self.game_id is None:
            self._readiness.on_answer(player, frame)

    def on_words(self, player: bytes, game_id: bytes | None, signature: bytes | None) -> None:
        """Called when a player has the words of a game on the screen, or none; with its signature, they are the
        same.
        """
        readiness = self._readiness
        readiness.on_words(player, game_id, signature)
        if self.over or self.game_id is not None or (signatures := readiness.signatures) is None:
            return
        assert readiness.signed is not None
        self._observer.begin(readiness.signed)
        self._tournament.on_game_started(self, readiness.signed.game_id, signatures)

    async def on_shown(self, player: bytes, frames: Frame) -> None:
        """Called when a player shows its game, as at its door."""
        if not self.over and await self._observer.on_shown(player, frames):
            self._forwarding.say_have(self.people.index(player))

    def on_disconnect(self, player: bytes) -> None:
        """Called when a player has lost its connection: it shows nothing more on it."""
        self._here.discard(player)
        self._observer.on_disconnect(player)

    def on_reconnect(self, player: bytes) -> None:
        """Called when a player has reconnected: it may lack anything."""
        self._here.discard(player)
        self._wait_news.forget()
        self._observer.on_disconnect(player)
        seat = self.people.index(player)
        self._forwarding.on_reconnect(seat)
        self.keeper.on_change()

    def on_seated(self) -> None:
        """Called when all have been told that the game begins: before that, no seat can begin it."""
        self._told = True

    def on_standstill(self, seconds: float) -> None:
        """Called when the referee itself stood still for this many seconds until now: they count against nobody, and
        what came meanwhile is still to be read.
        """
        now = asyncio.get_running_loop().time()
        self.keeper.on_standstill(seconds)
        self._stop(now)

    def on_left(self, player: bytes, how: str) -> None:
        """Called when a player gives the game up. If the others can play on without it, they do. Otherwise the table
        ends, unless the game has its result: then a player loses only by withholding the audit.
        """
        # Who withdraws leaves the table as well, and that is reported later.
        self._gone.setdefault(self.people.index(player), how)

    def tick(self) -> None:
        """Judges what has fallen due, after everything received so far. To be called a few times per second."""
        if not self.over and not self._examining:
            self._examining = True
            now = asyncio.get_running_loop().time()
            self._observer.call_after(lambda: self._examine(now))

    async def close(self) -> None:
        """Stops watching the table."""
        self.over = True
        self._tasks.cancel()
        await self._observer.close()
        await self._tasks.wait()

    # -- what the observer tells ---------------------------------------------------------------------------------------

    def on_failure(self, error: UserError) -> None:
        log.error("lost track of a table: %s", error)
        if not self.over:
            self.over = True
            self._tasks.start(self._conclude(void_ruling(len(self.people), AT_FAULT), None))

    def _on_internal_error(self, error: BaseException) -> None:
        """Called when the result of this table cannot be derived from its record."""
        log.error("the table could not be decided", exc_info=error)
        self._tournament.on_decided(self, void_ruling(len(self.people), AT_FAULT), None)

    def on_view_changed(self, at: float) -> None:
        view = self.view
        if self.over or view is None:
            return
        # What came before a standstill may be read only after it.
        at = max(at, self._counts_from)
        if self._still is None or (self._still.slot, self._still.waiting) != (view.slot, view.waiting):
            before, self._still = self._still, WaitState(view.slot, view.waiting, at)
            if before is not None:
                self.keeper.on_chosen(before, self._still, at)
            self.keeper.turn(view, self._still, at, self._forwarding.lacking(self._still.since))
        if view.caught is not None or view.finished:
            self.over = True
            self._tasks.start(self._conclude(None, self._observer.record()))

    # -- looking around ------------------------------------------------------------------------------------------------

    def _examine(self, now: float) -> None:
        """Checks whether somebody has lost by the loop's time `now`."""
        self._examining = False
        if self.over:
            return
        begins = self.view is not None and not self._told
        if stopped := self._tournament.cut_off or self.keeper.paused or begins:
            self._stop(now)
        if self.view is None or self._still is None:
            self._readiness.update(now, stopped=stopped)
            self._examine_coming()
            if (wait := self.wait) is not None and self.game_id is None and not stopped:
                self._wait_news.tell(wait, now)
            return
        if self.view.result is None and (gone := self._gone.keys() - set(self.view.left)):
            present = len(self.people) - len(self.view.left)
            if present < LEAST_TO_LEAVE or not isinstance(self.view.public, SupportsLeave):
                self._rule(given_up(self._gone, gone, self.names))
                return
        left = {*self._gone, *self.view.left}
        if self._attendance.update(now, left, stopped=stopped):
            self.keeper.on_change()
        self._forwarding.forward(now)
        self.keeper.turn(self.view, self._still, now, self._forwarding.lacking(self._still.since))
        self.keeper.show(now)
        if fallen := self.keeper.fallen(now):
            self._rule(Loss(fallen, events.TIME, f"{names_at(self.names, fallen)} ran out of time."))
        elif loss := silent_in_game(
            self.view, self._still, self.names, self._attendance, self.keeper, now, self._grace
        ):
            self._rule(loss)

    def _stop(self, now: float) -> None:
        """Counts no time up to now against anybody."""
        self._counts_from = now
        self._still = replace(self._still, since=now) if self._still is not None else None
        self._readiness.update(now, stopped=True)
        if self._attendance.update(now, self._gone, stopped=True):
            self.keeper.on_change()

    def _examine_coming(self) -> None:
        """Checks, before the game, who is late, or has not confirmed the words."""
        early = self.game_id is None
        if self._gone and early:
            self._rule(given_up(self._gone, self._gone, self.names))
        elif loss := late_before_game(
            self._readiness, self.people, self.names, self._tournament.is_connected, self._come_seconds, early=early
        ):
            self._rule(loss)

    # -- the end -------------------------------------------------------------------------------------------------------

    def _rule(self, loss: Loss) -> None:
        """Rules against the seats at fault, if there are any. In an unfinished game, seats that left before lose with
        them.
        """
        if not loss.seats:
            self.end(void_ruling(len(self.people), loss.sentence))
            return
        view, lost, sentence = self.view, loss.seats, loss.sentence
        result = view.result if view is not None else None
        if view is not None and result is None and (before := {*view.left, *self._gone} - lost):
            sentence = f"{sentence} {names_at(self.names, before)} had already left."
            lost |= before
        self.end(ruling_against(lost, len(self.people), loss.how, sentence, result))

    def end(self, ruling: Ruling) -> None:
        """Ends the game as it stands, with its record so far and an attestation of the missing seats. Does nothing
        if the table is over.
        """
        if self.over:
            return
        self.over = True
        record = self._observer.record()
        # A player who was away owed nothing, and a person's reason is not silence.
        silent = ruling.how not in (events.AWAY, events.ORGANIZER)
        own = self._attest(asyncio.get_running_loop().time()) if silent else None
        if record is not None and own is not None:
            record = replace(record, attestations=(own,))
            for player in self.people:
                self._tournament.send(player, ("attest", self.place.round, self.place.table, own.plain()))
        self._tasks.start(self._conclude(ruling, record))

    async def _conclude(self, ruling: Ruling | None, record: Record | None) -> None:
        """Decides the table by a ruling, or by what its record proves, which takes precedence. A record that this
        program cannot judge is not named.
        """
        self.keeper.end(asyncio.get_running_loop().time())
        if record is None:
            assert ruling is not None
            self._tournament.on_decided(self, ruling, None)
            return
        packed = await in_background(record.pack)
        verdict = await in_background(self._observer.verify, record)
        if ruling is None or (verdict is not None and verdict.code in (audit.FAIR, audit.UNFAIR)):
            ruling = ruling_from_audit(verdict, self.names)
        self._tournament.on_decided(self, ruling, packed if verdict is not None else None)

    def _attest(self, now: float) -> Attestation | None:
        """Returns what the referee can attest of the current stage: that everything missing has been so for the grace
        of the table.
        """
        view, still, signed = self.view, self._still, self._observer.signed
        if view is None or still is None or signed is None or not still.waiting or now - still.since < self._grace:
            return None
        own = Attestation(self._identity.public, *view.slot, view.head, tuple(sorted(still.waiting)))
        return own.signed(signed.game_id, self._identity.sign)
