"""A game on the field, event by event: in a replay, where all hands are open, and for onlookers."""

from __future__ import annotations

from collections.abc import Sequence

from kimberley.client.boards.piecepack import help_text
from kimberley.client.boards.piecepack.events import GameEvent, Narrator, read_events
from kimberley.client.boards.piecepack.form import open_cards
from kimberley.client.boards.piecepack.layout import draw_hand, draw_table, layout, note, pawns_of, players_of
from kimberley.client.boards.piecepack.panel import TALL, draw_log, panel_width
from kimberley.client.boards.piecepack.plain import position
from kimberley.client.boards.piecepack.playback import ORDINARY, PACE
from kimberley.client.boards.piecepack.scene import Scene, draw_field
from kimberley.client.boards.piecepack.side_panel import BELOW
from kimberley.client.boards.piecepack.viewport import Viewport, field_box, standing
from kimberley.client.boards.timeline import LiveContext, Timeline
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.screen import Help, Ui
from kimberley.client.ui.widgets import Hint, phase_strip, tabs
from kimberley.games.piecepack.rules import State
from kimberley.games.table import Answer, Ask

TABS = ("Table", "Log")
LOGGED = 40


class PiecepackTimeline(Timeline):
    """`client.boards.timeline.Timeline` of the piecepack game. Values of coins are known where the story tells them."""

    title = help_text.TITLE
    leaps = ("turn on", "turn back")

    def __init__(self, start: State, names: Sequence[str]) -> None:
        super().__init__(names)
        self._start = self._latest = start
        self._found: list[GameEvent] = []
        self._tab = 0
        self._viewport = Viewport()

    def extend(self, story: Sequence[tuple[Ask, Answer]], first: int) -> None:
        new, self._latest = read_events(story, self._latest, first)
        self._found += [each for each in new if each.kind != "end"]

    @property
    def steps(self) -> Sequence[int]:
        return [each.step for each in self._found]

    def last(self, at: int) -> GameEvent | None:
        """The event that led to a position; None at the start."""
        return self._found[at - 1] if at else None

    def state(self, at: int) -> State:
        """The state at a position."""
        return self._latest if at == len(self._found) else self._found[at - 1].state if at else self._start

    def lasting(self, at: int) -> float:
        last = self.last(at)
        return PACE.get(last.kind, ORDINARY) if last is not None else ORDINARY

    def leap(self, at: int, way: int) -> int:
        """To the first event of the next turn, or of this one and then of the one before."""
        turns = [each.turn for each in self._found]
        starts = [n + 1 for n in range(len(turns)) if n == 0 or turns[n] != turns[n - 1]]
        if way > 0:
            return next((start for start in starts if start > at), len(self._found))
        return next((start for start in reversed(starts) if start < at), 0)

    # -- in words ------------------------------------------------------------------------------------------------------

    def describe_event(self, at: int) -> str:
        return Narrator(self.names, None, signs=False).describe_event(self._found[at - 1])

    def describe(self) -> list[str]:
        return position(self._latest, self.names, None)

    def note(self, at: int) -> str:
        state = self.state(at)
        return note(state) if state.field else ""

    # -- drawing -------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, at: int, since: float, around: LiveContext) -> None:
        del since
        state, last = self.state(at), self.last(at)
        phase, sentence = self._strip(at, around)
        phase_strip(canvas, 1, phase, sentence, around.aside, around.aside_fg)
        parts = layout(canvas, panel_width(canvas.width))
        seat = state.turn if around.live or last is None else last.seat
        if state.field:
            laid = len(state.field) - 1 if len(state.field) > len(state.present) else None
            scene = Scene(state.field, pawns_of(state), fresh=laid, trail=state.path)
            box = standing(state, last.seat if last is not None else seat)
            window = self._viewport.seen(parts.field.width, parts.field.height, field_box(state), box)
            draw_field(parts.field, window, scene)
        self._draw_panel(parts.panel, state, at)
        if state.suits:
            draw_hand(parts.hand, state, seat, open_cards(state, seat), None, title=self.names[seat])

    def _strip(self, at: int, around: LiveContext) -> tuple[str, str]:
        """The phase, and what happened in it."""
        last = self.last(at)
        if last is None:
            return "START", "Nothing has happened yet."
        if at == len(self._found) and self.result is not None:
            return "THE END", f"{self.result.reason[0].upper()}{self.result.reason[1:]}."
        turn = self._latest.turns if around.live else last.turn
        return f"TURN {turn + 1}", Narrator(self.names, None).describe_event(last)

    def _draw_panel(self, canvas: Canvas, state: State, at: int) -> None:
        canvas.fill(0, 0, canvas.width, canvas.height, "panel")
        players = players_of(state, self.names, None, False)
        if canvas.height >= TALL:
            below = BELOW
            if self._viewport.window is not None:
                above = canvas.region(0, 1, canvas.width, canvas.height - below - 1)
                draw_table(above, state, players, self._viewport.window)
            self._draw_log(canvas.region(0, canvas.height - below, canvas.width, below), at)
            return
        tabs(canvas, 1, 0, TABS, self._tab, lambda n: ("tab", n))
        inner = canvas.region(0, 1, canvas.width, canvas.height - 1)
        if self._tab == 1:
            self._draw_log(inner.region(0, 1, inner.width, inner.height - 1), at)
        elif self._viewport.window is not None:
            draw_table(inner, state, players, self._viewport.window)

    def _draw_log(self, canvas: Canvas, at: int) -> None:
        narrator = Narrator(self.names, None)
        shown = self._found[max(0, at - LOGGED) : at]
        draw_log(canvas, [(narrator.describe_event(each), "soft") for each in shown[:-1]] + [
            (narrator.describe_event(each), "text") for each in shown[-1:]
        ])  # fmt: skip

    # -- keys and the mouse --------------------------------------------------------------------------------------------

    def hints(self) -> Sequence[Hint]:
        return [Hint("v", "field"), Hint("Tab", "panel")]

    def key(self, name: str, at: int, ui: Ui) -> bool:
        del at, ui
        match name:
            case "v":
                self._viewport.turn()
            case "tab" | "s-tab":
                self._tab = 1 - self._tab
            case _:
                return False
        return True

    def click(self, action: Action, at: int, x: int, y: int) -> bool:
        del x, y
        match action:
            case ("tab", int(tab)):
                self._tab = tab
                return True
        state = self.state(at)
        return bool(state.field) and self._viewport.click(action, state)

    def help(self) -> Help:
        return help_text.TIMELINE
