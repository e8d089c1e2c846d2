"""A referee's eye on one table: an onlooker that is fed by the doors of all its seats.

What one seat does not show another one does, so a seat cannot keep an envelope from the referee that it gave to the
others. And the referee knows what each seat has: what it lacks, the referee can pass on.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Callable
from typing import Final, Protocol

from games.table import Game
from p2p.channel import Channel, Lost
from p2p.frames import Frame
from p2p.identity import Identity, fingerprint
from p2p.invitation import Invitation
from p2p.link import REDIAL_SECONDS
from p2p.mesh import Where
from p2p.runner import Runner, View
from p2p.seldom import Seldom
from p2p.tasks import Tasks
from p2p.text import clean
from p2p.trouble import Trouble
from p2p.watch import admitted
from protocol.encoding import Malformed
from protocol.events import Event
from protocol.peer import Peer
from protocol.record import Record
from protocol.roster import BadRoster, SignedRoster

log = logging.getLogger(__name__)

MOST_BEYOND: Final = 256
"""Frames of one connection beyond the envelopes that are known, from which on it shows nonsense."""
NONSENSE_SECONDS: Final = 60.0
"""How long a door that shows nonsense is left alone."""


class Nonsense(Exception):
    """A door does not show what a seat of this table shows; the text says what it does."""


class Told(Protocol):
    """Whom an observer tells."""

    def began(self, game_id: bytes) -> None:
        """The game of this table has begun."""

    def moved(self, at: float) -> None:
        """The view has changed, by what came at the loop's time `at`."""

    def broke(self, error: Trouble) -> None:
        """This program is at fault: the game cannot be followed."""


class _Door:
    """The door of one seat: where it is, and what came through it on the present connection."""

    def __init__(self, where: Where) -> None:
        self.where = where
        self.channel: Channel | None = None
        self.has: set[bytes] = set()
        """The digests of the envelopes that the seat has shown."""
        self.frames = 0
        self.foreign = False
        """Whether it shows another game than that of this table."""
        self.task: asyncio.Task[None] | None = None


class Observer:
    """Watches the table of an invitation. `game_id` is that of its game where that is known from before."""

    def __init__(
        self, invitation: Invitation, game: Game, identity: Identity, told: Told, game_id: bytes | None = None
    ) -> None:
        self.view: View | None = None
        """What an onlooker knows of the game, once it has begun."""
        self.game_id = game_id
        self.signed: SignedRoster | None = None
        self._invitation = invitation
        self._game = game
        self._identity = identity
        self._told = told
        self._peer: Peer | None = None
        self._runner: Runner | None = None
        self._doors: dict[bytes, _Door] = {}
        self._taken: list[tuple[bytes, bytes, int, float]] = []
        """The envelopes that count, in the order in which they came: digest, bytes, seat, and the loop's time."""
        self._counts = [0] * len(invitation.people)
        self._known: set[bytes] = set()
        self._since = 0.0
        self._strange = Seldom(log, logging.WARNING)
        self._tasks = Tasks()

    # -- what one reads ------------------------------------------------------------------------------------------------

    def watched(self, seat: bytes) -> bool:
        """Whether the door of a seat shows the game of this table now."""
        door = self._doors.get(seat)
        return door is not None and door.channel is not None and not door.foreign

    @property
    def doors(self) -> dict[bytes, Where]:
        """Where the seats are reached."""
        return {seat: door.where for seat, door in self._doors.items()}

    def envelopes(self, start: int) -> list[bytes]:
        """The envelopes that count, in the order in which they came, from this number on."""
        return [envelope for _, envelope, _, _ in self._taken[start:]]

    def lacks(self, seat: int, until: float) -> list[tuple[bytes, bytes]]:
        """The envelopes of others that the referee has had since the loop's time `until` at least, and that a seat has
        not shown: (digest, envelope).
        """
        player = self._invitation.people[seat]
        door = self._doors.get(player)
        has = door.has if door is not None and self.watched(player) else set[bytes]()
        if self._known <= has:
            return []
        return [
            (digest, envelope)
            for digest, envelope, signer, at in self._taken
            if at <= until and signer != seat and digest not in has
        ]

    def after(self, callback: Callable[[], None]) -> None:
        """Calls back once all that has come so far is taken."""
        if self._runner is not None:
            self._runner.after(callback)
        else:
            callback()

    def record(self) -> Record | None:
        """The record as it stands; None before the game. To be called from `after`, or when the game is finished."""
        return self._peer.record() if self._peer is not None else None

    # -- what one does -------------------------------------------------------------------------------------------------

    def reach(self, seat: bytes, where: Where) -> bool:
        """The door of a seat is there now. Returns whether that is news."""
        if (door := self._doors.get(seat)) is not None:
            if door.where == where:
                return False
            if door.task is not None:
                door.task.cancel()
        door = self._doors[seat] = _Door(where)
        door.task = self._tasks.start(self._follow(seat, door))
        return True

    async def close(self) -> None:
        """Watches no more."""
        self._tasks.cancel()
        if self._runner is not None:
            await self._runner.stop()
        await self._tasks.settle()

    # -- what comes ----------------------------------------------------------------------------------------------------

    async def _follow(self, seat: bytes, door: _Door) -> None:
        """Watches one door, and again whenever it is lost."""
        attempt = 0
        while True:
            try:
                channel = await admitted(*door.where, self._identity, seat)
            except Trouble as error:
                log.info("the door of %s is not open: %s", fingerprint(seat), error)
                await asyncio.sleep(REDIAL_SECONDS[min(attempt, len(REDIAL_SECONDS) - 1)])
                attempt += 1
                continue
            attempt = 0
            door.channel, door.has, door.frames, door.foreign = channel, set(), 0, False
            pause = REDIAL_SECONDS[0]
            try:
                while True:
                    await self._take(door, await channel.receive())
            except Lost as error:
                log.info("the door of %s is lost: %s", fingerprint(seat), error)
            except Nonsense as error:
                self._strange.say(f"{channel.address}, {fingerprint(seat)}, {error}: it is left alone for a while")
                pause = NONSENSE_SECONDS
            finally:
                door.channel = None
                await channel.close()
            await asyncio.sleep(pause)

    async def _take(self, door: _Door, frame: Frame) -> None:
        """Raises Nonsense."""
        door.frames += 1
        if door.frames > len(self._taken) + MOST_BEYOND:
            raise Nonsense("shows more than there is")
        match frame:
            case ("signed", *plain):
                self._begin(door, tuple(plain))
            case ("envelope", bytes() as data) if self._runner is not None and not door.foreign:
                digest = _digest(data)
                door.has.add(digest)
                if digest not in self._known:
                    self._runner.give("received", data)
                    await self._runner.room()
            case ("envelope", bytes()):
                pass
            case _:
                raise Nonsense("does not show its game as a table does")

    def _begin(self, door: _Door, plain: Frame) -> None:
        """A door shows a game: that of this table, or another one, which does not count here. Raises Nonsense."""
        try:
            signed = SignedRoster.read(plain)
            signed.check()
        except (Malformed, BadRoster) as error:
            raise Nonsense(f"shows a roster that cannot be trusted, {clean(str(error), 100)}") from None
        if reason := self._invitation.violation(signed.roster):
            raise Nonsense(f"shows a table that was not paired: {reason}")
        door.foreign = self.game_id is not None and signed.game_id != self.game_id
        if door.foreign or self._runner is not None:
            return
        self.game_id, self.signed = signed.game_id, signed
        self._peer = Peer(self._game, signed, None)
        self._runner = Runner(self._peer, None, self)
        self.view = self._runner.view
        self._told.began(signed.game_id)
        self._runner.start()

    # -- what the runner tells -----------------------------------------------------------------------------------------

    def send(self, envelope: bytes) -> None:
        raise AssertionError("an onlooker signs nothing")

    def happened(self, event: Event, since: float) -> None:
        del event
        self._since = since

    def taken(self) -> None:
        assert self._peer is not None
        for seat, count in enumerate(self._counts):
            new = self._peer.chain(seat, count)
            self._counts[seat] += len(new)
            for data in (envelope.pack() for envelope in new):
                self._taken.append((_digest(data), data, seat, self._since))
                self._known.add(_digest(data))
        self._told.moved(self._since)

    def broke(self, error: Trouble) -> None:
        self._told.broke(error)


def _digest(envelope: bytes) -> bytes:
    """Enough to tell envelopes apart; nothing depends on it."""
    return hashlib.blake2b(envelope, digest_size=16).digest()
