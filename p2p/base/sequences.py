"""Sequences that a terminal sends, as patterns: whole ones, and those whose end is missing.

ECMA-48 says where a control sequence ends, whatever it means.
"""

from __future__ import annotations

import re
from typing import Final

_CSI: Final = r"(?:\x1b\[|\x9b)"
_SS3: Final = r"(?:\x1bO|\x8f)"
_STRING: Final = r"(?:(?:\x1b\]|\x9d)(?:\d+;|[lLI])|(?:\x1bP|\x90)[\d;]*[$+>!|]|(?:\x1b_|\x9f)G)[^\x00-\x1f\x9c]*"
"""What a terminal answers about itself (OSC), its device (DCS) or a picture (APC), up to its end."""
WHOLE: Final = re.compile(
    rf"""(?P<alt>\x1b(?=\x1b[\[O]))?(?:
    {_CSI}M(?P<mouse>[^\x1b]{{3}})
    | {_CSI}(?P<rxvt>\d)\$
    | {_CSI}(?!M)(?P<parameters>[0-?]*+)(?P<between>[ -?]*+)(?P<final>(?!\[)[@-~]|\[[A-E])
    | {_SS3}(?P<modifiers>[\d;]*)(?P<keypad>[A-Za-z ])
    | (?P<string>{_STRING})(?:\x07|\x1b\\|\x9c)
    | \x1b[\]PX^_][^\x00-\x1f\x9c]*\x1b\\
    | \x1b(?P<with_alt>[^\x03\x1b\[\]OP_])
    )""",
    re.VERBOSE,
)
BEGUN: Final = re.compile(
    rf"(?:\x1b(?=\x1b[\[O]))?(?:{_CSI}(?:M[^\x1b]{{0,2}}|\[|[ -?]*)|{_SS3}[\d;]*)|{_STRING}(?:\x1b\Z)?"
    r"|(?:\x1b\]|\x9d)\d*|(?:\x1bP|\x90)[\d;]*|(?:\x1b_|\x9f)|\x1b(?:\x1b\Z)?"
)
"""A sequence without its end, which has not come yet, or is lost if something else follows."""


def without_sequences(text: str) -> str:
    """Returns typed or pasted text without sequences, such as those of arrows and colors."""
    return BEGUN.sub("", WHOLE.sub(lambda whole: whole["with_alt"] or "", text))
