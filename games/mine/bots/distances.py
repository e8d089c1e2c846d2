"""How many turns it is from square to square, around what pawns cannot enter."""

from __future__ import annotations

from functools import lru_cache
from math import inf
from typing import Final

from kimberley.games.mine.squares import RAYS, SQUARES

_KEPT: Final = 1024
"""Boards, and targets on them, that are kept: a game has few exhausted veins, so that the same ones come again and
again.
"""


@lru_cache(maxsize=_KEPT)
def turns_to(target: int, barred: bytes) -> tuple[float, ...]:
    """Returns, by square, the turns that a pawn needs from there to the target; infinity where no way leads there.

    `barred` has one byte for each square, which is not 0 where a pawn can neither land nor pass. A pawn may start from
    such a square: the vein that it has just exhausted.
    """
    turns: list[float] = [inf] * len(SQUARES)
    turns[target] = 0
    queue, missing = [target], len(SQUARES) - 1
    for square in queue:
        if not missing:
            break
        for ray in RAYS[square]:
            for start in ray:
                if turns[start] == inf:
                    turns[start] = turns[square] + 1
                    missing -= 1
                    if not barred[start]:
                        queue.append(start)
                if barred[start]:
                    break
    return tuple(turns)


class LeftOnTheWay(dict[int, tuple[float, ...]]):
    """By target and square, what is left of 1 on the way from the square to the target, if each turn leaves `rate` of
    it. Targets are computed when they are first asked for.
    """

    def __init__(self, barred: bytes, rate: float) -> None:
        super().__init__()
        self._barred = barred
        self._rate = rate

    def __missing__(self, target: int) -> tuple[float, ...]:
        self[target] = left = tuple(self._rate**turns for turns in turns_to(target, self._barred))
        return left


@lru_cache(maxsize=_KEPT)
def left_on_the_way(barred: bytes, rate: float) -> LeftOnTheWay:
    """Returns what is left on a board; see `LeftOnTheWay` and `turns_to`."""
    return LeftOnTheWay(barred, rate)


TURNS: Final = tuple(turns_to(target, bytes(len(SQUARES))) for target in SQUARES)
"""Turns that a pawn needs from one square to another on an empty board."""
