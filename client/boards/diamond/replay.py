"""A finished game, move by move on the board."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from client.board import Span
from client.boards.diamond import helps
from client.boards.diamond.course import Played, played, story_of, why, won_square
from client.boards.diamond.panel import Sheet, draw_panel, panel_width
from client.boards.diamond.picture import Scene, draw_board
from client.canvas import Action, Canvas
from client.glyphs import wrapped
from client.screen import Help, Screen, Ui
from client.widgets import Hint, key_bar, phase_strip, title_bar
from games.diamond.position import Step
from games.diamond.rules import State
from games.table import Result

LEAP = 10


class ReplayScreen(Screen):
    """Steps through the moves of a story. `step` is the number of the ask to begin with."""

    def __init__(
        self,
        story: Sequence[tuple[Any, Any]],
        names: Sequence[str],
        ui: Ui,
        result: Result | None,
        step: int | None = None,
    ) -> None:
        super().__init__(ui)
        self._names, self._result = names, result
        self._moves = played(story)
        self._at = 0
        if step is not None:
            self._at = sum(1 for each in self._moves if each.step <= step)

    @property
    def last(self) -> Played | None:
        """The move that led to the position shown; None at the start."""
        return self._moves[self._at - 1] if self._at else None

    @property
    def state(self) -> State:
        """The state that is shown."""
        if self.last is not None:
            return self.last.after
        return self._moves[0].before if self._moves else State()

    # -- drawing -----------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, now: float) -> None:
        del now
        state, last = self.state, self.last
        title_bar(canvas, "Diamond · replay", f"{self._names[0]} and {self._names[1]}" if canvas.width >= 100 else "")
        over = self._at == len(self._moves)
        if over and self._result is not None:
            phase, sentence = "THE END", f"{self._result.reason}."
        else:
            phase = "START" if last is None else "PLACE" if last.before.position.placing else "MOVE"
            sentence = "An empty board." if last is None else f"{self._mover(last)} {story_of(last)}."
        phase_strip(canvas, 1, phase, sentence, f"move {self._at} of {len(self._moves)}")
        room = panel_width(canvas.width)
        ends = next((each.ends for each in reversed(self._moves[: self._at]) if each.ends is not None), None)
        scene = Scene(state.position, last=ends, won=won_square(state))
        draw_board(canvas.region(0, 2, canvas.width - room, canvas.height - 3), scene)
        sheet = Sheet(
            state, self._names, None, "" if last is None else f"Last: {last.turn}", self._about(room - 2), self._moves,
            self._at,
        )  # fmt: skip
        draw_panel(canvas.region(canvas.width - room, 2, room, canvas.height - 3), sheet)
        key_bar(canvas, [
            Hint("→", "next"), Hint("←", "back"), Hint("PgDn", "ten on"), Hint("PgUp", "ten back"),
            Hint("End", "the end"), Hint("Esc", "close"), Hint("F1", "help"),
        ])  # fmt: skip

    def _mover(self, each: Played) -> str:
        return self._names[each.before.seat(each.before.position.turn)]

    def _about(self, room: int) -> list[list[Span]]:
        last = self.last
        if last is None:
            return []
        said = [f"{self._mover(last)} {story_of(last)}."]
        move = last.written.move
        if isinstance(move, Step) and (reason := why(last.before.position, move)):
            said.append(f"{reason}.")
        return [[Span(line, "soft")] for text in said for line in wrapped(text, room)]

    # -- keys and the mouse ------------------------------------------------------------------------------------------

    def key(self, name: str) -> bool:
        steps = {"right": 1, "down": 1, " ": 1, "enter": 1, "n": 1, "left": -1, "up": -1, "backspace": -1,
                 "pagedown": LEAP, "pageup": -LEAP, "home": -len(self._moves), "end": len(self._moves)}  # fmt: skip
        if name in ("esc", "q"):
            self.ui.pop(self)
        elif name in steps:
            self._go(self._at + steps[name])
        else:
            return False
        return True

    def click(self, action: Action, x: int, y: int, button: str) -> bool:
        del x, y, button
        match action:
            case ("move", int(number)):
                self._go(number)
                return True
        return False

    def wheel(self, action: Action | None, x: int, y: int, steps: int) -> bool:
        del action, x, y
        self._go(self._at + steps)
        return True

    def help(self) -> Help:
        return helps.REPLAY

    def _go(self, at: int) -> None:
        self._at = max(0, min(len(self._moves), at))
