"""Buttons, and numbers that are stepped up and down. Each is drawn at a position of a canvas.

A click sends the action that it means: by default, the key written on it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.glyphs import cell_width, truncate
from kimberley.client.ui.keys import in_menu, key_name
from kimberley.client.ui.palette import Color, Depth
from kimberley.client.ui.touch import TOUCH_ROWS, touch_button


class Button(NamedTuple):
    """What a button says and does: its label, the key written on it, whether it is what most people want now; and
    another background, such as "line".
    """

    label: str
    key: str
    primary: bool = False
    fill: Color | None = None


def button_width(label: str, key: str = "") -> int:
    """Returns how many columns a button takes."""
    return cell_width(f"{label} {key}".strip()) + 4


def button(
    canvas: Canvas,
    x: int,
    y: int,
    label: str,
    key: str = "",
    *,
    primary: bool = False,
    fill: Color | None = None,
    tall: bool = True,
    focused: bool = False,
    action: Action | None = None,
) -> int:
    """Draws a button. A click on it sends the key or the action. Returns the column after it. An inert canvas has none.

    Args:
        x, y: the left end of the button, and the row of its text.
        label: what the button does.
        key: the key that does the same, written after the label where there are keys.
        primary: draws it in ice, for the button that most people want; at most one on a screen.
        fill: another background, such as "ok".
        tall: adds half a cell above and below the text.
        focused: draws it on paper, because Tab has stopped there.
        action: what a click sends; without it, the key.
    """
    room = button_width(label, key)
    if canvas.inert:
        return x + room
    text = label if canvas.touch and label else f"{label} {key}".strip()
    inset = (room - cell_width(text)) // 2
    means: Action = action if action is not None else f"key:{key_name(key)}"
    rests = means in canvas.resting
    color: Color = "button" if rests else "paper" if focused else fill or ("ice" if primary else "button")
    dark = color in ("ice", "paper", "ok", "money")
    fg: Color = "ink" if dark else "soft" if rests else "text"
    if canvas.palette.depth is Depth.NONE and not dark:
        # Without colors, only the primary button is reversed. The others have brackets.
        canvas.fill(x, y, room, 1, color)
        canvas.put(x, y, "[", "text")
        canvas.put(x + room - 1, y, "]", "text")
    else:
        canvas.fill(x, y, room, 1, color)
        if tall and not canvas.ascii_only:
            canvas.put(x, y - 1, "▄" * room, color)
            canvas.put(x, y + 1, "▀" * room, color)
    if focused:
        canvas.put(x, y, "▸ ", fg, bold=True)
    canvas.put(x + inset, y, text, fg, bold=not rests)
    canvas.hit(x, y - 1 if tall else y, room, 3 if tall else 1, means, button=True)
    if in_menu(key) and not canvas.touch:
        canvas.leave_out(label, key, action)
    return x + room


def right_button(
    canvas: Canvas, end: int, y: int, label: str, key: str = "", *, primary: bool = False, fill: Color | None = None,
    tall: bool = True,
) -> int:  # fmt: skip
    """Draws a button, as `button` does, that ends before column `end`. Returns its first column."""
    start = end - button_width(label, key)
    button(canvas, start, y, label, key, primary=primary, fill=fill, tall=tall)
    return start


def draw_buttons(
    canvas: Canvas, x: int, y: int, buttons: Iterable[Button], *, right: bool = False, gap: int = 1, rows: int = 0,
    tall: bool = True,
) -> None:  # fmt: skip
    """Draws buttons side by side or one below another. One that has no room on the canvas is left out.

    Args:
        x, y: the left end of the first one, and the row of its text.
        right: lets the first one end before `x`, and the others follow to its left.
        gap: columns between two.
        rows: draws each one that many rows below the one before it, or above it if negative.
        tall: adds half a cell above and below the text.
    """
    for label, key, primary, fill in buttons:
        width = button_width(label, key)
        start = x - width if right else x
        if not 0 <= start <= canvas.width - width:
            continue
        button(canvas, start, y, label, key, primary=primary, fill=fill, tall=tall)
        if rows:
            y += rows
        else:
            x = start - gap if right else start + width + gap


def stepper(
    canvas: Canvas, x: int, y: int, value: str, *, less: Action, more: Action, done: Action | None = None,
    room: int = 6, focused: bool = True,
) -> int:  # fmt: skip
    """Draws a value between ` ◂ ` and ` ▸ `, and ` ✓ ` if it can be set. Returns the column after it.

    Args:
        x, y: the left end.
        value: the text in the middle.
        less, more: what a click on the arrows sends, or one between them and the text.
        done: what a click on ` ✓ ` sends; without it, there is no ` ✓ `.
        room: columns for the value.
        focused: draws the value on paper, because keys go there.
    """
    end = x + 6 + room
    begins = x + 3 + max(0, room - cell_width(value)) // 2
    ends = min(begins + cell_width(value), end - 3)
    canvas.fill(x, y, 3, 1, "line")
    canvas.put(x + 1, y, "◂", "text", bold=True)
    canvas.hit(x, y, begins - x, 1, less, button=True)
    canvas.fill(x + 3, y, room, 1, "paper" if focused else "raised")
    canvas.center(x + 3, y, room, value, "ink" if focused else "text", bold=True)
    canvas.fill(end - 3, y, 3, 1, "line")
    canvas.put(end - 2, y, "▸", "text", bold=True)
    canvas.hit(ends, y, end - ends, 1, more, button=True)
    if done is not None:
        canvas.put(end + 1, y, " ✓ ", "ink", "ok", bold=True)
        canvas.hit(end + 1, y, 3, 1, done, button=True)
        end += 4
    return end


def touch_stepper(
    canvas: Canvas, x: int, y: int, room: int, value: str, *, less: Action, more: Action, select: Action | None = None,
    label: str = "", focused: bool = True,
) -> None:  # fmt: skip
    """Draws a value between two arrows as large as a finger needs them: TOUCH_ROWS high, or two rows with a label.

    Args:
        x, y: its upper left cell.
        room: columns for all of it.
        value: the text in the middle.
        less, more: what a touch of the arrows sends.
        select: what one between them sends.
        label: what the value is of, above it.
        focused: draws the value on paper, because keys go there.
    """
    rows, arrow = 2 if label else TOUCH_ROWS, 6 if label else room // 4
    middle = room - 2 * arrow
    canvas.fill(x + arrow, y, middle, rows, "paper" if focused else "raised")
    canvas.center(x + arrow, y, middle, truncate(label, middle), "faded" if focused else "soft")
    canvas.center(x + arrow, y + 1, middle, truncate(value, middle), "ink" if focused else "text", bold=True)
    if select is not None:
        canvas.hit(x + arrow, y, middle, rows, select)
    touch_button(canvas, x, y, arrow, "◂", less, fill="line", rows=rows)
    touch_button(canvas, x + room - arrow, y, arrow, "▸", more, fill="line", rows=rows)
