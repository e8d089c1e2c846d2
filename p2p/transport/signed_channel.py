"""Signed channels: each frame is signed, because what carries it proves nothing (SPEC.md, section 10.1).

First come the four frames of the handshake (`transport.handshake`), with NO_CERTIFICATE in place of the certificate's
hash; from then on ("signed", n, bytes, signature), n counting from 0 in each direction. The bytes are the packing of a
frame. The signature, with the purpose "frame", is over the packing of (session, n, bytes), where session is the digest
of m1 and m2. So nobody has to trust whoever carries the frames: they can be withheld, or the channel ended, but they
can be neither changed nor repeated.
"""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import Callable
from typing import Final

from kimberley.p2p.base.platform import uninterrupted, while_busy
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.transport.channel import (
    BEAT,
    MOST_AT_ONCE,
    MOST_UNSENT,
    Channel,
    ChannelClosed,
    ChannelTiming,
)
from kimberley.p2p.transport.frames import Frame, are_integers
from kimberley.p2p.transport.handshake import HELLO_SECONDS, HostHandshake, JoinerHandshake
from kimberley.protocol.crypto import signatures
from kimberley.protocol.crypto.hashing import digest
from kimberley.protocol.encoding import Malformed, pack, unpack

NO_CERTIFICATE: Final = bytes(32)
"""Replaces the certificate's hash in the handshake."""


class SignedChannel(Channel):
    """A channel to `peer` over something that carries bytes. Frames wait until the handshake is done."""

    local = False

    def __init__(self, identity: Identity, address: str, times: ChannelTiming) -> None:
        self.peer = b""
        self.address = address
        self.purpose = ()
        self._identity = identity
        self._times = times
        self._loop = asyncio.get_running_loop()
        self._session = b""
        self._sent = 0
        self._received = 0
        self._waiting = 0
        self._taken = 0
        self._arrived: asyncio.Queue[tuple[Frame, int] | None] = asyncio.Queue()
        self._lost: str | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._received_at = self._beat_at = self._loop.time()
        self._stop_beating: Callable[[], None] = lambda: None

    # -- what carries the frames ---------------------------------------------------------------------------------------

    @abstractmethod
    def _carry(self, packed: bytes) -> int:
        """Sends a packed frame. Returns how many bytes count as sent over this channel. Raises BadFrame."""

    @abstractmethod
    def _check_peer(self, peer: bytes) -> None:
        """Raises ConnectionRejected if this identity is not the one that the channel is for."""

    @abstractmethod
    def _on_lost(self) -> None:
        """Called once, when the channel is lost."""

    # -- the hello -----------------------------------------------------------------------------------------------------

    async def join(self, purpose: Frame) -> None:
        """Does the joiner's side of the handshake. Raises ConnectionRejected, ChannelClosed, TimeoutError."""
        joiner = JoinerHandshake(self._identity, purpose, NO_CERTIFICATE)
        m1 = joiner.hello()
        async with asyncio.timeout(HELLO_SECONDS):
            self._send_unsigned(m1)
            m2 = await self._next()
            self._send_unsigned(joiner.on_hello(m2))
            joiner.on_proof(await self._next())
        self._check_peer(joiner.peer)
        self._begin(joiner.peer, m1, m2, purpose)

    async def _welcome(self, host: HostHandshake, m1: Frame) -> None:
        """Does the host's side of the handshake. Raises ConnectionRejected, ChannelClosed, TimeoutError."""
        async with asyncio.timeout(HELLO_SECONDS):
            m2 = host.on_hello(m1)
            self._send_unsigned(m2)
            m4 = host.on_proof(await self._next())
        self._check_peer(host.peer)
        self._send_unsigned(m4)
        self._begin(host.peer, m1, m2, host.purpose)

    def _begin(self, peer: bytes, m1: Frame, m2: Frame, purpose: Frame) -> None:
        self.peer = peer
        self.purpose = purpose
        self._session = digest("session", pack(m1), pack(m2))
        self._received_at = self._loop.time()
        due = self._loop.time() + self._times.beat
        self._timer = self._loop.call_at(due, self._check_alive, due)
        self._stop_beating = while_busy(self.keep_alive)

    # -- frames --------------------------------------------------------------------------------------------------------

    def send(self, frame: Frame) -> int:
        if self._lost is not None:
            return 0
        packed = pack(frame)
        # In a page, signing lets heartbeats happen: those of this channel, and those of channels that go through it.
        # None may come between the number of a frame and the frame.
        with uninterrupted():
            signature = self._identity.sign("frame", pack((self._session, self._sent, packed)))
            size = self._send_unsigned(("signed", self._sent, packed, signature))
            self._sent += 1
        return size

    async def receive(self) -> Frame:
        while True:
            frame = self._signed(await self._next())
            if frame != BEAT:
                return frame

    async def close(self) -> None:
        self.mark_lost("this side closed the connection")

    def on_frame(self, frame: Frame, size: int) -> None:
        """Called when a frame of `size` bytes has arrived."""
        self._received_at = self._loop.time()
        self._waiting += size
        self._arrived.put_nowait((frame, size))
        if self._waiting > MOST_UNSENT:
            self.mark_lost("frames come faster than they can be handled")

    def is_signed(self, frame: Frame) -> bool:
        """Returns whether the peer signed this frame for this channel and not for another handshake."""
        match frame:
            case ("signed", int() as number, bytes() as packed, bytes() as signature):
                return signatures.verify(self.peer, "frame", pack((self._session, number, packed)), signature)
        return False

    def keep_alive(self) -> None:
        """Sends a heartbeat if one is due."""
        if self._loop.time() - self._beat_at >= self._times.beat / 2:
            self._beat_at = self._loop.time()
            self.send(self.heartbeat() if self.heartbeat is not None else BEAT)

    def mark_lost(self, reason: str) -> None:
        """Ends the channel. What has arrived before can still be received."""
        if self._lost is None:
            self._lost = reason
            if self._timer is not None:
                self._timer.cancel()
            self._stop_beating()
            self._arrived.put_nowait(None)
            self._on_lost()

    def _send_unsigned(self, frame: Frame) -> int:
        return self._carry(pack(frame))

    async def _next(self) -> Frame:
        """Returns the next frame that arrived. Raises ChannelClosed once there are no more."""
        self._taken += 1
        if self._taken % MOST_AT_ONCE == 0:
            # A sender of many small frames must not block the loop for others.
            await asyncio.sleep(0)
        arrived = await self._arrived.get()
        if arrived is None:
            self._arrived.put_nowait(None)
            raise ChannelClosed(self._lost)
        frame, size = arrived
        self._waiting -= size
        return frame

    def _signed(self, frame: Frame) -> Frame:
        """Returns the content of a frame that the peer has signed. Raises ChannelClosed."""
        match frame:
            case ("signed", int() as number, bytes() as packed, bytes()) if (
                are_integers(number) and number == self._received and self.is_signed(frame)
            ):
                self._received += 1
                inner = unpacked(packed)
                if inner is not None:
                    return inner
        self.mark_lost("a frame is not the one that the other side signed")
        raise ChannelClosed(self._lost)

    def _check_alive(self, due: float) -> None:
        """Keeps the channel alive, and ends it if the other side falls silent. `due` is when it should have run."""
        now = self._loop.time()
        if now - due > self._times.beat:
            # This program was asleep: it has not taken in yet what the peer sent meanwhile.
            self._received_at = now
        if now - self._received_at > self._times.idle:
            self.mark_lost(f"nothing was heard for {self._times.idle:.0f} seconds")
            return
        self.keep_alive()
        if self._lost is None:
            again = now + self._times.beat
            self._timer = self._loop.call_at(again, self._check_alive, again)


def unpacked(packed: bytes) -> Frame | None:
    """Returns the frame in its packing; None if it holds none."""
    try:
        frame = unpack(packed)
    except Malformed:
        return None
    return frame if isinstance(frame, tuple) and frame and isinstance(frame[0], str) else None
