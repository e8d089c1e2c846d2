"""The form of moving: where the pawn goes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from kimberley.client.boards.form import Command, FormContext
from kimberley.client.boards.piecepack.form import HandDisplay, back_command
from kimberley.client.boards.piecepack.form_target import TargetForm
from kimberley.client.boards.piecepack.parsing import NOT_READ, ParseError, tile_named
from kimberley.client.boards.piecepack.phrases import (
    TileOutcome,
    goal_tile,
    in_words,
    long_tile,
    marked_tile,
    outcome,
    short_tile,
    up_to,
)
from kimberley.client.boards.piecepack.scene import Scene
from kimberley.client.boards.piecepack.viewport import towards
from kimberley.client.boards.piecepack.window import FieldBox, box_of, place_of
from kimberley.client.ui.bars import first_fitting
from kimberley.client.ui.buttons import Button
from kimberley.client.ui.canvas import Action
from kimberley.client.ui.keys import Hint
from kimberley.games.phrases import count_of, join_names
from kimberley.games.piecepack.field import distances
from kimberley.games.piecepack.rules import State
from kimberley.games.piecepack.spaces import ActionSpace, PathSpace, StepSpace
from kimberley.games.table import Plain


class MoveForm(TargetForm):
    """Where the pawn goes, one tile: a step move, or the next tile of a way that is paid for with sun coins.

    `go_back` returns to the menu; None where there is none. A way may end after its first tile.
    """

    own_refused = "First choose a tile"
    called = "tile"
    alone = "There is no other tile to go to"

    def __init__(
        self, context: FormContext[State], display: HandDisplay, space: ActionSpace | PathSpace,
        go_back: Callable[[], None] | None = None,
    ) -> None:  # fmt: skip
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
        places = [place_of(context.state.field[index]) for index in over]
        super().__init__(context, display, places, [("tile", index) for index in over])
        self.at = self._nearest_to_goal()
        self._by = 0

    def _nearest_to_goal(self) -> int:
        """Returns the target closest to where the strip says that the next points are; of equal ones, one that does no
        harm.
        """
        goal = goal_tile(self.seen, self.seat)
        if goal is None or not self._targets:
            return 0
        far = distances(self.state.field, goal)
        harms = [outcome(self.seen, self.seat, target).harms for target in self._targets]
        return min(range(len(self._targets)), key=lambda at: (far[self._targets[at]], harms[at]))

    @property
    def phase(self) -> str:
        return "TRAVEL" if self._travels else "STEP"

    # -- what it shows -------------------------------------------------------------------------------------------------

    @property
    def _index(self) -> int:
        return self._targets[self.at]

    @property
    def _jumped(self) -> int | None:
        """The tile that is jumped over on the way to the one in focus."""
        over = self._over[self._index]
        return over[self._by % len(over)] if over else None

    def sentence(self, room: int) -> str:
        if self.clicked:
            return self.again("go there")
        if self._travels:
            left = count_of(self.state.steps, "tile")
            stops = (f"{left} left: choose the next tile, or stop here.", f"{left} left: choose one, or stop.")
            if self._stops:
                return first_fitting(room, *stops)
            return f"Go up to {left}: choose the first." if self.state.steps > 1 else "Go 1 tile: choose one."
        tile = "a tile" if any(self._over.values()) else "an adjacent tile"
        return first_fitting(room, f"Choose {tile} to see what it does.", f"Choose {tile}.")

    def scene(self, scene: Scene) -> Scene:
        return replace(scene, targets=self._targets, focus=self._index)

    def box(self) -> FieldBox:
        own = place_of(self.state.tile(self.seat))
        return box_of([own, self.places[self.at]])

    def outcome(self) -> TileOutcome:
        """Returns what going to the tile in focus does."""
        tile_outcome = outcome(self.seen, self.seat, self._index)
        there = [self.context.names[s] for s in self.state.others(self.seat) if self.state.pawns[s] == self._index]
        are = f" {join_names(there)} {'is' if len(there) == 1 else 'are'} there." if there else ""
        return TileOutcome(f"{tile_outcome.text}{are}", tile_outcome.harms)

    def about(self) -> str:
        over = f"Jump over {marked_tile(self.state.field[self._jumped])}. " if self._jumped is not None else ""
        return f"{over}{self.outcome().text}"

    def picked(self) -> str:
        return short_tile(self.state.field[self._index])

    # -- keys and clicks -----------------------------------------------------------------------------------------------

    def commands(self) -> list[Command]:
        label = "Go there" if self._jumped is None else "Jump there"
        others = len(self._over[self._index]) > 1
        commands = [
            *super().commands(),
            Command(("enter",), lambda _: self.go(), Hint("Enter", "go", primary=True), Button(label, "Enter", True)),
            Command(("o",), lambda _: self._jump_over_another(), Hint("o", "jump over another") if others else None),
        ]
        if self._stops:
            commands.append(Command(("d",), lambda _: self._stop(), Hint("d", "stop here"), Button("Stop here", "d")))
        elif self._travels:
            commands.append(Command(("d",), lambda _: self._stop()))
        return [*commands, *([back_command(self._back)] if self._back else [])]

    def _jump_over_another(self) -> None:
        self._by += 1

    def _stop(self) -> None:
        """Ends the way here, or says why it cannot end yet."""
        self.refusal = self.context.space.violation(("stop",)) or ""
        if not self.refusal:
            self.context.send(("stop",))

    def towards(self, way: str) -> int:
        """Returns the target in a direction: from the pawn at first, then from tile to tile."""
        if self.touched:
            return super().towards(way)
        own = place_of(self.state.tile(self.seat))
        target = towards([own, *self.places], 0, way)
        return target - 1 if target else self.at

    def focus(self, at: int) -> None:
        super().focus(at)
        self._by = 0

    def _out_of_reach(self, index: int) -> str:
        """Says why the pawn cannot go to a tile."""
        if index == self.state.pawns[self.seat]:
            return "You are on that tile"
        if index in self.state.path:
            return "You cannot enter a tile twice in one move"
        jumps = " or jump over one" if self._space.jumps else ""
        if self._travels:
            return f"Out of reach: go to one adjacent tile at a time{jumps}"
        return f"Out of reach: you can only step to an adjacent tile{jumps}"

    def click(self, action: Action) -> bool:
        match action:
            case ("tile", int(index)) if index not in self._targets:
                # The board still describes the tile.
                self.refusal = self._out_of_reach(index)
        return super().click(action)

    def go(self) -> None:
        to, over = self._index, self._jumped
        choice = ("step", to) if over is None else ("jump", over, to)
        outcome = self.outcome()
        if outcome.harms:
            self.confirm("Go there?", outcome.text, "Go", choice, danger=True)
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
