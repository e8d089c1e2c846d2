"""The title's letters, cut like a gem, and the light that runs over them once."""

from __future__ import annotations

from typing import Final

from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.palette import Color
from kimberley.client.ui.pixels import draw

LETTERS: Final = {
    "K": (
        "66...66",
        "46..664",
        "44.564.",
        "44555..",
        "4555...",
        "2255...",
        "22351..",
        "23.511.",
        "23..112",
        "11...11",
    ),
    "I": (
        "666666",
        "466664",
        "..55..",
        "..55..",
        "..55..",
        "..55..",
        "..55..",
        "..31..",
        "233112",
        "111111",
    ),
    "M": (
        "66...66",
        "466.664",
        "4465644",
        "4455544",
        "45.5.52",
        "22...22",
        "22...22",
        "23...12",
        "23...12",
        "11...11",
    ),
    "B": (
        "666666.",
        "4665664",
        "44...44",
        "44...44",
        "455555.",
        "225552.",
        "22...22",
        "23...12",
        "2333112",
        "111111.",
    ),
    "E": (
        "6666666",
        "4665664",
        "44.....",
        "44.....",
        "45555..",
        "22555..",
        "22.....",
        "23.....",
        "2333112",
        "1111111",
    ),
    "R": (
        "666666.",
        "4665664",
        "44...44",
        "44...44",
        "4555552",
        "225552.",
        "22.51..",
        "23..11.",
        "23...12",
        "11...11",
    ),
    "L": (
        "66.....",
        "46.....",
        "44.....",
        "44.....",
        "45.....",
        "22.....",
        "22.....",
        "23.....",
        "2333112",
        "1111111",
    ),
    "Y": (
        "66...66",
        "46...64",
        "44...44",
        ".45.54.",
        ".55555.",
        "..555..",
        "..351..",
        "..351..",
        "..331..",
        "..111..",
    ),
}
"""Ten rows of pixels a letter. A digit is a facet of the palette, 1 the darkest; a dot is empty."""

WORD: Final = "KIMBERLEY"
WIDTH: Final = sum(len(LETTERS[letter][0]) + 1 for letter in WORD) - 1
ROWS: Final = 5
GLINT_SECONDS: Final = 0.6
_GLINT_WIDTH: Final = 7


def draw_wordmark(canvas: Canvas, x: int, y: int, glint: float | None, scale: int = 1) -> None:
    """Draws `WIDTH` by `ROWS` cells, times `scale`. `glint` is the light's position, 0 to 1; None for no light."""
    front = None if glint is None else glint * (WIDTH + 10 + _GLINT_WIDTH)
    pixels: list[list[Color | None]] = []
    for row in range(2 * ROWS):
        digits = ".".join(LETTERS[letter][row] for letter in WORD)
        line: list[Color | None] = []
        for column, digit in enumerate(digits):
            if digit == ".":
                line.append(None)
            elif front is not None and 0 <= front - column - (2 * ROWS - row) < _GLINT_WIDTH:
                line.append(canvas.palette.mixed(f"facet{digit}", "bright", 0.75, "bright"))
            else:
                line.append(f"facet{digit}")
        pixels += [[pixel for pixel in line for _ in range(scale)]] * scale
    draw(canvas, x, y, pixels)
