"""Reads a choice that was typed."""

from __future__ import annotations

from collections.abc import Sequence

from kimberley.client.boards.mine.stones import stone
from kimberley.games.mine.gems import COLORS, LETTERS
from kimberley.games.mine.rules import State
from kimberley.games.mine.spaces import PawnMoveSpace, TakeSpace
from kimberley.games.mine.squares import square
from kimberley.games.table import Plain


class ParseError(ValueError):
    """What was typed is no choice; the text says how to type one."""


def _square(word: str) -> int:
    try:
        return square(word)
    except ValueError as error:
        raise ParseError(str(error)) from None


def place_of(words: Sequence[str]) -> Plain:
    """A square for a nest: "d5", "place d5". Raises ParseError."""
    match words:
        case [where] | ["place", where]:
            return _square(where)
    raise ParseError("type a square, like d5")


def card_of(words: Sequence[str]) -> Plain:
    """A card: "2", "card 2", "2 end". Raises ParseError."""
    rest = list(words[1:]) if words[:1] == ["card"] else list(words)
    match rest:
        case [("1" | "2" | "3") as card]:
            return int(card), False
        case [("1" | "2" | "3") as card, "end"]:
            return int(card), True
    raise ParseError("type 1, 2 or 3; with end behind it to agree to end the game")


def gem_of(words: Sequence[str], state: State, among: Sequence[int]) -> tuple[int, int]:
    """The gem of `among` that the first words name, "mr" or "medium red", and how many words that took.

    Raises ParseError.
    """
    word = words[0] if words else ""
    taken = 1
    if word in ("small", "medium") and len(words) > 1:
        word, taken = word[0] + words[1], 2
    for gem in among:
        look = stone(state, gem)
        if look.color is None:
            continue
        if word in (f"{look.name[0]}{LETTERS[look.color]}", f"{look.name[0]}{COLORS[look.color]}"):
            return gem, taken
    said = " ".join(words[:taken])
    raise ParseError(f"there is no gem {said!r} here: write sr for a small red one, mb for a medium blue one")


def gems_of(words: Sequence[str], state: State, takes: TakeSpace) -> Plain:
    """What is taken of a vein: "take mr sb", "all", "nothing". Raises ParseError."""
    rest = list(words[1:]) if words[:1] == ["take"] else list(words)
    if rest == ["nothing"]:
        return ()
    if rest == ["all"]:
        return tuple(takes.gems)
    if not rest:
        raise ParseError("type take and what you want, like take mr; or take all, or take nothing")
    found: list[int] = []
    while rest:
        if rest[0] == "and":
            rest.pop(0)
            continue
        gem, taken = gem_of(rest, state, [each for each in takes.gems if each not in found])
        found.append(gem)
        rest = rest[taken:]
    return tuple(sorted(found))


def move_of(words: Sequence[str], state: State, moves: PawnMoveSpace) -> Plain:
    """A move: "d6", "go d6 pick d5 drop mr d5". Raises ParseError."""
    rest = list(words[1:]) if words[:1] == ["go"] else list(words)
    if not rest:
        raise ParseError("type where to go, like d6")
    to = _square(rest.pop(0))
    way = moves.way(to)
    if not way:
        raise ParseError(moves.violation((to, (), ())) or "your pawn cannot go there")
    picked: set[int] = set()
    dropped: dict[int, int] = {}
    held = [*state.mine.carried[moves.seat], *(gem for where, gem in state.mine.loose if where in way)]
    while rest:
        match rest.pop(0):
            case "pick" if rest:
                if rest[0] == "up" and len(rest) > 1:
                    rest.pop(0)
                picked.add(_square(rest.pop(0)))
            case "drop":
                gem, taken = gem_of(rest, state, [each for each in held if each not in dropped.values()])
                rest = rest[taken:]
                if rest[:1] == ["on"]:
                    rest.pop(0)
                if not rest:
                    raise ParseError("say where to drop it, like drop mr d5")
                dropped[_square(rest.pop(0))] = gem
            case word:
                raise ParseError(f"{word!r} is nothing that can be done on the way: write pick d5, or drop mr d5")
    stray = [where for where in (*picked, *dropped) if where not in way]
    if stray:
        raise ParseError("gems are picked up and dropped on the squares of the way only")
    return (to, tuple(where for where in way if where in picked),
            tuple((where, dropped[where]) for where in way if where in dropped))  # fmt: skip
