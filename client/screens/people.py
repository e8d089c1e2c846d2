"""Who sits at the table: seats, keys, whom the table waits for and for how long, who is away, and who has left."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from kimberley.client.session.participants import (
    NOT_COME,
    WaitTracker,
    awaited_seats,
    choosing_seats,
    departed_seats,
    elapsed,
    key_status,
    short_name,
)
from kimberley.client.ui.bars import key_bar
from kimberley.client.ui.buttons import button
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.keys import Hint
from kimberley.client.ui.layout import seat_mark
from kimberley.client.ui.palette import Color
from kimberley.client.ui.panels import dialog
from kimberley.client.ui.screen import Screen, Ui
from kimberley.p2p.sentences.notices import RESIGNED

if TYPE_CHECKING:
    from kimberley.p2p.table.table import Table

ROOM: Final = 74


class PeopleDialog(Screen):
    """A line for each seat, over whatever is shown."""

    overlay = True

    def __init__(self, ui: Ui, table: Table, waits: WaitTracker) -> None:
        super().__init__(ui)
        self._table, self._waits = table, waits

    def draw(self, canvas: Canvas, now: float) -> None:
        table = self._table
        seats = table.occupants.seats if table.phase == "open" else len(table.occupants.names)
        inside = dialog(canvas, ROOM, 2 * seats + 6, "Players")
        for seat in range(seats):
            self._draw_seat(inside, 1 + 2 * seat, seat, now)
        if not canvas.touch:
            button(inside, 1, 2 * seats + 2, "Back", "Esc", fill="line")
        key_bar(canvas, [Hint("Esc", "back")])

    def _draw_seat(self, inside: Canvas, y: int, seat: int, now: float) -> None:
        table = self._table
        if seat >= len(table.occupants.names):
            inside.put(1, y, f"{seat + 1} ◇ free", "soft")
            return
        at = seat_mark(inside, 1, y, seat) + 1
        inside.put(at, y, short_name(table.occupants.names, seat, 14 if inside.portrait else 20), "text", bold=True)
        key, fg = key_status(table, seat)
        key_at = (at, y + 1) if inside.portrait else (at + 21, y)
        inside.put(*key_at, "you" if seat == table.occupants.seat else key, fg)
        inside.right(inside.width - 1, y, *self._doing(seat, now))

    def _doing(self, seat: int, now: float) -> tuple[str, Color]:
        table, since = self._table, self._waits.since(seat)
        time = "" if since is None else f" for {elapsed(now - since)}"
        if seat in departed_seats(table):
            return RESIGNED, "soft"
        if seat in table.reconnection.not_come:
            return NOT_COME, "warning"
        if seat in table.reconnection.away:
            return f"away{time}", "warning"
        if seat in awaited_seats(table):
            return self._owed(seat, time), "money"
        return "✓", "ok"

    def _owed(self, seat: int, time: str) -> str:
        """Returns what everybody is waiting for a seat to do."""
        table = self._table
        if choosing_seats(table, [seat]):
            return f"choosing{time}"
        if table.phase == "open":
            return "not ready"
        return f"{'comparing' if table.phase == 'words' else 'no answer'}{time}"

    def key(self, name: str) -> bool:
        if name not in ("esc", "enter", "w"):
            return False
        self.ui.pop(self)
        return True

    def next_frame(self, now: float) -> float | None:
        counts = any(self._waits.since(seat) is not None for seat in range(len(self._table.occupants.names)))
        return math.floor(now) + 1.0 if counts else None
