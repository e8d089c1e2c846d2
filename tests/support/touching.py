"""What a person with a phone needs of every screen: nothing is cut off, all that is touched is large enough, and a game
can be played without a key.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable
from functools import partial
from random import Random
from typing import Final

from kimberley.client.boards.game_screen import GameScreen
from kimberley.client.boards.registry import find_board
from kimberley.client.browser.page_window import PageWindow
from kimberley.client.screens.app import App
from kimberley.client.session.settings import Settings
from kimberley.client.ui.canvas import Canvas, HitArea
from kimberley.games import lookup
from kimberley.games.table import Result
from tests.support import board_screens
from tests.support.board_snapshots import PORTRAIT_SIZE, QUIET, Clock, Scenario
from tests.support.cut_text import noting_cuts
from tests.support.pretend import PretendServices
from tests.support.pretend_page import START, PretendPage
from tests.support.whole_game_table import WholeGameTable

LEAST: Final = (4, 2)
"""The least columns and rows of what is touched."""
KEYS: Final = re.compile(
    r"\b[Pp]ress [a-z0-9=?]\b|\b(Enter|Esc|Tab|Space|PgUp|PgDn|Ctrl-.|F\d+|Arrows|[Cc]licks?)\b|\b[Tt]ype [a-h]\d"
    r"|\bwith [b-z]\b|\([a-z]\)|(?<![\w’])([b-z] (again|[a-z]+s)|[=<] [a-z]{2,}s|a (again|is|marks|shows|switches))\b"
)
"""How a sentence names a key."""
ACROSS: Final = (80, 27)
"""The cells of a phone that is held across."""
ELSEWHERE: Final = frozenset({"key:f10", "key:f5", "key:l", "key:c", "key:a", "nothing"})
"""What a player who only plays does not touch."""
LOOKED_AT: Final = 5
"""How many touches for each choice are followed by a close look."""
MOST_TOUCHES: Final = 3000
"""How often a player who touches at random may do so for one choice."""


def portrait_games() -> list[str]:
    """Returns the games whose boards have a portrait layout."""
    return [game for game in lookup.ids() if find_board(game).game.view(("ana", "ben"), 0).portrait]


def too_small(canvas: Canvas) -> list[tuple[Hashable, tuple[int, int]]]:
    """Returns what is to be touched on a canvas and is smaller than a finger, with its columns and rows."""
    places: dict[Hashable, list[HitArea]] = {}
    for area in canvas.hits:
        places.setdefault(area.action, []).append(area)
    sizes = {
        action: (
            max(each.x + each.width for each in areas) - min(each.x for each in areas),
            max(each.y + each.height for each in areas) - min(each.y for each in areas),
        )
        for action, areas in places.items()
    }
    return [(action, size) for action, size in sizes.items() if size[0] < LEAST[0] or size[1] < LEAST[1]]


def faults(app: App, size: tuple[int, int] = PORTRAIT_SIZE) -> list[str]:
    """Returns what is wrong with what the app shows, for somebody with a phone."""
    return drawn(app, size)[1]


def drawn(app: App, size: tuple[int, int]) -> tuple[Canvas, list[str]]:
    """Returns what the app shows, and what is wrong with it."""
    with noting_cuts() as cut:
        canvas = app.draw(*size)
    said = [line for line in canvas.lines() if "too small" in line]
    small = [f"too small: {each}" for each in too_small(canvas)]
    keys = [] if app.window.has_keys else [f"names a key: {line}" for line in canvas.lines() if KEYS.search(line)]
    return canvas, [*said, *(f"cut off: {text}" for text in cut), *small, *keys] if canvas.portrait else keys


def phone_app(clock: Clock) -> App:
    """Returns the app on a phone."""
    settings = Settings(nickname="ana", calm=True, guided=list(lookup.ids()))
    start = {**START, "touch": True}
    app = App(settings, PretendServices(), partial(PageWindow, port=PretendPage(), start=start))
    app.now = clock.now  # type: ignore[method-assign]
    return app


class Toucher:
    """Plays at seat 0 of a whole game on a phone, by touching at random what can be touched."""

    def __init__(self, scenario: Scenario, seed: int = 1, size: tuple[int, int] = PORTRAIT_SIZE) -> None:
        self.clock = Clock()
        self.app = phone_app(self.clock)
        self._size = size
        self.table: WholeGameTable = scenario.table(self.clock)
        screen = board_screens.live_screen(self.table, self.app)
        assert isinstance(screen, GameScreen)
        self.screen = screen
        self.app.push(self.screen)
        self._chance = Random(seed)
        self._touched: Counter[Hashable] = Counter()
        """How often each action was touched for the choice that is being made."""
        self.faults: set[str] = set()

    @property
    def over(self) -> bool:
        return isinstance(self.table.ask, Result)

    def play(self, choices: int) -> None:
        """Plays until that many choices were made by touch, or to the end of the game."""
        chosen = 0
        while chosen < choices and not self.over:
            self.clock.time += QUIET
            self.table.offer()
            if self.table.arena_peer.asked is not None:
                self._choose()
                chosen += 1
            self.table.answer()
            self.look()

    def look(self) -> Canvas:
        """Returns what is shown now, and notes what is wrong with it."""
        canvas, faults = drawn(self.app, self._size)
        self.faults.update(faults)
        return canvas

    def _choose(self) -> None:
        """Touches until the choice is made."""
        self._touched.clear()
        for number in range(MOST_TOUCHES):
            if self.table.arena_peer.asked is None or 0 in self.table.decided:
                return
            self._touch(self.look() if number < LOOKED_AT else self.app.draw(*self._size))
            self.clock.time += 0.2
        raise AssertionError(f"nothing was chosen by touch:\n{self.app.draw(*self._size).lines()}")

    def _touch(self, canvas: Canvas) -> None:
        areas = [area for area in canvas.hits if area.action not in ELSEWHERE]
        if not areas:
            self.clock.time += QUIET
            return
        keys = [area for area in areas if str(area.action).startswith("key:")]
        if keys and self._chance.random() < 0.4:
            area = self._chance.choice(keys)
        else:
            # Whoever touches again what led nowhere needs many more touches.
            least = min(self._touched[area.action] for area in areas)
            area = self._chance.choice([area for area in areas if self._touched[area.action] == least])
        self._touched[area.action] += 1
        self.app.touch(area.x + area.width // 2, area.y + area.height // 2, "left")
