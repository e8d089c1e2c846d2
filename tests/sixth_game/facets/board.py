"""The board: a stone of facets on the screen, the game in sentences, the dossier and the replay."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, cast

from kimberley.client.boards.api import BoardScreen, Dossier, DossierRow, PlainSeat, Span
from kimberley.client.boards.form import Reply
from kimberley.client.boards.standings import draw_standings
from kimberley.client.session.notices import join_names
from kimberley.client.session.ports import TableLike
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.layout import seat_mark
from kimberley.client.ui.screen import Help, Screen, Section, Ui
from kimberley.client.ui.widgets import Column, Hint, button, key_bar, phase_strip, title_bar
from kimberley.games.table import Decide, Leave, state_after
from kimberley.protocol.audit import AuditedGame
from kimberley.protocol.events import Answered, Event

from . import GAME
from .rules import MOST, Cut, State

ABOUT = Help("Facets", (Section("Facets", "In turn cut one to three facets. Who cuts the last one has won."),))
RULES = Help(
    "Facets",
    (
        Section("The aim", "Cut the last facet of the stone."),
        Section("A turn", f"You cut one facet or more, but at most {MOST}. You cannot pass."),
        Section("Leaving", "If a player leaves, the others go on. The last player at the table wins."),
    ),
)
IN_A_ROW = 7
KEYS = tuple(str(number) for number in range(1, MOST + 1))


def facets_of(count: int) -> str:
    return f"{count} facet" if count == 1 else f"{count} facets"


def draw(canvas: Canvas, state: State, whole: int, names: Sequence[str]) -> None:
    """The stone, what is left of it in ice, and who sits around it."""
    for number in range(whole):
        row, column = divmod(number, IN_A_ROW)
        left = number < state.left
        canvas.put(4 + 4 * column, 4 + 2 * row, "◇" if left else "◆", "ice" if left else "soft", bold=left)
    canvas.put(4, 12, f"{facets_of(state.left)} left", "text", bold=True)
    for seat, name in enumerate(names):
        y = 4 + 2 * seat
        canvas.put(42, y, "▸" if seat == state.turn else " ", "text", bold=True)
        at = canvas.put(seat_mark(canvas, 44, y, seat) + 1, y, name, "text", bold=seat == state.turn)
        canvas.put(at + 1, y, "" if state.present[seat] else "(left)", "soft")


def played(audited: AuditedGame) -> tuple[list[tuple[State, Any, Any]], State]:
    """Each step of a game with the state before it, and the last state. Nothing was ever hidden."""
    state, steps = cast(State, audited.start), []
    for ask, answer in audited.story:
        steps.append((state, ask, answer))
        state = cast(State, state_after(state, ask, answer))
    return steps, state


def told(ask: Any, answer: Any, names: Sequence[str]) -> str:
    """A step in a sentence."""
    match ask:
        case Decide(seat=seat):
            return f"{names[seat]} cuts {facets_of(answer)}."
        case Leave(seat=seat):
            return f"{names[seat]} leaves."
    return f"By lot {names[answer[0]]} begins."


class FacetsScreen(BoardScreen):
    """The stone at one's seat: 1, 2 and 3 cut, by key or by button."""

    def _space(self) -> Cut | None:
        asked = self._table.peer.asked if self._table.peer is not None else None
        return asked.space if asked is not None and isinstance(asked.space, Cut) else None

    def draw(self, canvas: Canvas, now: float) -> None:
        table, space = self._table, self._space()
        title_bar(canvas, GAME.title)
        phase_strip(canvas, 1, "CUT", "Cut one to three facets." if space else "Wait.", *self.waits.strip_text(now, 40))
        state, whole = table.peer.state if table.peer is not None else None, table.options.get("facets", 0)
        if isinstance(state, State) and isinstance(whole, int):
            draw(canvas, state, whole, table.names)
        x = 4
        for key in KEYS[: min(MOST, space.left)] if space else ():
            x = 1 + button(canvas, x, 16, "Cut", key, primary=key == "1")
        key_bar(canvas, [*(Hint(key, f"cut {key}") for key in KEYS), Hint("F1", "help"), Hint("F10", "menu")])

    def key(self, name: str) -> bool:
        space = self._space()
        if space is None or name not in KEYS or space.violation(int(name)):
            return False
        self._table.choose(int(name))
        return True

    def next_frame(self, now: float) -> float | None:
        return self.waits.next_frame(now)

    def help(self) -> Help:
        return ABOUT


class ReplayScreen(Screen):
    """The stone, cut by cut."""

    def __init__(self, audited: AuditedGame, names: Sequence[str], ui: Ui, step: int | None) -> None:
        super().__init__(ui)
        self._names, (self._steps, self._last) = names, played(audited)
        self._at = min(len(self._steps), 0 if step is None else step + 1)

    def draw(self, canvas: Canvas, now: float) -> None:
        states = [*(state for state, _, _ in self._steps), self._last]
        said = told(*self._steps[self._at - 1][1:], self._names) if self._at else "A stone."
        title_bar(canvas, f"{GAME.title} · replay")
        phase_strip(canvas, 1, "REPLAY", said, f"{self._at} of {len(self._steps)}")
        draw(canvas, states[self._at], states[0].left, self._names)
        key_bar(canvas, [Hint("→", "next"), Hint("←", "back"), Hint("Esc", "close")])

    def key(self, name: str) -> bool:
        if name == "esc":
            self.ui.pop(self)
        elif name in ("left", "right"):
            self._at = max(0, min(len(self._steps), self._at + (1 if name == "right" else -1)))
        return name in ("esc", "left", "right")


class FacetsSeat:
    """The game in sentences."""

    def __init__(self, table: TableLike) -> None:
        self._table = table

    def describe(self) -> list[str]:
        state = self._table.peer.state if self._table.peer is not None else None
        return [f"{facets_of(state.left)} are left." if isinstance(state, State) else "The game has not begun."]

    def on_event(self, event: Event) -> list[str]:
        if isinstance(event, Answered):
            return [told(event.ask, event.answer, self._table.names), *self.describe()]
        return []

    def prompt(self) -> list[str]:
        return [f"Cut: type {join_names(KEYS).replace('and', 'or')}."]

    def submit(self, text: str) -> Reply:
        peer = self._table.peer
        reason = peer.asked.space.violation(int(text)) if text in KEYS and peer is not None and peer.asked else "what?"
        return Reply((), int(text), True) if reason is None else Reply((f"Not possible: {reason}.", *self.prompt()))

    def help(self) -> list[str]:
        return [section.text for section in ABOUT.sections]


class FacetsBoard:
    """What the game brings to the client: `client.boards.api.Board`."""

    def view(self, table: TableLike, ui: Ui) -> BoardScreen:
        return FacetsScreen(table, ui)

    def dossier(self, audited: AuditedGame, names: Sequence[str], seat: int | None) -> Dossier:
        steps, result = played(audited)[0], audited.result
        assert result is not None
        lines = [told(ask, answer, names) for _, ask, answer in steps]
        rows = tuple(DossierRow(((Span(f"{n + 1}"),), (Span(line),)), n) for n, line in enumerate(lines))
        columns = (Column("", 0, 4, right=True), Column("What happened", 6, 60))
        head = partial(draw_standings, names=names, result=result, seat=seat)
        return Dossier(GAME.title, head, lambda _: (columns, rows), (*lines, f"Over: {result.reason}."))

    def replay(self, audited: AuditedGame, names: Sequence[str], ui: Ui, step: int | None = None) -> Screen:
        return ReplayScreen(audited, names, ui, step)

    def plain(self, table: TableLike) -> PlainSeat:
        return FacetsSeat(table)

    def about(self) -> Help:
        return ABOUT

    def rules(self) -> Help:
        return RULES


BOARD = FacetsBoard()
"""The board as the entry point `kimberley.boards` finds it."""
