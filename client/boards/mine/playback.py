"""What happened, shown one thing after another: pawns go square by square, cards are turned, veins are opened."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from client.boards.mine.course import Happening, told
from games.mine.rules import State
from games.table import changed

STEP: Final = 0.22
"""Seconds for which a pawn is seen on a square of its way."""
PAUSE: Final[dict[str, float]] = {
    "lots": 1.2, "filled": 0.0, "placed": 0.5, "cards": 1.2, "moved": 0.5, "opened": 1.3, "took": 0.9, "left": 1.2,
}  # fmt: skip
"""Seconds for which what happened stays, by kind."""


@dataclass(frozen=True, slots=True)
class Beat:
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


def beats(what: Happening, names: Sequence[str]) -> list[Beat]:
    """A happening, bit by bit."""
    said = " ".join(told(what, names))
    cards = what.cards if what.kind == "cards" else what.before.cards
    last = Beat(what.before, what.after, PAUSE[what.kind], said, what.kind, what.seat, what.square, cards)
    if what.kind != "moved" or what.seat is None:
        return [last] if last.seconds else []
    _, picked, dropped = what.answer
    made = []
    for count, square in enumerate(what.way[:-1], start=1):
        entered = what.way[:count]
        mine = what.before.mine.moved(
            what.seat, square, [each for each in picked if each in entered],
            [each for each in dropped if each[0] in entered],
        )  # fmt: skip
        made.append(Beat(what.before, changed(what.before, mine=mine), STEP, said, what.kind, what.seat, square, cards))
    return [*made, last]


class Reel:
    """Beats that still have to be shown. With `calm` nothing is ever kept: what happened is shown at once."""

    def __init__(self, calm: bool = False) -> None:
        self.calm = calm
        self._beats: deque[Beat] = deque()
        self._started: float | None = None

    def add(self, more: Iterable[Beat]) -> None:
        """Appends beats."""
        if not self.calm:
            self._beats.extend(more)

    def current(self, now: float) -> Beat | None:
        """The beat that runs at `now`; None where nothing is left."""
        while self._beats:
            if self._started is None:
                self._started = now
            if now < self._started + self._beats[0].seconds:
                return self._beats[0]
            self._started += self._beats.popleft().seconds
        self._started = None
        return None

    def due(self, now: float) -> float | None:
        """When the beat that runs at `now` is over."""
        beat = self.current(now)
        return None if beat is None or self._started is None else self._started + beat.seconds

    @property
    def seconds(self) -> float:
        """How long all that is left lasts, from its start."""
        return sum(beat.seconds for beat in self._beats)

    def skip(self) -> bool:
        """Jumps to the end of all of it. False if there was nothing."""
        moving = bool(self._beats)
        self._beats.clear()
        self._started = None
        return moving
