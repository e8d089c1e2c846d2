"""Where things lie on the map: our own drawing of Angola, and the places for names, agents and tags.

The drawing (angola.json) has six polygons in a box of 100 by 100 units that share their edges. The board is a grid of
cells, two square pixels to a cell, the upper and the lower one. `MapPlaces` says where on a board of a given size
everything is written: chosen by hand for two sizes, and interpolated for the others.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Final, TypeAlias

from kimberley.client.ui.geometry import Area
from kimberley.games.diamond_trust.angola import HOME, REGIONS

Point: TypeAlias = tuple[float, float]

SMALL: Final = (80, 17)
LARGE: Final = (120, 30)
"""The boards (columns, rows) for which places are chosen by hand: of a terminal of 80x24 and of 120x40."""

BADGE_ROOM: Final = 4
"""The columns of an agent's badge with its heart, and of the Inspector's."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """The polygons of the map, in units of its box."""

    regions: tuple[tuple[Point, ...], ...]
    edges: tuple[tuple[Point, ...], ...]
    coast: tuple[Point, ...]


@cache
def angola() -> Drawing:
    """Returns the drawing of Angola, read once."""
    data = json.loads(files(__package__).joinpath("angola.json").read_text("utf-8"))

    def line(points: list[list[float]]) -> tuple[Point, ...]:
        return tuple((x, y) for x, y in points)

    return Drawing(
        regions=tuple(line(data["regions"][name]) for name in REGIONS),
        edges=tuple(line(points) for points in data["edges"].values()),
        coast=line(data["coast"]),
    )


LONDON_LAND: Final[tuple[Point, ...]] = (
    (0, 0), (64, 0), (68, 14), (72, 30), (75, 40), (95, 43), (99, 56), (96, 70), (87, 80), (81, 100), (0, 100),
)  # fmt: skip
ANTWERP_LAND: Final[tuple[Point, ...]] = (
    (3, 0), (5, 26), (11, 44), (20, 60), (33, 77), (46, 100), (100, 100), (100, 0),
)  # fmt: skip
"""The coasts in the two insets, in percent of the inset."""


@dataclass(frozen=True, slots=True)
class CellSpot:
    """A cell of the board."""

    column: int
    row: int


@dataclass(frozen=True, slots=True)
class Region:
    """Where a region's things are written.

    `name` and `stock` (the plate with its diamonds) by their first cells; `slots` the badges of London's agent, of
    Antwerp's and of the Inspector, by their first cells; `tags` where plans that find their slot taken are noted, for
    London and for Antwerp.
    """

    name: CellSpot
    stock: CellSpot
    slots: tuple[CellSpot, CellSpot, CellSpot]
    tags: tuple[CellSpot, CellSpot]


@dataclass(frozen=True, slots=True)
class MapPlaces:
    """The layout of one size of board. `scale` and `origin` place the box of the drawing, in pixels."""

    width: int
    height: int
    legs: bool
    scale: Point
    origin: Point
    regions: tuple[Region, ...]
    insets: tuple[Area, Area]
    homes: tuple[tuple[CellSpot, CellSpot, CellSpot], tuple[CellSpot, CellSpot, CellSpot]]
    atlantic: CellSpot
    dock: Area
    legend: CellSpot
    buttons: tuple[Area, ...] = ()
    """Where the buttons at the lower right may lie."""

    @property
    def signs(self) -> list[Area]:
        """Where the names of the regions, their diamonds and the vaults are written."""
        names = [
            Area(region.name.column - 1, region.name.row, len(name) + 2, 1)
            for name, region in zip(REGIONS, self.regions, strict=True)
        ]
        stocks = [Area(region.stock.column, region.stock.row, 4, 1) for region in self.regions]
        return [*names, *stocks, *(Area(inset.right - 7, inset.bottom - 1, 6, 1) for inset in self.insets)]

    def slot(self, seat: int, agent: int, place: int) -> CellSpot:
        """Returns where the badge of an agent stands in a region, or at HOME."""
        return self.homes[seat][agent] if place == HOME else self.regions[place].slots[seat]

    def pixel(self, point: Point) -> Point:
        """Returns where a point of the drawing lies, in pixels (a cell is one wide and two high)."""
        return self.origin[0] + point[0] * self.scale[0], self.origin[1] + point[1] * self.scale[1]


# Each line: name; the badges of London, of Antwerp and of the Inspector; the tags of both. On the small board, then on
# the large one.
_BY_HAND: Final = (
    (((20, 1), (21, 3), (27, 3), (32, 3), (21, 4), (28, 4)), ((31, 2), (32, 6), (39, 6), (46, 6), (32, 8), (39, 8))),
    (((44, 4), (46, 6), (51, 6), (56, 6), (46, 7), (53, 7)), ((76, 5), (66, 9), (73, 9), (80, 9), (66, 11), (75, 11))),
    (((31, 6), (31, 8), (36, 8), (41, 8), (31, 9), (38, 9)),
     ((44, 10), (44, 14), (51, 14), (58, 14), (44, 16), (53, 16))),
    (((49, 8), (46, 10), (51, 10), (56, 10), (46, 11), (55, 11)),
     ((77, 15), (70, 19), (77, 19), (85, 19), (70, 21), (80, 21))),
    (((20, 11), (20, 13), (25, 13), (30, 13), (20, 14), (28, 14)),
     ((29, 20), (31, 24), (38, 24), (45, 24), (31, 26), (40, 26))),
    (((40, 12), (46, 14), (51, 14), (56, 14), (44, 15), (53, 15)),
     ((60, 23), (62, 26), (69, 26), (76, 26), (62, 28), (71, 28))),
)  # fmt: skip
WIDEST_UPRIGHT: Final = 64
"""The most columns of the board on a phone held upright. The narrowest of the others has 71."""
_UPRIGHT: Final = (40, 18)
"""The board (columns, rows) of a phone held upright, for which places are chosen by hand as well."""
_UPRIGHT_BY_HAND: Final = ((8, 5, 8), (24, 6, 23), (12, 9, 12), (25, 10.4, 25), (6, 13, 6), (20, 14, 20))
"""The name of each region by column and row, and the column of its first badge, two rows below."""
_UPRIGHT_INSET: Final = (15, 5)
_ATLANTIC: Final = ((3, 13), (5, 22))
_DOCK: Final = (((0, 6), (20, 5)), ((2, 11), (24, 5)))
_LEGEND: Final = ((1, 13), (3, 26))


def _between(small: float, large: float, share: float) -> int:
    return round(small + (large - small) * share)


def _apart(spot: CellSpot, before: CellSpot) -> CellSpot:
    """Returns a badge's place, with room for a badge with a heart and a cell of the map between it and `before`."""
    return replace(spot, column=max(spot.column, before.column + BADGE_ROOM + 1))


@cache
def places(width: int, height: int) -> MapPlaces:
    """Returns the layout of a board of `width` by `height` cells: about 80 by 17, or 40 by 17 on an upright phone."""
    if width <= WIDEST_UPRIGHT:
        return _upright_places(width, height)
    across = (width - SMALL[0]) / (LARGE[0] - SMALL[0])
    down = (height - SMALL[1]) / (LARGE[1] - SMALL[1])

    def spot(pair: tuple[Point, Point]) -> CellSpot:
        (x0, y0), (x1, y1) = pair
        return CellSpot(_between(x0, x1, across), _between(y0, y1, down))

    legs = height >= 23
    regions = []
    for region, (small, large) in zip(REGIONS, _BY_HAND, strict=True):
        name, *rest = (spot(pair) for pair in zip(small, large, strict=True))
        # The plate follows the name where it fits; the longest name has it below on narrow boards.
        narrow = width < 100 and len(region) > 10
        stock = CellSpot(name.column + 1, name.row + 2) if narrow else CellSpot(name.column + len(region) + 1, name.row)
        below = rest[0].row + (2 if legs else 1)
        tags = tuple(CellSpot(tag.column, max(tag.row, below)) for tag in rest[3:])
        first, second = rest[0], _apart(rest[1], rest[0])
        regions.append(Region(name, stock, (first, second, _apart(rest[2], second)), (tags[0], tags[1])))
    inset_width = min(_between(15, 21, across), 27)
    inset_height = min(_between(6, 9, down), 12)
    insets = (Area(0, 0, inset_width, inset_height), Area(width - inset_width, 0, inset_width, inset_height))
    badge_row = inset_height - (4 if legs else 3)
    step = 4 if inset_width < 18 else 5
    start = (inset_width - 2 * step - 3) // 2
    homes = tuple(
        tuple(CellSpot(inset.left + max(start, 2) + index * step, badge_row) for index in range(3)) for inset in insets
    )
    left = _between(16, 22, across) + (0.5 if across > 0.5 else 0)
    right = _between(71, 104, across)
    docked = (spot((_DOCK[0][0], _DOCK[1][0])), _between(_DOCK[0][1][0], _DOCK[1][1][0], min(max(across, 0.0), 1.0)))
    return MapPlaces(
        width=width,
        height=height,
        legs=legs,
        scale=((right - left) / 100, (2 * height - 3) / 100),
        origin=(left, 1.0 if down < 0.5 else 1.5),
        regions=tuple(regions),
        insets=insets,
        homes=homes,  # type: ignore[arg-type]
        atlantic=spot(_ATLANTIC),
        dock=Area(docked[0].column, max(docked[0].row, inset_height), docked[1], 5),
        legend=spot(_LEGEND),
        buttons=(Area(width - 18, height - 4, 18, 4), Area(width - 11, height - 8, 11, 8)),
    )


def _upright_places(width: int, height: int) -> MapPlaces:
    """Returns the layout for a phone held upright: both homes side by side, Angola below over the whole width."""
    inset_width, top = _UPRIGHT_INSET
    across, down = width / _UPRIGHT[0], (height - top) / (_UPRIGHT[1] - top)

    def spot(column: float, row: float) -> CellSpot:
        return CellSpot(int(column * across), top + round((row - top) * down))

    regions = []
    for region, (column, row, badges) in zip(REGIONS, _UPRIGHT_BY_HAND, strict=True):
        name = spot(column, row)
        first = replace(spot(badges, row), row=name.row + 2)
        second = replace(first, column=first.column + BADGE_ROOM)
        slots = (first, second, _apart(second, second))
        tags = tuple(replace(first, column=first.column + shift, row=first.row + 1) for shift in (0, BADGE_ROOM))
        stock = replace(name, column=name.column + len(region) + 1)
        regions.append(Region(name, stock, slots, (tags[0], tags[1])))
    insets = (Area(0, 0, inset_width, top), Area(width - inset_width, 0, inset_width, top))
    homes = tuple(tuple(CellSpot(inset.left + 2 + BADGE_ROOM * slot, 2) for slot in range(3)) for inset in insets)
    return MapPlaces(
        width=width,
        height=height,
        legs=False,
        scale=((width - 4.5) / 100, 2 * (height - top) / 100),
        origin=(3.5, 2 * top - 1.5),
        regions=tuple(regions),
        insets=insets,
        homes=homes,  # type: ignore[arg-type]
        atlantic=spot(0, 10),
        dock=Area(0, top, 0, 0),
        legend=spot(0, 11),
    )
