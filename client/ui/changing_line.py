"""One line on a terminal that shows how far a command is, and goes away when it is done."""

from __future__ import annotations

from typing import Final, TextIO

from kimberley.client.ui.terminal_modes import takes_escapes

ERASE: Final = "\r\x1b[K"


class ChangingLine:
    """Shows one text in place of another. What is no terminal gets nothing."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.here = takes_escapes(stream)
        """Whether anything is shown."""

    def show(self, text: str) -> None:
        if self.here:
            print(f"{ERASE}{text}", end="", file=self._stream, flush=True)

    def end(self) -> None:
        """Clears the line."""
        self.show("")
