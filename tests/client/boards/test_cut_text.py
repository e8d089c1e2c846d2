"""All that a board shows fits into usual terminals: no text is cut, and the last row has room for its keys."""

from __future__ import annotations

import pytest

from kimberley.client.screens.app import App
from kimberley.client.ui.bars import MOST_HINTS, row_hints
from kimberley.client.ui.hints import Hint
from kimberley.games import lookup
from tests.client.boards.test_portrait import scenario_of
from tests.support.asyncs import run
from tests.support.board_snapshots import Pictures, live_pictures, other_pictures
from tests.support.cut_text import SIZES, Walker, faults
from tests.support.effort import each_once, first_is_quick

GAMES = tuple(lookup.ids())
ASKS = 40
"""So many steps of a game lead to each of its phases."""


def faults_of(app: App, size: tuple[int, int], *, depths: bool) -> str:
    del depths
    return "; ".join(faults(app, size))


@pytest.mark.parametrize("take", [live_pictures, other_pictures])
@pytest.mark.parametrize(("game", "size"), each_once(GAMES, SIZES))
def test_nothing_that_is_photographed_is_cut(game: str, size: tuple[int, int], take: Pictures) -> None:
    async def look() -> dict[str, str]:
        return take(scenario_of(game), size, faults_of)

    assert {name: found for name, found in run(look()).items() if found} == {}


@pytest.mark.parametrize("alone", [False, True], ids=["together", "alone"])
@pytest.mark.parametrize("game", first_is_quick(*GAMES))
def test_nothing_is_cut_whatever_is_pressed(game: str, alone: bool) -> None:
    async def play() -> dict[str, str]:
        walker = Walker(scenario_of(game), alone=alone)
        walker.play(ASKS)
        return walker.faults

    found = run(play())
    assert not found, "\n\n".join(f"{fault}\n{shown}" for fault, shown in found.items())


def test_a_key_row_has_six_keys_at_most_among_them_what_most_people_want() -> None:
    hints = [Hint(key, "key") for key in "abcdefg"]
    done = Hint("d", "done", primary=True)
    assert row_hints(hints, 80) == hints[:MOST_HINTS]
    assert row_hints([*hints, done], 80) == [*hints[: MOST_HINTS - 1], done]
    assert row_hints([*hints, done], 20) == [*hints[:2], done]
