"""Lists: rows for a finger, the visible part of a long one, and tabs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.glyphs import cell_width, truncate
from kimberley.client.ui.palette import Color
from kimberley.client.ui.spans import Span

LEAST_ROWS: Final = 2
"""The least rows of what a finger touches."""


def tabs(canvas: Canvas, x: int, y: int, names: Sequence[str], active: int, action: Callable[[int], Action]) -> int:
    """Draws names in a row, the active one on paper. Returns the column after them. An inert canvas has only the active
    one.

    On a portrait screen they are two rows high, and continue below where they do not fit side by side.
    """
    if canvas.inert:
        return canvas.put(x, y, names[active], "text", bold=True) + 1
    rows, left = 2 if canvas.portrait else 1, x
    for index, name in enumerate(names):
        here = index == active
        if canvas.portrait and x > left and x + cell_width(name) + 2 > canvas.width:
            x, y = left, y + rows
        ground: Color = "paper" if here else "raised"
        canvas.fill(x, y, cell_width(name) + 2, rows, ground)
        end = canvas.put(x, y, f" {name} ", "ink" if here else "soft", ground, bold=here)
        canvas.hit(x, y, end - x, rows, action(index))
        x = end + 1
    return x


def tab_lines(canvas: Canvas, x: int, names: Sequence[str]) -> int:
    """Returns how many lines `tabs` takes on a portrait screen."""
    lines, at = 1, x
    for name in names:
        room = cell_width(name) + 2
        if at > x and at + room > canvas.width:
            lines, at = lines + 1, x
        at += room + 1
    return lines


def touch_row(
    canvas: Canvas, y: int, title: Span, note: Span, below: Sequence[Span], focused: bool,
    action: Action,
) -> None:  # fmt: skip
    """Draws a row of a list on a portrait screen over its whole width, LEAST_ROWS high: the title, a note at the right,
    and what is said below. The focused one is on paper.
    """
    width = canvas.width
    canvas.fill(0, y, width, LEAST_ROWS, "paper" if focused else "panel")
    start = canvas.right(width - 1, y, note.text, "faded" if focused else note.fg)
    canvas.put(1, y, truncate(title.text, start - 2), "ink" if focused else title.fg, bold=focused)
    x = 1
    for part in below:
        x = (
            canvas.put(x, y + 1, truncate(part.text, width - x - 1), "faded" if focused else part.fg, bold=part.bold)
            + 2
        )
    canvas.hit(0, y, width, LEAST_ROWS, action)


class Scroll:
    """The visible rows of a long list, and the focused one."""

    def __init__(self, focus: int = 0) -> None:
        self.focus = focus
        self.top = 0

    def shown(self, count: int, room: int) -> range:
        """Returns the visible indices of `count` rows in `room`. Keeps the focus within both."""
        self.focus = min(max(0, self.focus), max(0, count - 1))
        self.top = min(max(self.top, self.focus - room + 1), self.focus, max(0, count - room))
        return range(self.top, min(count, self.top + room))

    def key(self, name: str, count: int, page: int = 8) -> bool:
        """Moves the focus by a key: down from the last row to the first, and up from that to the last. Returns False if
        the key does not move it.
        """
        steps = {"up": -1, "down": 1, "pageup": -page, "pagedown": page, "home": -count, "end": count}
        if name not in steps or not count:
            return False
        self.focus = moved(self.focus, steps[name], count, around=name in ("up", "down"))
        return True

    def wheel(self, steps: int, count: int) -> bool:
        """Moves the focus by notches of the wheel, not beyond an end. Returns False if there is nothing to move in."""
        self.focus = moved(self.focus, steps, count)
        return count > 0


def moved(at: int, by: int, count: int, *, around: bool = False) -> int:
    """Returns the row of a list of `count` rows that `by` steps lead to, as far as its ends; `around` leads on from
    each end to the other one.
    """
    last = max(0, count - 1)
    at = min(at, last)
    return (at + by) % (last + 1) if around else min(max(0, at + by), last)
