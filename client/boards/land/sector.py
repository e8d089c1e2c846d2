"""The sector in play, or one that is looked at: each parcel as a deed with its kind, owner, price and yield."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from kimberley.client.boards.land.layout import Cells
from kimberley.client.boards.land.parcel_style import INKS, LANDS, NIGHT, WORDS, Plot, dark, light, short_price
from kimberley.client.boards.land.phrases import DEALT_WORDS, place, some
from kimberley.client.boards.land.texture import draw_texture
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import cell_width, truncate
from kimberley.client.ui.layout import SEAT_MARKS
from kimberley.client.ui.palette import Color
from kimberley.games.land.accounts import revenue_of, tax_of
from kimberley.games.land.maps import KIND_NAMES, RIVER, SECTOR, Map
from kimberley.games.land.money import amount

NAMED_FROM: Final = 11
"""Columns of a deed that has room for the name of its parcel."""
TEXT_ROWS: Final = 3
"""The rows of a deed below its kind, if it is high enough: owner, price, yield."""


@dataclass(frozen=True, slots=True)
class SectorView:
    """What the sector shows. `plots` are those of the whole map; `signs` say by parcel what a turn has done there.

    `you` is the seat for which yields are given, None for a spectator. `dice` are the faces that named the sector, None
    where it is only looked at. `play` is then the sector in which deals are made, if there is one.
    """

    map: Map
    plots: Sequence[Plot]
    sector: tuple[int, int]
    names: Sequence[str]
    you: int | None = None
    dice: tuple[int, int] | None = None
    play: tuple[int, int] | None = None
    cursor: int | None = None
    marks: Collection[int] = ()
    signs: Mapping[int, str] = field(default_factory=dict)
    over: bool = False
    out: bool = False
    """Whether the game is over, and whether it is over for the player: either way, yields are given for each owner."""
    taxed: bool = True
    """Whether tax and revenue will come once more, as they do not in the player's last turn and after it."""

    @property
    def buys(self) -> bool:
        """Whether the player can still buy land."""
        return self.you is not None and not self.over and not self.out

    def connects(self, parcel: int) -> bool:
        """Returns whether a parcel earns: in its owner's hands, or in those of the player if the player bought it."""
        plot = self.plots[parcel]
        if plot.owned and (not self.buys or self.you == plot.owner):
            return plot.joined
        return parcel in self.map.banks or any(
            self.plots[beside].joined and self.plots[beside].owner == self.you for beside in self.map.neighbors[parcel]
        )

    def links(self, parcel: int) -> frozenset[int]:
        """Returns the player's parcels that are not connected, and would be if the player bought this one."""
        linked: set[int] = set()
        if not self.buys or self.plots[parcel].owner == self.you or not self.connects(parcel):
            return frozenset()
        edge = [parcel]
        while edge:
            beside = set(self.map.neighbors[edge.pop()]) - linked
            new = {near for near in beside if self.plots[near].owner == self.you and not self.plots[near].joined}
            linked |= new
            edge += new
        return frozenset(linked)

    def brings(self, parcel: int) -> int:
        """Returns what a parcel brings or would bring each turn, with the land that it links to the river: revenue less
        tax, in units.
        """
        earns = {parcel, *self.links(parcel)} if self.connects(parcel) else ()
        return sum(revenue_of(self.map, linked) for linked in earns) - tax_of(self.plots[parcel].price)


def cells(width: int, rows: int) -> Cells:
    """Returns the size of a sector's deeds in `width` columns and `rows` rows."""
    wide = min(13, (width - SECTOR + 1) // SECTOR)
    return Cells(wide, min(wide // 2, rows // SECTOR)) if rows >= 3 * SECTOR else Cells(wide, 2, 1)


def draw_title(canvas: Canvas, x: int, y: int, view: SectorView, room: int) -> None:
    """Draws which sector it is, and the dice that named it: the black one its row, the white one its column; for one
    that is only looked at, which one is in play.
    """
    at = canvas.put(x, y, f"Sector {place(view.sector)}", "text", bold=True) + 1
    if view.dice is None:
        if view.play is not None and not view.over:
            play = place(view.play)
            note = f"look only: {play} is in play"
            canvas.put(at, y, note if at - x + len(note) <= room else f"in play: {play}", "ice")
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
    touch between two of them also selects one.
    """
    top, left = view.map.corner(*view.sector)
    beside = int(canvas.portrait)
    for row in range(SECTOR):
        for column in range(SECTOR):
            parcel = (top + row) * view.map.side + left + column
            at, line = x + column * (size.wide + 1), y + row * (size.high + size.gap)
            if view.plots[parcel].kind == RIVER:
                _draw_river(canvas, at, line, view, parcel, size, row, column)
            else:
                _draw_deed(canvas.region(at, line, size.wide, size.high), view, parcel)
            canvas.hit(at, line, size.wide + beside, size.high + size.gap * beside, ("parcel", parcel))


def _draw_river(
    canvas: Canvas, x: int, y: int, view: SectorView, parcel: int, size: Cells, row: int, column: int
) -> None:
    """Draws water, which also fills the gap to a river parcel below or to the right."""
    below = row < SECTOR - 1 and view.plots[parcel + view.map.side].kind == RIVER
    beside = column < SECTOR - 1 and view.plots[parcel + 1].kind == RIVER
    wide, high = size.wide + beside, size.high + (size.gap if below else 0)
    if canvas.palette.plain or canvas.ascii_only:
        canvas.fill(x, y, wide, high, "river", "~", "soft")
    else:
        canvas.fill(x, y, wide, high, "river")
        draw_texture(canvas.region(x, y, wide, high), RIVER)
    if parcel == view.cursor:
        canvas.fill(x, y, size.wide, size.high, "paper")
        canvas.center(x, y + (size.high - 1) // 2, size.wide, "river", "ink", bold=True)


# -- deeds -------------------------------------------------------------------------------------------------------------


class _Inks:
    """The colors of a deed: its text is dark on paper, where the cursor is, and in an owner's color, else light."""

    def __init__(self, canvas: Canvas, plot: Plot, here: bool, chosen: bool) -> None:
        inked = here or (plot.owned and not canvas.palette.plain)
        ground: Color = "paper" if here else light(plot.owner) if plot.owned else dark(plot.kind)
        if canvas.palette.plain and not here:
            ground = "ink"
        lifted = chosen and not inked
        self.ground = canvas.palette.mixed(ground, "ice", 0.1, "line") if lifted else ground
        self.text: Color = "ink" if inked else "text"
        self.price: Color = "ink" if inked else "money"
        self.gain: Color = self.text if inked or chosen else "ok"
        self.loss: Color = self.text if inked or chosen else "soft"


def _draw_deed(canvas: Canvas, view: SectorView, parcel: int) -> None:
    """Draws a parcel: its kind in a band, below it a picture of it if there is room, then owner, price and yield."""
    plot, wide, high = view.plots[parcel], canvas.width, canvas.height
    here, chosen = parcel == view.cursor, parcel in view.marks
    inks = _Inks(canvas, plot, here, chosen)
    sign = "✓" if chosen else view.signs.get(parcel, "")
    status = f"{sign}{'~' if plot.joined else ''}"
    canvas.fill(0, 0, wide, high, inks.ground)
    # What is left of a high deed goes to the picture and to the space around the text.
    spare = max(0, high - 1 - TEXT_ROWS)
    first = 1 + (spare + 1) // 2
    if first > 1 and not canvas.palette.plain and not canvas.ascii_only:
        draw_texture(canvas.region(0, 1, wide, first - 1), plot.kind)
    first += spare // 4
    _draw_band(canvas, view, parcel, status if high < TEXT_ROWS else "")
    pad = int(wide >= NAMED_FROM)
    whose = _whose(view, plot, wide - 2 * pad - cell_width(status) - 1)
    end = wide - pad
    if high < TEXT_ROWS:
        room = end - pad - (2 if plot.owned else 0)
        canvas.put(pad, first, SEAT_MARKS[plot.owner] if plot.owned else "", inks.text, bold=True)
        canvas.right(end, first, _price(plot, room), inks.price, bold=True)
        return
    canvas.put(pad, first, whose, inks.text, bold=True)
    canvas.right(end, first, status, inks.text, bold=True)
    net = view.brings(parcel)
    yields, fg = f"{'+' if net >= 0 else '-'}{amount(abs(net))}", inks.gain if net > 0 else inks.loss
    cost = _price(plot, end - pad)
    canvas.put(pad, first + 1, cost, inks.price, bold=True)
    if high > TEXT_ROWS:
        rival = plot.owned and view.buys and view.you != plot.owner
        whole = f"{yields} to you" if rival else f"{yields}/turn"
        canvas.put(pad, first + 2, whole if cell_width(whole) <= wide - pad else yields, fg, bold=net > 0)
    elif high == TEXT_ROWS and cell_width(cost) + cell_width(yields) < end - pad:
        canvas.right(end, first + 1, yields, fg, bold=net > 0)


def _draw_band(canvas: Canvas, view: SectorView, parcel: int, status: str) -> None:
    kind = view.plots[parcel].kind
    ground: Color = "ink" if canvas.palette.plain else LANDS[kind]
    canvas.fill(0, 0, canvas.width, 1, ground)
    after = canvas.put(int(canvas.width > len(WORDS[kind]) + len(status)), 0, WORDS[kind], INKS[kind], bold=True)
    name = status or (view.map.name(parcel) if canvas.width >= NAMED_FROM else "")
    if (spare := canvas.width - after - cell_width(name)) > 0:
        canvas.right(canvas.width - int(spare > 1), 0, name, INKS[kind])


def _whose(view: SectorView, plot: Plot, room: int) -> str:
    """Returns the owner's sign and name; nothing for the government."""
    if not plot.owned:
        return ""
    name = "you" if plot.owner == view.you else view.names[plot.owner]
    return f"{SEAT_MARKS[plot.owner]} {truncate(name, room - 2)}" if room > 3 else SEAT_MARKS[plot.owner]


def _price(plot: Plot, room: int) -> str:
    return f"{short_price(plot.price, room - 1)}K"


# -- in words ----------------------------------------------------------------------------------------------------------


def legend(view: SectorView, parcel: int) -> str:
    """Says what the signs on a parcel mean: "✓ selected, ~ connected"."""
    sign = view.signs.get(parcel, "")
    dealt = f"{sign} {DEALT_WORDS[sign]} this turn" if sign else ""
    meanings = ["✓ selected" if parcel in view.marks else dealt, "~ connected" if view.plots[parcel].joined else ""]
    return ", ".join(filter(None, meanings))


def about(view: SectorView, parcel: int) -> list[str]:
    """Describes a parcel: in short, then in full, sentence by sentence."""
    plot, name = view.plots[parcel], view.map.name(parcel)
    if plot.kind == RIVER:
        return [f"{name}: river", f"{name} is river; nobody can own it."]
    kind = KIND_NAMES[plot.kind]
    own = plot.owned and plot.owner == view.you
    owner = "yours" if own else f"owned by {view.names[plot.owner]}" if plot.owned else "government land"
    if not view.taxed:
        return [f"{name}: {kind}, {owner}", f"{name}, {kind}, {owner}. Price {short_price(plot.price, 6)}K."]
    earns, tax = f"{amount(revenue_of(view.map, parcel))}K", f"{amount(tax_of(plot.price))}K"
    cost = f"{short_price(plot.price, 6)}K"
    connects = view.connects(parcel)
    short = f"{name}: {f'earns {earns}' if connects else 'not connected'}, tax {tax} a turn"
    if own:
        return [
            short,
            f"{name}, {kind}, {owner}. Price {cost}: tax {tax} a turn.",
            f"Connected: it earns {earns} a turn." if connects else f"Not connected: it would earn {earns} a turn.",
        ]
    if not view.buys:
        last = f"Connected, it earns {earns} a turn."
    elif linked := view.links(parcel):
        gained = amount(sum(revenue_of(view.map, other) for other in linked))
        more = f"{some(linked)} of your parcels"
        short = f"{name} connects {more}"
        last = f"It would earn {earns} a turn and connect {more}: {gained}K more."
    elif connects:
        last = f"It would earn {earns} a turn: it connects to the river."
    else:
        last = f"It would earn {earns} a turn only once your land leads to the river."
    return [short, f"{name}, {kind}, {owner}. It costs {cost}, then {tax} tax a turn.", last]
