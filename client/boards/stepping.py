"""Stepping through the positions of a game: keys, wheel and clock of every replay, and of spectators at a table."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import ClassVar, Final

from kimberley.client.boards.history import HistoryScreen
from kimberley.client.boards.timeline import STILL, LiveContext, Timeline, stepping
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.screen import Help, Screen, Ui
from kimberley.client.ui.widgets import Hint, key_bar, title_bar
from kimberley.games.table import Answer, Ask, Result

FRAME: Final = 0.04
"""Seconds between two frames of an animation."""
MOST_DIGITS: Final = 5
WAYS: Final = {"right": 1, "down": 1, "enter": 1, "n": 1, "left": -1, "up": -1, "backspace": -1}


class SteppingScreen(Screen):
    """Shows one position of a game, and moves to others by hand, or by itself while playing."""

    kind: ClassVar[str] = "replay"
    """The word for this screen in the title bar."""
    stops: ClassVar[bool] = True
    """Whether playing stops at the last position, rather than wait for the next one."""

    def __init__(self, timeline: Timeline, ui: Ui) -> None:
        super().__init__(ui)
        self.timeline = timeline
        self.at = 0
        self.playing = False
        self._since = -STILL
        self._typed = ""

    # -- time ----------------------------------------------------------------------------------------------------------

    def _moves(self, now: float) -> bool:
        """Whether the position is still being animated."""
        return not self.ui.calm and now - self._since < self.timeline.moving(self.at)

    def _stays(self) -> float:
        """How many seconds the position is shown while playing."""
        moving = 0.0 if self.ui.calm else self.timeline.moving(self.at)
        return max(moving, self.timeline.lasting(self.at))

    def _advance(self, now: float) -> None:
        """Moves on to the position that is due, while playing."""
        while self.playing and self.at < len(self.timeline.steps) and now >= self._since + self._stays():
            self._show(self.at + 1, max(self._since + self._stays(), now - self._stays()))
        if self.stops and self.at == len(self.timeline.steps):
            self.playing = False

    def skip(self, now: float) -> bool:
        if self.playing or not self._moves(now):
            return False
        self._since = -STILL
        return True

    def next_frame(self, now: float) -> float | None:
        if self._moves(now):
            return now + FRAME
        return self._since + self._stays() if self.playing and self.at < len(self.timeline.steps) else None

    # -- drawing -------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, now: float) -> None:
        self._advance(now)
        since = STILL if self.ui.calm else now - self._since
        self.timeline.draw(canvas, self.at, since, self._around(now))
        title_bar(canvas, f"{self.timeline.title} · {self.kind}", *self._note())
        key_bar(canvas, self._hints())

    def _around(self, now: float) -> LiveContext:
        del now
        return LiveContext(aside=self._where())

    def _where(self) -> str:
        """The current position, or the one being typed."""
        count = len(self.timeline.steps)
        if self._typed:
            return f"go to {self._typed} of {count}"
        return f"{self.timeline.unit} {self.at} of {count}"

    def _note(self) -> tuple[str, str]:
        """The text at the right of the title, and its color."""
        return self.timeline.note(self.at), "soft"

    def _hints(self) -> list[Hint]:
        on, back = self.timeline.leaps
        return [
            Hint("→", "next"), Hint("←", "back"), Hint("Space", "pause" if self.playing else "play"),
            Hint("PgDn", on), Hint("PgUp", back), Hint("Esc", "close"), *self.timeline.hints(),
            Hint("l", "all"), Hint("End", "the end"),
        ]  # fmt: skip

    # -- keys and the mouse --------------------------------------------------------------------------------------------

    def key(self, name: str) -> bool:
        if self._typed and self._type(name):
            return True
        if self.timeline.key(name, self.at, self.ui):
            return True
        match name:
            case " ":
                self._play()
            case "pagedown" | "pageup":
                self.go(self.timeline.leap(self.at, 1 if name == "pagedown" else -1))
            case "home":
                self.go(0)
            case "end":
                self.go(len(self.timeline.steps))
            case "l":
                self._list()
            case "esc" | "q":
                self.ui.pop(self)
            case _ if name in WAYS:
                self.go(self.at + WAYS[name])
            case _:
                return self._type(name)
        return True

    def _type(self, name: str) -> bool:
        """Handles a key of a typed number, and goes to that position on Enter."""
        match name:
            case "enter" if self._typed:
                at, self._typed = int(self._typed), ""
                self.go(at)
            case "backspace" if self._typed:
                self._typed = self._typed[:-1]
            case _ if name.isascii() and name.isdigit():
                self._typed = (self._typed + name)[:MOST_DIGITS]
            case _:
                self._typed = ""
                return False
        return True

    def click(self, action: Action, x: int, y: int, button: str) -> bool:
        del button
        match action:
            case ("position", int(at)):
                self.go(at)
                return True
        return self.timeline.click(action, self.at, x, y)

    def wheel(self, action: Action | None, x: int, y: int, steps: int) -> bool:
        del action, x, y
        self.go(self.at + steps)
        return True

    def help(self) -> Help:
        return stepping(self.timeline.help())

    def _play(self) -> None:
        """Starts playing, from the start if it is at the end; or pauses."""
        self.playing = not self.playing
        if self.playing:
            self._show(0 if self.at == len(self.timeline.steps) else self.at, self.ui.now())

    def _list(self) -> None:
        """Opens the list of all events so far, to go to any of them."""
        shown = self.timeline

        def go(at: int) -> None:
            # Another game may have begun in the meantime.
            if self.timeline is shown:
                self.go(at)

        self.ui.push(HistoryScreen(self.ui, shown, self.at, go))

    def go(self, at: int) -> None:
        """Goes to a position by hand. Only a step to the next position is animated."""
        at = max(0, min(len(self.timeline.steps), at))
        self.playing = False
        if at != self.at:
            self._show(at, self.ui.now() if at == self.at + 1 else -STILL)

    def _show(self, at: int, since: float) -> None:
        if at != self.at:
            self.timeline.on_position_changed()
        self.at, self._since, self._typed = at, since, ""


class ReplayScreen(SteppingScreen):
    """Replays a finished game. `step` is the number of the ask after which it begins."""

    def __init__(
        self,
        timeline: Timeline,
        story: Sequence[tuple[Ask, Answer]],
        result: Result | None,
        ui: Ui,
        step: int | None = None,
    ) -> None:
        timeline.refresh(story, result)
        super().__init__(timeline, ui)
        if step is not None:
            self.at = bisect_right(timeline.steps, step)
