"""How long a board shows each event. A frame asks for all that are still to come, so each is worked out once."""

from __future__ import annotations

from collections import Counter

import pytest

from kimberley.client.boards.game_timeline import GameTimeline
from kimberley.client.boards.playhead import Playhead
from kimberley.client.boards.registry import find_board
from kimberley.games.table import Result
from tests.support.board_snapshots import Clock, Scenario
from tests.support.pretend import pretend_app
from tests.support.whole_game_table import NAMES


@pytest.mark.parametrize("seat", [0, None])
def test_each_pace_is_worked_out_once(monkeypatch: pytest.MonkeyPatch, seat: int | None) -> None:
    table = Scenario("diamond-trust", 2, 3, {}).table(Clock())
    while not isinstance(table.ask, Result):
        table.answer()
    game, asked = find_board("diamond-trust").game, Counter[int]()
    pace = game.pace
    monkeypatch.setattr(game, "pace", lambda event, you: asked.update([id(event)]) or pace(event, you))
    timeline = GameTimeline(game, table.start, NAMES[:2], seat)
    timeline.refresh(table.seen if seat is None else table.all_seats.observation(seat).story, None)
    head = Playhead(timeline, pretend_app())
    shown = [head.to_show for _ in range(3)]
    assert shown[0] == sum(pace(event, seat).lasting > 0 or pace(event, seat).moving > 0 for event in timeline.events)
    assert shown == shown[:1] * 3
    assert set(asked.values()) == {1}
