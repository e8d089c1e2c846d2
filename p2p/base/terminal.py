"""A terminal that commands print to: whether it takes escape sequences, its clipboard, and one line that changes."""

from __future__ import annotations

import base64
import os
import shutil
import sys
from collections.abc import Mapping
from typing import Final, TextIO

ERASE: Final = "\r\x1b[K"
ESCAPES_UNDERSTOOD: Final = 0x0004
"""Windows' ENABLE_VIRTUAL_TERMINAL_PROCESSING."""
_DUMB: Final = frozenset({"dumb", "unknown"})
_SECOND_CELL: Final = "\0"
"""Stands for the second cell of a wide character while a line is broken."""


def is_dumb(environ: Mapping[str, str] = os.environ) -> bool:
    """Returns whether the terminal only prints lines, by its name in TERM: escape codes would show as garbage."""
    return environ.get("TERM", "").lower() in _DUMB


def takes_escapes(stream: TextIO) -> bool:
    """Returns whether escape sequences may be written to a stream: not into files and pipes, and not on a terminal that
    would print them. Turns them on in the console of Windows, where programs start without.
    """
    if not stream.isatty() or is_dumb():
        return False
    if sys.platform == "win32":
        from ctypes import byref, windll
        from ctypes.wintypes import DWORD, HANDLE
        from msvcrt import get_osfhandle

        console, mode = HANDLE(get_osfhandle(stream.fileno())), DWORD()
        known = windll.kernel32.GetConsoleMode(console, byref(mode))
        return bool(known and windll.kernel32.SetConsoleMode(console, DWORD(mode.value | ESCAPES_UNDERSTOOD)))
    return True


def copied(text: str) -> str:
    """Returns the sequence that copies text to the clipboard (OSC 52), if the terminal allows it."""
    return f"\x1b]52;c;{base64.b64encode(text.encode()).decode()}\x07"


def fitted(text: str, indent: str | None = None, stream: TextIO | None = None) -> str:
    """Returns a text as a stream, or else standard output, shows it: on a terminal, lines are broken between words.
    Further rows begin with `indent`, or else below the words of their line, as in a list.
    """
    if not (stream or sys.stdout).isatty():
        return text
    columns = shutil.get_terminal_size().columns

    def broken(line: str) -> str:
        own = " " * (len(line) - len(line.lstrip(" -")))
        return in_columns(line, columns, own if indent is None else indent)

    return "\n".join(map(broken, text.split("\n")))


def in_columns(line: str, columns: int, indent: str = "") -> str:
    """Breaks a line between words, and begins each other row with `indent`. A longer word, such as an address, stays
    whole.
    """
    # Many commands print nothing long, and start faster without these.
    import textwrap

    from wcwidth import wcwidth

    spread = "".join(character + _SECOND_CELL * (wcwidth(character) - 1) for character in line)
    room = max(len(indent) + 1, columns - 1)
    rows = textwrap.wrap(spread, room, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return "\n".join(rows).replace(_SECOND_CELL, "")


def padded(text: str, columns: int) -> str:
    """Returns a text with spaces after it, so that it takes this many columns, or more if it is longer."""
    from wcwidth import wcswidth

    return text + " " * (columns - wcswidth(text))


class ChangingLine:
    """Shows one text in place of another. A stream that is not a terminal gets nothing."""

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
