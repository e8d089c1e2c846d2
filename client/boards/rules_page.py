"""The rules of a game in sentences: the second page of F1, and what `rules` says in the line mode."""

from __future__ import annotations

from kimberley.client.boards.registry import board_of
from kimberley.client.ui.screen import Help


def rules_of(game: str) -> Help | None:
    """Returns the rules of a game; None for a game without a board."""
    board = board_of(game)
    if board is None:
        return None
    return board.rules


def rules_lines(game: str) -> list[str]:
    """Returns the rules of a game in lines to read aloud: each heading, its text, and its points."""
    page = rules_of(game)
    if page is None:
        return ["No rules are available for this game."]
    lines = [f"Rules of {page.title}."]
    for section in page.sections:
        lines += [f"{section.heading}. {section.text}".strip(), *section.points]
    return lines
