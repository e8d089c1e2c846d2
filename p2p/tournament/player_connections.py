"""The channels of the players: what they may send, and how much (SPEC.md, "Referees")."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Sequence
from typing import Final, Protocol

from kimberley.p2p.base.rate_limited_log import RateLimitedLog
from kimberley.p2p.base.tasks import BackgroundTasks
from kimberley.p2p.base.text import clean
from kimberley.p2p.base.token_bucket import TokenBucket, TokenBuckets
from kimberley.p2p.storage.identity import fingerprint, nickname_from
from kimberley.p2p.table.seat_queue import SIT_SECONDS
from kimberley.p2p.tournament import events
from kimberley.p2p.tournament.events import TournamentEvent
from kimberley.p2p.tournament.messages import ENROL, TableId, is_port
from kimberley.p2p.tournament.settings import TournamentSettings
from kimberley.p2p.tournament.tournament import Tournament
from kimberley.p2p.transport.address import is_ip, origin
from kimberley.p2p.transport.channel import Channel, ChannelClosed
from kimberley.p2p.transport.connection_limits import choose_eviction
from kimberley.p2p.transport.frames import Frame
from kimberley.p2p.transport.handshake import refusal_frame
from kimberley.p2p.transport.mesh import HostPort

log = logging.getLogger(__name__)

ENROL_BURST: Final = 64
"""Players who may enroll from one address at once."""
ENROL_SECONDS: Final = 2.0
"""Until one more may enroll."""
FRAME_BURST: Final = 50
"""Frames of one player at once."""
FRAME_SECONDS: Final = 0.2
"""Until it may send one more."""
MOST_STRANGERS: Final = 64
"""Channels whose peers have not enrolled yet."""

NO_TABLE: Final = 'This is the referee of "{name}", not a table. To play: kimberley join "{name}".'


class TableHandler(Protocol):
    """What the tables of a round learn from their players."""

    def on_arrival(self, identity: bytes, place: TableId, where: HostPort | None) -> None:
        """A player has come to its table, and says where it listens there."""

    def on_seating(self, identity: bytes, place: TableId, frame: Frame) -> None:
        """A player's part in the round in which all at its table sit down."""

    def on_words(self, identity: bytes, place: TableId, game_id: bytes | None, signature: bytes | None) -> None:
        """A player has the words of a game on the screen, or none; with its signature, they are the same."""

    def on_leave(self, identity: bytes, place: TableId) -> None:
        """A player has left its table for good."""


class PlayerHandler(Protocol):
    """What the server does for its players."""

    @property
    def settings(self) -> TournamentSettings: ...
    @property
    def tournament(self) -> Tournament: ...
    def history(self, start: int) -> Sequence[TournamentEvent]:
        """The events from number `start` on."""

    async def enroll(self, identity: bytes, nickname: str, *, bot: bool) -> str | None:
        """Enrolls a player, or a bot. Returns why that is impossible, or None."""

    @property
    def tables(self) -> TableHandler: ...
    async def withdraw(self, identity: bytes) -> str | None:
        """A player plays no more."""

    def on_presence(self, identity: bytes, here: bool) -> None:
        """A player has connected or disconnected."""


class PlayerConnections:
    """One channel per player."""

    def __init__(self, server: PlayerHandler) -> None:
        self._handler = server
        self._channels: dict[bytes, Channel] = {}
        self._addresses: dict[bytes, str] = {}
        self._strangers: dict[Channel, None] = {}
        self._rates = TokenBuckets(ENROL_BURST, 1 / ENROL_SECONDS)
        self._refused = RateLimitedLog(log, logging.WARNING)
        self._tasks = BackgroundTasks()

    @property
    def present(self) -> frozenset[bytes]:
        """The players that are connected."""
        return frozenset(self._channels)

    @property
    def addresses(self) -> Collection[str]:
        """Where the players were last."""
        return self._addresses.values()

    def admit(self, channel: Channel) -> None:
        """A peer has connected."""
        if channel.purpose != (ENROL,):
            self._tasks.start(self._refuse(channel, NO_TABLE.format(name=self._handler.settings.name)))
        else:
            if len(self._strangers) >= MOST_STRANGERS:
                goes = choose_eviction(self._strangers, lambda stranger: stranger.address)
                del self._strangers[goes]
                self._tasks.start(self._refuse(goes, "You did not enroll in time, and others came. Try again."))
            self._strangers[channel] = None
            self._tasks.start(self._serve(channel))

    def send(self, player: bytes, frame: Frame) -> None:
        """Sends a frame to a player, if it is connected."""
        if player in self._channels:
            self._channels[player].send(frame)

    def broadcast(self, number: int, event: TournamentEvent) -> None:
        """Sends an event to all players."""
        for channel in self._channels.values():
            channel.send(("event", number, events.plain(event)))

    async def close(self) -> None:
        """Ends all channels."""
        self._tasks.cancel()
        await asyncio.gather(*(channel.close() for channel in self._channels.values()))
        await self._tasks.wait()

    async def _serve(self, channel: Channel) -> None:
        """Serves one player for as long as it is connected."""
        try:
            async with asyncio.timeout(SIT_SECONDS):
                first = await channel.receive()
        except (TimeoutError, ChannelClosed):
            log.info("%s came and did not enroll", channel.address)
            await channel.close()
            return
        finally:
            self._strangers.pop(channel, None)
        if (reason := await self._enrol(channel, first)) is not None:
            await self._refuse(channel, reason)
            return
        try:
            await self._receive_all(channel)
        except ChannelClosed as error:
            log.info("lost the connection to %s at %s: %s", fingerprint(channel.peer), channel.address, error)
        if self._channels.get(channel.peer) is channel:
            del self._channels[channel.peer]
            self._handler.on_presence(channel.peer, False)
        await channel.close()

    async def _enrol(self, channel: Channel, frame: Frame) -> str | None:
        """Admits a peer that enrolls, or is back. Returns why not, or None."""
        match frame:
            case ("enrol", str() as nickname, int() as count, bool() as bot) if type(count) is int and count >= 0:
                pass
            case _:
                return "Your program does not follow the protocol of a tournament. Use the same version."
        known = self._handler.tournament.player(channel.peer) is not None
        if not known and not self._rates.try_acquire(origin(channel.address), _now()):
            return "Too many players enroll from your address at once. Try again in a few seconds."
        if (reason := await self._handler.enroll(channel.peer, nickname_from(nickname), bot=bot)) is not None:
            return reason
        if (old := self._channels.get(channel.peer)) is not None:
            self._tasks.start(old.close())
        history = self._handler.history(0)
        channel.send(("cup", self._handler.settings.plain(), len(history)))
        for number, event in enumerate(history[count:], count):
            channel.send(("event", number, events.plain(event)))
        self._channels[channel.peer] = channel
        self._addresses[channel.peer] = channel.address
        self._handler.on_presence(channel.peer, True)
        return None

    async def _receive_all(self, channel: Channel) -> None:
        """Handles a player's frames. A player that sends too much, or something unknown, is disconnected. Raises
        ChannelClosed.
        """
        bucket = TokenBucket(FRAME_BURST, 1 / FRAME_SECONDS, _now())
        while True:
            frame = await channel.receive()
            if not bucket.try_acquire(_now()):
                self._send_away(channel, "it sends too much")
                return
            match frame:
                case ("door", int() as round, int() as table, int() as port) if port == 0 or is_port(port):
                    host = channel.address
                    self._handler.tables.on_arrival(
                        channel.peer, TableId(round, table), (host, port) if port and is_ip(host) else None
                    )
                case ("seating", int() as round, int() as table, tuple() as answer):
                    self._handler.tables.on_seating(channel.peer, TableId(round, table), answer)
                case ("leave", int() as round, int() as table):
                    self._handler.tables.on_leave(channel.peer, TableId(round, table))
                case ("ready", int() as round, int() as table, bytes() | None as game, bytes() | None as signature):
                    self._handler.tables.on_words(channel.peer, TableId(round, table), game, signature)
                case ("withdraw",):
                    await self._handler.withdraw(channel.peer)
                case _:
                    self._send_away(channel, f"it sent an unknown frame, {clean(str(frame[0]), 40)!r}")
                    return

    def _send_away(self, channel: Channel, reason: str) -> None:
        self._refused.log(f"{fingerprint(channel.peer)} at {channel.address} is sent away: {reason}")

    async def _refuse(self, channel: Channel, reason: str) -> None:
        self._refused.log(f"{channel.address} is turned away: {reason}")
        channel.send(refusal_frame(reason))
        await channel.close()


def _now() -> float:
    return asyncio.get_running_loop().time()
