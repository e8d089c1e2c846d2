"""The referee of one table of a tournament: watches it, keeps its clocks, and decides when and how it has ended.

Only what the seats have signed counts, and when the referee received it; nothing that a player says. Clocks run during
stages that await a person's choice, and only while the referee sees the table (SPEC.md, "Referees").
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

from kimberley.games.table import Game, SupportsLeave
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.platform import in_background
from kimberley.p2p.base.tasks import BackgroundTasks
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table.common_options import FINAL_ADJUSTMENT, GRACE, GRACE_SECONDS
from kimberley.p2p.table.runner import PeerView
from kimberley.p2p.tournament import events
from kimberley.p2p.tournament.attendance import Attendance
from kimberley.p2p.tournament.clock import TableClocks
from kimberley.p2p.tournament.forwarding import Forwarding
from kimberley.p2p.tournament.messages import TableId
from kimberley.p2p.tournament.rulings import Ruling, join_names, ruling_against, ruling_from_audit, void_ruling
from kimberley.p2p.tournament.settings import TournamentSettings
from kimberley.p2p.tournament.table_observer import TableObserver
from kimberley.p2p.transport.frames import Frame
from kimberley.p2p.transport.mesh import HostPort
from kimberley.protocol import audit
from kimberley.protocol.attestation import Attestation
from kimberley.protocol.play import LEAST_TO_LEAVE
from kimberley.protocol.record import Record
from kimberley.protocol.roster import SignedRoster

log = logging.getLogger(__name__)

COME_SECONDS: Final = 180.0
"""For all paired players to come to their table and begin."""
AT_FAULT: Final = "The referee's program failed at this table. Nobody wins."
WITHDRAWS: Final = "withdrew from the tournament"
LEAVES: Final = "left the table for good"
LOOK_SECONDS: Final = 2.0
"""Beyond a final adjustment, before the clocks of seats run that have not chosen in it."""
AWAY_SECONDS: Final = 10.0
"""Once a player has been out of reach for this long, the clocks of the others stand still."""
SHOW_SECONDS: Final = 5.0
"""Between two times that running clocks are shown."""


class TournamentView(Protocol):
    """What the referee of a table knows of the tournament, and tells it."""

    @property
    def cut_off(self) -> bool:
        """Whether nobody at all is connected: then it is the referee that is offline."""

    def is_connected(self, player: bytes) -> bool:
        """Whether a player is connected."""

    def name(self, player: bytes) -> str:
        """A player's name."""

    def send(self, player: bytes, frame: Frame) -> None:
        """Sends a frame to a player, if it is connected."""

    def on_game_started(self, referee: TableReferee, game_id: bytes) -> None:
        """The game of a table has begun."""

    def store_clocks(self, referee: TableReferee, clocks: TableClocks) -> None:
        """Stores the state of the clocks."""

    def on_decided(self, referee: TableReferee, ruling: Ruling, record: bytes | None) -> None:
        """A table has ended."""


@dataclass(frozen=True, slots=True)
class _WaitState:
    """Who the table waits for, and the loop's time since when."""

    slot: tuple[int, int]
    waiting: tuple[int, ...]
    since: float


class TableReferee:
    """The referee of the table at `place`."""

    def __init__(
        self,
        settings: TournamentSettings,
        place: TableId,
        people: Sequence[bytes],
        game: Game,
        identity: Identity,
        tournament: TournamentView,
        *,
        clocks: TableClocks | None = None,
        game_id: bytes | None = None,
        come: float = COME_SECONDS,
    ) -> None:
        """Starts to watch once a seat's address is known.

        Args:
            settings: The settings of the tournament.
            place: The table's place in it.
            people: The identities of the players, in seat order.
            game: The game to play.
            identity: The referee's identity.
            tournament: The tournament around the table.
            clocks: The clocks, as stored before; None for new ones.
            game_id: The game at this table, if it is already known.
            come: Seconds for all players to come.

        """
        self.place = place
        self.people = tuple(people)
        self.clocks = clocks or TableClocks.of(len(people), settings.clock)
        self.over = False
        """Whether it is decided, or about to be."""
        self._timed = settings.clock is not None
        options = dict(settings.options)
        grace, look = options.get(GRACE, GRACE_SECONDS), options.get(FINAL_ADJUSTMENT, 0)
        self._grace = grace if isinstance(grace, int) else GRACE_SECONDS
        self._look = look + LOOK_SECONDS if isinstance(look, int) and look else 0.0
        self._come = come
        self._game = game
        self._identity = identity
        self._tournament = tournament
        self._observer = TableObserver(place.invitation(settings, people), game, identity, self, game_id)
        self._opened = asyncio.get_running_loop().time()
        self._still: _WaitState | None = None
        self._attendance = Attendance(self.people, self._observer, tournament.is_connected)
        self._forwarding = Forwarding(place, self.people, self._observer, self._tournament.send)
        self._shown_at = -SHOW_SECONDS
        self._clocks_changed = True
        """Whether the clocks have changed since they were last shown."""
        self._came: set[bytes] = set()
        self._gone: dict[int, str] = {}
        """The seats that gave the game up, and how."""
        self._examining = False
        self._tasks = BackgroundTasks(self._on_internal_error)

    # -- what one reads ------------------------------------------------------------------------------------------------

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
        """The envelopes of the game that counts, in order of arrival, from number `start` on."""
        return self._observer.envelopes(start)

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
        """A player is on its way to the table, or listens there now. Returns whether the others should be told."""
        self._came.add(player)
        return where is not None and self._observer.set_address(player, where)

    def on_reconnect(self, player: bytes) -> None:
        """A player has reconnected: it may lack anything."""
        seat = self.people.index(player)
        self._forwarding.on_reconnect(seat)
        self._clocks_changed = True

    def on_left(self, player: bytes, how: str) -> None:
        """A player gives the game up. If the others can play on without it, they do. Otherwise the table ends, unless
        the game has its result: then a player loses only by withholding the audit.
        """
        self._gone[self.people.index(player)] = how

    def tick(self) -> None:
        """To be called a few times per second. Everything received so far is handled before the referee judges."""
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

    def on_game_started(self, game_id: bytes) -> None:
        if not self.over:
            self._tournament.on_game_started(self, game_id)

    def on_failure(self, error: UserError) -> None:
        log.error("lost track of a table: %s", error)
        if not self.over:
            self.over = True
            self._tasks.start(self._conclude(void_ruling(len(self.people), AT_FAULT), None))

    def _on_internal_error(self, error: BaseException) -> None:
        """The result of this table cannot be derived from its record."""
        log.error("the table could not be decided", exc_info=error)
        self._tournament.on_decided(self, void_ruling(len(self.people), AT_FAULT), None)

    def on_view_changed(self, at: float) -> None:
        view = self.view
        if self.over or view is None:
            return
        if self._still is None or (self._still.slot, self._still.waiting) != (view.slot, view.waiting):
            before, self._still = self._still, _WaitState(view.slot, view.waiting, at)
            self._stop_clocks(before, at)
            self._turn(at)
        if view.caught is not None or view.finished:
            self.over = True
            self._tasks.start(self._conclude(None, self._observer.record()))

    # -- clocks --------------------------------------------------------------------------------------------------------

    def _stop_clocks(self, before: _WaitState | None, at: float) -> None:
        """Seats that have chosen since get their increment."""
        if before is not None and self._still is not None:
            same = before.slot == self._still.slot
            for seat in sorted(self.clocks.running):
                if not same or seat not in self._still.waiting:
                    self.clocks = self.clocks.chosen(at, seat)
                    self._clocks_changed = True

    def _turn(self, now: float) -> None:
        """Runs the clocks of the seats that must choose, while the referee sees the table. While a player is away, only
        the clocks of those who are away run.
        """
        sees = self._attendance.sees and not self._tournament.cut_off
        running = frozenset(self._choosing(now)) if sees else frozenset[int]()
        if self._attendance.away(now, AWAY_SECONDS):
            running &= self._attendance.away(now)
        if running != self.clocks.running:
            self.clocks = self.clocks.turn(now, running)
            self._clocks_changed = True

    def _choosing(self, now: float) -> tuple[int, ...]:
        """The seats whose choice the table waits for, except during a final adjustment."""
        view, still = self.view, self._still
        if view is None or still is None or view.result is not None or not _awaits_choice(view):
            return ()
        adjusting = view.ask is not None and view.ask.last_look and now < still.since + self._look
        return () if adjusting else still.waiting

    def _show_clocks(self, now: float) -> None:
        """Shows and stores the clocks: at most once per second, when other seats run, and from time to time."""
        rested = now - self._shown_at
        if rested < 1 or not (self._clocks_changed or (self.clocks.running and rested >= SHOW_SECONDS)):
            return
        self._shown_at, self._clocks_changed = now, False
        self._tournament.store_clocks(self, self.clocks)
        if not self._timed:
            return
        away = self._attendance.away(now)
        clocks = tuple(
            (round(1000 * self.clocks.left(seat, now)), seat in self.clocks.running, seat in away)
            for seat in range(len(self.people))
        )
        for player in self.people:
            self._tournament.send(player, ("clocks", self.place.round, self.place.table, clocks))

    # -- looking around ------------------------------------------------------------------------------------------------

    def _examine(self, now: float) -> None:
        """Checks whether somebody has lost by the loop's time `now`."""
        self._examining = False
        if self.over:
            return
        if self._tournament.cut_off:
            self._opened = now
            self._still = replace(self._still, since=now) if self._still is not None else None
        if self.view is None or self._still is None:
            self._examine_coming(now)
            return
        if self.view.result is None and (gone := self._gone.keys() - set(self.view.left)):
            present = len(self.people) - len(self.view.left)
            if present < LEAST_TO_LEAVE or not isinstance(self.view.public, SupportsLeave):
                self._rule_gone(gone)
                return
        left = {*self._gone, *self.view.left}
        self._clocks_changed |= self._attendance.update(now, left, cut_off=self._tournament.cut_off)
        self._turn(now)
        self._show_clocks(now)
        for seat, player in enumerate(self.people):
            if self._tournament.is_connected(player):
                self._forwarding.forward(seat, now)
        fallen = set(self.clocks.fallen(now)) & self.clocks.running
        if away := self._attendance.away(now):
            fallen &= away  # Nobody loses on time to a player who is away.
        if fallen:
            what = f"no time left for {self.view.owed}, in step {self.view.slot[0]}"
            self._rule(fallen, events.TIME, f"{join_names(self.names, fallen)} lost on time: {what}.")
        else:
            self._examine_silence(self.view, self._still, now)

    def _examine_coming(self, now: float) -> None:
        """Before the game: checks who is late."""
        waited = now - self._opened
        missing = {
            seat
            for seat, player in enumerate(self.people)
            # Until the first seat listens, the others cannot sit down.
            if not self._tournament.is_connected(player)
            or player not in (self._came if seat else self._observer.addresses)
        }
        within = f"within {self._come / 60:.0f} minutes" if self._come >= 60 else f"within {self._come:.0f} seconds"
        if self._gone and self.game_id is None:
            self._rule_gone(self._gone.keys())
        elif missing and waited >= self._come:
            again = "did not come to the table" if self.game_id is None else "did not come back to the table"
            how = events.ABSENT if self.game_id is None else events.SILENCE
            self._rule(missing, how, f"{join_names(self.names, missing)} {again} {within}.")
        elif waited >= 2 * self._come:
            said = "All players came, but the game did not begin, and the referee cannot see why. Nobody wins."
            self._end(void_ruling(len(self.people), said))

    def _examine_silence(self, view: PeerView, still: _WaitState, now: float) -> None:
        """During the game: checks whose envelope has been missing for too long, if no clock runs for it."""
        owed, grace = f"{view.owed}, in step {view.slot[0]},", f"{self._grace} seconds"
        if view.result is not None:
            if now - still.since >= self._grace:
                said = (
                    f"{join_names(self.names, still.waiting)} refused the audit: {view.owed} did not come for {grace}."
                )
                self._rule(still.waiting, events.REFUSED, said)
        elif _awaits_choice(view):
            gone = self._attendance.away(now, self._grace) & set(still.waiting)
            unseen = self._attendance.unseen(now, self._grace)
            if gone and (unseen or not self._timed):
                said = f"{join_names(self.names, gone)} lost by silence: away for {grace}, with {owed} to come."
                self._rule(gone, events.SILENCE, said)
            elif missing := self._missing(still, now):
                said = (
                    f"{join_names(self.names, missing)} lost by silence: away for {self._away_in_words(missing, now)}"
                )
                self._rule(missing, events.AWAY, f"{said}, on the turn of {join_names(self.names, still.waiting)}.")
            elif unseen:
                said = (
                    f"No seat at the table could be reached for {grace}, and the referee cannot see why. Nobody wins."
                )
                self._end(void_ruling(len(self.people), said))
        elif now - still.since >= self._grace:
            said = f"{join_names(self.names, still.waiting)} lost by silence: {owed} did not come for {grace}."
            self._rule(still.waiting, events.SILENCE, said)

    def _missing(self, still: _WaitState, now: float) -> frozenset[int]:
        """The seats that have been away for too long on the turn of others who are there: for the grace of the table,
        and for as long as their own clock would have let them think.
        """
        if set(still.waiting) <= self._attendance.away(now):
            return frozenset()
        return frozenset(
            seat
            for seat in self._attendance.away(now, self._grace) - set(still.waiting)
            if not self._timed or self._attendance.away_for(seat, now) >= self.clocks.left(seat, now)
        )

    def _away_in_words(self, seats: Collection[int], now: float) -> str:
        """For how long the player who came last of these seats has been away."""
        seconds = min(self._attendance.away_for(seat, now) for seat in seats)
        return f"{seconds:.0f} seconds" if seconds < 120 else f"{seconds / 60:.0f} minutes"

    # -- the end -------------------------------------------------------------------------------------------------------

    def _rule_gone(self, seats: Collection[int]) -> None:
        """Rules against the seats that gave the game up."""
        said = " and ".join(f"{self.names[seat]} {self._gone[seat]}" for seat in sorted(seats))
        self._rule(seats, events.WITHDREW, f"{said}.")

    def _rule(self, lost: Collection[int], how: str, sentence: str) -> None:
        """Rules against these seats. In an unfinished game, seats that left before lose with them."""
        view = self.view
        result = view.result if view is not None else None
        if view is not None and result is None and (before := {*view.left, *self._gone} - set(lost)):
            sentence = f"{sentence} {join_names(self.names, before)} had left the game."
            lost = before | set(lost)
        self._end(ruling_against(lost, len(self.people), how, sentence, result))

    def _end(self, ruling: Ruling) -> None:
        """Ends the game as it stands, with its record so far and an attestation of the missing seats."""
        if self.over:
            return
        self.over = True
        record = self._observer.record()
        # Who was away owed nothing: what is missing then is the step of a player who was there.
        own = self._attestation(asyncio.get_running_loop().time()) if ruling.how != events.AWAY else None
        if record is not None and own is not None:
            record = replace(record, attestations=(own,))
            for player in self.people:
                self._tournament.send(player, ("attest", self.place.round, self.place.table, own.plain()))
        self._tasks.start(self._conclude(ruling, record))

    async def _conclude(self, ruling: Ruling | None, record: Record | None) -> None:
        """Decides the table by a ruling, or by what its record proves, which takes precedence. A record that this
        program cannot judge is not named.
        """
        self._tournament.store_clocks(self, self.clocks)
        if record is None:
            assert ruling is not None
            self._tournament.on_decided(self, ruling, None)
            return
        packed = await in_background(record.pack)
        verdict = await in_background(self._observer.judge, packed)
        if ruling is None or (verdict is not None and verdict.code in (audit.FAIR, audit.UNFAIR)):
            ruling = ruling_from_audit(verdict, self.names)
        self._tournament.on_decided(self, ruling, packed if verdict is not None else None)

    def _attestation(self, now: float) -> Attestation | None:
        """What the referee can attest of the current stage: that everything missing has been so for the grace of the
        table.
        """
        view, still, signed = self.view, self._still, self._observer.signed
        if view is None or still is None or signed is None or not still.waiting or now - still.since < self._grace:
            return None
        own = Attestation(self._identity.public, *view.slot, view.head, tuple(sorted(still.waiting)))
        return own.signed(signed.game_id, self._identity.sign)


def _awaits_choice(view: PeerView) -> bool:
    """Whether the table waits for a player's choice."""
    return view.ask is not None and view.ask.awaits_choice(view.slot[1])
