"""`kimberley rules`: the rules of a game, as F1 shows them, in plain text."""

from __future__ import annotations

import shutil
import sys
from typing import Final

from kimberley.client.boards.rules_page import rules_of
from kimberley.client.ui.glyphs import wrap
from kimberley.client.ui.screen import Section
from kimberley.games import lookup
from kimberley.p2p.base.errors import UserError

WIDTH: Final = 78
"""The most columns of a printed line: fewer on a narrower terminal."""


def run(game: str) -> int:
    """Prints the rules of a game. Raises UserError if no board is installed for it."""
    page = rules_of(game)
    if page is None:
        raise UserError(f"{lookup.find(game).title} has no board here, so its rules are not available.")
    columns = min(WIDTH, shutil.get_terminal_size().columns - 1) if sys.stdout.isatty() else WIDTH
    print("\n\n".join([page.title.upper(), *(_paragraph(section, columns) for section in page.sections)]))
    return 0


def _paragraph(section: Section, columns: int) -> str:
    lines = [section.heading, *(line for line in wrap(section.text, columns) if line)]
    for point in section.points:
        first, *others = wrap(point, columns - 2)
        lines += [f"- {first}", *(f"  {line}" for line in others)]
    return "\n".join(lines)
