"""Waiting for a table: while it is opened or joined, while seats are free, and when it came to nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any

from client.canvas import Canvas
from client.glyphs import fitted, width, wrapped
from client.screen import Help, Screen, Section
from client.screens.shell import Shell
from client.screens.stage import command, facts, option_lines, seat_mark, stage
from client.seats import TableLike
from client.widgets import Hint, button, key_bar, panel, paragraph, phase_strip, title_bar

if TYPE_CHECKING:
    from client.sitting import Sitting

SLOW_SECONDS = 0.3


class ConnectingScreen(Screen):
    """Shown while a table is opened or joined. Esc gives it up."""

    def __init__(self, shell: Shell, title: str, doing: str, work: Coroutine[Any, Any, TableLike]) -> None:
        super().__init__(shell)
        self.shell, self.title, self.doing = shell, title, doing
        self._work = work
        self._task: asyncio.Task[object] | None = None
        self._since = shell.now()

    def opened(self) -> None:
        self.ui.start(self._wait())

    async def _wait(self) -> None:
        self._task = asyncio.current_task()
        try:
            table = await self._work
        except Exception as error:
            if not self.shell.services.is_trouble(error):
                raise
            self._task = None
            self.ui.replace(FailedScreen(self.shell, self.title, str(error), None))
            return
        self._task = None
        self.shell.take_seat(table)

    def closed(self) -> None:
        if self._task is not None:
            self._task.cancel()
        else:
            # Never started: a coroutine that nobody awaits must be closed.
            self._work.close()

    def draw(self, canvas: Canvas, now: float) -> None:
        title_bar(canvas, self.title, self.ui.settings.name)
        waited = now - self._since
        phase_strip(canvas, 1, "WAIT", self.doing, f"{waited:.0f} s" if waited >= 1 else "")
        if waited >= SLOW_SECONDS:
            ground = stage(canvas)
            inside = panel(ground, 20, 5, 40, 5)
            inside.centre(0, 1, inside.width, self.doing)
            button(ground, 34, 12, "Cancel", "Esc")
        key_bar(canvas, [Hint("Esc", "cancel")])

    def next_frame(self, now: float) -> float | None:
        return self._since + (SLOW_SECONDS if now - self._since < SLOW_SECONDS else int(now - self._since) + 1)

    def key(self, name: str) -> bool:
        if name != "esc":
            return False
        if self._task is None and self.shell.sitting is not None:
            self.shell.sitting.leave()
        else:
            self.ui.pop(self)
        return True


class FailedScreen(Screen):
    """Says what went wrong and what to do about it."""

    def __init__(self, shell: Shell, title: str, problem: str, record: Path | None) -> None:
        super().__init__(shell)
        self.title, self.problem, self.record = title, problem, record

    def draw(self, canvas: Canvas, now: float) -> None:
        title_bar(canvas, self.title, self.ui.settings.name)
        phase_strip(canvas, 1, "STOP", "This table came to an end.")
        ground = stage(canvas)
        lines = wrapped(self.problem or "The table was closed.", 58)
        kept = wrapped(f"What was played so far is kept: {self.record}", 58) if self.record else []
        rows = len(lines) + len(kept) + (5 if kept else 4)
        inside = panel(ground, 8, 2, 64, rows, "What happened")
        y = paragraph(inside, 1, 1, lines, "text")
        paragraph(inside, 1, y + 1, kept)
        button(ground, 8, rows + 4, "Back", "Enter", primary=True)
        key_bar(canvas, [Hint("Enter", "title screen"), Hint("Esc", "title screen")])

    def key(self, name: str) -> bool:
        if name in ("enter", "esc"):
            self.ui.home()
            return True
        return False


class WaitingScreen(Screen):
    """An open table: who sits there, and for the host what others type to join."""

    def __init__(self, shell: Shell, table: TableLike, sitting: Sitting) -> None:
        super().__init__(shell)
        self.shell, self.sitting, self._table = shell, sitting, table
        self.ways = tuple(table.addresses)

    @property
    def table(self) -> TableLike:
        return self._table

    def draw(self, canvas: Canvas, now: float) -> None:
        table = self._table
        total, taken = table.seats, len(table.names)
        owner = "your table" if table.host else f"{table.names[table.host_seat]}’s table"
        title_bar(canvas, f"{table.game.title} · {owner}", self.ui.settings.name if not table.host else "")
        sentence = (
            "Your table is open: waiting for someone to join."
            if table.host
            else "You have a seat. Others are still to come."
        )
        phase_strip(canvas, 1, "HOST" if table.host else "SEATED", sentence, f"{taken} of {total} seats taken")
        ground = stage(canvas)
        self._draw_seats(ground, total)
        if table.host:
            self._draw_ways(ground)
        lines = option_lines(table.game, table.options)
        if lines:
            ground.put(1, 16, "Options", "text", bold=True)
            ground.rule(1, 17, 42)
            facts(ground, 1, 18, lines, 12)
        button(ground, 47, 18, "Close the table" if table.host else "Leave", "Esc")
        key_bar(canvas, [
            *([Hint("y", "copy what to type")] if self.ways else []),
            Hint("Esc", "close the table" if table.host else "leave"), Hint("F1", "help"), Hint("F10", "menu"),
        ])  # fmt: skip

    def _draw_seats(self, ground: Canvas, total: int) -> None:
        table = self._table
        inside = panel(ground, 1, 1, 32, max(12, 2 * total + 3), "Seats")
        for seat in range(total):
            y = 1 + 2 * seat
            if seat < len(table.names):
                at = seat_mark(inside, 0, y, seat) + 1
                at = inside.put(at, y, fitted(table.names[seat], 14), "text", bold=True)
                role = "you" if seat == table.seat else "host" if seat == table.host_seat else ""
                inside.put(at + 1, y, role, "soft")
            else:
                inside.put(0, y, str(seat + 1), "soft")
                inside.put(2, y, "◇ free", "soft")

    def _draw_ways(self, ground: Canvas) -> None:
        ground.put(36, 1, "Others join like this", "text", bold=True)
        paragraph(ground, 36, 3, ["In Kimberley: Join, and pick your table.", "Or in a shell:"])
        y = 6
        room = ground.width - 36 - 4
        ways = [way for way in self.ways if width(f"kimberley join {way}") <= room] or list(self.ways)
        for number, way in enumerate(ways[:2]):
            command(ground, 36, y, f"kimberley join {way}", "panel" if number == 0 else "ink")
            y += 1
        if self._table.unannounced:
            paragraph(ground, 36, y, wrapped("Nobody can find it by itself: this network has no multicast.", 42),
                      "warning")  # fmt: skip
            y += 2
        if not self.ways:
            paragraph(ground, 36, y, ["No network is connected: only someone on", "this machine can join."])
            y += 2
        ground.put(36, y + 1, "If nobody finds it", "text", bold=True)
        short = ground.region(36, y + 3, ground.width - 37, 4)
        for line, (label, text) in enumerate((
            ("Network", "the same one, no guest Wi-Fi"),
            ("Firewall", f"let UDP 5353, TCP {self._table.port} in"),
            ("Isolation", "access points may part devices"),
        )):  # fmt: skip
            short.put(0, line, label, "text", bold=True)
            short.put(11, line, text, "soft")

    def key(self, name: str) -> bool:
        if name == "esc":
            if self._table.host:
                self.ui.confirm("Close the table", "Nobody can join any more. Close it?", "Close", "Keep it open",
                                self.sitting.leave)  # fmt: skip
            else:
                self.sitting.leave()
            return True
        if name == "y" and self.ways:
            self.ui.copy(f"kimberley join {self.ways[0]}")
            self.ui.toast("Copied, if your terminal allows it.")
            return True
        return False

    def help(self) -> Help:
        return Help(
            "An open table",
            (
                Section("Waiting", "The game begins as soon as every seat is taken and the four words were compared."),
                Section("Not found?", "Both machines must be on the same network, and it must let them talk to each "
                        "other. Where the list stays empty, the address always works: type it as shown."),
            ),
        )  # fmt: skip
