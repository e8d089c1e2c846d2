"""Channels: frames to and from one known peer, over TLS or within the process.

Both kinds have one interface, so a table does not know whether its peer is on another machine. `transport.dial` and
`transport.listener` open TLS channels; `memory_pair` makes two ends within the process.

`FrameProtocol` does its own buffering instead of reading from asyncio's StreamReader. The limit of a StreamReader is
fixed when it is made, and ours grows after the handshake; a `receive` that is canceled between the length and the body
of a frame would lose the length; and it would take as much code and read frames of 1 MB half as fast.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from kimberley.p2p.base.rate_limited_log import RateLimitedRecords
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.transport.frames import MOST_FRAME, MOST_HELLO, BadFrame, Frame, FrameDecoder, encode
from kimberley.protocol.encoding import unpack

# It logs each frame that is written to a broken connection before its loss is known: others can cause that.
logging.getLogger("asyncio").addFilter(RateLimitedRecords())

BEAT: Final[Frame] = ("beat",)
"""The frame that only says that the sender is alive: the heartbeat where there is nothing else to say."""

MOST_UNSENT: Final = 8 * MOST_FRAME  # SPEC: bytes unsent on a connection
"""Bytes that wait to be sent. Above this the other side counts as lost."""
MOST_AT_ONCE: Final = 32
"""Frames received before other tasks get their turn."""


class ChannelClosed(Exception):
    """The channel is closed, by either side; the message says why."""


@dataclass(frozen=True, slots=True)
class ChannelTiming:
    """Times in seconds.

    `beat`: the time without sending after which a heartbeat follows. `idle`: the time without receiving after which the
    peer counts as lost. `bye`: the longest time for a polite end.
    """

    beat: float = 2.0  # SPEC: heartbeat
    idle: float = 10.0  # SPEC: silence
    bye: float = 1.0  # SPEC: end


class Channel(ABC):
    """Frames to and from one peer. They arrive whole, once and in order, or the channel is lost."""

    peer: bytes
    """The peer's identity key, proven in the handshake."""
    address: str
    """Where the peer is, as text for people."""
    purpose: Frame
    """The purpose of the channel."""
    local: bool
    """Whether the peer sits in this process."""
    relayed: bool = False
    """Whether another seat relays the frames."""
    heartbeat: Callable[[], Frame] | None = None
    """Returns this side's heartbeat; None for `BEAT`."""

    @abstractmethod
    def send(self, frame: Frame) -> int:
        """Queues a frame. A lost channel drops it; `receive` reports the loss. Returns the frame's bytes on the wire.

        Raises BadFrame if it is too large.
        """

    @property
    def unsent(self) -> int:
        """Queued bytes that the network has not accepted yet."""
        return 0

    @abstractmethod
    async def receive(self) -> Frame:
        """Returns the next frame that is not `BEAT`. Raises ChannelClosed."""

    @abstractmethod
    async def close(self) -> None:
        """Ends the channel once everything queued is sent. Never raises; may be called again."""


class FrameProtocol(asyncio.Protocol):
    """Frames over one transport, before and after the handshake."""

    def __init__(self, times: ChannelTiming) -> None:
        self.frames = FrameDecoder(MOST_HELLO)
        self.beats = False
        """Whether `BEAT` is skipped. Before that, it is a frame like any other."""
        self.heartbeat: Callable[[], Frame] | None = None
        self._times = times
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._lost: str | None = None
        self._readable = asyncio.Event()
        self._closed = self._loop.create_future()
        self._timer: asyncio.TimerHandle | None = None
        self._sent_at = self._received_at = self._loop.time()
        self._paused = False
        self._received = 0

    # -- called by asyncio ---------------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._received_at = self._loop.time()

    def data_received(self, data: bytes) -> None:
        self._received_at = self._loop.time()
        self.frames.feed(data)
        self._readable.set()
        # Stop reading from a fast sender, so that memory stays bounded.
        if len(self.frames) > 2 * self.frames.limit and not self._paused and self._transport is not None:
            self._paused = True
            self._transport.pause_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        self._set_lost(f"the connection broke ({exc})" if exc else "the other side closed the connection")
        if not self._closed.done():
            self._closed.set_result(None)
        # Neither the TLS buffers, 256 KiB, nor unread bytes may wait for the garbage collector: nothing in a channel
        # that is gone refers back to it.
        self._transport = self.heartbeat = None

    # -- called by users of the class ----------------------------------------------------------------------------------

    @property
    def transport(self) -> asyncio.Transport:
        assert self._transport is not None, "not connected yet"
        return self._transport

    def send(self, frame: Frame) -> int:
        data = encode(frame)
        if self._lost is not None or self._transport is None:
            return 0
        self._sent_at = self._loop.time()
        self._transport.write(data)
        if self.unsent > MOST_UNSENT:
            self.abort("the other side is not receiving")
        return len(data)

    @property
    def unsent(self) -> int:
        return 0 if self._transport is None else self._transport.get_write_buffer_size()

    async def receive(self) -> Frame:
        """Returns the next frame; no `BEAT` once those are skipped. Raises ChannelClosed, but only after all that
        arrived before.
        """
        while True:
            self._received += 1
            if self._received % MOST_AT_ONCE == 0:
                # A sender of many small frames must not block the loop for others.
                await asyncio.sleep(0)
            try:
                frame = self.frames.next()
            except BadFrame as error:
                self.abort(f"the other side does not speak Kimberley’s protocol ({error})")
                raise ChannelClosed(self._lost) from error
            self._resume()
            if frame is None:
                if self._lost is not None:
                    raise ChannelClosed(self._lost)
                self._readable.clear()
                await self._readable.wait()
            elif frame != BEAT or not self.beats:
                return frame

    def start_heartbeats(self) -> None:
        """Starts to send heartbeats. From now on the connection is lost if the other side falls silent."""
        self.frames.limit, self.beats = MOST_FRAME, True
        self._received_at = self._loop.time()
        self._check_alive(self._loop.time())

    def abort(self, reason: str) -> None:
        """Ends the connection at once."""
        self._set_lost(reason)
        self._abort_transport()

    async def close(self) -> None:
        """Ends the connection once everything queued is sent, or after `ChannelTiming.bye`."""
        self._set_lost("this side closed the connection")
        if self._transport is None:
            return
        if not self._transport.is_closing():
            self._transport.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._times.bye):
                await asyncio.shield(self._closed)
        self._abort_transport()

    def _abort_transport(self) -> None:
        # Closed twice, a TLS transport forgets its connection. Up to Python 3.11.2, abort raises AttributeError then.
        if self._transport is not None and not self._closed.done():
            self._transport.abort()

    def _set_lost(self, reason: str) -> None:
        if self._lost is None:
            self._lost = reason
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._readable.set()

    def _resume(self) -> None:
        if self._paused and len(self.frames) <= 2 * self.frames.limit and self._transport is not None:
            self._paused = False
            self._transport.resume_reading()

    def _check_alive(self, due: float) -> None:
        """Runs every half beat; `due` is when it should have run."""
        now = self._loop.time()
        if now - due > self._times.beat:
            # This process was asleep: it has not read yet what the peer sent meanwhile.
            self._received_at = now
        if now - self._received_at > self._times.idle and not self._paused:
            self.abort(f"no answer for {self._times.idle:.0f} seconds")
            return
        if now - self._sent_at >= self._times.beat:
            self.send(self.heartbeat() if self.heartbeat is not None else BEAT)
        if self._lost is None:
            again = now + self._times.beat / 2
            self._timer = self._loop.call_at(again, self._check_alive, again)


class TLSChannel(Channel):
    """A channel over a connection whose other side has proven its identity."""

    local = False

    def __init__(self, wire: FrameProtocol, peer: bytes, address: str, purpose: Frame) -> None:
        self.protocol = wire
        self.peer = peer
        self.address = address
        self.purpose = purpose
        wire.heartbeat = lambda: self.heartbeat() if self.heartbeat is not None else BEAT
        wire.start_heartbeats()

    def send(self, frame: Frame) -> int:
        return self.protocol.send(frame)

    @property
    def unsent(self) -> int:
        return self.protocol.unsent

    async def receive(self) -> Frame:
        return await self.protocol.receive()

    async def close(self) -> None:
        await self.protocol.close()


class MemoryChannel(Channel):
    """One end of a channel within the process. Frames are packed and unpacked as on a network."""

    address = "this program"
    local = True

    def __init__(self, peer: bytes, purpose: Frame) -> None:
        self.peer = peer
        self.purpose = purpose
        self._other: MemoryChannel = self
        self._arrived: deque[bytes] = deque()
        self._news = asyncio.Event()
        self._closed = False

    def join(self, other: MemoryChannel) -> None:
        """Makes these two the ends of one channel."""
        self._other, other._other = other, self

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
                raise ChannelClosed("the other side closed the connection")
            self._news.clear()
            await self._news.wait()
        frame = unpack(self._arrived.popleft())
        assert isinstance(frame, tuple)
        return frame

    async def close(self) -> None:
        for end in (self, self._other):
            end._closed = True
            end._news.set()


def memory_pair(host: Identity, joiner: Identity, purpose: Frame) -> tuple[MemoryChannel, MemoryChannel]:
    """Returns two ends of one channel: the host's, whose peer is the joiner, and the joiner's."""
    ends = MemoryChannel(joiner.public, purpose), MemoryChannel(host.public, purpose)
    ends[0].join(ends[1])
    return ends
