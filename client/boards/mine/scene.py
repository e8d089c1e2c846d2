"""Draws the field: homes, nests, veins, loose gems and pawns, what can be chosen, and what can be clicked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from kimberley.client.boards.mine.grid import Grid, SquareCells, grid, portrait_grid
from kimberley.client.boards.mine.pyramid import draw_pyramid
from kimberley.client.boards.mine.stones import Stone, home_paint, player_mark, player_paint, stone, stones
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.palette import Color, Depth, Tint
from kimberley.games.mine.rules import State
from kimberley.games.mine.squares import SIDE

DARK: Final = Tint(27, 33, 47, "ink")
LIGHT: Final = Tint(40, 50, 77, "raised")
SPENT: Final = Tint(17, 20, 27, "border")
OPEN: Final = Tint(28, 76, 58, "huila")
"""The ground of a square that can be chosen."""
WAY: Final = Tint(36, 88, 108, "coast")
"""The ground of a square on the way to the chosen one."""
FLASH: Final = Tint(92, 80, 44, "lunda")
"""The ground of a square where something just happened."""


@dataclass(frozen=True, slots=True)
class Home:
    """A player's corner."""

    mark: str
    paint: Color
    ground: Color


@dataclass(frozen=True, slots=True)
class Vein:
    """A nest on the field. `gems` are those left in it, if known to all; `passable` says that it never blocks."""

    opened: bool = False
    gems: tuple[Stone, ...] = ()
    passable: bool = False


@dataclass(frozen=True, slots=True)
class Pawn:
    """A pawn; `carried` are its gems. `acts` marks the one that is to act."""

    square: int
    mark: str
    paint: Color
    carried: tuple[Stone, ...] = ()
    acts: bool = False


@dataclass(frozen=True, slots=True)
class Lights:
    """What a choice shows on the field.

    `open` are the squares that can be chosen, `closed` those that cannot where most others can; `notes` are figures in
    a corner, such as the card that leads there. `way` are the squares of the chosen move in order, `focus` the one that
    is looked at on the way. `nest` is where a nest could be placed now.
    """

    open: frozenset[int] = frozenset()
    closed: frozenset[int] = frozenset()
    notes: Mapping[int, str] = field(default_factory=dict)
    way: tuple[int, ...] = ()
    focus: int | None = None
    nest: int | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """What the field shows, by square. `cursor` is the one that is looked at, `flash` where something just happened."""

    homes: Mapping[int, Home] = field(default_factory=dict)
    veins: Mapping[int, Vein] = field(default_factory=dict)
    loose: Mapping[int, Stone] = field(default_factory=dict)
    pawns: Sequence[Pawn] = ()
    lights: Lights = field(default_factory=Lights)
    cursor: int | None = None
    flash: int | None = None


def scene_of(state: State, lights: Lights, acts: int | None, cursor: int | None, flash: int | None) -> Scene:
    """Returns the scene of a state. `acts` is the seat that is to act."""
    mine = state.mine
    homes = {
        mine.home(seat): Home(player_mark(seat), player_paint(state, seat), home_paint(state, seat))
        for seat in range(state.seats)
    }
    veins = {
        square: Vein(mine.opened[nest], stones(state, mine.inside[nest]) if mine.opened[nest] else (),
                     not mine.blocks(square))
        for nest, square in enumerate(mine.veins)
    }  # fmt: skip
    if lights.nest is not None:
        veins[lights.nest] = Vein()
    loose = {square: stone(state, gem) for square, gem in mine.loose}
    pawns = [
        Pawn(square, player_mark(seat), player_paint(state, seat), stones(state, mine.carried[seat]), seat == acts)
        for seat, square in enumerate(mine.pawns)
        if square is not None
    ]
    return Scene(homes, veins, loose, pawns, lights, cursor, flash)


def draw_field(canvas: Canvas, scene: Scene) -> Grid:
    """Draws the field; every square becomes an area ("square", n). Returns where everything lies."""
    layout = (portrait_grid if canvas.portrait else grid)(canvas.width, canvas.height)
    for row in range(0 if canvas.portrait else SIDE):
        y = layout.spots[SIDE * row].y + (layout.rows - 1) // 2
        canvas.right(layout.left - 2, y, str(row + 1), "soft")
    for column in range(SIDE):
        canvas.put(layout.spots[column].middle, layout.bottom, "abcdefgh"[column], "soft")
    pawns = {pawn.square: pawn for pawn in scene.pawns}
    for square, spot in enumerate(layout.spots):
        _Square(canvas, scene, square, spot).draw(pawns.get(square))
        canvas.hit(spot.x, spot.y, spot.columns, spot.rows, ("square", square))
    return layout


class _Square:
    """One square while it is drawn."""

    def __init__(self, canvas: Canvas, scene: Scene, square: int, spot: SquareCells) -> None:
        self.canvas, self.scene, self.square, self.spot = canvas, scene, square, spot
        self.vein = scene.veins.get(square)
        self.home = scene.homes.get(square)
        self.ground = self._ground()
        self._written = False

    def _ground(self) -> Color:
        scene, square = self.scene, self.square
        if square == scene.cursor:
            return "paper"
        if square in scene.lights.way:
            return WAY
        if square == scene.flash:
            return FLASH
        if square in scene.lights.open:
            return OPEN
        if self.home is not None:
            return "ink" if self._basic else self.home.ground
        if square in scene.lights.closed or (self.vein is not None and self.vein.opened and not self.vein.gems):
            return SPENT
        return LIGHT if (square % SIDE + square // SIDE) % 2 else DARK

    @property
    def _dark(self) -> bool:
        """Whether text on the square must be dark."""
        return self.ground == "paper"

    @property
    def _basic(self) -> bool:
        return self.canvas.palette.depth is Depth.BASIC

    def _plate(self) -> Color:
        """Returns the ground of letters: black where the terminal's colors are not known."""
        return "ink" if self._basic and not self._dark else self.ground

    def put(self, x: int, y: int, text: str, fg: Color, bold: bool = False) -> int:
        """Writes on the square, from its column `x` and row `y` on."""
        self._written |= y == 0 and self.spot.rows < 3
        fg = "ink" if self._dark else fg
        return self.canvas.put(self.spot.x + x, self.spot.y + y, text, fg, self._plate(), bold) - self.spot.x

    def draw(self, pawn: Pawn | None) -> None:
        canvas, spot = self.canvas, self.spot
        closed = self.square in self.scene.lights.closed
        canvas.fill(spot.x, spot.y, spot.columns, spot.rows, self.ground, "/" if closed else " ", "line")
        self._draw_mesh(pawn)
        self._draw_figure(pawn)
        if pawn is not None:
            self._draw_pawn(pawn)
        elif self.vein is not None and not self.vein.opened:
            self._draw_nest()
        elif self.home is not None:
            self._draw_home(self.home)
        else:
            self._draw_lying(spot.rows // 2)
            y = spot.rows // 2 - 1
            # A figure in a corner needs the row of a low square for itself.
            if self.vein is not None and self.vein.gems and (y or not self._numbered):
                self.put((spot.columns - 4) // 2, y, "open", "soft")
        self._draw_signs()

    def _draw_home(self, home: Home) -> None:
        y = self.spot.rows // 2
        x = 0 if y == 1 else (self.spot.columns - 4) // 2
        self.put(x, y - 1, "home", "bright")
        if self._basic and not self._dark:
            self.canvas.put(self.spot.x + x, self.spot.y + y, home.mark, "ink", home.paint, bold=True)
        else:
            self.put(x, y, home.mark, "bright", bold=True)

    def _draw_mesh(self, pawn: Pawn | None) -> None:
        """Draws a point in the middle of an empty square where the grounds do not set squares apart."""
        palette = self.canvas.palette
        empty = pawn is None and self.vein is None and self.home is None and self.square not in self.scene.loose
        plain = palette.plain or self._basic or self.canvas.ascii_only
        if empty and plain and self.ground in (DARK, LIGHT):
            self.put(self.spot.columns // 2, self.spot.rows - 1, "·", "soft")

    def _draw_figure(self, pawn: Pawn | None) -> None:
        """Draws the figure of the row in its last square on a portrait screen, if no word or gem is in the way."""
        spot = self.spot
        beside = self.home is not None or pawn is not None or (self.vein is not None and self.vein.gems)
        if self._last_in_row and not beside:
            fg: Color = "ink" if self._dark else "soft"
            self.canvas.put(spot.x + spot.columns - 1, spot.y, str(self.square // SIDE + 1), fg, self._plate())

    @property
    def _last_in_row(self) -> bool:
        """Whether this is the square of a portrait screen that has the figure of its row."""
        return self.canvas.portrait and self.square % SIDE == SIDE - 1

    def _draw_nest(self) -> None:
        spot, canvas = self.spot, self.canvas
        color: Color = "line" if self._dark else "soft"
        label: Color = "bright" if self._dark else "ink"
        draw_pyramid(canvas, spot, spot.columns, color, self.ground)
        if canvas.ascii_only:
            self.put(spot.columns // 2, spot.rows - 1, "?", "text", bold=True)
        else:
            self._label("?", label, color)

    def _draw_pawn(self, pawn: Pawn) -> None:
        spot, canvas = self.spot, self.canvas
        lies = self._draw_lying(0)
        if self.home is not None:
            lies = True
            self.put(0, 0, "home", "bright")
        top = 1 if lies and spot.rows > 2 else 0
        base = spot.columns - 2
        if canvas.ascii_only:
            self.put(spot.columns // 2, spot.rows - 2, "^" if not lies or spot.rows > 2 else "", pawn.paint, bold=True)
        else:
            draw_pyramid(canvas, spot, base, pawn.paint, self.ground, top=top, tip=not lies or spot.rows > 2)
        self._label(pawn.mark, "ink", pawn.paint)
        self._draw_load(pawn, lies)
        if pawn.acts:
            self.put(0, spot.rows - 1, "▸", "bright", bold=True)
            self.put(spot.columns - 1, spot.rows - 1, "◂", "bright", bold=True)

    def _draw_load(self, pawn: Pawn, lies: bool) -> None:
        """Draws what a pawn carries: on its body where letters fit, else beside its tip unless something lies there."""
        spot = self.spot
        if spot.rows > 3:
            text = "".join(gem.mark for gem in pawn.carried)
            bg: Color = "paper" if self.canvas.palette.plain else pawn.paint
            self.canvas.put(spot.middle - len(text) // 2, spot.bottom - 1, text, "ink", bg)
        elif not lies:
            for x, gem in zip((3, 4, 1), pawn.carried, strict=False):
                self.put(x + (spot.columns - 5) // 2, 0, gem.mark[0], gem.paint, bold=True)

    def _label(self, text: str, fg: Color, paint: Color) -> None:
        """Writes on the base of a pyramid."""
        bg: Color = "paper" if self.canvas.palette.plain else paint
        x = self.spot.middle - len(text) // 2
        self.canvas.put(x, self.spot.bottom, text, fg, bg, bold=True)

    def _draw_lying(self, y: int) -> bool:
        """Draws what lies here: gems, or what is left of a vein. Returns whether anything does."""
        spot = self.spot
        loose = self.scene.loose.get(self.square)
        gems = self.vein.gems if self.vein is not None and self.vein.opened else (loose,) if loose is not None else ()
        if not gems and self.vein is not None:
            sign = " × " if self.vein.passable else "×××"
            self.put(spot.columns // 2 - 1, y, sign if self.vein.opened else " ? ", "soft")
            return True
        x = (spot.columns - 2 * len(gems) + 1) // 2
        for gem in gems:
            x = self.put(x, y, gem.mark, gem.paint, bold=True)
        return bool(gems)

    @property
    def _numbered(self) -> bool:
        """Whether a figure stands on the square: that of a card, or of a step on the way."""
        lights = self.scene.lights
        return self.square in lights.notes or self.square in lights.way

    def _draw_signs(self) -> None:
        scene, spot, square = self.scene, self.spot, self.square
        # The word stands in the first row of a home, and the player's mark at the left below it.
        x, y = (0, 0) if self.home is None else (spot.columns - 1, spot.rows - 1)
        note = scene.lights.notes.get(square)
        if note is not None:
            self.put(x, y, note, "bright" if square in scene.lights.open else "soft", bold=True)
        elif square in scene.lights.way:
            self.put(x, y, str(scene.lights.way.index(square) + 1), "bright", bold=True)
        elif square in scene.lights.open and self.home is not None:
            self.put(x, y, "•", "ok")
        elif square in scene.lights.open and not self._written:
            for x in (spot.x,) if self._last_in_row else (spot.x, spot.x + spot.columns - 1):
                self.canvas.put(x, spot.y, "•", "ink" if self._basic else "ok")
        if square == scene.lights.focus:
            self.put(0, spot.rows - 1, "▸", "bright", bold=True)
            self.put(spot.columns - 1, spot.rows - 1, "◂", "bright", bold=True)
