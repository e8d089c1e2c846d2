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
from kimberley.p2p.transport.relay import MOST_PASSED

log = logging.getLogger(__name__)

ENROL_BURST: Final = 64  # SPEC: players who enrol from one address at once
"""Players who may enroll from one address at once."""
ENROL_SECONDS: Final = 2.0  # SPEC: enrolment
"""Time until one more may enroll."""
KNOWN_BURST: Final = 16  # SPEC: connections of a player to a referee at once
"""Connections of one player at once."""
KNOWN_SECONDS: Final = 5.0  # SPEC: connecting
"""Time until it may connect once more."""
AGAIN_FREE: Final = 64  # SPEC: events a referee repeats to a player at any time
"""Events that a player may be told again whenever it connects: the connection can be lost before it has read them."""
AGAIN_BURST: Final = 3  # SPEC: longer repetitions to a player at once
"""How often a player is told more than that again, such as everything after its program was started again."""
AGAIN_SECONDS: Final = 60.0  # SPEC: history
"""Time until it is told once more."""
MOST_PIECE: Final = 128  # SPEC: events a referee sends a player at once
"""Events that are sent at once to a player that lacks many."""
MOST_AHEAD: Final = 1 << 18
"""Bytes on their way to such a player: above this, the next piece waits."""
CATCH_UP_SECONDS: Final = 60.0  # SPEC: reading
"""Time for such a player to read everything it lacks."""
PASS_BURST: Final = 8 << 20
"""Bytes that are passed on for one player at once."""
PASS_RATE: Final = 1 << 19
"""Bytes a second after that."""
PASS_LEAST: Final = 1 << 10
"""Bytes that a small frame counts as."""
PAUSE_SECONDS: Final = 0.05
"""Time between two checks of whether it has read."""
FRAME_BURST: Final = 50  # SPEC: frames a referee takes from a player at once
"""Frames of one player at once."""
FRAME_SECONDS: Final = 0.2  # SPEC: saying
"""Time until it may send one more."""
MOST_STRANGERS: Final = 64  # SPEC: channels at a referee without a player
"""Channels whose peers have not enrolled yet."""

REPLACED: Final = (
    "Another program with your identity has joined, and plays for you now. "
    "A second player on this computer needs another folder: --data DIR."
)
NO_TABLE: Final = 'This is the referee of "{name}", not a table. To play: kimberley join "{name}".'


class TableHandler(Protocol):
    """What the tables of a round learn from their players."""

    def on_arrival(self, identity: bytes, place: TableId, where: HostPort | None) -> None:
        """Called when a player has come to its table, and says where it listens there."""

    def on_seating(self, identity: bytes, place: TableId, frame: Frame) -> None:
        """Handles a player's part in the round in which all at its table sit down."""

    def on_words(self, identity: bytes, place: TableId, game_id: bytes | None, signature: bytes | None) -> None:
        """Called when a player has the words of a game on the screen, or none; with its signature, they are the
        same.
        """

    def passes(self, sender: bytes, receiver: bytes) -> bool:
        """Returns whether these two sit at the same table of the round, and one of them listens nowhere."""

    async def on_shown(self, identity: bytes, place: TableId, frames: Frame) -> None:
        """Called when a player shows its game, as at its door."""

    def on_leave(self, identity: bytes, place: TableId) -> None:
        """Called when a player has left its table for good."""


class PlayerHandler(Protocol):
    """What the server does for its players."""

    @property
    def settings(self) -> TournamentSettings: ...
    @property
    def tournament(self) -> Tournament: ...
    @property
    def event_count(self) -> int:
        """How many events there are."""

    def history(self, start: int, stop: int | None = None) -> Sequence[TournamentEvent]:
        """Returns the events from number `start` on, up to `stop`."""

    async def enroll(self, identity: bytes, nickname: str, *, bot: bool) -> str | None:
        """Enrolls a player, or a bot. Returns why that is impossible, or None."""

    @property
    def tables(self) -> TableHandler: ...
    async def withdraw(self, identity: bytes, after: TableId | None = None) -> str | None:
        """Withdraws a player, once the table `after` has its result if one is named."""

    def on_presence(self, identity: bytes, here: bool) -> None:
        """Called when a player has connected or disconnected."""


class PlayerConnections:
    """One channel per player."""

    def __init__(self, server: PlayerHandler) -> None:
        self._handler = server
        self._channels: dict[bytes, Channel] = {}
        self._addresses: dict[bytes, str] = {}
        self._strangers: dict[Channel, None] = {}
        self._rates = TokenBuckets(ENROL_BURST, 1 / ENROL_SECONDS)
        self._known_rates = TokenBuckets(KNOWN_BURST, 1 / KNOWN_SECONDS)
        self._again_rates = TokenBuckets(AGAIN_BURST, 1 / AGAIN_SECONDS)
        self._told: dict[bytes, int] = {}
        """How many events each player was told on its earlier channels."""
        self._catching_up: dict[bytes, Channel] = {}
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
        """Admits a peer that has connected."""
        if channel.purpose != (ENROL,):
            self._tasks.start(self._refuse(channel, NO_TABLE.format(name=self._handler.settings.name)))
        else:
            if len(self._strangers) >= MOST_STRANGERS:
                goes = choose_eviction(self._strangers, lambda stranger: stranger.address)
                del self._strangers[goes]
                self._tasks.start(self._refuse(goes, "You took too long to join, and others were faster. Try again."))
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

    def dismiss(self, player: bytes, reason: str) -> None:
        """Ends the channel of a player, if it is connected, with a sentence for it."""
        if player in self._channels:
            self._tasks.start(self._refuse(self._channels[player], reason))

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
        try:
            if (reason := await self._enrol(channel, first)) is not None:
                await self._refuse(channel, reason)
                return
            await self._receive_all(channel)
        except ChannelClosed as error:
            log.info("lost the connection to %s at %s: %s", fingerprint(channel.peer), channel.address, error)
        if self._channels.get(channel.peer) is channel:
            del self._channels[channel.peer]
            self._told[channel.peer] = self._handler.event_count
            self._handler.on_presence(channel.peer, False)
        await channel.close()

    async def _enrol(self, channel: Channel, frame: Frame) -> str | None:
        """Admits a peer that enrolls, or is back. Returns why not, or None. Raises ChannelClosed."""
        match frame:
            case ("enrol", str() as nickname, int() as count, bool() as bot) if type(count) is int and count >= 0:
                pass
            case _:
                return "Your program does not speak the tournament protocol. Use the referee’s version of Kimberley."
        who = channel.peer
        if self._handler.tournament.player(who) is None:
            if not self._rates.try_acquire(origin(channel.address), _now()):
                return "Too many players are joining from your address at once. Try again in a few seconds."
        elif not self._known_rates.try_acquire(who.hex(), _now()):
            return "You have connected too often. Try again in a few seconds."
        again = self._told.get(who, 0) - count
        if again > AGAIN_FREE and not self._again_rates.try_acquire(who.hex(), _now()):
            return "You have asked too often for the whole history. Try again in a minute."
        if (reason := await self._handler.enroll(who, nickname_from(nickname), bot=bot)) is not None:
            return reason
        await self._catch_up(channel, count)
        if (old := self._channels.get(who)) is not None:
            # A program that is back no longer reads the old channel: only a second program hears this.
            old.send(refusal_frame(REPLACED))
            self._tasks.start(old.close())
        self._channels[who] = channel
        self._addresses[who] = channel.address
        self._handler.on_presence(who, True)
        return None

    async def _catch_up(self, channel: Channel, count: int) -> None:
        """Tells a player all events from number `count` on, in pieces, as fast as it reads. When this returns, nothing
        has happened since the last one. Raises ChannelClosed if it does not read in time, or has connected once more.
        """
        who, count = channel.peer, min(count, self._handler.event_count)
        self._catching_up[who] = channel
        channel.send(("cup", self._handler.settings.plain(), self._handler.event_count))
        try:
            async with asyncio.timeout(CATCH_UP_SECONDS):
                while self._catching_up.get(who) is channel:
                    piece = self._handler.history(count, count + MOST_PIECE)
                    for number, event in enumerate(piece, count):
                        channel.send(("event", number, events.plain(event)))
                    count += len(piece)
                    if count == self._handler.event_count:
                        return
                    while channel.unsent > MOST_AHEAD:  # noqa: ASYNC110
                        await asyncio.sleep(PAUSE_SECONDS)
                    await asyncio.sleep(0)
        except TimeoutError:
            raise ChannelClosed("it does not read what has happened") from None
        finally:
            self._told[who] = max(count, self._told.get(who, 0))
            if self._catching_up.get(who) is channel:
                del self._catching_up[who]
        raise ChannelClosed("it has connected once more")

    async def _receive_all(self, channel: Channel) -> None:
        """Handles a player's frames. A player that sends too much, or something unknown, is disconnected. Raises
        ChannelClosed.
        """
        bucket = TokenBucket(FRAME_BURST, 1 / FRAME_SECONDS, _now())
        passing = TokenBucket(PASS_BURST, PASS_RATE, _now())
        while True:
            frame = await channel.receive()
            match frame:
                case ("pass", bytes() as player, bytes() as packed):
                    self._pass_on(channel, player, packed, passing)
                    continue
            if not bucket.try_acquire(_now()):
                self._send_away(channel, "it sent too much")
                return
            match frame:
                case ("arrive", int() as round, int() as table, int() as port) if port == 0 or is_port(port):
                    host = channel.address
                    self._handler.tables.on_arrival(
                        channel.peer, TableId(round, table), (host, port) if port and is_ip(host) else None
                    )
                case ("seating", int() as round, int() as table, tuple() as answer):
                    self._handler.tables.on_seating(channel.peer, TableId(round, table), answer)
                case ("shows", int() as round, int() as table, tuple() as frames):
                    await self._handler.tables.on_shown(channel.peer, TableId(round, table), frames)
                case ("leave", int() as round, int() as table):
                    self._handler.tables.on_leave(channel.peer, TableId(round, table))
                case ("words", int() as round, int() as table, bytes() | None as game, bytes() | None as signature):
                    self._handler.tables.on_words(channel.peer, TableId(round, table), game, signature)
                case ("withdraw",):
                    await self._handler.withdraw(channel.peer)
                case ("withdraw", int() as round, int() as table):
                    await self._handler.withdraw(channel.peer, TableId(round, table))
                case _:
                    self._send_away(channel, f"it sent an unknown frame, {clean(str(frame[0]), 40)!r}")
                    return

    def _pass_on(self, channel: Channel, player: bytes, packed: bytes, bucket: TokenBucket) -> None:
        """Passes a frame on to another player, who alone can tell who signed it; says so if that is impossible."""
        other = self._channels.get(player)
        if (
            other is not None
            and other.unsent <= MOST_PASSED
            and bucket.try_acquire(_now(), max(len(packed), PASS_LEAST))
            and self._handler.tables.passes(channel.peer, player)
        ):
            other.send(("passed", channel.peer, packed))
        else:
            channel.send(("lost", player))

    def _send_away(self, channel: Channel, reason: str) -> None:
        self._refused.log(f"{self._name_of(channel)} was turned away: {reason}")

    async def _refuse(self, channel: Channel, reason: str) -> None:
        self._refused.log(f"{self._name_of(channel)} was turned away. It was told: {reason}")
        channel.send(refusal_frame(reason))
        await channel.close()

    def _name_of(self, channel: Channel) -> str:
        """Returns which program is at the other end of a channel: a player's, or one of which only the key is known."""
        tournament, who = self._handler.tournament, channel.peer
        if tournament.player(who) is not None:
            return f"{tournament.name(who)}’s program at {channel.address}"
        return f"A program at {channel.address} (key {fingerprint(who)})"


def _now() -> float:
    return asyncio.get_running_loop().time()
