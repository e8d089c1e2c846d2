"""On the way to a table: while it is opened or joined, and when it came to nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from client.canvas import Canvas
from client.glyphs import wrapped
from client.screen import Screen
from client.screens.shell import Shell
from client.screens.stage import stage
from client.widgets import Hint, button, key_bar, panel, paragraph, phase_strip, title_bar

SLOW_SECONDS: Final = 0.3
NO_TABLE: Final = "It has not come to a table."
T = TypeVar("T")


class ConnectingScreen(Screen, Generic[T]):
    """Shown while a table is opened, joined or looked for. Esc gives it up."""

    def __init__(
        self, shell: Shell, title: str, doing: str, work: Coroutine[Any, Any, T], then: Callable[[T], None]
    ) -> None:
        """`then` is called with what `work` has led to, unless that is a trouble: then it is told."""
        super().__init__(shell)
        self.shell, self.title, self.doing = shell, title, doing
        self._work, self._then = work, then
        self._task: asyncio.Task[object] | None = None
        self._since = shell.now()

    def opened(self) -> None:
        self.ui.start(self._wait())

    async def _wait(self) -> None:
        self._task = asyncio.current_task()
        try:
            found = await self._work
        except Exception as error:
            if not self.shell.services.is_trouble(error):
                raise
            self._task = None
            self.ui.replace(FailedScreen(self.shell, self.title, str(error), None, self.ui.home, said=NO_TABLE))
            return
        self._task = None
        self._then(found)

    def closed(self) -> None:
        if self._task is not None:
            self._task.cancel()
        else:
            # Never started: a coroutine that nobody awaits must be closed.
            self._work.close()

    def draw(self, canvas: Canvas, now: float) -> None:
        title_bar(canvas, self.title, self.ui.settings.name)
        waited = now - self._since
        phase_strip(canvas, 1, "WAIT", self.doing, f"{waited:.0f} s" if waited >= 1 else "")
        if waited >= SLOW_SECONDS:
            ground = stage(canvas)
            inside = panel(ground, 20, 5, 40, 5)
            inside.centre(0, 1, inside.width, self.doing)
            button(ground, 34, 12, "Cancel", "Esc")
        key_bar(canvas, [Hint("Esc", "cancel")])

    def next_frame(self, now: float) -> float | None:
        return self._since + (SLOW_SECONDS if now - self._since < SLOW_SECONDS else int(now - self._since) + 1)

    def key(self, name: str) -> bool:
        if name != "esc":
            return False
        if self._task is None and self.shell.sitting is not None:
            self.shell.sitting.leave()
        else:
            self.ui.pop(self)
        return True


class FailedScreen(Screen):
    """Says what went wrong and what to do about it."""

    def __init__(
        self,
        shell: Shell,
        title: str,
        problem: str,
        record: Path | None,
        leave: Callable[[], None],
        home: str = "title screen",
        said: str = "This table came to an end.",
    ) -> None:
        """`leave` ends all that is left of the table, and goes to what is called `home`; `said` says what happened."""
        super().__init__(shell)
        self.title, self.problem, self.record, self.home, self.said = title, problem, record, home, said
        self._leave = leave

    def draw(self, canvas: Canvas, now: float) -> None:
        title_bar(canvas, self.title, self.ui.settings.name)
        phase_strip(canvas, 1, "STOP", self.said)
        ground = stage(canvas)
        lines = wrapped(self.problem or "The table was closed.", 58)
        kept = wrapped(f"What was played so far is kept: {self.record}", 58) if self.record else []
        rows = len(lines) + len(kept) + (5 if kept else 4)
        inside = panel(ground, 8, 2, 64, rows, "What happened")
        y = paragraph(inside, 1, 1, lines, "text")
        paragraph(inside, 1, y + 1, kept)
        button(ground, 8, rows + 4, "Back", "Enter", primary=True)
        key_bar(canvas, [Hint("Enter", self.home)])

    def key(self, name: str) -> bool:
        if name in ("enter", "esc"):
            self._leave()
            return True
        return False
