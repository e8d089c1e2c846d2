"""A story in words that work for any game: the questions and their answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from kimberley.client.boards.form import Form, FormContext
from kimberley.client.boards.game_ui import GameUI
from kimberley.client.boards.report import Dossier
from kimberley.client.boards.view import BoardView, Shown
from kimberley.client.session.participants import short_name
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.layout import seat_mark
from kimberley.client.ui.screen import Help, Section
from kimberley.client.ui.spans import Span, draw_lines, log_tail
from kimberley.games.table import HIDDEN, NOTHING, Answer, Ask, Item, Leave, State
from kimberley.p2p.base.text import clean
from kimberley.p2p.sentences.notices import NOTHING_YET, RESIGNS, as_sentence, place_word
from kimberley.p2p.sentences.verdicts import reason_named

NAMES_ROOM: Final = 26
NO_BOARD: Final = "no board is installed for this game"


def in_text(answer: Answer) -> str:
    """Returns an answer as text, with ? for hidden parts."""
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
    """Returns an ask and its answer in a sentence, without the game's own words."""
    if isinstance(ask, Leave):
        return f"{names[ask.seat]} {RESIGNS}."
    return ask.describe(answer, names, in_text)


@dataclass(frozen=True, slots=True)
class StoryEvent:
    """An ask with its answer."""

    step: int
    ask: Ask
    answer: Answer
    before: State
    after: State

    @property
    def seat(self) -> int | None:
        """The seat that was asked alone, or has left."""
        if isinstance(self.ask, Leave):
            return self.ask.seat
        return self.ask.choosers[0] if len(self.ask.choosers) == 1 else None


class StoryUI(GameUI[State, StoryEvent]):
    """A game without a board, for spectators: its story as a list, beside the players."""

    def __init__(self, title: str) -> None:
        self.title = title
        story = Section("The story", "This game is shown step by step: each question and its answer.")
        self.about = self.stepping_help = Help(title, (story,))

    def read(self, step: int, before: State, ask: Ask, answer: Answer, after: State) -> Sequence[StoryEvent]:
        return (StoryEvent(step, ask, answer, before, after),)

    def describe_event(self, event: StoryEvent, names: Sequence[str], you: int | None) -> Sequence[str]:
        return (describe_event(event.ask, event.answer, names),)

    def view(self, names: Sequence[str], you: int | None) -> BoardView[State, StoryEvent]:
        return StoryView(names, you)

    def form(self, context: FormContext[State], view: BoardView[State, StoryEvent]) -> Form[State]:
        raise LookupError(NO_BOARD)

    def describe(self, state: State, names: Sequence[str], you: int | None) -> list[str]:
        return []

    def report(self, shown: Shown[State, StoryEvent]) -> Dossier:
        raise LookupError(NO_BOARD)


class StoryView(BoardView[State, Any]):
    """The players at the left, the story at the right."""

    def _told(self, event: StoryEvent) -> str:
        return describe_event(event.ask, event.answer, self.names)

    def strip(self, shown: Shown[State, Any], room: int) -> tuple[str, str]:
        if shown.result is not None:
            return "THE END", as_sentence(reason_named(shown.result, self.names), self.names)
        return "PLAY", self._told(shown.last) if shown.last is not None else NOTHING_YET

    def draw(self, canvas: Canvas, shown: Shown[State, Any]) -> None:
        for seat in range(len(self.names)):
            after = seat_mark(canvas, 1, 3 + 2 * seat, seat)
            canvas.put(after + 1, 3 + 2 * seat, short_name(self.names, seat, NAMES_ROOM - after - 2), "text", bold=True)
            if shown.result is not None:
                canvas.put(after + 1, 4 + 2 * seat, place_word(shown.result.places, seat), "money")
            elif shown.live and seat in shown.waiting:
                canvas.put(after + 1, 4 + 2 * seat, "to choose", "soft")
        room, rows = canvas.width - NAMES_ROOM - 1, canvas.height - 4
        entries = [
            (Span(""), (Span(self._told(event), "text" if number == shown.at else "soft"),))
            for number, event in enumerate(shown.past, 1)
        ]
        draw_lines(canvas, NAMES_ROOM, 3, log_tail(entries, room, rows))

    def help(self, shown: Shown[State, Any]) -> Help:
        return Help("The story", ())
