"""What the game brings to the client: a stone of facets, and sentences for everything that happens to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from kimberley.client.boards.form import Form, FormContext, Reply
from kimberley.client.boards.game_board import GameBoard
from kimberley.client.boards.game_ui import GameUI, Pace
from kimberley.client.boards.report import Dossier, DossierRow
from kimberley.client.boards.standings import draw_standings
from kimberley.client.boards.subject import subject
from kimberley.client.boards.view import BoardView, Shown
from kimberley.client.ui.buttons import button
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.columns import Column, TableColumns
from kimberley.client.ui.keys import Hint
from kimberley.client.ui.layout import seat_mark
from kimberley.client.ui.screen import Help, Section
from kimberley.client.ui.spans import Span
from kimberley.games.table import Answer, Ask, Decide, Leave
from kimberley.p2p.sentences.notices import not_possible

from . import GAME
from .rules import MOST, Cut, State

ABOUT = Help("Facets", (Section("Facets", "In turn cut one to three facets. Who cuts the last one has won."),))
RULES = Help(
    "Facets",
    (
        Section("Your goal", "Cut the last facet of the stone."),
        Section("A turn", f"You cut one facet or more, but at most {MOST}. You cannot pass."),
        Section("Leaving", "If a player leaves, the others go on. The last player at the table wins."),
    ),
)
IN_A_ROW = 7
GLINT = 0.2
"""Seconds for which each facet that was cut glints."""


def facets_of(count: int) -> str:
    return f"{count} facet" if count == 1 else f"{count} facets"


@dataclass(frozen=True, slots=True)
class GameEvent:
    """A lot, a cut or a departure: `kind` says which."""

    step: int
    kind: str
    seat: int | None
    before: State
    after: State

    @property
    def cut(self) -> int:
        """The facets that were cut."""
        return self.before.left - self.after.left


class CutForm(Form[State]):
    """How many facets to cut: a digit, a button, or the digit typed."""

    phase = "CUT"

    @property
    def counts(self) -> range:
        """The numbers of facets that can be cut."""
        return range(1, min(MOST, self.state.left) + 1)

    def sentence(self, room: int) -> str:
        return "Cut one to three facets."

    def hints(self) -> list[Hint]:
        return [Hint(str(count), f"cut {count}") for count in self.counts]

    def key(self, name: str) -> bool:
        if not name.isdecimal() or int(name) not in self.counts:
            return False
        self.context.send(int(name))
        return True

    def prompt(self) -> list[str]:
        return [f"Cut: type {' or '.join(map(str, self.counts))}."]

    def type(self, text: str) -> Reply:
        number = int(text) if text.strip().isdecimal() else None
        reason = "type a number" if number is None else self.context.space.violation(number)
        return Reply((), number, True) if reason is None else Reply((not_possible(reason), *self.prompt()))


class FacetsView(BoardView[State, GameEvent]):
    """The stone, what is left of it in ice, and who sits around it. Facets that are cut glint one after another."""

    def draw(self, canvas: Canvas, shown: Shown[State, GameEvent]) -> None:
        state, last = shown.state, shown.last
        whole = shown.events[0].before.left if shown.events else state.left
        cut = last.cut if last is not None else 0
        glints = state.left + cut - 1 - int(shown.since / GLINT) if shown.since < GLINT * cut else None
        for number in range(whole):
            row, column = divmod(number, IN_A_ROW)
            left = number < state.left or (glints is not None and number < glints)
            glyph, fg = ("◇", "ice") if left else ("◆", "money" if number == glints else "soft")
            canvas.put(4 + 4 * column, 4 + 2 * row, glyph, fg, bold=left)
        canvas.put(4, 12, f"{facets_of(state.left)} left", "text", bold=True)
        for seat, name in enumerate(self.names):
            y = 4 + 2 * seat
            canvas.put(42, y, "▸" if seat == state.turn else " ", "text", bold=True)
            at = canvas.put(seat_mark(canvas, 44, y, seat) + 1, y, name, "text", bold=seat == state.turn)
            canvas.put(at + 1, y, "" if state.present[seat] else "(left)", "soft")
        x = 4
        for count in shown.form.counts if isinstance(shown.form, CutForm) else ():
            x = 1 + button(canvas, x, 16, "Cut", str(count), primary=count == 1)
        if shown.form is not None and shown.form.refusal:
            canvas.put(4, 20, f"{shown.form.refusal}.", "warning")

    def strip(self, shown: Shown[State, GameEvent], room: int) -> tuple[str, str]:
        if shown.result is not None:
            return "THE END", f"{shown.result.reason[:1].upper()}{shown.result.reason[1:]}."
        if shown.form is not None:
            return shown.form.phase, shown.form.sentence(room)
        return "CUT", describe_event(shown.last, self.names, self.you) if shown.last is not None else "A stone."

    def help(self, shown: Shown[State, GameEvent]) -> Help:
        return ABOUT


def describe_event(event: GameEvent, names: Sequence[str], you: int | None = None) -> str:
    match event.kind, event.seat:
        case "cut", int(seat):
            who = subject(names, seat, you)
            return f"{who} {who.does('cuts')} {facets_of(event.cut)}."
        case "leave", int(seat):
            return f"{names[seat]} leaves."
        case _:
            return f"By lot {names[event.after.turn or 0]} begins."


class FacetsUI(GameUI[State, GameEvent]):
    """`client.boards.game_ui.GameUI` of Facets. Nothing in it is ever hidden."""

    title = GAME.title
    unit = "cut"
    about = stepping_help = ABOUT
    rules = RULES
    typed_help = tuple(section.text for section in ABOUT.sections)

    def read(self, step: int, before: State, ask: Ask, answer: Answer, after: State) -> Sequence[GameEvent]:
        kind = "cut" if isinstance(ask, Decide) else "leave" if isinstance(ask, Leave) else "lot"
        return [GameEvent(step, kind, ask.seat if isinstance(ask, Decide | Leave) else None, before, after)]

    def describe_event(self, event: GameEvent, names: Sequence[str], you: int | None) -> Sequence[str]:
        return (describe_event(event, names, you),)

    def label(self, event: GameEvent) -> str:
        return event.kind

    def gain(self, event: GameEvent, names: Sequence[str], you: int | None) -> Span | None:
        return Span(f"{event.after.left} left", "ice") if event.cut else None

    def pace(self, event: GameEvent, you: int | None) -> Pace:
        return Pace(moving=GLINT * event.cut, lasting=0.8)

    def view(self, names: Sequence[str], you: int | None) -> FacetsView:
        return FacetsView(names, you)

    def form(self, context: FormContext[State], view: BoardView[State, GameEvent]) -> CutForm:
        assert isinstance(context.space, Cut)
        return CutForm(context)

    def describe(self, state: State, names: Sequence[str], you: int | None) -> list[str]:
        return [f"{facets_of(state.left)} are left."]

    def report(self, shown: Shown[State, GameEvent]) -> Dossier:
        assert shown.result is not None
        lines = [describe_event(event, shown.names) for event in shown.events]
        rows = tuple(
            DossierRow(((Span(f"{n}"),), (Span(line),)), event.step)
            for n, (event, line) in enumerate(zip(shown.events, lines, strict=True), 1)
        )
        columns = (Column(room=4, right=True), Column("Log", 60, gap=2))
        head = partial(draw_standings, names=shown.names, result=shown.result, seat=shown.you)
        return Dossier(
            GAME.title,
            head,
            lambda width: (TableColumns(columns, width), rows),
            (*lines, f"Over: {shown.result.reason}."),
        )


BOARD = GameBoard(FacetsUI)
"""The board as the entry point `kimberley.boards` finds it."""
