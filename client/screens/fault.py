"""In the place of a screen of one's table that has failed: what happened, and how to go on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from client.canvas import Canvas
from client.glyphs import wrapped
from client.screen import Screen
from client.screens.shell import Shell
from client.screens.stage import stage
from client.seats import TableLike
from client.widgets import Hint, button, key_bar, panel, paragraph, phase_strip, title_bar

PLAYS_ON: Final = (
    "The game goes on, and nothing is lost. Show the screen again, or stop here: kimberley resume --plain takes your "
    "seat again without screens. F10 is the menu: talk, put the game aside, resign."
)
OVER: Final = "The game is over here. Show the screen again, or leave."


class FaultScreen(Screen):
    """`again` shows the screen that failed once more, `leave` leaves the table."""

    def __init__(
        self, shell: Shell, table: TableLike, problem: str, again: Callable[[], None], leave: Callable[[], None]
    ) -> None:
        super().__init__(shell)
        self.problem = problem
        self._table, self._again, self._leave = table, again, leave

    @property
    def table(self) -> TableLike:
        return self._table

    @property
    def _plays(self) -> bool:
        return self._table.phase in ("playing", "closing")

    def draw(self, canvas: Canvas, now: float) -> None:
        title_bar(canvas, self._table.game.title, self.ui.settings.name)
        phase_strip(canvas, 1, "STOP", "A screen has failed.")
        ground = stage(canvas)
        kept = f"The record is kept: {self._table.record}" if self._table.record else ""
        told = [self.problem, PLAYS_ON if self._plays else OVER, kept]
        paragraphs = [wrapped(text, 58) for text in told if text]
        rows = sum(len(lines) + 1 for lines in paragraphs) + 3
        inside = panel(ground, 8, 1, 64, rows, "What happened")
        y = 1
        for number, lines in enumerate(paragraphs):
            y = paragraph(inside, 1, y, lines, "soft" if number else "text") + 1
        after = button(ground, 8, rows + 2, "Show it again", "Enter", primary=True)
        button(ground, after + 1, rows + 2, *(("Stop here", "s") if self._plays else ("Leave", "Esc")), fill="line")
        last = Hint("s", "stop, to resume") if self._plays else Hint("Esc", "leave")
        key_bar(canvas, [Hint("Enter", "show it again"), last, Hint("F10", "menu")])

    def key(self, name: str) -> bool:
        match name:
            case "enter":
                self._again()
            case "s" if self._plays:
                self.ui.start(self._table.suspend())
            case "esc" if not self._plays:
                self._leave()
            case _:
                return False
        return True
