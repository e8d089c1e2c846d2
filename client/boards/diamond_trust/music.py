"""The music of Diamond Trust: which public event is which cue."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kimberley.client.audio.cue import STAGE
from kimberley.client.boards.diamond_trust.events import (
    AgentMoved,
    AgentReturned,
    AuctionHeld,
    ChoicesSealed,
    DiamondsConfiscated,
    GameEvent,
    InspectorDrawn,
    InspectorSent,
    MonthBegun,
    SaleMade,
)
from kimberley.client.boards.diamond_trust.suite import SUITE
from kimberley.client.boards.game_music import GameMusic
from kimberley.games.diamond_trust.angola import FIRST_MONTHS_LEFT
from kimberley.games.diamond_trust.rules import State


class DiamondTrustMusic(GameMusic[State, GameEvent]):
    """Months are stages; what weighs most is what the Inspector takes."""

    suite = SUITE

    def heard(self, event: GameEvent) -> Sequence[tuple[str, float]]:
        match event:
            case MonthBegun():
                return [(STAGE, 0.6)]
            case DiamondsConfiscated():
                return [("confiscated", 1.0)]
            case InspectorDrawn() | InspectorSent():
                return [("inspector", 0.5)]
            case AuctionHeld(agent=None):
                return [("blocked", 0.4)]
            case AuctionHeld():
                return [("auction", 0.45)]
            case SaleMade(sold=sold) if any(sold):
                return [("sale", 0.6)]
            case AgentReturned():
                return [("home", 0.3)]
            case AgentMoved(start=start, to=to):
                return [("trip", 0.2) if start != to else ("offer", 0.1)]
            case ChoicesSealed():
                return [("sealed", 0.1)]
        return []

    def near_end(self, state: State) -> float:
        return state.round() / (FIRST_MONTHS_LEFT + 1)


MUSIC: Final = DiamondTrustMusic()
