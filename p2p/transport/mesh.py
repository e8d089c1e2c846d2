"""The mesh: the links of one seat to all the others of its table, and how it reaches them.

Every seat listens, and the host passes the addresses on. When the roster is signed, the seats that are not linked yet
connect: of every two, the higher seat connects to the lower one, with the purpose ("seat", game id), and accepts only
its identity. If that fails, another seat relays between them, the first one that can, or a referee for seats without a
door (`transport.relay`). After a lost connection both sides try to reconnect, at all known addresses; the side that did
not connect first tries a little later (SPEC.md, section 10).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Final

from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.tasks import BackgroundTasks, race
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.transport.channel import Channel, memory_pair
from kimberley.p2p.transport.dial import Unreachable, dial
from kimberley.p2p.transport.frames import Frame
from kimberley.p2p.transport.handshake import ConnectionRejected
from kimberley.p2p.transport.link import Dial, Link
from kimberley.p2p.transport.relay import OutsideRelay, Relay, RelayManager
from kimberley.protocol.roster import SignedRoster

log = logging.getLogger(__name__)

SEAT: Final = "seat"
"""Purpose of the channels between seats: (SEAT,) to sit down, (SEAT, game id) to return to a game."""

MOST_FOUND: Final = 64  # SPEC: addresses tried for a seat that moved
"""The number of candidate addresses of a seat that are tried in addition to the known one."""
STAGGER_SECONDS: Final = 1.0
"""Seconds between attempts at the addresses of one seat."""

HostPort = tuple[str, int]
"""The host and port where a peer listens."""


class Mesh:
    """`link` makes a link to an identity with a nickname; `welcome` is called with channels that came through a
    relay.
    """

    def __init__(
        self,
        identity: Identity,
        link: Callable[[bytes, str, Dial], Link],
        welcome: Callable[[Channel], None],
    ) -> None:
        self.links: dict[bytes, Link] = {}
        self.game_id: bytes | None = None
        """The game that the links are for, once its roster is signed."""
        self.neighbours: dict[bytes, tuple[Identity, Callable[[Channel], None]]] = {}
        """Seats in this program, which are reached within it, and their callbacks for a channel."""
        self._identity = identity
        self._link = link
        self.addresses: dict[bytes, HostPort] = {}
        """Where seats listen, as far as is known."""
        self._candidates: dict[bytes, tuple[HostPort, ...]] = {}
        self._outside: OutsideRelay | None = None
        """The relay that has no seat."""
        self._through_outside: set[bytes] = set()
        """The seats that this one reaches only through that relay: it has no door, and can connect to none."""
        self._early: dict[bytes, Channel] = {}
        self._relays = RelayManager(identity, lambda: self.links, welcome)
        self._tasks = BackgroundTasks()

    def add_addresses(self, doors: Mapping[bytes, HostPort]) -> None:
        """Sets where seats listen."""
        self.addresses.update(doors)

    def add_candidates(self, peer: bytes, places: Sequence[HostPort]) -> None:
        """Adds addresses where a seat may be now. Each is tried; the handshake proves whose seat it is."""
        before = self._candidates.get(peer, ())
        new = tuple(place for place in places if place not in before)
        self._candidates[peer] = (*new, *before)[:MOST_FOUND]
        if peer in self.links:
            self.links[peer].retry_now()

    def set_outside(self, relay: OutsideRelay) -> None:
        """Sets the relay that has no seat, and passes frames on for seats without a door."""
        self._outside = relay

    def reach_through_outside(self, peer: bytes) -> None:
        """Connects to a seat only through the relay without a seat. That seat does not connect to this one."""
        self._through_outside.add(peer)
        if peer in self.links:
            self.links[peer].retry_now()

    def on_outside_change(self) -> None:
        """Called when the connection to the relay without a seat was lost, or is back."""
        if self._outside is not None:
            self._relays.on_link_change(self._outside)
            if self._outside.direct:
                for peer in self._through_outside & self.links.keys():
                    self.links[peer].retry_now()

    def on_outside_frame(self, frame: Frame) -> None:
        """Handles a frame of a channel that the relay without a seat carries."""
        if self._outside is not None:
            self._relays.take(self._outside, frame)

    def set_roster(self, signed: SignedRoster) -> None:
        """Links to all seats of a roster and to nobody else. Missing links are not connected yet."""
        self.game_id = signed.game_id
        places = signed.roster.seats
        self.keep_only(place.identity for place in places)
        self._candidates.clear()
        for place in places:
            if place.identity in self.links:
                self.links[place.identity].set_redial(self.dialer(place.identity))
            elif place.identity != self._identity.public:
                self.links[place.identity] = self._link(place.identity, place.nickname, self.dialer(place.identity))

    def resume(self, signed: SignedRoster) -> None:
        """Links to all seats of a roster again and starts to connect to all of them; to the higher ones a little later,
        because they try too.
        """
        self.set_roster(signed)
        places = [place.identity for place in signed.roster.seats]
        for seat, peer in enumerate(places):
            if peer in self.links:
                self.links[peer].connect(yields=seat > places.index(self._identity.public))

    def connect(self, signed: SignedRoster) -> None:
        """Connects to the lower seats that are not linked yet, and to those that cannot connect to this one; admits
        those that came early.
        """
        places = [place.identity for place in signed.roster.seats]
        lower = places[: places.index(self._identity.public)]
        for peer in dict.fromkeys([*lower, *(place for place in places if place in self._through_outside)]):
            self.links[peer].connect()
        early, self._early = self._early, {}
        for channel in early.values():
            if not self.attach(channel):
                self._tasks.start(channel.close())

    def keep_only(self, identities: Iterable[bytes]) -> None:
        """Ends the links to everybody else."""
        kept = set(identities)
        for identity in self.links.keys() - kept:
            self.end_link(self.links[identity], ("bye", "left the table"))

    def end_link(self, link: Link, *last: Frame) -> None:
        """Ends a link for good."""
        if self.links.get(link.identity) is link:
            del self.links[link.identity]
        link.start_closing(*last)
        self._tasks.start(link.wait_closed())

    def attach(self, channel: Channel) -> bool:
        """Attaches the channel of a seat of this game. False if it belongs to no link."""
        if channel.purpose != (SEAT, self.game_id) or channel.peer not in self.links:
            return False
        self.links[channel.peer].attach(channel)
        return True

    def hold_early(self, channel: Channel) -> Channel | None:
        """Keeps the channel of a seat that learned before this seat that all have signed. Returns the channel it
        replaces.
        """
        old = self._early.get(channel.peer)
        self._early[channel.peer] = channel
        return old

    @property
    def frames(self) -> Mapping[str, Callable[[Link, Frame], bool]]:
        """The handlers of the frames of a relay, by kind; each returns False if its frame is malformed."""
        return self._relays.frames

    def on_link_change(self, link: Link) -> None:
        """Called when a connection was lost, or is back."""
        self._relays.on_link_change(link)

    def broadcast(self, frame: Frame) -> None:
        for link in self.links.values():
            link.send(frame)

    async def close(self) -> None:
        """Waits until everything has ended. To be called after all links have ended."""
        for channel in self._early.values():
            await channel.close()
        await self._relays.close()
        await self._tasks.wait()

    def dialer(self, peer: bytes) -> Dial:
        """Returns how to connect to a seat for this game."""

        async def reach() -> Channel:
            return await self._reach(peer)

        return reach

    async def _reach(self, peer: bytes) -> Channel:
        """Raises Unreachable, ConnectionRejected."""
        purpose = (SEAT,) if self.game_id is None else (SEAT, self.game_id)
        problem: UserError = Unreachable("Its address is not known.")
        if peer in self.neighbours:
            neighbour, welcome = self.neighbours[peer]
            there, here = memory_pair(neighbour, self._identity, purpose)
            welcome(there)
            return here
        places = tuple(
            dict.fromkeys(
                [*([self.addresses[peer]] if peer in self.addresses else []), *self._candidates.get(peer, ())]
            )
        )
        if places:
            try:
                return await self._first(places, peer, purpose)
            except (Unreachable, ConnectionRejected) as error:
                problem = error
        relays: list[Relay] = [link for link in self.links.values() if link.identity != peer]
        if self._outside is not None and peer in self._through_outside:
            relays.append(self._outside)
        for relay in relays:
            if relay.direct and self.game_id is not None:
                try:
                    return await self._relays.open(relay, peer, purpose)
                except (Unreachable, ConnectionRejected) as error:
                    log.info("%s cannot pass on to %s: %s", relay.nickname, peer.hex()[:4], error)
        raise problem

    async def _first(self, places: Sequence[HostPort], peer: bytes, purpose: Frame) -> Channel:
        """Returns a channel to a seat at the first of these addresses that answers. Raises Unreachable,
        ConnectionRejected.
        """

        async def attempt(place: HostPort) -> tuple[HostPort, Channel]:
            return place, await dial(*place, self._identity, purpose, expected=peer)

        async def drop(late: tuple[HostPort, Channel]) -> None:
            await late[1].close()

        attempts = [partial(attempt, place) for place in places]
        self.addresses[peer], reached = await race(attempts, STAGGER_SECONDS, (Unreachable, ConnectionRejected), drop)
        return reached
