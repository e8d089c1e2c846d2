"""Boards on a portrait screen: all can be read, all can be touched, and a game needs no key."""

from __future__ import annotations

import importlib
from typing import Final

import pytest

from kimberley.client.screens.app import App
from tests.support.asyncs import run
from tests.support.board_snapshots import Scenario, other_pictures
from tests.support.touching import Toucher, faults, portrait_games

FEW: Final = 30
"""Steps of a game that are played in a moment."""
LONG: Final = 2000
GAMES: Final = portrait_games()


def scenario_of(game: str) -> Scenario:
    """The game that is photographed."""
    found = importlib.import_module(f"tests.client.boards.{game.replace('-', '_')}.test_snapshots").SCENARIO
    assert isinstance(found, Scenario)
    return found


@pytest.mark.parametrize("game", GAMES)
def test_choices_are_made_by_touch_alone_and_nothing_is_cut_off_or_too_small(game: str) -> None:
    async def play() -> Toucher:
        toucher = Toucher(scenario_of(game))
        assert toucher.play(FEW)
        return toucher

    assert run(play()).faults == set()


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_is_played_by_touch_alone(game: str) -> None:
    async def play() -> Toucher:
        toucher = Toucher(scenario_of(game))
        toucher.play(LONG)
        return toucher

    played = run(play())
    assert played.over
    assert played.faults == set()


@pytest.mark.parametrize("game", GAMES)
def test_a_replay_the_end_and_what_a_spectator_sees_fit(game: str) -> None:
    def faults_of(app: App, size: tuple[int, int], *, depths: bool) -> str:
        del depths
        return "; ".join(faults(app, size))

    async def look() -> dict[str, str]:
        return other_pictures(scenario_of(game), (40, 40), faults_of)

    assert {name: found for name, found in run(look()).items() if found} == {}
