"""Games as people write them down."""

from __future__ import annotations

from random import Random
from typing import Final

from kimberley.games.diamond.score_sheet import ScoreSheet, write_sheet
from kimberley.games.land import GAME as LAND
from kimberley.games.land.account_sheet import sheet_from_story
from kimberley.games.land.account_sheet import write_sheet as write_land
from kimberley.games.land.rules import State as LandState
from kimberley.games.table import Result, space_for

DIAMOND_SHEET: Final = write_sheet(ScoreSheet(("d4", "e5", "c3", "b2"), (1,)))


def land_sheet() -> str:
    """Returns a short game of the land, played at random."""
    rng = Random(5)
    start = LAND.start(3, dict(LAND.quick), 1)
    assert isinstance(start, LandState)
    state, story = start, []
    while not isinstance(ask := state.ask(), Result):
        space = next((space for seat in range(3) if (space := space_for(ask, seat)) is not None), None)
        answer = space.pick(rng) if space is not None else tuple(rng.randrange(side) for side in ask.sides)  # type: ignore[attr-defined]
        story.append((ask, answer))
        state = state.apply(answer)
    return write_land(sheet_from_story(start, story))
