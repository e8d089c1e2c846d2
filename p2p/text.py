"""Text that came from somebody else, made safe to show."""

import unicodedata

MOST_MARKS = 2
"""Combining marks kept on one character: more of them would spill over the lines above and below."""


def clean(text: str, limit: int = 500) -> str:
    """`text` without control, direction and other invisible characters, on one line, of `limit` characters at most.

    Line ends and tabs become spaces, runs of spaces one. What is left can neither move the cursor, nor turn the reading
    direction, nor pile marks over other lines.
    """
    kept: list[str] = []
    marks = 0
    spaced = (" " if c in "\t\n\r" or unicodedata.category(c)[0] == "Z" else c for c in text[: 4 * limit])
    visible = "".join(c for c in spaced if unicodedata.category(c)[0] != "C")
    for character in unicodedata.normalize("NFC", visible):
        category = unicodedata.category(character)
        marks = marks + 1 if category[0] == "M" else 0
        if marks > MOST_MARKS or (character == " " and (not kept or kept[-1] == " ")):
            continue
        kept.append(character)
    return "".join(kept[:limit]).rstrip()
