"""Everything that the board shows at one position, and how it is drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from kimberley.client.boards.land.dice import draw_roll
from kimberley.client.boards.land.layout import TOP, Layout, layout
from kimberley.client.boards.land.ledger import Ledger, LedgerEntry, draw_ledger, draw_players
from kimberley.client.boards.land.overview import Overview, draw_legend, draw_overview, scale_for
from kimberley.client.boards.land.parcel_style import Plot, light, mark
from kimberley.client.boards.land.phrases import DEAL_SIGNS, NO_CHANGES, explain_changes, has_more_turns, why_out
from kimberley.client.boards.land.sector import SectorView, about, cells, draw_parcels, draw_title, legend
from kimberley.client.session.participants import short_name
from kimberley.client.ui.bars import whole_lines
from kimberley.client.ui.buttons import Button, button_width, draw_buttons
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import truncate, wrap
from kimberley.client.ui.palette import Color
from kimberley.client.ui.panels import paragraph
from kimberley.client.ui.spans import Span, draw_lines, log_tail
from kimberley.games.land.accounts import TurnOpening, account, explain_opening
from kimberley.games.land.deals import DealMade
from kimberley.games.land.land import Land
from kimberley.games.land.maps import Map
from kimberley.games.land.rules import State

HEADED_LOG: Final = 4
"""The rows of a log that has a heading."""
TALL_SECTOR: Final = 12
TALL_MAP_X: Final = 3
"""The rows of the sector and the column of the map on a phone's page."""


def signs(dealt: tuple[DealMade, ...]) -> dict[int, str]:
    """Returns what a turn did, by parcel."""
    return {done.deal[1]: DEAL_SIGNS[done.deal[0]] for done in dealt}


@lru_cache(maxsize=8)
def plots(map: Map, land: Land, seats: int) -> tuple[Plot, ...]:
    """Returns every parcel as it is drawn."""
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
    """Returns the lines of the ledger."""
    assert state.map is not None
    entries = []
    for seat in range(state.seats):
        known = account(state.map, state.land, seat)
        river = sum(len(group.parcels) for group in known.groups if group.river)
        entries.append(
            LedgerEntry(
                state.cash[seat],
                state.due[seat] if has_more_turns(state, seat) else 0,
                len(known.lines),
                river,
                known.tax,
                known.revenue,
                why_out(state, seat),
            )
        )
    return tuple(entries)


@dataclass(frozen=True, slots=True)
class Stepper:
    """The price that is being set: `text` as it is shown, `typed` if the player has entered it. `of` names the parcels,
    and `tax` says what the price costs each turn.
    """

    text: str
    typed: bool
    of: str
    tax: str


@dataclass(frozen=True, slots=True)
class Picture:
    """What the board shows.

    `lit` are parcels that stand out on the map. `signs` say by parcel what a turn did. `openings` are by seat.
    `message` is text with its color. `log` is (seat, text), the latest last. While the player's own dice are `rolling`,
    nothing else is shown. `taxed` is as in `SectorView`.
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
    buttons: Sequence[Button] = ()
    rolling: bool = False
    over: bool = False
    taxed: bool = True

    def layout(self, width: int, height: int) -> Layout:
        """Returns where everything lies on a terminal of that size."""
        return layout(width, height, self.map.side, len(self.ledger.entries))

    @property
    def plots(self) -> tuple[Plot, ...]:
        """Every parcel as it is drawn."""
        return plots(self.map, self.land, len(self.ledger.entries))

    @property
    def looked(self) -> tuple[int, int] | None:
        """The sector that is looked at, if it is not the one in play."""
        return self.shown if self.shown != self.sector else None

    @property
    def sector_view(self) -> SectorView:
        """The sector that is shown."""
        dice, you = self.dice if self.looked is None else None, self.ledger.you
        out = you is not None and bool(self.ledger.entries[you].out)
        return SectorView(
            self.map, self.plots, self.shown, self.ledger.names, self.ledger.you, dice, self.sector, self.cursor,
            self.marks, self.signs, self.over, out, self.taxed,
        )  # fmt: skip


def draw_picture(canvas: Canvas, picture: Picture) -> Layout:
    """Draws the whole board. Returns where everything lies."""
    where = picture.layout(canvas.width, canvas.height)
    view = picture.sector_view
    if not picture.rolling:
        draw_title(canvas.region(*where.heading), 0, 0, view, where.heading.width)
        canvas.hit(*where.heading, ("dice",))
    map = where.map
    draw_overview(
        canvas, map.left, map.top,
        Overview(where.scale, picture.plots, picture.mode, picture.sector, picture.looked, picture.cursor, picture.lit),
    )  # fmt: skip
    canvas.hit(*map, ("map",))
    draw_players(canvas.region(*where.players), picture.ledger)
    card = canvas.region(*where.card)
    if picture.rolling and picture.dice is not None:
        opening = picture.openings.get(picture.ledger.turn) if picture.ledger.turn is not None else None
        draw_roll(canvas.region(1, TOP, where.cells.columns, where.cells.rows), picture.dice, opening)
    else:
        draw_parcels(canvas, 1, TOP, view, where.cells)
    if picture.buttons:
        _draw_card(card, picture, view)
        _draw_buttons(canvas, where, picture.buttons)
    else:
        notes = where.card._replace(height=canvas.height - 1 - where.card.top)
        _draw_notes(canvas.region(*notes), picture, view, logs=not where.logs)
    if where.log is not None and (where.logs or picture.buttons):
        draw_log(canvas.region(*where.log), picture)
    return where


def draw_tall_picture(canvas: Canvas, picture: Picture) -> None:
    """Draws the map, below it the sector, the ledger and what happened: for a page on a phone."""
    seats = len(picture.ledger.entries)
    room, rows = canvas.width - 2, canvas.height - TALL_SECTOR - seats - 7
    scale = scale_for(picture.map.side, canvas.width - TALL_MAP_X, rows)
    view = Overview(scale, picture.plots, picture.mode, picture.sector)
    draw_legend(canvas, TALL_MAP_X - 2, 0, canvas.width - TALL_MAP_X + 2, view)
    draw_overview(canvas, TALL_MAP_X, 2, view)
    y = 3 + view.scale.rows
    sector = picture.sector_view
    draw_title(canvas, 1, y, sector, room)
    draw_parcels(canvas, 1, y + 1, sector, cells(room, TALL_SECTOR))
    y += 1 + TALL_SECTOR
    ledger = canvas.region(0, y, canvas.width, seats + 1)
    ledger.fill(0, 0, ledger.width, ledger.height, "panel")
    draw_ledger(ledger, picture.ledger)
    text, fg = picture.message
    paragraph(canvas, 1, y + seats + 1, wrap(text, room)[:3], fg)


def explained(ledger: Ledger, openings: Mapping[int, TurnOpening]) -> str:
    """Says how the balance of the seat that is looked at came about at the start of its turn."""
    seat = ledger.explained
    if seat is None or seat not in openings:
        return "A turn begins with sales, 2% tax, and 10% from land connected to the river."
    return f"{_opened(ledger, seat)} {explain_opening(openings[seat])}"


def _opened(ledger: Ledger, seat: int) -> str:
    you, name = seat == ledger.you, f"{short_name(ledger.names, seat, 12)}’s"
    ended = ledger.over or ledger.entries[seat].out
    if _acts(ledger, seat) and not ended:
        return f"Start of {'your' if you else name} turn:"
    return f"Before {'your' if you else name} {'last turn' if ended else 'turn'}:"


def _acts(ledger: Ledger, seat: int) -> bool:
    """Returns whether it is a seat's turn, or was at the event that is shown."""
    return ledger.turn is None or ledger.turn == seat


def _began(picture: Picture) -> str:
    """Says what the start of the turn that is looked at changed; nothing if that is not known, or if it changed nothing
    and the turn is over.
    """
    seat = picture.ledger.explained
    if seat is None or seat not in picture.openings:
        return ""
    ended = picture.over or not _acts(picture.ledger, seat)
    if ended and explain_changes(picture.openings[seat]) == NO_CHANGES:
        return ""
    return f"{_opened(picture.ledger, seat)} {explain_changes(picture.openings[seat])}."


# -- the card ----------------------------------------------------------------------------------------------------------


def _draw_card(canvas: Canvas, picture: Picture, view: SectorView) -> None:
    """Draws what there is to say about the parcel, or its price while that is set; below, what the last key did."""
    text, fg = picture.message
    lines = whole_lines(text, canvas.width, canvas.height) if text else []
    if fg == "soft" and len(lines) == canvas.height:
        lines = []
    room = canvas.height - len(lines)
    if picture.stepper is not None:
        _draw_stepper(canvas, 0, picture.stepper)
        told = whole_lines(text, canvas.width, canvas.height - 1) if fg in ("ok", "warning") and text else []
        if not told or (fg == "ok" and told[-1].endswith("…")):
            told, fg = [picture.stepper.tax], "soft"
        lines = told
        room = 1
    elif room and picture.cursor is not None:
        short, *full = about(view, picture.cursor)
        parcel_lines = wrap(" ".join(full), canvas.width)
        parcel_lines = parcel_lines if len(parcel_lines) < room else [truncate(short, canvas.width)]
        meaning = legend(view, picture.cursor)
        parcel_lines = [*parcel_lines, meaning] if meaning and len(parcel_lines) < room else parcel_lines
        canvas.hit(0, 0, canvas.width, len(parcel_lines), ("about",))
        for y, line in enumerate(parcel_lines):
            canvas.put(0, y, line, "text")
        room = min(room, len(parcel_lines) + (canvas.height > 2))
    for y, line in enumerate(lines, start=min(room, canvas.height - len(lines))):
        canvas.put(0, y, line, fg, bold=fg == "warning")


def _draw_stepper(canvas: Canvas, y: int, stepper: Stepper) -> None:
    """Draws what is being priced, ` ◂ `, the price, whose digits can be clicked, and ` ▸ `."""
    x = canvas.put(0, y, f"Price of {stepper.of}", "text", bold=True) + 2
    canvas.fill(x, y, 3, 1, "line")
    canvas.put(x + 1, y, "◂", "text", bold=True)
    canvas.hit(x, y, 3, 1, ("step", -1))
    canvas.fill(x + 3, y, 8, 1, "paper")
    canvas.right(x + 10, y, stepper.text, "ink" if stepper.typed else "faded", bold=stepper.typed)
    for place, at in ((4, 4), (3, 5), (2, 6), (1, 8), (0, 9)):
        canvas.hit(x + at, y, 1, 1, ("digit", place))
    canvas.fill(x + 11, y, 3, 1, "line")
    canvas.put(x + 12, y, "▸", "text", bold=True)
    canvas.hit(x + 10, y, 4, 1, ("step", 1))


def _draw_buttons(canvas: Canvas, where: Layout, buttons: Sequence[Button]) -> None:
    """Draws the buttons over the width of the sector."""
    spare = where.cells.columns - sum(button_width(label, key) for label, key, *_ in buttons)
    gap = min(4, spare // max(1, len(buttons) - 1))
    draw_buttons(canvas, 1, where.buttons + 1, buttons, gap=gap)


def _draw_notes(canvas: Canvas, picture: Picture, view: SectorView, *, logs: bool) -> None:
    """Draws the parcel that is looked at; else what happened if it `logs`, or how the turn began."""
    lines = wrap(_began(picture), canvas.width)
    if picture.cursor is not None:
        short, *full = about(view, picture.cursor)
        lines = [short] if logs else wrap(" ".join(full), canvas.width)
    y = paragraph(canvas, 0, 0, lines, "soft" if picture.cursor is None else "text")
    if logs:
        draw_log(canvas.region(0, y, canvas.width, canvas.height - y), picture)


def draw_log(canvas: Canvas, picture: Picture) -> None:
    """Draws the latest events, as many as there is room for, the newest last."""
    top = int(canvas.height >= HEADED_LOG)
    entries = [(Span(f"{mark(seat)} ", light(seat), True), (Span(text, "soft"),)) for seat, text in picture.log]
    if lines := log_tail(entries, canvas.width, canvas.height - top, whole=True):
        if top:
            canvas.put(0, 0, "What happened", "text", bold=True)
            canvas.mark_list(0, 0, canvas.width, top + len(lines))
        draw_lines(canvas, 0, top, lines)
        canvas.hit(0, 0, canvas.width, canvas.height, "key:l")
