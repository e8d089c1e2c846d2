"""A game of Diamond as the board's events tell it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kimberley.client.boards.diamond.events import GameEvent, start_of
from kimberley.games.diamond.rules import State
from kimberley.games.table import Decide, Result


def read_events(story: Sequence[tuple[Any, Any]], state: State | None = None, first: int = 0) -> list[GameEvent]:
    """Returns the turns of a story from its first state; or of the rest of one, from `state` before ask `first`."""
    events: list[GameEvent] = []
    state = state or start_of(story)
    for step, (ask, answer) in enumerate(story, start=first):
        if isinstance(state.ask(), Result):
            break
        after = state.apply(answer)
        if isinstance(ask, Decide):
            events.append(GameEvent(step, state, answer, after))
        state = after
    return events
