"""Escape sequences beyond the screen: for the terminal's focus, notices on the desktop, and the clipboard."""

from __future__ import annotations

import os
from typing import Final

REPORT_FOCUS: Final = "\x1b[?1004h"
"""Asks the terminal to report when it gains and loses the focus (DEC private mode 1004). Others ignore it."""
FORGET_FOCUS: Final = "\x1b[?1004l"
_NOTIFY_BY_777: Final = ("rxvt", "foot")


def desktop_notice(title: str, text: str) -> str:
    """Returns the sequence that shows a notice on the desktop: OSC 777 where the terminal is known for it, else OSC 9.

    Only one of them, since some terminals know both, and would show it twice. `text` begins with a letter: OSC 9 and a
    digit mean something else on some terminals.
    """
    known = "VTE_VERSION" in os.environ or "KONSOLE_VERSION" in os.environ
    if known or os.environ.get("TERM", "").startswith(_NOTIFY_BY_777):
        return f"\x1b]777;notify;{_safe(title)};{_safe(text)}\x07"
    return f"\x1b]9;{_safe(text)}\x07"


def _safe(text: str) -> str:
    """Returns `text` without what would end the sequence early, or separate its parts."""
    return "".join(" " if character == ";" or not character.isprintable() else character for character in text)
