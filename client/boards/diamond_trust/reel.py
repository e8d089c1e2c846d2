"""The beats that still have to be shown, on a clock that whoever shows them brings."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Final

from client.boards.diamond_trust.beats import Beat

FRAME: Final = 0.04
"""Seconds between two frames while something moves."""


class Reel:
    """Beats, shown one after another. With `calm` nothing is ever kept: what happened is shown at once."""

    def __init__(self, calm: bool = False) -> None:
        self.calm = calm
        self._beats: deque[Beat] = deque()
        self._started: float | None = None

    def add(self, beats: Iterable[Beat]) -> None:
        """Appends beats."""
        if not self.calm:
            self._beats.extend(beats)

    def current(self, now: float) -> tuple[Beat, float] | None:
        """The beat that runs at `now`, with the seconds it has run; None where nothing is left."""
        while self._beats:
            if self._started is None:
                self._started = now
            if now - self._started < self._beats[0].seconds:
                return self._beats[0], now - self._started
            self._started += self._beats.popleft().seconds
        self._started = None
        return None

    def skip(self) -> bool:
        """Jumps to the end of all of it. False if there was nothing."""
        moving = bool(self._beats)
        self._beats.clear()
        self._started = None
        return moving

    @property
    def left(self) -> int:
        """How many beats are left."""
        return len(self._beats)
