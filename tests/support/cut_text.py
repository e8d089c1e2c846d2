"""What does not fit on a screen: text that is cut, and keys for which the last row has no room."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any, Final
from unittest.mock import patch

from kimberley.client.boards.game_screen import ASIDE_ROOM, GameScreen
from kimberley.client.boards.game_timeline import GameTimeline
from kimberley.client.boards.live_context import LiveContext
from kimberley.client.boards.registry import find_board
from kimberley.client.boards.view import Strip
from kimberley.client.screens.app import App
from kimberley.client.screens.title import TitleScreen
from kimberley.client.session.bots import play_alone
from kimberley.client.session.participants import only_bots
from kimberley.client.ui import bars, glyphs
from kimberley.client.ui.bars import sentence_room, strip_room
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.keys import Hint
from kimberley.games.table import Result
from tests.support.board_snapshots import QUIET, Clock, Scenario, app_at
from tests.support.clipped import is_clipped
from tests.support.overwritten import noting_overwritten
from tests.support.whole_game_table import LAST_LOOK, WholeGameTable, at_random

SIZES: Final = ((80, 24), (100, 30), (120, 40))
CUT: Final = "⋯"
"""Stands for the ellipsis of a text that is cut: "Starting…" is whole."""

NAME: Final = re.compile(rf"\W*p\w*{CUT}")
"""The name of a player whom a spectator sees: names are cut where there is little room."""
OVER: Final = ("f1", "f10", "l", "?", "c")
"""What opens something over a board."""
KEYS: Final = ("up", "down", "left", "right", "tab", " ", "enter", *"0123456789abdefghijknopqrstuvwxyz/=")
ELSEWHERE: Final = frozenset({"key:f10", "key:f1", "key:f2", "key:f5", "nothing"})
"""What is not clicked: it leads away from the board, or is opened by a key."""
SELDOM: Final = 0.1
CHANGES: Final = 3
"""Keys and clicks for each choice."""


@contextmanager
def noting_cuts() -> Iterator[list[str]]:
    """Notes every text that is cut off while something is drawn."""
    cut: list[str] = []
    put = Canvas.put

    def noting(canvas: Canvas, x: int, y: int, text: str, *args: Any, **values: Any) -> int:
        end = put(canvas, x, y, text, *args, **values)
        if is_clipped(canvas, x, y, text) or (CUT in text and not NAME.match(text)):
            cut.append(text)
        return end

    with patch.object(Canvas, "put", noting), patch.object(glyphs, "ELLIPSIS", CUT):
        yield cut


@contextmanager
def noting_left_out() -> Iterator[list[str]]:
    """Notes every key row that shows fewer keys than it is given, and what it leaves out."""
    left: list[str] = []
    fitting = bars.row_hints

    def noting(hints: Sequence[Hint], room: int) -> list[Hint]:
        shown = fitting(hints, room)
        if len(shown) < min(len(hints), bars.MOST_HINTS):
            left.append(
                ", ".join(f"{hint.key} {hint.label}" for hint in hints if hint not in shown) + f" of {len(hints)}"
            )
        return shown

    with patch.object(bars, "row_hints", noting):
        yield left


def faults(app: App, size: tuple[int, int]) -> list[str]:
    """Returns what does not fit where the app is drawn in a terminal of a size."""
    with noting_cuts() as cut, noting_left_out() as left, noting_overwritten() as torn:
        lines = app.draw(*size).lines()
    twice = [key for key in ("F1 ", "F10 ") if key in lines[0] and key in lines[-1]]
    return [
        *(f"cut: {text.strip()}" for text in cut),
        *(f"left out: {keys}" for keys in left),
        *(f"named twice: {key}" for key in twice),
        *torn,
    ]


class Walker:
    """Plays at seat 0 of a whole game at random, with keys and clicks, and looks at all that it leads to."""

    def __init__(self, scenario: Scenario, *, alone: bool) -> None:
        self._clock = Clock()
        self._app = app_at(self._clock)
        self._table = scenario.table(self._clock)
        if alone:
            play_alone(self._table, 1)
            self._table.put(acquaintance=("you", *["bot"] * (scenario.seats - 1)))
        self._app.push(TitleScreen(self._app))
        self._app.take_seat(self._table)
        screen = self._app.stack[-1]
        assert isinstance(screen, GameScreen)
        self._screen = screen
        self._chance = Random(scenario.seed)
        self.faults: dict[str, str] = {}
        """What does not fit, and the size and the screen where it was found first."""

    def play(self, most: int) -> None:
        """Plays to the end, but at most `most` asks."""
        if only_bots(self._table):
            self._screen.start_guide()
        for _ in range(most):
            if isinstance(self._table.ask, Result):
                break
            self._table.offer()
            self._look_on()
            self._choose()
            self._table.answer()
        self._look_on()

    def _look_on(self) -> None:
        """Looks at what happens, position by position."""
        self.look()
        self._clock.time += QUIET
        while self._screen.busy(self._clock.time):
            self.look()
            self._app.key("enter")
            self._clock.time += QUIET

    def _choose(self) -> None:
        """Looks at the pending choice, at what some keys and clicks lead to, and at what can be opened over it."""
        self.look()
        for key in OVER:
            if self._chance.random() < SELDOM:
                self._app.key(key)
                self.look()
                self._app.pop(self._app.stack[2]) if len(self._app.stack) > 2 else None
        for _ in range(CHANGES):
            if self._table.arena_peer.asked is None or self._table.decided:
                return
            canvas = self._app.draw(*SIZES[0])
            areas = [area for area in canvas.hits if area.action not in ELSEWHERE]
            if areas and self._chance.random() < 0.6:
                area = self._chance.choice(areas)
                self._app.touch(area.x + area.width // 2, area.y + area.height // 2, "left")
            else:
                self._app.key(self._chance.choice(KEYS))
            self._clock.time += 0.5
            self.look()
            self._app.pop(self._app.stack[2]) if len(self._app.stack) > 2 else None

    def look(self) -> None:
        """Notes what does not fit in what is shown now."""
        for size in SIZES:
            for fault in faults(self._app, size):
                if fault not in self.faults:
                    shown = self._app.draw(*size).lines()
                    self.faults[fault] = "\n".join([str(size), *shown])


def cut_sentence(strip: Strip) -> str:
    """Returns what a phase strip of the smallest screen shows of a sentence, if that is not whole."""
    canvas = Canvas(*SIZES[0])
    with noting_cuts() as cut:
        bars.phase_strip(canvas, 1, *strip[:4])
    return f"{strip.phase}: {''.join(cut)}" if cut else ""


class StripReader:
    """Reads the phase strip in each position of a whole game that is played at random: at the table, in a replay, and
    as a spectator. At a table and for a spectator the aside takes all that it may.
    """

    def __init__(self, scenario: Scenario, seed: int, *, last_look: int = LAST_LOOK) -> None:
        self._clock, self._chance = Clock(), Random(seed)
        self._table = WholeGameTable(
            scenario.game, scenario.seats, seed, at_random(seed), self._clock.now, scenario.options, last_look
        )
        self._app = app_at(self._clock)
        self._screen = GameScreen(find_board(scenario.game).game, self._table, self._app)
        self._app.push(self._screen)
        self.faults: set[str] = set()
        """What is cut."""
        self.read = 0
        """How many sentences were read."""

    def play(self, most: int) -> None:
        """Reads the forms of a game for at most `most` asks, and then all that happened in it."""
        for _ in range(most):
            if isinstance(self._table.ask, Result):
                break
            self._table.offer()
            self._clock.time += QUIET
            while self._screen.busy(self._clock.time):
                self._screen.key("enter")
                self._clock.time += QUIET
            self._read_form()
            self._table.answer()
        for you in (self._table.occupants.seat, None):
            self._read_story(you)

    def _read_form(self) -> None:
        for key in ("", *self._chance.choices(KEYS, k=2 * CHANGES)):
            form = self._screen.form(self._clock.time)
            if form is None or form.sealed:
                return
            if key:
                form.key(key)
            # A clock gives way to nothing.
            aside = "x" * ASIDE_ROOM
            room = sentence_room(strip_room(SIZES[0][0], aside), form.phase)
            self._note(Strip(form.phase, form.sentence(room), aside, "money"))

    def _read_story(self, you: int | None) -> None:
        timeline = GameTimeline(self._screen.game, self._table.start, self._table.occupants.names, you)
        timeline.refresh(self._table.arena_peer.story if you is not None else self._table.seen, None)
        count = len(timeline.events)
        # A board knows where its strip lies once it has been drawn.
        timeline.draw(self._app.draw(*SIZES[0]), count, 0.0, LiveContext())
        for at in range(count + 1):
            for live in (False, True):
                aside = "x" * ASIDE_ROOM if live else f"{timeline.unit} {at} of {count}"
                shown = timeline.shown(at, around=LiveContext(live=live))
                self._note(Strip(*timeline.view.strip(shown, strip_room(SIZES[0][0], aside)), aside))

    def _note(self, strip: Strip) -> None:
        self.read += 1
        if fault := cut_sentence(strip):
            self.faults.add(fault)
