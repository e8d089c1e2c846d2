"""What others did, shown one turn after another, and dice that tumble before they lie."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Final

from kimberley.client.boards.land.events import GameEvent, SeatLeft

FRAME: Final = 0.1
"""Seconds between two frames while dice tumble."""
TUMBLE: Final = 0.4
"""Seconds that dice tumble."""
LONG: Final = 1.4
SHORT: Final = 0.8
"""Seconds for a turn with deals, and for one without."""


def seconds(each: GameEvent) -> float:
    """How long it is shown."""
    return LONG if isinstance(each, SeatLeft) or each.dealt else SHORT


def tumbling(step: int, since: float) -> tuple[int, int] | None:
    """The faces of dice that tumble since so many seconds, None once they lie. The same for the same step."""
    if not 0 <= since < TUMBLE:
        return None
    frame = int(since / FRAME)
    return (step * 5 + frame * 7) % 11 % 6, (step * 3 + frame * 5) % 13 % 6


class PlaybackQueue:
    """Turns that are still to be shown. With `calm` nothing is ever kept."""

    def __init__(self, calm: bool) -> None:
        self._calm = calm
        self._left: deque[GameEvent] = deque()
        self._since: float | None = None

    def add(self, events: Iterable[GameEvent]) -> None:
        """Appends what happened."""
        if not self._calm:
            self._left.extend(events)

    def current(self, now: float) -> tuple[GameEvent, float] | None:
        """What is shown at `now`, and for how many seconds it has been; None where nothing is left."""
        while self._left:
            if self._since is None:
                self._since = now
            lasts = seconds(self._left[0])
            if now - self._since < lasts:
                return self._left[0], now - self._since
            self._since += lasts
            self._left.popleft()
        self._since = None
        return None

    def next_frame(self, now: float) -> float | None:
        """When the picture changes by itself."""
        found = self.current(now)
        if found is None:
            return None
        each, since = found
        return now + (FRAME if since < TUMBLE else seconds(each) - since)

    def skip(self) -> bool:
        """Jumps to the end of all of it. False if there was nothing."""
        had = bool(self._left)
        self._left.clear()
        self._since = None
        return had

    @property
    def lasts(self) -> float:
        """Seconds that all of it takes."""
        return sum(seconds(each) for each in self._left)

    @property
    def left(self) -> int:
        """How many are left, the one that is shown included."""
        return len(self._left)
