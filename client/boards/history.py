"""A dialog that lists all events of a game so far. Choosing one shows its position."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from kimberley.client.boards.timeline import Timeline
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.glyphs import cell_width, truncate, wrap
from kimberley.client.ui.screen import Screen, Ui
from kimberley.client.ui.widgets import Hint, Scroll, button, button_width, dialog, key_bar

WIDEST: Final = 96
IN_FULL: Final = 3
"""Rows for the full text of the focused event."""


class HistoryScreen(Screen):
    """The events of a game, the latest at the bottom. `at` is the position now shown. `go` is called with the one to
    show.
    """

    overlay = True

    def __init__(self, ui: Ui, timeline: Timeline, at: int, go: Callable[[int], None]) -> None:
        super().__init__(ui)
        self._timeline, self._go = timeline, go
        self._scroll = Scroll(max(0, at - 1))
        self._page = 8

    def draw(self, canvas: Canvas, now: float) -> None:
        del now
        count = len(self._timeline.steps)
        inside = dialog(canvas, min(canvas.width - 4, WIDEST), canvas.height - 2, "What happened")
        room = self._page = inside.height - IN_FULL - 3
        if not count:
            inside.put(0, 1, "Nothing has happened yet.", "soft")
        for y, index in enumerate(self._scroll.shown(count, room), start=1):
            focused = index == self._scroll.focus
            if focused:
                inside.fill(0, y, inside.width, 1, "paper")
                inside.put(0, y, "▸", "ink", bold=True)
            after = inside.right(6, y, str(index + 1), "faded" if focused else "soft")
            text = truncate(self._timeline.describe_event(index + 1), inside.width - 8)
            inside.put(after + cell_width(str(index + 1)) + 2, y, text, "ink" if focused else "text")
            inside.hit(0, y, inside.width, 1, ("line", index))
        if count:
            told = wrap(self._timeline.describe_event(self._scroll.focus + 1), inside.width)
            for y, line in enumerate(told[:IN_FULL], start=room + 2):
                inside.put(0, y, line, "soft")
        left = inside.width - button_width("Show it", "Enter") - button_width("Back", "Esc") - 1
        after = button(inside, left, inside.height - 1, "Show it", "Enter", primary=True, tall=False)
        button(inside, after + 1, inside.height - 1, "Back", "Esc", tall=False)
        key_bar(canvas, [Hint("↑ ↓", "scroll"), Hint("Enter", "show it"), Hint("Esc", "back")])

    def key(self, name: str) -> bool:
        if self._scroll.key(name, len(self._timeline.steps), self._page):
            return True
        match name:
            case "enter":
                self.ui.pop(self)
                self._go(self._scroll.focus + 1)
            case "esc" | "l" | "q":
                self.ui.pop(self)
            case _:
                return False
        return True

    def click(self, action: Action, x: int, y: int, button: str) -> bool:
        del x, y, button
        match action:
            case ("line", int(index)):
                again = self._scroll.focus == index
                self._scroll.focus = index
                return self.key("enter") if again else True
        return False

    def wheel(self, action: Action | None, x: int, y: int, steps: int) -> bool:
        del action, x, y
        return self._scroll.key("up" if steps < 0 else "down", len(self._timeline.steps))
