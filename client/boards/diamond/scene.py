"""Draws a position on the tiling: pieces, open points, targets, the last move, and what can be clicked."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from kimberley.client.boards.diamond.tiling import LEAST, SAMPLES, Tiling, tiling
from kimberley.client.ui.braille import braille
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.palette import Color, Dimmed, Palette, Tint
from kimberley.games.diamond.board import NAMED, SQUARES_AT, Bits, points
from kimberley.games.diamond.position import BLACK, EMPTY, WHITE, Position

SQUARE: Final = Tint(30, 45, 76, "button")
"""The ground of a square; in sixteen colors a dark gray."""
LINE: Final = Tint(108, 124, 158, "soft")

PIECES: Final[dict[str, tuple[str, Color, Color]]] = {
    "white": ("(○)", "white_piece_ink", "white_piece"),
    "black": ("[■]", "black_piece_ink", "black_piece"),
    "neutral": ("<◆>", "text", "alarm"),
}
"""Sign, color and ground by what stands on a point."""


EXAMPLE: Final = SQUARES_AT[NAMED["d4"]][0]
"""The square that is lit while the board is empty, to show what the goal is about."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What a drawing of the board shows.

    `last` are the points of the last move, from where to where (equal for a placement or a removal). `targets` and
    `captures` are where the picked piece may go, `doomed` what it would take where the cursor is, or anywhere.
    `removable` are the neutral pieces that may be taken off the board. `won` is the square that was completed, or an
    example. `ghost` is the color of a piece that is about to be placed where the cursor is. `lacking` are open points
    that would complete a square of a side.
    """

    position: Position = EMPTY
    last: tuple[int, int] | None = None
    cursor: int | None = None
    picked: int | None = None
    targets: Bits = 0
    captures: Bits = 0
    doomed: Bits = 0
    removable: Bits = 0
    won: Bits = 0
    ghost: int | None = None
    lacking: Bits = 0


def draw_board(canvas: Canvas, scene: Scene) -> Tiling:
    """Draws the scene over the whole canvas; every point, with the cells beside it, becomes an area ("point", n).

    Returns where everything lies.
    """
    layout = tiling(canvas.width, canvas.height, canvas.portrait)
    canvas.blit(0, 0, _ground(layout, canvas.palette, canvas.ascii_only, scene.won))
    _draw_ways(canvas, layout, scene)
    for x, y, text in layout.letters:
        canvas.put(x, y, text, "soft")
    for point in range(len(layout.at)):
        _draw_point(canvas, layout, scene, point)
    for x, y, count, point in layout.areas:
        canvas.hit(x, y, count, 1, ("point", point))
    if scene.cursor is not None:
        x, y = layout.at[scene.cursor]
        canvas.put(x - 2, y, "▸", "ice", bold=True)
        canvas.put(x + 2, y, "◂", "ice", bold=True)
    return layout


@lru_cache(maxsize=32)
def _ground(layout: Tiling, palette: Palette, ascii_only: bool, won: Bits) -> Canvas:
    """Returns the board without pieces, with the square `won` lit."""
    canvas = Canvas(layout.width, layout.height, palette, ascii_only=ascii_only)
    whole = SAMPLES * SAMPLES
    tints: dict[int, Color] = {
        share: palette.mixed("ink", SQUARE, 2 * share / whole - 1, "button") for share in range(LEAST, whole + 1)
    }
    lit = layout.within.get(won, frozenset())
    for y, (row, dots, marks) in enumerate(zip(layout.cover, layout.lines, layout.marks, strict=True)):
        for x, covered in enumerate(row):
            ground = tints.get(covered, "ink")
            if (x, y) in lit:
                ground = palette.mixed("ink", "ice", 0.3, "button")
            mark = marks[x] if canvas.ascii_only else braille(dots[x]) if dots[x] else " "
            canvas.put(x, y, mark, LINE, ground)
    return canvas


def _draw_ways(canvas: Canvas, layout: Tiling, scene: Scene) -> None:
    """Draws the last move in gold, and the ways of the picked piece in ice."""
    if scene.last is not None and scene.last[0] != scene.last[1]:
        _draw_way(canvas, layout, *scene.last, "money")
    if scene.picked is not None:
        for target in points(scene.targets | scene.captures):
            _draw_way(canvas, layout, scene.picked, target, "ice")


def _draw_way(canvas: Canvas, layout: Tiling, a: int, b: int, color: Color) -> None:
    line = min(a, b), max(a, b)
    if canvas.ascii_only:
        for (x, y), mark in layout.strokes.get(line, {}).items():
            canvas.put(x, y, mark, color, bold=True)
    else:
        for (x, y), dots in layout.ways.get(line, {}).items():
            canvas.put(x, y, braille(dots), color)


def _draw_point(canvas: Canvas, layout: Tiling, scene: Scene, point: int) -> None:
    x, y = layout.at[point]
    bit = 1 << point
    what = scene.position.what(point)
    if what:
        sign, fg, bg = PIECES[what]
        if point == scene.picked or bit & scene.won:
            fg, bg = "ink", "ice"
        elif bit & scene.removable:
            fg, bg = "ink", "ok"
        elif bit & scene.doomed:
            fg = "black_piece_doomed" if what == "black" else "white_piece_doomed" if what == "white" else "alarm"
        elif scene.last is not None and point == scene.last[1]:
            fg = "piece_moved" if what == "black" else fg
            bg = "piece_moved" if what == "white" else bg
        canvas.put(x - 1, y, sign, fg, bg, bold=True)
        return
    if bit & scene.captures:
        canvas.put(x - 1, y, " × ", "bright", "alarm", bold=True)
    elif bit & scene.targets:
        canvas.put(x - 1, y, " ∙ ", "ink", "ok", bold=True)
    elif scene.ghost is not None and point == scene.cursor:
        sign, fg, bg = mark_of(scene.ghost)
        canvas.put(x - 1, y, sign, Dimmed(fg, 40), Dimmed(bg, 40))
    elif bit & scene.lacking:
        canvas.put(x - 1, y, " ! ", "ink", "warning", bold=True)
    elif scene.last is not None and point == scene.last[0]:
        canvas.put(x, y, "○", "money", "ink", bold=True)
    else:
        canvas.put(x, y, "•", "ice" if bit & scene.won else "text", "ink", bold=bool(bit & scene.won))


def sign_of(color: int) -> tuple[str, Color]:
    """Returns a side's piece without its ground, in a color that can be read on a dark one."""
    return PIECES["black" if color == BLACK else "white"][0], "soft" if color == BLACK else "paper"


def mark_of(color: int) -> tuple[str, Color, Color]:
    """Returns a color's piece: sign, color, ground."""
    return PIECES["black" if color == BLACK else "white"] if color in (BLACK, WHITE) else PIECES["neutral"]
