"""Helpers for tests of Diamond: positions by the names of their points, a table at such a position, a second set of
rules.

The second rules use no bits: only sets of names and the given lists of lines, squares and triangles. They are slow.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from kimberley.games.diamond.board import bits
from kimberley.games.diamond.notation import write_position
from kimberley.games.diamond.position import BLACK, Position
from kimberley.games.diamond.rules import State
from tests.support.paths import DATA

GIVEN = json.loads((DATA / "diamond_board.json").read_text())
POINTS = frozenset(GIVEN["points"])
LINES = frozenset(frozenset(line) for line in GIVEN["lines"])
SQUARES = [frozenset(square) for square in GIVEN["squares"]]
TRIANGLES = [frozenset(triangle) for triangle in GIVEN["triangles"]]


def moving(black: str, white: str, neutral: str = "", turn: int = BLACK) -> Position:
    """Returns a position of the movement phase: the points of each color, with spaces between."""
    return Position((bits(*black.split()), bits(*white.split())), bits(*neutral.split()), turn, 0)


def placing(black: str, white: str) -> Position:
    """Returns a position of the placement phase. Its number of pieces decides who moves."""
    sides = bits(*black.split()), bits(*white.split())
    left = 24 - sum(side.bit_count() for side in sides)
    return Position(sides, 0, left % 2, left)


def at(position: Position, quiet: int = 0) -> State:
    """Returns a game in that position. Seat 0 plays Black."""
    return State(first=0, position=position, quiet=quiet)


def after(state: State, *turns: str) -> State:
    """Returns the game after some turns, all of them legal."""
    for turn in turns:
        ask = state.ask()
        space = getattr(ask, "space", None)
        assert space is not None, f"the game is over before {turn}: {ask}"
        assert space.violation(turn) is None, f"{turn}: {space.violation(turn)} in {write_position(state.position)}"
        state = state.apply(turn)
    return state


class Slow:
    """A position as sets of names."""

    def __init__(self, sides: tuple[frozenset[str], frozenset[str]], neutral: frozenset[str], turn: int, left: int,
                 swap: bool) -> None:  # fmt: skip
        self.sides, self.neutral, self.turn, self.left, self.swap = sides, neutral, turn, left, swap

    @classmethod
    def of(cls, position: Position) -> Slow:
        from kimberley.games.diamond.board import names

        black, white = (frozenset(names(side)) for side in position.pieces)
        return cls((black, white), frozenset(names(position.neutral)), position.turn, position.left, position.may_swap)

    def key(self) -> tuple[object, ...]:
        return self.sides, self.neutral, self.turn, self.left, self.swap

    def beside(self, point: str) -> set[str]:
        return {other for other in POINTS if frozenset((point, other)) in LINES}

    def over(self) -> bool:
        if any(square <= side for square in SQUARES for side in self.sides):
            return True
        return self.left == 0 and not any("-" in turn for turn, _ in self.turns())

    def turns(self) -> Iterator[tuple[str, Slow]]:
        """Yields every turn in notation, with the position after it."""
        own, enemy = self.sides[self.turn], self.sides[1 - self.turn]
        empty = POINTS - own - enemy - self.neutral
        if self.left:
            for point in empty:
                yield point, self._next(own | {point}, enemy, self.neutral, self.left - 1)
            if self.swap:
                yield "swap", Slow(self.sides, self.neutral, self.turn, self.left, False)
            return
        for start in own:
            for to in self.beside(start) & empty:
                mine = own - {start} | {to}
                cornered = {
                    point
                    for triangle in TRIANGLES
                    if to in triangle and len(triangle & mine) == 2 and len(triangle & enemy) == 1
                    for point in triangle & enemy
                }
                taken = cornered if len(cornered) == 1 else set()
                star = "*" if taken else ""
                yield f"{start}-{to}{star}", self._next(mine, enemy - taken, self.neutral | taken, 0)
        for point in self.neutral:
            if not self.beside(point) & (own | enemy):
                yield f"({point})", self._next(own, enemy, self.neutral - {point}, 0)

    def _next(self, own: frozenset[str], enemy: frozenset[str], neutral: frozenset[str], left: int) -> Slow:
        sides = (own, enemy) if self.turn == BLACK else (enemy, own)
        return Slow(sides, neutral, 1 - self.turn, left, left == 23)

    def perft(self, depth: int) -> int:
        if depth == 0:
            return 1
        return 0 if self.over() else sum(after.perft(depth - 1) for _, after in self.turns())
