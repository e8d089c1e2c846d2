"""The diamond field: tiles side by side, shifted by half a tile at will.

Places are counted in half tiles, x to the right and y down; a tile at (x, y) covers (x, y) to (x + 1, y + 1).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

TilePlace: TypeAlias = tuple[int, int]
SIDE: Final = 2
"""The side of a tile in half tiles."""


class Tile(NamedTuple):
    """A tile that lies face up, and the place of its upper left corner."""

    suit: int
    value: int
    x: int
    y: int

    @property
    def market(self) -> bool:
        """Returns whether it is a black market: every null tile is one, whatever its suit."""
        return self.value == 0


Field: TypeAlias = tuple[Tile, ...]

OPENINGS: Final[dict[int, tuple[TilePlace, ...]]] = {
    3: ((0, 0), (2, 0), (1, 2)),
    4: ((0, 0), (2, 0), (0, 2), (2, 2)),
    5: ((0, 0), (2, 0), (4, 0), (1, 2), (3, 2)),
    6: ((0, 0), (2, 0), (4, 0), (0, 2), (2, 2), (4, 2)),
}
"""Where the players' null tiles lie at first, by seat, for each number of seats."""

_AROUND: Final = tuple(
    sorted({place for edge in (-SIDE, SIDE) for shift in (-1, 0, 1) for place in ((edge, shift), (shift, edge))})
)
"""From a tile to the places beside it: they share a whole edge, or half of one."""


def opening(suits: Sequence[int]) -> Field:
    """Returns the players' null tiles."""
    return tuple(Tile(suit, 0, *place) for suit, place in zip(suits, OPENINGS[len(suits)], strict=True))


def places(field: Field, index: int) -> tuple[TilePlace, ...]:
    """Returns the free places, at most 12, where a tile can be laid beside the tile `index`, in order."""
    return _places(field)[index]


def beside(field: Field, index: int) -> tuple[int, ...]:
    """Returns the tiles that share at least half an edge with the tile `index`, ascending."""
    return _links(field)[index]


def jumps(field: Field, index: int) -> tuple[tuple[int, int], ...]:
    """Returns the jumps (over, to) from the tile `index` over a tile beside it to a tile beside that."""
    links = _links(field)
    return tuple((over, to) for over in links[index] for to in links[over] if to != index)


@lru_cache(maxsize=4096)
def distances(field: Field, start: int) -> tuple[int, ...]:
    """Returns, by tile, its distance in steps from `start`. The field is connected."""
    return _spread(field, [start])


@lru_cache(maxsize=4096)
def to_rim(field: Field) -> tuple[int, ...]:
    """Returns, by tile, its distance in steps from the nearest tile that has a free place beside it. There always is
    one.
    """
    return _spread(field, [index for index, free in enumerate(_places(field)) if free])


def _spread(field: Field, reached: list[int]) -> tuple[int, ...]:
    """Returns the distance in steps of each tile from the nearest of those that are `reached` at first."""
    links = _links(field)
    far = [-1] * len(field)
    for start in reached:
        far[start] = 0
    for index in reached:
        for near in links[index]:
            if far[near] < 0:
                far[near] = far[index] + 1
                reached.append(near)
    return tuple(far)


@lru_cache(maxsize=4096)
def _links(field: Field) -> tuple[tuple[int, ...], ...]:
    at = {(tile.x, tile.y): index for index, tile in enumerate(field)}
    return tuple(
        tuple(sorted(at[there] for dx, dy in _AROUND if (there := (tile.x + dx, tile.y + dy)) in at)) for tile in field
    )


@lru_cache(maxsize=4096)
def _places(field: Field) -> tuple[tuple[TilePlace, ...], ...]:
    covering = {(tile.x + dx, tile.y + dy) for tile in field for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
    return tuple(
        tuple(there for dx, dy in _AROUND if (there := (tile.x + dx, tile.y + dy)) not in covering) for tile in field
    )
