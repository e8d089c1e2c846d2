"""The music of Diamond: which turn is which cue."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kimberley.client.audio.cue import STAGE
from kimberley.client.boards.diamond.events import GameEvent
from kimberley.client.boards.diamond.suite import SUITE
from kimberley.client.boards.game_music import GameMusic
from kimberley.games.diamond.position import PIECES, Movement, Placement, Removal, Swap
from kimberley.games.diamond.rules import State

STAGE_TURNS: Final = 8
PLACING_PART: Final = 0.35
"""The part of the music that belongs to the placement."""


class DiamondMusic(GameMusic[State, GameEvent]):
    """Captures cut in, and the fewer pieces a side has left, the nearer the end sounds."""

    suite = SUITE

    def heard(self, event: GameEvent) -> Sequence[tuple[str, float]]:
        cues = []
        match event.written.move:
            case Movement() if event.captured:
                cues.append(("capture", 0.9))
            case Placement() | Movement():
                cues.append(("moved", 0.15))
            case Removal():
                cues.append(("removed", 0.35))
            case Swap():
                cues.append(("swap", 0.5))
        if event.written.offers:
            cues.append(("offer", 0.4))
        if event.step % STAGE_TURNS == 0:
            cues.append((STAGE, 0.5))
        return cues

    def near_end(self, state: State) -> float:
        position = state.position
        if position.left:
            return PLACING_PART * (1 - position.left / (2 * PIECES))
        lost = PIECES - min(position.material(color) for color in (0, 1))
        return PLACING_PART + (1 - PLACING_PART) * lost / PIECES


MUSIC: Final = DiamondMusic()
