"""Relayed channels: between two seats that cannot reach each other, through a third that reaches both.

    seat to relay   ("pass", identity, bytes)     to be passed on to that seat
    relay to seat   ("passed", identity, bytes)   from that seat
                    ("lost", identity)            it cannot be reached from here

The bytes are the packing of a frame. First go the four frames of the hello (`p2p.hello`), with RELAYED where the hash
of a certificate would be; from then on ("signed", n, bytes, signature), n counting from 0 in each direction. The
signature, with the purpose "relay", is over the packing of (session, n, bytes), where session is the digest of m1 and
m2. So a relay needs no trust: it can hold back what passes, and end it, but neither change nor repeat it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Final

from p2p.channel import BEAT, MOST_UNSENT, Channel, Lost, Times
from p2p.dial import HELLO_SECONDS, Unreachable
from p2p.frames import Frame, whole
from p2p.hello import Host, Joiner, Refused
from p2p.identity import Identity
from p2p.link import Link
from p2p.seldom import Seldom
from p2p.tasks import Tasks
from p2p.trouble import Trouble
from protocol.crypto import signatures
from protocol.crypto.hashing import digest
from protocol.encoding import Malformed, pack, unpack

log = logging.getLogger(__name__)

RELAYED: Final = bytes(32)
"""Stands in the hello where there is no certificate."""
MOST_PASSED: Final = 1 << 20
"""Bytes that wait for a seat, from which on nothing more is passed on to it: one seat must not clog another's link."""


class RelayChannel(Channel):
    """A channel to `peer` through the seat behind `relay`. Frames wait until the hello is done."""

    local = False
    relayed = True

    def __init__(
        self, relay: Link, peer: bytes, identity: Identity, gone: Callable[[RelayChannel], None], times: Times
    ) -> None:
        self.relay = relay
        self.peer = peer
        self.address = f"{peer.hex()[:4]}, through {relay.nickname}"
        self.purpose = ()
        self._identity = identity
        self._gone = gone
        self._times = times
        self._loop = asyncio.get_running_loop()
        self._session = b""
        self._sent = 0
        self._taken = 0
        self._waiting = 0
        self._arrived: asyncio.Queue[tuple[Frame, int] | None] = asyncio.Queue()
        self._lost: str | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._heard = self._loop.time()

    # -- the hello -----------------------------------------------------------------------------------------------------

    async def join(self, purpose: Frame) -> None:
        """The joiner's side of the hello. Raises Unreachable, Refused."""
        joiner = Joiner(self._identity, purpose, RELAYED)
        m1 = joiner.first()
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                self._pass(m1)
                m2 = await self._next()
                self._pass(joiner.second(m2))
                joiner.done(await self._next())
        except (TimeoutError, Lost) as error:
            raise Unreachable(f"It cannot be reached through {self.relay.nickname} either.") from error
        if joiner.peer != self.peer:
            raise Refused(f"Somebody else answers through {self.relay.nickname} than the one who was expected.")
        self._begin(m1, m2, purpose)

    async def greet(self, m1: Frame) -> None:
        """The other side of it. Raises Refused, Lost, TimeoutError."""
        host = Host(self._identity, RELAYED)
        async with asyncio.timeout(HELLO_SECONDS):
            m2 = host.first(m1)
            self._pass(m2)
            m4 = host.second(await self._next())
        if host.peer != self.peer:
            raise Refused("The relay names somebody else than the one who says hello.")
        self._pass(m4)
        self._begin(m1, m2, host.purpose)

    def _begin(self, m1: Frame, m2: Frame, purpose: Frame) -> None:
        self.purpose = purpose
        self._session = digest("relay", pack(m1), pack(m2))
        self._heard = self._loop.time()
        self._timer = self._loop.call_later(self._times.beat, self._watch)

    # -- frames --------------------------------------------------------------------------------------------------------

    def send(self, frame: Frame) -> int:
        if self._lost is not None:
            return 0
        packed = pack(frame)
        signature = self._identity.sign("relay", pack((self._session, self._sent, packed)))
        self._pass(("signed", self._sent, packed, signature))
        self._sent += 1
        return 0  # What leaves is counted by the relay's link.

    async def receive(self) -> Frame:
        while True:
            frame = self._signed(await self._next())
            if frame[0] != BEAT:
                return frame
            if self.on_beat is not None:
                self.on_beat(frame[1:])

    async def close(self) -> None:
        self.lose("this side closed the connection")

    def take(self, frame: Frame, size: int) -> None:
        """The relay has passed a frame of so many bytes on."""
        self._heard = self._loop.time()
        self._waiting += size
        self._arrived.put_nowait((frame, size))
        if self._waiting > MOST_UNSENT:
            self.lose("more is passed on than can be taken in")

    def owns(self, frame: Frame) -> bool:
        """Whether a frame is one that the peer has signed for this channel, and none of another hello."""
        match frame:
            case ("signed", int() as number, bytes() as packed, bytes() as signature):
                return signatures.verify(self.peer, "relay", pack((self._session, number, packed)), signature)
        return False

    def lose(self, reason: str) -> None:
        if self._lost is None:
            self._lost = reason
            if self._timer is not None:
                self._timer.cancel()
            self._arrived.put_nowait(None)
            self._gone(self)

    def _pass(self, frame: Frame) -> None:
        self.relay.send(("pass", self.peer, pack(frame)))

    async def _next(self) -> Frame:
        """Raises Lost, after what arrived before."""
        arrived = await self._arrived.get()
        if arrived is None:
            self._arrived.put_nowait(None)
            raise Lost(self._lost)
        frame, size = arrived
        self._waiting -= size
        return frame

    def _signed(self, frame: Frame) -> Frame:
        """What stands in a frame that the peer has signed. Raises Lost."""
        match frame:
            case ("signed", int() as number, bytes() as packed, bytes() as signature) if (
                whole(number)
                and number == self._taken
                and signatures.verify(self.peer, "relay", pack((self._session, number, packed)), signature)
            ):
                self._taken += 1
                inner = _unpacked(packed)
                if inner is not None:
                    return inner
        self.lose("what was passed on is not what the other side sent")
        raise Lost(self._lost)

    def _watch(self) -> None:
        """Keeps the channel alive, and loses it where the other side falls silent."""
        if self._loop.time() - self._heard > self._times.idle:
            self.lose(f"nothing was heard for {self._times.idle:.0f} seconds")
            return
        self.send((BEAT, *(self.beat() if self.beat is not None else ())))
        self._timer = self._loop.call_later(self._times.beat, self._watch)


class Relays:
    """What passes through others, and what this seat passes on. `links` are its links by identity, as they stand;
    `welcome` is given each channel that another seat has opened through a third.
    """

    def __init__(
        self,
        identity: Identity,
        links: Callable[[], Mapping[bytes, Link]],
        welcome: Callable[[Channel], None],
        times: Times | None = None,
    ) -> None:
        self._identity = identity
        self._links = links
        self._welcome = welcome
        self._times = times or Times()
        self._channels: dict[bytes, RelayChannel] = {}
        self._greetings: dict[tuple[bytes, bytes], RelayChannel] = {}
        self._odd = Seldom(log)
        self._noted: set[frozenset[bytes]] = set()
        self._tasks = Tasks()

    async def open(self, relay: Link, peer: bytes, purpose: Frame) -> RelayChannel:
        """A channel to a peer through the seat behind a link. Raises Unreachable, Refused."""
        channel = self._greeting(relay, peer)
        try:
            await channel.join(purpose)
        except BaseException:
            channel.lose("there was no hello")
            raise
        self._greeted(channel)
        log.info("%s, for want of a direct way; what is passed on is signed", channel.address)
        return channel

    def take(self, link: Link, frame: Frame) -> bool:
        """A frame that may belong here; False if it does not."""
        match frame:
            case ("pass", bytes() as peer, bytes() as packed):
                self._pass(link, peer, packed)
            case ("passed", bytes() as peer, bytes() as packed):
                self._passed(link, peer, packed)
            case ("lost", bytes() as peer):
                for channel in self._through(link):
                    if channel.peer == peer:
                        channel.lose(f"{link.nickname} cannot reach it any more")
            case _:
                return False
        return True

    def moved(self, link: Link) -> None:
        """A link was lost, or is back: what passed through it is lost with it."""
        if not link.direct:
            for channel in self._through(link):
                channel.lose(f"the connection to {link.nickname} is lost")

    async def close(self) -> None:
        for channel in (*self._channels.values(), *self._greetings.values()):
            channel.lose("this side closed the connection")
        self._tasks.cancel()
        await self._tasks.settle()

    def _pass(self, link: Link, peer: bytes, packed: bytes) -> None:
        other = self._links().get(peer)
        way = other is not None and other is not link and other.direct and link.direct
        if other is None or not way or other.unsent > MOST_PASSED:
            link.send(("lost", peer))
            return
        pair = frozenset((link.identity, peer))
        if pair not in self._noted:
            self._noted.add(pair)
            log.info("passing on between %s and %s, who do not reach each other", link.nickname, other.nickname)
        other.send(("passed", link.identity, packed))

    def _passed(self, link: Link, peer: bytes, packed: bytes) -> None:
        frame = _unpacked(packed)
        if frame is None or peer not in self._links() or not link.direct:
            self._odd.say(f"{link.nickname} passes on what is no frame of a seat")
            return
        channel = self._channels.get(peer)
        if channel is not None and channel.relay is not link:
            channel = None
        greeting = self._greetings.get((link.identity, peer))
        if greeting is not None and not (channel is not None and channel.owns(frame)):
            greeting.take(frame, len(packed))
        elif frame[0] == "hello":
            self._tasks.start(self._greet(self._greeting(link, peer), frame))
        elif channel is not None:
            channel.take(frame, len(packed))

    async def _greet(self, channel: RelayChannel, m1: Frame) -> None:
        try:
            await channel.greet(m1)
        except (Trouble, Lost, TimeoutError) as error:
            self._odd.say(f"{channel.address} refused: {error}")
            channel.lose(str(error))
        else:
            self._greeted(channel)
            self._welcome(channel)

    def _through(self, link: Link) -> tuple[RelayChannel, ...]:
        both = (*self._channels.values(), *self._greetings.values())
        return tuple(channel for channel in both if channel.relay is link)

    def _greeting(self, relay: Link, peer: bytes) -> RelayChannel:
        """A channel whose hello is still to come. What there was keeps its place until it has."""
        channel = RelayChannel(relay, peer, self._identity, self._over, self._times)
        self._greetings[relay.identity, peer] = channel
        return channel

    def _greeted(self, channel: RelayChannel) -> None:
        del self._greetings[channel.relay.identity, channel.peer]
        if (old := self._channels.get(channel.peer)) is not None:
            old.lose("it is replaced")
        self._channels[channel.peer] = channel

    def _over(self, channel: RelayChannel) -> None:
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
