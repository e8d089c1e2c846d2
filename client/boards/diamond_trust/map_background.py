"""The map's ground in the terminal's colors: drawn once for each size and set of darkened regions."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from kimberley.client.boards.diamond_trust.map_geometry import places
from kimberley.client.boards.diamond_trust.map_raster import (
    ANTWERP_GROUND,
    BANDS,
    BORDER,
    COAST,
    FRAME,
    LONDON_GROUND,
    SAMPLES,
    SEA,
    WILD,
    Mix,
    characters,
    dotted,
    raster,
)
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.geometry import Area
from kimberley.client.ui.palette import Color, Depth, Dimmed, Palette, Tint, dark_rgb, mix

DARKENED: Final = 62
"""How far a region that cannot be chosen is mixed with the ink, in percent."""

REGION_COLORS: Final = ("uige", "lunda", "malanje", "moxico", "huila", "cuando_cubango")
_SHORES: Final = (0.15, 0.35, 0.65, 0.9)
"""How much of the coast's color each band of the sea has."""

LIGHTS: Final = ("london_light", "antwerp_light")
NAMES: Final = ("LONDON", "ANTWERP")


def _colors(palette: Palette, ascii_only: bool) -> dict[int, Color]:
    """Returns the color of every ground, not darkened. The cities have land only where it can be drawn."""
    colors: dict[int, Color] = dict(enumerate(REGION_COLORS))
    colors |= {SEA: "sea", WILD: "wild", BORDER: "border", FRAME: "border"}
    colors |= {
        COAST + band: palette.mixed("sea", "coast", share) for band, share in zip(range(BANDS), _SHORES, strict=True)
    }
    if ascii_only or palette.depth in (Depth.BASIC, Depth.NONE):
        colors |= {LONDON_GROUND: "border", ANTWERP_GROUND: "border"}
    else:
        colors |= {
            LONDON_GROUND: Tint(0x3A, 0x46, 0x6F, "coast"),
            ANTWERP_GROUND: Tint(0x5A, 0x3A, 0x1E, "cuando_cubango"),
        }
    return colors


class MapBackground:
    """The drawn ground of one size. `canvas` holds it with its areas to click; `flat` gives text its own ground."""

    def __init__(self, width: int, height: int, palette: Palette, ascii_only: bool, dark: frozenset[int]) -> None:
        self.canvas: Final = Canvas(width, height, palette, ascii_only=ascii_only)
        self._palette = palette
        self._raster = raster(width, height)
        self._colors = _colors(palette, ascii_only)
        for region in dark:
            self._colors[region] = Dimmed(self._colors[region], DARKENED)
        if palette.plain:
            self._outlines(characters(width, height) if ascii_only else dotted(width, height))
        elif ascii_only:
            self._blocks(characters(width, height))
        else:
            self._pixels()
        layout = places(width, height)
        for seat, inset in enumerate(layout.insets):
            self._frame(inset, seat)
        self._touchable()

    def color(self, region: int) -> Color:
        """Returns the color of a region, darkened if it is."""
        return self._colors[region]

    def flat(self, column: int, row: int) -> Color:
        """Returns the ground that text on a cell needs: its region's color unmixed. Black in sixteen colors."""
        if self._palette.depth is Depth.BASIC:
            return "ink"
        region = self._raster.region(column, row)
        if region is not None:
            return self._colors[region]
        rows = self._raster.grounds
        if 0 <= row < self._raster.height and 0 <= column < self._raster.width:
            return self._colors[rows[2 * row + 1][column]]
        return "ink"

    def pixel(self, column: int, pixel: int) -> Color:
        """Returns the color of half a cell."""
        cell = self.canvas.cell(column, pixel // 2)
        return cell.style.fg if cell.char == "▀" and pixel % 2 == 0 else cell.style.bg

    def _pixels(self) -> None:
        mixed: dict[Mix, Color] = {}
        grounds, mixes = self._raster.grounds, self._raster.mixes

        def color(column: int, pixel: int) -> Color:
            if not self._palette.true:
                return self._colors[grounds[pixel][column]]
            hit = mixes[pixel][column]
            shade = mixed.get(hit)
            if shade is None:
                shade = mixed[hit] = self._mixed(hit)
            return shade

        for row in range(self.canvas.height):
            for column in range(self.canvas.width):
                upper, lower = color(column, 2 * row), color(column, 2 * row + 1)
                if upper == lower:
                    self.canvas.put(column, row, " ", "text", upper)
                else:
                    self.canvas.put(column, row, "▀", upper, lower)

    def _mixed(self, hit: Mix) -> Color:
        """Returns the color that the samples of a pixel give together."""
        if len(hit) == 1:
            return self._colors[hit[0][0]]
        rgb, counted = (0, 0, 0), 0
        for ground, samples in hit:
            counted += samples
            rgb = mix(rgb, dark_rgb(self._colors[ground]), samples / counted)
        assert counted == SAMPLES * SAMPLES
        return Tint(*rgb, "border")

    def _blocks(self, rows: tuple[str, ...]) -> None:
        for row, text in enumerate(rows):
            for column, character in enumerate(text):
                ground = self._raster.grounds[2 * row + 1][column]
                self.canvas.put(column, row, character, "soft", self._colors[ground])

    def _outlines(self, rows: tuple[str, ...]) -> None:
        for row, text in enumerate(rows):
            self.canvas.put(0, row, text, "soft", "ink")

    def _frame(self, inset: Area, seat: int) -> None:
        if self._palette.plain:
            self.canvas.fill(*inset, "ink")
        elif self.canvas.ascii_only or self._palette.depth is Depth.BASIC:
            self.canvas.fill(*inset, "border")
        for row in (inset.top, inset.bottom - 1):
            self.canvas.fill(inset.left, row, inset.width, 1, "border")
        self.canvas.ground(inset.left, inset.top, 1, inset.height, "border")
        self.canvas.box(*inset, line="soft", square=True)
        self.canvas.put(inset.left + 2, inset.top, f" {NAMES[seat]} ", LIGHTS[seat], "border", bold=True)
        self.canvas.hit(*inset, ("home", seat))

    def _touchable(self) -> None:
        """Lets every stretch of a row that lies in one region be clicked as that region."""
        for row in range(self.canvas.height):
            start, region = 0, self._raster.region(0, row)
            for column in range(1, self.canvas.width + 1):
                here = self._raster.region(column, row)
                if here != region:
                    if region is not None:
                        self.canvas.hit(start, row, column - start, 1, ("region", region))
                    start, region = column, here


@lru_cache(maxsize=32)
def ground(width: int, height: int, palette: Palette, ascii_only: bool, dark: frozenset[int]) -> MapBackground:
    """Returns the ground of a board of `width` by `height` cells with the regions in `dark` darkened."""
    return MapBackground(width, height, palette, ascii_only, dark)
