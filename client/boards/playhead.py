"""The playhead: which position of a timeline is shown, since when, and whether the next ones follow by themselves."""

from __future__ import annotations

from typing import Final

from kimberley.client.boards.game_timeline import GameTimeline
from kimberley.client.boards.view import STILL
from kimberley.client.ui.screen import Ui

FRAME: Final = 0.04
"""Seconds between two frames of an animation."""


class Playhead:
    """The position `at` of a timeline. While it is `playing`, each position gives way to the next in its time."""

    def __init__(self, timeline: GameTimeline, ui: Ui, at: int = 0, *, playing: bool = False) -> None:
        self.timeline, self._ui = timeline, ui
        self.at, self.playing = at, playing
        self.hold_at: int | None = None
        """The position at which it waits while it is playing; None if it goes on."""
        self.since = -STILL
        """The time since which the position has been shown; -STILL if it is not animated."""

    @property
    def last(self) -> int:
        """The last position."""
        return len(self.timeline.steps)

    @property
    def waits(self) -> bool:
        """Returns whether it waits at this position."""
        return self.hold_at is not None and self.at >= self.hold_at

    def age(self, now: float) -> float:
        """Returns the seconds for which the position has been shown; STILL without animation."""
        return STILL if self._ui.calm else now - self.since

    def moves(self, now: float) -> bool:
        """Returns whether the position is still being animated."""
        return not self._ui.calm and now - self.since < self.timeline.moving(self.at)

    def stays(self, at: int | None = None) -> float:
        """Returns the seconds for which a position, by default this one, is shown before the next one."""
        at = self.at if at is None else at
        if self._ui.calm and self.timeline.stops(at):
            return STILL
        moving = 0.0 if self._ui.calm else self.timeline.moving(at)
        return max(moving, self.timeline.lasting(at))

    @property
    def to_show(self) -> int:
        """Returns how many of the later positions will be shown for a time. The others give way at once."""
        return sum(self.stays(at) > 0 for at in range(self.at + 1, self.last + 1))

    def catches_up_at(self, now: float) -> float:
        """Returns when the last position will have been shown for its time."""
        until = now if self._shown(now) else self.since + self.stays()
        return until + sum(map(self.stays, range(self.at + 1, self.last + 1)))

    def caught_up(self, now: float) -> bool:
        """Returns whether the last position is shown, and has been for its time."""
        return self.at == self.last and self._shown(now)

    def _shown(self, now: float) -> bool:
        """Returns whether the position has been shown for its time."""
        return self.since == -STILL or now >= self.since + self.stays()

    def advance(self, now: float) -> None:
        """Moves on to the position that is due, while playing."""
        while self.playing and not self.waits and self.at < self.last and self._shown(now):
            lasting = self.stays()
            self.show(self.at + 1, now if lasting == STILL else max(self.since + lasting, now - lasting))

    def show(self, at: int, since: float = -STILL) -> None:
        """Shows a position, as if it had been shown since a time."""
        if at != self.at:
            self.timeline.on_position_changed()
        self.at, self.since = at, since

    def hurry(self, now: float) -> None:
        """Shows at once what comes before the next stop, or all of it if there is none; at a stop, plays on."""
        last = self.last if self.hold_at is None else max(self.at, min(self.last, self.hold_at))
        stop = next((at for at in range(self.at + 1, last + 1) if self.timeline.stops(at)), None)
        if self.stopped(now) and self.at < self.last and not self._ui.calm:
            self.show(self.at + 1, now)
        elif stop is not None:
            self.show(stop, now)
        else:
            self.show(last)

    def stopped(self, now: float) -> bool:
        """Returns whether the playback is at a position where it stops until a key is pressed."""
        return self.playing and self.timeline.stops(self.at) and not self._shown(now)

    def go(self, at: int) -> None:
        """Goes to a position by hand, and stops playing. Only a step to the next position is animated."""
        at = max(0, min(self.last, at))
        self.playing = False
        if at != self.at:
            self.show(at, self._ui.now() if at == self.at + 1 else -STILL)

    def skip(self, now: float) -> bool:
        """Ends the animation of the position. Returns False if there was none."""
        if not self.moves(now):
            return False
        self.since = -STILL
        return True

    def next_frame(self, now: float) -> float | None:
        """Returns when the picture changes by itself."""
        if self.moves(now):
            return now + FRAME
        due = self.since + self.stays() if self.since != -STILL else now
        return due if self.playing and not self.waits and self.at < self.last and due < STILL else None

    def target(self, name: str) -> int | None:
        """Returns the position that a key leads to; None for a key that leads nowhere."""
        match name:
            case "pagedown" | "pageup":
                return self.timeline.leap(self.at, 1 if name == "pagedown" else -1)
            case "home":
                return 0
            case "end":
                return self.last
            case "right" | "down" | "enter" | "n":
                return self.at + 1
            case "left" | "up" | "backspace":
                return self.at - 1
        return None
