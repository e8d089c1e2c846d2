"""A tournament for people at the referee's machine: read from its folder while the referee writes, as it goes on."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from client.canvas import Action, Canvas
from client.cups import counted, how, over, title, told
from client.glyphs import wrapped
from client.palette import Colour
from client.screen import Help, Screen, Section, Ui
from client.screens.cup import draw_round, draw_standings
from client.widgets import Hint, Scroll, key_bar, panel, phase_strip, title_bar
from p2p.referee.clock import Clocks

if TYPE_CHECKING:
    from p2p.referee.store import Reader

LOOK_SECONDS: Final = 1.0
BELOW: Final = 7
"""Rows of what happened last, its frame included; on a high terminal a third of them all."""


def _latest(told: list[str], room: int, rows: int) -> list[tuple[str, Colour]]:
    """The latest of what is told, in so many rows of so many cells: as many whole sentences as fit, the last one
    brighter.
    """
    shown: list[tuple[str, Colour]] = []
    fg: Colour = "text"
    for sentence in reversed(told):
        lines = wrapped(sentence, room)
        if shown and len(shown) + len(lines) > rows:
            break
        shown = [*((line, fg) for line in lines), *shown]
        fg = "soft"
    return shown[:rows]


class StatusScreen(Screen):
    """What a referee's folder says, once a second."""

    def __init__(self, ui: Ui, reader: Reader) -> None:
        super().__init__(ui)
        self._reader = reader
        self._read()
        self.scroll = Scroll()
        self._open = True

    def opened(self) -> None:
        self.ui.start(self._follow())

    def closed(self) -> None:
        self._open = False

    async def _follow(self) -> None:
        while self._open:
            if self._reader.changed():
                self._read()
                self.ui.redraw()
            await asyncio.sleep(LOOK_SECONDS)

    def _read(self) -> None:
        """Takes up what is written by now."""
        self.tournament = self._reader.tournament()
        self._told = told(self.tournament, self._reader.events())
        self._clocks = self._reader.clocks()

    # -- the view ------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, now: float) -> None:
        cup = self.tournament
        title_bar(canvas, f"{cup.cup.name} · {title(cup.cup)}", "referee")
        name = "OVER" if cup.ended else f"ROUND {cup.round.number}" if cup.round is not None else "ENROLLING"
        aside = counted(len(cup.players), "player")
        phase_strip(canvas, 1, name, over(cup) if cup.ended else how(cup.cup), aside)
        below = max(BELOW, canvas.height // 3)
        rows = canvas.height - 3 - below
        half = min(canvas.width, 140) // 2
        left = (canvas.width - 2 * half) // 2
        draw_round(canvas.region(left, 2, half, rows), cup, None, clocks=self._of_round())
        draw_standings(canvas.region(left + half, 2, half, rows), cup, None, self.scroll)
        inside = panel(canvas.region(left, rows + 2, 2 * half, below), 1, 0, 2 * half - 2, below, "What happened last")
        for row, (line, fg) in enumerate(_latest(self._told, inside.width, inside.height)):
            inside.put(0, row, line, fg)
        key_bar(canvas, [Hint("↑ ↓", "standings"), Hint("Esc", "leave"), Hint("F1", "help")])

    def _of_round(self) -> dict[int, Clocks]:
        """The clocks of the latest round, by table."""
        number = len(self.tournament.rounds)
        return {table: Clocks.read(kept) for (round_, table), kept in self._clocks.items() if round_ == number}

    # -- keys and the mouse --------------------------------------------------------------------------------------------

    def key(self, name: str) -> bool:
        if name == "esc":
            self.ui.pop(self)
            return True
        return self.scroll.key(name, len(self.tournament.players))

    def wheel(self, action: Action | None, x: int, y: int, steps: int) -> bool:
        return self.scroll.key("down" if steps > 0 else "up", len(self.tournament.players))

    def help(self) -> Help:
        return Help(
            "The referee’s book",
            (
                Section("What this is", "The folder of a tournament, read once a second: you change nothing here. The "
                        "clocks are as they were written last, at the last choice of each table."),
                Section("Steering", "The referee’s own window takes the words start, next, status, withdraw NAME and "
                        "stop."),
            ),
        )  # fmt: skip
