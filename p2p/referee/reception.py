"""Where players come in: their channels, what they may say on them, and how much of it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Sequence
from typing import Final, Protocol

from p2p.address import is_ip, origin
from p2p.channel import Channel, Lost
from p2p.crowd import first_to_go
from p2p.frames import Frame
from p2p.hello import refusal
from p2p.identity import fingerprint, nickname_from
from p2p.lobby import SIT_SECONDS
from p2p.mesh import Where
from p2p.pace import Bucket, Buckets
from p2p.referee import events
from p2p.referee.cup import Cup
from p2p.referee.events import Event
from p2p.referee.tournament import Tournament
from p2p.referee.wire import ENROL, Place, is_port
from p2p.seldom import Seldom
from p2p.tasks import Tasks
from p2p.text import clean

log = logging.getLogger(__name__)

ENROL_BURST: Final = 64
"""Players who enrol from one address at once."""
ENROL_SECONDS: Final = 2.0
"""Until another one may."""
FRAME_BURST: Final = 50
"""Frames of one player at once."""
FRAME_SECONDS: Final = 0.2
"""Until it may send another one."""
MOST_STRANGERS: Final = 64
"""Channels whose peers have not said yet that they play."""

NO_TABLE: Final = 'This is the referee of "{name}", where nobody sits down. To play: kimberley join "{name}".'


class Desk(Protocol):
    """Whom the reception asks and tells."""

    @property
    def cup(self) -> Cup: ...
    @property
    def tournament(self) -> Tournament: ...
    def history(self, start: int) -> Sequence[Event]:
        """The events from this number on."""

    async def enrol(self, identity: bytes, nickname: str) -> str | None:
        """Somebody wants to play. Returns why it may not, or None."""

    def leave(self, identity: bytes, place: Place) -> None:
        """A player has left its table for good."""

    async def withdraw(self, identity: bytes) -> str | None:
        """A player plays no more."""

    def moved(self, identity: bytes, here: bool) -> None:
        """A player has connected, or its connection is lost."""

    def come(self, identity: bytes, place: Place, where: Where | None) -> None:
        """A player is on its way to its table, or says where its door is there."""


class Reception:
    """One channel for each player."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._lines: dict[bytes, Channel] = {}
        self._addresses: dict[bytes, str] = {}
        self._strangers: dict[Channel, None] = {}
        self._rates = Buckets(ENROL_BURST, 1 / ENROL_SECONDS)
        self._refused = Seldom(log, logging.WARNING)
        self._tasks = Tasks()

    @property
    def present(self) -> frozenset[bytes]:
        """The players that are connected."""
        return frozenset(self._lines)

    @property
    def addresses(self) -> Collection[str]:
        """Where the players were last."""
        return self._addresses.values()

    def welcome(self, channel: Channel) -> None:
        """Somebody came through the door."""
        if channel.purpose != (ENROL,):
            self._tasks.start(self._refuse(channel, NO_TABLE.format(name=self._desk.cup.name)))
        else:
            if len(self._strangers) >= MOST_STRANGERS:
                goes = first_to_go(self._strangers, lambda stranger: stranger.address)
                del self._strangers[goes]
                self._tasks.start(self._refuse(goes, "Others came meanwhile, and you had not enrolled. Try again."))
            self._strangers[channel] = None
            self._tasks.start(self._serve(channel))

    def send(self, player: bytes, frame: Frame) -> None:
        """Tells a player something, if it is connected."""
        if player in self._lines:
            self._lines[player].send(frame)

    def tell(self, number: int, event: Event) -> None:
        """Tells all what has happened."""
        for channel in self._lines.values():
            channel.send(("event", number, events.plain(event)))

    async def close(self) -> None:
        """Ends all channels."""
        self._tasks.cancel()
        await asyncio.gather(*(channel.close() for channel in self._lines.values()))
        await self._tasks.settle()

    async def _serve(self, channel: Channel) -> None:
        """One player, as long as it is connected."""
        try:
            async with asyncio.timeout(SIT_SECONDS):
                first = await channel.receive()
        except (TimeoutError, Lost):
            log.info("%s came and did not enrol", channel.address)
            await channel.close()
            return
        finally:
            self._strangers.pop(channel, None)
        if (reason := await self._enrol(channel, first)) is not None:
            await self._refuse(channel, reason)
            return
        try:
            await self._hear(channel)
        except Lost as error:
            log.info("the connection to %s at %s is lost: %s", fingerprint(channel.peer), channel.address, error)
        if self._lines.get(channel.peer) is channel:
            del self._lines[channel.peer]
            self._desk.moved(channel.peer, False)
        await channel.close()

    async def _enrol(self, channel: Channel, frame: Frame) -> str | None:
        """Takes somebody in who plays, or is back. Returns why not, or None."""
        match frame:
            case ("enrol", str() as nickname, int() as count) if type(count) is int and count >= 0:
                pass
            case _:
                return "You do not speak as a player of a tournament does. Use the same version."
        known = self._desk.tournament.player(channel.peer) is not None
        if not known and not self._rates.takes(origin(channel.address), _now()):
            return "Too many enrol from your address at once. Try again in a few seconds."
        if (reason := await self._desk.enrol(channel.peer, nickname_from(nickname))) is not None:
            return reason
        if (old := self._lines.get(channel.peer)) is not None:
            self._tasks.start(old.close())
        history = self._desk.history(0)
        channel.send(("cup", self._desk.cup.plain(), len(history)))
        for number, event in enumerate(history[count:], count):
            channel.send(("event", number, events.plain(event)))
        self._lines[channel.peer] = channel
        self._addresses[channel.peer] = channel.address
        self._desk.moved(channel.peer, True)
        return None

    async def _hear(self, channel: Channel) -> None:
        """What a player says; who says too much, or what no player says, is sent away. Raises Lost."""
        bucket = Bucket(FRAME_BURST, 1 / FRAME_SECONDS, _now())
        while True:
            frame = await channel.receive()
            if not bucket.takes(_now()):
                self._send_away(channel, "it talks without end")
                return
            match frame:
                case ("door", int() as round, int() as table, int() as port) if port == 0 or is_port(port):
                    host = channel.address
                    self._desk.come(channel.peer, Place(round, table), (host, port) if port and is_ip(host) else None)
                case ("leave", int() as round, int() as table):
                    self._desk.leave(channel.peer, Place(round, table))
                case ("withdraw",):
                    await self._desk.withdraw(channel.peer)
                case _:
                    self._send_away(channel, f"it says what no player says, {clean(str(frame[0]), 40)!r}")
                    return

    def _send_away(self, channel: Channel, reason: str) -> None:
        self._refused.say(f"{fingerprint(channel.peer)} at {channel.address} is sent away: {reason}")

    async def _refuse(self, channel: Channel, reason: str) -> None:
        self._refused.say(f"{channel.address} is turned away: {reason}")
        channel.send(refusal(reason))
        await channel.close()


def _now() -> float:
    return asyncio.get_running_loop().time()
