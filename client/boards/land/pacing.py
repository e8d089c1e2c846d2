"""How long turns are shown, and how dice tumble before they come to rest."""

from __future__ import annotations

from typing import Final

from kimberley.client.boards.game_ui import Pace
from kimberley.client.boards.land.events import GameEvent, SeatLeft, river_losses

FRAME: Final = 0.1
"""Seconds between two frames while dice tumble."""
TUMBLE: Final = 0.4
"""Seconds that dice tumble."""
OWN_TUMBLE: Final = 0.7
OWN_ROLL: Final = 1.2
"""Seconds for which only the player's own dice are shown: tumbling, then at rest."""
LONG: Final = 1.4
SHORT: Final = 0.8
"""Seconds for a turn with deals, and for one without."""
ALARMING: Final = 3.0
"""Seconds for a turn that cut the player off from the river."""
BLINK: Final = 0.3
"""Seconds for which the parcels that it cut off are lit, and then dark, again and again while it is shown."""


def pace(event: GameEvent, you: int | None) -> Pace:
    """Returns how long an event is shown to the player of seat `you`, or to a spectator. One's own turn is not shown
    again.
    """
    if isinstance(event, SeatLeft):
        return Pace(lasting=LONG)
    if event.seat == you:
        return Pace(lasting=0.0)
    if any(loss.seat == you for loss in river_losses(event)):
        return Pace(TUMBLE, ALARMING)
    return Pace(TUMBLE, LONG if event.dealt else SHORT)


def tumbling(number: int, since: float, lasting: float) -> tuple[int, int] | None:
    """Returns the faces of dice that have tumbled for `since` seconds; None after `lasting`, when they have come to
    rest. `number` varies them.
    """
    if not 0 <= since < lasting:
        return None
    frame = int(since / FRAME)
    return (number * 5 + frame * 7) % 11 % 6, (number * 3 + frame * 5) % 13 % 6
