"""The music of the land game: what a turn sounds like."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kimberley.client.audio.cue import STAGE
from kimberley.client.boards.game_music import GameMusic
from kimberley.client.boards.land.events import GameEvent, SeatLeft, river_losses
from kimberley.client.boards.land.suite import SUITE
from kimberley.games.land.deals import BUY
from kimberley.games.land.land import GOVERNMENT
from kimberley.games.land.money import GOAL, START
from kimberley.games.land.rules import State

STAGE_ROUNDS: Final = 3
"""The turns of each player that make a stage."""


class LandMusic(GameMusic[State, GameEvent]):
    """Buying is cheerful, unless somebody lived there. A stage is over when each player has had some turns."""

    suite = SUITE

    def heard(self, event: GameEvent) -> Sequence[tuple[str, float]]:
        if isinstance(event, SeatLeft):
            return [("ruined", 1.0)]
        bought = [done for done in event.dealt if done.deal[0] == BUY]
        cues = []
        if event.ruined:
            cues.append(("ruined", 1.0))
        elif any(done.seller != GOVERNMENT for done in bought):
            cues.append(("evicted", 0.7))
        else:
            cues.append(("bought", 0.2) if bought else ("turn", 0.1))
        if river_losses(event):
            cues.append(("cut off", 0.5))
        rounds = _rounds(event.after)
        if rounds > _rounds(event.before) and rounds % STAGE_ROUNDS == 0:
            cues.append((STAGE, 0.4))
        return cues

    def near_end(self, state: State) -> float:
        by_turns = _rounds(state) / state.limit if state.limit else 0.0
        by_cash = (max(state.cash) - START) / (GOAL - START)
        return min(1.0, max(0.0, by_turns, by_cash))


def _rounds(state: State) -> int:
    """Returns how many turns each player who is still in the game has had."""
    return min((played for seat, played in enumerate(state.played) if state.alive(seat)), default=max(state.played))


MUSIC: Final = LandMusic()
