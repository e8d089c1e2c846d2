"""The board on a portrait screen: the map, beside it what it can show, below it the sector, then text and the price
that is being set.
"""

from __future__ import annotations

import re
from typing import Final

from kimberley.client.boards.land.overview import (
    MODES,
    PORTRAIT_CELLS,
    Overview,
    draw_legend_column,
    draw_overview,
    scale_for,
)
from kimberley.client.boards.land.picture import Picture, Stepper, draw_log, explained
from kimberley.client.boards.land.sector import SectorView, about, cells, draw_parcels, draw_title, legend
from kimberley.client.ui.bars import whole_sentences
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import cell_width, truncate, wrap
from kimberley.client.ui.palette import Color
from kimberley.client.ui.spans import Span, Spans, draw_lines, text_lines
from kimberley.client.ui.touch import TOUCH_ROWS, touch_button
from kimberley.games.land.maps import SECTOR

BESIDE: Final = 13
"""Columns beside the map."""
MAP_X: Final = 2
MAP_Y: Final = 1
"""The map begins here, after the numbers of its sectors."""
SECTOR_ROWS: Final = 11
"""The minimum of rows for the sector in play."""
SPARE: Final = 5
"""The rows for text, and for the price."""
MODE_ROWS: Final = 2
LOGGED_FROM: Final = 4
"""From this many rows on, the latest events are listed."""
PLACES: Final = (4, 3, 2, 1, 0)
"""The digits of a price, from hundreds of K: powers of ten in cents."""
DIGIT_ROOM: Final = 4
EXACT: Final = re.compile(r"\d{1,3}\.\d\d")


def draw_body(canvas: Canvas, picture: Picture, note: str) -> None:
    """Draws all but the ledger. Touching a sector of the map is ("sector", row, column)."""
    side = picture.map.side
    rows = canvas.height - SECTOR_ROWS - SPARE - MAP_Y - 1
    scale = scale_for(side, canvas.width - MAP_X - BESIDE, rows, PORTRAIT_CELLS)
    overview = Overview(
        scale, picture.plots, picture.mode, picture.sector, picture.looked, picture.cursor, picture.lit
    )  # fmt: skip
    below, beside = MAP_Y + scale.rows, MAP_X + scale.columns + 1
    _draw_map(canvas.region(0, 0, beside, below), overview)
    _draw_beside(canvas.region(beside, 0, canvas.width - beside, below), picture, overview)
    view = picture.sector_view
    noted = canvas.right(canvas.width - 1, below, note, "soft")
    draw_title(canvas, 1, below, view, noted - 2)
    size = cells(canvas.width, max(SECTOR_ROWS, canvas.height - below - 1 - SPARE))
    draw_parcels(canvas, (canvas.width - SECTOR * (size.wide + 1) + 1) // 2, below + 1, view, size)
    top = below + 1 + size.rows
    _draw_card(canvas.region(1, top, canvas.width - 2, canvas.height - top), picture, view)


def _draw_map(canvas: Canvas, view: Overview) -> None:
    draw_overview(canvas, MAP_X, MAP_Y, view)
    wide, high = SECTOR * view.scale.wide, SECTOR * view.scale.half // 2
    for row in range(view.scale.side // SECTOR):
        for column in range(view.scale.side // SECTOR):
            canvas.hit(MAP_X + column * wide, MAP_Y + row * high, wide, high, ("sector", row, column))


def _draw_beside(canvas: Canvas, picture: Picture, view: Overview) -> None:
    """Draws tabs for what the map can show, what its colors mean, and buttons that have no room at the bottom."""
    wide = canvas.width // 2
    for number, mode in enumerate(MODES):
        x, y = number % 2 * (wide + 1), number // 2 * MODE_ROWS
        here = mode == picture.mode
        canvas.fill(x, y, wide, MODE_ROWS - 1, "paper" if here else "raised")
        canvas.center(x, y, wide, mode, "ink" if here else "soft", bold=here)
        canvas.hit(x, y, wide, MODE_ROWS, ("mode", mode))
    legend = MODE_ROWS * 2
    bottom = canvas.height - (TOUCH_ROWS if picture.buttons else 0)
    draw_legend_column(canvas.region(0, legend, canvas.width, bottom - legend), view)
    for number, (label, key, *_) in enumerate(picture.buttons):
        touch_button(canvas, number * (wide + 1), bottom, wide, label, f"key:{key}")


# -- the card ----------------------------------------------------------------------------------------------------------


def _draw_card(canvas: Canvas, picture: Picture, view: SectorView) -> None:
    """Draws what there is to say, and in the player's own turn the price of the parcel."""
    if picture.stepper is None and picture.cursor is None and picture.log and canvas.height >= LOGGED_FROM:
        draw_log(canvas, picture)
        return
    least = canvas.height - (TOUCH_ROWS if picture.stepper is not None else 0)
    lines = _card_lines(picture, view, canvas.width, least)
    rows = max(least, min(len(lines), least + 1)) if picture.stepper is not None else least
    draw_lines(canvas, 0, 0, lines[:rows])
    if picture.stepper is not None:
        _draw_stepper(canvas.region(0, rows, canvas.width, canvas.height - rows), picture.stepper)


def _card_lines(picture: Picture, view: SectorView, room: int, rows: int) -> list[Spans]:
    """Returns what the last key did; else what there is to say about parcel and draft, or what happened last."""
    text, fg = picture.message
    while len(wrap(text, room)) > rows + 1 and (shorter := whole_sentences(text, cell_width(text) - 1)):
        text = shorter
    done = fg in ("ok", "warning")
    message_lines = text_lines(text, room, fg, bold=done)
    if done:
        return message_lines
    if picture.cursor is None:
        # The strip tells what happened last.
        account = text_lines(explained(picture.ledger, picture.openings), room)
        return next((lines for lines in ([*account, *message_lines], account) if len(lines) <= rows), message_lines)
    more: list[Spans] = [(Span(truncate(picture.drafted, room), "ok", True),)] if picture.drafted else message_lines
    short, *full = about(view, picture.cursor)
    lines = text_lines(" ".join(full), room)
    if len(lines) + len(more) > rows:
        lines = [(Span(short, "soft"),)]
    if len(lines) + len(more) < rows and (meaning := legend(view, picture.cursor)):
        lines.append((Span(meaning, "soft"),))
    return lines + more


def _draw_stepper(canvas: Canvas, stepper: Stepper) -> None:
    """Draws the price with large arrows at its sides; a touch on a digit makes it one higher."""
    value = DIGIT_ROOM * len(PLACES)
    done = canvas.width // 6
    arrow = (canvas.width - value - done - 1) // 2
    touch_button(canvas, 0, 0, arrow, "◂", ("step", -1), fill="line", rows=canvas.height)
    _draw_value(canvas.region(arrow, 0, value, canvas.height), stepper)
    touch_button(canvas, arrow + value, 0, arrow, "▸", ("step", 1), fill="line", rows=canvas.height)
    touch_button(
        canvas, canvas.width - done, 0, done, "✓", "key:enter", fill="ok" if stepper.typed else None, rows=canvas.height
    )


def _draw_value(canvas: Canvas, stepper: Stepper) -> None:
    canvas.fill(0, 0, canvas.width, canvas.height, "paper")
    middle = (canvas.height - 1) // 2
    fg: Color = "ink" if stepper.typed else "faded"
    if canvas.height == TOUCH_ROWS:
        canvas.center(0, TOUCH_ROWS - 1, canvas.width, f"price of {stepper.of}", "faded")
    if not EXACT.fullmatch(stepper.text):
        canvas.center(0, middle, canvas.width, stepper.text, fg, bold=stepper.typed)
    else:
        digits = stepper.text.replace(".", "").rjust(len(PLACES))
        for number, digit in enumerate(digits):
            canvas.put(number * DIGIT_ROOM + 1, middle, digit, fg, bold=stepper.typed)
            if middle:
                canvas.put(number * DIGIT_ROOM + 1, 0, "▴", "faded")
        canvas.put((len(PLACES) - 2) * DIGIT_ROOM - 1, middle, ".", fg, bold=stepper.typed)
    for number, place in enumerate(PLACES):
        canvas.hit(number * DIGIT_ROOM, 0, DIGIT_ROOM, canvas.height, ("digit", place))
