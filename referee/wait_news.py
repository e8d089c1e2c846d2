"""Tells the players of a table whom it waits for before its game, so that their screens can count down."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from kimberley.p2p.tournament.messages import TableId
from kimberley.p2p.transport.frames import Frame
from kimberley.referee.table_wait import TableWait

DRIFT: Final = 1.0
"""Seconds by which the end of a wait may move without the players being told."""


class WaitNews:
    """What the players of one table have been told."""

    def __init__(self, place: TableId, people: Sequence[bytes], send: Callable[[bytes, Frame], None]) -> None:
        self._place, self._people, self._send = place, people, send
        self._told: TableWait | None = None

    def forget(self) -> None:
        """Called when a player is new on its channel: it has been told nothing."""
        self._told = None

    def tell(self, wait: TableWait, now: float) -> None:
        """Tells all players, if that is not what they know."""
        known = self._told
        if known is not None and known.seats == wait.seats and abs(known.until - wait.until) < DRIFT:
            return
        self._told = wait
        left = max(0, round(1000 * (wait.until - now)))
        for player in self._people:
            self._send(player, ("waits", self._place.round, self._place.table, wait.seats, left))
