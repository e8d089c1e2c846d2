"""QR codes of half blocks: two modules in a cell, ink on paper, with four modules of quiet around them."""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from typing import Final

import segno

from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import needs_ascii
from kimberley.client.ui.palette import Depth, detect_depth
from kimberley.p2p.base.terminal import takes_escapes

ROWS_AROUND: Final = 3
"""What stays in sight with a printed code: a line above it, one below it, and the cursor's."""
QUIET: Final = 4
"""Modules around a code."""
LITTLE_QUIET: Final = 2
"""The same where there is no room for more; phones read it, too."""
_INK_ON_PAPER: Final = "\x1b[38;5;16;48;5;231m"
_PLAIN: Final = "\x1b[0m"


@lru_cache(8)
def code_lines(text: str, quiet: int = QUIET, *, least: int = 1) -> list[str]:
    """Returns a QR code of `text`, to be shown dark on light, with that many modules of quiet around it: its lines have
    as many columns as the code has modules. `least` is its smallest version, and so its smallest size.
    """
    code = segno.make(text, error="l", micro=False, boost_error=False)
    if int(code.version) < least:
        code = segno.make(text, version=least, error="l", micro=False, boost_error=False)
    modules = [[bool(module) for module in row] for row in code.matrix_iter(border=quiet)]
    below = [*modules[1:], [False] * len(modules)]
    halves = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}
    return [
        "".join(halves[upper, lower] for upper, lower in zip(row, under, strict=True))
        for row, under in list(zip(modules, below, strict=True))[::2]
    ]


def can_show_codes(canvas: Canvas) -> bool:
    """Returns whether a code can be read from this terminal: it needs blocks, and colors to be dark on light."""
    return not canvas.ascii_only and canvas.palette.depth is not Depth.NONE


def draw_code(canvas: Canvas, x: int, y: int, lines: list[str]) -> None:
    """Draws the lines of a code on paper."""
    canvas.fill(x, y, len(lines[0]), len(lines), "paper")
    for number, line in enumerate(lines):
        canvas.put(x, y + number, line, "ink", "paper")


def printed_code(text: str) -> list[str]:
    """Returns the lines of a code for a terminal that prints line by line; none if it cannot show them, or they do not
    fit.
    """
    if not takes_escapes(sys.stdout) or needs_ascii() or detect_depth() in (Depth.NONE, Depth.BASIC):
        return []
    size = os.get_terminal_size(sys.stdout.fileno())
    lines = code_lines(text)
    fits = len(lines[0]) <= size.columns and len(lines) + ROWS_AROUND <= size.lines
    return [f"{_INK_ON_PAPER}{line}{_PLAIN}" for line in lines] if fits else []
