"""The timeline of a game with a `GameUI`: its events, and the positions between them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Any

from kimberley.client.boards.curve import curve_of
from kimberley.client.boards.game_ui import AnyGameUI
from kimberley.client.boards.report import GameCurve
from kimberley.client.boards.spans import Spans
from kimberley.client.boards.timeline import LEAP, LiveContext, Timeline
from kimberley.client.boards.view import STILL, Shown, Strip
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.screen import Help, Ui
from kimberley.client.ui.widgets import Hint, StyledText
from kimberley.games.table import Answer, Ask, Leave, State, state_after


class GameTimeline(Timeline):
    """The events of one game as seat `you` knows it, or a spectator (None). It draws positions with a view of its own.

    `latest` is the newest state. It may have moved on since the last event: dice were rolled, a turn has begun.
    """

    def __init__(self, game: AnyGameUI, start: State, names: Sequence[str], you: int | None = None) -> None:
        super().__init__(names)
        self.game, self.you = game, you
        self.title, self.unit = game.title, game.unit
        self.leaps = (f"{game.chapter_unit} on", f"{game.chapter_unit} back") if game.chapter_unit else self.leaps
        self.view = game.view(names, you)
        self.latest: State = start
        self.events: list[Any] = []
        self.remarks: list[tuple[int, str]] = []
        """What the line mode says beside the events, each with the position after which it is said."""
        self._departures: set[int] = set()

    def extend(self, story: Sequence[tuple[Ask, Answer]], first: int) -> None:
        for step, (ask, answer) in enumerate(story, start=first):
            before, self.latest = self.latest, state_after(self.latest, ask, answer)
            self.events += self.game.read(step, before, ask, answer, self.latest)
            if isinstance(ask, Leave):
                self._departures.add(step)
            for said in self.game.remark(before, self.latest, self.names, self.you):
                self.remarks.append((len(self.events), said))

    @property
    def steps(self) -> Sequence[int]:
        return [event.step for event in self.events]

    def state(self, at: int) -> Any:
        """The state at a position."""
        if at == len(self.events):
            return self.latest
        return self.events[at - 1].after if at else self.events[0].before

    def is_departure(self, at: int) -> bool:
        """Whether the position is the first after a seat's departure, which the table announces too."""
        step = self.events[at - 1].step
        return step in self._departures and (at == 1 or self.events[at - 2].step != step)

    def moving(self, at: int) -> float:
        return self.game.pace(self.events[at - 1], self.you).moving if at else 0.0

    def lasting(self, at: int) -> float:
        return self.game.pace(self.events[at - 1], self.you).lasting if at else super().lasting(at)

    def stops(self, at: int) -> bool:
        return at > 0 and self.game.pace(self.events[at - 1], self.you).stops

    @property
    def chapters(self) -> list[int]:
        """The positions after the first event of each chapter, ascending. Empty if the game has no chapters."""
        named = [self.game.chapter(event) for event in self.events]
        return [at for at, name in enumerate(named, 1) if name and (at == 1 or named[at - 2] != name)]

    def leap(self, at: int, way: int) -> int:
        chapters = self.chapters
        if not chapters:
            return at + LEAP * way
        if way > 0:
            return next((first for first in chapters if first > at), len(self.events))
        before = bisect_left(chapters, at)
        return chapters[before - 1] if before else 0

    # -- in words ------------------------------------------------------------------------------------------------------

    def sentences(self, at: int) -> Sequence[str]:
        """What happened before a position after the start, one sentence an item."""
        return self.game.describe_event(self.view.discreet(self.events[at - 1]), self.names, self.you)

    def spans(self, at: int) -> Sequence[Spans]:
        return self.game.spans(self.view.discreet(self.events[at - 1]), self.names, self.you)

    def heading(self, at: int) -> str:
        return self.game.chapter(self.events[at - 1])

    def label(self, at: int) -> str:
        return self.game.label(self.events[at - 1])

    def gain(self, at: int) -> StyledText | None:
        return self.game.gain(self.events[at - 1], self.names, self.you)

    def seat_of(self, at: int) -> int | None:
        seat: int | None = self.events[at - 1].seat
        return seat

    def describe_event(self, at: int) -> str:
        return " ".join(self.sentences(at))

    def describe(self) -> list[str]:
        last = self.sentences(len(self.events)) if self.events else ["Nothing has happened yet."]
        return self.game.describe(self.latest, self.names, self.you) or list(last)

    def note(self, at: int) -> str:
        return self.view.note(self.shown(at))

    def curve(self) -> GameCurve | None:
        return curve_of(self.game, self.shown(len(self.events))) if self.result is not None else None

    # -- drawing -------------------------------------------------------------------------------------------------------

    def shown(self, at: int, since: float = STILL, around: LiveContext = LiveContext()) -> Shown[Any, Any]:  # noqa: B008
        """A position as a replay or a spectator sees it."""
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
        shown = self.shown(at, since, around)
        self.view.draw(canvas, shown)
        phase, sentence = self.view.strip(shown, canvas.width)
        self.view.draw_strip(canvas, Strip(phase, sentence, around.aside, around.aside_fg))

    # -- keys and the mouse --------------------------------------------------------------------------------------------

    def on_position_changed(self) -> None:
        self.view.on_position_changed()

    def hints(self) -> Sequence[Hint]:
        return self.view.hints(self.shown(len(self.events)))

    def key(self, name: str, at: int, ui: Ui) -> bool:
        return self.view.key(name, self.shown(at), ui)

    def click(self, action: Action, at: int, x: int, y: int) -> bool:
        return self.view.click(action, x, y, self.shown(at))

    def help(self) -> Help:
        return self.game.stepping_help()
