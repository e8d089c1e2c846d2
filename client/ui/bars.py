"""The bars of a screen: the title, the phase strip, the keys, and a toast above them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import cell_width, truncate, wrap
from kimberley.client.ui.keys import HELP_KEY, MENU_KEY, Hint, in_menu, key_name
from kimberley.client.ui.palette import Color
from kimberley.client.ui.touch import bar_rows, touch_bar

STRIP_ROWS: Final = 3
"""The rows of the phase strip on a portrait screen: the phase with what is waited for, and two for the sentence."""
TOAST_ROWS: Final = 3
"""The most rows of a toast on a landscape screen: an organizer's message has room, and most of the board stays."""
MOST_HINTS: Final = 6
"""The most keys in a key row. Nobody reads more of them."""
SENTENCE_END: Final = re.compile(r"(?<!\b[A-Z])[.?!] ")
"""Not the period of an initial, as in C. Cubango."""
GIVES_WAY: Final = frozenset({"soft", "ok"})
"""The colors of what gives way to a sentence."""
HELP: Final = f"{HELP_KEY} Help"
MENU: Final = f"{MENU_KEY} Menu"
TITLE_KEYS: Final = f"{HELP}  {MENU}"
"""What stands at the right end of a title bar."""


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
    keys = canvas.width - 1 - len(TITLE_KEYS)
    if canvas.touch:
        keys = canvas.width + 4
    else:
        menu = keys + len(TITLE_KEYS) - len(MENU)
        canvas.put(keys, 0, HELP, "soft")
        canvas.put(menu, 0, MENU, "soft")
        canvas.hit(keys - 1, 0, len(HELP) + 2, 1, f"key:{key_name(HELP_KEY)}")
        canvas.hit(menu - 1, 0, len(MENU) + 2, 1, f"key:{key_name(MENU_KEY)}")
    room = keys - 5
    if note:
        room = canvas.right(room, 0, truncate(note, note_room(canvas.width, title)), note_fg) - 2
    canvas.put(3, 0, truncate(title, room - 3), "text", bold=True)


def note_room(width: int, title: str) -> int:
    """Returns the columns for a note in a title bar."""
    return max(0, width - len(TITLE_KEYS) - 11 - cell_width(title))


def first_fitting(room: int, *texts: str) -> str:
    """Returns the first of some texts whose first sentence fits into `room` columns, else the last one."""
    return next((text for text in texts if cell_width(_first_sentence(text)) <= room), texts[-1])


def whole_sentences(text: str, room: int) -> str:
    """Returns the sentences of `text` that fit into `room` columns; the first is cut if even that one does not."""
    ends = _sentence_ends(text)
    return next((text[:end] for end in ends if cell_width(text[:end]) <= room), truncate(text[: ends[-1]], room))


def _first_sentence(text: str) -> str:
    return text[: _sentence_ends(text)[-1]]


def _sentence_ends(text: str) -> list[int]:
    """Returns where the sentences of a text end, the last one first."""
    return [len(text), *(found.start() + 1 for found in reversed([*SENTENCE_END.finditer(text)]))]


def whole_lines(text: str, room: int, rows: int) -> list[str]:
    """Returns the sentences of `text` that fit into `rows` lines of `room` columns; the first is cut if even that one
    does not.
    """
    ends = _sentence_ends(text)
    fitting = (lines for end in ends if len(lines := wrap(text[:end], room)) <= rows)
    return next(fitting, wrap(text[: ends[-1]], room, rows))


def strip_room(width: int, waiting: str) -> int:
    """Returns the columns that a phase strip has for its phase and its sentence."""
    return width - 1 - (cell_width(waiting) + 2 if waiting else 0)


def sentence_room(room: int, phase: str) -> int:
    """Returns the columns for the sentence, of those that a strip has for it and its phase."""
    return room - cell_width(phase) - 3


def phase_strip(
    canvas: Canvas, y: int, name: str, sentence: str, waiting: str = "", waiting_fg: Color = "soft", x: int = 0,
    room: int | None = None, fg: Color = "text",
) -> None:  # fmt: skip
    """Draws the phase on paper, what to do or what happened, and at the right who the table is waiting for. That gives
    way to a sentence that has no room beside it, unless it is something to look out for: a clock, a lost connection.

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
    least = cell_width(_first_sentence(sentence))
    alone = stop - at - cell_width(waiting) - 2 < least <= stop - at and waiting_fg in GIVES_WAY
    if waiting and not (alone and waiting.strip()):
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
    for number, line in enumerate(whole_lines(sentence, room, STRIP_ROWS - 1)):
        canvas.put(1, y + 1 + number, line, fg)


def key_bar(canvas: Canvas, hints: Sequence[Hint], y: int | None = None) -> None:
    """Draws the last row: the most useful keys first, each of them clickable.

    On a touch canvas they are buttons, TOUCH_ROWS high.
    """
    if canvas.touch:
        touch_bar(canvas, hints)
        return
    row = canvas.height - 1 if y is None else y
    canvas.fill(0, row, canvas.width, 1, "panel")
    x = 1
    for hint in hints:
        if in_menu(hint.key):
            canvas.leave_out(hint.label[:1].upper() + hint.label[1:], hint.key, hint.action)
    for hint in row_hints(hints, canvas.key_room - x):
        after = canvas.put(x, row, hint.key, "text", bold=True)
        canvas.put(after + 1, row, hint.label, "soft")
        canvas.hit(x - 1, row, _hint_width(hint) + 2, 1, hint.means)
        x += _hint_width(hint) + 2


def row_hints(hints: Sequence[Hint], room: int) -> list[Hint]:
    """Returns the keys that a key row of `room` columns shows, in their order: the primary ones and the first of the
    others, at most MOST_HINTS, and fewer where they do not fit.
    """
    fitting: list[Hint] = []
    for hint in sorted(hints, key=lambda hint: not hint.primary)[:MOST_HINTS]:
        width = _hint_width(hint)
        if width <= room:
            fitting.append(hint)
            room -= width + 2
    return sorted(fitting, key=hints.index)


def _hint_width(hint: Hint) -> int:
    return cell_width(hint.key) + 1 + cell_width(hint.label)


def toast(canvas: Canvas, text: str, bad: bool = False) -> None:
    """Draws a text above the keys, and above the buttons that are there, in at most TOAST_ROWS rows; on a portrait
    screen, in as many as it needs. Among buttons it has their color only if it is `bad`.
    """
    message, room = f"! {text}" if bad else text, canvas.width - 2
    lines = wrap(message, room) if canvas.portrait else whole_lines(message, room, TOAST_ROWS)
    bright = canvas.touch and not bad
    fg: Color = "warning" if bad else "ink" if bright else "text"
    lowest = canvas.height - bar_rows(canvas) - len(lines)
    top = next((y for y in range(lowest, 0, -1) if not canvas.has_button(y, len(lines))), lowest)
    canvas.fill(0, top, canvas.width, len(lines), "paper" if bright else "raised")
    for number, line in enumerate(lines):
        canvas.put(1, top + number, line, fg, bold=bad)
