"""The ledger: every seat's balance and land, what each turn costs and brings it, and who is out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from kimberley.client.boards.land.parcel_style import light, mark
from kimberley.client.session.participants import own_name, short_name
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.columns import CellText, Column, TableColumns
from kimberley.client.ui.glyphs import cell_width
from kimberley.client.ui.palette import Color
from kimberley.client.ui.spans import Span
from kimberley.games.land.money import CENT, GOAL, K, amount

WHO: Final = (Column(room=1), Column(room=2))
"""The columns for whose turn it is, and for a seat's mark."""
COLUMNS: Final = (
    *WHO, Column(room=12), Column("cash", 10, right=True, gap=0, least=7), Column("land", 5, right=True),
    Column("river", 6, right=True), Column("tax 2%", 10, right=True, least=7),
    Column("revenue 10%", 11, right=True, least=9, short="revenue"), Column("due", 5, right=True, fills=True, drops=1),
)  # fmt: skip
PORTRAIT_COLUMNS: Final = (
    *WHO, Column(room=13), Column("cash", right=True), Column("tax", 7, right=True, least=6),
    Column("revenue", 7, right=True, least=6, short="rev."),
)  # fmt: skip
CASH_COLUMNS: Final = (*WHO, Column(fills=True), Column(right=True))
"""Those of many seats, side by side."""
PARCELS_FROM: Final = 45
"""From this many columns on, each player's parcels are counted, too."""


class LedgerEntry(NamedTuple):
    """A seat's line. Amounts in units; `land` and `river` count parcels, all and those joined to the river.

    `out` is why the seat is out, "" if it is in.
    """

    cash: int
    due: int
    land: int
    river: int
    tax: int
    revenue: int
    out: str = ""


@dataclass(frozen=True, slots=True)
class Ledger:
    """What the ledger shows. `turn` is the seat whose turn it is, `explained` that whose account is explained. `over`:
    nobody has another turn.
    """

    entries: Sequence[LedgerEntry]
    names: Sequence[str]
    you: int | None
    turn: int | None
    explained: int | None = None
    over: bool = False


def draw_ledger(canvas: Canvas, ledger: Ledger) -> None:
    """Draws every number of every seat over the whole canvas; each line is an area ("seat", n)."""
    table = TableColumns(COLUMNS, canvas.width, margin=1)
    table.headings(canvas, 0, 0)
    for seat, entry in enumerate(ledger.entries):
        numbers: tuple[CellText, ...] = (
            _cash(entry), Span(str(entry.land)), Span(str(entry.river)),
            Span(_signed("-", entry.tax), "warning"), Span(_signed("+", entry.revenue), "ok"),
            Span(f"+{amount(entry.due)}" if entry.due else "", "money"),
        )  # fmt: skip
        if entry.out:
            numbers = _cash(entry), Span(f"  × {entry.out}", "warning")
        _row(table, canvas, seat + 1, ledger, seat, numbers, ("seat", seat))


def draw_players(canvas: Canvas, ledger: Ledger) -> None:
    """Draws the players with their cash and what each turn brings them; a click anywhere opens the ledger. Cash is in
    whole K where long names need the room.
    """
    ledger, wide = replace(ledger, explained=None), canvas.width >= PARCELS_FROM
    cash, turn = Column("cash", 11 if wide else 3, right=True), Column("/turn", 10 if wide else 6, right=True)
    parcels = [Column("parcels", 3, right=True)] if wide else []
    table = TableColumns(
        (WHO[0], WHO[1]._replace(gap=0), Column(fills=True), *parcels, cash, turn), canvas.width, margin=1
    )
    # Between mark and cash, or between mark and parcels.
    most = table.places[len(WHO) + 1].end - 5
    texts = [cut_cash(entry.cash, K // 10) for entry in ledger.entries]
    if any(cell_width(name) > most - max(map(len, texts)) for name in ledger.names):
        texts = [cut_cash(entry.cash, K) for entry in ledger.entries]
    room = most - max(map(len, texts))
    # The frame of a sector at the lower edge of the map ends here.
    canvas.fill(0, 0, canvas.width, 1, "ink")
    table.headings(canvas, 0, 0)
    for seat, entry in enumerate(ledger.entries):
        brings = entry.revenue - entry.tax
        sign = "+" if brings > 0 else "-" if brings < 0 else ""
        numbers = (
            *((Span(str(entry.land)),) if wide else ()), _cash(entry)._replace(text=texts[seat]),
            Span(f"{sign}{abs(brings) / K:.1f}", "ok" if brings > 0 else "soft"),
        )  # fmt: skip
        if entry.out:
            numbers = (*(Span("") for _ in numbers[1:]), Span(f"× {entry.out}", "warning"))
        _row(table, canvas, seat + 1, ledger, seat, numbers, room=room)
    canvas.hit(0, 0, canvas.width, len(ledger.entries) + 1, "key:t")


def draw_portrait_ledger(canvas: Canvas, ledger: Ledger) -> None:
    """Draws the ledger over three rows of a portrait screen, with headings if there is room; a touch explains tax and
    revenue. Four seats or more lie side by side, with their cash alone.
    """
    canvas.fill(0, 0, canvas.width, canvas.height, "panel")
    seats = len(ledger.entries)
    many, headings = seats > canvas.height, seats < canvas.height
    width = canvas.width // 2 if many else canvas.width
    table = TableColumns(CASH_COLUMNS if many else PORTRAIT_COLUMNS, width, margin=1)
    if headings:
        canvas.put(1, 0, "Ledger", "text", bold=True)
        table.headings(canvas, 0, 0)
    for seat, entry in enumerate(ledger.entries):
        cash = _cash(entry)._replace(text=cut_cash(entry.cash))
        numbers: tuple[CellText, ...] = (
            cash, Span(f"-{short(entry.tax)}", "warning"), Span(f"+{short(entry.revenue)}", "ok")
        )  # fmt: skip
        if entry.out:
            out = cash._replace(text=f"× {cash.text}") if many else cash
            numbers = out, Span(f" × {entry.out}", "warning")
        column, y = divmod(seat, canvas.height) if many else (0, seat + headings)
        part = canvas.region(column * width, 0, width, canvas.height)
        # The sign of a player who is out may touch the name.
        room = width - len(cash.text) - 7 if many else None
        _row(table, part, y, ledger, seat, numbers[:1] if many else numbers, room=room)
    canvas.hit(0, 0, canvas.width, canvas.height, "key:t")


def cut_cash(cash: int, step: int = CENT) -> str:
    """Returns a balance in few columns: anything below a step of 1K, 0.1K or 0.01K is cut off, so that nobody seems to
    have a million too early. A debt smaller than that is given exactly.
    """
    if -step < cash < 0:
        return f"{amount(cash)}K"
    whole, rest = divmod(abs(cash) // step * step, K)
    decimals = {K: "", K // 10: f".{rest * 10 // K}", CENT: f".{rest // CENT:02}"}
    return f"{'-' if cash < 0 else ''}{whole}{decimals[step]}K"


def _row(
    table: TableColumns, canvas: Canvas, y: int, ledger: Ledger, seat: int, numbers: Sequence[CellText],
    action: Action | None = None, room: int | None = None,
) -> None:  # fmt: skip
    """Draws a seat: whose turn it is, mark, name and numbers. The player's own name gives way to "you" where there is
    no room for both; the name takes at most `room` columns.
    """
    out, own = bool(ledger.entries[seat].out), seat == ledger.you

    def name(columns: int) -> Span:
        most = columns if room is None else room
        text = own_name(ledger.names[seat], most) if own else short_name(ledger.names, seat, most)
        return Span(text, "soft" if out else "text", not out, underline=seat == ledger.explained)

    acts = ledger.turn == seat and not out
    cells = (Span("▸" if acts else "", bold=True), Span(mark(seat), "soft" if out else light(seat), True), name)
    table.row(canvas, 0, y, (*cells, *numbers), ground="raised" if acts else None, action=action)


def _cash(entry: LedgerEntry) -> Span:
    fg: Color = "warning" if entry.cash < 0 else "ice" if entry.cash >= GOAL else "money"
    return Span(f"{amount(entry.cash)}K", "soft" if entry.out else fg, not entry.out)


def _signed(sign: str, units: int) -> str:
    return f"{sign}{amount(units)}" if units else "0"


def short(units: int) -> str:
    """Returns an amount in K with two decimals, rounded."""
    return f"{units / K:.2f}"
