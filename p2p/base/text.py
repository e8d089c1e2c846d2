"""Text from other people, made safe to show."""

import re
import unicodedata
from typing import Final

from kimberley.p2p.base.unassigned import is_assigned

MOST_MARKS: Final = 2
"""Combining marks kept on one character. More of them would spill over the lines above and below."""

_INVISIBLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff"
    "\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Default_Ignorable_Code_Point of Unicode 16, including the Hangul fillers, and the Braille blank."""

_OTHER_WIDTHS: Final = ("<wide>", "<narrow>")


def visible(text: str) -> str:
    """Returns `text` without the characters that leave no trace on a screen: category C and the ignorable ones."""
    return "".join(c for c in _INVISIBLE.sub("", text) if unicodedata.category(c)[0] != "C")


def clean(text: str, limit: int = 500) -> str:
    """Returns `text` on one line, without control, direction and other invisible characters, at most `limit` characters
    long.

    Line ends and tabs become spaces; runs of spaces become one. The result cannot move the cursor, change the reading
    direction or pile marks over other lines.
    """
    kept: list[str] = []
    marks = 0
    spaced = (" " if c in "\t\n\r" or unicodedata.category(c)[0] == "Z" else c for c in text[: 4 * limit])
    for character in unicodedata.normalize("NFC", visible("".join(spaced))):
        category = unicodedata.category(character)
        marks = marks + 1 if category[0] == "M" else 0
        if marks > MOST_MARKS or (character == " " and (not kept or kept[-1] == " ")):
            continue
        kept.append(character)
    return "".join(kept[:limit]).rstrip()


def quoted(text: str, limit: int = 40) -> str:
    """Returns the text, cleaned, in quotation marks."""
    return f'"{clean(text, limit)}"'


def name_form(text: str, most: int) -> str:
    """Returns the form in which everybody sees a name that somebody has typed: clean, at most `most` characters long,
    and without characters that older systems do not know. Empty if nothing is left.
    """
    return clean("".join(filter(is_assigned, text)), most)


def narrow(text: str) -> str:
    """Returns `text` with full-width characters in their usual width."""

    def is_wide(character: str) -> bool:
        return character == "\u3000" or unicodedata.decomposition(character).startswith(_OTHER_WIDTHS)

    return "".join(unicodedata.normalize("NFKC", c) if is_wide(c) else c for c in text)


def cut(text: str, size: int) -> str:
    """Returns the longest beginning of `text` whose whole characters fit into `size` bytes of UTF-8."""
    return text.encode()[:size].decode(errors="ignore")


def ordinal(number: int) -> str:
    """Returns a number as a place: "1st", "22nd"."""
    endings = {1: "st", 2: "nd", 3: "rd"}
    return f"{number}{'th' if number % 100 in (11, 12, 13) else endings.get(number % 10, 'th')}"
