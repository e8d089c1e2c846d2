"""The turns of Diamond as the search makes them, and tables that say what they do, by what stands around them.

A turn is an integer: a placement is its point, a step 64 * (1 + start) + end, a removal 4096 + point. A placement is
thus written like a step that starts nowhere. A ranked turn is a turn plus `RANK` times how promising it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final, Generic, TypeAlias, TypeVar

from kimberley.games.diamond.board import NEXT, PAIRS, POINTS, SQUARES, SQUARES_AT, Bits, points
from kimberley.games.diamond.bots.evaluation import BOTH, CORNERS, FIRST, LACKING, both_sides
from kimberley.games.diamond.position import Move, Movement, Placement, Removal

Value = TypeVar("Value")
RankedTurn: TypeAlias = int

STEPS: Final = 1 << 6
"""The factor of a step's start; the remainder is its end."""
REMOVALS: Final = 1 << 12
RANK: Final = 1 << 13
TURN: Final = RANK - 1
"""The bits of a ranked turn that are the turn."""


def move_of(turn: int, placing: bool) -> Move:
    """Returns a turn from its integer."""
    if placing:
        return Placement(turn)
    if turn >= REMOVALS:
        return Removal(turn - REMOVALS)
    return Movement(turn // STEPS - 1, turn % STEPS)


def captured(step: int, own: Bits, enemy: Bits) -> Bits:
    """Returns what a step captures, as a set; `own` and `enemy` stand before it."""
    kept, taken = own ^ 1 << (step // STEPS - 1), 0
    for a, b in PAIRS[step % STEPS]:
        if kept & a:
            taken |= enemy & b
        elif kept & b:
            taken |= enemy & a
    return 0 if taken & (taken - 1) else taken


class LookupTable(dict[int, Value], Generic[Value]):
    """Values by some pieces of both sides (`both_sides`), own first. Each is computed when it is first asked for."""

    def __init__(self, compute: Callable[[Bits, Bits], Value]) -> None:
        super().__init__()
        self._compute = compute

    def __missing__(self, sides: int) -> Value:
        value = self[sides] = self._compute(sides & FIRST, sides >> BOTH)
        return value


# -- steps and captures, by what stands beside a point -----------------------------------------------------------------


def _subsets(bits: Bits) -> Iterator[Bits]:
    subset = bits
    while subset:
        yield subset
        subset = (subset - 1) & bits
    yield 0


def _steps_from(start: int, ends: Bits) -> tuple[int, ...]:
    return tuple(STEPS * (start + 1) + to for to in points(ends))


def _captures_at(to: int, own: Bits, enemy: Bits) -> tuple[tuple[int, Bits, Bits], ...]:
    steps = [(STEPS * (start + 1) + to, 1 << start | 1 << to) for start in points(own)]
    return tuple((step, ends, taken) for step, ends in steps if (taken := captured(step, own, enemy)))


STEPS_FROM: Final = tuple({ends: _steps_from(start, ends) for ends in _subsets(NEXT[start])} for start in range(POINTS))
"""By point, and by the open points beside it: the steps of a piece there."""
AROUND: Final = tuple(both_sides(beside, beside) for beside in NEXT)
"""By point: the points beside it, for both sides."""
CAPTURES_AT: Final = tuple(LookupTable(partial(_captures_at, to)) for to in range(POINTS))
"""By open point, and by what stands around it: the steps to it that capture, each with its two ends and with what it
takes, as sets.
"""


# -- what a piece changes in the squares that it comes to or leaves, by what stood there -------------------------------


def _summary(own: Bits, enemy: Bits) -> int:
    """Returns what `summary` says of the pieces in one square."""
    if own and enemy:
        return 0
    held = own or enemy
    worth = CORNERS[held.bit_count() % 4]
    cell = next(square & -square for square in SQUARES if square & held == held) if held.bit_count() == 3 else 0
    return worth + (cell << LACKING) if own else (cell << BOTH + LACKING) - worth


def _on_coming(own: Bits, enemy: Bits) -> int:
    square = next(square for square in SQUARES if square & (own | enemy) == own | enemy)
    new = square & ~(own | enemy)
    return _summary(own | new & -new, enemy) - _summary(own, enemy)


def _on_leaving(own: Bits, enemy: Bits) -> int:
    old = own & ~enemy
    return _summary(own ^ old & -old, enemy) - _summary(own, enemy)


SQUARES_AROUND: Final = tuple(
    tuple(both_sides(square, square) for square in SQUARES_AT[point]) for point in range(POINTS)
)
"""By point: the squares that it is a corner of, for both sides. There are two at most."""
ON_COMING: Final = LookupTable(_on_coming)
"""By what stands in a square, neutral pieces on both sides: what a piece of the side to move adds to the `summary` if
it comes to an open corner.
"""
ON_LEAVING: Final = LookupTable(_on_leaving)
"""What it adds if it leaves a corner, by what stood there with it."""


# -- how promising a placement is, by what stands in the squares there -------------------------------------------------


def _promise(own: Bits, enemy: Bits) -> int:
    if own and enemy:
        return 0
    return CORNERS[enemy.bit_count() or min(own.bit_count() + 1, 3)]


def _squares_at(point: int) -> tuple[int, int]:
    squares = [SQUARES.index(square) for square in SQUARES_AT[point]]
    first, second = (*squares, len(SQUARES), len(SQUARES))[:2]
    return first, second


SQUARES_TWICE: Final = tuple(both_sides(square, square) for square in SQUARES)
"""Each square, for both sides."""
PROMISE: Final = LookupTable(_promise)
"""How promising it is to place a piece in a square, which builds one's own or spoils the enemy's."""
PLACES: Final = tuple((to, 1 << to, *_squares_at(to)) for to in range(POINTS))
"""Each point, its bit, and the numbers of its two squares; one number too high stands for none."""
