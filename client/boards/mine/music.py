"""The music of Diamond Mine: which event is which cue."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kimberley.client.audio.cue import STAGE
from kimberley.client.boards.game_music import GameMusic
from kimberley.client.boards.mine.events import GameEvent
from kimberley.client.boards.mine.suite import SUITE
from kimberley.games.mine.rules import State


class MineMusic(GameMusic[State, GameEvent]):
    """A vein that opens rings out. A stage is over when a vein is exhausted."""

    suite = SUITE

    def heard(self, event: GameEvent) -> Sequence[tuple[str, float]]:
        cues: list[tuple[str, float]] = []
        match event.kind:
            case "placed" | "cards":
                cues.append((event.kind, 0.1))
            case "moved":
                cues.append(("home", 0.6) if event.points else ("moved", 0.15))
            case "opened":
                cues.append(("vein", 0.8))
            case "took":
                cues.append(("took", 0.35))
            case "left":
                cues.append(("left", 0.7))
        if event.after.mine.exhausted > event.before.mine.exhausted:
            cues.append((STAGE, 0.6))
        return cues

    def near_end(self, state: State) -> float:
        return min(1.0, state.mine.exhausted / state.veins_to_end)


MUSIC: Final = MineMusic()
