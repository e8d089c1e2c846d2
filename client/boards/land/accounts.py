"""The ledger, and why tax and revenue are what they are: a seat's parcels one by one, in a dialog that can be
scrolled.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from kimberley.client.boards.land.ledger import draw_ledger
from kimberley.client.boards.land.parcel_style import INKS, LANDS, light, mark
from kimberley.client.boards.land.phrases import holdings
from kimberley.client.boards.land.picture import Picture, explained
from kimberley.client.boards.subject import Subject
from kimberley.client.session.participants import short_name
from kimberley.client.ui.bars import key_bar
from kimberley.client.ui.buttons import button
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.columns import Column, TableColumns
from kimberley.client.ui.glyphs import wrap
from kimberley.client.ui.keys import Hint
from kimberley.client.ui.lists import Scroll
from kimberley.client.ui.panels import dialog, paragraph
from kimberley.client.ui.screen import Screen, Ui
from kimberley.client.ui.spans import Span
from kimberley.games.land.accounts import Account, account
from kimberley.games.land.maps import KIND_NAMES
from kimberley.games.land.money import CENT, amount, price

WIDEST: Final = 78
WHEN: Final = "at the start of each turn"
COLUMNS: Final = (
    Column(room=3, gap=2), Column("parcel", 7, gap=0), Column(room=14, gap=0), Column("price", 7, right=True, gap=0),
    Column("tax 2%", 10, right=True), Column("base", 7, right=True), Column("revenue 10%", 12, right=True),
)  # fmt: skip
PORTRAIT_COLUMNS: Final = (
    Column("parcel", 4, gap=2), Column("price", 8, right=True, gap=0), Column("tax 2%", 9, right=True, gap=0),
    Column("revenue", 9, right=True, gap=0),
)  # fmt: skip
"""The same on a portrait screen: kinds as letters alone, and no base prices."""


class AccountScreen(Screen):
    """The ledger of all seats, and what the land of one of them costs and brings at the start of each turn, parcel by
    parcel. Tab goes on to the next seat. A portrait screen, whose board has a ledger, shows the parcels alone.
    """

    overlay = True

    def __init__(self, ui: Ui, picture: Picture) -> None:
        super().__init__(ui)
        self._map, self._land, self._openings = picture.map, picture.land, picture.openings
        self._ledger = picture.ledger
        self._seat = picture.ledger.explained or 0
        self._scroll = Scroll()
        self._page = 8

    @property
    def _known(self) -> Account:
        return account(self._map, self._land, self._seat)

    def draw(self, canvas: Canvas, now: float) -> None:
        del now
        known = self._known
        name = short_name(self._ledger.names, self._seat, 20)
        margin = 2 if canvas.portrait else 4
        who = Subject(name, self._seat == self._ledger.you)
        title = f"{who.owner} land" if canvas.portrait else "Ledger"
        inside = dialog(canvas, min(canvas.width - margin, WIDEST), canvas.height - 2, title)
        y = 0 if canvas.portrait else self._draw_ledger(inside)
        inside.put(0, y, mark(self._seat), light(self._seat), bold=True)
        joined = sum(len(group.parcels) for group in known.groups if group.river)
        owns = f"{who} {who.does('owns')} {holdings(len(known.lines), joined)}."
        y = paragraph(inside, 3, y, wrap(owns, inside.width - 3)) + (1 if canvas.portrait else 0)
        table = TableColumns(PORTRAIT_COLUMNS if canvas.portrait else COLUMNS, inside.width)
        table.headings(inside, 0, y)
        room = inside.height - y - (4 if canvas.portrait else 5)
        self._page = room
        y += 1
        for line, index in enumerate(self._scroll.shown(len(known.lines), room), start=y):
            self._draw_line(inside, table, line, known, index)
        self._draw_sums(inside, table, y + room, known)
        if canvas.portrait:
            scroll = [Hint("PgDn", "down"), Hint("PgUp", "up")] if len(known.lines) > room else []
            key_bar(canvas, [Hint("Esc", "close", primary=True), *scroll, Hint("→", "next player")])
        else:
            button(inside, 0, inside.height - 1, "Next player", "Tab", tall=False)
            button(inside, inside.width - 13, inside.height - 1, "Close", "Esc", primary=True, tall=False)

    def _draw_ledger(self, inside: Canvas) -> int:
        """Draws every number of every seat, and how the turn of the selected one began. Returns the row after it."""
        ledger = replace(self._ledger, explained=self._seat)
        draw_ledger(inside.region(0, 0, inside.width, len(ledger.entries) + 1), ledger)
        lines = wrap(explained(ledger, self._openings), inside.width)
        return paragraph(inside, 0, len(ledger.entries) + 2, lines[:2]) + 1

    def _draw_sums(self, inside: Canvas, table: TableColumns, y: int, known: Account) -> None:
        inside.rule(0, y, inside.width)
        tax, revenue = Span(f"- {amount(known.tax)}", "warning", True), Span(f"+ {amount(known.revenue)}", "ok", True)
        if inside.portrait:
            inside.put(0, y + 1, WHEN, "soft")
            table.row(inside, 0, y + 2, ((), (), tax, revenue))
        else:
            table.row(inside, 0, y + 1, ((), Span(WHEN, "soft"), None, None, tax, (), revenue))

    def _draw_line(self, inside: Canvas, table: TableColumns, y: int, known: Account, index: int) -> None:
        line = known.lines[index]
        joined = known.groups[line.group].river
        revenue = Span(f"+ {amount(line.revenue)}", "ok") if joined else Span("no river", "soft")
        name, tax = Span(self._map.name(line.parcel)), Span(f"- {amount(line.tax)}", "warning")
        paid = Span(price(line.price), "money")
        if inside.portrait:
            table.row(inside, 0, y, (name, paid, tax, revenue))
            inside.put(0, y, line.kind, INKS[line.kind], LANDS[line.kind], bold=True)
            return
        base = Span(amount(self._map.base(line.parcel) * CENT), "soft")
        cells = ((), name, Span(KIND_NAMES[line.kind], "soft"), paid, tax, base, revenue)
        table.row(inside, 0, y, cells, focused=index == self._scroll.focus, action=("line", index))
        inside.put(3, y, line.kind, INKS[line.kind], LANDS[line.kind], bold=True)

    def key(self, name: str) -> bool:
        if self._scroll.key(name, len(self._known.lines), self._page):
            return True
        match name:
            case "tab" | "s-tab" | "right" | "left":
                step = 1 if name in ("tab", "right") else -1
                self._choose((self._seat + step) % len(self._ledger.entries))
            case "esc" | "enter" | "t" | "q":
                self.ui.pop(self)
            case _:
                return False
        return True

    def click(self, action: Action, x: int, y: int, button: str) -> bool:
        del x, y, button
        match action:
            case ("line", int(index)):
                self._scroll.focus = index
            case ("seat", int(seat)):
                self._choose(seat)
            case _:
                return False
        return True

    def _choose(self, seat: int) -> None:
        """Selects a seat."""
        self._seat, self._scroll = seat, Scroll()

    def wheel(self, action: Action | None, x: int, y: int, steps: int) -> bool:
        del action, x, y
        return self._scroll.wheel(steps, len(self._known.lines))
