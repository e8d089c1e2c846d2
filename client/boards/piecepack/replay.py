"""A finished game, deed by deed on the board, with all hands open."""

from __future__ import annotations

from collections.abc import Sequence

from client.boards.piecepack import helps
from client.boards.piecepack.course import Happening, Teller, happenings
from client.boards.piecepack.desk import open_cards
from client.boards.piecepack.frame import draw_hand, draw_table, laid_out, note, pawns_of, players_of
from client.boards.piecepack.panel import TALL, draw_log, panel_width
from client.boards.piecepack.picture import Scene, draw_field
from client.boards.piecepack.sides import BELOW
from client.boards.piecepack.sight import Sight, field_box, standing
from client.boards.piecepack.suits import spelled
from client.canvas import Action, Canvas
from client.screen import Help, Screen, Ui
from client.widgets import Hint, key_bar, phase_strip, tabs, title_bar
from games.piecepack.rules import State
from games.table import Answer, Ask, Result

TABS = ("Table", "Log")


class ReplayScreen(Screen):
    """Steps through what happened in a story that begins at `start`. `step` is the ask to begin with."""

    def __init__(
        self,
        story: Sequence[tuple[Ask, Answer]],
        names: Sequence[str],
        ui: Ui,
        result: Result | None,
        start: State,
        step: int | None = None,
    ) -> None:
        super().__init__(ui)
        self._names, self._result, self._start = names, result, start
        self._found = [each for each in happenings(story, start)[0] if each.kind != "end"]
        self._at = 0 if step is None else sum(1 for each in self._found if each.step <= step)
        self._tab = 0
        self._sight = Sight()

    @property
    def last(self) -> Happening | None:
        """What led to the position that is shown; None at the start."""
        return self._found[self._at - 1] if self._at else None

    @property
    def state(self) -> State:
        """The state that is shown."""
        return self.last.state if self.last is not None else self._start

    # -- drawing -----------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, now: float) -> None:
        del now
        state, last = self.state, self.last
        title_bar(canvas, "Blood Diamonds, piecepack · replay", note(state) if state.field else "")
        phase, sentence = self._sentence()
        phase_strip(canvas, 1, phase, spelled(canvas, sentence), f"{self._at} of {len(self._found)}")
        key_bar(canvas, [
            Hint("→", "next"), Hint("←", "back"), Hint("PgDn", "turn on"), Hint("PgUp", "turn back"),
            Hint("v", "field"), Hint("Tab", "panel"), Hint("Esc", "close"), Hint("F1", "help"),
        ])  # fmt: skip
        frame = laid_out(canvas, panel_width(canvas.width))
        seat = last.seat if last is not None else 0
        if state.field:
            scene = Scene(state.field, pawns_of(state), fresh=self._fresh(state), trail=state.path)
            window = self._sight.seen(frame.field.width, frame.field.height, field_box(state), standing(state, seat))
            draw_field(frame.field, window, scene)
        self._draw_panel(frame.panel, state)
        if state.suits:
            title = self._names[seat]
            draw_hand(frame.hand, state, seat, open_cards(state, seat), None, title=title)

    def _fresh(self, state: State) -> int | None:
        return len(state.field) - 1 if len(state.field) > len(state.present) else None

    def _sentence(self) -> tuple[str, str]:
        if self.last is None:
            return "START", "Nothing has happened yet."
        if self._at == len(self._found) and self._result is not None:
            reason = self._result.reason
            return "THE END", f"{reason[0].upper()}{reason[1:]}."
        return f"TURN {self.last.turn + 1}", Teller(self._names, None).sentence(self.last)

    def _draw_panel(self, canvas: Canvas, state: State) -> None:
        canvas.fill(0, 0, canvas.width, canvas.height, "panel")
        players = players_of(state, self._names, None, False)
        if canvas.height >= TALL:
            below = BELOW
            if self._sight.window is not None:
                above = canvas.region(0, 1, canvas.width, canvas.height - below - 1)
                draw_table(above, state, players, self._sight.window)
            self._draw_log(canvas.region(0, canvas.height - below, canvas.width, below))
            return
        tabs(canvas, 1, 0, TABS, self._tab, lambda n: ("tab", n))
        inner = canvas.region(0, 1, canvas.width, canvas.height - 1)
        if self._tab == 1:
            self._draw_log(inner.region(0, 1, inner.width, inner.height - 1))
        elif self._sight.window is not None:
            draw_table(inner, state, players, self._sight.window)

    def _draw_log(self, canvas: Canvas) -> None:
        teller = Teller(self._names, None)
        shown = self._found[max(0, self._at - 40) : self._at]
        draw_log(canvas, [(spelled(canvas, teller.sentence(each)), "soft") for each in shown[:-1]] + [
            (spelled(canvas, teller.sentence(each)), "text") for each in shown[-1:]
        ])  # fmt: skip

    # -- keys and the mouse ------------------------------------------------------------------------------------------

    def key(self, name: str) -> bool:
        steps = {"right": 1, "down": 1, " ": 1, "enter": 1, "n": 1, "left": -1, "up": -1, "backspace": -1,
                 "home": -len(self._found), "end": len(self._found)}  # fmt: skip
        match name:
            case "esc" | "q":
                self.ui.pop(self)
            case "pagedown" | "pageup":
                self._go_turn(1 if name == "pagedown" else -1)
            case "v":
                self._sight.turn()
            case "tab" | "s-tab":
                self._tab = 1 - self._tab
            case _ if name in steps:
                self._go(self._at + steps[name])
            case _:
                return False
        return True

    def click(self, action: Action, x: int, y: int, button: str) -> bool:
        del x, y, button
        match action:
            case ("tab", int(tab)):
                self._tab = tab
                return True
        return bool(self.state.field) and self._sight.click(action, self.state)

    def wheel(self, action: Action | None, x: int, y: int, steps: int) -> bool:
        del action, x, y
        self._go(self._at + steps)
        return True

    def help(self) -> Help:
        return helps.REPLAY

    def _go(self, at: int) -> None:
        self._at = max(0, min(len(self._found), at))

    def _go_turn(self, by: int) -> None:
        """To the first deed of the next turn, or of this one and then of the one before."""
        turns = [each.turn for each in self._found]
        starts = [n for n in range(len(turns)) if n == 0 or turns[n] != turns[n - 1]]
        if by > 0:
            self._go(next((n + 1 for n in starts if n + 1 > self._at), len(self._found)))
        else:
            self._go(next((n + 1 for n in reversed(starts) if n + 1 < self._at), 0))
