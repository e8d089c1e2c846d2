"""The mesh: the links of one seat to all the others of its table, and how it reaches them.

Each seat but the host has a door of its own; the host passes on where those doors are. When the roster is signed, of
every two seats that are not linked yet the higher one connects to the lower one, with the purpose ("seat", game id),
and to its identity only. Where that fails, a third seat relays (`p2p.relay`), the first that can. Later on whoever
misses the other tries, at all the places where it may be; the side that did not connect at first tries a little later.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from p2p.channel import Channel, pair
from p2p.dial import Unreachable, dial
from p2p.frames import Frame
from p2p.hello import Refused
from p2p.identity import Identity
from p2p.link import Dial, Link
from p2p.relay import Relays
from p2p.tasks import Tasks
from p2p.trouble import Trouble
from protocol.roster import SignedRoster

log = logging.getLogger(__name__)

SEAT: Final = "seat"
"""Purpose of the channels between seats: (SEAT,) to sit down, (SEAT, game id) to come back to a game."""

MOST_FOUND: Final = 8
"""Places where a seat may be that are tried besides its door."""
STAGGER_SECONDS: Final = 1.0
"""Between attempts at the places where one seat may be."""

Where = tuple[str, int]
"""Host and port of a door."""


class Mesh:
    """`link` makes a link to an identity of a nickname; `welcome` is given channels that came through a relay."""

    def __init__(
        self,
        identity: Identity,
        link: Callable[[bytes, str, Dial], Link],
        welcome: Callable[[Channel], None],
    ) -> None:
        self.links: dict[bytes, Link] = {}
        self.game_id: bytes | None = None
        """Of the game that the links are for, once its roster is signed."""
        self.neighbours: dict[bytes, tuple[Identity, Callable[[Channel], None]]] = {}
        """Seats in this program that are reached within it, and what they do with a channel."""
        self._identity = identity
        self._link = link
        self.doors: dict[bytes, Where] = {}
        """Where seats can be reached, as far as is known."""
        self._found: dict[bytes, tuple[Where, ...]] = {}
        self._early: dict[bytes, Channel] = {}
        self._relays = Relays(identity, lambda: self.links, welcome)
        self._tasks = Tasks()

    def know(self, doors: Mapping[bytes, Where]) -> None:
        """Where seats can be reached."""
        self.doors.update(doors)

    def find(self, peer: bytes, places: Sequence[Where]) -> None:
        """Somebody says that a seat is there now: it is tried, and proves who it is, or not."""
        before = self._found.get(peer, ())
        new = tuple(place for place in places if place not in before)
        self._found[peer] = (*new, *before)[:MOST_FOUND]
        if peer in self.links:
            self.links[peer].hurry()

    def seat(self, signed: SignedRoster) -> None:
        """Links to all seats of a roster, and to nobody else; those that are missing begin to connect."""
        self.game_id = signed.game_id
        places = signed.roster.seats
        self.keep(place.identity for place in places)
        self._found.clear()
        for place in places:
            if place.identity in self.links:
                self.links[place.identity].offer(self.way(place.identity))
            elif place.identity != self._identity.public:
                self.links[place.identity] = self._link(place.identity, place.nickname, self.way(place.identity))

    def take_up(self, signed: SignedRoster) -> None:
        """Links to all seats of a roster, anew, and begins to connect to all of them: to the higher ones a little
        later, for they try, too.
        """
        self.seat(signed)
        places = [place.identity for place in signed.roster.seats]
        for seat, peer in enumerate(places):
            if peer in self.links:
                self.links[peer].connect(yields=seat > places.index(self._identity.public))

    def connect(self, signed: SignedRoster) -> None:
        """Connects to the lower seats that are not linked yet, and takes in those who came early."""
        places = [place.identity for place in signed.roster.seats]
        for peer in places[: places.index(self._identity.public)]:
            self.links[peer].connect()
        early, self._early = self._early, {}
        for channel in early.values():
            if not self.attach(channel):
                self._tasks.start(channel.close())

    def keep(self, identities: Iterable[bytes]) -> None:
        """Ends the links to everybody else."""
        kept = set(identities)
        for identity in self.links.keys() - kept:
            self.end(self.links[identity], ("bye", "left the table"))

    def end(self, link: Link, *last: Frame) -> None:
        """Ends a link for good."""
        if self.links.get(link.identity) is link:
            del self.links[link.identity]
        self._tasks.follow(link.leave(*last))

    def attach(self, channel: Channel) -> bool:
        """A seat has connected for the game at hand; False if it is none of it."""
        if channel.purpose != (SEAT, self.game_id) or channel.peer not in self.links:
            return False
        self.links[channel.peer].attach(channel)
        return True

    def hold(self, channel: Channel) -> Channel | None:
        """Keeps the channel of a seat that heard before this one that all have signed. Returns the one it replaces."""
        old = self._early.get(channel.peer)
        self._early[channel.peer] = channel
        return old

    def take(self, link: Link, frame: Frame) -> bool:
        """A frame that may be one of a relay; False if it is not."""
        return self._relays.take(link, frame)

    def moved(self, link: Link) -> None:
        """A connection was lost, or is back."""
        self._relays.moved(link)

    def tell(self, frame: Frame) -> None:
        for link in self.links.values():
            link.send(frame)

    async def close(self) -> None:
        """When all links are ended: waits until nothing of them runs any more."""
        for channel in self._early.values():
            await channel.close()
        await self._relays.close()
        await self._tasks.settle()

    def way(self, peer: bytes) -> Dial:
        """How to connect to a seat, for the game at hand."""

        async def reach() -> Channel:
            return await self._reach(peer)

        return reach

    async def _reach(self, peer: bytes) -> Channel:
        """Raises Unreachable, Refused."""
        purpose = (SEAT,) if self.game_id is None else (SEAT, self.game_id)
        problem: Trouble = Unreachable("Nobody has said where it can be reached.")
        if peer in self.neighbours:
            neighbour, welcome = self.neighbours[peer]
            there, here = pair(neighbour, self._identity, purpose)
            welcome(there)
            return here
        places = tuple(dict.fromkeys([*([self.doors[peer]] if peer in self.doors else []), *self._found.get(peer, ())]))
        if places:
            try:
                return await self._first(places, peer, purpose)
            except (Unreachable, Refused) as error:
                problem = error
        for relay in tuple(self.links.values()):
            if relay.identity != peer and relay.direct and self.game_id is not None:
                try:
                    return await self._relays.open(relay, peer, purpose)
                except (Unreachable, Refused) as error:
                    log.info("%s cannot pass on to %s: %s", relay.nickname, peer.hex()[:4], error)
        raise problem

    async def _first(self, places: Sequence[Where], peer: bytes, purpose: Frame) -> Channel:
        """A channel to a seat at the first of these places where it answers. Raises Unreachable, Refused."""

        async def attempt(place: Where, delay: float) -> tuple[Where, Channel]:
            await asyncio.sleep(delay)
            return place, await dial(*place, self._identity, purpose, expected=peer)

        tries = [asyncio.create_task(attempt(place, n * STAGGER_SECONDS)) for n, place in enumerate(places)]
        problem: Trouble | None = None
        reached: Channel | None = None
        try:
            for trying in asyncio.as_completed(tries):
                try:
                    place, reached = await trying
                except (Unreachable, Refused) as error:
                    problem = problem or error
                else:
                    self.doors[peer] = place
                    return reached
        finally:
            for task in tries:
                task.cancel()
            for outcome in await asyncio.gather(*tries, return_exceptions=True):
                if not isinstance(outcome, BaseException) and outcome[1] is not reached:
                    await outcome[1].close()
        assert problem is not None
        raise problem
