"""Where everything lies on a terminal: the sector with its card and its buttons, beside it the map and the players."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from kimberley.client.boards.land.overview import MapScale, scale_for
from kimberley.client.ui.geometry import Area
from kimberley.games.land.maps import SECTOR

TOP: Final = 2
"""Below the title bar and the phase strip."""
LEAST_SECTOR: Final = 51
"""The sector's minimum of columns: the buttons below it take that many."""
BUTTON_ROWS: Final = 3
CARD_ROWS: Final = 2
ROOMY_CARD_ROWS: Final = 4
ROOMY: Final = 30
"""From this many rows on, the card has room for full sentences."""
LEAST_LOG: Final = 2
WHOLE_LOG: Final = 6
"""The minimum of rows for a log, and for one that is enough by itself."""
SQUARES: Final = ((1, 1), (2, 2), (4, 4), (6, 6), (8, 8))
"""Sizes of a parcel on the map, columns by half rows: all of them square."""


class Cells(NamedTuple):
    """Columns and rows of each parcel of a sector. One column and `gap` rows lie between two of them."""

    wide: int
    high: int
    gap: int = 0

    @property
    def columns(self) -> int:
        return SECTOR * (self.wide + 1) - 1

    @property
    def rows(self) -> int:
        return SECTOR * (self.high + self.gap) - self.gap


class Layout(NamedTuple):
    """The sector lies at (1, TOP). `map` is the area of the parcels alone; `heading` is the row that names the sector,
    two rows above it. `log` is None where there is no room for it beside the players.
    """

    cells: Cells
    card: Area
    buttons: int
    heading: Area
    scale: MapScale
    map: Area
    players: Area
    log: Area | None

    @property
    def logs(self) -> bool:
        """Returns whether the log always stands beside the sector; else it takes the place of the buttons while there
        are none.
        """
        return self.log is not None and self.log.height >= WHOLE_LOG


@lru_cache(maxsize=16)
def layout(width: int, height: int, side: int, seats: int) -> Layout:
    """Returns the layout for a terminal of `width` by `height` cells, at least 80 by 24."""
    bottom = height - 1
    rows = bottom - TOP
    scale = scale_for(side, width - LEAST_SECTOR - 5, rows - seats - 3, SQUARES)
    # The map has its numbers at the left, and a column for the frame of a sector at either side.
    beside = width - scale.columns - 3
    card = ROOMY_CARD_ROWS if height >= ROOMY else CARD_ROWS
    wide = (beside - 2 - SECTOR + 1) // SECTOR
    cells = Cells(wide, min(wide // 2, (rows - BUTTON_ROWS - card) // SECTOR))
    below = TOP + cells.rows
    buttons = bottom - BUTTON_ROWS
    map = Area(beside + 2, TOP + 2, scale.columns, scale.rows)
    players = Area(beside, map.bottom, width - beside, seats + 1)
    gap = int(bottom - players.bottom > WHOLE_LOG // 2)
    rest = Area(beside, players.bottom + gap, width - beside - 1, bottom - players.bottom - gap)
    return Layout(
        cells,
        Area(1, below, cells.columns, buttons - below),
        buttons,
        Area(beside, TOP, width - beside, 1),
        scale,
        map,
        players,
        rest if rest.height >= LEAST_LOG else None,
    )
