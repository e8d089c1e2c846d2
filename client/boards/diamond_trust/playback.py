"""The frames that are still to be shown, on the clock of the screen that shows them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Final

from kimberley.client.boards.diamond_trust.frames import Frame

FRAME: Final = 0.04
"""Seconds between two frames while something moves."""


class PlaybackQueue:
    """Frames, shown one after another. With `calm` it keeps none: what happened is shown at once."""

    def __init__(self, calm: bool = False) -> None:
        self.calm = calm
        self._frames: deque[Frame] = deque()
        self._started: float | None = None

    def add(self, frames: Iterable[Frame]) -> None:
        """Appends frames."""
        if not self.calm:
            self._frames.extend(frames)

    def current(self, now: float) -> tuple[Frame, float] | None:
        """The frame that runs at `now`, with the seconds it has run; None when none is left."""
        while self._frames:
            if self._started is None:
                self._started = now
            if now - self._started < self._frames[0].seconds:
                return self._frames[0], now - self._started
            self._started += self._frames.popleft().seconds
        self._started = None
        return None

    def skip(self) -> bool:
        """Drops all frames. False if there were none."""
        moving = bool(self._frames)
        self._frames.clear()
        self._started = None
        return moving

    @property
    def left(self) -> int:
        """How many frames are left."""
        return len(self._frames)
