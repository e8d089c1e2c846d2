"""A game's screen moves on by its tick alone. Drawing it changes nothing, however often and for whatever time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest

from kimberley.client.audio.port import NoAudio
from kimberley.client.audio.sound import Sound
from kimberley.client.boards.game_screen import GameScreen
from kimberley.client.boards.registry import find_board
from kimberley.client.ui.canvas import Canvas
from kimberley.games.table import Result
from tests.support.angola import PretendUi
from tests.support.asyncs import run
from tests.support.board_snapshots import PORTRAIT_SIZE
from tests.support.effort import first_is_quick, one_is_quick
from tests.support.pretend import pretend_app
from tests.support.whole_game_table import WholeGameTable, at_random

SEATS: Final = {"diamond-trust": 2, "diamond": 2, "land": 2, "mine": 2, "piecepack": 3}
ASKS: Final = 14
OFFERED: Final = (0.0, 0.3, 1.5, 30.0)
"""Seconds between the ticks after an ask. Some of what was answered before it is still to be shown."""
ANSWERED: Final = (0.0, 0.3)
"""Seconds between the ticks after an answer."""
LATER: Final = 60.0
"""Seconds after the present for which a screen is drawn as well."""


class Ear(NoAudio):
    """Keeps the sounds that are played."""

    def __init__(self) -> None:
        self.sounds: list[Sound] = []

    def play(self, sound: Sound) -> None:
        self.sounds.append(sound)


class Onlooker:
    """A player with the guide, who chooses at random."""

    def __init__(self, game: str, size: tuple[int, int], draw: Callable[[Onlooker], object]) -> None:
        """Takes what to `draw` before each tick, and after it."""
        self.ui, self.size, self._draw = PretendUi(), size, draw
        self.ear = self.ui.audio = Ear()
        self.table = WholeGameTable(game, SEATS[game], 1, at_random(1), self.ui.now, {})
        self.screen = GameScreen(find_board(game).game, self.table, self.ui)
        self.screen.opened()
        self.screen.start_guide()
        self.drawn: list[object] = []
        self.told: list[object] = []
        """What had been heard and told after each tick, and where the board and the guide were."""

    def look(self, later: float = 0.0) -> object:
        """Returns all that is drawn for a time after the present."""
        canvas = Canvas(*self.size, self.ui.palette, portrait=self.size == PORTRAIT_SIZE)
        self.screen.draw(canvas, self.ui.time + later)
        rows = [canvas.row(y) for y in range(canvas.height)]
        return rows, canvas.hits, canvas.resting, canvas.strip, canvas.left_out

    @property
    def state(self) -> object:
        guide, head = self.screen.guide, self.screen.head
        return [*self.ear.sounds], [*self.ui.toasts], head.at, head.since, guide.at, guide.running

    def play(self) -> None:
        for _ in range(ASKS):
            if isinstance(self.table.ask, Result):
                return
            for happen, moments in ((self.table.offer, OFFERED), (self.table.answer, ANSWERED)):
                happen()
                for seconds in moments:
                    self.ui.time += seconds
                    self._draw(self)
                    self.screen.tick(self.ui.time)
                    self.told.append(self.state)
                    self.drawn.append(self._draw(self))


def draw_often(player: Onlooker) -> object:
    """Draws what will come, and twice what is there now. Returns the latter."""
    before = player.state
    player.look(LATER)
    first, again = player.look(), player.look()
    assert first == again
    assert player.state == before
    return first


@pytest.mark.slow
@pytest.mark.parametrize("size", first_is_quick((80, 24), PORTRAIT_SIZE), ids=["terminal", "phone"])
@pytest.mark.parametrize("game", one_is_quick("land", SEATS))
def test_however_often_a_board_is_drawn_ticks_alone_move_it_on(game: str, size: tuple[int, int]) -> None:
    once, often, never = (Onlooker(game, size, draw) for draw in (Onlooker.look, draw_often, lambda _: None))
    for player in (once, often, never):
        player.play()
    assert once.drawn == often.drawn
    assert once.told == often.told == never.told
    assert never.ear.sounds
    assert never.screen.guide.at > 0


def test_the_last_seconds_are_heard_by_the_tick_and_not_by_the_frame_around_a_board() -> None:
    async def main() -> None:
        app = pretend_app()
        ear: Any = Ear()
        app.audio = ear
        table = WholeGameTable("diamond", 2, 1, at_random(1), app.now, {})
        app.take_seat(table)
        flow, screen = app.table_flow, app.stack[-1]
        assert flow is not None
        assert isinstance(screen, GameScreen)
        table.put(final_adjustment_until=100.0)
        ear.sounds.clear()
        for now in (95.0, 95.0, 96.5):
            flow.frame.paint(screen, Canvas(80, 24), now, alone=True)
        assert ear.sounds == []
        for now in (95.0, 95.0, 96.5):
            flow.sounds.tick(now)
        assert ear.sounds == [Sound.CLOCK] * 2

    run(main())
