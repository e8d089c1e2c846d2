"""Desks at which something on the field is chosen: where a tile is laid, and where the pawn goes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from client.boards.piecepack.desk import Button, Desk, Sitting
from client.boards.piecepack.picture import Scene
from client.boards.piecepack.sight import WAYS
from client.boards.piecepack.suits import SUITS, face, tile_name
from client.boards.piecepack.window import Box, box_of, place_of
from client.boards.piecepack.words import Outcome, many, outcome, short_tile, with_article
from client.canvas import Action
from client.widgets import Hint
from games.piecepack.field import Place
from games.piecepack.spaces import Actions, Moves, Paths, Places


def towards(places: Sequence[Place], at: int, way: str) -> int:
    """The place next to one of them in a direction; the same one where there is none."""
    dx, dy = WAYS[way]
    x, y = places[at]
    best, found = None, at
    for number, (a, b) in enumerate(places):
        along, aside = (a - x) * dx + (b - y) * dy, abs((a - x) * dy) + abs((b - y) * dx)
        if along > 0 and (best is None or along + 2 * aside < best):
            best, found = along + 2 * aside, number
    return found


class PlaceDesk(Desk):
    """Exploring: where to lay the tile that was drawn."""

    phase = "EXPLORE"

    def __init__(self, sitting: Sitting, space: Places) -> None:
        super().__init__(sitting)
        self._space = space
        self._places = space.open()
        here = place_of(self.state.tile(self.seat))
        level = [n for n, (x, y) in enumerate(self._places) if x == here[0] or y == here[1]]
        self._at = max(level, key=lambda n: self._places[n][0]) if level else 0
        self._touched = False

    def sentence(self) -> str:
        suit, value = self._space.tile
        return f"Lay {SUITS[suit].sign} {face(value)}, {with_article(tile_name(suit, value))}, beside your pawn."

    def scene(self, scene: Scene) -> Scene:
        here = place_of(self.state.tile(self.seat))
        return replace(scene, ghosts=self._places, held=self._space.tile, chosen=self._at, anchor=here)

    def box(self) -> Box:
        return box_of([*self._places, place_of(self.state.tile(self.seat))])

    def about(self) -> str:
        touching = self._touching()
        return f"It would touch {', '.join(touching)}." if touching else ""

    def _touching(self) -> list[str]:
        x, y = self._places[self._at]
        return [
            short_tile(tile)
            for tile in self.state.field
            if (abs(tile.x - x) == 2 and abs(tile.y - y) <= 1) or (abs(tile.y - y) == 2 and abs(tile.x - x) <= 1)
        ]

    def buttons(self) -> tuple[Button, ...]:
        return (Button("Lay it", "Enter", True),)

    def hints(self) -> list[Hint]:
        return [Hint("← → ↑ ↓", "place", "nothing"), Hint("Space", "next"), Hint("Enter", "lay it")]

    def key(self, name: str) -> bool:
        match name:
            case "left" | "right" | "up" | "down":
                self._at = towards(self._places, self._at, name)
            case " ":
                self._at = (self._at + 1) % len(self._places)
            case "enter":
                self.sitting.choose(self._places[self._at])
            case _:
                return False
        self._touched = True
        return True

    def click(self, action: Action) -> bool:
        match action:
            case ("ghost", int(number)):
                if number == self._at and self._touched:
                    self.sitting.choose(self._places[number])
                self._at, self._touched = number, True
                return True
        return False


class MoveDesk(Desk):
    """Where the pawn goes, one tile: a step move, or the next tile of a way that sun coins pay for.

    `back` returns to the menu; None where there is none. With `stop` the way may end here.
    """

    def __init__(self, sitting: Sitting, space: Actions | Paths, back: Callable[[], None] | None = None) -> None:
        super().__init__(sitting)
        self._space: Moves = space
        self._back = back
        self._travels = isinstance(space, Paths)
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

    def box(self) -> Box:
        own = place_of(self.state.tile(self.seat))
        return box_of([own, self._places[self._at]] if self._targets else [own])

    def outcome(self) -> Outcome:
        """What going to the tile in focus does."""
        found = outcome(self.state, self.seat, self._index, self.sitting.hide)
        there = [self.sitting.names[s] for s in self.state.others(self.seat) if self.state.pawns[s] == self._index]
        return Outcome(f"{found.text} {', '.join(there)} there." if there else found.text, found.harms)

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

    # -- keys and clicks -----------------------------------------------------------------------------------------------

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
                self.sitting.choose(("stop",))
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
            self.sitting.confirm("Go there?", found.text, "Go", lambda: self.sitting.choose(choice))
        else:
            self.sitting.choose(choice)
