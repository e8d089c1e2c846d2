"""A finished game on the field, one happening after another."""

from __future__ import annotations

from collections.abc import Sequence

from client.board import Span
from client.boards.mine import helps
from client.boards.mine.course import Happening, happened, told
from client.boards.mine.ground import towards
from client.boards.mine.look import Line, sight_lines
from client.boards.mine.panel import Sheet, draw_panel, panel_width
from client.boards.mine.picture import draw_field
from client.boards.mine.stage import scene_of
from client.boards.mine.truth import Tale
from client.canvas import Action, Canvas
from client.glyphs import wrapped
from client.screen import Help, Screen, Ui
from client.widgets import Hint, key_bar, phase_strip, title_bar
from games.mine.rules import State

BELOW = 3
"""Rows left free below the field, as in play."""


class ReplayScreen(Screen):
    """Steps through what happened in a story. `step` is the number of the ask to begin with."""

    def __init__(self, tale: Tale, names: Sequence[str], ui: Ui, step: int | None = None) -> None:
        super().__init__(ui)
        self._names, self._start, self._result = names, tale.start, tale.result
        self._course = [what for what in happened(tale.story, tale.start) if told(what, names)]
        self._at = 0 if step is None else sum(1 for what in self._course if what.step <= step)
        self._looked: int | None = None

    @property
    def last(self) -> Happening | None:
        """What led to the state that is shown; None at the start."""
        return self._course[self._at - 1] if self._at else None

    @property
    def state(self) -> State:
        """The state that is shown."""
        return self.last.after if self.last is not None else self._start

    @property
    def _cards(self) -> list[str]:
        """The cards that lie open after what is shown."""
        last = self.last
        if last is None or not last.before.round:
            return [""] * self._start.seats
        shown = last.cards if last.kind == "cards" else last.before.cards
        return ["" if card is None else str(card) for card in shown]

    # -- drawing -----------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, now: float) -> None:
        del now
        state, last = self.state, self.last
        over = self._at == len(self._course) and self._result is not None
        title_bar(canvas, f"{helps.TITLE} · replay", f"round {state.round}" if state.round else "")
        if over and self._result is not None:
            phase, said = "THE END", f"{self._result.reason[:1].upper()}{self._result.reason[1:]}."
        else:
            phase = "START" if last is None else helps.BEATS[last.kind]
            said = "An empty field." if last is None else " ".join(told(last, self._names))
        phase_strip(canvas, 1, phase, said, f"{self._at} of {len(self._course)}")
        room, rows = panel_width(canvas.width), canvas.height - 3
        acts = last.seat if last is not None else None
        scene = scene_of(state, None, acts, self._looked, last.square if last is not None else None)
        draw_field(canvas.region(0, 2, canvas.width - room, rows - BELOW), scene)
        heading, about = self._about(room - 2)
        notes = ["" if state.present[seat] else "has left" for seat in range(state.seats)]
        sheet = Sheet(
            state, self._names, None, self._cards, notes, heading, about, acts,
            [line for what in self._course[max(0, self._at - 30) : self._at] for line in told(what, self._names)],
            places=self._result.places if over and self._result is not None and state.colours else (),
        )  # fmt: skip
        draw_panel(canvas.region(canvas.width - room, 2, room, rows), sheet)
        key_bar(canvas, [
            Hint("→", "next"), Hint("←", "back"), Hint("PgDn", "a round on"), Hint("PgUp", "a round back"),
            Hint("End", "the end"), Hint("Esc", "close"), Hint("F1", "help"),
        ])  # fmt: skip

    def _about(self, room: int) -> tuple[str, list[Line]]:
        if self._looked is not None and self.state.colours:
            return sight_lines(self.state, self._looked, self._names, None, room)
        last = self.last
        if last is None:
            return "The start", []
        text = " ".join(told(last, self._names))
        return helps.HEADINGS[last.kind], [[Span(row, "text")] for row in wrapped(text, room)]

    # -- keys and the mouse ------------------------------------------------------------------------------------------

    def key(self, name: str) -> bool:
        steps = {"right": 1, "down": 1, " ": 1, "enter": 1, "n": 1, "left": -1, "up": -1, "backspace": -1,
                 "home": -len(self._course), "end": len(self._course)}  # fmt: skip
        match name:
            case "esc" if self._looked is not None:
                self._looked = None
            case "esc" | "q":
                self.ui.pop(self)
            case "pagedown" | "pageup":
                self._leap(1 if name == "pagedown" else -1)
            case "w" | "a" | "s" | "d":
                way = {"w": "up", "a": "left", "s": "down", "d": "right"}[name]
                self._looked = towards(27 if self._looked is None else self._looked, way)
            case _ if name in steps:
                self._go(self._at + steps[name])
            case _:
                return False
        return True

    def click(self, action: Action, x: int, y: int, button: str) -> bool:
        del x, y, button
        match action:
            case ("square", int(square)):
                self._looked = None if square == self._looked else square
                return True
            case ("player", int(seat)):
                self._looked = self.state.mine.pawns[seat]
                return True
        return False

    def wheel(self, action: Action | None, x: int, y: int, steps: int) -> bool:
        del action, x, y
        self._go(self._at + steps)
        return True

    def help(self) -> Help:
        return helps.REPLAY

    def _go(self, at: int) -> None:
        self._at = max(0, min(len(self._course), at))

    def _leap(self, way: int) -> None:
        """To where the next or the last cards are shown."""
        at = self._at + way
        while 0 < at < len(self._course) and self._course[at - 1].kind != "cards":
            at += way
        self._go(at)
