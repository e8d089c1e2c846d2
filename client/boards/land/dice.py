"""The two large dice, and above them the sums that a turn begins with: nothing else is shown while they roll."""

from __future__ import annotations

from typing import Final

from kimberley.client.boards.land.parcel_style import NIGHT
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.palette import Color
from kimberley.games.land.accounts import TurnOpening
from kimberley.games.land.money import amount

PIPS: Final = ("....o....", "..o...o..", "..o.o.o..", "o.o...o.o", "o.o.o.o.o", "o.oo.oo.o")
"""Where the pips of each face are, row by row."""
WIDE: Final = 11
HIGH: Final = 5
SUMS: Final = 24
"""The columns that the sums take."""


def draw_roll(canvas: Canvas, dice: tuple[int, int], opening: TurnOpening | None) -> None:
    """Draws both dice in the middle, and how the turn began if that changed anything."""
    lines = _sums(opening) if opening is not None and opening.after != opening.before else []
    rows = HIGH + 2 + (len(lines) + 2 if lines else 0)
    y = max(0, (canvas.height - rows) // 2)
    left = (canvas.width - SUMS) // 2
    for label, text, fg in lines:
        canvas.put(left, y, label, "soft")
        canvas.right(left + SUMS, y, text, fg, bold=not label)
        y += 1
    y += 2 if lines else 0
    x = (canvas.width - 2 * WIDE - 6) // 2
    draw_die(canvas, x, y, dice[0], NIGHT, "bright")
    draw_die(canvas, x + WIDE + 6, y, dice[1], "paper", "ink")
    for at, word in ((x, "row"), (x + WIDE + 6, "column")):
        canvas.center(at, y + HIGH + 1, WIDE, word, "soft")


def draw_die(canvas: Canvas, x: int, y: int, face: int, ground: Color, fg: Color) -> None:
    """Draws a die with a face from 0, WIDE columns by HIGH rows."""
    plain = canvas.palette.plain
    if plain:
        canvas.box(x, y, WIDE, HIGH, line=fg)
    else:
        canvas.fill(x, y, WIDE, HIGH, ground)
    for place, pip in enumerate(PIPS[face]):
        if pip == "o":
            canvas.put(x + 2 + place % 3 * 3, y + 1 + place // 3, "●", "text" if plain else fg)


def _sums(opening: TurnOpening) -> list[tuple[str, str, Color]]:
    """Returns the start of a turn as the lines of a sum: what each is for, its amount and color."""
    return [
        ("You had", f"{amount(opening.before)}K", "text"),
        ("sales", f"+ {amount(opening.credits)}K", "money" if opening.credits else "soft"),
        ("tax", f"- {amount(opening.tax)}K", "warning"),
        ("revenue", f"+ {amount(opening.revenue)}K", "ok"),
        ("", f"= {amount(opening.after)}K", "money"),
    ]
