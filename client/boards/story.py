"""A story in words that work for any game: the questions and their answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kimberley.client.boards.timeline import LiveContext, Timeline
from kimberley.client.session.notices import LEAVES
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import truncate, wrap
from kimberley.client.ui.layout import seat_mark
from kimberley.client.ui.screen import Help, Section
from kimberley.client.ui.widgets import phase_strip
from kimberley.games.table import (
    HIDDEN,
    NOTHING,
    Answer,
    Ask,
    Item,
    Leave,
)
from kimberley.p2p.base.text import clean

NAMES_ROOM: Final = 26


def in_text(answer: Answer) -> str:
    """An answer as text, with ? for hidden parts."""
    if answer is HIDDEN:
        return "?"
    if answer is NOTHING or answer is None:
        return "-"
    if isinstance(answer, tuple):
        return "(" + ", ".join(map(in_text, answer)) + ")"
    if isinstance(answer, Item):
        return f"item {answer.handle}: {in_text(answer.parts)}"
    return clean(str(answer))


def describe_event(ask: Ask, answer: Answer, names: Sequence[str]) -> str:
    """An ask and its answer in a sentence, without the game's own words."""
    if isinstance(ask, Leave):
        return f"{names[ask.seat]} {LEAVES}."
    return ask.describe(answer, names, in_text)


class StoryTimeline(Timeline):
    """The timeline of a game whose board draws none: its story as a list, beside the players."""

    def __init__(self, title: str, names: Sequence[str]) -> None:
        super().__init__(names)
        self.title = title
        self._told: list[str] = []

    def extend(self, story: Sequence[tuple[Ask, Answer]], first: int) -> None:
        del first
        self._told += [describe_event(ask, answer, self.names) for ask, answer in story]

    @property
    def steps(self) -> Sequence[int]:
        return range(len(self._told))

    def describe_event(self, at: int) -> str:
        return self._told[at - 1]

    def describe(self) -> list[str]:
        return self._told[-1:] or ["Nothing has happened yet."]

    def draw(self, canvas: Canvas, at: int, since: float, around: LiveContext) -> None:
        del since
        over = self.result if at == len(self._told) else None
        last = self._told[at - 1] if at else "Nothing has happened yet."
        said = f"{over.reason[:1].upper()}{over.reason[1:]}." if over is not None else last
        phase_strip(canvas, 1, "THE END" if over else "PLAY", said, around.aside, around.aside_fg)
        for seat, name in enumerate(self.names):
            after = seat_mark(canvas, 1, 3 + 2 * seat, seat)
            canvas.put(after + 1, 3 + 2 * seat, truncate(name, NAMES_ROOM - after - 2), "text", bold=True)
            if over is not None:
                canvas.put(after + 1, 4 + 2 * seat, f"place {over.places[seat]}", "money")
            elif around.live and seat in around.waiting:
                canvas.put(after + 1, 4 + 2 * seat, "to choose", "soft")
        room, rows = canvas.width - NAMES_ROOM - 1, canvas.height - 4
        lines = [(line, number == at) for number, text in enumerate(self._told[:at], 1) for line in wrap(text, room)]
        for y, (line, latest) in enumerate(lines[-rows:], 3):
            canvas.put(NAMES_ROOM, y, line, "text" if latest else "soft")

    def help(self) -> Help:
        return Help(
            self.title, (Section("The story", "This game is shown step by step: each question and its answer."),)
        )
