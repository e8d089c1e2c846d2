"""The phase strip of every game: what it says of an event is next to the turn, round or phase of that event."""

from __future__ import annotations

import pytest

from kimberley.client.boards.game_timeline import GameTimeline
from kimberley.client.boards.live_context import LiveContext
from kimberley.client.boards.registry import find_board
from kimberley.client.ui.canvas import Canvas
from kimberley.games import lookup
from kimberley.games.table import Result
from tests.client.boards.test_portrait import scenario_of
from tests.support.board_snapshots import Clock
from tests.support.effort import one_is_quick

ROOM = 200
WAITS = frozenset({"diamond-trust"})
"""Games whose strip says of the present only what is waited for."""


@pytest.mark.parametrize("game", one_is_quick("diamond", lookup.ids()))
def test_an_event_stands_beside_its_own_turn_also_when_the_next_one_has_begun(game: str) -> None:
    table = scenario_of(game).table(Clock())
    while not isinstance(table.ask, Result):
        table.answer()
    told = 0
    for you, story in ((table.occupants.seat, table.arena_peer.story), (None, table.seen)):
        timeline = GameTimeline(find_board(game).game, table.start, table.occupants.names, you)
        timeline.refresh(story, None)
        timeline.draw(Canvas(80, 24), 0, 0.0, LiveContext())
        for at in range(1, len(timeline.events) + 1):
            phase, said = timeline.view.strip(timeline.shown(at), ROOM)
            now, last = timeline.view.strip(timeline.shown(at, around=LiveContext(live=True)), ROOM)
            if said and last.startswith(said):
                told += 1
                assert now == phase, said
    assert told or game in WAITS
