"""Relayed channels: a third seat connects two seats that cannot reach each other (SPEC.md, section 10).

    seat to relay   ("pass", identity, bytes)     to pass on to that seat
    relay to seat   ("passed", identity, bytes)   from that seat
                    ("lost", identity)            it cannot be reached from here

The bytes are the packing of a frame. First come the four frames of the handshake (`transport.handshake`), with RELAYED
in place of the certificate's hash; from then on ("signed", n, bytes, signature), n counting from 0 in each direction.
The signature, with the purpose "relay", is over the packing of (session, n, bytes), where session is the digest of m1
and m2. So nobody has to trust a relay: it can withhold frames or end the channel, but it can neither change nor repeat
frames.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Final

from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.rate_limited_log import RateLimitedLog
from kimberley.p2p.base.tasks import BackgroundTasks
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.transport.channel import HEARTBEAT, MOST_UNSENT, Channel, ChannelClosed, ChannelTiming
from kimberley.p2p.transport.dial import HELLO_SECONDS, Unreachable
from kimberley.p2p.transport.frames import Frame, are_integers
from kimberley.p2p.transport.handshake import ConnectionRejected, HostHandshake, JoinerHandshake
from kimberley.p2p.transport.link import Link
from kimberley.protocol.crypto import signatures
from kimberley.protocol.crypto.hashing import digest
from kimberley.protocol.encoding import Malformed, pack, unpack

log = logging.getLogger(__name__)

RELAYED: Final = bytes(32)
"""Replaces the certificate's hash in the handshake."""
MOST_PASSED: Final = 1 << 20
"""Bytes that wait for a seat. Above this nothing more is relayed to that seat: one seat must not clog another seat's
link.
"""


class RelayChannel(Channel):
    """A channel to `peer` through the seat behind `relay`. Frames wait until the handshake is done."""

    local = False
    relayed = True

    def __init__(
        self, relay: Link, peer: bytes, identity: Identity, gone: Callable[[RelayChannel], None], times: ChannelTiming
    ) -> None:
        self.relay = relay
        self.peer = peer
        self.address = f"{peer.hex()[:4]}, through {relay.nickname}"
        self.purpose = ()
        self._identity = identity
        self._on_lost = gone
        self._times = times
        self._loop = asyncio.get_running_loop()
        self._session = b""
        self._sent = 0
        self._received = 0
        self._waiting = 0
        self._arrived: asyncio.Queue[tuple[Frame, int] | None] = asyncio.Queue()
        self._lost: str | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._received_at = self._loop.time()

    # -- the hello -----------------------------------------------------------------------------------------------------

    async def join(self, purpose: Frame) -> None:
        """The joiner's side of the handshake. Raises Unreachable, ConnectionRejected."""
        joiner = JoinerHandshake(self._identity, purpose, RELAYED)
        m1 = joiner.hello()
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                self._send_unsigned(m1)
                m2 = await self._next()
                self._send_unsigned(joiner.on_hello(m2))
                joiner.on_proof(await self._next())
        except (TimeoutError, ChannelClosed) as error:
            raise Unreachable(f"It cannot be reached through {self.relay.nickname} either.") from error
        if joiner.peer != self.peer:
            raise ConnectionRejected(f"Somebody else answers through {self.relay.nickname}.")
        self._begin(m1, m2, purpose)

    async def greet(self, m1: Frame) -> None:
        """The host's side of the handshake. Raises ConnectionRejected, ChannelClosed, TimeoutError."""
        host = HostHandshake(self._identity, RELAYED)
        async with asyncio.timeout(HELLO_SECONDS):
            m2 = host.on_hello(m1)
            self._send_unsigned(m2)
            m4 = host.on_proof(await self._next())
        if host.peer != self.peer:
            raise ConnectionRejected("The relay names a different seat than the one that says hello.")
        self._send_unsigned(m4)
        self._begin(m1, m2, host.purpose)

    def _begin(self, m1: Frame, m2: Frame, purpose: Frame) -> None:
        self.purpose = purpose
        self._session = digest("relay", pack(m1), pack(m2))
        self._received_at = self._loop.time()
        self._timer = self._loop.call_later(self._times.beat, self._check_alive)

    # -- frames --------------------------------------------------------------------------------------------------------

    def send(self, frame: Frame) -> int:
        if self._lost is not None:
            return 0
        packed = pack(frame)
        signature = self._identity.sign("relay", pack((self._session, self._sent, packed)))
        self._send_unsigned(("signed", self._sent, packed, signature))
        self._sent += 1
        return 0  # The relay's link counts the bytes.

    async def receive(self) -> Frame:
        while True:
            frame = self._signed(await self._next())
            if frame[0] != HEARTBEAT:
                return frame
            if self.on_heartbeat is not None:
                self.on_heartbeat(frame[1:])

    async def close(self) -> None:
        self.mark_lost("this side closed the connection")

    def on_frame(self, frame: Frame, size: int) -> None:
        """The relay has delivered a frame of `size` bytes."""
        self._received_at = self._loop.time()
        self._waiting += size
        self._arrived.put_nowait((frame, size))
        if self._waiting > MOST_UNSENT:
            self.mark_lost("frames come faster than they can be handled")

    def is_signed(self, frame: Frame) -> bool:
        """Whether the peer signed this frame for this channel and not for another handshake."""
        match frame:
            case ("signed", int() as number, bytes() as packed, bytes() as signature):
                return signatures.verify(self.peer, "relay", pack((self._session, number, packed)), signature)
        return False

    def mark_lost(self, reason: str) -> None:
        if self._lost is None:
            self._lost = reason
            if self._timer is not None:
                self._timer.cancel()
            self._arrived.put_nowait(None)
            self._on_lost(self)

    def _send_unsigned(self, frame: Frame) -> None:
        self.relay.send(("pass", self.peer, pack(frame)))

    async def _next(self) -> Frame:
        """The next delivered frame. Raises ChannelClosed once there are no more."""
        arrived = await self._arrived.get()
        if arrived is None:
            self._arrived.put_nowait(None)
            raise ChannelClosed(self._lost)
        frame, size = arrived
        self._waiting -= size
        return frame

    def _signed(self, frame: Frame) -> Frame:
        """The content of a frame that the peer has signed. Raises ChannelClosed."""
        match frame:
            case ("signed", int() as number, bytes() as packed, bytes() as signature) if (
                are_integers(number)
                and number == self._received
                and signatures.verify(self.peer, "relay", pack((self._session, number, packed)), signature)
            ):
                self._received += 1
                inner = _unpacked(packed)
                if inner is not None:
                    return inner
        self.mark_lost("the relayed frame is not the one that the other side sent")
        raise ChannelClosed(self._lost)

    def _check_alive(self) -> None:
        """Keeps the channel alive, and ends it if the other side falls silent."""
        if self._loop.time() - self._received_at > self._times.idle:
            self.mark_lost(f"nothing was heard for {self._times.idle:.0f} seconds")
            return
        self.send((HEARTBEAT, *(self.heartbeat() if self.heartbeat is not None else ())))
        self._timer = self._loop.call_later(self._times.beat, self._check_alive)


class RelayManager:
    """The channels of this seat that others relay, and the frames that it relays itself.

    `links` returns its links by identity; `welcome` is called with each channel that another seat has opened through a
    third.
    """

    def __init__(
        self,
        identity: Identity,
        links: Callable[[], Mapping[bytes, Link]],
        welcome: Callable[[Channel], None],
        times: ChannelTiming | None = None,
    ) -> None:
        self.frames = {"pass": self._on_pass, "passed": self._on_passed, "lost": self._on_lost}
        """The handlers of the frames of a relay, by kind; each returns False if its frame is malformed."""
        self._identity = identity
        self._links = links
        self._welcome = welcome
        self._times = times or ChannelTiming()
        self._channels: dict[bytes, RelayChannel] = {}
        self._greetings: dict[tuple[bytes, bytes], RelayChannel] = {}
        self._unexpected = RateLimitedLog(log)
        self._logged: set[frozenset[bytes]] = set()
        self._tasks = BackgroundTasks()

    async def open(self, relay: Link, peer: bytes, purpose: Frame) -> RelayChannel:
        """A channel to a peer through the seat behind a link. Raises Unreachable, ConnectionRejected."""
        channel = self._greeting(relay, peer)
        try:
            await channel.join(purpose)
        except BaseException:
            channel.mark_lost("there was no hello")
            raise
        self._greeted(channel)
        log.info("connected to %s: there is no direct way; frames are signed", channel.address)
        return channel

    def on_link_change(self, link: Link) -> None:
        """A link was lost, or is back. The channels through it are lost with it."""
        if not link.direct:
            for channel in self._through(link):
                channel.mark_lost(f"the connection to {link.nickname} is lost")

    async def close(self) -> None:
        for channel in (*self._channels.values(), *self._greetings.values()):
            channel.mark_lost("this side closed the connection")
        await self._tasks.close()

    def _on_pass(self, link: Link, frame: Frame) -> bool:
        match frame:
            case ("pass", bytes() as peer, bytes() as packed):
                self._forward(link, peer, packed)
                return True
        return False

    def _on_passed(self, link: Link, frame: Frame) -> bool:
        match frame:
            case ("passed", bytes() as peer, bytes() as packed):
                self._on_forwarded(link, peer, packed)
                return True
        return False

    def _on_lost(self, link: Link, frame: Frame) -> bool:
        match frame:
            case ("lost", bytes() as peer):
                for channel in self._through(link):
                    if channel.peer == peer:
                        channel.mark_lost(f"{link.nickname} cannot reach it any more")
                return True
        return False

    def _forward(self, link: Link, peer: bytes, packed: bytes) -> None:
        other = self._links().get(peer)
        way = other is not None and other is not link and other.direct and link.direct
        if other is None or not way or other.unsent > MOST_PASSED:
            link.send(("lost", peer))
            return
        pair = frozenset((link.identity, peer))
        if pair not in self._logged:
            self._logged.add(pair)
            log.info("relaying between %s and %s, who cannot reach each other", link.nickname, other.nickname)
        other.send(("passed", link.identity, packed))

    def _on_forwarded(self, link: Link, peer: bytes, packed: bytes) -> None:
        frame = _unpacked(packed)
        if frame is None or peer not in self._links() or not link.direct:
            self._unexpected.log(f"{link.nickname} relays something that is not a seat's frame")
            return
        channel = self._channels.get(peer)
        if channel is not None and channel.relay is not link:
            channel = None
        greeting = self._greetings.get((link.identity, peer))
        if greeting is not None and not (channel is not None and channel.is_signed(frame)):
            greeting.on_frame(frame, len(packed))
        elif frame[0] == "hello":
            self._tasks.start(self._greet(self._greeting(link, peer), frame))
        elif channel is not None:
            channel.on_frame(frame, len(packed))

    async def _greet(self, channel: RelayChannel, m1: Frame) -> None:
        try:
            await channel.greet(m1)
        except (UserError, ChannelClosed, TimeoutError) as error:
            self._unexpected.log(f"{channel.address} refused: {error}")
            channel.mark_lost(str(error))
        else:
            self._greeted(channel)
            self._welcome(channel)

    def _through(self, link: Link) -> tuple[RelayChannel, ...]:
        both = (*self._channels.values(), *self._greetings.values())
        return tuple(channel for channel in both if channel.relay is link)

    def _greeting(self, relay: Link, peer: bytes) -> RelayChannel:
        """A channel whose handshake is still to come. An existing channel stays until it is done."""
        channel = RelayChannel(relay, peer, self._identity, self._forget, self._times)
        self._greetings[relay.identity, peer] = channel
        return channel

    def _greeted(self, channel: RelayChannel) -> None:
        del self._greetings[channel.relay.identity, channel.peer]
        if (old := self._channels.get(channel.peer)) is not None:
            old.mark_lost("it is replaced")
        self._channels[channel.peer] = channel

    def _forget(self, channel: RelayChannel) -> None:
        if self._channels.get(channel.peer) is channel:
            del self._channels[channel.peer]
        if self._greetings.get((channel.relay.identity, channel.peer)) is channel:
            del self._greetings[channel.relay.identity, channel.peer]


def _unpacked(packed: bytes) -> Frame | None:
    try:
        frame = unpack(packed)
    except Malformed:
        return None
    return frame if isinstance(frame, tuple) and frame and isinstance(frame[0], str) else None
