"""Boards on a portrait screen: all can be read, all can be touched, and a game needs no key."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import pytest

from kimberley.client.boards.game_screen import GameScreen
from kimberley.client.boards.registry import find_board
from kimberley.client.screens.app import App
from kimberley.client.session.bots import play_alone
from kimberley.games.table import Result
from tests.support import board_screens
from tests.support.asyncs import run
from tests.support.board_snapshots import PORTRAIT_SIZE, QUIET, Clock, Scenario, app_at, finished_game, other_pictures
from tests.support.effort import OTHER_VALUE, first_is_quick, one_is_quick, spread, tries
from tests.support.touching import ACROSS, Toucher, drawn, faults, phone_app, portrait_games

FEW: Final = 4
"""Choices that are made in a moment."""
GUIDED: Final = 2
LONG: Final = 2000
GAMES: Final = portrait_games()
SEEDS: Final = (1, 6)
PHASES: Final = {
    "diamond": ("PLACE", "MOVE"),
    "diamond-trust": ("PAY", "MOVE", "ADJUST", "INSPECTOR", "SALE"),
    "land": ("BUY",),
    "mine": ("NESTS", "CARD", "MOVE", "VEIN"),
    "piecepack": ("EXPLORE", "ACT", "TRAVEL", "DEFEND!", "STEAL", "PEEK"),
}
"""The phases of the first player in the games of these seeds, which are played at random."""
SLOWEST: Final = ("diamond", "land")
"""Games that take more than a second by touch."""


def scenario_of(game: str) -> Scenario:
    """Returns the game that is photographed."""
    found = importlib.import_module(f"tests.client.boards.{game.replace('-', '_')}.test_snapshots").SCENARIO
    assert isinstance(found, Scenario)
    return found


@pytest.mark.parametrize(
    ("game", "size"),
    [
        pytest.param(game, size, id=f"{game}-{held}", marks=marks if game in slow else ())
        for held, size, slow, marks in (
            ("upright", PORTRAIT_SIZE, (*SLOWEST, "mine"), pytest.mark.slow),
            ("across", ACROSS, GAMES[1:], OTHER_VALUE),
        )
        for game in GAMES
    ],
)
def test_choices_are_made_by_touch_alone_no_key_is_named_and_upright_nothing_is_cut_off_or_too_small(
    game: str, size: tuple[int, int]
) -> None:
    async def play() -> Toucher:
        toucher = Toucher(scenario_of(game), size=size)
        toucher.play(FEW)
        return toucher

    assert run(play()).faults == set()


def keys_named(app: App, *opening: str) -> set[str]:
    """Returns the keys that are named in what some keys open, down to its end."""
    for key in opening:
        app.key(key)
    before, found = None, set[str]()
    while (shown := drawn(app, PORTRAIT_SIZE))[0].lines() != before:
        before = shown[0].lines()
        found |= {fault for fault in shown[1] if "key" in fault}
        app.key("pagedown")
    while len(app.stack) > 1:
        app.key("esc")
    return found


@pytest.mark.parametrize("game", one_is_quick("diamond-trust", GAMES))
def test_what_helps_on_a_phone_names_no_key(game: str) -> None:
    async def read() -> set[str]:
        toucher = Toucher(scenario_of(game))
        toucher.play(1)
        openings = (("f1", "tab"), ("l",), ("l", "f1"), ("f10",))
        return set().union(*(keys_named(toucher.app, *opening) for opening in openings))

    assert run(read()) == set()


def phone_choices(scenario: Scenario) -> Iterator[tuple[GameScreen, App]]:
    """Yields a game alone on a phone, played at random: at each of the player's choices, and while others choose."""
    clock = Clock()
    app, table = phone_app(clock), scenario.table(clock)
    play_alone(table, 1)
    screen = GameScreen(find_board(scenario.game).game, table, app)
    app.push(screen)
    while not isinstance(table.ask, Result):
        table.offer()
        clock.time += QUIET
        while screen.busy(clock.time):
            app.key("enter")
            clock.time += QUIET
        yield screen, app
        table.answer()


@pytest.mark.slow
@pytest.mark.parametrize("game", one_is_quick("diamond", GAMES))
def test_the_help_of_every_phase_names_no_key_on_a_phone(game: str) -> None:
    async def read() -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for seed in SEEDS:
            for screen, app in phone_choices(replace(scenario_of(game), seed=seed)):
                form = screen.form(app.now())
                phase = form.phase if form is not None else ""
                if phase not in found:
                    found[phase] = {*keys_named(app, "f1"), *keys_named(app), *drawn(app, ACROSS)[1]}
        return found

    found = run(read())
    assert {phase: named for phase, named in found.items() if named} == {}
    assert found.keys() == {"", *PHASES[game]}


@pytest.mark.slow
@pytest.mark.parametrize("game", one_is_quick("diamond-trust", GAMES))
def test_the_guide_leaves_room_to_play_by_touch(game: str) -> None:
    async def play() -> Toucher:
        toucher = Toucher(scenario_of(game))
        toucher.screen.start_guide()
        toucher.play(GUIDED)
        return toucher

    assert run(play()).faults == set()


@pytest.mark.slow
@pytest.mark.parametrize("game", spread(1, tries([game for game in GAMES if game not in SLOWEST], GAMES)))
def test_a_whole_game_is_played_by_touch_alone(game: str) -> None:
    async def play() -> Toucher:
        toucher = Toucher(scenario_of(game))
        toucher.play(LONG)
        return toucher

    played = run(play())
    assert played.over
    assert played.faults == set()


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.nightly
def test_every_position_of_a_replay_fits(game: str) -> None:
    async def look() -> set[str]:
        scenario, clock = scenario_of(game), Clock()
        app, found = app_at(clock), finished_game(scenario)
        replay = board_screens.replay_screen(found, scenario.table(clock).occupants.names, app, 0)
        app.push(replay)
        seen: set[str] = set()
        before: tuple[str, ...] = ()
        while (lines := tuple(app.draw(*PORTRAIT_SIZE).lines())) != before:
            seen |= set(faults(app))
            before = lines
            replay.key("right")
            replay.skip(clock.now())
        for key in ("l", "g", "f1", "f10"):
            app.key(key)
            seen |= set(faults(app))
            app.key("esc")
        return seen

    assert run(look()) == set()


@pytest.mark.parametrize("game", first_is_quick(*GAMES))
def test_a_replay_the_end_and_what_a_spectator_sees_fit(game: str) -> None:
    def faults_of(app: App, size: tuple[int, int], *, depths: bool) -> str:
        del depths
        return "; ".join(faults(app, size))

    async def look() -> dict[str, str]:
        return other_pictures(scenario_of(game), (40, 40), faults_of)

    assert {name: found for name, found in run(look()).items() if found} == {}
