"""How all seats of a game come to the same transcript: after a lost connection, a process that ended, or a fault.

Heartbeats carry each seat's position and the hash of everything before it. A seat that stays behind is sent what it may
lack, and a seat with a different past is sent everything, which exposes a double signature. A seat that is back from
its journal signs nothing before the others have said what they have of it (SPEC.md, section 10); in a tournament the
referee says it, too, and the others are not awaited for long.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

from kimberley.p2p.table.runner import Runner
from kimberley.p2p.transport.frames import Frame, are_integers
from kimberley.p2p.transport.link import Link
from kimberley.protocol.envelope import CHAT, RESIGN
from kimberley.protocol.peer import Peer
from kimberley.protocol.roster import SignedRoster

log = logging.getLogger(__name__)

RELAY_SECONDS: Final = 2.0
"""Time until a seat that stays behind is sent what it may lack again: it heartbeats no faster."""
LONGER_SECONDS: Final = 3.0
"""Time for the others to say what they have of a seat that is back, once the referee has said it."""
PAST_SECONDS: Final = 60.0
"""Time until a seat with a different past is sent everything again: it may be lost with its connection, but it is
much.
"""


class CatchUp:
    """Compares what the seats of one game have, and sends what one lacks."""

    def __init__(
        self,
        table: SignedRoster,
        peer: Peer,
        links: Mapping[bytes, Link],
        own: Sequence[bytes],
        after: Callable[[Callable[[], None]], None],
    ) -> None:
        """Compares nothing before `begin`.

        Args:
            table: The signed roster.
            peer: The game's machine. It is only read when nothing else uses it.
            links: The links to the other seats, by identity.
            own: The growing list of envelopes that this seat signs.
            after: Calls back once everything received so far is handled.

        """
        self._table = table
        self._peer = peer
        self._links = links
        self._own = own
        self._after = after
        self._runner: Runner | None = None
        self._awaited: set[bytes] = set()
        """The seats that have not said yet what they have of this seat's envelopes."""
        self._behind: dict[bytes, Frame] = {}
        """The last heartbeat of each seat."""
        self._helped: dict[bytes, float] = {}
        """When each seat was last sent what it may lack."""
        self._shown: dict[bytes, float] = {}
        """When each seat was sent all envelopes on its current connection."""
        self._recalled: dict[bytes, set[int]] = {}
        """Which of its own envelopes each seat was sent on its current connection, by number."""

    def begin(self, runner: Runner) -> None:
        """Follows a game that begins, or is resumed."""
        self._runner = runner

    def seat_of(self, identity: bytes) -> int:
        return next(n for n, place in enumerate(self._table.roster.seats) if place.identity == identity)

    def on_reconnect(self, link: Link) -> None:
        """Called when a seat is connected again: what it was sent before may have been lost."""
        self._shown.pop(link.identity, None)
        self._recalled.pop(link.identity, None)

    # -- back from a journal -------------------------------------------------------------------------------------------

    @property
    def unbegun(self) -> bool:
        """Whether this seat has come back to a game in which it has signed nothing, and signs nothing yet."""
        return bool(self._awaited) and not self._own

    def wait_for(self, seats: Collection[int]) -> None:
        """Holds the resumed game back until these seats have said what they have of this seat's envelopes: the journal
        may be an old copy, and others know better.
        """
        self._awaited = {self._table.roster.seats[seat].identity for seat in seats}
        self._release_hold()

    def on_have(self, link: Link, count: int) -> bool:
        """Called when another seat has `count` of this seat's envelopes, in a resumed game."""
        if count > len(self._own):
            link.send(("recall", len(self._own)))
            return True
        self._awaited.discard(link.identity)
        self._release_hold()
        return True

    def on_referee_has(self, count: int) -> None:
        """Called when the referee has `count` of this seat's envelopes, and has passed on the latest. The others are
        awaited a little longer: what they say, or do not say, must not keep this seat from its game.
        """
        if self._awaited and count <= len(self._own):
            asyncio.get_running_loop().call_later(LONGER_SECONDS, self._stop_waiting)

    def _stop_waiting(self) -> None:
        self._awaited.clear()
        self._release_hold()

    def _release_hold(self) -> None:
        assert self._runner is not None
        if not self._awaited:
            self._runner.release_hold()

    def recall(self, link: Link, count: int) -> None:
        """Sends a seat its own envelopes from a number on, which it may have forgotten: each one once per connection,
        however often it asks.
        """
        self._after(lambda: self._show(link, count))

    def _show(self, link: Link, count: int) -> None:
        start, shown = max(0, count), self._recalled.setdefault(link.identity, set())
        chain = list(enumerate(self._peer.chain(self.seat_of(link.identity), start), start))
        # The last one first: it says best how old the seat's copy is, and the seat stops at the first one.
        for number, envelope in reversed(chain):
            if number not in shown:
                shown.add(number)
                link.send(("relay", envelope.pack()))

    # -- heartbeats ----------------------------------------------------------------------------------------------------

    def heartbeat(self) -> Frame:
        """Returns what heartbeats carry: this seat's position, and the hash of everything before it."""
        if self._runner is None:
            return ()
        view = self._runner.view
        return self._table.game_id, *view.slot, view.head

    def on_heartbeat(self, link: Link, beat: Frame) -> None:
        """Handles a heartbeat of a seat that is no further than this one. It is examined once the machine rests."""
        own = self.heartbeat()
        if len(own) != len(beat) or own[:1] != beat[:1]:
            return
        stays = self._behind.get(link.identity) == beat
        self._behind[link.identity] = beat
        match beat[1:]:
            case (int() as step, int() as stage, bytes() as head) if (
                are_integers(step, stage) and (step, stage) <= self._slot
            ):
                self._after(lambda: self._help_behind(link, (step, stage), head, stays))

    @property
    def _slot(self) -> tuple[int, int]:
        return self._runner.view.slot if self._runner is not None else (0, 0)

    def _help_behind(self, link: Link, slot: tuple[int, int], head: bytes, stays: bool) -> None:
        """Sends all envelopes to a seat with a different past, which exposes a double signature. Sends a seat that
        stays behind what it may lack: the seat that owes it may be out of its reach, or gone.
        """
        now = asyncio.get_running_loop().time()
        known = self._peer.head_before(slot)
        if now - self._helped.get(link.identity, -RELAY_SECONDS) < RELAY_SECONDS:
            return
        if known is not None and known != head:
            if now - self._shown.get(link.identity, -PAST_SECONDS) < PAST_SECONDS:
                return
            self._shown[link.identity] = now
            log.warning("%s has a different transcript than this seat", link.nickname)
            since = 0, 0
        elif stays and slot < self._slot and len(self._links) > 1:
            log.info("%s stays behind: sending what it may lack", link.nickname)
            since = slot
        else:
            return
        self._helped[link.identity] = now
        self._relay(link, since)

    def _relay(self, link: Link, since: tuple[int, int]) -> None:
        """Relays the envelopes from this step and stage on, and those that belong to none."""
        record = self._peer.record()
        for envelope in (*record.evidence, *record.envelopes):
            if envelope.slot >= since or envelope.kind in (CHAT, RESIGN):
                link.send(("relay", envelope.pack()))

    # -- a seat that was caught ----------------------------------------------------------------------------------------

    def accuse(self) -> None:
        """Sends everybody the proof against the seat that was caught."""
        for frame in self._convicting():
            for link in self._links.values():
                link.send(frame)

    def proof(self, identity: bytes) -> tuple[Frame, ...]:
        """Returns what a returning seat is told if another one was caught; nothing if none was. To be called when the
        game is stopped.
        """
        if self._peer.caught is None:
            return ()
        return ("have", len(self._peer.chain(self.seat_of(identity), 0))), *self._convicting()

    def _convicting(self) -> list[Frame]:
        caught, record = self._peer.caught, self._peer.record()
        signed = [envelope for envelope in record.envelopes if caught is not None and envelope.seat == caught.seat]
        return [("relay", envelope.pack()) for envelope in (*record.evidence, *signed)]
