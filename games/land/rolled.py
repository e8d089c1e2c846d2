"""Random maps: a whole map from a few numbers, the same at every seat.

The numbers of one joint Roll seed a generator of our own, so that the map depends on no library's generator. A river is
walked from one edge to the opposite one; then land grows over the desert: farmland mostly along the river, coal in
fields, diamonds in pipes, some beside the river and most of them away from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kimberley.games.land.maps import RIVER, SECTOR, Map, check

NUMBERS: Final = 4
LIMIT: Final = 2**32
"""A random map takes this many rolled numbers, each below the limit."""
MARGIN: Final = 3
"""The distance, in parcels, that the river keeps from the edges beside it."""
LONGEST: Final = 3
"""The most river squares of the main stream in one row, so that no sector is all river."""
FARMLAND, COAL, DIAMONDS = 32, 14, 5
"""Percent of the land."""
FIELDS: Final = {"F": (6, 16), "C": (3, 8), "P": (1, 4)}
"""Parcels in one field of a kind: the fewest and the most."""
NEAR_RIVER: Final = {"F": 65, "C": 25, "P": 30}
"""Percent of the fields that begin beside the river."""

_WORD: Final = 2**64 - 1


class Dice:
    """SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014)."""

    def __init__(self, numbers: Sequence[int]) -> None:
        self._state = 0
        for number in numbers:
            self._state = self._next() ^ number

    def _next(self) -> int:
        self._state = (self._state + 0x9E3779B97F4A7C15) & _WORD
        word = self._state
        word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & _WORD
        word = (word ^ word >> 27) * 0x94D049BB133111EB & _WORD
        return word ^ word >> 31

    def below(self, limit: int) -> int:
        """Returns a number from 0 to limit - 1."""
        return self._next() * limit >> 64

    def between(self, least: int, most: int) -> int:
        """Returns a number from `least` to `most`."""
        return least + self.below(most - least + 1)

    def percent(self, chance: int) -> bool:
        """Returns True with a probability of `chance` percent."""
        return self.below(100) < chance


def rolled_map(numbers: Sequence[int], side: int) -> Map:
    """Returns the map that these numbers make, the same everywhere."""
    dice = Dice(numbers)
    river = _stream(dice, side)
    river |= _tributary(dice, side, river)
    if dice.percent(50):
        river = {(column, row) for row, column in river}
    kinds = ["D"] * side**2
    for row, column in river:
        kinds[row * side + column] = RIVER
    _grow_fields(dice, Map("", side, "".join(kinds)), kinds)
    return check(Map("rolled by the table", side, "".join(kinds)))


# -- water -------------------------------------------------------------------------------------------------------------


def _stream(dice: Dice, side: int) -> set[tuple[int, int]]:
    """Returns the main stream, from the first row to the last: in each row a run of squares that meets the next one."""
    column = dice.between(side // 3, 2 * side // 3)
    drift = dice.between(-1, 1)
    stream = set()
    for row in range(side):
        if dice.percent(35):
            drift = dice.between(1 - LONGEST, LONGEST - 1)
        to = column + drift
        if not MARGIN <= to < side - MARGIN:
            drift, to = -drift, column - drift
        stream |= {(row, square) for square in range(min(column, to), max(column, to) + 1)}
        column = to
    return stream


def _tributary(dice: Dice, side: int, stream: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """Returns a second stream from an edge to the main one; none by chance, or if a sector would be all river."""
    comes = dice.percent(70)
    row, east = dice.between(side // 4, 3 * side // 4), dice.percent(50)
    tributary: set[tuple[int, int]] = set()
    columns = range(side - 1, -1, -1) if east else range(side)
    for column in columns:
        to = min(max(row + dice.between(-1, 1), 1), side - 2)
        squares = [(step, column) for step in (range(row, to + 1) if to >= row else range(row, to - 1, -1))]
        for square in squares:
            if square in stream:
                return tributary if comes and _dry_enough(side, stream | tributary) else set()
            tributary.add(square)
        row = to
    return set()


def _dry_enough(side: int, river: set[tuple[int, int]]) -> bool:
    wet: dict[tuple[int, int], int] = {}
    for row, column in river:
        sector = row // SECTOR, column // SECTOR
        wet[sector] = wet.get(sector, 0) + 1
    return max(wet.values()) <= SECTOR**2 // 2


# -- land --------------------------------------------------------------------------------------------------------------


def _grow_fields(dice: Dice, water: Map, kinds: list[str]) -> None:
    """Puts fields of every kind over the desert, until each has its part of the land."""
    land = sum(kind != RIVER for kind in kinds)
    for kind, part in (("F", FARMLAND), ("C", COAL), ("P", DIAMONDS)):
        least, most = FIELDS[kind]
        wanted = land * part // 100
        while wanted:
            size = min(dice.between(least, most), wanted)
            wanted -= _grow(dice, water, kinds, kind, size)


def _grow(dice: Dice, water: Map, kinds: list[str], kind: str, size: int) -> int:
    """Grows one field of at most that size on connected desert. Returns its size."""
    desert = [parcel for parcel, now in enumerate(kinds) if now == "D"]
    banks = [parcel for parcel in desert if parcel in water.banks]
    begins = banks if banks and dice.percent(NEAR_RIVER[kind]) else desert
    edge = [begins[dice.below(len(begins))]]
    grown = 0
    while edge and grown < size:
        parcel = edge.pop(dice.below(len(edge)))
        if kinds[parcel] == "D":
            kinds[parcel] = kind
            grown += 1
            edge += [beside for beside in water.neighbors[parcel] if kinds[beside] == "D"]
    return grown
