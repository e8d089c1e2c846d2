"""What happened, shown one thing after another: pawns go square by square, cards are turned, veins are opened."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from kimberley.client.boards.mine.events import GameEvent, describe_event
from kimberley.games.mine.rules import State
from kimberley.games.table import evolve

STEP: Final = 0.22
"""Seconds for which a pawn is seen on a square of its way."""
PAUSE: Final[dict[str, float]] = {
    "lots": 1.2, "filled": 0.0, "placed": 0.5, "cards": 1.2, "moved": 0.5, "opened": 1.3, "took": 0.9, "left": 1.2,
}  # fmt: skip
"""Seconds for which what happened stays, by kind."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A state that is shown for so many seconds, with what is said of it; `before` is the one it all began with.

    `flash` is the square where it happens, `cards` those that lie open.
    """

    before: State
    state: State
    seconds: float
    said: str
    kind: str
    seat: int | None = None
    flash: int | None = None
    cards: tuple[int | None, ...] = ()


def frames_of(event: GameEvent, names: Sequence[str]) -> list[Frame]:
    """The frames of an event."""
    said = " ".join(describe_event(event, names))
    cards = event.cards if event.kind == "cards" else event.before.cards
    last = Frame(event.before, event.after, PAUSE[event.kind], said, event.kind, event.seat, event.square, cards)
    if event.kind != "moved" or event.seat is None:
        return [last] if last.seconds else []
    _, picked, dropped = event.answer
    made = []
    for count, square in enumerate(event.way[:-1], start=1):
        entered = event.way[:count]
        mine = event.before.mine.moved(
            event.seat, square, [each for each in picked if each in entered],
            [each for each in dropped if each[0] in entered],
        )  # fmt: skip
        made.append(
            Frame(event.before, evolve(event.before, mine=mine), STEP, said, event.kind, event.seat, square, cards)
        )
    return [*made, last]


class PlaybackQueue:
    """The frames that are still to be shown. With `calm` it keeps none: what happened is shown at once."""

    def __init__(self, calm: bool = False) -> None:
        self.calm = calm
        self._frames: deque[Frame] = deque()
        self._started: float | None = None

    def add(self, more: Iterable[Frame]) -> None:
        """Appends frames."""
        if not self.calm:
            self._frames.extend(more)

    def current(self, now: float) -> Frame | None:
        """The frame that runs at `now`; None when none is left."""
        while self._frames:
            if self._started is None:
                self._started = now
            if now < self._started + self._frames[0].seconds:
                return self._frames[0]
            self._started += self._frames.popleft().seconds
        self._started = None
        return None

    def due(self, now: float) -> float | None:
        """When the frame that runs at `now` is over."""
        frame = self.current(now)
        return None if frame is None or self._started is None else self._started + frame.seconds

    @property
    def seconds(self) -> float:
        """How long all frames last, from the start of the first, in seconds."""
        return sum(frame.seconds for frame in self._frames)

    def skip(self) -> bool:
        """Drops all frames. False if there were none."""
        moving = bool(self._frames)
        self._frames.clear()
        self._started = None
        return moving
