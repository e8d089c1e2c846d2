"""Where the two screens and their parts lie, by the size of the terminal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kimberley.client.boards.view import TALL_COLUMNS
from kimberley.client.ui.geometry import Area

COLUMNS_FROM: Final = (100, 34)
"""From this size on the card has columns, of three lines each."""
LOG_FROM: Final = 140
"""From this width on chat and log stand at the right."""
SIDE_COLUMNS: Final = 40
"""The upper screen's width where it stands at the left: in terminals over 110 columns and under 30 rows."""


HOME_ROWS: Final = 6
"""The rows of both homes above the map, on a phone."""
TALL_ROWS: Final = 7 + HOME_ROWS + 17 + 7
"""The rows of balances, homes, map and card, one below the other."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The parts of both screens. `side`: the upper screen stands left of the map; `columns`: the card has columns."""

    width: int
    height: int
    side: bool
    columns: bool
    upper: Area
    balances: Area
    card: Area
    strip: Area
    board: Area
    log: Area | None


def layout(width: int, height: int) -> Layout:
    """Returns the parts for a terminal of at least 80 by 24."""
    if width > 110 and height < 30:
        upper = Area(0, 1, SIDE_COLUMNS, height - 2)
        strip = Area(0, 8, SIDE_COLUMNS, 4)
        card = Area(0, 13, SIDE_COLUMNS, height - 14)
        board = Area(SIDE_COLUMNS, 1, width - SIDE_COLUMNS, height - 2)
        return Layout(width, height, True, False, upper, Area(0, 1, SIDE_COLUMNS, 7), card, strip, board, None)
    columns = width >= COLUMNS_FROM[0] and height >= COLUMNS_FROM[1]
    card_rows = 5 if columns else 2
    top = 1 + 2 + card_rows + 1
    aside = 36 if width >= LOG_FROM else 0
    log = Area(width - aside, top, aside, height - 1 - top) if aside else None
    return Layout(
        width=width,
        height=height,
        side=False,
        columns=columns,
        upper=Area(0, 1, width, top - 1),
        balances=Area(0, 1, width, 2),
        card=Area(0, 3, width, card_rows),
        strip=Area(0, top - 1, width, 1),
        board=Area(0, top, width - aside, height - 1 - top),
        log=log,
    )


def tall_layout() -> Layout:
    """Returns the parts for a phone, one below the other: both balances, the map in parts, and the card."""
    width, top = TALL_COLUMNS, 7
    below = TALL_ROWS - 7
    card = Area(0, below, width, 7)
    board = Area(0, top, width, below - top)
    nothing = Area(0, 0, width, 0)
    return Layout(width, TALL_ROWS, True, False, nothing, Area(0, 0, width, top), card, nothing, board, None)
