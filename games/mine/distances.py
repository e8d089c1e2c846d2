"""How many turns it is from square to square, around what pawns cannot enter."""

from __future__ import annotations

from collections import deque
from functools import lru_cache
from math import inf
from typing import Final

from kimberley.games.mine.squares import RAYS, SQUARES

_KEPT: Final = 2048
"""Answers that are kept: a game has few exhausted veins, so that the same boards come again and again."""


@lru_cache(maxsize=_KEPT)
def turns_to(target: int, barred: bytes) -> tuple[float, ...]:
    """By square, the turns that a pawn needs from there to the target; infinity where no way leads there.

    `barred` has one byte for each square, which is not 0 where a pawn can neither land nor pass. A pawn may start from
    such a square: the vein that it has just exhausted.
    """
    turns, queue = {target: 0}, deque([target])
    while queue:
        square = queue.popleft()
        for ray in RAYS[square]:
            for start in ray:
                if start not in turns:
                    turns[start] = turns[square] + 1
                    if not barred[start]:
                        queue.append(start)
                if barred[start]:
                    break
    return tuple(turns.get(square, inf) for square in SQUARES)


@lru_cache(maxsize=_KEPT)
def left_after(target: int, barred: bytes, rate: float) -> tuple[float, ...]:
    """By square, what is left of 1 on the way from there to the target, if each turn leaves `rate` of it."""
    return tuple(rate**turns for turns in turns_to(target, barred))


TURNS: Final = tuple(turns_to(target, bytes(len(SQUARES))) for target in SQUARES)
"""Turns that a pawn needs from one square to another on an empty board."""
