"""The ledger: every seat's balance and land, what each turn costs and brings it, and who is out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from kimberley.client.boards.land.parcel_style import light, mark
from kimberley.client.boards.view import TALL_COLUMNS
from kimberley.client.session.participants import own_name, short_name
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import cell_width
from kimberley.client.ui.palette import Color
from kimberley.games.land.money import CENT, CENTS, GOAL, K, amount

COLUMNS: Final = (("cash", 27), ("land", 33), ("river", 40), ("tax 2%", 51), ("revenue 10%", 63), ("sales due", 78))
"""Headings, and the columns before which they and what is below them end."""
NARROW_COLUMNS: Final = (("cash", 24), ("land", 30), ("river", 37), ("tax 2%", 45), ("revenue", 55))
"""The same on a phone."""
PARCELS_FROM: Final = 45
"""Columns from which on the players' parcels are counted."""


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
    """What is to be seen. `turn` is the seat whose turn it is, `explained` that whose account is explained."""

    entries: Sequence[LedgerEntry]
    names: Sequence[str]
    you: int | None
    turn: int | None
    explained: int | None = None


def draw_ledger(canvas: Canvas, ledger: Ledger) -> None:
    """Draws every number of every seat over the whole canvas; each line is an area ("seat", n)."""
    for heading, end in _columns(canvas):
        cut = heading if canvas.width > end else heading.split()[-1]
        canvas.right(_spread(end, canvas.width), 0, cut, "soft")
    for seat in range(len(ledger.entries)):
        _draw_long(canvas, seat + 1, ledger, seat)
        canvas.hit(0, seat + 1, canvas.width, 1, ("seat", seat))


def draw_players(canvas: Canvas, ledger: Ledger) -> None:
    """Draws who plays, with their cash and what each turn brings them; all of it leads to the ledger. Cash is in whole
    K where long names need the room.
    """
    ledger, wide = replace(ledger, explained=None), canvas.width >= PARCELS_FROM
    net = canvas.width - 1
    cash = net - (11 if wide else 7)
    parcels = cash - 12
    texts = [_tenths(entry.cash) for entry in ledger.entries]
    room = (parcels if wide else cash) - 5 - max(map(len, texts))
    if any(cell_width(name) > room for name in ledger.names):
        texts = [f"{entry.cash // K}K" for entry in ledger.entries]
        room = (parcels if wide else cash) - 5 - max(map(len, texts))
    # The frame of a sector at the lower edge of the map ends here.
    canvas.fill(0, 0, canvas.width, 1, "ink")
    for heading, end in (("/turn", net), ("cash", cash), *((("parcels", parcels),) if wide else ())):
        canvas.right(end, 0, heading, "soft")
    for seat, entry in enumerate(ledger.entries):
        y = seat + 1
        _name(canvas, 1, y, ledger, seat, room)
        if entry.out:
            canvas.right(net, y, f"× {entry.out}", "warning")
            continue
        canvas.right(cash, y, texts[seat], _cash(entry)[1], bold=True)
        brings = entry.revenue - entry.tax
        sign = "+" if brings > 0 else "-" if brings < 0 else ""
        canvas.right(net, y, f"{sign}{abs(brings) / K:.1f}", "ok" if brings > 0 else "soft")
        if wide:
            canvas.right(parcels, y, str(entry.land), "text")
    canvas.hit(0, 0, canvas.width, len(ledger.entries) + 1, "key:t")


def _tenths(cash: int) -> str:
    """Returns a balance with one decimal, rounded down."""
    return f"{cash * 10 // K / 10:.1f}K"


def draw_portrait_ledger(canvas: Canvas, ledger: Ledger) -> None:
    """Draws it over three rows of a portrait screen, with headings if there is room; a touch explains tax and revenue.
    From four seats on, they lie side by side, with their cash alone.
    """
    canvas.fill(0, 0, canvas.width, canvas.height, "panel")
    many = len(ledger.entries) > canvas.height
    headings = len(ledger.entries) < canvas.height
    if headings:
        _draw_pair_headings(canvas, "Ledger")
    for seat in range(len(ledger.entries)):
        if many:
            half = canvas.region(seat // canvas.height * (canvas.width // 2), 0, canvas.width // 2, canvas.height)
            _draw_cash(half, seat % canvas.height, ledger, seat)
        else:
            _draw_short(canvas, seat + headings, ledger, seat)
    canvas.hit(0, 0, canvas.width, canvas.height, "key:t")


def _draw_cash(canvas: Canvas, y: int, ledger: Ledger, seat: int) -> None:
    """Draws name and cash alone."""
    entry = ledger.entries[seat]
    text, fg = _rounded(entry)
    _name(canvas, 2, y, ledger, seat, canvas.width - len(text) - 7)
    canvas.right(canvas.width - 1, y, f"× {text}" if entry.out else text, fg, bold=not entry.out)


def _rounded(entry: LedgerEntry) -> tuple[str, Color]:
    """Returns the cash in few columns."""
    return rounded_down(entry.cash), "soft" if entry.out else _cash(entry)[1]


def rounded_down(cash: int) -> str:
    """Returns a balance in few columns, rounded down, so that nobody seems to have a million before it is one."""
    return f"{cash // CENT / CENTS:.2f}K"


def _columns(canvas: Canvas) -> Sequence[tuple[str, int]]:
    return NARROW_COLUMNS if canvas.width <= TALL_COLUMNS else COLUMNS


def _spread(end: int, width: int) -> int:
    """Returns where a column ends on a ledger of that width: spread a little where there is room."""
    spare = max(0, min(30, width - 80))
    return min(end + spare * (end - 20) // 55, width - 1)


def _name(canvas: Canvas, x: int, y: int, ledger: Ledger, seat: int, room: int) -> None:
    """Draws mark and name. One's own name gives way to "you" where both have no room."""
    entry = ledger.entries[seat]
    if ledger.turn == seat and not entry.out:
        canvas.fill(0, y, canvas.width, 1, "raised")
        canvas.put(0, y, "▸", "text", bold=True)
    fg: Color = "soft" if entry.out else light(seat)
    canvas.put(x, y, mark(seat), fg, bold=True)
    own = seat == ledger.you
    name = own_name(ledger.names[seat], room) if own else short_name(ledger.names, seat, room)
    canvas.put(x + 3, y, name, "soft" if entry.out else "text", bold=not entry.out, underline=seat == ledger.explained)


def _cash(entry: LedgerEntry) -> tuple[str, Color]:
    text = f"{amount(entry.cash)}K"
    return text, "warning" if entry.cash < 0 else "ice" if entry.cash >= GOAL else "money"


def _signed(sign: str, units: int) -> str:
    return f"{sign}{amount(units)}" if units else "0"


def _draw_long(canvas: Canvas, y: int, ledger: Ledger, seat: int) -> None:
    entry = ledger.entries[seat]
    _name(canvas, 2, y, ledger, seat, 12)
    ends = [_spread(end, canvas.width) for _, end in _columns(canvas)]
    text, fg = _cash(entry)
    if entry.out:
        canvas.right(ends[0], y, text, "soft")
        canvas.put(ends[0] + 3, y, f"× {entry.out}", "warning")
        return
    canvas.right(ends[0], y, text, fg, bold=True)
    canvas.right(ends[1], y, str(entry.land), "text")
    canvas.right(ends[2], y, str(entry.river), "text")
    canvas.right(ends[3], y, _signed("-", entry.tax), "warning")
    canvas.right(ends[4], y, _signed("+", entry.revenue), "ok")
    if entry.due and len(ends) == len(COLUMNS):
        canvas.right(ends[5], y, f"+{amount(entry.due)}", "money")


def _draw_pair_headings(canvas: Canvas, title: str) -> None:
    canvas.put(1, 0, title, "text", bold=True)
    for heading, end in zip(("cash", "tax", "revenue" if canvas.width > 39 else "rev."), _ends(canvas), strict=True):
        canvas.right(end, 0, heading, "soft")


def _draw_short(canvas: Canvas, y: int, ledger: Ledger, seat: int) -> None:
    """Draws an entry in half a row."""
    entry = ledger.entries[seat]
    cash, tax, revenue = _ends(canvas)
    text, fg = _rounded(entry)
    _name(canvas, 2, y, ledger, seat, cash - len(text) - 6)
    canvas.right(cash, y, text, fg, bold=not entry.out)
    if entry.out:
        canvas.put(cash + 2, y, f"× {entry.out}", "warning")
        return
    canvas.right(tax, y, f"-{short(entry.tax)}", "warning")
    canvas.right(revenue, y, f"+{short(entry.revenue)}", "ok")


def _ends(canvas: Canvas) -> tuple[int, int, int]:
    """Returns the columns before which cash, tax and revenue end, in half a ledger."""
    return (23, 31, 39) if canvas.width > 39 else (23, 30, 37)


def short(units: int) -> str:
    """Returns an amount in K with two decimals, rounded."""
    return f"{units / K:.2f}"
