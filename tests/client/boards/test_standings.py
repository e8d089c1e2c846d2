"""The result of a game in three rows, on every form of screen."""

from __future__ import annotations

import pytest

from kimberley.client.boards.standings import draw_standings
from kimberley.client.ui.canvas import Canvas
from kimberley.games.table import Result
from tests.support.cut_text import noting_cuts

NAMES = ("ana", "ben", "carla", "dmitri", "eva", "florian")


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_a_portrait_screen_has_all_places_and_cuts_nothing_off(seats: int) -> None:
    canvas = Canvas(40, 3, portrait=True)
    scores = tuple((100 + seat,) for seat in range(seats))
    result = Result(tuple(range(seats, 0, -1)), scores, "the last tile was drawn, and then some more")
    with noting_cuts() as cut:
        draw_standings(canvas, NAMES[:seats], result, 0)
    text = "\n".join(canvas.lines())
    assert not cut
    assert all(str(100 + seat) in text for seat in range(seats))
    assert f"{NAMES[seats - 1]} has won." in text
    assert seats > 4 or all(name in text for name in NAMES[:seats])
