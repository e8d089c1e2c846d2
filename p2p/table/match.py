"""One game of one seat, as it runs: a Peer, its journal, and the links to the other seats."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Final

from kimberley.games.table import Game, Plain, SupportsLeave
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.storage.journal import PRACTICE, Entry, Journal
from kimberley.p2p.table.catch_up import CatchUp
from kimberley.p2p.table.common_options import adjust_times
from kimberley.p2p.table.final_adjustment import FinalAdjustment, drawn_wait
from kimberley.p2p.table.resume import RestoredSeat
from kimberley.p2p.table.runner import PeerView, Runner
from kimberley.p2p.table.spectators import Spectators
from kimberley.p2p.transport.link import Link
from kimberley.protocol.attestation import Attestation
from kimberley.protocol.audit import AuditedGame
from kimberley.protocol.events import Answered, Asked, Caught, Event, GameEnded, RecordComplete
from kimberley.protocol.peer import Peer
from kimberley.protocol.play import LEAST_TO_LEAVE, NotAllowed
from kimberley.protocol.record import Record
from kimberley.protocol.roster import SignedRoster

log = logging.getLogger(__name__)

MOST_EARLY: Final = 64  # SPEC: envelopes kept for a game that has not begun
"""Envelopes kept for a game that has not begun at this seat."""


class Match:
    """One game of one seat. It plays once `begin` has returned."""

    view: PeerView
    """What this seat knows of the game. It is there once the game plays."""

    def __init__(
        self,
        game: Game,
        table: SignedRoster,
        identity: Identity,
        seed: bytes,
        links: Mapping[bytes, Link],
        on_event: Callable[[Event], None],
        on_failure: Callable[[UserError], None],
        spectators: Spectators,
        notify: Callable[[str], None],
        restored: RestoredSeat | None = None,
        *,
        headless: bool = False,
    ) -> None:
        """Connects the seat to its links.

        Args:
            game: The rules.
            table: The signed roster.
            identity: The own identity.
            seed: The own seed, 32 bytes.
            links: The links to the other seats, by identity.
            on_event: Called with each event.
            on_failure: Called when the journal cannot be written, or the program fails.
            spectators: The spectators of this seat.
            notify: Called with a problem that does not end the table.
            restored: The seat as restored from its journal, in a resumed game.
            headless: Whether a program plays the seat: it adjusts its plan in the quiet time or not at all.

        """
        self.table = table
        self.game_id, self.phrase = table.game_id, table.phrase
        self.people = tuple((place.identity, place.nickname) for place in table.roster.seats)
        """Identity and nickname by seat."""
        self.seat = next(n for n, place in enumerate(table.roster.seats) if place.identity == identity.public)
        self.final_adjustment: FinalAdjustment | None = None
        self.attestations: dict[bytes, Attestation] = {}
        """Who was silent, as attested by the remaining seats; by witness."""
        self.resumed = restored is not None
        """Whether this program resumes the game from its journal."""
        self.practice = restored is not None and PRACTICE in restored.contents.entries
        """Whether a choice was taken back in this game."""
        self.begun = False
        """Whether the words were agreed on, so that the game is about to begin."""
        self._publish = on_event
        self._on_failure = on_failure
        self._spectators = spectators
        self._notify = notify
        self._warned = False
        self._headless = headless
        self.seed = seed
        self._early: list[bytes] = []
        self._chosen: int | None = None
        self._held: int | None = None
        self._runner: Runner | None = None
        self.peer = restored.peer if restored is not None else Peer(game, table, self.seat, seed, identity.sign)
        self.resigned = self.peer.resigning
        """Whether the player has resigned, perhaps before the program began."""
        self._journal: Journal | None = None
        self._restored = restored
        self.catch_up = CatchUp(table, self.seat, self.peer, links, self.call_after, notify)

    def prepare(self, data: Path | None, first: Sequence[Entry]) -> None:
        """Opens the journal with these entries, if there is a data folder: from then on others may begin. Raises
        UserError.
        """
        if data is not None and self._journal is None:
            self._journal = Journal.create(data, self.table, self.seat, self.seed)
            if first:
                self._journal.write(first, sync=True)

    def discard(self, *, kept: bool = False) -> None:
        """Discards the game: it does not begin in this program. Its journal is deleted, unless it is `kept`: the others
        may still begin.
        """
        if self._runner is not None:
            return
        self.catch_up.discard()
        if self._journal is not None:
            if kept:
                self._journal.close()
            else:
                self._journal.remove()
            self._journal = None

    def begin(self) -> Runner:
        """Prepares to play; `start` begins."""
        self._runner = Runner(self.peer, self._journal, self)
        self.view = self._runner.view
        self.catch_up.begin(self._runner)
        self._spectators.begin_game(self.peer, self._runner.call_after)
        return self._runner

    def resume(self) -> Runner:
        """Continues from the journal. Nothing is signed before all present seats have said what they have of this
        seat's envelopes: the journal may be an old copy, and others know better.
        """
        assert self._restored is not None
        self._journal = self._restored.journal
        runner = self.begin()
        waits = not self.peer.finished and self.seat in self.present
        runner.resume(self._restored.due)
        self.catch_up.wait_for([seat for seat in self.present if seat != self.seat] if waits else ())
        self._open_final_adjustment(asyncio.get_running_loop().time())
        return runner

    def write_note(self, kind: str, *what: Plain) -> None:
        """Writes an entry to the journal that the game does not depend on."""
        if self._runner is not None and self._journal is not None:
            self._runner.submit(kind, *what)

    def start(self) -> None:
        """Begins the first stage, with the envelopes that came early."""
        assert self._runner is not None
        self._runner.start()
        for envelope in self._early:
            self._runner.receive(envelope)
        self._early.clear()

    # -- what the player does ------------------------------------------------------------------------------------------

    @property
    def asked(self) -> Asked | None:
        """What this seat is asked. None outside the game, and once its choice or resignation is on the way."""
        playing = self._runner is not None and self._runner.handles_inputs and not self.resigned
        asked = self.view.asked if playing else None
        return asked if asked is not None and asked.step != self._chosen else None

    def choose(self, choice: Plain, *, final: bool = True) -> None:
        """Makes the player's choice. One that is not `final` only stands for now, if there is a final adjustment.
        Raises NotAllowed with the rule that forbids it.
        """
        if (asked := self.asked) is None:
            raise NotAllowed("it is not your turn")
        if reason := asked.space.violation(choice):
            raise NotAllowed(reason)
        if self.final_adjustment is not None:
            self.final_adjustment.choose(choice, final=final)
        else:
            self._submit(choice)

    def resign(self) -> None:
        """Resigns, unless the game has not begun, or has its result."""
        if self._runner is not None and self._runner.handles_inputs and self.view.result is None:
            self._end_final_adjustment()
            self.resigned = True
            self._runner.submit("resigned")

    @property
    def held_back(self) -> bool:
        """Whether a resumed game waits for others before this seat signs anything."""
        return self._runner is not None and self._runner.held

    @property
    def unsaved(self) -> bool:
        """Whether the player has chosen or resigned while a resumed game is held back: that is not in the journal."""
        return self.held_back and (self._chosen is not None or self.resigned != self.peer.resigning)

    @property
    def left(self) -> tuple[int, ...]:
        """The seats that have left the game."""
        return self.view.left if self._runner is not None else ()

    @property
    def present(self) -> tuple[int, ...]:
        """The seats that have not left."""
        return tuple(seat for seat in range(len(self.table.roster.seats)) if seat not in self.left)

    def needs(self, seat: int) -> bool:
        """Returns whether the others cannot play on without a seat: it has not left yet, and too few are there, or the
        rules do not say how a seat leaves.
        """
        few = len(self.present) < LEAST_TO_LEAVE or not isinstance(self.peer.public, SupportsLeave)
        return few and seat in self.present

    def _submit(self, choice: Plain) -> None:
        assert self._runner is not None
        assert self.view.asked is not None
        self._chosen = self.view.asked.step
        self._runner.submit("chose", self._chosen, choice)

    # -- what comes from links -----------------------------------------------------------------------------------------

    def receive(self, envelope: bytes) -> None:
        """Takes an envelope from anyone: its signature says what it is worth."""
        if self._runner is not None and self._runner.held and self.peer.ends_with(envelope):
            self._runner.end_with(envelope)
        elif self._runner is not None and self._runner.started:
            self._runner.receive(envelope)
        elif len(self._early) < MOST_EARLY:
            self._early.append(envelope)

    async def wait_for_room(self) -> None:
        """Returns when more may be received: a seat that floods has to wait."""
        if self._runner is not None:
            await self._runner.wait_for_room()

    def call_after(self, callback: Callable[[], None]) -> None:
        """Calls back once everything received so far is handled."""
        if self._runner is not None and self._runner.started:
            self._runner.call_after(callback)
        else:
            callback()

    # -- called by the runner ------------------------------------------------------------------------------------------

    def send(self, envelope: bytes) -> None:
        del envelope  # The machine has it already.
        self.catch_up.flush()

    def on_event(self, event: Event, since: float) -> None:
        match event:
            case Answered(step=step) if step != self._held:
                pass  # An earlier ask: its answer may come after the view has changed.
            case Answered() | GameEnded() | RecordComplete() | Caught():
                self._end_final_adjustment()
        # The view is ahead of the events: a subscriber may choose as soon as it sees the answer.
        self._open_final_adjustment(since)
        self._publish(event)

    def on_applied(self) -> None:
        self._spectators.refresh()
        if self._journal is not None and not self._warned and (warning := self._journal.warning) is not None:
            self._warned = True
            self._notify(warning)

    def on_failure(self, error: UserError) -> None:
        self._end_final_adjustment()
        self._on_failure(error)

    def _open_final_adjustment(self, since: float) -> None:
        """Starts the final adjustment of the choice that is asked now, if it needs one."""
        asked, times = self.view.asked, adjust_times(dict(self.table.roster.options))
        if asked is None or asked.step == self._held or times.most <= 0 or not asked.ask.last_look:
            return
        self._held = asked.step
        # Drawn from the secret seed, so that a resumed game draws the same again.
        wait = times.quiet if self._headless else drawn_wait(Random(f"{self.seed.hex()} waits {asked.step}"), times)
        stands, bound = asked.ask.standing_choice(self.seat), not asked.ask.may_change(self.seat)
        self.final_adjustment = FinalAdjustment(times, since, wait, stands, self._submit, done=self._headless or bound)

    def _end_final_adjustment(self) -> None:
        if self.final_adjustment is not None:
            self.final_adjustment.cancel()
            self.final_adjustment = None

    # -- the end -------------------------------------------------------------------------------------------------------

    async def stop(self) -> None:
        """Stops: nothing more is handled, signed or sent."""
        self._end_final_adjustment()
        if self._runner is not None:
            await self._runner.stop()

    def record(self) -> Record:
        """Returns the record so far. To be called when the game is finished or stopped."""
        record = self.peer.record()
        if self._runner is None or self.peer.finished:
            return record
        slot, head = self.peer.slot, self.peer.head
        heard = {one.witness: one for one in self._spectators.attestations} | self.attestations
        standing = [one for one in heard.values() if one.slot == slot and one.head == head]
        order = {place.identity: seat for seat, place in enumerate(self.table.roster.seats)}
        standing.sort(key=lambda one: (order.get(one.witness, len(order)), one.witness))
        return replace(record, attestations=tuple(standing))

    def audit(self, record: Record) -> AuditedGame | None:
        """Returns the game as this record has it, and what the record proves. Slow enough to run on a thread. To be
        called when the game is finished or stopped. None if the game has a fault.
        """
        try:
            return AuditedGame.by(self.peer, record)
        except Exception:
            log.exception("the record could not be checked")
            return None

    def release(self, *, kept: bool) -> None:
        """Releases a game that is over. The journal is deleted if the record is `kept`, or not wanted."""
        if self._runner is not None:
            self._runner.release(forget=kept)

    def close(self, reason: str) -> None:
        """Notes in the journal that the game is given up. Raises StorageError."""
        if self._runner is not None:
            self._runner.close(reason)
