"""A line of text that is edited."""

from __future__ import annotations

from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.glyphs import cell_width
from kimberley.client.ui.palette import Color


class TextField:
    """An editable line of text. `draw` shows it; `key` and `paste` edit it.

    A text that is `selected` as a whole gives way to what is typed or pasted; a key that moves the cursor keeps it.
    """

    def __init__(self, text: str = "", *, limit: int = 60, selected: bool = False) -> None:
        self.text = text
        self.at = len(text)
        self.limit = limit
        self.selected = selected and bool(text)

    def key(self, name: str) -> bool:
        """Edits the text by a key. Returns False if the key has no meaning in a field."""
        selected, self.selected = self.selected, False
        match name:
            case "backspace" | "delete" | "c-d" | "c-u" | "c-w" if selected:
                self.clear()
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
                self.selected = selected
                self.paste(name)
            case _:
                self.selected = selected
                return False
        return True

    def paste(self, text: str) -> None:
        """Inserts the printable part of `text`, up to the limit."""
        if self.selected:
            self.clear()
        clean = "".join(c for c in text if c.isprintable())[: max(0, self.limit - len(self.text))]
        self.text = self.text[: self.at] + clean + self.text[self.at :]
        self.at += len(clean)

    def clear(self) -> None:
        """Clears the text."""
        self.text, self.at, self.selected = "", 0, False

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
            chosen = self.selected and focused
            inner.put(-shift, 0, self.text, "ink" if chosen else "text", "ice" if chosen else None)
        elif not focused:
            inner.put(0, 0, placeholder, "soft")
        if focused:
            under = self.text[self.at] if self.at < len(self.text) else " "
            inner.put(before - shift, 0, under, "ink", "paper")
            inner.mark_caret(before - shift, 0)
        if action is not None:
            canvas.hit(x, y, room, 1, action)
