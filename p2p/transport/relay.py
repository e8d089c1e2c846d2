"""Relayed channels: a third seat, or a referee, connects two seats that cannot reach each other (SPEC.md, section 10).

    seat to relay   ("pass", identity, bytes)     to pass on to that seat
    relay to seat   ("passed", identity, bytes)   from that seat
                    ("lost", identity)            it cannot be reached from here

The bytes are the packing of a frame of a signed channel (`transport.signed_channel`), so nobody has to trust a relay.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Final, Protocol

from kimberley.p2p.base.errors import UserError, reason_of
from kimberley.p2p.base.rate_limited_log import RateLimitedLog
from kimberley.p2p.base.tasks import BackgroundTasks
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.transport.channel import Channel, ChannelClosed, ChannelTiming
from kimberley.p2p.transport.dial import Unreachable
from kimberley.p2p.transport.frames import Frame
from kimberley.p2p.transport.handshake import ConnectionRejected, HostHandshake
from kimberley.p2p.transport.link import Link
from kimberley.p2p.transport.signed_channel import NO_CERTIFICATE, SignedChannel, unpacked

log = logging.getLogger(__name__)

MOST_PASSED: Final = 1 << 20  # SPEC: bytes waiting at a relay
"""Bytes that wait for a seat. Above this nothing more is relayed to that seat: one seat must not clog another seat's
link.
"""


class Relay(Protocol):
    """What passes frames on: the link to a third seat, or a referee."""

    @property
    def identity(self) -> bytes: ...
    @property
    def nickname(self) -> str:
        """What people call it."""

    @property
    def direct(self) -> bool:
        """Whether it can be reached now without another relay."""

    def send(self, frame: Frame) -> None:
        """Sends it a frame, if it can be reached."""


class OutsideRelay:
    """A `Relay` that has no seat: a referee, over the channel that a player has to it anyway."""

    def __init__(self, identity: bytes, nickname: str) -> None:
        self.identity = identity
        self.nickname = nickname
        self.channel: Channel | None = None
        """The channel to it now."""

    @property
    def direct(self) -> bool:
        return self.channel is not None

    def send(self, frame: Frame) -> None:
        if self.channel is not None:
            self.channel.send(frame)


class RelayChannel(SignedChannel):
    """A channel to `peer` through the seat behind `relay`."""

    relayed = True

    def __init__(
        self, relay: Relay, peer: bytes, identity: Identity, gone: Callable[[RelayChannel], None], times: ChannelTiming
    ) -> None:
        super().__init__(identity, f"{peer.hex()[:4]}, through {relay.nickname}", times)
        self.relay = relay
        self.peer = peer
        self._gone = gone

    async def greet(self, m1: Frame) -> None:
        """Does the host's side of the handshake. Raises ConnectionRejected, ChannelClosed, TimeoutError."""
        await self._welcome(HostHandshake(self._identity, NO_CERTIFICATE), m1)

    def _carry(self, packed: bytes) -> int:
        self.relay.send(("pass", self.peer, packed))
        return 0  # The channel to the relay counts the bytes.

    def _check_peer(self, peer: bytes) -> None:
        if peer != self.peer:
            raise ConnectionRejected(f"Someone else answers through {self.relay.nickname}.")

    def _on_lost(self) -> None:
        self._gone(self)


class RelayManager:
    """The channels of this seat that others relay, and the frames that it relays itself. A referee's frames come to
    `take`.

    `links` returns its links by identity; `welcome` is called with each channel that another seat has opened through a
    third one.
    """

    def __init__(
        self,
        identity: Identity,
        links: Callable[[], Mapping[bytes, Link]],
        welcome: Callable[[Channel], None],
        times: ChannelTiming | None = None,
    ) -> None:
        self.frames = {"pass": self._on_pass, "passed": self.take, "lost": self.take}
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

    async def open(self, relay: Relay, peer: bytes, purpose: Frame) -> RelayChannel:
        """Returns a channel to a peer through a relay. Raises Unreachable, ConnectionRejected."""
        channel = self._greeting(relay, peer)
        try:
            await channel.join(purpose)
        except (TimeoutError, ChannelClosed) as error:
            channel.mark_lost("there was no hello")
            raise Unreachable(f"Cannot be reached through {relay.nickname} either.") from error
        except BaseException:
            channel.mark_lost("there was no hello")
            raise
        self._greeted(channel)
        log.info("connected to %s: there is no direct way; frames are signed", channel.address)
        return channel

    def on_link_change(self, relay: Relay) -> None:
        """Called when the connection to a relay was lost, or is back. The channels through it are lost with it."""
        if not relay.direct:
            for channel in self._through(relay):
                channel.mark_lost(f"the connection to {relay.nickname} is lost")

    def take(self, relay: Relay, frame: Frame) -> bool:
        """Handles a frame of a relay. Returns False if it is not one."""
        match frame:
            case ("passed", bytes() as peer, bytes() as packed):
                self._on_forwarded(relay, peer, packed)
            case ("lost", bytes() as peer):
                self._on_unreachable(relay, peer)
            case _:
                return False
        return True

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

    def _on_unreachable(self, relay: Relay, peer: bytes) -> None:
        for channel in self._through(relay):
            if channel.peer == peer:
                channel.mark_lost(f"{relay.nickname} cannot reach it anymore")

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

    def _on_forwarded(self, relay: Relay, peer: bytes, packed: bytes) -> None:
        frame = unpacked(packed)
        if frame is None or peer not in self._links() or not relay.direct:
            self._unexpected.log(f"{relay.nickname} relays something that is not a seat’s frame")
            return
        channel = self._channels.get(peer)
        if channel is not None and channel.relay is not relay:
            channel = None
        greeting = self._greetings.get((relay.identity, peer))
        if greeting is not None and not (channel is not None and channel.is_signed(frame)):
            greeting.on_frame(frame, len(packed))
        elif frame[0] == "hello":
            self._tasks.start(self._greet(self._greeting(relay, peer), frame))
        elif channel is not None:
            channel.on_frame(frame, len(packed))

    async def _greet(self, channel: RelayChannel, m1: Frame) -> None:
        try:
            await channel.greet(m1)
        except (UserError, ChannelClosed, TimeoutError) as error:
            self._unexpected.log(f"{channel.address} refused: {reason_of(error)}")
            channel.mark_lost(reason_of(error))
        else:
            self._greeted(channel)
            self._welcome(channel)

    def _through(self, relay: Relay) -> tuple[RelayChannel, ...]:
        both = (*self._channels.values(), *self._greetings.values())
        return tuple(channel for channel in both if channel.relay is relay)

    def _greeting(self, relay: Relay, peer: bytes) -> RelayChannel:
        """Returns a channel whose handshake is still to come. An existing channel stays until it is done."""
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
