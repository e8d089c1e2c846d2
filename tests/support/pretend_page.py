"""A page without a browser: it keeps what the program sends, and shows each frame at once."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any, Final

from kimberley.client.browser.page_port import Message
from kimberley.client.browser.page_window import CLUSTER, COVERED

START: Final[Message] = {"kind": "start", "columns": 80, "rows": 24, "touch": False, "still": True}


class PretendPage:
    """The page's end of the line, as a `PagePort`. With `shows` off it shows no frame until `show` is called."""

    def __init__(self, *, shows: bool = True) -> None:
        self.on_message: Callable[[Message], None] = lambda _: None
        self.shows = shows
        self.posted: list[Message] = []
        self.cells: list[list[tuple[str, int, int]]] = []
        """Character, color of the text with its marks, and color of the ground, row by row."""

    def post(self, message: Message) -> None:
        self.posted.append(message)
        if message["kind"] == "frame":
            self._paint(message)
            if self.shows:
                self.show()

    def show(self) -> None:
        self.send("shown")

    def send(self, kind: str, **values: Any) -> None:
        self.on_message({"kind": kind, **values})

    def press(self, *names: str) -> None:
        for name in names:
            self.send("key", name=name, latin="")

    def of(self, kind: str) -> list[Message]:
        """Returns what was sent of a kind."""
        return [message for message in self.posted if message["kind"] == kind]

    @property
    def text(self) -> str:
        """What the page shows."""
        return "\n".join("".join(char for char, _, _ in row).rstrip() for row in self.cells)

    def _paint(self, frame: Message) -> None:
        columns, rows = frame["columns"], frame["rows"]
        if (len(self.cells), len(self.cells[0]) if self.cells else 0) != (rows, columns):
            self.cells = [[(" ", 0, 0)] * columns for _ in range(rows)]
        numbers = array("I", frame["cells"])
        assert len(numbers) == 3 * columns * len(frame["changed"])
        for number, y in enumerate(frame["changed"]):
            row = numbers[3 * columns * number : 3 * columns * (number + 1)]
            self.cells[y] = [
                (_char(code, frame["clusters"]), fg, bg)
                for code, fg, bg in zip(row[::3], row[1::3], row[2::3], strict=True)
            ]


def _char(code: int, clusters: list[str]) -> str:
    if code == COVERED:
        return ""
    text: str = clusters[code ^ CLUSTER] if code & CLUSTER else chr(code)
    return text
