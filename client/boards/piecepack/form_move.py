"""The form of moving: where the pawn goes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from kimberley.client.boards.form import Button, FormContext
from kimberley.client.boards.piecepack.form import HandDisplay, PiecepackForm
from kimberley.client.boards.piecepack.parsing import NOT_READ, ParseError, tile_named
from kimberley.client.boards.piecepack.phrases import (
    TileOutcome,
    goal_tile,
    in_words,
    long_tile,
    outcome,
    short_tile,
    up_to,
)
from kimberley.client.boards.piecepack.scene import Scene
from kimberley.client.boards.piecepack.viewport import towards
from kimberley.client.boards.piecepack.window import FieldBox, box_of, place_of
from kimberley.client.ui.bars import first_fitting
from kimberley.client.ui.canvas import Action
from kimberley.client.ui.keys import Hint
from kimberley.games.piecepack.field import distances
from kimberley.games.piecepack.rules import State
from kimberley.games.piecepack.spaces import ActionSpace, PathSpace, StepSpace
from kimberley.games.table import Plain
from kimberley.p2p.sentences.notices import count_of, join_names


class MoveForm(PiecepackForm):
    """Where the pawn goes, one tile: a step move, or the next tile of a way that sun coins pay for.

    `back` returns to the menu; None where there is none. A way may end after its first tile.
    """

    def __init__(
        self, context: FormContext[State], display: HandDisplay, space: ActionSpace | PathSpace,
        go_back: Callable[[], None] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(context, display)
        self._space: StepSpace = space
        self._back = go_back
        self._travels = isinstance(space, PathSpace)
        self._stops = isinstance(space, PathSpace) and space.stops
        over: dict[int, list[int]] = {to: [] for to in space.steps}
        for by, to in space.jumps:
            if to not in space.steps:
                over.setdefault(to, []).append(by)
        self._over = over
        self._targets = tuple(over)
        self._places = [place_of(self.state.field[index]) for index in self._targets]
        self._at = self._nearest_to_goal()
        self._by = 0
        self._touched = False
        self._clicked = False
        """Whether the last input was a click on the tile in focus, so that another one goes there."""

    def _nearest_to_goal(self) -> int:
        """Returns the target that leads to where the turn's strip says the next points are, rather one without harm."""
        goal = goal_tile(self.seen, self.seat)
        if goal is None or not self._targets:
            return 0
        far = distances(self.state.field, goal)
        harms = [outcome(self.seen, self.seat, target).harms for target in self._targets]
        return min(range(len(self._targets)), key=lambda at: (far[self._targets[at]], harms[at]))

    own_refused = "First choose a tile"

    @property
    def phase(self) -> str:
        return "TRAVEL" if self._travels else "STEP"

    @property
    def begun(self) -> bool:
        return self._touched

    # -- what it shows -------------------------------------------------------------------------------------------------

    @property
    def _index(self) -> int:
        return self._targets[self._at]

    @property
    def _jumped(self) -> int | None:
        """The tile that is jumped over on the way to the one in focus."""
        over = self._over[self._index]
        return over[self._by % len(over)] if over else None

    def sentence(self, room: int) -> str:
        if self._clicked:
            return self.again("go there")
        if self._travels:
            left = count_of(self.state.steps, "tile")
            stops = (f"{left} left: choose the next tile, or stop here.", f"{left} left: choose one, or stop.")
            return first_fitting(room, *stops) if self._stops else f"{left} to go: choose one."
        return first_fitting(room, "Choose an adjacent tile to see what it does.", "Choose an adjacent tile.")

    def scene(self, scene: Scene) -> Scene:
        return replace(scene, targets=self._targets, focus=self._index if self._targets else None)

    def box(self) -> FieldBox:
        own = place_of(self.state.tile(self.seat))
        return box_of([own, self._places[self._at]] if self._targets else [own])

    def outcome(self) -> TileOutcome:
        """Returns what going to the tile in focus does."""
        tile_outcome = outcome(self.seen, self.seat, self._index)
        there = [self.context.names[s] for s in self.state.others(self.seat) if self.state.pawns[s] == self._index]
        are = f" {join_names(there)} {'is' if len(there) == 1 else 'are'} there." if there else ""
        return TileOutcome(f"{tile_outcome.text}{are}", tile_outcome.harms)

    def about(self) -> str:
        if not self._targets:
            return ""
        over = f"Over {short_tile(self.state.field[self._jumped])}: " if self._jumped is not None else ""
        return f"{over}{self.outcome().text}"

    def picked(self) -> str:
        return short_tile(self.state.field[self._index]) if self._targets else ""

    def buttons(self) -> tuple[Button, ...]:
        label = "Jump there" if self._targets and self._jumped is not None else "Go there"
        go = (Button(label, "Enter", True),) if self._targets else ()
        if self._travels:
            return (*go, Button("Stop here", "d")) if self._stops else go
        return (*go, Button("Back", "Esc")) if self._back else go

    def hints(self) -> list[Hint]:
        hints = [Hint("← → ↑ ↓", "tile", "nothing"), Hint("Space", "next", "key: "), Hint("Enter", "go", primary=True)]
        if self._targets and len(self._over[self._index]) > 1:
            hints.append(Hint("o", "jump over another"))
        if self._stops:
            hints.append(Hint("d", "stop here"))
        if self._back:
            hints.append(Hint("u", "undo"))
        return hints

    # -- keys and clicks ----------------------------------------------------------------------------------------------

    def key(self, name: str) -> bool:
        self._clicked = False
        match name:
            case "left" | "right" | "up" | "down" if self._targets:
                self._focus(self._towards(name))
            case " " if self._targets:
                self._next(1)
            case "o" if self._targets:
                self._by += 1
            case "enter" if self._targets:
                self._go()
            case "d" if self._stops:
                self.context.send(("stop",))
            case "d" if self._travels:
                self.refusal = self.context.space.violation(("stop",)) or ""
            case "esc" | "u" | "backspace" if self._back is not None:
                self._back()
            case _:
                return False
        return True

    def _towards(self, way: str) -> int:
        """Returns the target in a direction: from the pawn at first, then from tile to tile."""
        if self._touched:
            return towards(self._places, self._at, way)
        own = place_of(self.state.tile(self.seat))
        target = towards([own, *self._places], 0, way)
        return target - 1 if target else self._at

    def _focus(self, at: int) -> None:
        self._at, self._by, self._touched = at, 0, True

    def _next(self, by: int) -> None:
        self._clicked = False
        if len(self._targets) == 1:
            self.refusal = "There is no other tile to go to"
        self._focus((self._at + by) % len(self._targets))

    def _out_of_reach(self, index: int) -> str:
        """Says why the pawn cannot go to a tile."""
        if index == self.state.pawns[self.seat]:
            return "You are on that tile"
        if index in self.state.path:
            return "In one move you can go to no tile twice"
        jumps = " or jump over one" if self._space.jumps else ""
        if self._travels:
            return f"Out of reach: go to one adjacent tile at a time{jumps}"
        return f"Out of reach: you can only step to an adjacent tile{jumps}"

    def click(self, action: Action) -> bool:
        match action:
            case ("tile", int(index)) if index in self._targets:
                at = self._targets.index(index)
                again = at == self._at and self._touched
                self._clicked = not again
                if again:
                    self._go()
                else:
                    self._focus(at)
                return True
            case ("tile", int(index)):
                # The board still shows what it is.
                self.refusal = self._out_of_reach(index)
            case ("next", int(by)) if self._targets:
                self._next(by)
                return True
        return super().click(action)

    def _go(self) -> None:
        to, over = self._index, self._jumped
        choice = ("step", to) if over is None else ("jump", over, to)
        outcome = self.outcome()
        if outcome.harms:
            self.confirm("Go there?", outcome.text, "Go", choice)
        else:
            self.context.send(choice)

    # -- in the line mode ----------------------------------------------------------------------------------------------

    def prompt(self) -> list[str]:
        jump = " You may jump over one tile: type jump, then where." if self._space.jumps else ""
        left = up_to(self.state.steps, "more tile" if self._stops else "tile")
        stop = ", or stop" if self._stops else ""
        return [f"You may go {left}: type step, then where{stop}.{jump}", *self.steps()]

    def steps(self) -> list[str]:
        """Says where a step leads, and what it does there."""
        return [f"You can step to {long_tile(self.state.field[to])}: {self._outcome(to)}" for to in self._space.steps]

    def _outcome(self, to: int) -> str:
        return in_words(outcome(self.state, self.seat, to).effect)

    def parse(self, words: Sequence[str]) -> Plain:
        match words:
            case ["stop"]:
                return ("stop",)
            case ["step", *rest]:
                return "step", tile_named(self.state, rest)
            case ["jump", *rest]:
                return self._parse_jump(rest)
        raise ParseError(NOT_READ)

    def _parse_jump(self, words: Sequence[str]) -> Plain:
        """Reads a jump, as in "jump heart 2" or "jump heart 2 over club 4"."""
        cut = list(words).index("over") if "over" in words else len(words)
        to = tile_named(self.state, words[:cut])
        if cut < len(words):
            return "jump", tile_named(self.state, words[cut + 1 :]), to
        over = next((over for over, there in self._space.jumps if there == to), None)
        if over is None:
            raise ParseError(f"You cannot jump to {long_tile(self.state.field[to])}.")
        return "jump", over, to
