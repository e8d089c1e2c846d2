"""Checks the facts in the hints of Diamond against the state."""

from __future__ import annotations

import re
from typing import Any

from kimberley.games.diamond.board import NAMES as POINTS
from kimberley.games.diamond.board import SQUARES_AT, points
from kimberley.games.diamond.notation import read_turn
from kimberley.games.diamond.position import COLORS, Movement, Placement, Position
from kimberley.games.table import Result


def squares_of(position: Position, color: int, placing: bool) -> set[str]:
    """Returns the points on which a color would complete a square if it were its turn, found by making each turn."""
    position = Position(position.pieces, position.neutral, color, max(1, position.left) if placing else 0)
    won = [move for move in position.moves() if (found := position.after(move).won()) and found[0] == color]
    return {POINTS[move.to] for move in won if isinstance(move, Placement | Movement)}


def facts_of(state: Any, seat: int, choice: Any, why: str, other: Any = None, *, comes_next: bool = False) -> int:
    """Checks each fact, and that what is said first and alone is no merit of the other turn as well."""
    after, beside = state.apply(choice), None if other is None else state.apply(other)
    ended = state.apply(choice).ask()
    assert ("and wins" in why) == (isinstance(ended, Result) and ended.winners == (seat,))
    if "and wins" in why:
        result = after.ask()
        assert isinstance(result, Result)
        assert result.winners == (seat,)
        return 1
    wins = beside is not None and isinstance(result := beside.ask(), Result) and result.winners == (seat,)
    assert ("does not win yet" in why) == (comes_next and wins)
    if comes_next and wins:
        return 1
    before, then = state.position, after.position
    own, enemy = before.turn, 1 - before.turn
    facts = 0
    alone = not comes_next and beside is not None and ", and " not in why and "looking ahead" not in why
    open_before, open_then = (squares_of(position, enemy, then.placing) for position in (before, then))
    stops = re.search(r"from completing a square on ((?:\w\d|, | and )+)(?:, though not on ((?:\w\d|, | and )+))?", why)
    assert comes_next or (stops is not None) == bool(open_before - open_then)
    if stops is not None:
        assert open_before - open_then == set(re.findall(r"\w\d", stops[1]))
        assert open_then == set(re.findall(r"\w\d", stops[2] or ""))
        if alone and beside is not None:
            left = squares_of(beside.position, enemy, beside.position.placing)
            assert len(open_before - left) < len(open_before - open_then)
        facts += 1
    loses = re.search(r", though \w+ can complete a square on ((?:\w\d|, | or )+) next", why)
    if stops is None and not comes_next and "unlikely to win" not in why:
        assert set(re.findall(r"\w\d", loses[1] if loses is not None else "")) == open_then
    if not comes_next and other is not None and captures(before, other) and not captures(before, choice):
        assert stops is not None or "looking ahead" in why or "unlikely to win" in why
    if "and capture it" in why:
        move = read_turn(choice).move
        assert isinstance(move, Movement)
        assert before.captured(move)
        facts += 1
    if told := re.search(
        r"then you (?:need only (.+?) for a square)?(?:, and )?(?:can reach (.+?), (?:each )?the last corner)?", why
    ):
        new = squares_of(then, own, then.left > 1) - squares_of(before, own, then.left > 1)
        last = {POINTS[at] for at in points(before.empty) if any(
            (square & before.pieces[own]).bit_count() == 3 for square in SQUARES_AT[at]
        )}  # fmt: skip
        assert new - last == set(re.findall(r"\w\d", told[1] or ""))
        assert new & last == set(re.findall(r"\w\d", told[2] or ""))
        if alone and beside is not None and stops is None and "capture" not in why:
            left = squares_of(beside.position, own, then.left > 1) - squares_of(before, own, then.left > 1)
            assert len(left) < len(new)
        facts += 1
    if told := re.search(rf"blocks (a|\d+) squares? in (?:each of )?which {COLORS[enemy]} holds two corners", why):
        at, theirs = to_of(choice), before.pieces[enemy]
        spoilt = before.pieces[own] | before.neutral
        taken = [each for each in SQUARES_AT[at] if (each & theirs).bit_count() == 2 and not each & spoilt]
        assert len(taken) == (1 if told[1] == "a" else int(told[1]))
        facts += 1
    if told := re.search(r"(\w\d) is a corner of (a|\d+) squares? with no", why):
        assert POINTS.index(told[1]) == to_of(choice)
        free = sum(not square & then.pieces[enemy] for square in SQUARES_AT[to_of(choice)])
        assert free == (1 if told[2] == "a" else int(told[2]))
        facts += 1
    if told := re.search(r"(\w\d) is open again", why):
        assert then.empty >> POINTS.index(told[1]) & 1
        facts += 1
    assert facts or "looking ahead" in why or "swap" in why.lower() or "unlikely to win" in why
    return facts


def captures(position: Position, turn: Any) -> bool:
    move = read_turn(turn).move
    return isinstance(move, Movement) and bool(position.captured(move))


def to_of(choice: Any) -> int:
    move = read_turn(choice).move
    assert isinstance(move, Placement | Movement)
    return move.to
