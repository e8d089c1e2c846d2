"""The form of moving: where the pawn goes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from kimberley.client.boards.piecepack.form import Button, PiecepackForm, PiecepackFormContext
from kimberley.client.boards.piecepack.phrases import TileOutcome, many, outcome, short_tile
from kimberley.client.boards.piecepack.scene import Scene
from kimberley.client.boards.piecepack.viewport import towards
from kimberley.client.boards.piecepack.window import FieldBox, box_of, place_of
from kimberley.client.ui.canvas import Action
from kimberley.client.ui.widgets import Hint
from kimberley.games.piecepack.spaces import ActionSpace, PathSpace, StepSpace


class MoveForm(PiecepackForm):
    """Where the pawn goes, one tile: a step move, or the next tile of a way that sun coins pay for.

    `back` returns to the menu; None where there is none. With `stop` the way may end here.
    """

    def __init__(
        self, context: PiecepackFormContext, space: ActionSpace | PathSpace, back: Callable[[], None] | None = None
    ) -> None:
        super().__init__(context)
        self._space: StepSpace = space
        self._back = back
        self._travels = isinstance(space, PathSpace)
        self.phase = "TRAVEL" if self._travels else "STEP"
        over: dict[int, list[int]] = {to: [] for to in space.steps}
        for by, to in space.jumps:
            if to not in space.steps:
                over.setdefault(to, []).append(by)
        self._over = over
        self._targets = tuple(over)
        self._places = [place_of(self.state.field[index]) for index in self._targets]
        self._at = 0
        self._by = 0
        self._touched = False

    # -- what it shows -------------------------------------------------------------------------------------------------

    @property
    def _index(self) -> int:
        return self._targets[self._at]

    @property
    def _jumped(self) -> int | None:
        """The tile that is jumped over on the way to the one in focus."""
        over = self._over[self._index]
        return over[self._by % len(over)] if over else None

    def sentence(self) -> str:
        if self._travels:
            return f"{many(self.state.steps, 'tile')} left to go: choose the next, or stop here."
        return "Choose a tile beside yours, and see what it does."

    def scene(self, scene: Scene) -> Scene:
        return replace(scene, targets=self._targets, focus=self._index if self._targets else None)

    def box(self) -> FieldBox:
        own = place_of(self.state.tile(self.seat))
        return box_of([own, self._places[self._at]] if self._targets else [own])

    def outcome(self) -> TileOutcome:
        """What going to the tile in focus does."""
        found = outcome(self.state, self.seat, self._index, self.context.hide)
        there = [self.context.names[s] for s in self.state.others(self.seat) if self.state.pawns[s] == self._index]
        return TileOutcome(f"{found.text} {', '.join(there)} there." if there else found.text, found.harms)

    def about(self) -> str:
        if not self._targets:
            return ""
        over = f"Over {short_tile(self.state.field[self._jumped])}: " if self._jumped is not None else ""
        return f"{over}{self.outcome().text}"

    def buttons(self) -> tuple[Button, ...]:
        label = "Jump there" if self._targets and self._jumped is not None else "Go there"
        go = (Button(label, "Enter", True),) if self._targets else ()
        if self._travels:
            return (*go, Button("Stop here", "s"))
        return (*go, Button("Back", "Esc")) if self._back else go

    def hints(self) -> list[Hint]:
        found = [Hint("← → ↑ ↓", "tile", "nothing"), Hint("Space", "next"), Hint("Enter", "go")]
        if self._targets and len(self._over[self._index]) > 1:
            found.append(Hint("o", "over another"))
        if self._travels:
            found.append(Hint("s", "stop here"))
        if self._back:
            found.append(Hint("u", "undo"))
        return found

    # -- keys and clicks ----------------------------------------------------------------------------------------------

    def key(self, name: str) -> bool:
        match name:
            case "left" | "right" | "up" | "down" if self._targets:
                self._focus(self._towards(name))
            case " " if self._targets:
                self._focus((self._at + 1) % len(self._targets))
            case "o" if self._targets:
                self._by += 1
            case "enter" if self._targets:
                self._go()
            case "s" if self._travels:
                self.context.choose(("stop",))
            case "esc" | "u" | "backspace" if self._back is not None:
                self._back()
            case _:
                return False
        return True

    def _towards(self, way: str) -> int:
        """From the pawn at first, then from tile to tile."""
        if self._touched:
            return towards(self._places, self._at, way)
        own = place_of(self.state.tile(self.seat))
        found = towards([own, *self._places], 0, way)
        return found - 1 if found else self._at

    def _focus(self, at: int) -> None:
        self._at, self._by, self._touched = at, 0, True

    def click(self, action: Action) -> bool:
        match action:
            case ("tile", int(index)) if index in self._targets:
                at = self._targets.index(index)
                if at == self._at and self._touched:
                    self._go()
                else:
                    self._focus(at)
                return True
        return False

    def _go(self) -> None:
        to, over = self._index, self._jumped
        choice = ("step", to) if over is None else ("jump", over, to)
        found = self.outcome()
        if found.harms:
            self.context.confirm("Go there?", found.text, "Go", lambda: self.context.choose(choice))
        else:
            self.context.choose(choice)
