"""A game as it went, position by position: what replays, spectators, the log and web pages show.

A `GameTimeline` reads a story, all at once or as it grows. Position 0 is the start, position n follows the n-th event.
Whether something is hidden depends on the story alone: what is HIDDEN in it is drawn as unknown, and never guessed.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Any, Final

from kimberley.client.boards.curve import curve_of
from kimberley.client.boards.game_ui import AnyGameUI, Pace
from kimberley.client.boards.live_context import LiveContext
from kimberley.client.boards.portrait import STEPPING_LINES, draw_portrait
from kimberley.client.boards.report import GameCurve
from kimberley.client.boards.view import STILL, TALL_COLUMNS, Shown, Strip
from kimberley.client.ui.bars import phase_strip, strip_room
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.keys import Hint
from kimberley.client.ui.palette import Palette
from kimberley.client.ui.screen import Help, Ui
from kimberley.client.ui.spans import Span, Spans
from kimberley.games.table import Answer, Ask, Leave, Result, State, state_after
from kimberley.p2p.sentences.notices import NOTHING_YET

LEAP: Final = 10
START_SECONDS: Final = 1.2
"""Seconds for which the start is shown before the first event."""


class GameTimeline:
    """The events of one game as seat `you` knows it, or a spectator (None). It draws positions with a view of its own.

    `names` is by seat. `latest` is the newest state; it may have moved on since the last event: dice were rolled, a
    turn has begun. `result` is how the game ended, once it has. `leaps` says what PgDn and PgUp do.
    """

    def __init__(self, game: AnyGameUI, start: State | None, names: Sequence[str], you: int | None = None) -> None:
        """Takes the first state as `start`; None where no game has begun."""
        self.game, self.names, self.you = game, names, you
        self.result: Result | None = None
        self.title, self.unit = game.title, game.unit
        leap = game.chapter_unit or "ten"
        self.leaps = (f"next {leap}", f"previous {leap}")
        self.view = game.view(names, you)
        self.start = start
        self.latest: Any = start
        self.story: Sequence[tuple[Ask, Answer]] = ()
        """The whole story that was read."""
        self.events: list[Any] = []
        self.steps: list[int] = []
        """For each position after the start, the number of its ask in the story, ascending."""
        self.remarks: list[tuple[int, str]] = []
        """What the line mode says besides the events, each with the position after which it is said."""
        self._paces: list[Pace] = []
        """The paces of the first events, cached: each frame asks for those of all events that are still to be shown."""
        self._departures: set[int] = set()
        self._read = 0

    def refresh(self, story: Sequence[tuple[Ask, Answer]], result: Result | None) -> None:
        """Reads what was added to a story since the last call. `story` is the whole story."""
        self.story, self.result = story, result
        new, first = story[self._read :], self._read
        self._read = len(story)
        for step, (ask, answer) in enumerate(new, start=first):
            before, self.latest = self.latest, state_after(self.latest, ask, answer)
            events = self.game.read(step, before, ask, answer, self.latest)
            self.events += events
            self.steps += [event.step for event in events]
            if isinstance(ask, Leave):
                self._departures.add(step)
            for remark in self.game.remark(before, self.latest, self.names, self.you):
                self.remarks.append((len(self.events), remark))

    def state(self, at: int) -> Any:
        """Returns the state at a position."""
        if at == len(self.events):
            return self.latest
        return self.events[at - 1].after if at else self.events[0].before

    def is_departure(self, at: int) -> bool:
        """Returns whether the position is the first after a seat's departure, which the table announces too."""
        step = self.events[at - 1].step
        return step in self._departures and (at == 1 or self.events[at - 2].step != step)

    def moving(self, at: int) -> float:
        """Returns for how many seconds the step from the position before is animated."""
        return self._pace(at).moving if at else 0.0

    def lasting(self, at: int) -> float:
        """Returns for how many seconds a position is shown before the next, unless the user steps by hand."""
        return self._pace(at).lasting if at else START_SECONDS

    def stops(self, at: int) -> bool:
        """Returns whether the key that shows all at once stops at a position."""
        return at > 0 and self._pace(at).stops

    def _pace(self, at: int) -> Pace:
        for event in self.events[len(self._paces) : at]:
            self._paces.append(self.game.pace(event, self.you))
        return self._paces[at - 1]

    @property
    def chapters(self) -> list[int]:
        """The positions after the first event of each chapter, ascending. Empty if the game has no chapters."""
        named = [self.game.chapter(event) for event in self.events]
        return [at for at, name in enumerate(named, 1) if name and (at == 1 or named[at - 2] != name)]

    def leap(self, at: int, way: int) -> int:
        """Returns the position that PgDn (+1) or PgUp (-1) leads to."""
        chapters = self.chapters
        if not chapters:
            return at + LEAP * way
        if way > 0:
            return next((first for first in chapters if first > at), len(self.events))
        before = bisect_left(chapters, at)
        return chapters[before - 1] if before else 0

    # -- in words ------------------------------------------------------------------------------------------------------

    def sentences(self, at: int) -> Sequence[str]:
        """Says what happened before a position after the start, one sentence per item."""
        return self.game.describe_event(self.view.discreet(self.events[at - 1]), self.names, self.you)

    def spans(self, at: int) -> Sequence[Spans]:
        """Returns the same sentences as the log draws them."""
        return self.game.spans(self.view.discreet(self.events[at - 1]), self.names, self.you)

    def heading(self, at: int) -> str:
        """Returns the heading under which the log lists what happened before a position: "Round 3"."""
        return self.game.chapter(self.events[at - 1])

    def label(self, at: int) -> str:
        """Returns the kind of what happened before a position, in a word, for the log."""
        return self.game.label(self.events[at - 1])

    def gain(self, at: int) -> Span | None:
        """Returns what the event before a position brought, for the right end of its line in the log."""
        return self.game.gain(self.events[at - 1], self.names, self.you)

    def seat_of(self, at: int) -> int | None:
        """Returns the seat that did what happened before a position; None if it was chance or several seats."""
        seat: int | None = self.events[at - 1].seat
        return seat

    @property
    def acting_seats(self) -> Sequence[int]:
        """The seats that have done something alone so far."""
        seats = {self.seat_of(at) for at in range(1, len(self.steps) + 1)}
        return sorted(seat for seat in seats if seat is not None)

    def describe_event(self, at: int) -> str:
        """Says what happened before a position after the start, in sentences to read aloud."""
        return " ".join(self.sentences(at))

    def describe(self) -> list[str]:
        """Returns the latest position in sentences to read aloud, the most important first."""
        if self.result is not None:
            return self.describe_end()
        return self.game.describe(self.latest, self.names, self.you) or self._told_last()

    def describe_end(self) -> list[str]:
        """Returns the latest position as that of a game that is over, with or without a result."""
        return self.game.describe_end(self.latest, self.names, self.you) or self._told_last()

    def _told_last(self) -> list[str]:
        return list(self.sentences(len(self.events))) if self.events else [NOTHING_YET]

    def note(self, at: int) -> str:
        """Returns the note in the title bar for a position."""
        return self.view.note(self.shown(at))

    def curve(self) -> GameCurve | None:
        """Returns how the game went, once it has ended; None if there is no curve."""
        return curve_of(self.game, self.shown(len(self.events))) if self.result is not None else None

    # -- drawing -------------------------------------------------------------------------------------------------------

    def shown(self, at: int, since: float = STILL, around: LiveContext = LiveContext()) -> Shown[Any, Any]:  # noqa: B008
        """Returns a position as a replay or a spectator sees it."""
        return Shown(
            self.state(at),
            self.events,
            at,
            self.names,
            self.you,
            since,
            live=around.live,
            stepping=True,
            waiting=around.waiting,
            result=self.result if at == len(self.events) else None,
        )

    def draw(self, canvas: Canvas, at: int, since: float, around: LiveContext) -> None:
        """Draws a position that has been shown for `since` seconds. The first and the last row belong to the screen."""
        shown = self.shown(at, since, around)

        def strip(room: int) -> Strip:
            return Strip(*self.view.strip(shown, room), around.aside, around.aside_fg)

        if canvas.portrait:
            draw_portrait(canvas, self.view, shown, strip, STEPPING_LINES)
            return
        self.view.draw(canvas, shown)
        self.view.draw_strip(canvas, strip(strip_room(canvas.width, around.aside)))

    def draw_tall(self, at: int, palette: Palette, around: LiveContext) -> Canvas | None:
        """Returns a picture of a position for a phone; None if the board has none."""
        if not self.view.tall_rows:
            return None
        shown = self.shown(at, around=around)
        canvas = Canvas(TALL_COLUMNS, 1 + self.view.tall_rows, palette, inert=True)
        phase, sentence = self.view.strip(shown, strip_room(TALL_COLUMNS, around.aside))
        phase_strip(canvas, 0, phase, sentence, around.aside, around.aside_fg)
        self.view.draw_tall(canvas.region(0, 1, TALL_COLUMNS, self.view.tall_rows), shown)
        return canvas

    # -- keys and the mouse --------------------------------------------------------------------------------------------

    def on_position_changed(self) -> None:
        """Drops what was selected in the previous position."""
        self.view.on_position_changed()

    def hints(self) -> Sequence[Hint]:
        """Returns the keys that the game adds."""
        return self.view.hints(self.shown(len(self.events)))

    def key(self, name: str, at: int, ui: Ui) -> bool:
        """Handles a key at a position. Returns False if the key has no meaning in this game."""
        return self.view.key(name, self.shown(at), ui)

    def click(self, action: Action, at: int, x: int, y: int) -> bool:
        """Handles a click on an area that `draw` has made."""
        return self.view.click(action, x, y, self.shown(at))

    def help(self) -> Help:
        """Returns the help for F1 about the drawing. Help on stepping comes before it."""
        return self.game.stepping_help
