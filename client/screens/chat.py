"""The chat of a table: the messages so far and a line to type in, and what of it every screen of the table shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from kimberley.client.session.chat import (
    COMPARE_ELSEWHERE,
    UNCHECKED_MARK,
    UnreadChat,
    can_talk,
    unchecked_note,
    why_silent,
)
from kimberley.client.session.participants import short_name
from kimberley.client.ui.bars import key_bar
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.glyphs import cell_width, clean, wrap
from kimberley.client.ui.keys import CHAT_KEY, Hint, key_name
from kimberley.client.ui.lists import LEAST_ROWS
from kimberley.client.ui.palette import Color
from kimberley.client.ui.screen import Screen, Ui
from kimberley.client.ui.spans import Span, Spans
from kimberley.client.ui.text_field import TextField
from kimberley.client.ui.touch import TOUCH_ROWS, bar_rows
from kimberley.p2p.table.chat import MOST_TEXT
from kimberley.p2p.table.events import ChatLine

if TYPE_CHECKING:
    from kimberley.p2p.table.table import Table

SCROLLING: Final = {"up": 1, "down": -1, "pageup": 10, "pagedown": -10}
"""How many rows a key scrolls back to older messages."""


def chat_hint(unread: UnreadChat) -> Spans:
    """Returns the entry of the key row: the key, what it does, and how many messages are unread."""
    count = (Span(str(unread.count), "money", bold=True),) if unread.count else ()
    return Span(CHAT_KEY, "text", bold=True), Span("chat", "soft"), *count


def hint_width(hint: Spans) -> int:
    """Returns the columns that an entry takes at the end of the key row."""
    return sum(cell_width(part.text) + 1 for part in hint) + 1 if hint else 0


def draw_hint(canvas: Canvas, hint: Spans) -> None:
    """Draws an entry at the right end of the key row; an empty one is not drawn."""
    room = hint_width(hint)
    if not room:
        return
    if canvas.touch:
        # The menu has the chat: its button says how much is unread.
        for part in hint[2:]:
            y = canvas.height - (TOUCH_ROWS if canvas.portrait else 1)
            canvas.put(1, y, f"{part.text} new", part.fg, bold=part.bold)
        return
    x, row = canvas.width - room, canvas.height - 1
    canvas.fill(x, row, room, 1, "panel")
    canvas.hit(x, row, room, 1, f"key:{key_name(CHAT_KEY)}")
    x += 1
    for part in hint:
        x = canvas.put(x, row, part.text, part.fg, bold=part.bold) + 1


def draw_line(canvas: Canvas, y: int, width: int, table: Table, unread: UnreadChat, now: float) -> None:
    """Draws the last message, while it is to be shown, in `width` columns of a row. A long one is shown part by part. A
    click on it opens the chat.
    """
    message = unread.latest(now)
    if message is None:
        return
    name = f"{_speaker(table, message, width // 3)}:"
    parts = wrap(clean(message.text), width - cell_width(name) - 3) or [""]
    canvas.fill(0, y, width, 1, "raised")
    after = canvas.put(1, y, name, seat_color(message.seat), bold=True)
    canvas.put(after + 1, y, parts[unread.part(now, len(parts))])
    rows = LEAST_ROWS if canvas.portrait else 1
    canvas.hit(0, y + 1 - rows, width, rows, f"key:{key_name(CHAT_KEY)}")


def _speaker(table: Table, message: ChatLine, room: int) -> str:
    """Returns who wrote a line, in at most `room` cells, with a mark if that is not checked."""
    mark = "" if message.checked else f" {UNCHECKED_MARK}"
    return short_name(table.occupants.names, message.seat, room - cell_width(mark)) + mark


def seat_color(seat: int) -> Color:
    """Returns the color of a seat's name."""
    return f"seat{seat + 1}"


class ChatBox(Screen):
    """The messages so far and a line to type in, above the key bar. Keys and the wheel scroll the messages."""

    overlay = True
    dims = False
    MOST_ROWS: ClassVar = 12
    """Rows of messages that are shown at once."""

    def __init__(self, ui: Ui, table: Table, unread: UnreadChat | None = None) -> None:
        """Takes `unread`, which counts what was written while this is closed."""
        super().__init__(ui)
        self._table, self._unread = table, unread
        self.field = TextField(limit=MOST_TEXT)
        self._back = 0
        """How many rows of messages follow those that are shown."""
        self._most_back = 0

    def opened(self) -> None:
        if self._unread is not None:
            self._unread.opened()

    def closed(self) -> None:
        if self._unread is not None:
            self._unread.closed()

    def _rows(self, room: int) -> list[tuple[ChatLine | None, str]]:
        """Returns the messages in lines of at most `room` cells after the name. Only a message's first line comes with
        it.
        """
        rows: list[tuple[ChatLine | None, str]] = []
        for message in self._table.chat.lines:
            lines = wrap(clean(message.text), room - self._indent(message, room))
            rows += [(message if number == 0 else None, " " * self._indent(message, room) + line)
                     for number, line in enumerate(lines)]  # fmt: skip
        self._most_back = max(0, len(rows) - self.MOST_ROWS)
        self._back = min(self._back, self._most_back)
        first = self._most_back - self._back
        return rows[first : first + self.MOST_ROWS]

    def _name(self, message: ChatLine, room: int) -> str:
        return _speaker(self._table, message, room // 3)

    def _indent(self, message: ChatLine, room: int) -> int:
        return cell_width(self._name(message, room)) + 2

    def draw(self, canvas: Canvas, now: float) -> None:
        room = min(78, canvas.width - 2)
        inner = room - 6
        rows, silent = self._rows(inner), why_silent(self._table)
        if not rows and not silent:
            rows = [(None, "No messages yet.")]
        note = unchecked_note(self._table)
        mark = "!" if note == COMPARE_ELSEWHERE else UNCHECKED_MARK
        above = wrap(f"{mark} {note}", inner) if note else []
        below = wrap(silent, inner) if silent else [""]
        gap = 1 if rows else 0
        height = len(rows) + len(above) + len(below) + gap + 2
        x, y = (canvas.width - room) // 2, canvas.height - bar_rows(canvas) - height
        older = self._most_back - self._back
        place = [f"▴ {older} older" if older else "", f"▾ {self._back} newer" if self._back else ""]
        canvas.box(x, y, room, height, "  ".join(["Chat", *filter(None, place)]), bg="raised", line="soft")
        canvas.hit(x, y, room, height, "nothing")
        for number, (message, line) in enumerate(rows):
            canvas.put(x + 3, y + 1 + number, line, "text" if self._table.chat.lines else "soft")
            if message is not None:
                canvas.put(x + 3, y + 1 + number, self._name(message, inner), seat_color(message.seat), bold=True)
        for number, line in enumerate(above):
            canvas.put(x + 3, y + 1 + len(rows) + gap + number, line, "warning")
        bottom = y + 1 + len(rows) + gap + len(above)
        if silent:
            for number, line in enumerate(below):
                canvas.put(x + 3, bottom + number, line, "soft")
        else:
            canvas.fill(x + 2, bottom, room - 4, 1, "ink")
            self.field.draw(canvas, x + 3, bottom, inner, True, ground="ink")
        scroll = [Hint("↑", "older"), Hint("↓", "newer"), Hint("PgUp", "page")] if self._most_back else []
        say = [] if silent else [Hint("Enter", "send", primary=True)]
        key_bar(canvas, [*say, Hint("Esc", "back"), *scroll])

    def key(self, name: str) -> bool:
        if name in ("esc", key_name(CHAT_KEY)):
            self.ui.pop(self)
        elif name in SCROLLING:
            self._back = max(0, min(self._most_back, self._back + SCROLLING[name]))
        elif not can_talk(self._table):
            if name != "enter":
                return False
            self.ui.pop(self)
        elif name == "enter":
            text = self.field.text.strip()
            # What is typed next is for the board, which may wait for the player.
            self.ui.pop(self)
            if text:
                self._table.chat.say(text)
        else:
            return self.field.key(name)
        return True

    def wheel(self, action: Action | None, x: int, y: int, steps: int) -> bool:
        del action, x, y
        return self.key("down" if steps > 0 else "up")

    def paste(self, text: str) -> bool:
        self.field.paste(text)
        return True
