"""What a finger touches: the keys as large buttons at the bottom of a screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.glyphs import cell_width, truncate
from kimberley.client.ui.keys import HELP_KEY, MENU_KEY, Hint, key_name
from kimberley.client.ui.palette import Color, Depth

TOUCH_ROWS: Final = 3
"""The rows of a button on a portrait screen."""
TOUCH_COLUMNS: Final = 6
"""The least columns of such a button."""
SIDE_COLUMNS: Final = 14
"""The least columns of the buttons beside a landscape screen."""
MOST_SIDE_COLUMNS: Final = 22
"""The most columns of these."""
USUAL_COLUMNS: Final = 10
"""A row of several buttons has at most one per this many columns."""
MENU_LABEL: Final = "Menu"
WAY_BACK: Final = ("Esc", "back")
NOT_TOUCHED: Final = frozenset({"Tab", HELP_KEY, MENU_KEY})
"""Keys that are not buttons: what they lead to can be touched itself, or is in the menu."""


def bar_rows(canvas: Canvas, lines: int = 1) -> int:
    """Returns the rows that the keys take at the bottom of a canvas, where buttons lie in that many `lines`. In
    landscape they take the last row, and the rows below the canvas, or else the columns beside it.
    """
    return lines * (TOUCH_ROWS + 1) if canvas.portrait else 1


def touch_bar(canvas: Canvas, hints: Sequence[Hint], lines: int = 1) -> None:
    """Draws the keys as large buttons in the last rows of a portrait screen, or from the last row of a landscape one
    downward; the most useful one at the lower right, and at the lower left the menu, which has the keys that do not
    fit. Beside a low landscape screen they are a column, with the most useful one at its lower end.

    Keys that only move a cursor, several in one hint, are left out: by touch, one goes there at once.
    """
    if not canvas.portrait:
        side = canvas.side
        if side.width >= SIDE_COLUMNS and canvas.deeper(1).height == canvas.height:
            canvas.fill(0, canvas.height - 1, canvas.width, 1, "ink")
            _touch_column(side, _buttons(canvas, hints))
        else:
            _touch_row_below(canvas, hints)
        return
    buttons = _buttons(canvas, hints)
    top = canvas.height - lines * (TOUCH_ROWS + 1) + 1
    canvas.fill(0, top - 1, canvas.width, canvas.height - top + 1, "ink")
    for line in reversed(range(lines)):
        buttons = _touch_line(canvas, top + line * (TOUCH_ROWS + 1), TOUCH_ROWS, buttons, lowest=line == lines - 1)
    _leave_out(canvas, buttons)


def _touch_row_below(canvas: Canvas, hints: Sequence[Hint]) -> None:
    """Draws one line of buttons. They are as high as the rows below the canvas allow, with one left free where
    possible.
    """
    whole = canvas.deeper(TOUCH_ROWS)
    room = whole.height - canvas.height + 1
    rows = min(room, TOUCH_ROWS)
    whole.fill(0, canvas.height - 1, canvas.width, room, "ink")
    _leave_out(canvas, _touch_line(whole, whole.height - rows, rows, _buttons(canvas, hints), lowest=True))


def _touch_column(canvas: Canvas, hints: Sequence[Hint]) -> None:
    """Draws buttons in a column, the first one at the lower end."""
    canvas.fill(0, 0, canvas.width, canvas.height, "ink")
    most = (canvas.height + 1) // (TOUCH_ROWS + 1)
    _leave_out(canvas, hints[most:])
    buttons = sorted(hints[:most], key=lambda hint: hint.label == MENU_LABEL)
    for number, hint in enumerate(buttons):
        y = canvas.height - TOUCH_ROWS - number * (TOUCH_ROWS + 1)
        touch_button(canvas, 1, y, canvas.width - 2, _capital(hint.label), hint.means, primary=hint.primary)


def _leave_out(canvas: Canvas, hints: Sequence[Hint]) -> None:
    for hint in hints:
        canvas.leave_out(_capital(hint.label), key_name(hint.key))


def _buttons(canvas: Canvas, hints: Sequence[Hint]) -> list[Hint]:
    """Returns the keys that become buttons, the most useful ones first, with the menu among them."""
    named: dict[str, Hint] = {}
    for hint in hints:
        if hint.action is None and hint.key not in NOT_TOUCHED and " " not in hint.key:
            named.setdefault(hint.key, hint)
    buttons = list(named.values())
    # The menu has a way back of its own, so this one is not a line of the menu.
    buttons.sort(key=lambda hint: (not hint.primary, (hint.key, hint.label) != WAY_BACK))
    if not canvas.covered:
        buttons.insert(1, Hint(MENU_KEY, MENU_LABEL))
    return buttons


def _touch_line(canvas: Canvas, y: int, rows: int, hints: Sequence[Hint], *, lowest: bool) -> list[Hint]:
    """Draws the buttons for which a line has room. Returns the others."""
    line, rest = _fitting(hints, canvas.width - 1)
    if lowest:
        line.sort(key=lambda hint: hint.label == MENU_LABEL)
    _touch_row(canvas, y, rows, line)
    return rest


def touch_answers(canvas: Canvas, hints: Sequence[Hint]) -> None:
    """Draws all answers to a question as buttons: on a portrait screen, one below another if need be."""
    needed = sum(_touch_width(hint) + 1 for hint in hints)
    touch_bar(canvas, hints, 1 if needed < canvas.width else len(hints))


def _fitting(hints: Sequence[Hint], room: int) -> tuple[list[Hint], list[Hint]]:
    """Returns the hints whose buttons fit side by side, and the others."""
    most = (room + 1) // USUAL_COLUMNS
    row: list[Hint] = []
    rest: list[Hint] = []
    for hint in hints:
        needed = _touch_width(hint) + 1
        fits = needed <= room and len(row) < most
        (row if fits else rest).append(hint)
        room -= needed if fits else 0
    return row, rest


def _touch_width(hint: Hint) -> int:
    return max(TOUCH_COLUMNS, cell_width(hint.label) + 2)


def _touch_row(canvas: Canvas, y: int, rows: int, hints: Sequence[Hint]) -> None:
    """Draws buttons over a whole row, the first one at the right. What is left over goes to the primary one, or else to
    all but the menu.
    """
    spare = canvas.width - 1 - sum(_touch_width(hint) + 1 for hint in hints)
    wide = [hint for hint in hints if hint.primary] or [hint for hint in hints if hint.label != MENU_LABEL]
    right = canvas.width - 1
    for hint in hints:
        room = _touch_width(hint)
        if hint in wide:
            more = spare // len(wide)
            room, spare = room + more, spare - more
            wide.remove(hint)
        touch_button(canvas, right - room, y, room, _capital(hint.label), hint.means, primary=hint.primary, rows=rows)
        right -= room + 1


def _capital(label: str) -> str:
    return label[:1].upper() + label[1:]


def touch_button(
    canvas: Canvas, x: int, y: int, room: int, label: str, action: Action, *, primary: bool = False,
    fill: Color | None = None, rows: int = TOUCH_ROWS,
) -> None:  # fmt: skip
    """Draws a button as large as a finger needs it. A click on it sends the action.

    Args:
        x, y: its upper left cell.
        room, rows: its columns and rows.
        label: what it does, in one line.
        action: what a click sends.
        primary: draws it in ice, for what most people want.
        fill: another background, such as "ok".
    """
    rests = action in canvas.resting
    color: Color = "button" if rests else fill or ("ice" if primary else "button")
    dark = color in ("ice", "paper", "ok", "money")
    canvas.fill(x, y, room, rows, color)
    middle = y + (rows - 1) // 2
    if canvas.palette.depth is Depth.NONE and not dark:
        canvas.put(x, middle, "[", "text")
        canvas.put(x + room - 1, middle, "]", "text")
    canvas.center(
        x, middle, room, truncate(label, room), "ink" if dark else "soft" if rests else "text", bold=not rests
    )
    canvas.hit(x, y, room, rows, action, button=True)
