"""Where the two screens and their parts lie, by the size of the terminal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from client.boards.diamond_trust.geography import Box

COLUMNS_FROM: Final = (100, 34)
"""From this size on the card has columns, of three lines each."""
LOG_FROM: Final = 140
"""From this width on chat and log stand at the right."""
SIDE_COLUMNS: Final = 40
"""The upper screen's width where it stands at the left: in terminals over 110 columns and under 30 rows."""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """The parts of both screens. `side`: the upper screen stands left of the map; `columns`: the card has columns."""

    width: int
    height: int
    side: bool
    columns: bool
    upper: Box
    balances: Box
    card: Box
    strip: Box
    board: Box
    log: Box | None


def arrange(width: int, height: int) -> Arrangement:
    """The parts for a terminal of at least 80 by 24."""
    if width > 110 and height < 30:
        upper = Box(0, 1, SIDE_COLUMNS, height - 2)
        strip = Box(0, 8, SIDE_COLUMNS, 4)
        card = Box(0, 13, SIDE_COLUMNS, height - 14)
        board = Box(SIDE_COLUMNS, 1, width - SIDE_COLUMNS, height - 2)
        return Arrangement(width, height, True, False, upper, Box(0, 1, SIDE_COLUMNS, 7), card, strip, board, None)
    columns = width >= COLUMNS_FROM[0] and height >= COLUMNS_FROM[1]
    card_rows = 5 if columns else 2
    top = 1 + 2 + card_rows + 1
    aside = 36 if width >= LOG_FROM else 0
    log = Box(width - aside, top, aside, height - 1 - top) if aside else None
    return Arrangement(
        width=width,
        height=height,
        side=False,
        columns=columns,
        upper=Box(0, 1, width, top - 1),
        balances=Box(0, 1, width, 2),
        card=Box(0, 3, width, card_rows),
        strip=Box(0, top - 1, width, 1),
        board=Box(0, top, width - aside, height - 1 - top),
        log=log,
    )
