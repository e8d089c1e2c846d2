"""The glyphs, and what stands for each where only ASCII can be shown.

Drawing code always writes the full set; a canvas that was made with `ascii_only` spells it in ASCII, one cell for one
cell, so that no layout changes.
"""

from __future__ import annotations

import locale
import os
import unicodedata
from collections.abc import Mapping
from typing import Final

from prompt_toolkit.utils import get_cwidth

ASCII: Final[Mapping[str, str]] = {
    "◆": "*", "◇": "o", "♥": "v", "✓": "x", "▸": ">", "◂": "<", "▴": "^", "▾": "v", "→": ">", "←": "<", "↑": "^",
    "↓": "v", "×": "x", "•": "*", "∙": ".", "○": "o", "●": "O", "■": "#", "▲": "A", "▵": "a", "☼": "S", "☾": "M",
    "♣": "C", "♦": "D", "♠": "P", "…": ".", "·": ".", "▀": '"', "▄": "o", "█": "#", "▌": "|", "▐": "|",
    "─": "-", "│": "|", "┌": "+", "┐": "+", "└": "+", "┘": "+", "├": "+", "┤": "+", "┬": "+", "┴": "+", "┼": "+",
    "╭": "+", "╮": "+", "╰": "+", "╯": "+", "’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-",
}  # fmt: skip

UNSAFE: Final = frozenset("\u200d\u200c\ufe0e\ufe0f\u2060\ufeff\u00ad")
"""Joiners and selectors after which terminals disagree about widths: never shown."""


class _Spelling(dict[int, str]):
    """A table for str.translate, filled as characters are met."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        spelled = ASCII.get(character) or _spell(character)
        self[code] = spelled
        return spelled


def _spell(character: str) -> str:
    if " " <= character <= "~":
        return character
    width = max(0, get_cwidth(character))
    plain = "".join(part for part in unicodedata.normalize("NFKD", character) if " " <= part <= "~")
    if 0x2800 < ord(character) < 0x2900:
        plain = "."
    if width == 0:
        return ""
    return plain[:width].ljust(width) if plain else "?" * width


_SPELLING: Final = _Spelling()


def in_ascii(text: str) -> str:
    """`text` spelled in ASCII, of the same width in cells."""
    return clean(text).translate(_SPELLING)


def clean(text: str) -> str:
    """`text` as a canvas shows it: every white space is a space, and what cannot be shown is left out."""
    if text.isprintable():
        return text
    return "".join(" " if c.isspace() else c for c in text if c.isprintable() or c.isspace())


def width(text: str) -> int:
    """How many cells a canvas gives to `text`."""
    text = clean(text)
    if text.isascii():
        return len(text)
    return sum(max(0, get_cwidth(character)) for character in text if character not in UNSAFE)


def fitted(text: str, room: int) -> str:
    """`text`, cut with an ellipsis where it has more than `room` cells."""
    if room <= 0:
        return ""
    if width(text) <= room:
        return text
    kept, used = [], 0
    for character in clean(text):
        cells = 0 if character in UNSAFE else max(0, get_cwidth(character))
        if used + cells > room - 1:
            break
        kept.append(character)
        used += cells
    return "".join(kept) + "…"


def wrapped(text: str, room: int) -> list[str]:
    """`text` in lines of at most `room` cells, broken between words, or within one that is longer than a line."""
    lines = [""]
    for word in text.split():
        gap = 1 if lines[-1] else 0
        if width(lines[-1]) + gap + width(word) <= room:
            lines[-1] += " " * gap + word
            continue
        if lines[-1]:
            lines.append("")
        while width(word) > room > 0:
            cut = next(n for n in range(len(word), 0, -1) if width(word[:n]) <= room or n == 1)
            lines[-1] = word[:cut]
            word = word[cut:]
            lines.append("")
        lines[-1] = word
    return lines


def needs_ascii(environ: Mapping[str, str] | None = None, encoding: str | None = None) -> bool:
    """Whether the locale says that only ASCII can be shown: its encoding is not UTF-8, or the terminal is dumb.

    Where Python finds the locale C it sets LC_CTYPE to C.UTF-8 for itself (PEP 538): then LANG has the user's word.
    """
    env = os.environ if environ is None else environ
    if env.get("TERM", "") in ("dumb", "linux"):
        return True
    named = env.get("LC_ALL") or env.get("LC_CTYPE", "")
    if named.lower() in ("", "c.utf-8", "c.utf8", "utf-8"):
        named = env.get("LANG") or named
    if named:
        return "utf" not in named.lower()
    return "utf" not in (encoding or locale.getpreferredencoding(False)).lower()
