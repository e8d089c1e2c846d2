"""The door of a table that was opened in a page: WebSockets that wait in the room that serves the page."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from kimberley.p2p.base.backoff import Backoff
from kimberley.p2p.base.errors import UserError, reason_of
from kimberley.p2p.base.platform import open_web_socket
from kimberley.p2p.base.rate_limited_log import RateLimitedLog
from kimberley.p2p.base.tasks import BackgroundTasks
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.transport.channel import Channel, ChannelClosed
from kimberley.p2p.transport.frames import Frame
from kimberley.p2p.transport.web_channel import ROOM_PATH, WebChannel
from kimberley.protocol.crypto.hashing import digest

log = logging.getLogger(__name__)

AGAIN_SECONDS: Final = (0.2, 0.5, 1.0, 2.0, 4.0, 8.0)
"""Time between attempts to reach the room."""
THROUGH: Final = "the room"
NO_TABLE: Final = "no table is open in this room yet"
"""Why a room ends the socket of a seat that comes before there is a table."""
NO_HOST: Final = bytes(32)
"""Stands for the host's key in the link to a room's page: nobody knows yet who will open a table there."""


class RoomDoor:
    """Lets in others who come to the same room, until it is closed."""

    def __init__(self, identity: Identity, welcome: Callable[[Channel], None], room: tuple[str, int]) -> None:
        """Starts nothing yet.

        Args:
            identity: The identity that the handshake proves.
            welcome: Called with each channel after its handshake.
            room: The address and port that serve the page.

        """
        self._identity = identity
        self._welcome = welcome
        self._room = room
        self._path = f"{ROOM_PATH}?{digest('room', identity.secret)[:16].hex()}"
        """Names this door, so that nobody else takes the room while it is away, and so that it comes back to it."""
        self._waiting: WebChannel | None = None
        """What the next seat will be joined to."""
        self._strangers = RateLimitedLog(log)
        self._tasks = BackgroundTasks()

    async def open(self) -> None:
        """Begins to wait in the room. Raises UserError if it does not answer."""
        try:
            self._waiting = await self._connect()
        except OSError as error:
            raise UserError("The room does not answer. Is the program that serves this page still running?") from error
        self._tasks.start(self._wait())

    async def close(self) -> None:
        """Stops letting others in. Channels stay open."""
        await self._tasks.close()
        if self._waiting is not None:
            await self._waiting.close()

    async def _connect(self) -> WebChannel:
        """Returns a socket that waits in the room. Raises OSError."""
        channel = WebChannel(self._identity, THROUGH)
        channel.use(await open_web_socket(*self._room, self._path, channel.on_message, channel.on_close))
        return channel

    async def _wait(self) -> None:
        """Waits for one seat after the other."""
        backoff = Backoff(AGAIN_SECONDS)
        while True:
            try:
                if self._waiting is None:
                    self._waiting = await self._connect()
                m1 = await self._waiting.knock()
            except (OSError, ChannelClosed) as error:
                log.info("the room is not there: %s", reason_of(error))
                self._waiting = None
                await asyncio.sleep(backoff.next())
            else:
                backoff.reset()
                self._tasks.start(self._greet(self._waiting, m1))
                self._waiting = None

    async def _greet(self, channel: WebChannel, m1: Frame) -> None:
        try:
            await channel.greet(m1)
        except (UserError, ChannelClosed, TimeoutError) as error:
            self._strangers.log(f"somebody in the room is no seat: {reason_of(error)}")
            await channel.close()
        except asyncio.CancelledError:
            channel.mark_lost("the door was closed")
            raise
        else:
            self._welcome(channel)
