"""The map as pixels, braille dots or characters, made from the polygons once for each size.

Pixels are half cells: `width` by `2 * height`. Each is sampled 8 by 8 times (a box filter): 24-bit terminals mix what
the samples hit, so borders are smooth; the others take what most of them hit.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Final, TypeAlias

from kimberley.client.boards.diamond_trust.map_geometry import (
    ANTWERP_LAND,
    LONDON_LAND,
    MapPlaces,
    Point,
    angola,
    places,
)
from kimberley.client.ui.braille import DOTS, braille, steps_between
from kimberley.client.ui.geometry import Area
from kimberley.games.diamond_trust.angola import REGIONS

SEA: Final = len(REGIONS)
WILD: Final = SEA + 1
BORDER: Final = WILD + 1
COAST: Final = BORDER + 1
"""Ground beside the six regions. The sea by the coast has four bands: COAST is the outermost, COAST + 3 the shore."""

BANDS: Final = 4
LONDON_GROUND: Final = COAST + BANDS
ANTWERP_GROUND: Final = LONDON_GROUND + 1
FRAME: Final = ANTWERP_GROUND + 1

SAMPLES: Final = 8
_BORDER_WIDTH: Final = 0.62
"""Half the width of a border, in pixels."""

Mix: TypeAlias = tuple[tuple[int, int], ...]
"""What a pixel shows: (ground, samples of 64), in the order of the grounds."""


@dataclass(frozen=True, slots=True)
class Raster:
    """The pixels of one size: by pixel row and column their mix, and the ground that most samples hit."""

    width: int
    height: int
    mixes: tuple[tuple[Mix, ...], ...]
    grounds: tuple[tuple[int, ...], ...]

    def region(self, column: int, row: int) -> int | None:
        """Returns the region that a cell belongs to: that of its upper or else of its lower pixel."""
        if 0 <= column < self.width and 0 <= row < self.height:
            for pixel in (2 * row, 2 * row + 1):
                if self.grounds[pixel][column] < SEA:
                    return self.grounds[pixel][column]
        return None


def _sides(polygon: Sequence[Point]) -> Iterator[tuple[Point, Point]]:
    return pairwise((*polygon, polygon[0]))


def _across(a: Point, b: Point, y: float) -> float:
    """Returns where the line through two points is at the height `y`."""
    return a[0] + (y - a[1]) * (b[0] - a[0]) / (b[1] - a[1])


def _lines(low: float, high: float, count: int) -> Iterator[tuple[int, float]]:
    """Returns those of `count` lines that are between two heights, each with its own height in pixels."""
    first, last = (min(max(int(y * SAMPLES) + more, 0), count) for y, more in ((low, -1), (high, 2)))
    return ((line, (line + 0.5) / SAMPLES) for line in range(first, last))


def _crossings(polygon: Sequence[Point], count: int) -> Mapping[int, list[float]]:
    """Returns where each of `count` lines crosses the sides of a polygon: it is inside from the first to the second,
    from the third to the fourth and so on (the even-odd rule).
    """
    by_line: defaultdict[int, list[float]] = defaultdict(list)
    for a, b in _sides(polygon):
        low, high = min(a[1], b[1]), max(a[1], b[1])
        for line, y in _lines(low, high, count):
            if low <= y < high:
                by_line[line].append(_across(a, b, y))
    for crossings in by_line.values():
        crossings.sort()
    return by_line


def _spans(crossings: Sequence[float]) -> list[tuple[float, float]]:
    """Returns the stretches of a line inside a polygon."""
    return list(zip(crossings[::2], crossings[1::2], strict=False))


def _stroke(a: Point, b: Point, reach: float, y: float) -> tuple[float, float] | None:
    """Returns the stretch of the line at height `y` that is nearer than `reach` to the segment from `a` to `b`."""
    ends = []
    for x0, y0 in (a, b):
        rest = reach * reach - (y - y0) ** 2
        if rest > 0:
            ends += [x0 - rest**0.5, x0 + rest**0.5]
    length = ((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2) ** 0.5
    if length:
        across = ((a[1] - b[1]) / length * reach, (b[0] - a[0]) / length * reach)
        corners = [(x + sign * across[0], z + sign * across[1]) for (x, z), sign in ((a, 1), (b, 1), (b, -1), (a, -1))]
        ends += [_across(one, other, y) for one, other in _sides(corners) if (one[1] <= y) != (other[1] <= y)]
    return (min(ends), max(ends)) if ends else None


class _Plane:
    """Samples of a rectangle of pixels: a byte for each, filled line by line."""

    def __init__(self, width: int, pixels: int, ground: int) -> None:
        self.width = width * SAMPLES
        self.lines = [bytearray([ground]) * self.width for _ in range(pixels * SAMPLES)]

    def fill(self, line: int, span: tuple[float, float], ground: int) -> None:
        first, last = (min(max(round(x * SAMPLES), 0), self.width) for x in span)
        self.lines[line][first:last] = bytes([ground]) * (last - first)

    def mixes(self) -> Iterator[tuple[Mix, ...]]:
        """Yields the mix of each pixel, row by row."""
        flat = {bytes([ground]) * SAMPLES * SAMPLES: ((ground, SAMPLES * SAMPLES),) for ground in range(FRAME + 1)}
        for top in range(0, len(self.lines), SAMPLES):
            block = [bytes(line) for line in self.lines[top : top + SAMPLES]]
            row = []
            for left in range(0, self.width, SAMPLES):
                samples = b"".join([line[left : left + SAMPLES] for line in block])
                row.append(flat.get(samples) or tuple((ground, samples.count(ground)) for ground in sorted({*samples})))
            yield tuple(row)


def _draw_angola(plane: _Plane, layout: MapPlaces) -> None:
    drawing, count = angola(), len(plane.lines)
    coast = [layout.pixel(point) for point in drawing.coast]
    # Beyond both ends of the coast it goes straight on.
    sea = [(coast[0][0] - 3, -1e3), *coast, (coast[-1][0], 1e6), (-1e6, 1e6), (-1e6, -1e3)]
    band = max(layout.width / 80, 1.0) * 1.2
    for line, crossings in _crossings(sea, count).items():
        shore = crossings[-1]
        plane.fill(line, (0, shore), SEA)
        for step in range(BANDS):
            plane.fill(line, (shore - (BANDS - step) * band, shore), COAST + step)
    for region, polygon in enumerate(drawing.regions):
        for line, crossings in _crossings([layout.pixel(point) for point in polygon], count).items():
            for span in _spans(crossings):
                plane.fill(line, span, region)
    for a, b in (pair for edge in drawing.edges for pair in pairwise([layout.pixel(point) for point in edge])):
        for line, y in _lines(min(a[1], b[1]) - 1, max(a[1], b[1]) + 1, count):
            if stroke := _stroke(a, b, _BORDER_WIDTH, y):
                plane.fill(line, stroke, BORDER)


def _draw_inset(plane: _Plane, inset: Area, land: Sequence[Point], ground: int) -> None:
    """Draws the city's coast inside the inset's frame; the frame has the width of a cell."""
    inner = Area(inset.left + 1, 2 * inset.top + 2, inset.width - 2, 2 * inset.height - 4)
    polygon = [(inner.left + x * inner.width / 100, inner.top + y * inner.height / 100) for x, y in land]
    crossings = _crossings(polygon, len(plane.lines))
    shifts = [(distance * 1.1, COAST + BANDS - distance) for distance in range(BANDS, 0, -1)]
    for line in range(2 * inset.top * SAMPLES, 2 * inset.bottom * SAMPLES):
        plane.fill(line, (inset.left, inset.right), FRAME)
    for line in range(inner.top * SAMPLES, inner.bottom * SAMPLES):
        plane.fill(line, (inner.left, inner.right), SEA)
        spans = _spans(crossings.get(line, ()))
        for distance, band in shifts:
            for first, last in spans:
                plane.fill(line, (max(first - distance, inner.left), min(last + distance, inner.right)), band)
        for first, last in spans:
            plane.fill(line, (max(first, inner.left), min(last, inner.right)), ground)


@cache
def raster(width: int, height: int) -> Raster:
    """Returns the map of a board of `width` by `height` cells."""
    layout = places(width, height)
    plane = _Plane(width, 2 * height, WILD)
    _draw_angola(plane, layout)
    for inset, land, ground in zip(
        layout.insets, (LONDON_LAND, ANTWERP_LAND), (LONDON_GROUND, ANTWERP_GROUND), strict=True
    ):
        _draw_inset(plane, inset, land, ground)
    mixes = tuple(plane.mixes())
    grounds = tuple(tuple(max(mix, key=lambda part: part[1])[0] for mix in row) for row in mixes)
    return Raster(width, height, mixes, grounds)


# -- without color ----------------------------------------------------------------------------------------------------


def _edges(layout: MapPlaces, across: float, down: float) -> Iterator[tuple[Point, Point]]:
    """Yields every piece of a border, with `across` and `down` steps to a pixel."""
    for edge in angola().edges:
        for a, b in pairwise([layout.pixel(point) for point in edge]):
            yield (a[0] * across, a[1] * down), (b[0] * across, b[1] * down)


@cache
def dotted(width: int, height: int) -> tuple[str, ...]:
    """Returns the borders as braille dots, row by row: two by four dots to a cell."""
    cells = [[0] * width for _ in range(height)]
    for a, b in _edges(places(width, height), 2, 2):
        for x, y in steps_between(a, b):
            if 0 <= x < 2 * width and 0 <= y < 4 * height:
                cells[y // 4][x // 2] |= DOTS[y % 4][x % 2]
    return tuple("".join(braille(cell) if cell else " " for cell in row) for row in cells)


def _stroke_of(a: Point, b: Point) -> str:
    """Returns the character that looks most like a line from `a` to `b`, in cells twice as high as wide."""
    across, down = abs(b[0] - a[0]), abs(b[1] - a[1]) * 2
    if down * 5 < across * 3:
        return "-"
    if across * 5 < down * 2:
        return "|"
    return "\\" if (b[0] - a[0]) * (b[1] - a[1]) > 0 else "/"


@cache
def characters(width: int, height: int) -> tuple[str, ...]:
    """Returns the map in ASCII, row by row: borders of slashes, bars and dashes, the sea strewn with ~, the wild with
    dots.
    """
    layout = places(width, height)
    pixels = raster(width, height)
    cells = [[" "] * width for _ in range(height)]
    for row in range(height):
        for column in range(width):
            ground = pixels.grounds[2 * row + 1][column]
            spread = (column * 7 + row * 13) % 23
            if (ground == SEA or COAST <= ground < LONDON_GROUND) and spread < 2:
                cells[row][column] = "~"
            elif ground == WILD and spread == 0:
                cells[row][column] = "."
    for a, b in _edges(layout, 1, 0.5):
        mark = _stroke_of(a, b)
        for x, y in steps_between(a, b):
            if 0 <= x < width and 0 <= y < height:
                cells[y][x] = mark
    return tuple("".join(row) for row in cells)
