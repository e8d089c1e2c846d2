"""Building blocks for screens and boards: bars, buttons, lists, fields, panels. Each is drawn at a position of a
canvas.

A clickable widget takes the action that a click on it means. By default that is the key written on it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.glyphs import cell_width, truncate, wrap
from kimberley.client.ui.palette import Color, Depth

SPELLED: Final = {
    "↑": "up", "↓": "down", "←": "left", "→": "right", "Space": " ", "PgUp": "pageup", "PgDn": "pagedown",
    "Del": "delete",
}  # fmt: skip
"""Keys whose hints differ from their names."""
STRIP_ROWS: Final = 3
"""The rows of the phase strip on a portrait screen: the phase with what is waited for, and two for the sentence."""
TOUCH_ROWS: Final = 3
"""The rows of a button on a portrait screen."""
LEAST_ROWS: Final = 2
"""The least rows of what is touched there."""
TOUCH_COLUMNS: Final = 6
"""The least columns of such a button."""
USUAL_COLUMNS: Final = 10
"""Of so many columns, at most one button is beside others."""
MENU_LABEL: Final = "Menu"
WAY_BACK: Final = ("Esc", "back")
NOT_TOUCHED: Final = frozenset({"Tab", "F1", "F10"})
"""Keys that are no buttons: what they lead to is touched itself, or in the menu."""
SENTENCE_END: Final = re.compile(r"[.?!] ")


def key_name(shown: str) -> str:
    """The key that a hint such as "Enter", "F1", "←" or "d" names. For several ("← →"), the last."""
    last = shown.split()[-1] if shown.split() else shown
    return SPELLED.get(last) or (last.lower() if len(last) > 1 else last)


class Hint(NamedTuple):
    """An entry of the key bar: the key as written there, what it does, and the action if it differs from the key.

    The `primary` one is what most people want now. It is in ice where keys are buttons.
    """

    key: str
    label: str
    action: Action | None = None
    primary: bool = False

    @property
    def means(self) -> Action:
        """What a click on it sends."""
        return f"key:{key_name(self.key)}" if self.action is None else self.action


# -- bars --------------------------------------------------------------------------------------------------------------


def title_bar(canvas: Canvas, title: str, note: str = "", note_fg: Color = "soft") -> None:
    """Draws row 0: a diamond and the title; at the right, a note and the keys for help and menu. Where keys are
    buttons, those are at the bottom. What has no room in the row of a portrait screen is left out.
    """
    canvas.fill(0, 0, canvas.width, 1, "panel")
    canvas.put(1, 0, "◆", "ice")
    if canvas.portrait:
        while cell_width(title) > canvas.width - 4 and " · " in title:
            title = title.rpartition(" · ")[0]
        end = canvas.put(3, 0, truncate(title, canvas.width - 4), "text", bold=True)
        if cell_width(note) <= canvas.width - end - 3:
            canvas.right(canvas.width - 1, 0, note, note_fg)
        return
    keys = canvas.width - 1 - len("F1 Help  F10 Menu")
    if canvas.touch:
        keys = canvas.width + 4
    else:
        canvas.put(keys, 0, "F1 Help", "soft")
        canvas.put(keys + 9, 0, "F10 Menu", "soft")
        canvas.hit(keys - 1, 0, 9, 1, "key:f1")
        canvas.hit(keys + 8, 0, 10, 1, "key:f10")
    room = keys - 5
    if note:
        room = canvas.right(room, 0, truncate(note, note_room(canvas.width, title)), note_fg) - 2
    canvas.put(3, 0, truncate(title, room - 3), "text", bold=True)


def note_room(width: int, title: str) -> int:
    """The columns for a note in a title bar."""
    return max(0, width - len("F1 Help  F10 Menu") - 11 - cell_width(title))


def whole_sentences(text: str, room: int) -> str:
    """The sentences of `text` that fit into `room` columns; the first is cut if even that one does not."""
    ends = [len(text), *(found.start() + 1 for found in reversed([*SENTENCE_END.finditer(text)]))]
    return next((text[:end] for end in ends if cell_width(text[:end]) <= room), truncate(text[: ends[-1]], room))


def strip_room(width: int, waiting: str) -> int:
    """The columns that a phase strip has for its phase and its sentence."""
    return width - 1 - (cell_width(waiting) + 2 if waiting else 0)


def sentence_room(room: int, phase: str) -> int:
    """The columns for the sentence, of those that a strip has for it and its phase."""
    return room - cell_width(phase) - 3


def phase_strip(
    canvas: Canvas, y: int, name: str, sentence: str, waiting: str = "", waiting_fg: Color = "soft", x: int = 0,
    room: int | None = None, fg: Color = "text",
) -> None:  # fmt: skip
    """Draws the phase on paper, what to do or what happened, and at the right who the table is waiting for.

    On a portrait screen it has STRIP_ROWS rows: two for the sentence, as far as they have room for whole ones.
    """
    if canvas.portrait:
        _upright_strip(canvas, y, name, sentence, waiting, waiting_fg, fg)
        return
    end = canvas.width if room is None else x + room
    canvas.mark_strip(x, y, end - x, 1)
    canvas.fill(x, y, end - x, 1, "raised")
    at = canvas.put(x, y, f" {name} ", "ink", "paper", bold=True) + 1
    stop = end - 1
    if waiting:
        stop = canvas.right(stop, y, waiting, waiting_fg) - 2
    canvas.put(at, y, whole_sentences(sentence, stop - at), fg)


def _upright_strip(
    canvas: Canvas, y: int, name: str, sentence: str, waiting: str, waiting_fg: Color, fg: Color
) -> None:
    canvas.mark_strip(0, y, canvas.width, STRIP_ROWS)
    canvas.fill(0, y, canvas.width, STRIP_ROWS, "raised")
    end = canvas.put(0, y, f" {name} ", "ink", "paper", bold=True) + 1
    canvas.right(canvas.width - 1, y, truncate(waiting, canvas.width - end - 1), waiting_fg)
    room = canvas.width - 2
    while len(lines := wrap(sentence, room)) > STRIP_ROWS - 1:
        shorter = whole_sentences(sentence, cell_width(sentence) - 1)
        sentence = shorter if cell_width(shorter) < cell_width(sentence) - 1 else truncate(sentence, room)
    for number, line in enumerate(lines):
        canvas.put(1, y + 1 + number, line, fg)


def key_bar(canvas: Canvas, hints: Sequence[Hint], y: int | None = None) -> None:
    """Draws the last row: the most useful keys first, each of them clickable. A key that does not fit is left out.

    On a touch canvas they are buttons, TOUCH_ROWS high.
    """
    if canvas.touch:
        touch_bar(canvas, hints)
        return
    row = canvas.height - 1 if y is None else y
    canvas.fill(0, row, canvas.width, 1, "panel")
    x = 1
    for hint in hints:
        room = cell_width(hint.key) + 1 + cell_width(hint.label)
        if x + room > canvas.key_room:
            continue
        after = canvas.put(x, row, hint.key, "text", bold=True)
        canvas.put(after + 1, row, hint.label, "soft")
        canvas.hit(x - 1, row, room + 2, 1, hint.means)
        x += room + 2


def bar_rows(canvas: Canvas, lines: int = 1) -> int:
    """The rows that the keys take at the bottom of a canvas, where buttons lie in so many `lines`. In landscape they
    take the last row, and the rows below the canvas.
    """
    return lines * (TOUCH_ROWS + 1) if canvas.portrait else 1


def touch_bar(canvas: Canvas, hints: Sequence[Hint], lines: int = 1) -> None:
    """Draws the keys as large buttons in the last rows of a portrait screen, or from the last row of a landscape one on
    down; the most useful one at the lower right, and at the lower left the menu, which has the keys that do not fit.

    Keys that only move a cursor, several in one hint, are left out: by touch, one goes there at once.
    """
    if not canvas.portrait:
        _touch_row_below(canvas, hints)
        return
    shown = _buttons(canvas, hints)
    top = canvas.height - lines * (TOUCH_ROWS + 1) + 1
    canvas.fill(0, top - 1, canvas.width, canvas.height - top + 1, "ink")
    for line in reversed(range(lines)):
        shown = _touch_line(canvas, top + line * (TOUCH_ROWS + 1), TOUCH_ROWS, shown, lowest=line == lines - 1)
    _leave_out(canvas, shown)


def _touch_row_below(canvas: Canvas, hints: Sequence[Hint]) -> None:
    """Draws one line of buttons. They are as high as the rows below the canvas allow, with one free where it can be."""
    whole = canvas.deeper(TOUCH_ROWS)
    room = whole.height - canvas.height + 1
    rows = min(room, TOUCH_ROWS)
    whole.fill(0, canvas.height - 1, canvas.width, room, "ink")
    _leave_out(canvas, _touch_line(whole, whole.height - rows, rows, _buttons(canvas, hints), lowest=True))


def _leave_out(canvas: Canvas, hints: Sequence[Hint]) -> None:
    for hint in hints:
        canvas.leave_out(_capital(hint.label), key_name(hint.key))


def _buttons(canvas: Canvas, hints: Sequence[Hint]) -> list[Hint]:
    """The keys that become buttons, the most useful ones first, with the menu among them."""
    named: dict[str, Hint] = {}
    for hint in hints:
        if hint.action is None and hint.key not in NOT_TOUCHED and " " not in hint.key:
            named.setdefault(hint.key, hint)
    shown = list(named.values())
    # The menu has a way back of its own, so this one is no line of the menu.
    shown.sort(key=lambda hint: (not hint.primary, (hint.key, hint.label) != WAY_BACK))
    if not canvas.covered:
        shown.insert(1, Hint("F10", MENU_LABEL))
    return shown


def _touch_line(canvas: Canvas, y: int, rows: int, hints: Sequence[Hint], *, lowest: bool) -> list[Hint]:
    """Draws the buttons for which a line has room. Returns the others."""
    line, rest = _fitting(hints, canvas.width - 1)
    if lowest:
        line.sort(key=lambda hint: hint.label == MENU_LABEL)
    _touch_row(canvas, y, rows, line)
    return rest


def touch_answers(canvas: Canvas, hints: Sequence[Hint]) -> None:
    """Draws the answers to a question as buttons, each of them: on a portrait screen below each other if need be."""
    needed = sum(_touch_width(hint) + 1 for hint in hints)
    touch_bar(canvas, hints, 1 if needed < canvas.width else len(hints))


def _fitting(hints: Sequence[Hint], room: int) -> tuple[list[Hint], list[Hint]]:
    """The hints whose buttons have room beside each other, and the others."""
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
    color: Color = fill or ("ice" if primary else "button")
    dark = color in ("ice", "paper", "ok", "money")
    canvas.fill(x, y, room, rows, color)
    middle = y + (rows - 1) // 2
    if canvas.palette.depth is Depth.NONE and not dark:
        canvas.put(x, middle, "[", "text")
        canvas.put(x + room - 1, middle, "]", "text")
    canvas.center(x, middle, room, truncate(label, room), "ink" if dark else "text", bold=True)
    canvas.hit(x, y, room, rows, action)


def toast(canvas: Canvas, text: str, bad: bool = False) -> None:
    """Draws one row above the keys, on a portrait screen as many as the text needs. Among buttons it is of their color
    only if it is `bad`.
    """
    said, room = f"! {text}" if bad else text, canvas.width - 2
    lines = wrap(said, room) if canvas.portrait else [whole_sentences(said, room)]
    bright = canvas.touch and not bad
    fg: Color = "warning" if bad else "ink" if bright else "text"
    top = canvas.height - bar_rows(canvas) - len(lines)
    canvas.fill(0, top, canvas.width, len(lines), "paper" if bright else "raised")
    for number, line in enumerate(lines):
        canvas.put(1, top + number, line, fg, bold=bad)


# -- buttons and numbers -----------------------------------------------------------------------------------------------


def button_width(label: str, key: str = "") -> int:
    """How many columns a button takes."""
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
    """Draws a button. A click on it sends the key or the action. Returns the column after it.

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
    text = label if canvas.touch and label else f"{label} {key}".strip()
    inset = (room - cell_width(text)) // 2
    color: Color = "paper" if focused else fill or ("ice" if primary else "button")
    dark = color in ("ice", "paper", "ok", "money")
    fg: Color = "ink" if dark else "text"
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
    canvas.put(x + inset, y, text, fg, bold=True)
    means: Action = action if action is not None else f"key:{key_name(key)}"
    canvas.hit(x, y - 1 if tall else y, room, 3 if tall else 1, means)
    return x + room


def stepper(
    canvas: Canvas, x: int, y: int, value: str, *, less: Action, more: Action, done: Action | None = None,
    room: int = 6, focused: bool = True,
) -> int:  # fmt: skip
    """Draws a value between ` ◂ ` and ` ▸ `, and ` ✓ ` if it can be set. Returns the column after it.

    Args:
        x, y: the left end.
        value: the text in the middle.
        less, more: what a click on the arrows sends.
        done: what a click on ` ✓ ` sends; without it, there is no ` ✓ `.
        room: columns for the value.
        focused: draws the value on paper, because keys go there.
    """
    canvas.fill(x, y, 3, 1, "line")
    canvas.put(x + 1, y, "◂", "text", bold=True)
    canvas.hit(x, y, 3, 1, less)
    canvas.fill(x + 3, y, room, 1, "paper" if focused else "raised")
    canvas.center(x + 3, y, room, value, "ink" if focused else "text", bold=True)
    canvas.fill(x + 3 + room, y, 3, 1, "line")
    canvas.put(x + 4 + room, y, "▸", "text", bold=True)
    canvas.hit(x + 3 + room, y, 3, 1, more)
    end = x + 6 + room
    if done is not None:
        canvas.put(end + 1, y, " ✓ ", "ink", "ok", bold=True)
        canvas.hit(end + 1, y, 3, 1, done)
        end += 4
    return end


def touch_stepper(
    canvas: Canvas, x: int, y: int, room: int, value: str, *, less: Action, more: Action, label: str = "",
    focused: bool = True,
) -> None:  # fmt: skip
    """Draws a value between two arrows as large as a finger needs them: TOUCH_ROWS high, or two rows with a label.

    Args:
        x, y: its upper left cell.
        room: columns for all of it.
        value: the text in the middle.
        less, more: what a touch of the arrows sends.
        label: what the value is of, above it.
        focused: draws the value on paper, because keys go there.
    """
    rows, arrow = 2 if label else TOUCH_ROWS, 6 if label else room // 4
    middle = room - 2 * arrow
    canvas.fill(x + arrow, y, middle, rows, "paper" if focused else "raised")
    canvas.center(x + arrow, y, middle, truncate(label, middle), "faded" if focused else "soft")
    canvas.center(x + arrow, y + 1, middle, truncate(value, middle), "ink" if focused else "text", bold=True)
    touch_button(canvas, x, y, arrow, "◂", less, fill="line", rows=rows)
    touch_button(canvas, x + room - arrow, y, arrow, "▸", more, fill="line", rows=rows)


def progress(canvas: Canvas, x: int, y: int, room: int, share: float) -> None:
    """Draws a progress bar: ice for the share done, the line color for the rest."""
    done = round(room * min(1.0, max(0.0, share)))
    canvas.fill(x, y, room, 1, "line")
    canvas.fill(x, y, done, 1, "ice")
    if canvas.palette.plain:
        canvas.put(x + done, y, "·" * (room - done), "soft")


def tabs(canvas: Canvas, x: int, y: int, names: Sequence[str], active: int, action: Callable[[int], Action]) -> int:
    """Draws names in a row, the active one on paper. Returns the column after them. An inert canvas has only that.

    On a portrait screen they are two rows high, and go on below where there is no room beside each other.
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
    """How many lines `tabs` takes on a portrait screen."""
    lines, at = 1, x
    for name in names:
        room = cell_width(name) + 2
        if at > x and at + room > canvas.width:
            lines, at = lines + 1, x
        at += room + 1
    return lines


# -- lists -------------------------------------------------------------------------------------------------------------


class StyledText(NamedTuple):
    """Text with its color. In the focused row of a list it is drawn as ink on paper."""

    text: str
    fg: Color = "text"
    bold: bool = False


class Column(NamedTuple):
    """A column of a list: its heading, its first cell from the list's left edge, its width. `right` aligns it to the
    right.
    """

    heading: str
    x: int
    room: int
    right: bool = False


def column_headings(canvas: Canvas, x: int, y: int, columns: Sequence[Column]) -> None:
    """Draws the headings of a list, soft."""
    for column in columns:
        if column.right:
            canvas.right(x + column.x + column.room, y, column.heading, "soft")
        else:
            canvas.put(x + column.x, y, truncate(column.heading, column.room), "soft")


def list_row(
    canvas: Canvas, x: int, y: int, room: int, columns: Sequence[Column], cells: Sequence[StyledText], focused: bool,
    action: Action | None = None,
) -> None:  # fmt: skip
    """Draws a row of a list. The focused row is a paper bar with `▸` in its second cell."""
    if focused:
        canvas.fill(x, y, room, 1, "paper")
        canvas.put(x + 1, y, "▸", "ink", bold=True)
    for number, (column, cell) in enumerate(zip(columns, cells, strict=True)):
        fg: Color = "ink" if focused else cell.fg
        bold = cell.bold or (focused and number == 0)
        text = truncate(cell.text, column.room)
        if column.right:
            canvas.right(x + column.x + column.room, y, text, fg, bold=bold)
        else:
            canvas.put(x + column.x, y, text, fg, bold=bold)
    if action is not None:
        canvas.hit(x, y, room, 1, action)


def touch_row(
    canvas: Canvas, y: int, title: StyledText, note: StyledText, below: Sequence[StyledText], focused: bool,
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
        """The visible indices of `count` rows in `room`. Keeps the focus within both."""
        self.focus = min(max(0, self.focus), max(0, count - 1))
        self.top = min(max(self.top, self.focus - room + 1), self.focus, max(0, count - room))
        return range(self.top, min(count, self.top + room))

    def key(self, name: str, count: int, page: int = 8) -> bool:
        """Moves the focus by a key. Returns False if the key does not move it."""
        steps = {"up": -1, "down": 1, "pageup": -page, "pagedown": page, "home": -count, "end": count}
        if name not in steps or not count:
            return False
        self.focus = min(max(0, self.focus + steps[name]), count - 1)
        return True


# -- text --------------------------------------------------------------------------------------------------------------


class TextField:
    """An editable line of text. `draw` shows it; `key` and `paste` edit it."""

    def __init__(self, text: str = "", *, limit: int = 60) -> None:
        self.text = text
        self.at = len(text)
        self.limit = limit

    def key(self, name: str) -> bool:
        """Edits the text by a key. Returns False if the key has no meaning in a field."""
        match name:
            case "left":
                self.at = max(0, self.at - 1)
            case "right":
                self.at = min(len(self.text), self.at + 1)
            case "home" | "c-a":
                self.at = 0
            case "end" | "c-e":
                self.at = len(self.text)
            case "backspace":
                if self.at:
                    self.text, self.at = self.text[: self.at - 1] + self.text[self.at :], self.at - 1
            case "delete" | "c-d":
                self.text = self.text[: self.at] + self.text[self.at + 1 :]
            case "c-u":
                self.text, self.at = self.text[self.at :], 0
            case "c-w":
                kept = self.text[: self.at].rstrip().rpartition(" ")
                start = len(kept[0]) + len(kept[1])
                self.text, self.at = self.text[:start] + self.text[self.at :], start
            case _ if len(name) == 1 and name.isprintable():
                self.paste(name)
            case _:
                return False
        return True

    def paste(self, text: str) -> None:
        """Inserts the printable part of `text`, up to the limit."""
        clean = "".join(c for c in text if c.isprintable())[: max(0, self.limit - len(self.text))]
        self.text = self.text[: self.at] + clean + self.text[self.at :]
        self.at += len(clean)

    def clear(self) -> None:
        """Clears the text."""
        self.text, self.at = "", 0

    def draw(
        self,
        canvas: Canvas,
        x: int,
        y: int,
        room: int,
        focused: bool,
        placeholder: str = "",
        action: Action | None = None,
        ground: Color = "raised",
    ) -> None:
        """Draws the text on a bar.

        Args:
            x, y: the left end.
            room: columns of the bar.
            focused: draws the cursor as a paper cell, because keys go there.
            placeholder: the text shown while the field is empty.
            action: what a click sends; without it, a click does nothing.
            ground: color of the bar.
        """
        canvas.fill(x, y, room, 1, ground)
        if canvas.palette.plain:
            canvas.put(x, y, "_" * room, "soft")
        inner = canvas.region(x + 1, y, room - 2, 1)
        before = cell_width(self.text[: self.at])
        shift = max(0, before - (room - 3))
        if self.text:
            inner.put(-shift, 0, self.text, "text")
        elif not focused:
            inner.put(0, 0, placeholder, "soft")
        if focused:
            under = self.text[self.at] if self.at < len(self.text) else " "
            inner.put(before - shift, 0, under, "ink", "paper")
            inner.mark_caret(before - shift, 0)
        if action is not None:
            canvas.hit(x, y, room, 1, action)


def paragraph(canvas: Canvas, x: int, y: int, lines: Sequence[str], fg: Color = "soft") -> int:
    """Draws lines of text below each other. Returns the row after them."""
    for line in lines:
        canvas.put(x, y, line, fg)
        y += 1
    return y


# -- panels ------------------------------------------------------------------------------------------------------------


def panel(canvas: Canvas, x: int, y: int, room: int, rows: int, title: str = "", bg: Color = "panel") -> Canvas:
    """Draws a rounded frame on its own background. Returns the region inside: two cells in at the sides, one above and
    below.
    """
    canvas.box(x, y, room, rows, title, bg=bg)
    return canvas.region(x + 2, y + 1, room - 4, rows - 2)


def dialog(canvas: Canvas, room: int, rows: int, title: str) -> Canvas:
    """Draws a raised, centered panel with a shadow of two columns and one row. Only this panel can be clicked.

    Returns the region inside it, three cells in at the sides and one above and below.
    """
    canvas.block()
    high = canvas.height - (bar_rows(canvas) if canvas.portrait else 0)
    room, rows = min(room, canvas.width - 2), min(rows, high - 1)
    x, y = (canvas.width - room) // 2, max(0, (high - rows) // 2)
    if y + rows == canvas.height - 1:
        # The keys in the last row are those of the screen below.
        canvas.fill(0, y + rows, canvas.width, 1, "border")
    if not canvas.palette.plain:
        canvas.fill(x + 2, y + rows, room, 1, "border")
        canvas.fill(x + room, y + 1, 2, rows, "border")
    canvas.box(x, y, room, rows, title, bg="raised", line="soft")
    # A click on the dialog itself, beside its buttons, does nothing. It must not reach what lies below.
    canvas.hit(x, y, room, rows, "nothing")
    return canvas.region(x + 3, y + 1, room - 6, rows - 2)
