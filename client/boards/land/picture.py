"""Everything that the board shows at one position, and how it is drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from kimberley.client.boards.land.layout import MAP_X, MAP_Y, NARROW, Layout, layout
from kimberley.client.boards.land.ledger import Ledger, LedgerEntry, draw_ledger
from kimberley.client.boards.land.overview import MODES, Overview, draw_legend, draw_overview, scale_for
from kimberley.client.boards.land.parcel_style import Plot, light, mark
from kimberley.client.boards.land.phrases import DEAL_SIGNS
from kimberley.client.boards.land.sector import SectorView, about, cells, draw_parcels, draw_title
from kimberley.client.session.participants import short_name
from kimberley.client.ui.buttons import button, button_width
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import truncate, wrap
from kimberley.client.ui.lists import tabs
from kimberley.client.ui.palette import Color
from kimberley.games.land.accounts import TurnOpening, account, explain_opening
from kimberley.games.land.deals import DealMade
from kimberley.games.land.land import Land
from kimberley.games.land.maps import Map
from kimberley.games.land.money import amount
from kimberley.games.land.rules import State

LOW: Final = 20
"""A panel of fewer rows has a line on the parcel and no buttons."""
TALL_SECTOR: Final = 12
"""Rows of the sector, on a phone."""
LOG_ROWS: Final = 8
"""So many rows of notes hold what happened as well; else the panel does."""


def signs(dealt: tuple[DealMade, ...]) -> dict[int, str]:
    """Returns what a turn did, by parcel."""
    return {done.deal[1]: DEAL_SIGNS[done.deal[0]] for done in dealt}


@lru_cache(maxsize=8)
def plots(map: Map, land: Land, seats: int) -> tuple[Plot, ...]:
    """Every parcel as it is drawn."""
    joined = frozenset(
        parcel
        for seat in range(seats)
        for group in account(map, land, seat).groups
        if group.river
        for parcel in group.parcels
    )
    return tuple(
        Plot(kind, land.owner(parcel), land.price(parcel), parcel in joined) for parcel, kind in enumerate(map.kinds)
    )


@lru_cache(maxsize=8)
def entries(state: State) -> tuple[LedgerEntry, ...]:
    """The lines of the ledger."""
    assert state.map is not None
    gone = dict(state.gone)
    found = []
    for seat in range(state.seats):
        known = account(state.map, state.land, seat)
        river = sum(len(group.parcels) for group in known.groups if group.river)
        found.append(
            LedgerEntry(
                state.cash[seat],
                state.due[seat],
                len(known.lines),
                river,
                known.tax,
                known.revenue,
                gone.get(seat, ""),
            )
        )
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Stepper:
    """The price that is being set: `text` as it is shown, `typed` where it differs from what stands there."""

    text: str
    typed: bool
    count: int = 1


@dataclass(frozen=True, slots=True)
class Picture:
    """What the board shows.

    `lit` are parcels that stand out on the map. `signs` say by parcel what a turn did. `openings` are by seat.
    `message` is text with its color. `log` is (seat, text), the latest last; `buttons` are (label, key, whether every
    turn needs it).
    """

    map: Map
    land: Land
    ledger: Ledger
    mode: str
    sector: tuple[int, int] | None
    shown: tuple[int, int]
    dice: tuple[int, int] | None
    cursor: int | None = None
    lit: frozenset[int] = frozenset()
    marks: frozenset[int] = frozenset()
    signs: Mapping[int, str] = field(default_factory=dict)
    drafted: str = ""
    stepper: Stepper | None = None
    openings: Mapping[int, TurnOpening] = field(default_factory=dict)
    message: tuple[str, Color] = ("", "soft")
    log: Sequence[tuple[int, str]] = ()
    buttons: Sequence[tuple[str, str, bool]] = ()

    def layout(self, width: int, height: int) -> Layout:
        """Returns where everything lies on a terminal of that size."""
        return layout(width, height, self.map.side, len(self.ledger.entries))


def draw_picture(canvas: Canvas, picture: Picture) -> Layout:
    """Draws all of it. Returns where everything lies."""
    where = picture.layout(canvas.width, canvas.height)
    found = plots(picture.map, picture.land, len(picture.ledger.entries))
    looked = picture.shown if picture.shown != picture.sector else None
    view = Overview(where.scale, found, picture.mode, picture.sector, looked, picture.cursor, picture.lit)
    draw_legend(canvas, MAP_X - 2, 2, where.panel.left - MAP_X + 1, view)
    draw_overview(canvas, MAP_X, MAP_Y, view)
    canvas.hit(MAP_X, MAP_Y, where.scale.columns, where.scale.rows, ("map",))
    _draw_tabs(canvas, where, picture.mode)
    _draw_panel(canvas, where, picture, found)
    draw_ledger(canvas.region(*where.ledger), picture.ledger, where.paired)
    if where.notes.height:
        notes = canvas.region(*where.notes)
        # Where the panel has no room for buttons, the one that every turn needs stands here.
        room = _draw_primary(notes, 1, picture.buttons) if where.panel.height < LOW else notes.width - 2
        text, fg = picture.message
        lines = wrap(text, room)[:2]
        if len(lines) < 2:
            notes.put(1, 0, truncate(explained(picture), notes.width - 2), "soft")
            notes.hit(0, 0, notes.width, 1, "key:t")
        for y, line in enumerate(lines, start=2 - len(lines)):
            notes.put(1, y, line, fg, bold=fg == "warning")
            notes.hit(0, y, room + 1, 1, "key:l")
        if notes.height >= LOG_ROWS:
            draw_log(notes.region(1, 3, notes.width - 2, notes.height - 3), picture)
    if where.log is not None:
        draw_log(canvas.region(*where.log), picture)
    return where


def draw_tall_picture(canvas: Canvas, picture: Picture) -> None:
    """Draws the map, below it the sector, the ledger and what happened: for a page on a phone."""
    found = plots(picture.map, picture.land, len(picture.ledger.entries))
    seats = len(picture.ledger.entries)
    room, rows = canvas.width - 2, canvas.height - TALL_SECTOR - seats - 7
    view = Overview(scale_for(picture.map.side, canvas.width - MAP_X, rows), found, picture.mode, picture.sector)
    draw_legend(canvas, MAP_X - 2, 0, canvas.width - MAP_X + 2, view)
    draw_overview(canvas, MAP_X, 2, view)
    y = 3 + view.scale.rows
    sector = SectorView(picture.map, found, picture.shown, picture.ledger.names, picture.dice, signs=picture.signs)
    draw_title(canvas, 1, y, sector, room)
    draw_parcels(canvas, 1, y + 1, sector, cells(room, TALL_SECTOR))
    y += 1 + TALL_SECTOR
    draw_ledger(canvas.region(0, y, canvas.width, seats + 1), picture.ledger, paired=False)
    text, fg = picture.message
    for line in wrap(text, room)[:3]:
        canvas.put(1, y + seats + 1, line, fg)
        y += 1


def _draw_tabs(canvas: Canvas, where: Layout, mode: str) -> None:
    # The frame of a sector at the lower edge of the map ends here.
    canvas.fill(MAP_X - 1, where.tabs, where.panel.left - MAP_X, 1, "ink")
    canvas.put(MAP_X, where.tabs, "shows", "soft")
    after = tabs(canvas, MAP_X + 6, where.tabs, MODES, MODES.index(mode), lambda number: ("mode", MODES[number]))
    if not canvas.inert and not canvas.touch:
        canvas.put(after + 1, where.tabs, "o switches", "soft")
        canvas.hit(after, where.tabs, 12, 1, "key:o")


def explained(picture: Picture) -> str:
    """Says how the balance at the start of a turn came about, of the seat that is looked at."""
    seat = picture.ledger.shown
    if seat is None or seat not in picture.openings:
        return "A turn begins with sales, 2% tax, and 10% revenue from river land."
    return f"{_whose(picture, seat)}: {explain_opening(picture.openings[seat])}"


def _whose(picture: Picture, seat: int) -> str:
    return "Your start" if seat == picture.ledger.you else f"{short_name(picture.ledger.names, seat, 12)}’s start"


# -- the panel ---------------------------------------------------------------------------------------------------------


def _draw_panel(canvas: Canvas, where: Layout, picture: Picture, found: Sequence[Plot]) -> None:
    """The sector, what is drafted, what there is to say of the parcel, and the stepper; below, what is left to say."""
    panel = canvas.region(*where.panel)
    room = panel.width - (panel.width > NARROW)
    dice = picture.dice if picture.shown == picture.sector else None
    view = SectorView(
        picture.map, found, picture.shown, picture.ledger.names, dice, picture.cursor, picture.marks, picture.signs
    )  # fmt: skip
    draw_title(panel, 0, 0, view, room)
    below = 3 if panel.height < LOW else 8 if where.notes.height else 20
    size = cells(room, min(19, panel.height - 1 - below))
    draw_parcels(panel, 0, 1, view, size)
    y = 1 + size.rows
    said = [] if picture.cursor is None else about(view, picture.cursor, picture.ledger.you)
    if panel.height < LOW:
        _draw_drafted(panel, y, picture, room)
        panel.put(0, y + 1, truncate(said[0] if said else "", room), "soft")
        _draw_stepper(panel, y + 2, picture.stepper)
        return
    gap = 1 if panel.height - y > 7 else 0
    lines = said[1:] if room >= 30 else wrap(said[0], room)[:2] if said else []
    for number, line in enumerate(lines, start=y + gap):
        panel.put(0, number, truncate(line, room), "soft")
    y += gap + (3 if room >= 30 else 2)
    _draw_drafted(panel, y, picture, room)
    _draw_stepper(panel, y + 1, picture.stepper)
    y = _draw_buttons(panel, y + 2 + gap, picture.buttons, room)
    if not where.notes.height:
        text, fg = picture.message
        for line in wrap(text, room)[:3]:
            panel.put(0, y, line, fg, bold=fg == "warning")
            y += 1
        y = _draw_account(panel, y + 1, picture, room)
    if where.log is None and where.notes.height < LOG_ROWS:
        draw_log(panel.region(0, y, room, panel.height - y), picture)


def _draw_drafted(canvas: Canvas, y: int, picture: Picture, room: int) -> None:
    canvas.put(0, y, truncate(picture.drafted, room), "ok", bold=True)


def _draw_stepper(canvas: Canvas, y: int, stepper: Stepper | None) -> None:
    """What it is for, ` ◂ `, the number, whose digits can be turned, ` ▸ `, and ` ✓ `."""
    if stepper is None:
        return
    canvas.put(0, y, "price" if stepper.count < 2 else f"{stepper.count:>2} at", "soft")
    canvas.fill(6, y, 3, 1, "line")
    canvas.put(7, y, "◂", "text", bold=True)
    canvas.hit(6, y, 3, 1, ("step", -1))
    canvas.fill(9, y, 7, 1, "paper")
    canvas.right(15, y, stepper.text, "ink" if stepper.typed else "faded", bold=stepper.typed)
    for place, x in ((4, 9), (3, 10), (2, 11), (1, 13), (0, 14)):
        canvas.hit(x, y, 1, 1, ("digit", place))
    canvas.fill(16, y, 3, 1, "line")
    canvas.put(17, y, "▸", "text", bold=True)
    canvas.hit(15, y, 4, 1, ("step", 1))
    canvas.put(20, y, " ✓ ", "ink" if stepper.typed else "soft", "ok" if stepper.typed else "raised", bold=True)
    canvas.hit(20, y, 3, 1, "key:enter")


def _draw_buttons(canvas: Canvas, y: int, buttons: Sequence[tuple[str, str, bool]], room: int) -> int:
    """Buttons in rows. Returns the row after them."""
    if not buttons:
        return y
    one = sum(button_width(label, key) + 1 for label, key, _ in buttons) <= room + 1
    x = 0
    for number, (label, key, primary) in enumerate(buttons):
        if x and (x + button_width(label, key) > room or (number == 3 and not one)):
            x, y = 0, y + 1
        x = button(canvas, x, y, label, key, primary=primary, tall=False) + 1
    return y + 2


def _draw_primary(canvas: Canvas, y: int, buttons: Sequence[tuple[str, str, bool]]) -> int:
    """The primary button at the right end of a row. Returns the room that it leaves, less the margins."""
    x = canvas.width - 1
    for label, key, primary in buttons:
        if primary:
            x -= button_width(label, key)
            button(canvas, x, y, label, key, primary=True, tall=False)
    return x - 1 - (x < canvas.width - 1)


def _draw_account(canvas: Canvas, y: int, picture: Picture, room: int) -> int:
    """The start of a turn as a sum. Returns the row after it."""
    seat = picture.ledger.shown
    opening = picture.openings.get(seat) if seat is not None else None
    if opening is None or seat is None or y + 6 > canvas.height:
        return y
    canvas.put(0, y, _whose(picture, seat), "text", bold=True)
    canvas.hit(0, y, room, 6, "key:t")
    lines: list[tuple[str, str, Color]] = [
        ("balance", amount(opening.before), "text"),
        ("sales", f"+ {amount(opening.credits)}", "money" if opening.credits else "soft"),
        ("tax", f"- {amount(opening.tax)}", "warning"),
        ("revenue", f"+ {amount(opening.revenue)}", "ok"),
        ("", f"= {amount(opening.after)}", "money"),
    ]
    end = min(room, 24)
    for number, (label, text, fg) in enumerate(lines, start=y + 1):
        canvas.put(0, number, label, "soft")
        canvas.right(end, number, text, fg, bold=label == "")
    return y + 7


def draw_log(canvas: Canvas, picture: Picture) -> None:
    """Draws what happened lately, as much of it as there is room for, the latest last."""
    if canvas.height < 3:
        return
    canvas.put(0, 0, "What happened", "text", bold=True)
    lines: list[tuple[int, str, bool]] = []
    for seat, text in reversed(picture.log):
        part = wrap(text, canvas.width - 3)
        if len(lines) + len(part) >= canvas.height:
            break
        lines = [(seat, line, number == 0) for number, line in enumerate(part)] + lines
    for y, (seat, line, first) in enumerate(lines, start=1):
        if first:
            canvas.put(0, y, mark(seat), light(seat), bold=True)
        canvas.put(3, y, line, "soft")
    canvas.hit(0, 0, canvas.width, canvas.height, "key:l")
