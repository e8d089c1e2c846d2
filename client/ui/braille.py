"""Lines of braille dots: a cell has two columns and four rows of them."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from typing import Final, TypeAlias

Spot: TypeAlias = tuple[float, float]

DOTS: Final = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""The bit of each dot of a cell, by its row and column (Unicode 15, section 21.1)."""


def braille(dots: int) -> str:
    """Returns the character with these dots."""
    return chr(0x2800 + dots)


def steps_between(a: Spot, b: Spot) -> Iterator[tuple[int, int]]:
    """Yields the whole points on the way from `a` to `b`, one for each step along the longer axis."""
    count = max(ceil(abs(b[0] - a[0])), ceil(abs(b[1] - a[1])), 1)
    for step in range(count + 1):
        yield int(a[0] + (b[0] - a[0]) * step / count), int(a[1] + (b[1] - a[1]) * step / count)
