"""Shown in place of a table's screen that has failed: what happened, and how to go on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from kimberley.client.screens.shell import Shell
from kimberley.client.ui.bars import key_bar, phase_strip, title_bar
from kimberley.client.ui.buttons import button
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import wrap
from kimberley.client.ui.keys import MENU_KEY, Hint
from kimberley.client.ui.layout import stage
from kimberley.client.ui.panels import panel, paragraph
from kimberley.client.ui.screen import Screen

if TYPE_CHECKING:
    from kimberley.p2p.table.table import Table

PLAYS_ON: Final = (
    "The game goes on and nothing is lost. Show the screen again, or stop here: {way_back}. {menu} lets you chat, save "
    "for later or resign."
)
BY_COMMAND: Final = "you can resume as text with kimberley resume --plain"
BY_RELOAD: Final = "you can resume by reloading this page"
IN_A_CUP: Final = "The game goes on and nothing is lost. Show the screen again. {menu} lets you chat or resign."
OVER: Final = "This game is over. Show the screen again, or leave."


class FaultScreen(Screen):
    """Says that a screen has failed. `again` shows that screen once more, `leave` leaves the table.

    If the game `counts` for a tournament, the player cannot stop here: the tournament would lead back to this table.
    """

    def __init__(
        self,
        shell: Shell,
        table: Table,
        problem: str,
        again: Callable[[], None],
        leave: Callable[[], None],
        *,
        counts: bool,
    ) -> None:
        super().__init__(shell)
        self.shell = shell
        self.problem, self._counts = problem, counts
        self._table, self._again, self._leave = table, again, leave

    @property
    def table(self) -> Table:
        return self._table

    @property
    def _plays(self) -> bool:
        return self._table.phase in ("playing", "closing")

    @property
    def _stops(self) -> bool:
        """Whether the player can stop here and resume the game later."""
        return self._plays and not self._counts

    def draw(self, canvas: Canvas, now: float) -> None:
        title_bar(canvas, self._table.game.title, self.shell.settings.name)
        phase_strip(canvas, 1, "STOP", "This screen has failed.")
        ground = stage(canvas)
        kept = f"The record is saved: {self._table.ending.record}" if self._table.ending.record else ""
        advice = (IN_A_CUP if self._counts else PLAYS_ON) if self._plays else OVER
        advice = advice.format(
            way_back=BY_COMMAND if self.ui.window.has_shell else BY_RELOAD,
            menu=f"The menu ({MENU_KEY})" if self.ui.window.has_keys else "The menu",
        )
        texts = [self.problem, advice, kept]
        x, room = (1, ground.width - 2) if canvas.portrait else (8, 64)
        paragraphs = [wrap(text, room - 6) for text in texts if text]
        rows = sum(len(lines) + 1 for lines in paragraphs) + 3
        inside = panel(ground, x, 1, room, rows, "What happened")
        y = 1
        for number, lines in enumerate(paragraphs):
            y = paragraph(inside, 1, y, lines, "soft" if number else "text") + 1
        answers = [("Stop here", "s")] if self._stops else [] if self._plays else [("Leave", "Esc")]
        if not canvas.touch:
            after = button(ground, x, rows + 2, "Show again", "Enter", primary=True)
            for label, key in answers:
                button(ground, after + 1, rows + 2, label, key, fill="line")
        hints = [Hint("Enter", "show again", primary=True)]
        if self._stops:
            hints.insert(1, Hint("s", "stop and resume later"))
        elif not self._plays:
            hints.insert(1, Hint("Esc", "leave"))
        key_bar(canvas, hints)

    def key(self, name: str) -> bool:
        match name:
            case "enter":
                self._again()
            case "s" if self._stops:
                self.ui.start(self._table.suspend())
            case "esc" if not self._plays:
                self._leave()
            case _:
                return False
        return True
