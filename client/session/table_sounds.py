"""The sounds of a table: who comes, is lost and comes back, a message, and the last seconds of a clock.

Each is heard when the screen or the line mode shows the same thing. What happens in the game itself sounds when the
board shows it (`client.boards.soundtrack`).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from kimberley.client.audio.port import AudioLike
from kimberley.client.audio.sound import Sound
from kimberley.client.session.clocks import clock_faces
from kimberley.p2p.table.events import ChatLine

if TYPE_CHECKING:
    from kimberley.p2p.table.table import Table

LAST_SECONDS: Final = 10
"""A clock is heard while it has fewer seconds than this."""


class TableSounds:
    """Follows one table. `on_event` takes its events, `tick` the time."""

    def __init__(self, table: Table, audio: AudioLike) -> None:
        self._table, self._audio = table, audio
        self._names, self._away = len(table.occupants.names), set(table.reconnection.away)
        self._left: int | None = None
        """The seconds that the clock had when it was heard last; None while it has more."""

    def on_event(self, event: Any) -> None:
        """Plays the sounds of something that has happened at the table."""
        table = self._table
        names, away = len(table.occupants.names), set(table.reconnection.away)
        if table.phase == "open" and names > self._names:
            self._audio.play(Sound.JOINED)
        if away - self._away:
            self._audio.play(Sound.LOST)
        elif self._away - away:
            self._audio.play(Sound.BACK)
        self._names, self._away = names, away
        if isinstance(event, ChatLine) and event.seat != table.occupants.seat:
            self._audio.play(Sound.CHAT)

    def tick(self, now: float) -> None:
        """Plays a sound once for each of the last seconds in which this player still has to choose."""
        seconds = self._seconds(now)
        left = math.ceil(seconds) if 0 < seconds < LAST_SECONDS else None
        if left is not None and left != self._left:
            self._audio.play(Sound.CLOCK)
        self._left = left

    def _seconds(self, now: float) -> float:
        """Returns what is left of the last look, or of the player's clock while it runs."""
        table = self._table
        if (until := table.play.final_adjustment_until) is not None:
            return until - now
        faces = clock_faces(table, now)
        return next((face.left for face in faces if face.seat == table.occupants.seat and face.runs), math.inf)
