"""One game of one seat: a Peer, its journal, and the links to the other seats."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from games.table import Game, Leavable, Plain, Together, Unreadable, standing
from p2p.common_options import LAST_LOOK
from p2p.frames import Frame, whole
from p2p.gallery import Gallery
from p2p.identity import Identity
from p2p.journal import Entry, Journal
from p2p.link import Link
from p2p.look import LastLook
from p2p.resume import Rebuilt
from p2p.runner import Runner
from p2p.trouble import Trouble
from protocol import audit
from protocol.attest import Attestation
from protocol.envelope import CHAT, RESIGN
from protocol.events import Answered, Caught, Ended, Event, Finished
from protocol.peer import Peer
from protocol.play import LEAST_TO_LEAVE, Refused
from protocol.record import Record
from protocol.roster import SignedRoster

log = logging.getLogger(__name__)

MOST_EARLY: Final = 64
"""Envelopes that are kept for a game that has not begun at this seat."""
RELAY_SECONDS: Final = 2.0
"""Between two times that a seat which stays behind is given what it may lack: it beats no faster."""
PAST_SECONDS: Final = 60.0
"""Between two times that a seat with another past is shown everything: what is shown may be lost with its connection,
but it is much.
"""


class Match:
    """Plays once `begin` has returned. `told` gets the events; `broke` is told when the journal cannot be written."""

    def __init__(
        self,
        game: Game,
        table: SignedRoster,
        identity: Identity,
        seed: bytes,
        links: Mapping[bytes, Link],
        told: Callable[[Event], None],
        broke: Callable[[Trouble], None],
        gallery: Gallery,
        notify: Callable[[str], None],
        back: Rebuilt | None = None,
        *,
        lasting: bool = False,
    ) -> None:
        """`back` is the seat as its journal gives it back, for a game that is taken up again. A `lasting` match goes on
        where somebody breaks the protocol; of three and more seats any does.
        """
        self.table = table
        self.seat = next(n for n, place in enumerate(table.roster.seats) if place.identity == identity.public)
        self.look: LastLook | None = None
        self.attestations: dict[bytes, Attestation] = {}
        """Of the seats that remain, who was silent; by witness."""
        self.begun = False
        """Whether the words were agreed on, so that it is about to be played."""
        self._game = game
        self._links = links
        self._told = told
        self._broke = broke
        self._gallery = gallery
        self._notify = notify
        self._warned = False
        self._seed = seed
        self._mine: list[bytes] = list(back.mine) if back is not None else []
        self._early: list[bytes] = []
        self._chosen: int | None = None
        self._held: int | None = None
        self._shown: dict[bytes, float] = {}
        """When a seat was sent all envelopes on the connection that it has."""
        self._recalled: dict[bytes, set[int]] = {}
        """Which of its own envelopes each seat was shown on its present connection, by number."""
        self._runner: Runner | None = None
        self._peer = back.peer if back is not None else Peer(game, table, self.seat, seed, identity.sign)
        self._behind: dict[bytes, Frame] = {}
        self._journal: Journal | None = None
        self._back = back
        self._awaited: set[bytes] = set()
        self._helped: dict[bytes, float] = {}
        for link in links.values():
            if back is None:
                link.begin(self._mine, self._beat, self._compare, lasting=lasting or len(links) > 1)
            else:
                come = len(self._peer.chain(self._seat_of(link), 0))
                link.begin(self._mine, self._beat, self._compare, lasting=True, come=come, on_have=self._has)

    def seats(self, people: Sequence[tuple[bytes, str]]) -> bool:
        """Whether just these people, identity and nickname by seat, sit at the table of this match."""
        return tuple((place.identity, place.nickname) for place in self.table.roster.seats) == tuple(people)

    def turns(self) -> tuple[bytes, ...]:
        """Whose turn it is to begin another game: the identities, from the seat after the one that began this one.

        Empty where the rules know of no such thing. To be called when the game is finished.
        """
        began = self._game.began(self._peer.public)
        if began is None:
            return ()
        keys = tuple(place.identity for place in self.table.roster.seats)
        return (*keys[began + 1 :], *keys[: began + 1])

    def prepare(self, data: Path | None, first: Sequence[Entry]) -> None:
        """Opens the journal, if there is a data folder, with these entries: from then on others may begin. Raises
        Trouble.
        """
        if data is not None and self._journal is None:
            self._journal = Journal.create(data, self.table, self.seat, self._seed)
            if first:
                self._journal.write(first, sync=True)

    def discard(self) -> None:
        """The game will not begin after all."""
        if self._journal is not None and self._runner is None:
            self._journal.remove()
            self._journal = None

    def begin(self) -> Runner:
        """Plays from now on, once `start` is called."""
        self._runner = Runner(self._peer, self._journal, self)
        self._gallery.begin(self._peer, self._runner.after)
        return self._runner

    def take_up(self) -> Runner:
        """Goes on from the journal: nothing is signed before all seats that play have said what they have of this
        one's envelopes. The journal may be an old copy, and others know better.
        """
        assert self._back is not None
        self._journal = self._back.journal
        runner = self.begin()
        if not self._peer.finished and self.seat in self.present:
            places = self.table.roster.seats
            self._awaited = {places[seat].identity for seat in self.present if seat != self.seat}
        runner.take_up(self._back.due)
        if not self._awaited:
            runner.release_hold()
        self._open_look(asyncio.get_running_loop().time())
        return runner

    def _has(self, link: Link, count: int) -> bool:
        """Another seat has so many of this one's envelopes."""
        assert self._runner is not None
        if count > len(self._mine):
            link.send(("recall", len(self._mine)))
            return True
        self._awaited.discard(link.identity)
        if not self._awaited:
            self._runner.release_hold()
        return True

    def recall(self, link: Link, count: int) -> None:
        """Shows a seat what it has signed, from a number on, and may have forgotten: each envelope once on a
        connection, however often the seat asks.
        """
        self.after(lambda: self._show(link, count))

    def _show(self, link: Link, count: int) -> None:
        start, shown = max(0, count), self._recalled.setdefault(link.identity, set())
        for number, envelope in enumerate(self._peer.chain(self._seat_of(link), start), start):
            if number not in shown:
                shown.add(number)
                link.send(("relay", envelope.pack()))

    def _seat_of(self, link: Link) -> int:
        return next(n for n, place in enumerate(self.table.roster.seats) if place.identity == link.identity)

    def note(self, kind: str, *what: Plain) -> None:
        """Something for the journal that the game does not depend on."""
        if self._runner is not None and self._journal is not None:
            self._runner.give(kind, *what)

    def start(self) -> None:
        """The first stage, and whatever came early."""
        assert self._runner is not None
        self._runner.start()
        for envelope in self._early:
            self._runner.give("received", envelope)
        self._early.clear()

    # -- what the player does ------------------------------------------------------------------------------------------

    def choose(self, plain: Plain) -> None:
        """Raises Refused with the rule that forbids it."""
        asked = self._runner.view.asked if self._runner is not None else None
        if asked is None or self._chosen == asked.step:
            raise Refused("nothing is asked of you now")
        try:
            choice = asked.space.read(plain)
        except Unreadable as error:
            raise Refused(str(error)) from None
        if reason := asked.space.why_not(choice):
            raise Refused(reason)
        if self.look is not None:
            self.look.choose(choice)
        else:
            self._submit(choice)

    def say(self, text: str) -> None:
        if self._runner is not None:
            self._runner.give("said", text)

    def resign(self) -> None:
        if self._runner is not None:
            self._end_look()
            self._runner.give("resigned")

    @property
    def left(self) -> tuple[int, ...]:
        """The seats that have left the game."""
        return self._runner.view.left if self._runner is not None else ()

    @property
    def present(self) -> tuple[int, ...]:
        """The seats that have not."""
        return tuple(seat for seat in range(len(self.table.roster.seats)) if seat not in self.left)

    @property
    def leavable(self) -> bool:
        """Whether this seat may leave, and the others play on."""
        return self.seat in self.present and len(self.present) >= LEAST_TO_LEAVE and self.has_leaves

    @property
    def has_leaves(self) -> bool:
        """Whether the rules say how a seat leaves the game."""
        return isinstance(self._peer.public, Leavable)

    def _submit(self, choice: Plain) -> None:
        assert self._runner is not None
        assert self._runner.view.asked is not None
        self._chosen = self._runner.view.asked.step
        self._end_look()
        self._runner.give("chose", self._chosen, choice)

    # -- what comes from links -----------------------------------------------------------------------------------------

    def receive(self, envelope: bytes) -> None:
        """From whomever: what it is worth, its signature says."""
        if self._runner is not None and self._runner.held and self._peer.ends_with(envelope):
            self._runner.end_with(envelope)
        elif self._runner is not None and self._runner.started:
            self._runner.give("received", envelope)
        elif len(self._early) < MOST_EARLY:
            self._early.append(envelope)

    async def room(self) -> None:
        """Returns when more may be received: who floods a seat has to wait."""
        if self._runner is not None:
            await self._runner.room()

    def after(self, callback: Callable[[], None]) -> None:
        """Calls back once all that came so far is taken."""
        if self._runner is not None and self._runner.started:
            self._runner.after(callback)
        else:
            callback()

    @property
    def _slot(self) -> tuple[int, int]:
        return self._runner.view.slot if self._runner is not None else (0, 0)

    def _beat(self) -> Frame:
        """What heartbeats carry: where this seat is, and the hash of all before."""
        if self._runner is None:
            return ()
        view = self._runner.view
        return self.table.game_id, *view.slot, view.head

    def _compare(self, link: Link, beat: Frame) -> None:
        """A heartbeat of a seat that is no further than this one. What it means is looked at once the machine rests."""
        own = self._beat()
        if len(own) != len(beat) or own[:1] != beat[:1]:
            return
        stays = self._behind.get(link.identity) == beat
        self._behind[link.identity] = beat
        match beat[1:]:
            case (int() as step, int() as stage, bytes() as head) if whole(step, stage) and (step, stage) <= self._slot:
                self.after(lambda: self._help(link, (step, stage), head, stays))

    def _help(self, link: Link, slot: tuple[int, int], head: bytes, stays: bool) -> None:
        """A seat that came to a place by another past is shown all envelopes, and a double signature shows. One that
        stays behind is given what it may lack: who owes it that may be out of its reach, or gone.
        """
        now = asyncio.get_running_loop().time()
        known = self._peer.head_before(slot)
        if now - self._helped.get(link.identity, -RELAY_SECONDS) < RELAY_SECONDS:
            return
        if known is not None and known != head:
            if now - self._shown.get(link.identity, -PAST_SECONDS) < PAST_SECONDS:
                return
            self._shown[link.identity] = now
            log.warning("%s has another transcript than this seat", link.nickname)
            since = 0, 0
        elif stays and slot < self._slot and len(self._links) > 1:
            log.info("%s stays behind, and is given what it may lack", link.nickname)
            since = slot
        else:
            return
        self._helped[link.identity] = now
        self._relay(link, since)

    def _relay(self, link: Link, since: tuple[int, int]) -> None:
        """Passes on the envelopes from this step and stage on, and those that belong to none."""
        record = self._peer.record()
        for envelope in (*record.evidence, *record.envelopes):
            if envelope.slot >= since or envelope.kind in (CHAT, RESIGN):
                link.send(("relay", envelope.pack()))

    def returned(self, link: Link) -> None:
        """A seat is connected again: what it was shown before may have been lost."""
        self._shown.pop(link.identity, None)
        self._recalled.pop(link.identity, None)

    def accuse(self) -> None:
        """Shows everybody what convicts the seat that was caught."""
        for frame in self._convicting():
            for link in self._links.values():
                link.send(frame)

    def proof(self, key: bytes) -> tuple[Frame, ...]:
        """What a seat is told that comes back after another one was caught; nothing where none was. To be called when
        the game is stopped.
        """
        if self._peer.caught is None:
            return ()
        seat = next(n for n, place in enumerate(self.table.roster.seats) if place.identity == key)
        return ("have", len(self._peer.chain(seat, 0))), *self._convicting()

    def _convicting(self) -> list[Frame]:
        caught, record = self._peer.caught, self._peer.record()
        signed = [envelope for envelope in record.envelopes if caught is not None and envelope.seat == caught.seat]
        return [("relay", envelope.pack()) for envelope in (*record.evidence, *signed)]

    # -- what the runner tells -----------------------------------------------------------------------------------------

    def send(self, envelope: bytes) -> None:
        self._mine.append(envelope)
        for link in self._links.values():
            link.flush()

    def happened(self, event: Event, since: float) -> None:
        match event:
            case Answered(step=step) if step != self._held:
                pass  # What was asked before: its answer may be told behind the view.
            case Answered() | Ended() | Finished() | Caught():
                self._end_look()
        # The view is ahead of the events: whoever hears of the answer before may choose at once.
        self._open_look(since)
        self._told(event)

    def taken(self) -> None:
        self._gallery.follow()
        if self._journal is not None and not self._warned and (warning := self._journal.warning) is not None:
            self._warned = True
            self._notify(warning)

    def broke(self, error: Trouble) -> None:
        self._end_look()
        self._broke(error)

    def _open_look(self, since: float) -> None:
        """Holds the choice that is asked for now, if it is one to be held and is not yet."""
        assert self._runner is not None
        asked = self._runner.view.asked
        seconds = self.table.roster.option(LAST_LOOK, 0)
        if asked is None or asked.step == self._held or not isinstance(seconds, int) or seconds <= 0:
            return
        if isinstance(asked.ask, Together) and asked.ask.last_look:
            self._held = asked.step
            self.look = LastLook(seconds, since, standing(asked.ask, self.seat), self._submit)

    def _end_look(self) -> None:
        if self.look is not None:
            self.look.cancel()
            self.look = None

    # -- the end -------------------------------------------------------------------------------------------------------

    async def stop(self) -> None:
        """Nothing more is taken, signed or sent."""
        self._end_look()
        if self._runner is not None:
            await self._runner.stop()

    def record(self) -> Record:
        """The record as it stands. To be called when the game is finished, or stopped."""
        record = self._peer.record()
        if self._runner is None or self._peer.finished:
            return record
        slot, head = self._peer.slot, self._peer.head
        heard = {one.witness: one for one in self._gallery.attestations} | self.attestations
        standing = [one for one in heard.values() if one.slot == slot and one.head == head]
        order = {place.identity: seat for seat, place in enumerate(self.table.roster.seats)}
        standing.sort(key=lambda one: (order.get(one.witness, len(order)), one.witness))
        return replace(record, attestations=tuple(standing))

    def judge(self, packed: bytes) -> audit.Verdict | None:
        """What the record proves; it takes long enough to be run on a thread. None where the game is at fault."""
        try:
            return audit.verify(packed, lambda _: self._game)
        except Exception:
            log.exception("the record could not be judged")
            return None

    def release(self, *, kept: bool) -> None:
        """The game is over. Where its record is kept, or there is none, the journal is not needed any more."""
        if self._runner is not None:
            self._runner.release(forget=kept)

    def close(self, reason: str) -> None:
        """The game is given up: the journal says so. Raises StorageTrouble."""
        if self._runner is not None:
            self._runner.close(reason)
