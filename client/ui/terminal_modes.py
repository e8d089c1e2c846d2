"""What a terminal reports of itself: whether it knows the mouse, and frames that are shown at once."""

from __future__ import annotations

import os
import re
import select
import sys
from dataclasses import dataclass
from typing import Final

SECONDS: Final = 0.5
"""How long an answer may take."""
MOUSE: Final = 1006
SYNCHRONIZED: Final = 2026
QUERY: Final = f"\x1b[?{MOUSE}$p\x1b[?{SYNCHRONIZED}$p\x1b[c"
"""Asks for two private modes (DECRQM), then for what every terminal answers (DA1)."""
_MODE: Final = re.compile(rb"\x1b\[\?(\d+);(\d)\$y")
_LAST: Final = re.compile(rb"\x1b\[\?[\d;]*c")


@dataclass(frozen=True, slots=True)
class ReportedModes:
    """Each is None if the terminal does not say."""

    mouse: bool | None = None
    synchronized: bool | None = None


def reported_modes() -> ReportedModes:
    """Asks the terminal that the program runs on. Systems without termios are not asked."""
    try:
        import termios
        import tty
    except ImportError:
        return ReportedModes()
    handle = sys.stdin.fileno()
    try:
        before = termios.tcgetattr(handle)
        tty.setcbreak(handle)
    except termios.error:
        return ReportedModes()
    try:
        os.write(sys.stdout.fileno(), QUERY.encode())
        return read_modes(_answer(handle))
    finally:
        termios.tcsetattr(handle, termios.TCSANOW, before)


def read_modes(answer: bytes) -> ReportedModes:
    """Returns the modes in a terminal's answer. A mode is known unless its state is 0."""
    known = {int(mode): state != b"0" for mode, state in _MODE.findall(answer)}
    return ReportedModes(known.get(MOUSE), known.get(SYNCHRONIZED))


def _answer(handle: int) -> bytes:
    """Reads what the terminal sends, up to the answer that comes last, or until it takes too long."""
    answer = b""
    while not _LAST.search(answer) and select.select([handle], [], [], SECONDS)[0]:
        part = os.read(handle, 1024)
        if not part:
            break
        answer += part
    return answer
