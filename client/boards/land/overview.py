"""The whole property at once: every parcel with its type, owner, price class or connection, and the river in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, NamedTuple

from kimberley.client.boards.land.parcel_style import (
    CLASS_WORDS,
    INKS,
    KINDS,
    LANDS,
    SIGNS,
    WORDS,
    Plot,
    ink_on,
    letter,
    light,
    mark,
    price_class,
    short_price,
)
from kimberley.client.ui import pixels
from kimberley.client.ui.bars import first_fitting
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import wrap
from kimberley.client.ui.palette import Color, Depth, Dimmed, Palette
from kimberley.client.ui.panels import paragraph
from kimberley.games.land.maps import RIVER, SECTOR

MODES: Final = ("owner", "type", "price", "river")

CELLS: Final = ((2, 1), (3, 2), (4, 2), (5, 2), (6, 2), (6, 4), (8, 4))
"""Sizes of a parcel that are tried, the largest last: columns by half rows."""
PORTRAIT_CELLS: Final = ((1, 1), (2, 1), (2, 2), *CELLS[1:])
"""Those on a portrait screen."""


class MapScale(NamedTuple):
    """How large a map is drawn: parcels along its side, columns and half rows of each."""

    side: int
    wide: int
    half: int

    @property
    def columns(self) -> int:
        return self.side * self.wide

    @property
    def rows(self) -> int:
        return self.side * self.half // 2

    @property
    def tells_prices(self) -> bool:
        """Returns whether a parcel has room for its price in numbers."""
        return self.half > 1 and self.wide > 2

    def at(self, x: int, y: int) -> int:
        """Returns the parcel at a cell of the map; of two in a cell the upper one. The cell is on the map."""
        return y * 2 // self.half * self.side + x // self.wide

    def place(self, parcel: int) -> tuple[int, int]:
        """Returns the first cell of a parcel."""
        return parcel % self.side * self.wide, parcel // self.side * self.half // 2


def scale_for(side: int, columns: int, rows: int, cells: Sequence[tuple[int, int]] = CELLS) -> MapScale:
    """Returns the largest scale that fits into `columns` by `rows` cells; the smallest one if none does."""
    scales = [MapScale(side, wide, half) for wide, half in cells]
    return next((s for s in reversed(scales) if s.columns <= columns and s.rows <= rows), scales[0])


@dataclass(frozen=True, slots=True)
class Overview:
    """What the map shows. `plots` row by row.

    `sector` is the one in play, `looked` another one that is looked at (row, column); `cursor` is a parcel. `lit` are
    parcels that stand out.
    """

    scale: MapScale
    plots: tuple[Plot, ...]
    mode: str = MODES[0]
    sector: tuple[int, int] | None = None
    looked: tuple[int, int] | None = None
    cursor: int | None = None
    lit: frozenset[int] = frozenset()


# -- the map -----------------------------------------------------------------------------------------------------------


class CellStyle(NamedTuple):
    """How a parcel is drawn: the grounds of its left and right half, and its text."""

    left: Color
    right: Color
    text: str
    fg: Color
    bold: bool


def draw_overview(canvas: Canvas, x: int, y: int, view: Overview) -> None:
    """Draws the map with its top left parcel at (x, y), and the numbers of sectors above and to its left."""
    scale = view.scale
    _draw_numbers(canvas, x, y, view)
    faces = list(_cell_styles(canvas.palette, canvas.ascii_only, replace(view, cursor=None)))
    if view.cursor is not None:
        faces[view.cursor] = cell_style(canvas, view, view.cursor)
    if scale.half > 1:
        _draw_cells(canvas, x, y, view, faces)
    elif lettered(canvas) and scale.wide == 1:
        _draw_pairs(canvas, x, y, view, faces)
    elif lettered(canvas):
        for parcel, face in enumerate(faces):
            column, row = scale.place(parcel)
            below = parcel // scale.side % 2
            canvas.put(x + column + below, y + row, face.text, face.fg, face.left, bold=face.bold)
    else:
        rows = _dots(scale, faces)
        _frame(rows, view, view.looked, "ice")
        _frame(rows, view, view.sector, "paper")
        pixels.draw(canvas, x - 1, y - 1, rows)


def _draw_pairs(canvas: Canvas, x: int, y: int, view: Overview, faces: Sequence[CellStyle]) -> None:
    """Draws one letter for a parcel and the one below it: the one that says more."""
    scale = view.scale

    def weight(parcel: int) -> tuple[bool, bool, bool]:
        plot = view.plots[parcel]
        return parcel == view.cursor, plot.owned or parcel in view.lit, plot.kind == RIVER

    for upper in range(len(faces)):
        if upper // scale.side % 2 == 0:
            face = faces[max(upper, upper + scale.side, key=weight)]
            column, row = scale.place(upper)
            canvas.put(x + column, y + row, face.text, face.fg, face.left, bold=face.bold)


def lettered(canvas: Canvas) -> bool:
    """Returns whether letters stand for parcels: where half blocks or colors cannot be shown."""
    return canvas.palette.plain or canvas.ascii_only


def framed(canvas: Canvas, view: Overview) -> bool:
    """Returns whether a sector is marked by a frame: where parcels have text in them, its ground marks it instead."""
    return not lettered(canvas) and (view.mode != "price" or not view.scale.tells_prices)


def _draw_numbers(canvas: Canvas, x: int, y: int, view: Overview) -> None:
    wide, high = SECTOR * view.scale.wide, SECTOR * view.scale.half // 2
    sectors = view.scale.side // SECTOR
    # With the first column of the map: a note on that alone would seem to begin with the numbers beside it.
    canvas.mark_list(x - 2, y, 3, sectors * high, headed=False)
    for number in range(sectors):
        for place, (at, line) in enumerate((
            (x - 2, y + number * high + (high - 1) // 2),
            (x + number * wide + wide // 2 - 1, y - 1),
        )):  # fmt: skip
            here = view.sector is not None and view.sector[place] == number
            looked = view.looked is not None and view.looked[place] == number
            fg: Color = "text" if here else "ice" if looked else "soft"
            canvas.put(at, line, str(number + 1), fg, bold=here or looked)


def _dots(scale: MapScale, faces: Sequence[CellStyle]) -> list[list[Color | None]]:
    """Returns every parcel as a rectangle of half cells, with a margin of one cell around them for frames."""
    empty: list[Color | None] = [None] * (scale.columns + 2)
    rows = [list(empty), list(empty)]
    for line in range(scale.side):
        row: list[Color | None] = []
        for face in faces[line * scale.side : (line + 1) * scale.side]:
            row += [face.left] * ((scale.wide + 1) // 2) + [face.right] * (scale.wide // 2)
        rows += [[None, *row, None] for _ in range(scale.half)]
    return [*rows, list(empty), list(empty)]


def _frame(rows: list[list[Color | None]], view: Overview, sector: tuple[int, int] | None, color: Color) -> None:
    """Draws a bracket on either side of a sector, in halves of the parcels beside it, so that each of them stays
    visible. Where a parcel has no halves, draws only the corners, and not over land that somebody owns.
    """
    if sector is None:
        return
    scale = view.scale
    top, left = 2 + sector[0] * SECTOR * scale.half, 1 + sector[1] * SECTOR * scale.wide
    bottom, right = top + SECTOR * scale.half, left + SECTOR * scale.wide
    sides = range(top - 1, bottom + 1) if scale.wide > 1 else (top - 1, top, bottom - 1, bottom)
    hooks = [(row, column) for row in (top - 1, bottom) for column in (left, right - 1)]
    for row, column in [*((row, column) for row in sides for column in (left - 1, right)), *hooks]:
        line, at = (row - 2) // scale.half, (column - 1) // scale.wide
        on_map = 0 <= line < scale.side and 0 <= at < scale.side
        if scale.wide > 1 or not (on_map and view.plots[line * scale.side + at].owned):
            rows[row][column] = color


def _draw_cells(canvas: Canvas, x: int, y: int, view: Overview, faces: Sequence[CellStyle]) -> None:
    """Draws parcels at least one row high, with text in them."""
    scale = view.scale
    high = scale.half // 2
    for parcel, face in enumerate(faces):
        column, row = scale.place(parcel)
        first = (scale.wide + 1) // 2
        canvas.fill(x + column, y + row, first, high, face.left)
        canvas.fill(x + column + first, y + row, scale.wide - first, high, face.right)
        # On two grounds, text keeps to the first.
        space = (scale.wide if face.left == face.right else first) - len(face.text)
        shift = max(0, space - (scale.wide > 3)) if view.mode == "price" else space // 2
        canvas.put(x + column + shift, y + row + (high - 1) // 2, face.text, face.fg, bold=face.bold)
    if framed(canvas, view):
        _draw_bars(canvas, x, y, scale, view.looked, "ice")
        _draw_bars(canvas, x, y, scale, view.sector, "paper")


def _draw_bars(canvas: Canvas, x: int, y: int, scale: MapScale, sector: tuple[int, int] | None, color: Color) -> None:
    """Draws the bracket of `_frame` in cells, half a row longer than the sector above and below."""
    if sector is None:
        return
    high = SECTOR * scale.half // 2
    top, left = y + sector[0] * high, x + sector[1] * SECTOR * scale.wide
    right = left + SECTOR * scale.wide
    for column, hook in ((left - 1, left), (right, right - 1)):
        canvas.fill(column, top, 1, high, color)
        for at in (column, hook):
            canvas.put(at, top - 1, "▄", color)
            canvas.put(at, top + high, "▀", color)


# -- parcels -----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def _cell_styles(palette: Palette, ascii_only: bool, view: Overview) -> tuple[CellStyle, ...]:
    """Returns how all parcels are drawn."""
    canvas = Canvas(0, 0, palette, ascii_only=ascii_only)
    return tuple(cell_style(canvas, view, parcel) for parcel in range(len(view.plots)))


def cell_style(canvas: Canvas, view: Overview, parcel: int) -> CellStyle:
    """Returns how a parcel is drawn."""
    plot = view.plots[parcel]
    left, right = _grounds(canvas, view, parcel)
    text = _text(canvas, view, plot)
    here = divmod(parcel // view.scale.side // SECTOR * (view.scale.side // SECTOR)
                  + parcel % view.scale.side // SECTOR, view.scale.side // SECTOR)  # fmt: skip
    marked = None
    if not framed(canvas, view):
        marked = "paper" if here == view.sector else "ice" if here == view.looked else None
    if parcel == view.cursor:
        ground: Color = "ink" if marked else "paper"
        return CellStyle(ground, ground, text or " ", "bright" if marked else "ink", True)
    if marked:
        return CellStyle(marked, marked, text, "ink", plot.owned)
    if parcel in view.lit:
        return CellStyle("warning", "warning", "!" if lettered(canvas) else text, "ink", True)
    if canvas.palette.plain:
        return CellStyle("ink", "ink", text, "text", plot.owned)
    return CellStyle(left, right, text, _ink(canvas, view, parcel, left), plot.owned)


def _grounds(canvas: Canvas, view: Overview, parcel: int) -> tuple[Color, Color]:
    """Returns the colors of a parcel's left and right half: they differ if it is owned and cut off from the river."""
    plot, palette = view.plots[parcel], canvas.palette
    row, column = divmod(parcel, view.scale.side)
    if plot.kind == RIVER:
        color: Color = palette.mixed("river", "ink", (row * 7 + column * 3) % 4 * 0.03)
        return color, color
    # A patchwork: neighboring fields differ a little, and so do neighboring sectors.
    shade = (row * 37 + column * 61 + row * column * 11) % 5 * 0.022
    shade += 0.09 * ((row // SECTOR + column // SECTOR) % 2)
    if view.sector is not None and (row // SECTOR, column // SECTOR) != view.sector:
        shade += 0.1
    land = LANDS[plot.kind]
    if view.mode == "type":
        color = palette.mixed(land, "ink", shade)
    elif view.mode == "price":
        color = _price_ground(canvas, view, parcel)
    elif plot.owned:
        color = palette.mixed(light(plot.owner), "ink", shade)
        if view.mode == "river" and not plot.joined:
            bare = palette.mixed("raised", land, 0.12)
            return (color if view.scale.wide > 1 else palette.mixed(color, bare, 0.5, "line")), bare
    elif view.mode == "owner":
        color = palette.mixed(land, "ink", 0.42 + shade)
    else:
        color = palette.mixed("raised", land, 0.16)
    return color, color


def _price_ground(canvas: Canvas, view: Overview, parcel: int) -> Color:
    """Returns the ground of a price's class; where numbers stand close together, every other one is darker."""
    plot = view.plots[parcel]
    role = f"price{price_class(plot.price)}"
    if not view.scale.tells_prices:
        return role
    odd = sum(divmod(parcel, view.scale.side)) % 2 == 1
    if plot.owned or canvas.palette.depth is Depth.BASIC:
        return "ink" if odd else "line" if canvas.palette.depth is Depth.BASIC else "raised"
    return Dimmed(role, 45) if odd else role


def _ink(canvas: Canvas, view: Overview, parcel: int, ground: Color) -> Color:
    """Returns the color of text on a parcel's ground."""
    plot = view.plots[parcel]
    if plot.kind == RIVER:
        return "bright"
    if view.mode == "type":
        return ink_on(canvas.palette, ground, plot.kind)
    if view.mode == "price" and view.scale.tells_prices and plot.owned:
        return light(plot.owner)
    if view.mode == "price":
        bright = isinstance(ground, str) and price_class(plot.price) >= 3 and ground not in ("ink", "line")
        return "ink" if bright else "bright"
    return "ink" if plot.owned else "soft"


def _text(canvas: Canvas, view: Overview, plot: Plot) -> str:
    """Returns the text in a parcel: a letter of its own on a map of letters, else a price or an owner's sign."""
    room, letters = view.scale.wide, lettered(canvas)
    if view.scale.half == 1 and not letters:
        return ""
    if plot.kind == RIVER:
        return "~" * (room if view.scale.half > 1 else 1) if letters else ""
    if view.mode == "price":
        if not view.scale.tells_prices:
            return str(price_class(plot.price)) if letters else ""
        return short_price(plot.price, room - (room > 3 or canvas.palette.plain))
    if view.mode == "type":
        owner = plot.owned and view.scale.half > 1
        if letters:
            return SIGNS[plot.kind] + (letter(plot.owner) if owner else "")
        return mark(plot.owner)[:1] if owner else ""
    if not plot.owned:
        return "·" if letters else ""
    if letters:
        name = letter(plot.owner)
        return name.lower() if view.mode == "river" and not plot.joined else name
    return mark(plot.owner)[: 2 if room > 3 else 1]


# -- the legend --------------------------------------------------------------------------------------------------------


class LegendEntry(NamedTuple):
    """A color or a letter with what it means; the word may be empty."""

    text: str
    fg: Color
    ground: Color
    word: str

    @property
    def room(self) -> int:
        """Its columns, without the margin after it."""
        return 3 + (1 + len(self.word) if self.word else 0)


def draw_legend(canvas: Canvas, x: int, y: int, room: int, view: Overview, rows: int = 1) -> None:
    """Draws what the colors, or the letters, mean, in one row, or where that is too short, in up to `rows`."""
    left, end, last = x, x + room, y + rows - 1
    entries, notes = _legend(canvas, view)
    for entry in entries:
        if x + 4 + len(entry.word) > end:
            if y == last:
                return
            x, y = left, y + 1
        x = _draw_entry(canvas, x, y, entry)
    canvas.put(x + 1, y, first_fitting(end - x - 1, *notes, ""), "soft")


def draw_legend_column(canvas: Canvas, view: Overview) -> None:
    """Draws the same in several short rows, over the whole canvas."""
    entries, notes = _legend(canvas, view)
    x = y = 0
    for entry in entries:
        if x and x + entry.room > canvas.width:
            x, y = 0, y + 1
        x = _draw_entry(canvas, x, y, entry)
    paragraph(canvas, 0, y + bool(entries), wrap(notes[0], canvas.width) if notes else [])


def _draw_entry(canvas: Canvas, x: int, y: int, entry: LegendEntry) -> int:
    """Returns the column where the next entry begins."""
    x = canvas.put(x, y, f" {entry.text} ", entry.fg, entry.ground, bold=True)
    return canvas.put(x + 1, y, entry.word, "soft") + (1 if entry.word else 0)


def _legend(canvas: Canvas, view: Overview) -> tuple[list[LegendEntry], Sequence[str]]:
    """Returns what the colors or letters mean, and a note to put after that, in full and shorter; there may be none."""
    letters = lettered(canvas) and (view.scale.half == 1 or canvas.palette.plain)
    if view.mode == "price" and view.scale.tells_prices and canvas.palette.depth in (Depth.NONE, Depth.BASIC):
        return [], ("sale prices in K, rounded; bold: a player’s", "prices in K; bold: a player’s")
    notes: Sequence[str] = ()
    if view.mode == "type":
        entries = [
            LegendEntry(SIGNS[kind] if letters else kind, INKS[kind], LANDS[kind], WORDS[kind]) for kind in KINDS
        ]
    elif view.mode == "price":
        entries = [
            LegendEntry(str(number) if letters else " ", "ink", f"price{number}", word)
            for number, word in enumerate(CLASS_WORDS)
        ]
    else:
        owners = sorted({plot.owner for plot in view.plots if plot.owned})
        entries = [LegendEntry(letter(owner), "ink", light(owner), "") for owner in owners]
        apart = "small letter" if lettered(canvas) else "half"
        whose = f"owner{'s' if len(owners) > 1 else ''}"
        notes = f"connected to the river; {apart}: not connected", f"{apart}: not connected"
        notes = (f"{whose}; the rest is the government’s", whose) if view.mode == "owner" else notes
        notes = notes if entries else ("Nobody owns land yet.",)
    return [entry._replace(fg="text", ground="ink") if letters else entry for entry in entries], notes
