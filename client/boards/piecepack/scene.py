"""Draws the field: half-overlapping tiles of sand with the pawns on them, ghosts, targets and the way of a pawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from kimberley.client.boards.piecepack.suits import SEAT_LETTERS, SUITS, badge_text, face, pawn_mark
from kimberley.client.boards.piecepack.window import NEAR, Window, box_of, place_of
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.glyphs import cell_width
from kimberley.client.ui.palette import Color, Depth
from kimberley.games.piecepack.field import SIDE, Tile, TilePlace
from kimberley.games.piecepack.suits import DIAMOND

FINGER: Final = (4, 2)
"""The minimum of columns and rows of what is touched."""
PAN: Final = (6, 3)
"""The columns and rows of the areas at the edges that move a portrait window."""
TARGET: Final = "∙"
"""The sign on a tile that the pawn can go to."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What the field shows. Tiles are given by their index in `tiles`.

    `pawns` are (seat, suit) by tile. `ghosts` are the places where the tile `held` (suit, value) can be placed; the
    `chosen` one shows it. `targets` are tiles that the pawn can go to, `focus` the one chosen. `trail` is the way the
    pawn has come in this move; `fresh` the tile placed last; `looked` a tile that is looked at. `anchor` is the place
    of the tile that the ghosts lie beside.
    """

    tiles: Sequence[Tile]
    pawns: Mapping[int, Sequence[tuple[int, int]]] = field(default_factory=dict)
    ghosts: Sequence[TilePlace] = ()
    held: tuple[int, int] | None = None
    chosen: int | None = None
    targets: Sequence[int] = ()
    focus: int | None = None
    trail: Sequence[int] = ()
    fresh: int | None = None
    looked: int | None = None
    anchor: TilePlace = (0, 0)


def draw_field(canvas: Canvas, window: Window, scene: Scene) -> None:
    """Draws the field over the whole canvas, which is as large as the window.

    Areas to click: ("ghost", n), ("tile", n), and ("pan", across, down) at the edges beyond which the field goes on.
    """
    for number, tile in enumerate(scene.tiles):
        _draw_tile(canvas, window, scene, number, tile)
    if scene.ghosts:
        _draw_ghosts(canvas, window, scene)
    _draw_edges(canvas, window, scene)


def _paper(canvas: Canvas) -> Color:
    """Returns the ground of what is chosen: in sixteen colors, paper would be as white as sand."""
    return "bright" if canvas.palette.depth is Depth.BASIC else "paper"


# -- tiles -------------------------------------------------------------------------------------------------------------


def _draw_tile(canvas: Canvas, window: Window, scene: Scene, number: int, tile: Tile) -> None:
    x, y = window.cell(place_of(tile))
    across, down = SIDE * window.scale.across, SIDE * window.scale.down
    if x + across <= 0 or y + down <= 0 or x >= canvas.width or y >= canvas.height:
        return
    focused = number in (scene.focus, scene.looked)
    target = number in scene.targets
    ground: Color = _paper(canvas) if focused else "sand"
    if target and not focused and canvas.palette.depth in (Depth.TRUE, Depth.INDEXED):
        # Without enough colors, the marks have to do: the signs of suits would not show on green.
        ground = canvas.palette.mixed("sand", "ok", 0.55, "ok")
    line: Color = canvas.palette.mixed(SUITS[tile.suit].ink, "sand", 0.45)
    if number == scene.fresh and not focused and not target:
        ground = canvas.palette.mixed("sand", "paper", 0.6, "sand")
        line = "sand_ink"
    _hit(canvas, x, y, across, down, ("tile", number))
    if window.scale is NEAR:
        _draw_near(canvas, x, y, tile, scene.pawns.get(number, ()), ground, line)
        if target:
            canvas.put(x + 2, y, " ▸▸ " if focused else f" {TARGET}{TARGET} ", "ink", ground, bold=True)
    else:
        _draw_far(canvas, x, y, tile, scene.pawns.get(number, ()), ground, line)
        if target:
            canvas.put(x, y + 1, "▸" if focused else TARGET, "ink", ground, bold=True)
    if number in scene.trail[1:] and not target:
        step = str(scene.trail.index(number))
        canvas.put(x + across - 2 if window.scale is NEAR else x, y + down - 1, step, "ink", ground, bold=True)


def _draw_near(
    canvas: Canvas, x: int, y: int, tile: Tile, pawns: Sequence[tuple[int, int]], ground: Color, line: Color
) -> None:
    canvas.fill(x, y, 8, 4, ground)
    canvas.box(x, y, 8, 4, line=line, square=True)
    suit = SUITS[tile.suit]
    head = f"{SUITS[tile.suit].sign} {face(tile.value)}" if len(pawns) < 2 else SUITS[tile.suit].sign + face(tile.value)
    word = suit.word if tile.value else f"sell {SUITS[DIAMOND].sign}"
    _write(canvas, x + 1, y + 1, head, suit.ink, ground, bold=True)
    _write(canvas, x + 1, y + 2, word, "sand_ink", ground)
    if len(pawns) == 1:
        _draw_pawn(canvas, x + 5, y + 1, *pawns[0], sign=True)
        return
    # Two or more are shown by their letters, one cell away from the tile's own sign; from four on, the last go below.
    apart = 2 if len(pawns) == 2 else 1
    for number, (seat, of) in enumerate(pawns):
        row, column = divmod(number, 3)
        at = x + 4 + apart * column
        _draw_pawn(canvas, at, y + 1 + row, seat, of)


def _draw_pawn(canvas: Canvas, x: int, y: int, seat: int, suit: int, *, sign: bool = False) -> None:
    """Draws the letter of a seat on the ground of its suit; `sign` puts the suit's sign before it."""
    text = pawn_mark(suit, seat) if sign else SEAT_LETTERS[seat]
    _write(canvas, x, y, text, badge_text(canvas, suit), SUITS[suit].badge, bold=True)


def _write(canvas: Canvas, x: int, y: int, text: str, fg: Color, bg: Color, bold: bool = False) -> None:
    """Writes on a tile; on a portrait screen, nothing that the edge of the field would cut off."""
    if not canvas.portrait or (x >= 0 and x + cell_width(text) <= canvas.width):
        canvas.put(x, y, text, fg, bg, bold)


def _draw_far(
    canvas: Canvas, x: int, y: int, tile: Tile, pawns: Sequence[tuple[int, int]], ground: Color, line: Color
) -> None:
    canvas.fill(x, y, 4, 2, ground)
    suit = SUITS[tile.suit]
    canvas.put(x + 3, y, "│", line)
    _write(canvas, x, y, SUITS[tile.suit].sign + face(tile.value), suit.ink, ground, bold=True)
    canvas.put(x, y + 1, "   ", line, underline=True)
    canvas.put(x + 3, y + 1, "│", line, underline=True)
    for number, (seat, of) in enumerate(pawns[:4]):
        column = number if len(pawns) > 2 else number + 1
        _draw_pawn(canvas, x + column, y + 1, seat, of)


# -- ghosts ------------------------------------------------------------------------------------------------------------


def _draw_ghosts(canvas: Canvas, window: Window, scene: Scene) -> None:
    """Draws where the tile can be placed: dark green, with a mark in the middle of each place, and the chosen one on
    paper.
    """
    across, down = SIDE * window.scale.across, SIDE * window.scale.down
    for number, place in enumerate(scene.ghosts):
        x, y = window.cell(place)
        canvas.fill(x, y, across, down, "ghost")
        _hit(canvas, x, y, across, down, ("ghost", number))
    for place in _apart(scene.ghosts, scene.anchor):
        x, y = window.cell(place)
        canvas.box(x, y, across, down, line="club_light", square=True)
        _hit(canvas, x, y, across, down, ("ghost", scene.ghosts.index(place)))
    for number, place in enumerate(scene.ghosts):
        x, y = window.center(place)
        canvas.put(x - 1, y - 1, "+", "ok", "ghost", bold=True)
        _hit(canvas, x - 2, y - 1, *FINGER, ("ghost", number))
    if scene.chosen is None or scene.held is None:
        return
    place = scene.ghosts[scene.chosen]
    x, y = window.cell(place)
    held = Tile(*scene.held, *place)
    (_draw_near if window.scale is NEAR else _draw_far)(canvas, x, y, held, (), _paper(canvas), SUITS[held.suit].ink)
    _hit(canvas, x, y, across, down, ("ghost", scene.chosen))


def _apart(places: Sequence[TilePlace], anchor: TilePlace) -> list[TilePlace]:
    """Returns places that don't overlap, preferring those level with the anchor."""
    apart: list[TilePlace] = []
    for x, y in sorted(places, key=lambda place: place[0] != anchor[0] and place[1] != anchor[1]):
        if all(abs(x - a) >= SIDE or abs(y - b) >= SIDE for a, b in apart):
            apart.append((x, y))
    return apart


# -- edges -------------------------------------------------------------------------------------------------------------


def _draw_edges(canvas: Canvas, window: Window, scene: Scene) -> None:
    """Draws signs at the edges beyond which there are more tiles; a click there moves the window."""
    if not scene.tiles:
        return
    box = box_of(map(place_of, scene.tiles))
    left, top = window.cell((box.left, box.top))
    right, bottom = window.cell((box.right, box.bottom))
    middle_x, middle_y = canvas.width // 2, canvas.height // 2
    for beyond, x, y, mark, way in (
        (left < 0, 0, middle_y, "◂", (-1, 0)),
        (right > canvas.width, canvas.width - 1, middle_y, "▸", (1, 0)),
        (top < 0, middle_x, 0, "▴", (0, -1)),
        (bottom > canvas.height, middle_x, canvas.height - 1, "▾", (0, 1)),
    ):
        if beyond and canvas.portrait:
            _draw_pan(canvas, x, y, way)
        elif beyond:
            canvas.hit((x if way[0] else _free_column(canvas, x, y)) - 1, y, 3, 1, ("pan", *way))
        if beyond:
            canvas.put(x if way[0] else _free_column(canvas, x, y), y, mark, "text", "button", bold=True)


def _free_column(canvas: Canvas, middle: int, y: int) -> int:
    """Returns the column of a row nearest to the middle in which no tile is drawn; the middle if there is none. A
    finger needs the sign in the middle.
    """
    free = () if canvas.portrait else [x for x in range(1, canvas.width - 1) if canvas.cell(x, y).style.bg == "ink"]
    return min(free, key=lambda x: abs(x - middle), default=middle)


def _draw_pan(canvas: Canvas, x: int, y: int, way: tuple[int, int]) -> None:
    """Makes an edge of a portrait screen an area for fingers, with a mark that covers little of the tiles."""
    along, up = abs(way[1]), abs(way[0])
    canvas.fill(x - along, y - up, 1 + 2 * along, 1 + 2 * up, "button")
    across, down = PAN
    left = min(max(0, x - across // 2), canvas.width - across)
    top = min(max(0, y - down // 2), canvas.height - down)
    canvas.hit(left, top, across, down, ("pan", *way))


def _hit(canvas: Canvas, x: int, y: int, width: int, height: int, action: Action) -> None:
    """Makes a part of the field clickable; on a portrait screen, only if the visible part is large enough."""
    wide, high = min(x + width, canvas.width) - max(0, x), min(y + height, canvas.height) - max(0, y)
    if not canvas.portrait or (wide >= FINGER[0] and high >= FINGER[1]):
        canvas.hit(x, y, width, height, action)
