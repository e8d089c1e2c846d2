"""The map: what every parcel is, where the river runs, and how a map is read, checked and found.

A map is a square of parcels in sectors of 4 by 4: 24 by 24 in 36 sectors, or 12 by 12 in 9. As text it is a title line
and a line of letters for each row, from the north:

    title: Two Rivers
    D D F F R R ...

D is desert, F farmland, C a coal field, P a diamond field, R river. Lines that start with # are comments.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Final

from kimberley.games.phrases import join_names

RIVER: Final = "R"
LAND: Final = "DFCP"
KIND_NAMES: Final = {
    "D": "desert",
    "F": "farmland",
    "C": "coal field",
    "P": "diamond field",
    RIVER: "river",
}
BASE: Final = {"D": 1, "F": 5, "C": 20, "P": 100}
"""Base prices in K."""
BASE_CENTS: Final = {kind: base * 100 for kind, base in BASE.items()}
SECTOR: Final = 4
"""Parcels along an edge of a sector."""
SIDES: Final = (24, 12)
FACES: Final = 6
LEAST_LAND: Final = 4
"""The fewest parcels of land in a sector."""
COLUMNS: Final = "abcdefghijklmnopqrstuvwx"
SHIPPED: Final = ("kimberley", "small")

_NAME: Final = re.compile(r"([a-x])([1-9]|1\d|2[0-4])", re.ASCII)


class MapError(ValueError):
    """What is wrong with a map, and where."""


@dataclass(frozen=True)
class Map:
    """What every parcel is: `kinds` holds one letter for each, row by row from the north-west corner.

    A parcel is its place in `kinds`: row * side + column.
    """

    title: str
    side: int
    kinds: str

    @property
    def sectors(self) -> int:
        """The number of sectors along an edge."""
        return self.side // SECTOR

    @cached_property
    def neighbors(self) -> tuple[tuple[int, ...], ...]:
        """The parcels that share an edge with each parcel, river included."""
        return _neighbors(self.side)

    @cached_property
    def banks(self) -> frozenset[int]:
        """The parcels of land beside the river."""
        return frozenset(
            parcel
            for parcel, kind in enumerate(self.kinds)
            if kind != RIVER and any(self.kinds[beside] == RIVER for beside in self.neighbors[parcel])
        )

    def kind(self, parcel: int) -> str:
        """Returns the letter of what a parcel is."""
        return self.kinds[parcel]

    def base(self, parcel: int) -> int:
        """Returns the base price of a parcel in cents, 0 for river."""
        return self.bases[parcel]

    @cached_property
    def bases(self) -> tuple[int, ...]:
        """The base prices of all parcels in cents."""
        return tuple(BASE_CENTS.get(kind, 0) for kind in self.kinds)

    def is_land(self, parcel: object) -> bool:
        """Returns whether this is a parcel that can be owned; False for any other data."""
        return type(parcel) is int and 0 <= parcel < len(self.kinds) and self.kinds[parcel] != RIVER

    # -- sectors -----------------------------------------------------------------------------------------------------

    def sector_of(self, parcel: int) -> tuple[int, int]:
        """Returns row and column of the sector in which a parcel lies, from 0 at the north-west."""
        row, column = divmod(parcel, self.side)
        return row // SECTOR, column // SECTOR

    def corner(self, row: int, column: int) -> tuple[int, int]:
        """Returns row and column of the north-west parcel of a sector."""
        return row * SECTOR, column * SECTOR

    def parcels(self, row: int, column: int) -> tuple[int, ...]:
        """Returns the land in a sector, row by row."""
        return self._sectors[row * self.sectors + column]

    @cached_property
    def _sectors(self) -> tuple[tuple[int, ...], ...]:
        sectors: list[list[int]] = [[] for _ in range(self.sectors**2)]
        for parcel, kind in enumerate(self.kinds):
            if kind != RIVER:
                row, column = self.sector_of(parcel)
                sectors[row * self.sectors + column].append(parcel)
        return tuple(map(tuple, sectors))

    def rolled(self, black: int, white: int) -> tuple[int, int]:
        """Returns the sector that two dice name, faces from 0: the black one its row, the white one its column.

        Where there are fewer sectors than faces, neighboring faces name the same one.
        """
        return black * self.sectors // FACES, white * self.sectors // FACES

    # -- names -------------------------------------------------------------------------------------------------------

    def name(self, parcel: int) -> str:
        """Returns a parcel in writing: its column from the west as a letter, its row from the north as a number."""
        row, column = divmod(parcel, self.side)
        return f"{COLUMNS[column]}{row + 1}"

    def parcel(self, name: str) -> int:
        """Returns the parcel of that name. Raises ValueError with a sentence."""
        match = _NAME.fullmatch(name)
        column, row = (COLUMNS.index(match[1]), int(match[2]) - 1) if match else (self.side, 0)
        if column >= self.side or row >= self.side:
            last = f"{COLUMNS[self.side - 1]}{self.side}"
            raise ValueError(f"{name!r} is not a parcel on this map: parcels go from a1 in the northwest to {last}")
        return row * self.side + column


@cache
def _neighbors(side: int) -> tuple[tuple[int, ...], ...]:
    return tuple(
        tuple(
            (row + down) * side + column + right
            for down, right in ((-1, 0), (0, -1), (0, 1), (1, 0))
            if 0 <= row + down < side and 0 <= column + right < side
        )
        for row in range(side)
        for column in range(side)
    )


# -- what makes a map good ---------------------------------------------------------------------------------------------


def check(map: Map) -> Map:
    """Returns the map, if it can be played on. Raises MapError otherwise.

    The river is one piece, runs from one edge of the map to the opposite one, and so has land on both its sides; every
    sector has some land, and every kind of land is there.
    """
    _check_size(map)
    rivers = [parcel for parcel, kind in enumerate(map.kinds) if kind == RIVER]
    if not rivers:
        raise MapError("there is no river, so no land can ever earn anything")
    piece = _piece(map, rivers[0])
    apart = next((parcel for parcel in rivers if parcel not in piece), None)
    if apart is not None:
        raise MapError(
            f"the river is in pieces: {map.name(apart)} is not connected to {map.name(rivers[0])}; "
            "river squares connect edge to edge"
        )
    rows, columns = {parcel // map.side for parcel in rivers}, {parcel % map.side for parcel in rivers}
    if not any({0, map.side - 1} <= lines for lines in (rows, columns)):
        raise MapError("the river does not cross the map: it must reach two opposite edges")
    for number, land in enumerate(map._sectors):
        if len(land) < LEAST_LAND:
            row, column = divmod(number, map.sectors)
            raise MapError(
                f"sector {row + 1},{column + 1} has {len(land)} parcels of land; it needs at least {LEAST_LAND}"
            )
    for kind in LAND:
        if kind not in map.kinds:
            raise MapError(f"there is no {KIND_NAMES[kind]} ({kind}) on the map")
    return map


def _check_size(map: Map) -> None:
    if map.side not in SIDES or len(map.kinds) != map.side**2:
        raise MapError("a map has 24 rows of 24 parcels, or 12 rows of 12")
    for parcel, kind in enumerate(map.kinds):
        if kind not in KIND_NAMES:
            raise MapError(f"{kind!r} at {map.name(parcel)} is not a kind of parcel: write {', '.join(KIND_NAMES)}")


def _piece(map: Map, start: int) -> set[int]:
    """Returns the river squares connected to one of them."""
    squares, edge = {start}, [start]
    while edge:
        for beside in map.neighbors[edge.pop()]:
            if map.kinds[beside] == RIVER and beside not in squares:
                squares.add(beside)
                edge.append(beside)
    return squares


# -- maps as text ------------------------------------------------------------------------------------------------------


def read_map(text: str) -> Map:
    """Returns the map that a text holds. Raises MapError, with the line where one can be named."""
    title = ""
    rows: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if words[0] == "title:":
            title = " ".join(words[1:])
            continue
        row = "".join(words)
        strange = next((letter for letter in row if letter not in KIND_NAMES), None)
        if strange is not None:
            raise MapError(f"line {number}: {strange!r} is not a kind of parcel: write {', '.join(KIND_NAMES)}")
        if rows and len(row) != len(rows[0]):
            raise MapError(f"line {number}: {len(row)} parcels, but the rows above have {len(rows[0])}")
        rows.append(row)
    if not title:
        raise MapError("the map has no title: begin with a line like 'title: Two Rivers'")
    if len(rows) not in SIDES or len(rows[0]) != len(rows):
        size = f"{len(rows)} rows of {len(rows[0])}" if rows else "no rows"
        raise MapError(f"a map has 24 rows of 24 parcels, or 12 rows of 12; this one has {size}")
    return check(Map(title, len(rows), "".join(rows)))


@cache
def shipped(name: str) -> Map:
    """Returns a map that comes with the game: "kimberley" or "small". Raises MapError."""
    if name not in SHIPPED:
        raise MapError(f"no map called {name!r}; available: {join_names(list(SHIPPED))}")
    return read_map((files("kimberley.games.land") / "charts" / f"{name}.txt").read_text(encoding="utf-8"))
