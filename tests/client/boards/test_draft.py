"""A draft is still there after a reload, and it is never another one."""

from __future__ import annotations

import json
from random import Random
from typing import Final, NamedTuple

import pytest

from kimberley.client.boards.game_screen import GameScreen
from kimberley.client.boards.land.board import LandUI
from kimberley.client.boards.land.form_turn import TurnForm
from kimberley.client.screens.app import App
from kimberley.client.ui.canvas import Canvas
from kimberley.games.table import Plain, Result
from tests.client.boards.test_portrait import GAMES, scenario_of
from tests.support import board_screens
from tests.support.asyncs import run
from tests.support.board_snapshots import PORTRAIT_SIZE, Clock
from tests.support.effort import one_is_quick
from tests.support.land_player import LookUi, Player, playing, rich
from tests.support.touching import ELSEWHERE, phone_app

CHOICES: Final = 14
TOUCHES: Final = 12
LEAST_KEPT: Final = 5


class Drafted(NamedTuple):
    """What is chosen so far, in sentences, and what the player is told."""

    chosen: tuple[str, ...]
    sentence: str


class Reloads:
    """Plays at seat 0 on a phone, and reloads its page after each touch of a choice."""

    def __init__(self, game: str) -> None:
        self.kept = self.lost = 0
        """How many drafts with something in them were there again, and how many were not."""
        self._chance = Random(game)
        clock = self._clock = Clock()
        self._app, self._table = phone_app(clock), scenario_of(game).table(clock)
        self._screen = self._open(self._app)

    def play(self, choices: int) -> None:
        while choices and not isinstance(self._table.ask, Result):
            self._clock.time += 4
            self._table.offer()
            if self._table.arena_peer.asked is not None:
                choices -= 1
                self._touch_around()
            self._table.answer()

    def _touch_around(self) -> None:
        for _ in range(TOUCHES):
            self._clock.time += 1
            canvas = self._app.draw(*PORTRAIT_SIZE)
            form = self._screen.form(self._clock.time)
            if self._app.stack[-1] is self._screen and form is not None and not form.sealed and self._app.draft:
                self._reload()
            if self._table.arena_peer.asked is None or 0 in self._table.decided:
                return
            if areas := [area for area in canvas.hits if area.action not in ELSEWHERE]:
                action = self._chance.choice(list(dict.fromkeys(area.action for area in areas)))
                area = self._chance.choice([area for area in areas if area.action == action])
                self._app.touch(area.x + area.width // 2, area.y + area.height // 2, "left")

    def _reload(self) -> None:
        drafted, fresh, found = self._drafted(self._screen), self._after(""), self._after(self._app.draft)
        assert found.chosen in (drafted.chosen, fresh.chosen), self._app.draft
        if drafted != fresh:
            self.kept += found == drafted
            self.lost += found != drafted

    def _after(self, draft: str) -> Drafted:
        """What is drafted in another page that has kept this."""
        app = phone_app(self._clock)
        app.draft = draft
        screen = self._open(app)
        app.draw(*PORTRAIT_SIZE)
        screen.closed()
        return self._drafted(screen)

    def _open(self, app: App) -> GameScreen:
        screen = board_screens.live_screen(self._table, app)
        assert isinstance(screen, GameScreen)
        app.push(screen)
        return screen

    def _drafted(self, screen: GameScreen) -> Drafted:
        form = screen.form(self._clock.time)
        assert form is not None
        state = screen.game.describe(form.drafted, screen.names, 0)
        return Drafted((*state, *form.so_far()), form.sentence(100))


@pytest.mark.slow
@pytest.mark.parametrize("game", one_is_quick("diamond-trust", GAMES))
def test_a_reload_keeps_what_was_drafted(game: str) -> None:
    async def play() -> Reloads:
        reloads = Reloads(game)
        reloads.play(CHOICES)
        return reloads

    played = run(play())
    # A letter that only changes what the board shows is not kept, and what was typed after it may then mean something
    # else.
    assert played.kept >= LEAST_KEPT
    assert played.lost * 5 < played.kept


def reopened(player: Player, kept: str) -> TurnForm:
    """Returns the form on another screen of the player, which has kept this."""
    ui = LookUi()
    ui.draft = kept
    screen = GameScreen(LandUI(), player.table, ui)
    screen.opened()
    screen.tick(ui.time)
    screen.draw(Canvas(80, 24, ui.palette), ui.time)
    form = screen.form(ui.time)
    assert isinstance(form, TurnForm)
    return form


@pytest.mark.parametrize(
    "changed",
    [
        {"inputs": 7},
        {"inputs": [["key", 1], ["key"], ["yes"], [], 5, ["click"], ["click", [], 1, 1]]},
        {"inputs": [["key", "b"]], "draft": ""},
        {"place": 1},
        {"place": ["land", ["ana", "ben", "carla"], 0, 99]},
    ],
)
def test_what_is_no_draft_of_this_choice_is_passed_over(changed: dict[str, Plain]) -> None:
    player = playing(state=rich())
    player.press("b")
    form = reopened(player, json.dumps(json.loads(player.ui.draft) | changed))
    assert not form.draft.begun


def test_pressing_again_hands_nothing_in() -> None:
    player = playing(state=rich())
    player.press("b")
    form = reopened(player, json.dumps(json.loads(player.ui.draft) | {"inputs": [["key", "b"], ["key", "d"]]}))
    assert not form.sealed
    assert player.table.peer is not None
    assert player.table.peer.asked is not None


def test_what_a_key_was_refused_for_is_not_said_again() -> None:
    player = playing(state=rich())
    player.press("b", "u", "u")
    assert player.turn.refusal
    assert not reopened(player, player.ui.draft).refusal


@pytest.mark.parametrize("kept", ["", "{", "[]", "7"])
def test_what_is_no_draft_at_all_is_passed_over(kept: str) -> None:
    assert not reopened(playing(state=rich()), kept).draft.begun


def test_a_choice_that_is_handed_in_is_no_draft_any_more() -> None:
    player = playing(state=rich())
    player.press("b")
    assert json.loads(player.ui.draft)["inputs"] == [["key", "b"]]
    player.press("d")
    assert player.ui.draft == ""


def test_an_answered_question_is_part_of_the_draft() -> None:
    player = playing(state=rich())
    player.press("b", "s")
    ((_, agree),) = player.ui.questions
    agree()
    assert ["yes"] in json.loads(player.ui.draft)["inputs"]
    assert reopened(player, player.ui.draft).draft.choice() == player.turn.draft.choice()
