"""Reads squares and gems that were typed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kimberley.client.boards.mine.stones import stone, stones
from kimberley.games.mine.gems import COLORS, LETTERS
from kimberley.games.mine.rules import State
from kimberley.games.mine.squares import square
from kimberley.games.phrases import join_names

NUMBERS: Final = ("1", "2", "3")
"""Which one of several gems that look alike is meant. A pawn carries no more than that."""


class ParseError(ValueError):
    """What was typed is no choice; the text says how to type one."""


def read_square(word: str) -> int:
    """Returns a square: "d5". Raises ParseError."""
    try:
        return square(word)
    except ValueError as error:
        raise ParseError(str(error)) from None


def read_gem(words: Sequence[str], state: State, among: Sequence[int]) -> tuple[int, int]:
    """Returns the gem of `among` that the first words name, "mr" or "medium red gem", and how many words that took.

    Of gems that look alike, the first is meant; "mr2" names the second. Raises ParseError.
    """
    word, taken = (words[0] if words else ""), 1
    if word in ("small", "medium") and len(words) > 1:
        word, taken = word[0] + words[1], 3 if words[2:3] == ["gem"] else 2
    kind, number = (word[:-1], int(word[-1])) if word[-1:] in NUMBERS else (word, 1)
    alike = [gem for gem in among if kind in _spellings(state, gem)]
    if number > len(alike):
        typed = " ".join(words[:taken])
        looks = [look for look in stones(state, among) if look.color is not None]
        there = join_names([*dict.fromkeys(f"{look.code} ({look.kind})" for look in looks)])
        raise ParseError(f"no gem {typed!r} here{f', only {there}' if there else ''}")
    return alike[number - 1], taken


def _spellings(state: State, gem: int) -> tuple[str, ...]:
    look = stone(state, gem)
    return () if look.color is None else (f"{look.name[0]}{LETTERS[look.color]}", f"{look.name[0]}{COLORS[look.color]}")
