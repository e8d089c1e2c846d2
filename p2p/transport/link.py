"""A link: the tie to one other seat. It outlives the connections that it uses, and may be there before the first.

What a seat signs in one game is one list. A link knows how much of it the other side has been given, and how much of
the other's list has come. After a loss, each side says how much it has, and the other goes on from there:

    ("have", count)            of the other's envelopes, in order, in this game
    ("envelope", envelope)     the next of one's own
    ("recall", count)          asks the other to show this seat's own envelopes from that number on: it claims to have
                               more than this seat, back from its journal, knows to have signed
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from p2p.channel import Channel, Lost
from p2p.dial import Unreachable
from p2p.frames import Frame
from p2p.hello import Refused, refused
from p2p.tasks import Tasks
from p2p.trouble import Trouble

log = logging.getLogger(__name__)

REDIAL_SECONDS: Final = (0.2, 0.5, 1.0, 2.0, 4.0, 8.0)
"""Between attempts to connect again."""
YIELD_SECONDS: Final = 1.0
"""How much later than the side that connected first the other one tries: two connections would cross."""

FIRST_SECONDS: Final = 20.0
"""For the other side's first frame: it may still be on its way to the game."""
HURRY_SECONDS: Final = 1.0
"""At least so long between attempts that are made out of turn: anybody on the network can give reason to."""

Dial = Callable[[], Awaitable[Channel]]
"""Connects to the same identity again. Raises Trouble while that is impossible."""


class Link:
    """The tie to one identity. `heard` gets every frame but those that the link itself is about, in order; `moved` is
    told when the connection is lost, when it is back, and when the link ends because of what the other side did. `room`
    is awaited before more is read.
    """

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
        self.identity = identity
        self.nickname = nickname
        self.local = channel is not None and channel.local
        self.address = channel.address if channel is not None else "nowhere yet"
        self.away_since: float | None = None if channel is not None else asyncio.get_running_loop().time()
        """The loop's time since when there is no connection; None while there is one."""
        self.dialled = channel is not None and redial is not None
        """Whether this side opened the connection that there is, or was."""
        self.sent_bytes = 0
        self._heard = heard
        self._moved = moved
        self._room = room
        self._redial = redial
        self._channel: Channel | None = None
        self._mine: Sequence[bytes] = ()
        self._given: int | None = 0
        self._come = 0
        self._tasks = Tasks()
        self._closing = Tasks()
        """Connections that end, which nothing else that ends may stop."""
        self._closed = False
        self._lasting = False
        self._dialing: asyncio.Task[None] | None = None
        self._yields = False
        self._disputed = False
        self._hurry = asyncio.Event()
        self._hurried = -HURRY_SECONDS
        self._beat: Callable[[], Frame] | None = None
        self._on_beat: Callable[[Link, Frame], None] | None = None
        self._on_have: Callable[[Link, int], bool] | None = None
        if channel is not None:
            self._use(channel)

    # -- one game ------------------------------------------------------------------------------------------------------

    def begin(
        self,
        mine: Sequence[bytes],
        beat: Callable[[], Frame],
        on_beat: Callable[[Link, Frame], None],
        *,
        lasting: bool = False,
        come: int = 0,
        on_have: Callable[[Link, int], bool] | None = None,
    ) -> None:
        """A new game: `mine` is the growing list of what this seat signs in it; heartbeats carry `beat()`. A `lasting`
        link does not end where the other side breaks the protocol, only its connection does.

        In a game that is taken up again `come` envelopes of the other side are known, and `on_have` is told how many
        of this seat's the other one has; False where that cannot be.
        """
        self._mine = mine
        self._lasting = lasting
        self._given = 0
        self._come = come
        self._beat, self._on_beat, self._on_have = beat, on_beat, on_have
        self._equip()

    def flush(self) -> None:
        """Sends what was signed since the last time; while the connection is lost, it waits."""
        if self._given is None or self._channel is None:
            return
        for envelope in self._mine[self._given :]:
            self.send(("envelope", envelope))
            self._given += 1

    def send(self, frame: Frame) -> None:
        """Sends something that need not survive a lost connection."""
        if self._channel is not None:
            self.sent_bytes += self._channel.send(frame)

    # -- connections ---------------------------------------------------------------------------------------------------

    @property
    def up(self) -> bool:
        """Whether there is a connection now."""
        return self._channel is not None

    @property
    def sent_all(self) -> bool:
        """Whether the other side was sent all that this seat has signed, on the connection that there is."""
        return self.up and self._given is not None and self._given >= len(self._mine)

    @property
    def direct(self) -> bool:
        """Whether there is a connection now that no other seat stands in."""
        return self._channel is not None and not self._channel.relayed

    @property
    def unsent(self) -> int:
        """Bytes that wait to be sent."""
        return self._channel.unsent if self._channel is not None else 0

    def connect(self, *, yields: bool = False) -> None:
        """Begins to connect to a seat that this one has not been connected to yet. Who `yields` tries a little later
        than the other side, from the second time on.
        """
        self._yields = yields
        if self._redial is not None and not self.up:
            self._dial(self._redial, at_once=True)

    def offer(self, redial: Dial) -> None:
        """A way to connect again for the side that did not connect at first: it lets the other one try before."""
        if self._redial is None:
            self._redial, self._yields = redial, True

    def hurry(self) -> None:
        """The other side may be where it was not before: the next attempt is made at once, but not all the time."""
        now = asyncio.get_running_loop().time()
        if now - self._hurried < HURRY_SECONDS:
            return
        self._hurried = now
        self._hurry.set()
        if self._redial is not None and not self.up and not self._closed and self._idle:
            self._dial(self._redial, at_once=True)

    @property
    def _idle(self) -> bool:
        return self._dialing is None or self._dialing.done()

    def lose(self) -> None:
        """The other side is gone and said so; should it come back, it connects."""
        channel, self._channel = self._channel, None
        self._tasks.cancel()
        if channel is not None:
            self._closing.start(channel.close())
        if self.away_since is None:
            self.away_since = asyncio.get_running_loop().time()
        self._moved(self)

    def attach(self, channel: Channel, *, dialled: bool = False) -> None:
        """The same identity has connected again; or this side has."""
        self.dialled, self._disputed = dialled, False
        self._use(channel)
        self._given = None
        self.send(("have", self._come))
        self._moved(self)

    def drop(self, reason: str) -> None:
        """The other side does what no peer does: ends the link, with a log line."""
        log.warning("%s at %s dropped: %s", self.nickname, self.address, reason)
        if self._lasting and not self._closed:
            self.lose()
            if self._redial is not None:
                self._dial(self._redial)
            return
        was_closed, self._closed = self._closed, True
        self._tasks.start(self.close())
        if not was_closed:
            self._moved(self)

    def leave(self, *last: Frame) -> asyncio.Task[None]:
        """Starts to close; what is returned ends with it."""
        self._closed = True
        return self._tasks.start(self.close(*last))

    @property
    def closed(self) -> bool:
        """Whether the link has ended for good."""
        return self._closed

    async def close(self, *last: Frame) -> None:
        """Says these frames, and ends the link for good."""
        self._closed = True
        for frame in last:
            self.send(frame)
        channel, self._channel = self._channel, None
        self._tasks.cancel()
        if self._dialing is not None and not self._dialing.done():
            # A connection that is half made is given up before anything else ends.
            await asyncio.wait([self._dialing])
        if channel is not None:
            await channel.close()
        await self._closing.settle()

    def _dial(self, redial: Dial, *, at_once: bool = False) -> None:
        self._dialing = self._tasks.start(self._return(redial, at_once=at_once))

    def _use(self, channel: Channel) -> None:
        old, self._channel = self._channel, channel
        self.address = channel.address
        self.away_since = None
        self._equip()
        self._tasks.start(self._read(channel))
        if old is not None:
            self._closing.start(old.close())

    def _equip(self) -> None:
        if self._channel is not None:
            self._channel.beat = self._beat
            self._channel.on_beat = lambda extra: self._on_beat(self, extra) if self._on_beat is not None else None

    async def _read(self, channel: Channel) -> None:
        reason = ""
        try:
            while channel is self._channel:
                frame = await channel.receive()
                # What comes on a connection that was replaced comes again on the new one.
                if channel is self._channel:
                    self._take(frame)
                    await self._room()
        except Lost as error:
            reason = str(error)
        except Exception:
            # Nothing more is read on it; a new connection goes on from what has come.
            log.exception("what %s says cannot be taken", self.nickname)
            reason = "a fault of this program"
            self._closing.start(channel.close())
        if channel is not self._channel or self._closed:
            return
        log.info("the connection to %s at %s is lost: %s", self.nickname, self.address, reason)
        self._channel = None
        self.away_since = asyncio.get_running_loop().time()
        self._moved(self)
        if self._redial is not None and not self._closed:
            self._dial(self._redial)

    def _take(self, frame: Frame) -> None:
        match frame:
            case ("have", int() as count) if (
                self._given is None and type(count) is int and count >= 0 and self._fits(count)
            ):
                if count <= len(self._mine):
                    self._given = count
                    self.flush()
                else:
                    self._disputed = True
            case ("have", *_):
                self.drop("it claims to have envelopes that were never sent")
            case ("envelope", bytes()) if self._disputed:
                pass  # It comes again with the next connection.
            case ("envelope", bytes()):
                self._come += 1
                self._heard(self, frame)
            case _:
                self._heard(self, frame)

    def _fits(self, count: int) -> bool:
        """Whether the other side can have so many of this seat's envelopes."""
        return self._on_have(self, count) if self._on_have is not None else count <= len(self._mine)

    async def _return(self, redial: Dial, *, at_once: bool = False) -> None:
        """Connects again, however long it takes."""
        attempt = 0
        while not self._closed and self._channel is None:
            # Not at the same time as everybody else who lost the same network.
            delay = REDIAL_SECONDS[min(attempt, len(REDIAL_SECONDS) - 1)] + YIELD_SECONDS * self._yields
            if not at_once or attempt:
                await self._pause(delay * random.uniform(0.75, 1.25))
            attempt += 1
            if self._channel is not None:
                return
            try:
                channel = await redial()
                first = await _first_frame(channel)
            except Trouble as error:
                log.info("%s is not back yet: %s", self.nickname, error)
            except Exception:
                log.exception("%s cannot be reached", self.nickname)
            else:
                self.attach(channel, dialled=True)
                self._take(first)

    async def _pause(self, seconds: float) -> None:
        """Waits for the next attempt, or until there is a reason to hurry."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._hurry.wait()
        self._hurry.clear()


async def _first_frame(channel: Channel) -> Frame:
    """What the other side says first: it may sit at another table by now. Raises Unreachable, Refused."""
    try:
        async with asyncio.timeout(FIRST_SECONDS):
            first = await channel.receive()
    except (TimeoutError, Lost) as error:
        await channel.close()
        raise Unreachable(f"{channel.address} took the connection, and does not go on: {error}.") from error
    except asyncio.CancelledError:
        await channel.close()
        raise
    if (reason := refused(first)) is not None:
        await channel.close()
        raise Refused(reason)
    return first
