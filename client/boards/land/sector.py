"""The sector in play, or one that is looked at: each parcel's type, owner, connection and price in numbers."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from kimberley.client.boards.land.ledger import short
from kimberley.client.boards.land.overview import SECTOR
from kimberley.client.boards.land.parcel_style import INKS, LANDS, NIGHT, RIVER, Plot, dark, light, mark, short_price
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import truncate
from kimberley.client.ui.palette import Color
from kimberley.games.land.accounts import revenue_of, tax_of
from kimberley.games.land.maps import Map
from kimberley.games.land.money import amount, price

WIDEST: Final = 13
"""Columns of a parcel."""


@dataclass(frozen=True, slots=True)
class SectorView:
    """What is to be seen. `plots` are those of the whole map; `signs` say by parcel what a turn has done there.

    `dice` are the faces that named the sector, None where it is only looked at.
    """

    map: Map
    plots: Sequence[Plot]
    sector: tuple[int, int]
    names: Sequence[str]
    dice: tuple[int, int] | None = None
    cursor: int | None = None
    marks: Collection[int] = ()
    signs: Mapping[int, str] = field(default_factory=dict)


class Cells(NamedTuple):
    """Columns and rows of each parcel of a sector. A column and a row lie between two of them."""

    wide: int
    high: int

    @property
    def rows(self) -> int:
        return SECTOR * (self.high + 1) - 1


def cells(width: int, rows: int) -> Cells:
    """Returns how large the parcels of a sector are drawn in so many cells."""
    wide = min(WIDEST, (width - SECTOR + 1) // SECTOR)
    return Cells(wide, max(2, min(4 if wide >= 9 else 2, (rows + 1) // SECTOR - 1)))


def draw_title(canvas: Canvas, x: int, y: int, view: SectorView, room: int) -> None:
    """Draws which sector it is, and the dice that named it: the black one its row, the white one its column."""
    row, column = view.sector
    at = canvas.put(x, y, f"Sector {row + 1},{column + 1}", "text", bold=True) + 1
    if view.dice is None:
        canvas.put(at, y, truncate("not in play", room - (at - x)), "ice")
        return
    black, white = (die + 1 for die in view.dice)
    words = ("black", "white") if room >= 27 else ("", "")
    gap = 1 if room >= 30 else 0
    left, right = "[]" if canvas.palette.plain or canvas.ascii_only else "  "
    at = canvas.put(at, y, words[0], "soft") + gap
    at = canvas.put(at, y, f"{left}{black}{right}", "bright", NIGHT, bold=True)
    at = canvas.put(at + gap, y, words[1], "soft") + gap
    canvas.put(at, y, f" {white} ", "ink", "paper", bold=True)


def draw_parcels(canvas: Canvas, x: int, y: int, view: SectorView, size: Cells) -> None:
    """Draws the sixteen parcels with the first one at (x, y); each is an area ("parcel", n). On a portrait screen, a
    touch between two of them means one, too.
    """
    top, left = view.map.corner(*view.sector)
    beside = int(canvas.portrait)
    for row in range(SECTOR):
        for column in range(SECTOR):
            parcel = (top + row) * view.map.side + left + column
            at, line = x + column * (size.wide + 1), y + row * (size.high + 1)
            if view.plots[parcel].kind == RIVER:
                _draw_river(canvas, at, line, view, parcel, size, row, column)
            else:
                _draw_parcel(canvas, at, line, view, parcel, size)
            canvas.hit(at, line, size.wide + beside, size.high + beside, ("parcel", parcel))


def _draw_river(
    canvas: Canvas, x: int, y: int, view: SectorView, parcel: int, size: Cells, row: int, column: int
) -> None:
    """Water, which flows on between the parcels where there is more of it."""
    below = row < SECTOR - 1 and view.plots[parcel + view.map.side].kind == RIVER
    beside = column < SECTOR - 1 and view.plots[parcel + 1].kind == RIVER
    corner = below and beside and view.plots[parcel + view.map.side + 1].kind == RIVER
    _water(canvas, x, y, size.wide, size.high)
    if beside:
        _water(canvas, x + size.wide, y, 1, size.high)
    if below:
        _water(canvas, x, y + size.high, size.wide, 1)
    if corner:
        _water(canvas, x + size.wide, y + size.high, 1, 1)
    if parcel == view.cursor:
        canvas.fill(x, y, size.wide, size.high, "paper")
        canvas.put(x, y, "R", "ink", bold=True)
    elif not (canvas.palette.plain or canvas.ascii_only):
        canvas.put(x, y, "R", "bright", bold=True)


def _water(canvas: Canvas, x: int, y: int, wide: int, high: int) -> None:
    canvas.fill(x, y, wide, high, "river", "~" if canvas.palette.plain or canvas.ascii_only else " ", "soft")


def _draw_parcel(canvas: Canvas, x: int, y: int, view: SectorView, parcel: int, size: Cells) -> None:
    plot = view.plots[parcel]
    here, chosen = parcel == view.cursor, parcel in view.marks
    ground: Color = "paper" if here else dark(plot.kind)
    if chosen and not here:
        ground = canvas.palette.mixed(ground, "ice", 0.1, "line")
    canvas.fill(x, y, size.wide, size.high, ground)
    badge: tuple[Color, Color] = ("ink", "paper") if here else (INKS[plot.kind], LANDS[plot.kind])
    canvas.put(x, y, plot.kind, badge[0], "ink" if canvas.palette.plain and not here else badge[1], bold=True)
    inks = _Inks(here, chosen, plot)
    sign = "✓" if chosen else view.signs.get(parcel, "")
    end = x + size.wide
    if plot.joined:
        canvas.put(end - 1, y, "~", "ink" if here else "ice", bold=True)
    if size.wide >= 9 and size.high >= 3:
        after = canvas.put(x + 2, y, view.map.name(parcel), inks.soft) + 1
        canvas.put(after, y, sign, inks.sign, bold=True)
        owner = view.names[plot.owner] if plot.owned else "government" if size.wide > 10 else "gov"
        at = canvas.put(x + 1, y + 1, mark(plot.owner), inks.owner, bold=True) + 1 if plot.owned else x + 1
        canvas.put(at, y + 1, truncate(owner, end - at), inks.owner if plot.owned else inks.soft)
        _draw_price(canvas, end - 1, y + 2, plot, inks, size.wide - 1)
        if size.high >= 4:
            _draw_yield(canvas, end - 1, y + 3, view, parcel, inks)
        return
    at = x + (2 if size.wide > 5 else 1)
    at = canvas.put(
        at, y, mark(plot.owner) if plot.owned else "gov", inks.owner if plot.owned else inks.soft, bold=plot.owned
    )
    canvas.put(at, y, sign, inks.sign, bold=True)
    _draw_price(canvas, end, y + 1, plot, inks, size.wide)


class _Inks:
    """What is read on a parcel: dark on paper where the cursor is, else light."""

    def __init__(self, here: bool, chosen: bool, plot: Plot) -> None:
        self.soft: Color = "faded" if here else "text" if chosen else "soft"
        self.sign: Color = "ink" if here else "ice"
        self.price: Color = "ink" if here else "money"
        self.gain: Color = "ink" if here else "ok"
        self.loss: Color = "ink" if here else "warning"
        self.owner: Color = "ink" if here or not plot.owned else light(plot.owner)


def _draw_price(canvas: Canvas, end: int, y: int, plot: Plot, inks: _Inks, room: int) -> None:
    text = price(plot.price)
    canvas.right(end, y, text if len(text) <= room else short_price(plot.price, room), inks.price, bold=plot.owned)


def _draw_yield(canvas: Canvas, end: int, y: int, view: SectorView, parcel: int, inks: _Inks) -> None:
    """What a parcel brings its owner each turn, less what it costs."""
    plot = view.plots[parcel]
    if plot.owned:
        net = (revenue_of(view.map, parcel) if plot.joined else 0) - tax_of(plot.price)
        text = f"{'+' if net >= 0 else '-'}{amount(abs(net))}"
        canvas.right(end, y, text, inks.gain if net >= 0 else inks.loss)


def about(view: SectorView, parcel: int, you: int | None) -> list[str]:
    """Says what there is to say of a parcel: in short, then in full, line by line."""
    plot, name = view.plots[parcel], view.map.name(parcel)
    if plot.kind == RIVER:
        return [f"{name}: river", f"{name} is river; nobody can own it."]
    word = {"D": "desert", "F": "farmland", "C": "coal field", "P": "diamond field"}[plot.kind]
    earns, tax = amount(revenue_of(view.map, parcel)), amount(tax_of(plot.price))
    base = short_price(view.map.base(parcel), 6)
    if not plot.owned:
        if you is None:
            first, last = f"{name} earns {earns} if connected", "once it is connected."
        elif parcel in view.map.banks or any(
            view.plots[beside].joined and view.plots[beside].owner == you for beside in view.map.neighbors[parcel]
        ):
            first, last = f"{name} earns {earns} a turn", "from your next turn on: it connects to the river."
        else:
            first, last = f"{name}: not connected, only tax", "once your land leads to the river."
        return [first, f"{name}, {word}, government land.", f"It costs {base}K and earns {earns}K a turn", last]
    whose = "yours" if plot.owner == you else f"owned by {view.names[plot.owner]}"
    costs = f"tax {short(tax_of(plot.price))}"
    first = f"{name} earns {earns}, {costs}" if plot.joined else f"{name}: not connected, {costs}"
    last = f"Connected: it earns {earns}K." if plot.joined else f"Not connected: it would earn {earns}K."
    return [first, f"{name}, {word}, {whose}.", f"Price {price(plot.price)}K: tax {tax}K a turn.", last]
