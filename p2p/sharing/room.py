"""A room: seats in pages play with each other, and the program that serves the page plays nothing (SPEC.md, 10.9).

The page of the seat that opens a table keeps one WebSocket waiting here. A socket of another seat is joined to a
waiting one when it says something, and from then on every message passes unchanged: inside, the two pages say hello to
each other and sign what they send, so the room can read no more than a relay, and forge nothing.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Collection, Mapping
from typing import Final

from kimberley.p2p.base.rate_limited_log import RateLimitedLog
from kimberley.p2p.sharing.server import TakeOver
from kimberley.p2p.transport.address import remote_address
from kimberley.p2p.transport.channel import MOST_UNSENT, ChannelTiming
from kimberley.p2p.transport.frames import MOST_FRAME
from kimberley.p2p.transport.room_door import NO_HOST, NO_TABLE
from kimberley.p2p.transport.stream_socket import StreamSocket
from kimberley.p2p.transport.web_channel import ROOM_PATH, SEAT_PATH
from kimberley.p2p.transport.web_listener import accept_socket

log = logging.getLogger(__name__)

MOST_PAIRS: Final = 16
"""Sockets of the page that has opened the table."""
WAIT_SECONDS: Final = 8.0
"""How long a seat waits for the page that has opened the table."""
OWNER_SECONDS: Final = 600.0  # SPEC: room
"""How long the room is kept for a page that has opened a table and is gone."""
HELLO_MESSAGES: Final = 2
"""What a host says before the hello is complete."""

TAKEN: Final = "someone else has already opened a table in this room"
NOT_BACK: Final = "the host of the table in this room is away"

_OWNER: Final = re.compile(rb"GET [^ ?]+\?([0-9a-f]{32}) ")


class _End:
    """One socket in a room. Until it is joined to another one, it keeps the little that it receives."""

    def __init__(self, room: Room, transport: asyncio.Transport, request: bytes, leave: Callable[[], None]) -> None:
        self.other: _End | None = None
        self.messages = 0
        self._room = room
        self._leave = leave
        self._early: list[bytes] = []
        bye = ChannelTiming().bye
        self.socket: StreamSocket = accept_socket(transport, request, self._on_message, self._on_close, bye)

    def join(self, other: _End) -> None:
        """Passes messages between the two from now on."""
        self.other, other.other = other, self
        for one in (self, other):
            one.socket.limit(MOST_FRAME)
            early, one._early = one._early, []
            for message in early:
                one._on_message(message)

    def known(self) -> None:
        """Stops counting this end as a stranger."""
        self._leave()

    def _on_message(self, message: bytes) -> None:
        if self.other is None:
            self._early.append(message)
            self._room.on_knock(self, len(self._early))
            return
        self.messages += 1
        if self.messages > HELLO_MESSAGES:
            self.other.known()
        self.other.socket.send(message)
        if self.other.socket.unsent > MOST_UNSENT:
            self.other.socket.abort()

    def _on_close(self, reason: str) -> None:
        self._leave()
        self._room.on_end(self)
        if self.other is not None:
            self.other.socket.close(reason[:100].encode("ascii", "replace").decode())


class Room:
    """Joins the sockets of seats to those of the page that has opened a table here."""

    host_key: Final = NO_HOST
    """Takes the place of a host's key."""

    def __init__(self) -> None:
        self._refusals = RateLimitedLog(log)
        self._owner = b""
        self._owned_at = 0.0
        """The loop's time when the owner last had a socket here."""
        self._expected: tuple[str, ...] = ()
        self._of_owner: set[_End] = set()
        self._waiting: list[_End] = []
        """The owner's sockets that are not joined to a seat yet."""
        self._seats: list[_End] = []
        """Sockets of seats that have said something and are not joined to the owner yet."""

    @property
    def handed_over(self) -> Mapping[str, TakeOver]:
        """What the room takes over at the port of its page."""
        return {ROOM_PATH: self.wait, SEAT_PATH: self.sit}

    def expected(self) -> Collection[str]:
        """Returns where the page that opened the table was last. The room does not know who the other seats are."""
        return self._expected

    async def close(self) -> None:
        """Ends every game here: nothing more is passed on."""
        for end in list(self._of_owner):
            end.socket.abort()

    def wait(self, transport: asyncio.Transport, request: bytes, leave: Callable[[], None]) -> None:
        """Takes in a socket of a page that opens a table, or has opened one."""
        match, now = _OWNER.match(request), asyncio.get_running_loop().time()
        end = _End(self, transport, request, leave)
        if not end.socket.opened:
            return
        free = not self._of_owner and (not self._owner or now - self._owned_at > OWNER_SECONDS)
        if match is None or not (free or match[1] == self._owner):
            self._refuse(end, TAKEN)
        else:
            if len(self._of_owner) > MOST_PAIRS:
                # Most likely from a phone that has lost its network since.
                (self._waiting or list(self._of_owner))[0].socket.abort()
            self._owner = match[1]
            self._expected = (remote_address(transport),)
            self._of_owner.add(end)
            self._waiting.append(end)
            end.known()
            self._match()

    def sit(self, transport: asyncio.Transport, request: bytes, leave: Callable[[], None]) -> None:
        """Takes in a socket of a seat."""
        end = _End(self, transport, request, leave)
        if not end.socket.opened:
            return
        if not self._owner:
            self._refuse(end, NO_TABLE)
            return
        asyncio.get_running_loop().call_later(WAIT_SECONDS, self._give_up, end)

    def on_knock(self, end: _End, messages: int) -> None:
        """Called when a socket that is not joined to another one has sent this many messages."""
        if end in self._of_owner or messages > 1:
            end.socket.abort()
        else:
            self._seats.append(end)
            self._match()

    def on_end(self, end: _End) -> None:
        """Called when a socket is closed."""
        if end in self._of_owner:
            self._of_owner.discard(end)
            self._owned_at = asyncio.get_running_loop().time()
        for ends in (self._waiting, self._seats):
            if end in ends:
                ends.remove(end)

    def _match(self) -> None:
        while self._waiting and self._seats:
            # The newest: an older one may belong to a phone that has lost its network.
            self._seats.pop(0).join(self._waiting.pop())

    def _give_up(self, end: _End) -> None:
        if end.other is None:
            self.on_end(end)
            self._refuse(end, NOT_BACK)

    def _refuse(self, end: _End, reason: str) -> None:
        self._refusals.log(f"a page was turned away: {reason}")
        end.socket.close(reason)
