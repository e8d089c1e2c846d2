"""The chat of a table: the messages so far, and a line to type in."""

from __future__ import annotations

from typing import ClassVar

from kimberley.client.session.ports import TableLike
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import clean, truncate
from kimberley.client.ui.screen import Screen, Ui
from kimberley.client.ui.widgets import Hint, TextField, key_bar


class ChatLine(Screen):
    """The messages so far and a line to type in, above the key bar."""

    overlay = True
    dims = False
    SHOWN: ClassVar = 8

    def __init__(self, ui: Ui, table: TableLike) -> None:
        super().__init__(ui)
        self._table = table
        self.field = TextField(limit=200)

    def draw(self, canvas: Canvas, now: float) -> None:
        talk = list(self._table.talk)[-self.SHOWN :]
        rows = max(1, len(talk)) + 4
        y, room = canvas.height - 1 - rows, min(78, canvas.width - 2)
        x = (canvas.width - room) // 2
        canvas.box(x, y, room, rows, "Chat", bg="raised", line="soft")
        if not talk:
            canvas.put(x + 3, y + 1, "Nobody has said anything yet.", "soft")
        for number, said in enumerate(talk):
            name = self._table.names[said.seat]
            after = canvas.put(x + 3, y + 1 + number, name, f"seat{said.seat + 1}", bold=True)
            canvas.put(after + 2, y + 1 + number, truncate(clean(said.text), room - (after - x) - 5))
        canvas.fill(x + 2, y + rows - 2, room - 4, 1, "ink")
        self.field.draw(canvas, x + 3, y + rows - 2, room - 6, True, ground="ink")
        key_bar(canvas, [Hint("Enter", "say it"), Hint("Esc", "back")])

    def key(self, name: str) -> bool:
        if name == "esc":
            self.ui.pop(self)
        elif name == "enter":
            text = self.field.text.strip()
            if text:
                self._table.say(text)
                self.field.clear()
            else:
                self.ui.pop(self)
        else:
            return self.field.key(name)
        return True

    def paste(self, text: str) -> bool:
        self.field.paste(text)
        return True
