"""A chart with a line for each seat: of what the seats had, or of their chances."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from kimberley.client.ui.braille import DOTS, braille
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import cell_width
from kimberley.client.ui.palette import Color

ENDS: Final = 10
"""Columns right of the lines, for the sign of a seat and its amount."""
BETWEEN: Final = 12
"""Columns between two signs on a line."""
STEPS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500)
"""The possible steps from one label below a chart to the next."""


@dataclass(frozen=True)
class LineChart:
    """Lines over samples, on the whole of a region.

    Args:
        marks: The sign and the color of each seat.
        amounts: The amounts by seat, sample by sample.
        low: The amount in the last row.
        high: The amount in the first row.
        unit: What follows an amount: "K".
        front: The seat whose line is in front of the others; None if it does not matter.

    """

    marks: Sequence[tuple[str, Color]]
    amounts: Sequence[Sequence[float]]
    low: float
    high: float
    unit: str = ""
    front: int | None = None

    def draw(self, canvas: Canvas, at: int | None) -> None:
        """Draws the lines with a sign here and there and the last amounts, and marks the selected sample."""
        canvas.fill(0, 0, canvas.width, canvas.height, "panel")
        if at is not None:
            canvas.ground(self.column(canvas.width, at), 0, 1, canvas.height, "line")
        order = sorted(range(len(self.marks)), key=lambda seat: seat == self.front)
        for seat in order:
            self._line(canvas, seat)
        for seat in order:
            self._signs(canvas, seat)
        self._ends(canvas)

    def column(self, width: int, at: int) -> int:
        """Returns the column of a sample."""
        return round(at * (width - ENDS - 1) / max(1, len(self.amounts) - 1))

    def row(self, height: int, amount: float) -> int:
        """Returns the row of an amount."""
        return self._dot(height, amount) // 4

    def _dot(self, height: int, amount: float) -> int:
        """Returns the row of an amount in dots from the top, four a row."""
        return round((4 * height - 1) * (self.high - amount) / (self.high - self.low))

    def _line(self, canvas: Canvas, seat: int) -> None:
        amounts = [sample[seat] for sample in self.amounts]
        cells: dict[tuple[int, int], int] = {}
        for at, (before, after) in enumerate(pairwise(amounts)):
            left, right = (2 * self.column(canvas.width, end) for end in (at, at + 1))
            rows = [
                self._dot(canvas.height, before + (after - before) * (x - left) / max(1, right - left))
                for x in range(left, right + 1)
            ]
            for x, (y, beyond) in enumerate(zip(rows, [*rows[1:], rows[-1]], strict=True), left):
                for dot in range(min(y, beyond), max(y, beyond) + 1):
                    cell = x // 2, dot // 4
                    cells[cell] = cells.get(cell, 0) | DOTS[dot % 4][x % 2]
        for (x, y), bits in cells.items():
            canvas.put(x, y, braille(bits), self.marks[seat][1])

    def _signs(self, canvas: Canvas, seat: int) -> None:
        """Draws signs on a line, which tell the lines apart where colors do not."""
        sign, fg = self.marks[seat]
        first = BETWEEN * (seat + 1) // (len(self.marks) + 1)
        spots = {
            self.column(canvas.width, at): amount for at, amount in enumerate(sample[seat] for sample in self.amounts)
        }
        for x in range(first, canvas.width - ENDS, BETWEEN):
            near = min(spots, key=lambda spot: abs(spot - x))
            canvas.put(near, self.row(canvas.height, spots[near]), sign.strip()[0], fg, bold=True)

    def _ends(self, canvas: Canvas) -> None:
        """Draws the sign and the amount of each seat right of its line, the best on top, one a row if there is room."""
        taken, last = -1, self.amounts[-1]
        order = sorted(range(len(last)), key=lambda seat: -last[seat])
        for left, seat in zip(range(len(order) - 1, -1, -1), order, strict=True):
            taken = min(max(taken + 1, self.row(canvas.height, last[seat])), canvas.height - 1 - left)
            sign, fg = self.marks[seat]
            x = canvas.put(canvas.width - ENDS + 1, taken, sign, fg, bold=True)
            canvas.put(x + 1, taken, f"{last[seat]}{self.unit}", "text")


def draw_labels(
    canvas: Canvas, y: int, labels: Sequence[str], columns: Sequence[int], at: int | None, gap: int
) -> list[tuple[int, int]]:
    """Draws labels, all of them numbers, each from its column on: all, or every second, fifth or tenth one, so that
    they fit with `gap` columns between them, and always the selected one. Returns where each begins and ends, drawn
    or not.
    """
    places = [(x, x + cell_width(label)) for x, label in zip(columns, labels, strict=True)]

    def every(step: int) -> list[int]:
        return [number for number, label in enumerate(labels) if int(label) % step == 0]

    def fit(step: int) -> bool:
        return all(places[after][0] - places[before][1] >= gap for before, after in pairwise(every(step)))

    kept = (canvas.width, canvas.width)
    if at is not None:
        x = min(places[at][0] - 1, canvas.width - cell_width(labels[at]) - 2)
        kept = x - 1, canvas.put(x, y, f" {labels[at]} ", "ink", "paper", bold=True) + 1
    for number in every(next((step for step in STEPS if fit(step)), STEPS[-1])):
        x, after = places[number]
        if number != at and (after <= kept[0] or x >= kept[1]):
            canvas.put(x, y, labels[number], "soft")
    return places
