"""The specification: SPEC.md, and the documents beside it that hold some of its sections."""

from __future__ import annotations

import re
from typing import Final

from tests.support.paths import ROOT

SPEC: Final = ROOT / "SPEC.md"
BESIDE: Final = {
    number: ROOT / "docs" / f"spec-{name}.md"
    for number, name in {
        "10.5": "referee",
        "19": "journal",
        "21": "games",
        "26": "words",
        "27": "vectors",
        "28": "exchange",
        "29": "targets",
    }.items()
}
"""The documents, by section."""


def whole() -> str:
    """Returns the text of all of them, each document at the end of its section in SPEC.md, with headings one level
    lower than that section's.
    """
    text = SPEC.read_text("utf-8")
    for number, path in BESIDE.items():
        match = re.search(rf"^(#+) {re.escape(number)} .*\n(?:(?!#).*\n)*", text, re.MULTILINE)
        assert match is not None, number
        held = path.read_text("utf-8").partition("\n")[2]
        held = re.sub(r"^(?=#+ )", match[1][1:], held, flags=re.MULTILINE)
        text = f"{text[: match.end()].rstrip()}\n{held.rstrip()}\n\n{text[match.end() :]}"
    return text


def section(number: int) -> str:
    """Returns the text of a section, wherever it is."""
    match = re.search(rf"^## {number} .*?(?=^## |\Z)", whole(), re.DOTALL | re.MULTILINE)
    assert match is not None
    return match[0]
