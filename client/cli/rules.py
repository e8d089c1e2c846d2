"""`kimberley rules`: the rules of a game, as F1 shows them, in plain text."""

from __future__ import annotations

from typing import Final

from kimberley.client.boards.rules_page import rules_of
from kimberley.client.ui.glyphs import wrap
from kimberley.client.ui.screen import Section
from kimberley.games import lookup
from kimberley.p2p.base.errors import UserError

WIDTH: Final = 78
"""The most columns of a printed line."""


def run(game: str) -> int:
    """Prints the rules of a game. Raises UserError if no board is installed for it."""
    page = rules_of(game)
    if page is None:
        raise UserError(f"{lookup.find(game).title} has no board here, so its rules are not available.")
    print("\n\n".join([page.title.upper(), *map(_paragraph, page.sections)]))
    return 0


def _paragraph(section: Section) -> str:
    lines = [section.heading, *(line for line in wrap(section.text, WIDTH) if line)]
    for point in section.points:
        first, *others = wrap(point, WIDTH - 2)
        lines += [f"- {first}", *(f"  {line}" for line in others)]
    return "\n".join(lines)
