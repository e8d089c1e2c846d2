"""What a player tells the referee of its seat: where it listens there, that the words are the same, that it has left,
and the game itself where the referee does not watch at the player's door.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Final

from kimberley.games.table import Plain
from kimberley.p2p.base.tasks import BackgroundTasks
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table.table import Table
from kimberley.p2p.tournament import events
from kimberley.p2p.tournament.messages import TableId
from kimberley.p2p.transport.channel import Channel, ChannelClosed
from kimberley.protocol.encoding import pack

LOOK_SECONDS: Final = 1.0
"""Time between two looks at whether the referee watches at this player's door."""
MOST_LOOKS: Final = 3
"""After this many looks in vain the player shows its game unasked."""
SHOW_SECONDS: Final = 0.25  # SPEC: showing
"""Time between two frames that show the game: a referee takes five a second."""
MOST_SHOWN: Final = 64
MOST_SHOWN_BYTES: Final = 1 << 18
"""The most bytes of the game in one of these frames; a single envelope can be larger."""


class SeatReports:
    """Reports to the referee on the current connection, and again on each later one."""

    def __init__(
        self, identity: Identity, seat: Callable[[], tuple[TableId | None, Table | None]], tasks: BackgroundTasks
    ) -> None:
        """Reports nothing before there is a connection.

        Args:
            identity: The player's identity.
            seat: Returns the table to which the player is paired, and the seat there once it is taken.
            tasks: Gets the task that shows games.

        """
        self._own = identity
        self._seat = seat
        self._tasks = tasks
        self._channel: Channel | None = None
        self._words: tuple[Plain, ...] | None = None
        """What the referee knows: the table, the game whose words are on the screen, and the signature."""
        self._left: TableId | None = None
        """The table that this player has left for good."""
        self._showing: asyncio.Task[None] | None = None

    def on_connected(self, channel: Channel) -> None:
        """Reports everything on a new connection."""
        self._channel, self._words = channel, None
        self._send_leaving()
        self.send_arrival()
        self.send_words()
        self._showing = self._tasks.start(self._show_games(channel))

    def on_lost(self) -> None:
        """Waits for the next connection."""
        self._channel = None
        if self._showing is not None:
            self._showing.cancel()

    def send_arrival(self) -> None:
        """Reports that this player has come to its table, and where it listens there."""
        place, table = self._seat()
        if self._channel is not None and place is not None and table is not None:
            self._channel.send(("arrive", place.round, place.table, table.port))

    def send_words(self) -> None:
        """Reports of which game this player has the words on the screen, and that they are the same: signed, so that
        the referee can pass it on.
        """
        place, table = self._seat()
        if self._channel is None or place is None:
            return
        game, signed = None, None
        if table is not None and table.phase not in ("open", "failed"):
            game = table.game_id
            if game is not None and (table.phase != "words" or table.words.agreed[table.occupants.seat]):
                signed = self._own.sign(events.SAME, game)
        words = place.round, place.table, game, signed
        nothing = place.round, place.table, None, None
        if words != (self._words if self._words is not None and self._words[:2] == nothing[:2] else nothing):
            self._words = words
            self._channel.send(("words", *words))

    def leave_for_good(self, place: TableId) -> None:
        """Reports that this player has left the game at a table, and does not come back to it."""
        if self._left != place:
            self._left = place
            self._send_leaving()

    def _send_leaving(self) -> None:
        place, _ = self._seat()
        if self._channel is not None and self._left is not None and self._left == place:
            self._channel.send(("leave", place.round, place.table))

    # -- the game itself -----------------------------------------------------------------------------------------------

    async def _show_games(self, channel: Channel) -> None:
        """Shows this player's games, where the referee does not watch at the door."""
        looks = 0
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            place, table = self._seat()
            refereeing = table.refereeing if table is not None else None
            if place is None or refereeing is None or not refereeing.unwatched:
                looks = 0
            elif (looks := looks + 1) >= MOST_LOOKS:
                showing = refereeing.show()
                try:
                    await self._show_game(channel, place, showing)
                finally:
                    await showing.close()

    async def _show_game(self, channel: Channel, place: TableId, showing: Channel) -> None:
        """Shows what comes on `showing`, for as long as anything can come."""
        with contextlib.suppress(ChannelClosed):
            # The first frame says that it is admitted.
            await showing.receive()
            while True:
                frames = [await showing.receive()]
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(0):
                        while len(frames) < MOST_SHOWN and len(pack(tuple(frames))) < MOST_SHOWN_BYTES:
                            frames.append(await showing.receive())
                channel.send(("shows", place.round, place.table, tuple(frames)))
                await asyncio.sleep(SHOW_SECONDS)


__all__ = ["SeatReports"]
