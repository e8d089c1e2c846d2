"""How the seats of a game come to the same envelopes, and when a seat that is back may sign again.

A seat that is back from its journal signs nothing before the others have said what they have of it: its journal may be
an old copy, and others know better (SPEC.md, section 10). In a tournament the referee says it, too, and the others are
not waited for long.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping
from typing import Final

from kimberley.p2p.table.runner import Runner
from kimberley.p2p.table.sync import Have, Sync, convicting, have_frame, have_of, read_have
from kimberley.p2p.transport.frames import Frame
from kimberley.p2p.transport.link import Link
from kimberley.protocol.peer import Peer
from kimberley.protocol.roster import SignedRoster

LONGER_SECONDS: Final = 3.0  # SPEC: last wait
"""Time for the others to say what they have of a seat that is back, once the referee has said it."""
CAME_WITH_OLD_COPY: Final = (
    "{name} tried to come back with an old copy of this game. The game waits until {name} resumes the latest copy."
)


class CatchUp:
    """The envelopes of one game at one seat, and its links."""

    def __init__(
        self,
        table: SignedRoster,
        seat: int,
        peer: Peer,
        links: Mapping[bytes, Link],
        after: Callable[[Callable[[], None]], None],
        notify: Callable[[str], None],
    ) -> None:
        """Sends nothing before `begin`.

        Args:
            table: The signed roster.
            seat: The own seat.
            peer: The game's machine. It is only read when nothing else uses it.
            links: The links to the other seats, by identity.
            after: Calls back once everything received so far is handled.
            notify: Tells the player of a problem that does not end the table.

        """
        self._table = table
        self._seat = seat
        self._peer = peer
        self._links = links
        self._after = after
        self._notify = notify
        self._outdated: set[bytes] = set()
        """The seats that have come back with an old copy of this game, each reported to the player once."""
        self._runner: Runner | None = None
        self._first = have_of(peer)
        """What this seat has before the runner begins."""
        self._awaited: set[bytes] = set()
        """The seats that have not said yet what they have of this seat's envelopes."""
        self._playing: set[bytes] = set()
        clock = asyncio.get_running_loop().time
        self._syncs = {
            key: Sync(peer, link, clock, live=(seat,), signer=self.seat_of(key)) for key, link in links.items()
        }
        for link in links.values():
            link.begin_game(self.have)

    def begin(self, runner: Runner) -> None:
        """Begins to follow a game that begins, or is resumed."""
        self._runner = runner
        for link in self._links.values():
            link.send(self.have())

    def discard(self) -> None:
        """Discards a game that does not begin."""
        for link in self._links.values():
            link.begin_game(None)

    def seat_of(self, identity: bytes) -> int:
        return next(n for n, place in enumerate(self._table.roster.seats) if place.identity == identity)

    def have(self) -> Frame:
        """Returns what this seat has of the game."""
        return have_frame(self._table.game_id, self._have)

    @property
    def _have(self) -> Have:
        return self._runner.view.have if self._runner is not None else self._first

    def on_reconnect(self, link: Link) -> None:
        """Called when a seat is connected again."""
        if (sync := self._syncs.get(link.identity)) is not None:
            sync.reset()

    def on_have(self, link: Link, frame: Frame) -> bool:
        """Called when another seat says what it has of a game. Returns False for a malformed frame."""
        match frame:
            case ("have", bytes() as game_id, tuple()) if game_id != self._table.game_id:
                return True  # Of an earlier game at this table.
        have = read_have(frame, self._table.game_id, len(self._table.roster.seats))
        if have is None or link.identity not in self._syncs:
            return False
        theirs = self.seat_of(link.identity)
        # The first envelopes of a seat that has only begun can come from the referee before it says what it has.
        returns = link.identity in self._playing or have[theirs][0] < self._first[theirs][0]
        self._playing.add(link.identity)
        if have[self._seat][0] <= self._have[self._seat][0]:
            if self._awaited:
                self._awaited.discard(link.identity)
                self._release_hold()
        elif not self._awaited:
            link.drop("it claims to have envelopes that were never signed")
            return True
        self._after(lambda: self._sync(link, have, returns=returns))
        return True

    def _sync(self, link: Link, have: Have, *, returns: bool) -> None:
        sync = self._syncs[link.identity]
        theirs = self.seat_of(link.identity)
        forgot = returns and sync.theirs is None and have[theirs][0] < self._peer.chains[theirs].number
        if forgot and link.identity not in self._outdated:
            self._outdated.add(link.identity)
            self._notify(CAME_WITH_OLD_COPY.format(name=link.nickname))
        sync.on_have(have)

    def has_begun(self, link: Link) -> bool:
        """Returns whether the seat behind a link has begun this game: it has said what it has of it."""
        return link.identity in self._playing

    def flush(self) -> None:
        """Sends the envelopes that this seat has signed since the last call. While a connection is lost, they wait."""
        for sync in self._syncs.values():
            sync.flush()

    def has_all(self, link: Link) -> bool:
        """Returns whether the current connection has carried everything that this seat has signed."""
        return link.connected and self._syncs[link.identity].lacks_nothing_of(self._seat)

    # -- back from a journal -------------------------------------------------------------------------------------------

    @property
    def unbegun(self) -> bool:
        """Whether this seat has come back to a game in which it has signed nothing, and signs nothing yet."""
        return bool(self._awaited) and not self._have[self._seat][0]

    def wait_for(self, seats: Collection[int]) -> None:
        """Holds the resumed game back until these seats have said what they have of this seat's envelopes: the journal
        may be an old copy, and others know better.
        """
        self._awaited = {self._table.roster.seats[seat].identity for seat in seats}
        self._release_hold()

    def on_referee_has(self, frame: Frame) -> bool:
        """Called when the referee has said what it has, and has passed on this seat's latest envelope. The others are
        awaited a little longer: what they say, or do not say, must not keep this seat from its game. Returns False for
        a malformed frame.
        """
        have = read_have(frame, self._table.game_id, len(self._table.roster.seats))
        if have is None:
            return False
        if self._awaited and have[self._seat][0] <= self._have[self._seat][0]:
            asyncio.get_running_loop().call_later(LONGER_SECONDS, self._stop_waiting)
        return True

    def _stop_waiting(self) -> None:
        self._awaited.clear()
        self._release_hold()

    def _release_hold(self) -> None:
        assert self._runner is not None
        if not self._awaited:
            self._runner.release_hold()

    # -- a seat that was caught ----------------------------------------------------------------------------------------

    def accuse(self) -> None:
        """Sends everybody the proof against the seat that was caught."""
        for envelope in convicting(self._peer):
            for link in self._links.values():
                link.send(("envelope", envelope.pack()))

    def proof(self) -> tuple[Frame, ...]:
        """Returns what a returning seat is told if another one was caught; nothing if none was. To be called when the
        game is stopped.
        """
        proof = tuple(("envelope", envelope.pack()) for envelope in convicting(self._peer))
        return (self.have(), *proof) if proof else ()
