"""Channels: frames to and from one known peer, over TLS or within the process.

Both kinds have one interface, so a table does not know whether its peer sits on another machine. `p2p.dial` and
`p2p.door` open TLS channels; `pair` makes two ends within the process.
"""

from __future__ import annotations

import asyncio
import contextlib
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from p2p.frames import MOST_FRAME, MOST_HELLO, BadFrame, Frame, Frames, encode
from p2p.identity import Identity
from protocol.encoding import unpack

BEAT: Final = "beat"
"""Kind of the frames that only say that the sender is alive; what else they carry is given to `on_beat`."""

MOST_UNSENT: Final = 8 * MOST_FRAME
"""Bytes given to send and not yet taken by the network, from which on the other side counts as lost."""
MOST_AT_ONCE: Final = 32
"""Frames that are taken before others have their turn."""


class Lost(Exception):
    """The channel is closed, by whichever side; the message says why."""


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds. `beat`: after this long without sending a heartbeat is sent. `idle`: after this long without hearing
    anything the peer counts as lost. `bye`: how long a polite end may take.
    """

    beat: float = 2.0
    idle: float = 10.0
    bye: float = 1.0


class Channel(ABC):
    """Frames to and from one peer. Frames arrive whole, once, in order, or the channel is lost."""

    peer: bytes
    """The peer's identity key, proven by the hello."""
    address: str
    """Where the peer is, for a person to read."""
    purpose: Frame
    """What the channel was opened for."""
    local: bool
    """Whether the peer sits in this process."""
    relayed: bool = False
    """Whether another seat passes the frames on."""
    on_beat: Callable[[Frame], None] | None = None
    """Is given what heartbeats carry."""
    beat: Callable[[], Frame] | None = None
    """Says what own heartbeats carry."""

    @abstractmethod
    def send(self, frame: Frame) -> int:
        """Queues a frame, which a lost channel forgets: `receive` reports the loss. Returns its bytes on the wire.

        Raises BadFrame if it is too large.
        """

    @property
    def unsent(self) -> int:
        """Bytes that were given to send and that the network has not taken yet."""
        return 0

    @abstractmethod
    async def receive(self) -> Frame:
        """The next frame. Raises Lost."""

    @abstractmethod
    async def close(self) -> None:
        """Ends the channel after what was queued is sent. Never raises; may be called again."""


class Wire(asyncio.Protocol):
    """Frames over one transport, before and after the hello."""

    def __init__(self, times: Times) -> None:
        self.frames = Frames(MOST_HELLO)
        self.on_beat: Callable[[Frame], None] | None = None
        self.beat: Callable[[], Frame] | None = None
        self._times = times
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._lost: str | None = None
        self._news = asyncio.Event()
        self._gone = self._loop.create_future()
        self._timer: asyncio.TimerHandle | None = None
        self._sent = self._heard = self._loop.time()
        self._paused = False
        self._taken = 0

    # -- called by asyncio ---------------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._heard = self._loop.time()

    def data_received(self, data: bytes) -> None:
        self._heard = self._loop.time()
        self.frames.feed(data)
        self._news.set()
        # Who is not read fast enough waits, so that memory stays bounded.
        if len(self.frames) > 2 * self.frames.limit and not self._paused and self._transport is not None:
            self._paused = True
            self._transport.pause_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        self._lose(f"the connection broke ({exc})" if exc else "the other side closed the connection")
        if not self._gone.done():
            self._gone.set_result(None)

    # -- called by those who use it ------------------------------------------------------------------------------------

    @property
    def transport(self) -> asyncio.Transport:
        assert self._transport is not None, "not connected yet"
        return self._transport

    def send(self, frame: Frame) -> int:
        data = encode(frame)
        if self._lost is not None or self._transport is None:
            return 0
        self._sent = self._loop.time()
        self._transport.write(data)
        if self.unsent > MOST_UNSENT:
            self.abort("the other side does not read what it is sent")
        return len(data)

    @property
    def unsent(self) -> int:
        return 0 if self._transport is None else self._transport.get_write_buffer_size()

    async def receive(self) -> Frame:
        """The next frame that is not a heartbeat. Raises Lost, after all that arrived before the loss was read."""
        while True:
            self._taken += 1
            if self._taken % MOST_AT_ONCE == 0:
                # Who sends many small frames must not keep everybody else from the loop.
                await asyncio.sleep(0)
            try:
                frame = self.frames.next()
            except BadFrame as error:
                self.abort(f"the other side sent {error}")
                raise Lost(self._lost) from error
            self._resume()
            if frame is None:
                if self._lost is not None:
                    raise Lost(self._lost)
                self._news.clear()
                await self._news.wait()
            elif frame[0] != BEAT:
                return frame
            elif self.on_beat is not None:
                self.on_beat(frame[1:])

    def start_beating(self) -> None:
        """From now on the connection is kept alive, and lost when the other side falls silent."""
        self.frames.limit = MOST_FRAME
        self._heard = self._loop.time()
        self._watch(self._loop.time())

    def abort(self, reason: str) -> None:
        """Ends the connection at once."""
        self._lose(reason)
        if self._transport is not None:
            self._transport.abort()

    async def close(self) -> None:
        """Ends the connection after what was queued is sent, or after a while anyway."""
        self._lose("this side closed the connection")
        if self._transport is None:
            return
        self._transport.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._times.bye):
                await asyncio.shield(self._gone)
        self._transport.abort()

    def _lose(self, reason: str) -> None:
        if self._lost is None:
            self._lost = reason
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._news.set()

    def _resume(self) -> None:
        if self._paused and len(self.frames) <= 2 * self.frames.limit and self._transport is not None:
            self._paused = False
            self._transport.resume_reading()

    def _watch(self, due: float) -> None:
        """Runs every half beat; `due` is when it should have run."""
        now = self._loop.time()
        if now - due > self._times.beat:
            # This process slept: what the peer sent meanwhile has not been read yet.
            self._heard = now
        if now - self._heard > self._times.idle and not self._paused:
            self.abort(f"nothing was heard for {self._times.idle:.0f} seconds")
            return
        if now - self._sent >= self._times.beat:
            self.send((BEAT, *(self.beat() if self.beat is not None else ())))
        if self._lost is None:
            again = now + self._times.beat / 2
            self._timer = self._loop.call_at(again, self._watch, again)


class TLSChannel(Channel):
    """A channel over a wire whose other side has proven who it is."""

    local = False

    def __init__(self, wire: Wire, peer: bytes, address: str, purpose: Frame) -> None:
        self._wire = wire
        self.peer = peer
        self.address = address
        self.purpose = purpose
        wire.on_beat = lambda extra: self.on_beat(extra) if self.on_beat is not None else None
        wire.beat = lambda: self.beat() if self.beat is not None else ()
        wire.start_beating()

    def send(self, frame: Frame) -> int:
        return self._wire.send(frame)

    @property
    def unsent(self) -> int:
        return self._wire.unsent

    async def receive(self) -> Frame:
        return await self._wire.receive()

    async def close(self) -> None:
        await self._wire.close()


class MemoryChannel(Channel):
    """One end of a channel within the process. Frames are packed and unpacked as on a wire."""

    address = "this program"
    local = True

    def __init__(self, peer: bytes, purpose: Frame) -> None:
        self.peer = peer
        self.purpose = purpose
        self._other: MemoryChannel = self
        self._arrived: deque[bytes] = deque()
        self._news = asyncio.Event()
        self._closed = False

    def send(self, frame: Frame) -> int:
        data = encode(frame)
        if self._closed:
            return 0
        self._other._arrived.append(data[4:])
        self._other._news.set()
        return len(data)

    async def receive(self) -> Frame:
        while not self._arrived:
            if self._closed:
                raise Lost("the other side closed the connection")
            self._news.clear()
            await self._news.wait()
        frame = unpack(self._arrived.popleft())
        assert isinstance(frame, tuple)
        return frame

    async def close(self) -> None:
        for end in (self, self._other):
            end._closed = True
            end._news.set()


def pair(host: Identity, joiner: Identity, purpose: Frame) -> tuple[MemoryChannel, MemoryChannel]:
    """Two ends of one channel: the host's, whose peer is the joiner, and the joiner's."""
    ends = MemoryChannel(joiner.public, purpose), MemoryChannel(host.public, purpose)
    ends[0]._other, ends[1]._other = ends[1], ends[0]
    return ends
