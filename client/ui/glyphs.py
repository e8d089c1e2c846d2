"""Glyphs, and the ASCII character for each on terminals that show only ASCII.

Drawing code always writes the full set. A canvas with `ascii_only` spells it in ASCII, one cell for one cell, so the
layout stays the same.
"""

from __future__ import annotations

import locale
import os
import sys
import unicodedata
from collections.abc import Mapping
from functools import cache, lru_cache
from itertools import zip_longest
from typing import Final

from wcwidth import wcwidth

ASCII: Final[Mapping[str, str]] = {
    "◆": "*", "◇": "o", "♥": "H", "✓": "+", "▸": ">", "◂": "<", "▴": "^", "▾": "v", "→": ">", "←": "<", "↑": "^",
    "↓": "v", "×": "x", "✗": "#", "•": "*", "∙": ".", "○": "o", "●": "O", "■": "#", "▲": "A", "▵": "a", "☼": "S",
    "☾": "M", "♣": "C", "♦": "D", "♠": "P", "…": ".", "·": ".", "▀": '"', "▄": "o", "█": "#", "▌": "|", "▐": "|",
    "─": "-", "│": "|", "┌": "+", "┐": "+", "└": "+", "┘": "+", "├": "+", "┤": "+", "┬": "+", "┴": "+", "┼": "+",
    "╭": "+", "╮": "+", "╰": "+", "╯": "+", "’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-",
}  # fmt: skip

UNSAFE: Final = frozenset("\u200d\u200c\ufe0e\ufe0f\u2060\ufeff\u00ad")
"""Joiners and selectors after which terminals disagree about widths. They are never shown."""
ELLIPSIS: Final = "…"
"""What a text that was cut ends with."""


@cache
def cells_of(character: str) -> int:
    """Returns how many cells a terminal gives to a character.

    Programs without a screen measure text too, so this module does not import prompt_toolkit, which takes a fifth of a
    bot's start-up time.
    """
    return max(0, wcwidth(character))


class _Spelling(dict[int, str]):
    """A table for str.translate that is filled as characters occur."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        spelled = ASCII.get(character) or _spell(character)
        self[code] = spelled
        return spelled


def _spell(character: str) -> str:
    if " " <= character <= "~":
        return character
    cells = cells_of(character)
    plain = "".join(part for part in unicodedata.normalize("NFKD", character) if " " <= part <= "~")
    if 0x2800 < ord(character) < 0x2900:
        plain = "."
    if cells == 0:
        return ""
    return plain[:cells].ljust(cells) if plain else "?" * cells


_SPELLING: Final = _Spelling()


def to_ascii(text: str) -> str:
    """Returns `text` spelled in ASCII, with the same width in cells: a check mark on a button of three cells is "ok",
    and the space after ≥ has its second sign.
    """
    return clean(text).replace(" ✓ ", " ok").replace("≥ ", ">=").translate(_SPELLING)


def clean(text: str) -> str:
    """Returns `text` as a canvas shows it: every whitespace character becomes a space, and unprintable characters are
    left out.
    """
    if text.isprintable():
        return text
    return "".join(" " if c.isspace() else c for c in text if c.isprintable() or c.isspace())


@lru_cache(maxsize=8192)
def cell_width(text: str) -> int:
    """Returns how many cells a canvas gives to `text`. Frames repeat most of their texts."""
    text = clean(text)
    if text.isascii():
        return len(text)
    return sum(cells_of(character) for character in text if character not in UNSAFE)


def truncate(text: str, room: int) -> str:
    """Returns `text`, cut with an ellipsis if it is wider than `room` cells."""
    if room <= 0:
        return ""
    if cell_width(text) <= room:
        return text
    kept, used = [], 0
    for character in clean(text):
        cells = 0 if character in UNSAFE else cells_of(character)
        if used + cells > room - 1:
            break
        kept.append(character)
        used += cells
    return "".join(kept) + ELLIPSIS


def excerpt(text: str, room: int) -> str:
    """Returns `text`, or if it is long, the clauses or words that fit: for a list that shows it whole below."""
    if cell_width(text) <= room:
        return text
    for apart, gap in ((", ", ", …"), (" ", " …")):
        parts = text.split(apart)
        for count in range(len(parts) - 1, 0, -1):
            if cell_width(short := apart.join(parts[:count]) + gap) <= room:
                return short
    return truncate(text, room)


def apart(one: str, other: str, room: int) -> tuple[str, str]:
    """Returns excerpts of two texts that differ as the texts do: without their common beginning, if there is room for
    nothing else.
    """
    short = excerpt(one, room), excerpt(other, room)
    if one == other or short[0] != short[1]:
        return short
    words, others = one.split(), other.split()
    same = next(at for at, pair in enumerate(zip_longest(words, others)) if pair[0] != pair[1])
    ends = (" ".join(sentence[min(same, len(sentence) - 1) :]) for sentence in (words, others))
    first, second = (excerpt(f"…{end}", room) for end in ends)
    return first, second


def wrap(text: str, room: int, most: int | None = None) -> list[str]:
    """Returns `text` in lines of at most `room` cells, broken between words, or within a word longer than a line. Of
    more than `most` lines, the last one that is kept ends with an ellipsis.
    """
    lines = list(_wrapped(text, room))
    if most is None or len(lines) <= most:
        return lines
    if most <= 0:
        return []
    return [*lines[: most - 1], truncate(" ".join(lines[most - 1 :]), room)]


@lru_cache(maxsize=2048)
def _wrapped(text: str, room: int) -> tuple[str, ...]:
    """Returns the lines of `wrap`."""
    lines = [""]
    used = 0
    for word in text.split():
        gap, width = 1 if lines[-1] else 0, cell_width(word)
        if used + gap + width <= room:
            lines[-1] += " " * gap + word
            used += gap + width
            continue
        if lines[-1]:
            lines.append("")
        pieces = _pieces(word, room)
        lines[-1] = pieces[0]
        lines += pieces[1:]
        used = cell_width(lines[-1])
    return tuple(lines)


def _pieces(word: str, room: int) -> list[str]:
    """Returns a word in pieces of at most `room` cells, each of a character at least. Linear in the word's length. The
    name of a file stays whole if it fits.
    """
    if room <= 0 or cell_width(word) <= room:
        return [word]
    folder, slash, name = word.rpartition("/")
    if word.startswith("/") and name and cell_width(name) <= room:
        return [*_pieces(folder + slash, room), name]
    pieces, used = [""], 0
    for character in word:
        cells = cell_width(character)
        if pieces[-1] and used + cells > room:
            pieces.append("")
            used = 0
        pieces[-1] += character
        used += cells
    return pieces


def needs_ascii(environ: Mapping[str, str] | None = None, encoding: str | None = None) -> bool:
    """Returns whether the terminal can show only ASCII: the locale's encoding is not UTF-8, or the terminal is too
    simple.

    If Python finds the locale C, it sets LC_CTYPE to C.UTF-8 for itself (PEP 538). LANG then has the user's choice.
    """
    env = os.environ if environ is None else environ
    if env.get("TERM", "") in ("dumb", "linux"):
        return True
    named = env.get("LC_ALL") or env.get("LC_CTYPE", "")
    if named.lower() in ("", "c.utf-8", "c.utf8", "utf-8"):
        named = env.get("LANG") or named
    if named:
        return "utf" not in named.lower()
    # The stream comes before the locale: on Windows a console takes every character, whatever the locale is.
    known = encoding or getattr(sys.stdout, "encoding", None) or locale.getpreferredencoding(False)
    return "utf" not in known.lower()
