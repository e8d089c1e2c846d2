"""What a referee forwards to the seats of a table: envelopes that one seat has shown it and another has not.

Another seat may have withheld them. A seat that the referee does not see is sent everything once. A player who comes
back is told what the referee has of that player's seat, as the other seats also do, unless they withhold it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from kimberley.p2p.tournament.messages import TableId
from kimberley.p2p.transport.frames import Frame
from kimberley.referee.table_observer import TableObserver

LAG_SECONDS: Final = 1.0  # SPEC: lacking
"""After this long an envelope that a seat has not shown is forwarded to it; at once if the referee does not see its
door.
"""
FORWARD_SECONDS: Final = 10.0  # SPEC: passing on
"""Time until it is forwarded to the same seat again."""
MOST_FORWARDED: Final = 32  # SPEC: envelopes a referee passes on to a player at once
"""Envelopes forwarded to one seat at once."""


class Players(Protocol):
    """The connections to the players."""

    def is_connected(self, player: bytes) -> bool:
        """Returns whether a player is connected."""

    def send(self, player: bytes, frame: Frame) -> None:
        """Sends a frame to a player, if it is connected."""


class Forwarding:
    """Remembers what was forwarded to which seat of one table."""

    def __init__(self, place: TableId, people: Sequence[bytes], observer: TableObserver, players: Players) -> None:
        """Forwards nothing by default.

        Args:
            place: The table's place in its tournament.
            people: The identities of the players, in seat order.
            observer: What the referee sees of the table.
            players: The connections to the players.

        """
        self._place = place
        self._people = people
        self._observer = observer
        self._players = players
        self._forwarded: dict[tuple[int, tuple[int, int]], float] = {}
        """When each envelope was forwarded, by seat and by the envelope's signer and number."""
        self._arrived: set[int] = set()
        """The seats whose players have come, but have not been told yet what the referee has of them."""

    def on_arrival(self, seat: int) -> None:
        """Called when the player of a seat has come to the table, perhaps with a journal that is an old copy."""
        self._arrived.add(seat)

    def on_reconnect(self, seat: int) -> None:
        """Called when the player of a seat has reconnected: it may lack anything."""
        self._forwarded = {key: at for key, at in self._forwarded.items() if key[0] != seat}

    def lacking(self, until: float) -> list[int]:
        """Returns the seats that may lack an envelope that the referee has had since the loop's time `until` or
        earlier: they have not shown it, and it was not forwarded to them yet. Another seat may keep it back. Nothing
        can be forwarded to a player who is not connected.
        """
        return [
            seat
            for seat in self._connected()
            if any((seat, which) not in self._forwarded for which, _ in self._observer.missing_envelopes(seat, until))
        ]

    def forward(self, now: float) -> None:
        """Forwards to each connected seat what it lacks at the loop's time `now`."""
        for seat in self._connected():
            self._forward_to(seat, now)

    def _connected(self) -> list[int]:
        return [seat for seat, player in enumerate(self._people) if self._players.is_connected(player)]

    def _forward_to(self, seat: int, now: float) -> None:
        if seat in self._arrived:
            self._arrived.discard(seat)
            self.say_have(seat)
        watched = self._observer.watched(self._people[seat])
        again, lag = (FORWARD_SECONDS, LAG_SECONDS) if watched else (float("inf"), 0.0)
        player, given = self._people[seat], 0
        for which, envelope in self._observer.missing_envelopes(seat, now - lag):
            if given < MOST_FORWARDED and now - self._forwarded.get((seat, which), -float("inf")) >= again:
                given += 1
                self._forwarded[seat, which] = now
                self._players.send(player, ("envelope", self._place.round, self._place.table, envelope))

    def say_have(self, seat: int) -> None:
        """Tells a seat what the referee has of the game, after the seat's own latest envelope: a seat that does not
        know that one has an old copy of its journal.
        """
        player = self._people[seat]
        for envelope in self._observer.latest_of(seat):
            self._players.send(player, ("envelope", self._place.round, self._place.table, envelope))
        self._players.send(player, ("have", self._place.round, self._place.table, self._observer.have))
