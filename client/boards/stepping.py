"""Stepping through the positions of a game: keys, wheel and clock of every replay, and of spectators at a table."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import ClassVar, Final

from kimberley.client.boards.curve_screen import CurveScreen
from kimberley.client.boards.game_log import GameLog
from kimberley.client.boards.game_timeline import GameTimeline
from kimberley.client.boards.live_context import LiveContext, stepping
from kimberley.client.boards.playhead import Playhead
from kimberley.client.boards.portrait import STEPPING_LINES
from kimberley.client.boards.soundtrack import Soundtrack
from kimberley.client.ui.bars import key_bar, title_bar
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.keys import LOG_KEY, Hint
from kimberley.client.ui.screen import LANDSCAPE, Help, Screen, ScreenSize, Ui
from kimberley.client.ui.touch import touch_bar
from kimberley.games.table import Answer, Ask, Result

MOST_DIGITS: Final = 5


class SteppingScreen(Screen):
    """Shows one position of a game, and moves to others by hand, or by itself while playing."""

    kind: ClassVar[str] = "replay"
    """The word for this screen in the title bar."""
    stops: ClassVar[bool] = True
    """Whether playing stops at the last position, rather than waiting for the next one."""

    def __init__(self, timeline: GameTimeline, ui: Ui) -> None:
        super().__init__(ui)
        self.head = Playhead(timeline, ui)
        self._soundtrack = Soundtrack(timeline, ui.audio)
        self._typed = ""

    @property
    def timeline(self) -> GameTimeline:
        return self.head.timeline

    @property
    def needs(self) -> tuple[ScreenSize, ...]:
        return super().needs if self.timeline.view.portrait else (LANDSCAPE,)

    @property
    def at(self) -> int:
        """The position that is shown."""
        return self.head.at

    def shown(self) -> None:
        self._soundtrack.begin(self.at)

    # -- time ----------------------------------------------------------------------------------------------------------

    def skip(self, now: float) -> bool:
        return not self.head.playing and self.head.skip(now)

    def next_frame(self, now: float) -> float | None:
        return self.head.next_frame(now)

    def tick(self, now: float) -> None:
        """Moves on to the position that is due. Music and sounds follow, after steps by hand too."""
        if self._soundtrack.timeline is not self.timeline:
            # The spectator now watches a rematch.
            self._soundtrack = Soundtrack(self.timeline, self.ui.audio)
            self._soundtrack.begin(self.at)
        self._soundtrack.step(self.at)
        at = self.at
        self.head.advance(now)
        if self.at != at:
            self._typed = ""
        if self.stops and self.at == self.head.last:
            self.head.playing = False
        self._soundtrack.follow(self.at)

    # -- drawing -------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, now: float) -> None:
        self.timeline.draw(canvas, self.at, self.head.age(now), self._around(now))
        if canvas.portrait:
            touch_bar(canvas, self._hints(), STEPPING_LINES)
        else:
            title_bar(canvas, f"{self.timeline.title} · {self.kind}", *self._note())
            key_bar(canvas, self._hints())

    def _around(self, now: float) -> LiveContext:
        del now
        return LiveContext(aside=self._where())

    def _where(self) -> str:
        """Returns the current position, or the one being typed."""
        count = len(self.timeline.steps)
        if self._typed:
            return f"go to {self._typed} of {count}"
        return f"{self.timeline.unit} {self.at} of {count}"

    def _note(self) -> tuple[str, str]:
        """Returns the text at the right of the title, and its color."""
        return self.timeline.note(self.at), "soft"

    def _hints(self) -> list[Hint]:
        if self.timeline.view.modal:
            return self._modal_hints()
        if not self.head.last:
            # It ended before anyone had played.
            return [Hint("Esc", "close"), Hint(LOG_KEY, "log"), *self.timeline.hints()]
        later, earlier = self.timeline.leaps
        return [
            Hint("→", "next"), Hint("←", "back"), Hint("Space", "pause" if self.head.playing else "play"),
            Hint("PgDn", later), Hint("PgUp", earlier), Hint("Esc", "close"), Hint(LOG_KEY, "log"),
            *self.timeline.hints(), Hint("End", "the end"),
        ]  # fmt: skip

    def _modal_hints(self) -> list[Hint]:
        """Returns the keys while the board takes the others."""
        return [*self.timeline.hints(), Hint(LOG_KEY, "log")]

    # -- keys and the mouse --------------------------------------------------------------------------------------------

    def key(self, name: str) -> bool:
        if self._typed and self._type(name):
            return True
        if self.timeline.key(name, self.at, self.ui):
            return True
        match name:
            case " ":
                self._play()
            case _ if name == LOG_KEY:
                self._list()
            case "esc" | "q":
                self.ui.pop(self)
            case _ if (at := self.head.target(name)) is not None:
                self.go(at)
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
        head = self.head
        head.playing, self._typed = not head.playing, ""
        if head.playing:
            head.show(0 if head.at == head.last else head.at, self.ui.now())

    def _list(self) -> None:
        """Opens the log, to go to any event."""
        timeline = self.timeline

        def go(at: int) -> None:
            # Another game may have begun in the meantime.
            if self.timeline is timeline:
                self.go(at)

        self.ui.push(GameLog(self.ui, timeline, self.at, go))

    def go(self, at: int) -> None:
        """Goes to a position by hand."""
        self.head.go(at)
        self._typed = ""


class ReplayScreen(SteppingScreen):
    """Replays a finished game. `step` is the number of the ask after which it begins."""

    def __init__(
        self,
        timeline: GameTimeline,
        story: Sequence[tuple[Ask, Answer]],
        result: Result | None,
        ui: Ui,
        step: int | None = None,
    ) -> None:
        timeline.refresh(story, result)
        super().__init__(timeline, ui)
        self._curve = timeline.curve()
        if step is not None:
            self.head.at = bisect_right(timeline.steps, step)

    def _hints(self) -> list[Hint]:
        hints = super()._hints()
        if self._curve is not None and not self.timeline.view.modal:
            hints.insert(0 if self.at == self.head.last else -1, Hint("g", "graph"))
        return hints

    def key(self, name: str) -> bool:
        if name == "g" and self._curve is not None:
            self.ui.push(CurveScreen(self.ui, self.timeline, self._curve, self._show_step))
            return True
        return super().key(name)

    def _show_step(self, step: int) -> None:
        self.go(bisect_right(self.timeline.steps, step))
