"""Stepping through the moments of a game: keys, wheel and clock of every replay, and of who watches a table."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import ClassVar, Final

from client.canvas import Action, Canvas
from client.moments import STILL, Around, Moments, stepping
from client.screen import Help, Screen, Ui
from client.screens.chronicle import ChronicleScreen
from client.widgets import Hint, key_bar, title_bar
from games.table import Answer, Ask, Result

FRAME: Final = 0.04
"""Seconds between two frames while something moves."""
MOST_DIGITS: Final = 5
WAYS: Final = {"right": 1, "down": 1, "enter": 1, "n": 1, "left": -1, "up": -1, "backspace": -1}


class SteppingScreen(Screen):
    """Shows one moment of a game, and goes to others: by hand, or by itself while it plays."""

    kind: ClassVar[str] = "replay"
    """What the title bar calls it."""
    stops: ClassVar[bool] = True
    """Whether it stops playing at the last moment, rather than wait for the next one."""

    def __init__(self, moments: Moments, ui: Ui) -> None:
        super().__init__(ui)
        self.moments = moments
        self.at = 0
        self.playing = False
        self._since = -STILL
        self._typed = ""

    # -- time ----------------------------------------------------------------------------------------------------------

    def _moves(self, now: float) -> bool:
        """Whether something of the moment still moves."""
        return not self.ui.calm and now - self._since < self.moments.moving(self.at)

    def _stays(self) -> float:
        """For how many seconds the moment is shown while it plays."""
        moving = 0.0 if self.ui.calm else self.moments.moving(self.at)
        return max(moving, self.moments.lasting(self.at))

    def _advance(self, now: float) -> None:
        """Goes on to the moment that is due, while it plays."""
        while self.playing and self.at < len(self.moments.steps) and now >= self._since + self._stays():
            self._show(self.at + 1, max(self._since + self._stays(), now - self._stays()))
        if self.stops and self.at == len(self.moments.steps):
            self.playing = False

    def skip(self, now: float) -> bool:
        if self.playing or not self._moves(now):
            return False
        self._since = -STILL
        return True

    def next_frame(self, now: float) -> float | None:
        if self._moves(now):
            return now + FRAME
        return self._since + self._stays() if self.playing and self.at < len(self.moments.steps) else None

    # -- drawing -------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, now: float) -> None:
        self._advance(now)
        since = STILL if self.ui.calm else now - self._since
        self.moments.draw(canvas, self.at, since, self._around(now))
        title_bar(canvas, f"{self.moments.title} · {self.kind}", *self._note())
        key_bar(canvas, self._hints())

    def _around(self, now: float) -> Around:
        del now
        return Around(aside=self._where())

    def _where(self) -> str:
        """Which moment it is, or which one is typed."""
        count = len(self.moments.steps)
        if self._typed:
            return f"go to {self._typed} of {count}"
        return f"{self.moments.unit} {self.at} of {count}"

    def _note(self) -> tuple[str, str]:
        """What stands at the right of the title, and its colour."""
        return self.moments.note(self.at), "soft"

    def _hints(self) -> list[Hint]:
        on, back = self.moments.leaps
        return [
            Hint("→", "next"), Hint("←", "back"), Hint("Space", "pause" if self.playing else "play"),
            Hint("PgDn", on), Hint("PgUp", back), Hint("Esc", "close"), *self.moments.hints(),
            Hint("l", "all"), Hint("End", "the end"),
        ]  # fmt: skip

    # -- keys and the mouse --------------------------------------------------------------------------------------------

    def key(self, name: str) -> bool:
        if self._typed and self._type(name):
            return True
        if self.moments.key(name, self.at, self.ui):
            return True
        match name:
            case " ":
                self._play()
            case "pagedown" | "pageup":
                self.go(self.moments.leap(self.at, 1 if name == "pagedown" else -1))
            case "home":
                self.go(0)
            case "end":
                self.go(len(self.moments.steps))
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
        """Takes up a number that is typed, and goes to that moment once it is complete."""
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
            case ("moment", int(at)):
                self.go(at)
                return True
        return self.moments.click(action, self.at, x, y)

    def wheel(self, action: Action | None, x: int, y: int, steps: int) -> bool:
        del action, x, y
        self.go(self.at + steps)
        return True

    def help(self) -> Help:
        return stepping(self.moments.help())

    def _play(self) -> None:
        """Plays on, from the start where it is at the end; or pauses."""
        self.playing = not self.playing
        if self.playing:
            self._show(0 if self.at == len(self.moments.steps) else self.at, self.ui.now())

    def _list(self) -> None:
        """Opens all that has happened so far, to go to any of it."""
        shown = self.moments

        def go(at: int) -> None:
            # Meanwhile another game may have begun.
            if self.moments is shown:
                self.go(at)

        self.ui.push(ChronicleScreen(self.ui, shown, self.at, go))

    def go(self, at: int) -> None:
        """Goes to a moment by hand. Only the one right after the present one is seen to happen."""
        at = max(0, min(len(self.moments.steps), at))
        self.playing = False
        if at != self.at:
            self._show(at, self.ui.now() if at == self.at + 1 else -STILL)

    def _show(self, at: int, since: float) -> None:
        if at != self.at:
            self.moments.went()
        self.at, self._since, self._typed = at, since, ""


class ReplayScreen(SteppingScreen):
    """A finished game; `step` is the number of the ask after which it begins."""

    def __init__(
        self,
        moments: Moments,
        story: Sequence[tuple[Ask, Answer]],
        result: Result | None,
        ui: Ui,
        step: int | None = None,
    ) -> None:
        moments.take(story, result)
        super().__init__(moments, ui)
        if step is not None:
            self.at = bisect_right(moments.steps, step)
