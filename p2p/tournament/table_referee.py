"""The arbiter of one table of a tournament: watches it, keeps its clocks, and decides when and how it has ended.

What counts is what the seats have signed, and when the referee received it; nothing that a player says. Clocks run for
stages that await a person's choice, and only while the referee sees the table (SPEC.md, "Referees").
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

from games.table import Decide, Game, Leavable, Seal, Together
from p2p.common_options import GRACE, GRACE_SECONDS, LAST_LOOK
from p2p.frames import Frame
from p2p.identity import Identity
from p2p.mesh import Where
from p2p.referee import events
from p2p.referee.clock import Clocks
from p2p.referee.cup import Cup
from p2p.referee.observer import Observer
from p2p.referee.rulings import Ruling, against, judged, spoken, void
from p2p.referee.wire import Place
from p2p.runner import View
from p2p.tasks import Tasks
from p2p.trouble import Trouble
from protocol import audit
from protocol.attest import Attestation
from protocol.play import LEAST_TO_LEAVE
from protocol.record import Record
from protocol.roster import SignedRoster

log = logging.getLogger(__name__)

COME_SECONDS: Final = 180.0
"""For all who are paired to come to their table and to begin."""
LAG_SECONDS: Final = 1.0
"""After which an envelope that a seat has not shown is passed on to it."""
RELAY_SECONDS: Final = 10.0
"""Between two times that it is passed on to the same seat."""
MOST_RELAYED: Final = 32
"""Envelopes that are passed on to one seat at once."""
AT_FAULT: Final = "The program of the referee is at fault at this table. Nobody wins."
WITHDRAWS: Final = "withdrew from the tournament"
LEAVES: Final = "left the table for good"
LOOK_SECONDS: Final = 2.0
"""Beyond a last look, before the clocks of those run who have not chosen in it."""
SHOW_SECONDS: Final = 5.0
"""Between two times that clocks are shown which nobody has stopped."""


class Hall(Protocol):
    """What an arbiter knows of the tournament around its table."""

    @property
    def cut_off(self) -> bool:
        """Whether nobody at all is connected: then it is the referee that is away."""

    def here(self, player: bytes) -> bool:
        """Whether a player is connected."""

    def name(self, player: bytes) -> str:
        """What a player is called."""

    def send(self, player: bytes, frame: Frame) -> None:
        """Tells a player something, if it is connected."""

    def began(self, arbiter: Arbiter, game_id: bytes) -> None:
        """The game of a table has begun."""

    def keep(self, arbiter: Arbiter, clocks: Clocks) -> None:
        """Stores what clocks show."""

    def decided(self, arbiter: Arbiter, ruling: Ruling, record: bytes | None) -> None:
        """A table has ended."""


@dataclass(frozen=True, slots=True)
class _Still:
    """What the table waits for, and the loop's time since when."""

    slot: tuple[int, int]
    waiting: tuple[int, ...]
    since: float


class Arbiter:
    """Of the table at a place. `clocks` and `game_id` are what is known from before."""

    def __init__(
        self,
        cup: Cup,
        place: Place,
        people: Sequence[bytes],
        game: Game,
        identity: Identity,
        hall: Hall,
        *,
        clocks: Clocks | None = None,
        game_id: bytes | None = None,
        come: float = COME_SECONDS,
    ) -> None:
        self.place = place
        self.people = tuple(people)
        self.clocks = clocks or Clocks.of(len(people), cup.clock)
        self.over = False
        """Whether it is decided, or about to be."""
        self._timed = cup.clock is not None
        options = dict(cup.options)
        grace, look = options.get(GRACE, GRACE_SECONDS), options.get(LAST_LOOK, 0)
        self._grace = grace if isinstance(grace, int) else GRACE_SECONDS
        self._look = look + LOOK_SECONDS if isinstance(look, int) and look else 0.0
        self._come = come
        self._game = game
        self._identity = identity
        self._hall = hall
        self._observer = Observer(place.invitation(cup, people), game, identity, self, game_id)
        self._opened = asyncio.get_running_loop().time()
        self._still: _Still | None = None
        self._unseen_since: float | None = None
        self._gone_since: dict[int, float] = {}
        self._relayed: dict[tuple[int, bytes], float] = {}
        self._shown_at = -SHOW_SECONDS
        self._news = True
        """Whether the clocks stand otherwise than they were shown."""
        self._came: set[bytes] = set()
        self._gone: dict[int, str] = {}
        """The seats that gave the game up, and how."""
        self._examining = False
        self._tasks = Tasks(self._at_fault)

    # -- what one reads ------------------------------------------------------------------------------------------------

    @property
    def view(self) -> View | None:
        """What an onlooker knows of the game; None before it has begun."""
        return self._observer.view

    @property
    def game_id(self) -> bytes | None:
        """Of the game that counts at this table, once it has begun."""
        return self._observer.game_id

    @property
    def signed(self) -> SignedRoster | None:
        """What all at the table have signed, once the game has begun."""
        return self._observer.signed

    def envelopes(self, start: int) -> list[bytes]:
        """The envelopes of the game that count, in the order in which they came, from this number on."""
        return self._observer.envelopes(start)

    @property
    def doors(self) -> dict[bytes, Where]:
        """Where the seats are reached."""
        return self._observer.doors

    @property
    def names(self) -> tuple[str, ...]:
        """What those at the table are called, by seat."""
        return tuple(self._hall.name(player) for player in self.people)

    # -- what one does -------------------------------------------------------------------------------------------------

    def come(self, player: bytes, where: Where | None) -> bool:
        """A player is on its way to the table, or its door is there now. Returns whether others should know."""
        self._came.add(player)
        return where is not None and self._observer.reach(player, where)

    def back(self, player: bytes) -> None:
        """A player has connected again: it may lack anything."""
        seat = self.people.index(player)
        self._relayed = {key: at for key, at in self._relayed.items() if key[0] != seat}
        self._news = True

    def gone(self, player: bytes, how: str) -> None:
        """A player gives the game up. Where the others can play on without it, they do; else the table ends, unless
        the game has its result: then only who keeps the audit from the others loses.
        """
        self._gone[self.people.index(player)] = how

    def tick(self) -> None:
        """To be called a few times in a second. What the referee has received by now is taken in before it judges."""
        if not self.over and not self._examining:
            self._examining = True
            now = asyncio.get_running_loop().time()
            self._observer.after(lambda: self._examine(now))

    async def close(self) -> None:
        """Watches the table no more."""
        self.over = True
        self._tasks.cancel()
        await self._observer.close()
        await self._tasks.settle()

    # -- what the observer tells ---------------------------------------------------------------------------------------

    def began(self, game_id: bytes) -> None:
        if not self.over:
            self._hall.began(self, game_id)

    def broke(self, error: Trouble) -> None:
        log.error("a table cannot be followed any more: %s", error)
        if not self.over:
            self.over = True
            self._tasks.start(self._conclude(void(len(self.people), AT_FAULT), None))

    def _at_fault(self, error: BaseException) -> None:
        """What came of this table cannot be told from its record."""
        log.error("the table could not be decided", exc_info=error)
        self._hall.decided(self, void(len(self.people), AT_FAULT), None)

    def moved(self, at: float) -> None:
        view = self.view
        if self.over or view is None:
            return
        if self._still is None or (self._still.slot, self._still.waiting) != (view.slot, view.waiting):
            before, self._still = self._still, _Still(view.slot, view.waiting, at)
            self._stop_clocks(before, at)
            self._turn(at)
        if view.caught is not None or view.finished:
            self.over = True
            self._tasks.start(self._conclude(None, self._observer.record()))

    # -- clocks --------------------------------------------------------------------------------------------------------

    def _stop_clocks(self, before: _Still | None, at: float) -> None:
        """Those who have chosen since get their increment."""
        if before is not None and self._still is not None:
            same = before.slot == self._still.slot
            for seat in sorted(self.clocks.running):
                if not same or seat not in self._still.waiting:
                    self.clocks = self.clocks.chosen(at, seat)
                    self._news = True

    def _turn(self, now: float) -> None:
        """The clocks of those run who are to choose, while the referee sees the table."""
        running = frozenset(self._choosing(now)) if self._seen else frozenset[int]()
        if running != self.clocks.running:
            self.clocks = self.clocks.turn(now, running)
            self._news = True

    def _choosing(self, now: float) -> tuple[int, ...]:
        """The seats whose choice the table waits for, a last look excepted."""
        view, still = self.view, self._still
        if view is None or still is None or view.result is not None or view.slot[0] == 0 or view.slot[1] != 0:
            return ()
        match view.ask:
            case Together(last_look=True) if now < still.since + self._look:
                return ()
            case Decide() | Together() | Seal():
                return still.waiting
        return ()

    @property
    def _seen(self) -> bool:
        """Whether the referee sees what happens at the table."""
        return not self._hall.cut_off and any(map(self._observer.watched, self.people))

    def _show_clocks(self, now: float) -> None:
        """Shows and stores them, once in a second at most, when somebody else runs, and from time to time."""
        rested = now - self._shown_at
        if rested < 1 or not (self._news or (self.clocks.running and rested >= SHOW_SECONDS)):
            return
        self._shown_at, self._news = now, False
        self._hall.keep(self, self.clocks)
        if not self._timed:
            return
        clocks = tuple(
            (round(1000 * self.clocks.left(seat, now)), seat in self.clocks.running) for seat in range(len(self.people))
        )
        for player in self.people:
            self._hall.send(player, ("clocks", self.place.round, self.place.table, clocks))

    # -- looking around ------------------------------------------------------------------------------------------------

    def _examine(self, now: float) -> None:
        """Looks whether somebody has lost, as of this time of the loop."""
        self._examining = False
        if self.over:
            return
        if self._hall.cut_off:
            self._opened = now
            self._still = replace(self._still, since=now) if self._still is not None else None
        if self.view is None or self._still is None:
            self._examine_coming(now)
            return
        if self.view.result is None and (gone := self._gone.keys() - set(self.view.left)):
            present = len(self.people) - len(self.view.left)
            if present < LEAST_TO_LEAVE or not isinstance(self.view.public, Leavable):
                self._rule_gone(gone)
                return
        self._turn(now)
        self._show_clocks(now)
        self._pass_on(now)
        fallen = set(self.clocks.fallen(now)) & self.clocks.running
        if fallen:
            what = f"no time was left for {self.view.owed}, in step {self.view.slot[0]}"
            self._rule(fallen, events.TIME, f"{spoken(self.names, fallen)} lost on time: {what}.")
        else:
            self._examine_silence(self.view, self._still, now)

    def _examine_coming(self, now: float) -> None:
        """Before the game: who is not there in time?"""
        waited = now - self._opened
        missing = {
            seat
            for seat, player in enumerate(self.people)
            # Without the door of the first seat the others cannot sit down.
            if not self._hall.here(player) or player not in (self._came if seat else self._observer.doors)
        }
        within = f"within {self._come / 60:.0f} minutes" if self._come >= 60 else f"within {self._come:.0f} seconds"
        if self._gone and self.game_id is None:
            self._rule_gone(self._gone.keys())
        elif missing and waited >= self._come:
            again = "did not come to the table" if self.game_id is None else "did not come back to the table"
            how = events.ABSENT if self.game_id is None else events.SILENCE
            self._rule(missing, how, f"{spoken(self.names, missing)} {again} {within}.")
        elif waited >= 2 * self._come:
            said = "All came to the table, and the game did not begin; the referee cannot see why. Nobody wins."
            self._end(void(len(self.people), said))

    def _examine_silence(self, view: View, still: _Still, now: float) -> None:
        """In the game: whose envelope is missing for too long, where no clock runs for it?"""
        owed, grace = f"{view.owed}, in step {view.slot[0]},", f"{self._grace} seconds"
        self._note_gone(now)
        if view.result is not None:
            if now - still.since >= self._grace:
                said = f"{spoken(self.names, still.waiting)} refused the audit: {view.owed} did not come for {grace}."
                self._rule(still.waiting, events.REFUSED, said)
        elif view.slot[0] and not view.slot[1] and isinstance(view.ask, Decide | Together | Seal):
            gone = {seat for seat in still.waiting if now - self._gone_since.get(seat, now) >= self._grace}
            unseen = self._unseen_since is not None and now - self._unseen_since >= self._grace
            if gone and (unseen or not self._timed):
                said = f"{spoken(self.names, gone)} lost by silence: away for {grace}, with {owed} to come."
                self._rule(gone, events.SILENCE, said)
            elif unseen:
                said = (
                    f"No door at the table could be reached for {grace}, and the referee cannot see why. Nobody wins."
                )
                self._end(void(len(self.people), said))
        elif now - still.since >= self._grace:
            said = f"{spoken(self.names, still.waiting)} lost by silence: {owed} did not come for {grace}."
            self._rule(still.waiting, events.SILENCE, said)

    def _note_gone(self, now: float) -> None:
        """Keeps since when players are gone, and since when the referee sees nothing of the table."""
        for seat, player in enumerate(self.people):
            if self._hall.cut_off or self._hall.here(player) or self._observer.watched(player):
                self._gone_since.pop(seat, None)
            else:
                self._gone_since.setdefault(seat, now)
        if self._seen or self._hall.cut_off:
            self._unseen_since = None
        elif self._unseen_since is None:
            self._unseen_since = now

    def _pass_on(self, now: float) -> None:
        """Gives the seats what they have not shown: another seat may have kept it from them. A seat whose door is not
        reached is given everything once.
        """
        for seat, player in enumerate(self.people):
            if not self._hall.here(player):
                continue
            again = RELAY_SECONDS if self._observer.watched(player) else float("inf")
            given = 0
            for digest, envelope in self._observer.lacks(seat, now - LAG_SECONDS):
                if given < MOST_RELAYED and now - self._relayed.get((seat, digest), -float("inf")) >= again:
                    given += 1
                    self._relayed[seat, digest] = now
                    self._hall.send(player, ("relay", self.place.round, self.place.table, envelope))

    # -- the end -------------------------------------------------------------------------------------------------------

    def _rule_gone(self, seats: Collection[int]) -> None:
        """A ruling against those who gave the game up."""
        said = " and ".join(f"{self.names[seat]} {self._gone[seat]}" for seat in sorted(seats))
        self._rule(seats, events.WITHDREW, f"{said}.")

    def _rule(self, lost: Collection[int], how: str, sentence: str) -> None:
        """A ruling against these seats. In a game that is not over, who has left it before loses with them."""
        view = self.view
        result = view.result if view is not None else None
        if view is not None and result is None and (before := {*view.left, *self._gone} - set(lost)):
            sentence = f"{sentence} {spoken(self.names, before)} had left the game."
            lost = before | set(lost)
        self._end(against(lost, len(self.people), how, sentence, result))

    def _end(self, ruling: Ruling) -> None:
        """Ends the game as it stands, with what there is of its record, and who is missing in it."""
        if self.over:
            return
        self.over = True
        record = self._observer.record()
        if record is not None and (own := self._attestation(asyncio.get_running_loop().time())) is not None:
            record = replace(record, attestations=(own,))
            for player in self.people:
                self._hall.send(player, ("attest", self.place.round, self.place.table, own.plain()))
        self._tasks.start(self._conclude(ruling, record))

    async def _conclude(self, ruling: Ruling | None, record: Record | None) -> None:
        """Decides the table by a ruling, or by what its record proves: that goes before any ruling. A record that this
        program cannot judge is not named.
        """
        self._hall.keep(self, self.clocks)
        if record is None:
            assert ruling is not None
            self._hall.decided(self, ruling, None)
            return
        packed = await asyncio.to_thread(record.pack)
        verdict = await asyncio.to_thread(_audit, packed, lambda _: self._game)
        if ruling is None or (verdict is not None and verdict.code in (audit.FAIR, audit.UNFAIR)):
            ruling = judged(verdict, self.names)
        self._hall.decided(self, ruling, packed if verdict is not None else None)

    def _attestation(self, now: float) -> Attestation | None:
        """What the referee can attest of the stage at hand: all that is missing has been for the grace of the table."""
        view, still, signed = self.view, self._still, self._observer.signed
        if view is None or still is None or signed is None or not still.waiting or now - still.since < self._grace:
            return None
        own = Attestation(self._identity.public, *view.slot, view.head, tuple(sorted(still.waiting)))
        return own.signed(signed.game_id, self._identity.sign)


def _audit(packed: bytes, find: Callable[[str], Game]) -> audit.Verdict | None:
    """What the record proves; None where the game is at fault."""
    try:
        return audit.verify(packed, find)
    except Exception:
        log.exception("the record could not be judged")
        return None
