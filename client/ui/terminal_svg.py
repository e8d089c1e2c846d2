"""A canvas as an SVG picture that looks the same in every browser and font.

A cell is 10 by 20 units, so half a block is a square. Backgrounds and blocks become rectangles, one path for each
color; lines of boxes and braille become shapes, so that they join without gaps. Every other character is text at the
position of its cell.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import partial
from html import escape
from itertools import groupby
from typing import Final, NamedTuple

from kimberley.client.ui.canvas import Canvas, Style
from kimberley.client.ui.palette import Color

UNIT: Final = 10
"""The width of a cell, and half of its height."""
BASELINE: Final = 15.5
"""From the top of a cell to the base of its letters."""
FONT: Final = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, 'Liberation Mono', monospace"
FONT_SIZE: Final = 16.5
DOT: Final = 2
"""The width of a braille dot."""
DOTS: Final = ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3))
"""Column and row of each bit of a braille character."""
BLOCKS: Final[Mapping[str, tuple[float, float, float, float]]] = {
    "▀": (0, 0, 1, 1), "▄": (0, 1, 1, 1), "█": (0, 0, 1, 2), "▌": (0, 0, 0.5, 2), "▐": (0.5, 0, 0.5, 2),
}  # fmt: skip
"""Left, top, width and height of each block in its cell, in halves of the cell's height."""
LINES: Final[Mapping[str, str]] = {
    "─": "m0 10h10", "│": "m5 0v20", "┌": "m5 20v-10h5", "┐": "m0 10h5v10", "└": "m5 0v10h5", "┘": "m0 10h5v-10",
    "├": "m5 0v20m0-10h5", "┤": "m5 0v20m0-10h-5", "┬": "m0 10h10m-5 0v10", "┴": "m0 10h10m-5 0v-10",
    "┼": "m0 10h10m-5-10v20", "╭": "m5 20v-5q0-5 5-5", "╮": "m0 10q5 0 5 5v5", "╰": "m5 0v5q0 5 5 5",
    "╯": "m0 10q5 0 5-5v-5",
}  # fmt: skip
"""Each line of a box as a path from the top left of its cell."""
escaped: Final = partial(escape, quote=False)
"""Text between tags. (The escape of `xml.sax` loads a network client.)"""


class Rectangle(NamedTuple):
    """An area of one color, in units of half a cell's height."""

    x: float
    y: float
    width: float
    height: float

    @property
    def path(self) -> str:
        return f"M{self.x:g} {self.y:g}h{self.width:g}v{self.height:g}h-{self.width:g}z"


def svg(canvas: Canvas, title: str) -> str:
    """Returns the picture of a whole canvas in 24-bit color. `title` is what it shows, for those who do not see it."""
    width, height = canvas.width * UNIT, canvas.height * 2 * UNIT
    return "\n".join((opening(width, height, title), *drawing(canvas), "</svg>")) + "\n"


def opening(width: int, height: int, title: str) -> str:
    """Returns the beginning of a picture."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        f' role="img" font-family="{FONT}" font-size="{FONT_SIZE}">\n<title>{escaped(title)}</title>'
    )


def drawing(canvas: Canvas) -> Iterator[str]:
    """Yields the lines that draw a canvas."""
    yield f'<g transform="scale({UNIT})" shape-rendering="crispEdges">'
    yield from _areas(canvas)
    yield "</g>"
    yield from _shapes(canvas)
    yield from _texts(canvas)


def color_code(canvas: Canvas, color: Color) -> str:
    """Returns a color as SVG writes it."""
    return "#{:02x}{:02x}{:02x}".format(*canvas.palette.rgb(color))


def _areas(canvas: Canvas) -> Iterator[str]:
    """Yields backgrounds and blocks, one path for each color."""
    areas: defaultdict[str, list[Rectangle]] = defaultdict(list)
    for color, rectangle in _merged(canvas):
        areas[color].append(rectangle)
    for color, rectangles in areas.items():
        yield f'<path fill="{color}" d="{"".join(rectangle.path for rectangle in rectangles)}"/>'
    for x, y, char, style in _cells(canvas):
        if char in "▌▐":
            left, _, wide, high = BLOCKS[char]
            yield f'<path fill="{color_code(canvas, style.fg)}" d="{Rectangle(x + left, 2 * y, wide, high).path}"/>'


def _merged(canvas: Canvas) -> Iterator[tuple[str, Rectangle]]:
    """Yields rectangles that cover the canvas: runs of a color, and equal runs one below another as one."""
    pending: dict[tuple[str, int, int], int] = {}
    for row in range(2 * canvas.height + 1):
        runs = set(_runs(canvas, row)) if row < 2 * canvas.height else set()
        for run in [run for run in pending if run not in runs]:
            color, x, width = run
            top = pending.pop(run)
            yield color, Rectangle(x, top, width, row - top)
        for run in sorted(runs - pending.keys(), key=lambda run: run[1]):
            pending[run] = row


def _runs(canvas: Canvas, row: int) -> Iterator[tuple[str, int, int]]:
    """Yields the runs of a row of half cells: color, first column, columns."""
    chars, styles = canvas.row(row // 2)
    here = "█▄" if row % 2 else "█▀"
    colors = [
        color_code(canvas, style.fg if char and char in here else style.bg)
        for char, style in zip(chars, styles, strict=True)
    ]
    x = 0
    for color, run in groupby(colors):
        width = len(list(run))
        yield color, x, width
        x += width


def _shapes(canvas: Canvas) -> Iterator[str]:
    """Yields lines of boxes, braille and underlines."""
    drawn: defaultdict[str, list[str]] = defaultdict(list)
    dotted: defaultdict[str, list[str]] = defaultdict(list)
    for x, y, char, style in _cells(canvas):
        left, top, color = x * UNIT, y * 2 * UNIT, color_code(canvas, style.fg)
        if style.underline:
            drawn[color].append(f"M{left} {top + 18}h{UNIT}")
        if char in LINES:
            drawn[color].append(f"M{left} {top}{LINES[char]}")
        elif _is_braille(char):
            dotted[color] += [
                f"M{left + 1.5 + 5 * column:g} {top + 1.5 + 5 * dot:g}h{DOT}v{DOT}h-{DOT}z"
                for bit, (column, dot) in enumerate(DOTS)
                if ord(char) - 0x2800 >> bit & 1
            ]
    for color, paths in drawn.items():
        yield f'<path fill="none" stroke="{color}" stroke-width="1.5" d="{"".join(paths)}"/>'
    for color, paths in dotted.items():
        yield f'<path fill="{color}" d="{"".join(paths)}"/>'


def _texts(canvas: Canvas) -> Iterator[str]:
    """Yields the words, each letter at the place of its cell."""
    for y in range(canvas.height):
        cells = [(x, char, style) for x, row, char, style in _cells(canvas) if row == y and _is_text(char)]
        for _, run in groupby(enumerate(cells), lambda cell: (cell[1][0] - cell[0], _look(canvas, cell[1][2]))):
            word = [cell for _, cell in run]
            style = word[0][2]
            places = " ".join(str(x * UNIT) for x, _, _ in word)
            bold = ' font-weight="bold"' if style.bold else ""
            yield (
                f'<text x="{places}" y="{y * 2 * UNIT + BASELINE:g}" fill="{color_code(canvas, style.fg)}"{bold}>'
                f"{escaped(''.join(char for _, char, _ in word))}</text>"
            )


def _look(canvas: Canvas, style: Style) -> tuple[str, bool]:
    return color_code(canvas, style.fg), style.bold


def _is_braille(char: str) -> bool:
    return "\u2800" <= char <= "\u28ff"


def _is_text(char: str) -> bool:
    return char not in BLOCKS and char not in LINES and not _is_braille(char) and bool(char.strip())


def _cells(canvas: Canvas) -> Iterator[tuple[int, int, str, Style]]:
    """Yields column, row, character and style of every cell that has a character."""
    for y in range(canvas.height):
        for x, (char, style) in enumerate(zip(*canvas.row(y), strict=True)):
            if char:
                yield x, y, char, style
