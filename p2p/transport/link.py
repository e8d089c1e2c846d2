"""A link to one other seat. It outlives its connections, and may exist before the first one (SPEC.md, section 10)."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from kimberley.p2p.base.backoff import Backoff
from kimberley.p2p.base.errors import UserError, reason_of
from kimberley.p2p.base.tasks import BackgroundTasks, report_error
from kimberley.p2p.transport.channel import Channel, ChannelClosed
from kimberley.p2p.transport.dial import Unreachable
from kimberley.p2p.transport.frames import Frame
from kimberley.p2p.transport.handshake import ConnectionRejected, refusal_frame, refusal_reason

log = logging.getLogger(__name__)

REDIAL_SECONDS: Final = (0.2, 0.5, 1.0, 2.0, 4.0, 8.0)  # SPEC: again
"""Seconds between attempts to reconnect."""
YIELD_SECONDS: Final = 1.0  # SPEC: yielding
"""The extra delay of the side that did not connect first, so that two connections do not cross."""

FIRST_SECONDS: Final = 20.0  # SPEC: first frame
"""Seconds to wait for the other side's first frame: the other side may not have reached the game yet."""
HURRY_SECONDS: Final = 1.0
"""The shortest time between early retries, because anybody on the network can cause them."""

Dial = Callable[[], Awaitable[Channel]]
"""Connects to the same identity again. Raises UserError while it cannot."""


class Link:
    """The link to one identity, over any number of connections."""

    def __init__(
        self,
        identity: bytes,
        nickname: str,
        heard: Callable[[Link, Frame], None],
        moved: Callable[[Link], None],
        room: Callable[[], Awaitable[None]],
        *,
        channel: Channel | None = None,
        redial: Dial | None = None,
    ) -> None:
        """Starts to read if there is a channel.

        Args:
            identity: The other side's identity.
            nickname: The other side's name, for people.
            heard: Called with every frame, in order.
            moved: Called when the connection is lost or back, or the other side is refused.
            room: Awaited before more is read.
            channel: The connection, if there is one.
            redial: How to reconnect, if this side can.

        """
        self.identity = identity
        self.nickname = nickname
        self.local = channel is not None and channel.local
        self.address = channel.address if channel is not None else "nowhere yet"
        self.away_since: float | None = None if channel is not None else asyncio.get_running_loop().time()
        """The loop's time when the connection was lost; None while there is one."""
        self.has_come = channel is not None
        """Whether there has ever been a connection since this link was made."""
        self.dialed = channel is not None and redial is not None
        """Whether this side opened the current or latest connection."""
        self.refused = False
        """Whether the other side has refused to reconnect since the connection was lost."""
        self.sent_bytes = 0
        self.on_frame = heard
        self._on_change = moved
        self._wait_for_room = room
        self._redial = redial
        self.channel: Channel | None = None
        self._tasks = BackgroundTasks()
        self._closing = BackgroundTasks()
        """Connections that are closing. Nothing cancels these."""
        self._closed = False
        self._dialing: asyncio.Task[None] | None = None
        self._yields = False
        self._retry = asyncio.Event()
        self._retried_at = -HURRY_SECONDS
        self._have: Callable[[], Frame] | None = None
        if channel is not None:
            self._use(channel)

    # -- one game ------------------------------------------------------------------------------------------------------

    def begin_game(self, have: Callable[[], Frame] | None) -> None:
        """Begins a new game: `have` returns the first frame of each later connection, and the heartbeat. None if there
        is no game now.
        """
        self._have = have
        self._set_heartbeat()

    def send(self, frame: Frame) -> None:
        """Sends a frame that need not survive a lost connection."""
        if self.channel is not None:
            self.sent_bytes += self.channel.send(frame)

    # -- connections ---------------------------------------------------------------------------------------------------

    @property
    def connected(self) -> bool:
        """Whether there is a connection now."""
        return self.channel is not None

    @property
    def direct(self) -> bool:
        """Whether there is a connection now that no other seat relays."""
        return self.channel is not None and not self.channel.relayed

    @property
    def unsent(self) -> int:
        """Bytes that wait to be sent."""
        return self.channel.unsent if self.channel is not None else 0

    def connect(self, *, yields: bool = False) -> None:
        """Starts to connect to a seat for the first time. With `yields`, retries come a little later than the other
        side's.
        """
        self._yields = yields
        if self._redial is not None and not self.connected:
            self._dial(self._redial, at_once=True)

    def set_redial(self, redial: Dial) -> None:
        """Sets how to reconnect, on the side that did not connect first. That side lets the other side try first."""
        if self._redial is None:
            self._redial, self._yields = redial, True

    def retry_now(self) -> None:
        """Retries at once, at most every `HURRY_SECONDS`: the other side may have moved."""
        now = asyncio.get_running_loop().time()
        if now - self._retried_at < HURRY_SECONDS:
            return
        self._retried_at = now
        self._retry.set()
        if self._redial is not None and not self.connected and not self._closed and self._idle:
            self._dial(self._redial, at_once=True)

    @property
    def _idle(self) -> bool:
        return self._dialing is None or self._dialing.done()

    def mark_lost(self) -> None:
        """Marks the link as lost after the other side's goodbye. If the other side comes back, it connects itself."""
        channel, self.channel = self.channel, None
        self._tasks.cancel()
        if channel is not None:
            self._closing.start(channel.close())
        if self.away_since is None:
            self.away_since = asyncio.get_running_loop().time()
        self._on_change(self)

    def attach(self, channel: Channel, *, dialled: bool = False) -> None:
        """Replaces the connection after the same identity, or this side, has connected again."""
        self.dialed = dialled
        self._use(channel)
        if self._have is not None:
            self.send(self._have())
        self._on_change(self)

    def drop(self, reason: str) -> None:
        """Ends the connection, with a log line, because the other side breaks the protocol in a game. It may come back:
        its program may have a fault, and nobody cheats by that.
        """
        log.warning("%s at %s dropped: %s", self.nickname, self.address, reason)
        if self._closed:
            return
        self.mark_lost()
        if self._redial is not None and not self._closed:
            self._dial(self._redial)

    def refuse(self, reason: str) -> None:
        """Ends the link, and tells the other side why. `reason` is a sentence for its player."""
        if self._closed:
            return
        log.warning("%s at %s refused: %s", self.nickname, self.address, reason)
        self.start_closing(refusal_frame(reason))
        self._on_change(self)

    def start_closing(self, *last: Frame) -> None:
        """Starts to close the link."""
        self._closed = True
        self._tasks.start(self.close(*last))

    async def wait_closed(self) -> None:
        """Waits until the link has ended."""
        await self._tasks.wait()

    @property
    def closed(self) -> bool:
        """Whether the link has ended for good."""
        return self._closed

    async def close(self, *last: Frame) -> None:
        """Sends these last frames and ends the link for good."""
        self._closed = True
        for frame in last:
            self.send(frame)
        channel, self.channel = self.channel, None
        self._tasks.cancel()
        if self._dialing is not None and not self._dialing.done():
            # First give up a connection that is half open.
            await asyncio.wait([self._dialing])
        if channel is not None:
            await channel.close()
        await self._closing.wait()

    def _dial(self, redial: Dial, *, at_once: bool = False) -> None:
        self._dialing = self._tasks.start(self._reconnect(redial, at_once=at_once))

    def _use(self, channel: Channel) -> None:
        old, self.channel = self.channel, channel
        self.address = channel.address
        self.away_since, self.has_come, self.refused = None, True, False
        self._set_heartbeat()
        self._tasks.start(self._read(channel))
        if old is not None:
            self._closing.start(old.close())

    def _set_heartbeat(self) -> None:
        if self.channel is not None:
            self.channel.heartbeat = self._have

    async def _read(self, channel: Channel) -> None:
        reason = ""
        try:
            while channel is self.channel:
                frame = await channel.receive()
                # The new connection carries the frames of a replaced one again.
                if channel is self.channel:
                    self.on_frame(self, frame)
                    await self._wait_for_room()
        except ChannelClosed as error:
            reason = str(error)
        except Exception as error:
            # Stop reading from it; a new connection continues where this one stopped.
            report_error(f"a frame of {self.nickname} could not be handled", error)
            reason = "a fault of this program"
            self._closing.start(channel.close())
        if channel is not self.channel or self._closed:
            return
        log.info("lost the connection to %s at %s: %s", self.nickname, self.address, reason)
        self.channel = None
        self.away_since = asyncio.get_running_loop().time()
        self._on_change(self)
        if self._redial is not None and not self._closed:
            self._dial(self._redial)

    async def _reconnect(self, redial: Dial, *, at_once: bool = False) -> None:
        """Tries to reconnect until it succeeds."""
        backoff = Backoff([seconds + YIELD_SECONDS * self._yields for seconds in REDIAL_SECONDS])
        while not self._closed and self.channel is None:
            seconds = backoff.next()
            if not at_once or backoff.failures > 1:
                await self._pause(seconds)
            if self.channel is not None:
                return
            try:
                channel = await redial()
                first = await _first_frame(channel)
            except UserError as error:
                log.info("%s is not back yet: %s", self.nickname, error)
                if isinstance(error, ConnectionRejected) and not self.refused:
                    self.refused = True
                    self._on_change(self)
            except Exception as error:
                report_error(f"{self.nickname} cannot be reached", error)
            else:
                self.attach(channel, dialled=True)
                self.on_frame(self, first)

    async def _pause(self, seconds: float) -> None:
        """Waits for the next attempt, or for a reason to retry at once."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._retry.wait()
        self._retry.clear()


async def _first_frame(channel: Channel) -> Frame:
    """Returns the other side's first frame: it may be at another table by now. Raises Unreachable,
    ConnectionRejected.
    """
    try:
        async with asyncio.timeout(FIRST_SECONDS):
            first = await channel.receive()
    except (TimeoutError, ChannelClosed) as error:
        await channel.close()
        raise Unreachable(
            f"{channel.address} accepted the connection, then went silent: {reason_of(error)}."
        ) from error
    except asyncio.CancelledError:
        await channel.close()
        raise
    if (reason := refusal_reason(first)) is not None:
        await channel.close()
        raise ConnectionRejected(reason)
    return first
