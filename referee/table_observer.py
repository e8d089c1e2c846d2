"""A referee's view of one table: a spectator of all its seats at once, at their doors and on their own channels.

What one seat withholds, another one shows: a seat cannot hide an envelope from the referee that it gave to the others.
And the referee knows what each seat has, so it can forward what a seat lacks.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Final, Protocol

from kimberley.games.table import Game
from kimberley.p2p.base.backoff import Backoff
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.rate_limited_log import RateLimitedLog
from kimberley.p2p.base.tasks import BackgroundTasks
from kimberley.p2p.base.text import clean
from kimberley.p2p.storage.identity import Identity, fingerprint
from kimberley.p2p.table.invitation import Invitation
from kimberley.p2p.table.runner import PeerView, Runner
from kimberley.p2p.table.spectator_client import open_spectator_channel
from kimberley.p2p.table.sync import Have, have_frame, read_have
from kimberley.p2p.transport.channel import Channel, ChannelClosed
from kimberley.p2p.transport.frames import Frame
from kimberley.p2p.transport.link import REDIAL_SECONDS
from kimberley.p2p.transport.mesh import HostPort
from kimberley.protocol.audit import AuditedGame, Verdict
from kimberley.protocol.encoding import Malformed
from kimberley.protocol.envelope import Envelope
from kimberley.protocol.events import Event
from kimberley.protocol.peer import Peer
from kimberley.protocol.record import Record
from kimberley.protocol.roster import BadRoster, SignedRoster

log = logging.getLogger(__name__)

MOST_BEYOND: Final = 256  # SPEC: frames a referee takes from a door beyond known envelopes
"""Frames of one connection beyond the known envelopes. More of them are nonsense."""
NONSENSE_SECONDS: Final = 60.0
"""How long a seat that shows nonsense is ignored."""


class InvalidFeed(Exception):
    """A seat shows something that no seat of this table shows; the text says what."""


class ObserverCallbacks(Protocol):
    """What an observer calls."""

    def on_view_changed(self, at: float) -> None:
        """Called when the view has changed because of something received at the loop's time `at`."""

    def on_failure(self, error: UserError) -> None:
        """Called when this program is at fault: the game cannot be followed."""


class _SeatFeed:
    """What one seat shows on its current connection."""

    def __init__(self) -> None:
        self.has: dict[int, int] = {}
        """By seat: how many envelopes the seat has, by what it says or shows."""
        self.frames = 0
        self.shown: bytes | None = None
        """The game that it shows."""
        self.foreign = False
        """Whether that is not the game of this table, or not yet."""
        self.deaf_until = 0.0
        """The loop's time until when it is ignored, because it showed nonsense."""


class _SeatDoor:
    """One seat's door: its address, and the feed there."""

    def __init__(self, where: HostPort) -> None:
        self.where = where
        self.channel: Channel | None = None
        self.feed = _SeatFeed()
        self.task: asyncio.Task[None] | None = None


class TableObserver:
    """Watches the table of an invitation. `game_id` is its game, if it is already known."""

    def __init__(
        self,
        invitation: Invitation,
        game: Game,
        identity: Identity,
        callbacks: ObserverCallbacks,
        game_id: bytes | None = None,
    ) -> None:
        self.view: PeerView | None = None
        """What a spectator knows of the game, once it has begun."""
        self.game_id = game_id
        self.signed: SignedRoster | None = None
        self._invitation = invitation
        self._game = game
        self._identity = identity
        self._callbacks = callbacks
        self._peer: Peer | None = None
        self._runner: Runner | None = None
        self._doors: dict[bytes, _SeatDoor] = {}
        self._own_feeds: dict[bytes, _SeatFeed] = {}
        """What seats show on their own channels to the referee: their doors may be out of reach."""
        self._envelopes: list[tuple[int, int, bytes, float]] = []
        """The envelopes that count, in order of arrival: seat, number, bytes, and the loop's time."""
        self._counts = [0] * len(invitation.people)
        self._known: set[bytes] = set()
        """The hashes of those envelopes."""
        self._heard = [0.0] * len(invitation.people)
        """By seat: the loop's time when its last envelope came, by whichever door."""
        self._since = 0.0
        self._strange = RateLimitedLog(log, logging.WARNING)
        self._tasks = BackgroundTasks()

    # -- what one reads ------------------------------------------------------------------------------------------------

    def watched(self, seat: bytes) -> bool:
        """Returns whether a seat shows this table's game now."""
        return any(not feed.foreign for feed in self._feeds(seat))

    def _feeds(self, seat: bytes) -> list[_SeatFeed]:
        """Returns the feeds of a seat that are open now."""
        door, own = self._doors.get(seat), self._own_feeds.get(seat)
        return [*([door.feed] if door is not None and door.channel is not None else []), *([own] if own else [])]

    def heard_at(self, seat: int) -> float:
        """Returns the loop's time when the last envelope of a seat came, by whichever door; 0 before the first one."""
        return self._heard[seat]

    @property
    def addresses(self) -> dict[bytes, HostPort]:
        """Where the seats listen."""
        return {seat: door.where for seat, door in self._doors.items()}

    def envelopes(self, start: int) -> list[bytes]:
        """Returns the envelopes that count, in order of arrival, from number `start` on."""
        return [envelope for _, _, envelope, _ in self._envelopes[start:]]

    @property
    def have(self) -> Have:
        """What the referee has of the game; empty before it."""
        return self.view.have if self.view is not None else ()

    def latest_of(self, seat: int) -> list[bytes]:
        """Returns the last envelope of a seat that counts, if there is one."""
        return [envelope for signer, _, envelope, _ in self._envelopes if signer == seat][-1:]

    def missing_envelopes(self, seat: int, until: float) -> list[tuple[tuple[int, int], bytes]]:
        """Returns the others' envelopes that the referee has had since the loop's time `until` or earlier and that a
        seat does not have: ((signer, number), envelope).
        """
        feeds = [feed.has for feed in self._feeds(self._invitation.people[seat]) if not feed.foreign]
        has = [max((feed.get(signer, 0) for feed in feeds), default=0) for signer in range(len(self._counts))]
        if all(count <= had for count, had in zip(self._counts, has, strict=True)):
            return []
        return [
            ((signer, number), envelope)
            for signer, number, envelope, at in self._envelopes
            if at <= until and signer != seat and number >= has[signer]
        ]

    def call_after(self, callback: Callable[[], None]) -> None:
        """Calls back once everything received so far is handled."""
        if self._runner is not None:
            self._runner.call_after(callback)
        else:
            callback()

    def record(self) -> Record | None:
        """Returns the record so far; None before the game. To be called from `call_after`, or when the game is
        finished.
        """
        return self._peer.record() if self._peer is not None else None

    def verify(self, record: Record) -> Verdict | None:
        """Returns what the record of this table proves. Slow enough to run in the background. None if the game
        has a fault.
        """
        assert self._peer is not None
        try:
            return AuditedGame.by(self._peer, record).verdict
        except Exception:
            log.exception("the record could not be judged")
            return None

    # -- what one does -------------------------------------------------------------------------------------------------

    def begin(self, signed: SignedRoster) -> None:
        """Begins the game of this table: every seat has signed that the words match."""
        self.game_id, self.signed = signed.game_id, signed
        self._peer = Peer(self._game, signed, None)
        self._runner = Runner(self._peer, None, self)
        self.view = self._runner.view
        for door in self._doors.values():
            if door.feed.foreign and door.feed.shown == signed.game_id and door.channel is not None:
                # It was shown too early, and is watched again from its start.
                self._tasks.start(door.channel.close())
        self._runner.start()

    def set_address(self, seat: bytes, where: HostPort) -> bool:
        """Notes where a seat listens now. Returns whether that is new."""
        if (door := self._doors.get(seat)) is not None:
            if door.where == where:
                return False
            if door.task is not None:
                door.task.cancel()
        door = self._doors[seat] = _SeatDoor(where)
        door.task = self._tasks.start(self._follow(seat, door))
        return True

    async def on_shown(self, seat: bytes, frames: Frame) -> bool:
        """Called when a seat shows its game on its own channel, as it does at its door. Returns whether it begins to
        show this table's game: then it awaits what the referee has.
        """
        feed, now = self._own_feeds.setdefault(seat, _SeatFeed()), asyncio.get_running_loop().time()
        if now < feed.deaf_until:
            return False
        begins = False
        try:
            for frame in frames:
                begins |= await self._on_frame(feed, frame if isinstance(frame, tuple) else ())
        except InvalidFeed as error:
            self._log_strange(seat, error)
            feed = self._own_feeds[seat] = _SeatFeed()
            feed.deaf_until = now + NONSENSE_SECONDS
        return begins

    def _log_strange(self, seat: bytes, error: InvalidFeed) -> None:
        self._strange.log(f"A player’s program (key {fingerprint(seat)}) {error}. It is ignored for a while.")

    def on_disconnect(self, seat: bytes) -> None:
        """Called when a seat's own channel has ended."""
        self._own_feeds.pop(seat, None)

    async def close(self) -> None:
        """Stops watching."""
        self._tasks.cancel()
        if self._runner is not None:
            await self._runner.stop()
        await self._tasks.wait()

    # -- what comes ----------------------------------------------------------------------------------------------------

    async def _follow(self, seat: bytes, door: _SeatDoor) -> None:
        """Watches one seat, and again whenever its connection is lost."""
        backoff = Backoff(REDIAL_SECONDS)
        while True:
            try:
                channel = await open_spectator_channel(*door.where, self._identity, seat)
            except UserError as error:
                log.info("cannot watch %s yet: %s", fingerprint(seat), error)
                await asyncio.sleep(backoff.next())
                continue
            backoff.reset()
            door.channel, door.feed = channel, _SeatFeed()
            pause = backoff.next()
            try:
                while True:
                    if await self._on_frame(door.feed, await channel.receive()):
                        channel.heartbeat = self._have_frame
                        channel.send(self._have_frame())
            except ChannelClosed as error:
                log.info("lost the connection to %s: %s", fingerprint(seat), error)
            except InvalidFeed as error:
                self._log_strange(seat, error)
                pause = NONSENSE_SECONDS
            finally:
                door.channel = None
                await channel.close()
            await asyncio.sleep(pause)

    def _have_frame(self) -> Frame:
        assert self.game_id is not None
        return have_frame(self.game_id, self.have)

    async def _on_frame(self, feed: _SeatFeed, frame: Frame) -> bool:
        """Returns whether the seat now shows this table's game. Raises InvalidFeed."""
        feed.frames += frame[:1] not in (("have",), ("say",))
        if feed.frames > len(self._envelopes) + MOST_BEYOND:
            raise InvalidFeed("shows more than there is")
        match frame:
            case ("game", *plain):
                self._begin(feed, tuple(plain))
                return not feed.foreign
            case ("envelope", bytes() as data) if self._runner is not None and not feed.foreign:
                if self._is_new(feed, data):
                    self._runner.submit("received", data)
                    await self._runner.wait_for_room()
            case ("have", bytes(), tuple()) if self.game_id is not None and not feed.foreign:
                if (have := read_have(frame, self.game_id, len(self._counts))) is not None:
                    feed.has = {seat: count for seat, (count, _) in enumerate(have)}
            case ("envelope", bytes()) | ("have", bytes(), tuple()) | ("say", bytes(), str()):
                pass
            case _:
                raise InvalidFeed("does not follow the protocol for spectators")
        return False

    def _is_new(self, feed: _SeatFeed, data: bytes) -> bool:
        """Notes that a seat has an envelope, and returns whether the referee lacks it. Raises InvalidFeed."""
        try:
            envelope = Envelope.unpack(data)
        except Malformed:
            raise InvalidFeed("shows something that is no envelope") from None
        feed.has[envelope.seat] = max(envelope.number + 1, feed.has.get(envelope.seat, 0))
        return envelope.hash not in self._known

    def _begin(self, feed: _SeatFeed, plain: Frame) -> None:
        """Begins to follow a game that a seat shows: this table's, or one that has not begun for the referee, which
        does not count here. Raises InvalidFeed.
        """
        try:
            signed = SignedRoster.read(plain)
            signed.check()
        except (Malformed, BadRoster) as error:
            raise InvalidFeed(f"shows a roster that cannot be trusted, {clean(str(error), 100)}") from None
        if reason := self._invitation.violation(signed.roster):
            raise InvalidFeed(f"shows a table that was not paired: {reason}")
        feed.shown, feed.foreign = signed.game_id, signed.game_id != self.game_id
        if not feed.foreign and self._runner is None:
            # The game began when an earlier process was the referee.
            self.begin(signed)

    # -- what the runner tells -----------------------------------------------------------------------------------------

    def send(self, envelope: bytes) -> None:
        raise AssertionError("a spectator signs nothing")

    def on_event(self, event: Event, since: float) -> None:
        del event
        self._since = since

    def on_applied(self) -> None:
        assert self._peer is not None
        for seat, count in enumerate(self._counts):
            new = self._peer.chain(seat, count)
            self._counts[seat] += len(new)
            if new:
                self._heard[seat] = self._since
            self._envelopes += [(seat, envelope.number, envelope.pack(), self._since) for envelope in new]
            self._known.update(envelope.hash for envelope in new)
        self._callbacks.on_view_changed(self._since)

    def on_failure(self, error: UserError) -> None:
        self._callbacks.on_failure(error)
