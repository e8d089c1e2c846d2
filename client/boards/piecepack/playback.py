"""The events that are still to be shown, at a pace at which a player can follow them."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

from kimberley.client.boards.piecepack.events import GameEvent, read_events, start_of
from kimberley.games.piecepack.rules import State
from kimberley.games.table import Answer, Ask, Result

END_SECONDS: Final = 4.0
"""How long the last position stays before the dossier opens; a key goes on at once."""
ORDINARY: Final = 0.8
PACE: Final = {"lay": 0.9, "sell": 1.6, "steal": 1.6, "lose": 1.4, "club": 1.4, "peek": 1.2, "lots": 2.0, "leave": 1.6,
               "deal": 0.0}  # fmt: skip
"""How long a thing is shown, in seconds, before what came next; ORDINARY where nothing is said here."""
OWN_PACE: Final = {"sell": 1.6, "lose": 1.4}
"""The same for what the player did, who need not wait to see it."""


class PlaybackQueue:
    """What one seat knows of a game, as far as it has been shown. With `calm` everything is shown at once.

    `log` is all that happened, `current` what was shown last, `state` the position that is shown, `latest` the one that
    the table has come to.
    """

    def __init__(self, seat: int, calm: Callable[[], bool], clock: Callable[[], float]) -> None:
        self._seat, self._calm, self._clock = seat, calm, clock
        self.log: list[GameEvent] = []
        self.current: GameEvent | None = None
        self.state: State | None = None
        self.latest: State | None = None
        self._read = 0
        self._queue: deque[GameEvent] = deque()
        self._next_at = self._ended_at = -math.inf

    @property
    def shown(self) -> Sequence[GameEvent]:
        """What of the log has been shown."""
        return self.log[: len(self.log) - len(self._queue)]

    def refresh(self, story: Sequence[tuple[Ask, Answer]], state: State) -> list[GameEvent]:
        """Takes up what a story, which has led to `state`, has got since; returns what is to be told of at once."""
        late = self.latest is None and len(story) > 0
        if self.latest is None:
            self.latest = self.state = start_of(story, state)
        new, self.latest = read_events(story[self._read :], self.latest, self._read)
        self._read = len(story)
        self.log += new
        worth = [each for each in new if each.kind != "end"]
        if self._calm() or late:
            self.current = worth[-1] if worth else self.current
        else:
            self._queue += worth
        now = self._clock()
        if new and isinstance(self.latest.ask(), Result) and not self._calm():
            self._ended_at = now + END_SECONDS + sum(map(self._pace, self._queue))
        self.advance(now)
        return [] if late else new

    def _pace(self, each: GameEvent) -> float:
        if each.seat == self._seat and each.kind != "lots":
            return OWN_PACE.get(each.kind, 0.0)
        return PACE.get(each.kind, ORDINARY)

    def advance(self, now: float) -> None:
        """Shows what is due."""
        while self._queue and now >= self._next_at:
            self.current = self._queue.popleft()
            self.state = self.current.state
            self._next_at = now + self._pace(self.current)
        if self.caught_up(now):
            self.state = self.latest

    def caught_up(self, now: float) -> bool:
        """Whether everything has been shown."""
        return not self._queue and now >= self._next_at

    def busy(self, now: float) -> bool:
        """Whether the end of the game is still being shown."""
        return now < self._ended_at

    def skip(self, now: float) -> bool:
        """Jumps to what the table has come to, or over the end. False if nothing was being shown."""
        if self.caught_up(now):
            ended, self._ended_at = self.busy(now), -math.inf
            return ended
        if self._queue:
            self.current = self._queue[-1]
            self._queue.clear()
        self._next_at = -math.inf
        self._ended_at = min(self._ended_at, now + END_SECONDS)
        self.advance(now)
        return True

    def next_frame(self, now: float) -> float | None:
        """When the next thing is due."""
        due = [self._ended_at] if self.busy(now) else []
        if not self.caught_up(now):
            due.append(self._next_at)
        return min(due, default=None)
