"""SPEC.md, and the documents that hold sections of it."""

from __future__ import annotations

from typing import Final

from tests.support.paths import ROOT

SPEC: Final = ROOT / "SPEC.md"
REFEREES: Final = ROOT / "docs" / "spec-referee.md"
"""Section 10.5."""
JOURNALS: Final = ROOT / "docs" / "spec-journal.md"
"""Section 19."""


def whole() -> str:
    """The text of all of them."""
    return "\n".join(path.read_text() for path in (SPEC, REFEREES, JOURNALS))
