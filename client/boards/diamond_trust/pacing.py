"""How long each event is shown."""

from __future__ import annotations

import math
from typing import Final

from kimberley.client.boards.diamond_trust.animation import moving_seconds
from kimberley.client.boards.diamond_trust.events import (
    AgentMoved,
    AgentPaid,
    AgentReturned,
    AgentTold,
    AgentTurned,
    AuctionHeld,
    ChoicesSealed,
    DiamondsConfiscated,
    GameEvent,
    InspectorDrawn,
    InspectorSent,
    MonthBegun,
    MonthSummed,
    PlanChanged,
    PlanMade,
    SaleMade,
)
from kimberley.client.boards.game_ui import Pace
from kimberley.games.diamond_trust.position import RoundStep

OWN: Final = (AgentPaid, AgentTold, PlanMade, ChoicesSealed)
"""Events that take no time at a seat: the player has just chosen them, or the last look shows them."""
SHOWN: Final[dict[type[GameEvent], float]] = {
    InspectorDrawn: 0.9, MonthBegun: 0.9, AgentTurned: math.inf, AgentMoved: 0.6, AgentReturned: 0.6,
    InspectorSent: 0.9, DiamondsConfiscated: 0.9, AuctionHeld: 0.9, MonthSummed: math.inf, SaleMade: 2.0,
    PlanChanged: 2.0,
}  # fmt: skip
"""The least seconds for which an event is shown at a seat."""
STOPS: Final = (AgentTurned, MonthSummed)
"""Events that the player must not miss: showing all at once stops there."""
SUMMED: Final = 4.0
"""The least seconds for which a spectator sees what a month has brought."""
STEPPING: Final = 1.2
"""The least seconds for which any event is shown to a spectator and in a replay."""


def pace(event: GameEvent, you: int | None) -> Pace:
    """Returns how long an event moves and is shown. No event takes time from a last look. A report that an agent of
    the player was bribed stays until the player goes on, like a treason.
    """
    if you is None:
        return Pace(moving_seconds(event), SUMMED if isinstance(event, MonthSummed) else STEPPING)
    if isinstance(event, AgentTold) and event.seat == you and event.bribed:
        return Pace(0.0, math.inf, stops=True)
    last_look = event.played.step in (RoundStep.PLAN_TOLD, RoundStep.SALE_TOLD)
    own = isinstance(event, OWN) or (isinstance(event, PlanChanged) and event.seat == you)
    if last_look or own or type(event) not in SHOWN:
        return Pace(lasting=0.0)
    return Pace(moving_seconds(event), SHOWN[type(event)], isinstance(event, STOPS))
