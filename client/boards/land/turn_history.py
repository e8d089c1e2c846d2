"""All turns so far, in a dialog that can be scrolled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kimberley.client.boards.land.events import GameEvent, SeatLeft, TurnPlayed, describe_event, money
from kimberley.client.boards.land.parcel_style import light, mark
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.glyphs import truncate, wrap
from kimberley.client.ui.screen import Screen, Ui
from kimberley.client.ui.widgets import Scroll, button, dialog
from kimberley.games.land.money import balance

WIDEST: Final = 96


class TurnHistoryScreen(Screen):
    """What every seat rolled, paid, earned and did, the latest at the bottom. A line in focus is told in full."""

    overlay = True

    def __init__(self, ui: Ui, names: Sequence[str], you: int | None, events: Sequence[GameEvent]) -> None:
        super().__init__(ui)
        self._names, self._you, self._events = names, you, list(events)
        self._scroll = Scroll(max(0, len(self._events) - 1))
        self._page = 8

    def draw(self, canvas: Canvas, now: float) -> None:
        del now
        inside = dialog(canvas, min(canvas.width - 4, WIDEST), canvas.height - 2, "What happened")
        room = inside.height - 6
        self._page = room
        if not self._events:
            inside.put(0, 1, "Nobody has ended a turn yet.", "soft")
        for y, index in enumerate(self._scroll.shown(len(self._events), room), start=1):
            self._draw_line(inside, y, index)
        if self._events:
            for y, line in enumerate(wrap(self._told(self._events[self._scroll.focus]), inside.width)[:3]):
                inside.put(0, room + 2 + y, line, "soft")
        button(inside, inside.width - 13, inside.height - 1, "Close", "Esc", primary=True, tall=False)

    def _draw_line(self, inside: Canvas, y: int, index: int) -> None:
        each = self._events[index]
        focused = index == self._scroll.focus
        if focused:
            inside.fill(0, y, inside.width, 1, "paper")
        inside.put(0, y, mark(each.seat), "ink" if focused else light(each.seat), bold=True)
        number = f"{each.number:>3}" if isinstance(each, TurnPlayed) else "   "
        inside.put(3, y, number, "faded" if focused else "soft")
        end = inside.width
        if isinstance(each, TurnPlayed):
            end = inside.right(end, y, f"{balance(each.cash)}K", "ink" if focused else "money") - 1
        text = f"{self._names[each.seat]} {describe_event(each, self._names, self._you)}"
        inside.put(7, y, truncate(text, end - 7), "ink" if focused else "text")
        inside.hit(0, y, inside.width, 1, ("line", index))

    def _told(self, each: GameEvent) -> str:
        name = self._names[each.seat]
        if isinstance(each, SeatLeft):
            return f"{name} {describe_event(each, self._names, self._you)}."
        start = each.opening
        return (
            f"{name}’s turn {each.number}: {money(start.before)} + credits {money(start.credits)}"
            f" - tax {money(start.tax)} + revenue {money(start.revenue)} = {money(start.after)}."
            f" Then {name} {describe_event(each, self._names, self._you)}, and has {money(each.cash)}."
        )

    def key(self, name: str) -> bool:
        if self._scroll.key(name, len(self._events), self._page):
            return True
        if name in ("esc", "enter", "l", "q"):
            self.ui.pop(self)
            return True
        return False

    def click(self, action: Action, x: int, y: int, button: str) -> bool:
        del x, y, button
        match action:
            case ("line", int(index)):
                self._scroll.focus = index
                return True
        return False

    def wheel(self, action: Action | None, x: int, y: int, steps: int) -> bool:
        del action, x, y
        return self._scroll.key("up" if steps < 0 else "down", len(self._events))
