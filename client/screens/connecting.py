"""The screens on the way to a table: while it is opened or joined, and if that fails."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any, Final, Generic, NamedTuple, TypeVar

from kimberley.client.screens.shell import Shell
from kimberley.client.ui.bars import key_bar, phase_strip, title_bar
from kimberley.client.ui.buttons import button, button_width
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import wrap
from kimberley.client.ui.keys import Hint
from kimberley.client.ui.layout import stage
from kimberley.client.ui.panels import panel, paragraph
from kimberley.client.ui.screen import Screen
from kimberley.p2p.base.errors import NotRetryable, UserError
from kimberley.p2p.sentences import notices

SLOW_SECONDS: Final = 0.3
TRY_AGAIN: Final = "Try again"
IN_QUEUE: Final = "Waiting for a seat."
T = TypeVar("T")


class TableEnd(NamedTuple):
    """How a table ended: the name and sentence of the phase strip, and the title of the panel that says why."""

    name: str
    sentence: str
    title: str


NO_TABLE: Final = TableEnd("STOP", "That did not work.", "What happened")
CLOSED: Final = TableEnd("CLOSED", notices.CLOSED, "What happened")
OUT: Final = TableEnd("OUT", "You are no longer at the table.", "What happened")
REMOVED: Final = TableEnd("REMOVED", "You were removed from this table.", "What happened")
PUT_ASIDE: Final = TableEnd("SAVED", notices.CLOSED, "How to resume")


class ConnectingScreen(Screen, Generic[T]):
    """Shown while a table is opened, joined or looked for. Esc cancels."""

    def __init__(
        self,
        shell: Shell,
        title: str,
        doing: str,
        work: Callable[[], Coroutine[Any, Any, T]],
        then: Callable[[T], None],
    ) -> None:
        """Takes the `work` to do, and `then`, which is called with its result. If the work raises UserError, its
        message is shown, and the player may try again.
        """
        super().__init__(shell)
        self.shell, self.title, self.doing = shell, title, doing
        self.queue = ""
        """What is known of the place in the queue of a full table."""
        self._work, self._then = work, then
        self._task: asyncio.Task[object] | None = None
        self._failed: FailedScreen | None = None
        self._since = shell.now()

    def opened(self) -> None:
        self.ui.start(self._wait())

    async def _wait(self) -> None:
        self._task = asyncio.current_task()
        try:
            opened = await self._work()
        except UserError as error:
            self._task = None
            again = None if isinstance(error, NotRetryable) else self._again
            # What was typed is still on the screen below.
            leave = partial(self.ui.pop, self)
            self._failed = FailedScreen(self.shell, self.title, str(error), None, leave, "back", NO_TABLE, again)
            self.ui.push(self._failed)
            return
        self._task = None
        self._then(opened)

    def tell(self, sentence: str) -> None:
        """Shows the place in the queue of a full table from now on."""
        self.queue = sentence
        self.ui.redraw()

    def closed(self) -> None:
        if self._task is not None:
            self._task.cancel()

    def _again(self) -> None:
        self.ui.pop(self._failed)
        self.queue, self._since = "", self.shell.now()
        self.ui.start(self._wait())

    def draw(self, canvas: Canvas, now: float) -> None:
        title_bar(canvas, self.title, self.shell.settings.name)
        waited = now - self._since
        doing = IN_QUEUE if self.queue else self.doing
        phase_strip(canvas, 1, "WAIT", doing, f"{waited:.0f} s" if waited >= 1 else "")
        text, stop = self.queue or self.doing, "Stop waiting" if self.queue else "Cancel"
        if waited >= SLOW_SECONDS:
            ground = stage(canvas)
            if canvas.portrait:
                lines = wrap(text, ground.width - 6)
                paragraph(panel(ground, 1, 8, ground.width - 2, len(lines) + 4), 0, 1, lines, "text")
            else:
                lines = wrap(text, 36)
                inside = panel(ground, 20, 5, 40, len(lines) + 4)
                for y, line in enumerate(lines, 1):
                    inside.center(0, y, inside.width, line)
                if not canvas.touch:
                    width = button_width(stop, "Esc")
                    button(ground, 41 - width // 2, len(lines) + 11, stop, "Esc")
        key_bar(canvas, [Hint("Esc", stop.lower())])

    def next_frame(self, now: float) -> float | None:
        return self._since + (SLOW_SECONDS if now - self._since < SLOW_SECONDS else int(now - self._since) + 1)

    def key(self, name: str) -> bool:
        if name != "esc":
            return False
        if self._task is None and self.shell.table_flow is not None:
            self.shell.table_flow.leave()
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
        end: TableEnd = CLOSED,
        again: Callable[[], None] | None = None,
        again_label: str = TRY_AGAIN,
    ) -> None:
        """Takes what went wrong, and what the player can do about it.

        Args:
            shell, title: as for every screen.
            problem: what went wrong, in sentences.
            record: where the record of what was played is kept, if anything was.
            leave: closes what is left of the table and opens the screen called `home`.
            home: what that screen is called.
            end: how it ended.
            again: tries the same again, or joins again; None if that makes no sense.
            again_label: what the button for that says.
        """
        super().__init__(shell)
        self.shell = shell
        self.title, self.problem, self.record, self.home, self.end = title, problem, record, home, end
        self._leave, self._again, self._again_label = leave, again, again_label

    @property
    def _answers(self) -> list[tuple[str, str]]:
        """What the player may do: what a button says, and its key."""
        return [("Back", "Enter")] if self._again is None else [(self._again_label, "Enter"), ("Back", "Esc")]

    def draw(self, canvas: Canvas, now: float) -> None:
        title_bar(canvas, self.title, self.shell.settings.name)
        phase_strip(canvas, 1, self.end.name, self.end.sentence)
        ground = stage(canvas)
        x, room = (1, ground.width - 2) if canvas.portrait else (8, 64)
        lines = wrap(self.problem or notices.CLOSED, room - 6)
        where = f"saved: {self.record}" if self.ui.window.has_shell else "in this browser, under Finished games."
        kept = wrap(f"The record of the game so far is {where}", room - 6) if self.record else []
        rows = len(lines) + len(kept) + (5 if kept else 4)
        inside = panel(ground, x, 2, room, rows, self.end.title)
        y = paragraph(inside, 1, 1, lines, "text")
        paragraph(inside, 1, y + 1, kept)
        if not canvas.touch:
            for label, key in self._answers:
                x = button(ground, x, rows + 4, label, key, primary=key == "Enter") + 1
        hints = [Hint(key, self.home if label == "Back" else label.lower(), primary=key == "Enter")
                 for label, key in self._answers]  # fmt: skip
        key_bar(canvas, hints)

    def game_id(self) -> str | None:
        flow = self.shell.table_flow
        return None if flow is None else flow.table.game.id

    def key(self, name: str) -> bool:
        match name:
            case "enter" if self._again is not None:
                self._again()
            case "enter" | "esc":
                self._leave()
            case _:
                return False
        return True
