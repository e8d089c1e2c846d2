"""The small map of the whole field: a cell is a half tile wide and two high, by half blocks; or, where that is too
large, two wide and four high, by braille.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from kimberley.client.boards.piecepack.suits import SEAT_LETTERS, SUITS, badge_text
from kimberley.client.boards.piecepack.window import Window, box_of, place_of
from kimberley.client.ui.braille import DOTS, braille
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.palette import Color
from kimberley.games.piecepack.field import SIDE, Tile, TilePlace

BLOCK: Final = (1, 2)
BRAILLE: Final = (2, 4)
"""Half tiles in a cell, across and down."""


def draw_minimap(
    canvas: Canvas,
    tiles: Sequence[Tile],
    pawns: Mapping[int, Sequence[tuple[int, int]]],
    window: Window | None = None,
    ghosts: Sequence[TilePlace] = (),
    you: int | None = None,
) -> None:
    """Draws the small map in the middle of the canvas. What the window shows is lighter. A click is ("go", x, y), a
    half tile. The pawn of the seat `you` covers others in its cell.

    If the field is larger than the canvas even so, the part around the middle of the window is shown.
    """
    if not tiles:
        return
    box = box_of(map(place_of, tiles))
    cell = BLOCK
    if box.right - box.left > canvas.width or box.bottom - box.top > 2 * canvas.height:
        cell = BRAILLE
    middle = window.half_tile(window.width // 2, window.height // 2) if window is not None else None
    left = _start(box.left, box.right, cell[0] * canvas.width, middle and middle[0])
    top = _start(box.top, box.bottom, cell[1] * canvas.height, middle and middle[1])
    dots: dict[TilePlace, Color] = {}
    # Without colors a ghost could not be told from a tile.
    for place in () if canvas.palette.plain else ghosts:
        dots |= dict.fromkeys(_covered(place), "club_badge")
    for tile in tiles:
        seen = window is None or window.shows(box_of([place_of(tile)]))
        dots |= dict.fromkeys(_covered(place_of(tile)), "sand_line" if seen else "sand_back")
    for y in range(canvas.height):
        for x in range(canvas.width):
            corner = left + cell[0] * x, top + cell[1] * y
            (_draw_blocks if cell is BLOCK else _draw_braille)(canvas, x, y, dots, corner)
            canvas.hit(x, y, 1, 1, ("go", *corner))
    for number, some in sorted(pawns.items(), key=lambda each: any(seat == you for seat, _ in each[1])):
        x, y = place_of(tiles[number])
        standing = sorted(some, key=lambda each: each[0] != you)
        for column, (seat, of) in enumerate(standing[:SIDE]):
            # If more than two are on a tile, a plus stands for those after the first.
            letter = "+" if column and len(standing) > SIDE else SEAT_LETTERS[seat]
            at = (x - left) // cell[0] + column, (y - top) // cell[1]
            canvas.put(*at, letter, badge_text(canvas, of), SUITS[of].badge, bold=True)


def minimap_rows(tiles: Sequence[Tile]) -> int:
    """Returns how many rows the map takes, drawn by half blocks."""
    box = box_of(map(place_of, tiles))
    return (box.bottom - box.top) // 2 + 1


def _start(low: int, high: int, room: int, middle: int | None) -> int:
    if high - low <= room or middle is None:
        start = (low + high - room) // 2
    else:
        start = min(max(middle - room // 2, low), high - room)
    # Tiles at even places fill whole cells.
    return start - start % SIDE


def _covered(place: TilePlace) -> list[TilePlace]:
    return [(place[0] + x, place[1] + y) for x in range(SIDE) for y in range(SIDE)]


def _draw_blocks(canvas: Canvas, x: int, y: int, dots: Mapping[TilePlace, Color], corner: TilePlace) -> None:
    above, below = dots.get(corner), dots.get((corner[0], corner[1] + 1))
    if above is not None and below is not None:
        canvas.put(x, y, "█" if above == below else "▀", above, below)
    elif above is not None or below is not None:
        canvas.put(x, y, "▀" if above is not None else "▄", above or below or "text")


def _draw_braille(canvas: Canvas, x: int, y: int, dots: Mapping[TilePlace, Color], corner: TilePlace) -> None:
    by_bit = {
        bit: dots.get((corner[0] + dx, corner[1] + dy)) for dy, bits in enumerate(DOTS) for dx, bit in enumerate(bits)
    }
    colors = {bit: color for bit, color in sorted(by_bit.items()) if color is not None}
    if colors:
        canvas.put(x, y, braille(sum(colors)), next(iter(colors.values())))
