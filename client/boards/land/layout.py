"""Where everything lies on a terminal: the map, the panel of the sector beside it, the ledger below, and the notes."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from kimberley.client.boards.land.overview import MapScale, scale_for
from kimberley.client.ui.geometry import Area

MAP_X: Final = 3
MAP_Y: Final = 4
"""Above the map: title bar, phase strip, legend, sector numbers."""
IN_A_ROW: Final = 3
"""Seats in a column of the ledger where there is little room."""
NARROW: Final = 30
"""A panel of so many columns and less needs all of them, and keeps its margin by standing closer to the map."""


class Layout(NamedTuple):
    """`tabs` is the row below the map. The ledger has its headings in its first row, and two columns where `paired`.

    `notes` may have no rows: then the panel has what they would say. `log` stands beside a panel that is very wide.
    """

    scale: MapScale
    tabs: int
    panel: Area
    ledger: Area
    paired: bool
    notes: Area
    log: Area | None


@lru_cache(maxsize=16)
def layout(width: int, height: int, side: int, seats: int) -> Layout:
    """The layout for a terminal of so many columns and rows, at least 80 by 24."""
    big = width >= 100 and height >= 34
    least = 27 if not big else 23 if width < 110 else 34 if width < 130 else 40
    notes = 0 if big else 2
    fixed = MAP_Y + 1 + 1 + IN_A_ROW + 1
    scale = scale_for(side, width - MAP_X - 2 - least, height - fixed - notes)
    spare = height - fixed - notes - scale.rows
    if not notes and spare >= 2:
        notes, spare = 2, spare - 2
    rows = IN_A_ROW
    if seats > IN_A_ROW and spare >= seats - IN_A_ROW:
        rows, spare = seats, spare - seats + IN_A_ROW
    left = MAP_X + scale.columns
    tabs = MAP_Y + scale.rows
    # Where there is room the panel goes down to the keys; else the ledger has all of the width.
    panel = Area(left + 2, 2, width - left - 2, height - 3 if big else tabs - 1)
    if panel.width <= NARROW:
        panel = panel._replace(left=panel.left - 1)
    log = None
    if panel.width >= 64:
        room = max(28, panel.width - 2 - min(60, panel.width // 2))
        log = Area(panel.right - room, panel.top, room, panel.height)
        panel = panel._replace(width=panel.width - room - 2)
    wide = left if big else width
    ledger = Area(0, tabs + 1, wide, rows + 1)
    below = ledger.bottom
    return Layout(
        scale, tabs, panel, ledger, seats > rows, Area(0, below, wide, height - 1 - below if notes else 0), log
    )
