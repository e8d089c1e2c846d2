"""F1: what to do now, and the rules of the game, on two pages."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from kimberley.client.ui.bars import key_bar
from kimberley.client.ui.buttons import button, right_button
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.keys import HELP_KEY, Hint, key_name
from kimberley.client.ui.lists import tabs
from kimberley.client.ui.panels import dialog
from kimberley.client.ui.screen import Help, Screen, Ui
from kimberley.client.ui.spans import Span, Spans, draw_lines, hanging, text_lines

PAGE_NAMES: Final = ("Now", "Rules of the game")
WIDEST: Final = 78
"""Most columns of a line: longer ones are hard to read."""
BESIDE: Final = 10
"""Columns that the dialog takes beyond its text."""
NARROW_BESIDE: Final = 7
"""The same on a portrait screen."""
MOST_LINES: Final = 1_000_000
NOTCH: Final = 3
"""Lines that one notch of the wheel scrolls."""


class HelpPager(Screen):
    """One or two pages of help over the screen below. Each page scrolls, and keeps its position."""

    overlay = True

    def __init__(self, ui: Ui, now: Help, rules: Help | None = None) -> None:
        super().__init__(ui)
        self.pages = (now,) if rules is None else (now, rules)
        self.page = 0
        self._tops = [0] * len(self.pages)
        self._rows = 1
        """How many lines of a page were visible when it was last drawn."""

    def draw(self, canvas: Canvas, now: float) -> None:
        room = min(canvas.width - 2, WIDEST + BESIDE)
        room_inside = room - (NARROW_BESIDE if canvas.portrait else BESIDE)
        pages = [_lines(page, room_inside, self.ui.window.has_keys) for page in self.pages]
        head = (2 if len(pages) > 1 else 1) + canvas.portrait
        rows = min(canvas.height - 2, max(map(len, pages)) + head + 4)
        inside = dialog(canvas, room, rows, self.pages[self.page].title)
        if len(pages) > 1:
            # Outside of a game the rules are those of the game in focus.
            first, rules = self.pages[0], self.pages[-1]
            named = rules.title != first.title and not canvas.portrait
            titles = (PAGE_NAMES[0], f"Rules of {rules.title}") if named else PAGE_NAMES
            names = [f"▸ {name}" if number == self.page else f"  {name}" for number, name in enumerate(titles)]
            tabs(inside, 1, 0, names, self.page, lambda number: ("page", number))
        lines = pages[self.page]
        self._rows = inside.height - head - 2
        top = self._tops[self.page] = max(0, min(self._tops[self.page], len(lines) - self._rows))
        draw_lines(inside, 1, head, lines[top : top + self._rows])
        self._draw_foot(inside, top, len(lines))
        scrolls = len(lines) > self._rows
        if canvas.portrait:
            pages_keys = [Hint("PgDn", "page down", primary=True), Hint("PgUp", "page up")] if scrolls else []
            key_bar(canvas, [Hint("Esc", "back"), *pages_keys])
        else:
            key_bar(canvas, self._hints(scrolls))

    def _draw_foot(self, inside: Canvas, top: int, count: int) -> None:
        """Draws the buttons, and which lines of the page are shown, unless all are."""
        y, x = inside.height - 1, 1
        if inside.portrait:
            if count > self._rows:
                inside.put(x, y, f"lines {top + 1}–{top + self._rows} of {count}", "soft")
            return
        if count > self._rows:
            x = 1 + button(inside, x, y, "▴", "PgUp", fill="line", tall=False)
            x = 1 + button(inside, x, y, "▾", "PgDn", fill="line", tall=False)
            inside.put(x + 1, y, f"lines {top + 1}–{top + self._rows} of {count}", "soft")
        right_button(inside, inside.width - 1, y, "Back", "Esc", fill="line", tall=False)

    def _hints(self, scrolls: bool) -> list[Hint]:
        turn = [Hint("Tab", PAGE_NAMES[1 - self.page].lower())] if len(self.pages) > 1 else []
        scroll = [Hint("↑", "up"), Hint("↓", "down"), Hint("PgUp", "page up"), Hint("PgDn", "page down")]
        return [*turn, *(scroll if scrolls else []), Hint("Esc", "back")]

    def _scroll(self, steps: int) -> None:
        """Scrolls the page by lines. The next frame stops at its end."""
        self._tops[self.page] = max(0, self._tops[self.page] + steps)

    def key(self, name: str) -> bool:
        page = self._rows
        steps = {
            "up": -1, "down": 1, "pageup": -page, "pagedown": page, " ": page, "home": -MOST_LINES, "end": MOST_LINES,
        }  # fmt: skip
        match name:
            case "tab" | "s-tab" | "left" | "right" if len(self.pages) > 1:
                self.page = 1 - self.page
            case _ if name in ("esc", "enter", key_name(HELP_KEY), "q"):
                self.ui.pop(self)
            case _ if name in steps:
                self._scroll(steps[name])
            case _:
                return False
        return True

    def click(self, action: Action, x: int, y: int, button: str) -> bool:
        del x, y, button
        match action:
            case ("page", int(number)):
                self.page = number
                return True
        return False

    def wheel(self, action: Action | None, x: int, y: int, steps: int) -> bool:
        del action, x, y
        self._scroll(NOTCH * steps)
        return True


@lru_cache(maxsize=8)
def _lines(page: Help, room: int, has_keys: bool) -> tuple[Spans, ...]:
    """Returns a page in lines of at most `room` columns, for somebody with keys or without. Points have a bullet and a
    hanging indent.
    """
    lines: list[Spans] = []
    for keyed in page.sections:
        section = keyed if has_keys else keyed.by_touch or keyed
        if lines:
            lines.append(())
        lines += text_lines(section.heading, room, "text", bold=True)
        lines += text_lines(section.text, room) if section.text else []
        for point in section.points:
            lines += hanging(Span("• ", "soft"), (Span(point, "soft"),), room)
    return tuple(lines)
