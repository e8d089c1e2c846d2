"""A tournament on a screen of the referee's machine, read from its folder while the referee writes to it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from kimberley.client.screens.tournament import draw_round, draw_standings
from kimberley.client.ui.bars import key_bar, phase_strip, title_bar
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.keys import Hint
from kimberley.client.ui.lists import Scroll
from kimberley.client.ui.panels import panel
from kimberley.client.ui.screen import LANDSCAPE, Help, Screen, ScreenSize, Section, Ui
from kimberley.client.ui.spans import Span, draw_lines, log_tail
from kimberley.games.phrases import count_of
from kimberley.p2p.sentences.tournaments import describe_events, describe_format, final_sentence, round_label, title
from kimberley.p2p.tournament.clock import TableClocks
from kimberley.p2p.tournament.players import IN

if TYPE_CHECKING:
    from collections.abc import Callable

    from kimberley.p2p.tournament.player_program import TournamentReader
    from kimberley.p2p.tournament.tournament import Tournament

LOOK_SECONDS: Final = 1.0
BELOW: Final = 7
"""Fewest rows for the latest news, including the frame. On a tall terminal the news gets a third of all rows."""


class StatusScreen(Screen):
    """The contents of a referee's folder, read again every second."""

    def __init__(self, ui: Ui, reader: TournamentReader, following: Callable[[Tournament], str | None]) -> None:
        """Takes `following`, which says when the next round begins, or None."""
        super().__init__(ui)
        self._reader = reader
        self._following = following
        self._read()
        self.scroll = Scroll()
        self._open = True

    @property
    def needs(self) -> tuple[ScreenSize, ...]:
        return (LANDSCAPE,)

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
        """Reads what has been written so far."""
        self.tournament = self._reader.tournament()
        self._sentences = describe_events(self.tournament, self._reader.events())
        self._clocks = self._reader.clocks()

    # -- the view ------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, now: float) -> None:
        tournament = self.tournament
        title_bar(canvas, f"{tournament.settings.name} · {title(tournament.settings)}", "referee")
        name = "OVER" if tournament.ended else round_label(tournament) or "JOINING"
        aside = count_of(sum(player.state == IN for player in tournament.players), "player")
        form = describe_format(tournament.settings)
        sentence = final_sentence(tournament) if tournament.ended else f"{form[0].upper()}{form[1:]}."
        phase_strip(canvas, 1, name, sentence, aside)
        below = max(BELOW, canvas.height // 3)
        rows = canvas.height - 3 - below
        half = min(canvas.width, 140) // 2
        left = (canvas.width - 2 * half) // 2
        draw_round(canvas.region(left, 2, half, rows), tournament, None, clocks=self._of_round())
        draw_standings(canvas.region(left + half, 2, half, rows), tournament, None, self.scroll)
        inside = panel(canvas.region(left, rows + 2, 2 * half, below), 1, 0, 2 * half - 2, below, "Latest events")
        told = [*self._sentences, *filter(None, [self._following(tournament)])]
        news = [(Span(""), (Span(sentence, "soft"),)) for sentence in told[:-1]]
        news += [(Span(""), (Span(sentence),)) for sentence in told[-1:]]
        draw_lines(inside, 0, 0, log_tail(news, inside.width, inside.height, whole=True))
        key_bar(canvas, [Hint("↑ ↓", "standings"), Hint("Esc", "leave")])

    def _of_round(self) -> dict[int, TableClocks]:
        """Returns the clocks of the latest round, by table."""
        number = len(self.tournament.rounds)
        return {table: TableClocks.read(kept) for (round_, table), kept in self._clocks.items() if round_ == number}

    # -- keys and the mouse --------------------------------------------------------------------------------------------

    def key(self, name: str) -> bool:
        if name == "esc":
            self.ui.pop(self)
            return True
        return self.scroll.key(name, len(self.tournament.players))

    def wheel(self, action: Action | None, x: int, y: int, steps: int) -> bool:
        return self.scroll.wheel(steps, len(self.tournament.players))

    def game_id(self) -> str:
        return self.tournament.settings.game

    def help(self) -> Help:
        clocks = self.tournament.settings.clock is not None and not self.tournament.ended
        shown = " Clocks show the time left at each table’s latest choice." if clocks else ""
        steering = (
            Section("Steering", "To control the tournament, type start, next, hold, status or stop in the referee’s "
                                "own window."),
        )  # fmt: skip
        return Help(
            "Tournament status",
            (
                Section("What this is", "This screen reads the tournament’s folder once a second. You cannot change "
                                        f"anything here.{shown}"),
                *(() if self.tournament.ended else steering),
            ),
        )  # fmt: skip
