"""How long events are shown, and how a pawn moves along its way, square by square."""

from __future__ import annotations

from typing import Final

from kimberley.client.boards.game_ui import Pace
from kimberley.client.boards.mine.events import GameEvent, Kind
from kimberley.games.mine.rules import State
from kimberley.games.table import evolve

STEP: Final = 0.22
"""Seconds that a pawn spends on each square of its way."""
PAUSE: Final[dict[Kind, float]] = {
    "lots": 1.2, "filled": 0.8, "placed": 0.5, "cards": 1.2, "moved": 0.5, "opened": 1.3, "took": 0.9, "left": 1.2,
}  # fmt: skip
"""Seconds for which the outcome of an event is shown."""


def pace(event: GameEvent) -> Pace:
    """Returns how long an event is shown: the way of a pawn, then the outcome."""
    moving = STEP * (len(event.way) - 1) if event.kind == "moved" else 0.0
    return Pace(moving, moving + PAUSE[event.kind])


def on_the_way(event: GameEvent, since: float) -> tuple[State, int] | None:
    """Returns the state `since` seconds after a move began, and the square that its pawn has reached; None once it has
    arrived.
    """
    if event.kind != "moved" or event.seat is None or since >= pace(event).moving:
        return None
    entered = event.way[: int(since / STEP) + 1]
    _, picked, dropped = event.answer
    mine = event.before.mine.moved(
        event.seat, entered[-1], [square for square in picked if square in entered],
        [drop for drop in dropped if drop[0] in entered],
    )  # fmt: skip
    return evolve(event.before, mine=mine), entered[-1]
