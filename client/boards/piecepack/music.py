"""The music of the piecepack game: which event is which cue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from kimberley.client.audio.cue import STAGE
from kimberley.client.boards.game_music import GameMusic
from kimberley.client.boards.piecepack.events import GameEvent
from kimberley.client.boards.piecepack.suite import SUITE
from kimberley.games.piecepack.rules import State
from kimberley.games.piecepack.suits import GOAL

CUES: Final[Mapping[str, tuple[str, float]]] = {
    "lay": ("lay", 0.2),
    "step": ("step", 0.1),
    "jump": ("step", 0.1),
    "sun": ("step", 0.1),
    "moon": ("rest", 0.1),
    "trade": ("rest", 0.1),
    "heart": ("rest", 0.1),
    "peek": ("rest", 0.1),
    "club": ("beaten", 0.9),
    "steal": ("robbed", 0.6),
    "lose": ("war zone", 0.6),
    "sell": ("sale", 0.7),
    "mine": ("mine", 0.35),
    "leave": ("beaten", 0.9),
}
"""The kind and the weight of the cue, by the kind of the event."""


class PiecepackMusic(GameMusic[State, GameEvent]):
    """Beatings are heard in the drums. A stage is over when each player has had a turn."""

    suite = SUITE

    def heard(self, event: GameEvent) -> Sequence[tuple[str, float]]:
        cues = [CUES[event.kind]] if event.kind in CUES else []
        if event.kind == "lay" and event.turn and event.turn % event.before.seats == 0:
            cues.append((STAGE, 0.5))
        return cues

    def near_end(self, state: State) -> float:
        by_tiles = len(state.field) / max(1, len(state.field) + len(state.stack))
        return min(1.0, max(by_tiles, max(state.scores) / GOAL))


MUSIC: Final = PiecepackMusic()
