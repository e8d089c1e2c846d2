"""Rectangles of cells, and the way from one place to the next."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple, TypeVar

K = TypeVar("K")

WAYS: Final = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
"""The arrow keys: how far each leads to the right, and down."""


class Area(NamedTuple):
    """A rectangle of cells, as `Canvas.region` takes it."""

    left: int
    top: int
    width: int
    height: int

    @property
    def right(self) -> int:
        """The first column after it."""
        return self.left + self.width

    @property
    def bottom(self) -> int:
        """The first row after it."""
        return self.top + self.height

    def meets(self, other: Area) -> bool:
        """Returns whether it has a cell in common with another one."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )

    def holds(self, column: int, row: int) -> bool:
        """Returns whether a cell lies in it."""
        return self.left <= column < self.right and self.top <= row < self.bottom


def nearest(
    start: tuple[float, float],
    way: str,
    places: Iterable[tuple[K, float, float]],
    *,
    bend: float = 1.5,
    narrow: float = 0.0,
) -> K | None:
    """Returns the place (key, across, down) that an arrow key leads to from `start`: the nearest in that direction;
    None if there is none.

    A distance to the side counts `bend` times. A place is in that direction if it is more than `narrow` times as far
    along as to the side.
    """
    dx, dy = WAYS[way]
    best, least = None, float("inf")
    for key, x, y in places:
        across, down = x - start[0], y - start[1]
        along, aside = across * dx + down * dy, abs(across * dy) + abs(down * dx)
        if along > narrow * aside and along + bend * aside < least:
            best, least = key, along + bend * aside
    return best
