"""The curve of a review: the chances by month, round or move, of all players, or of one side of two."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from kimberley.client.boards.line_chart import LineChart, draw_labels
from kimberley.client.session.participants import short_name
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import cell_width, truncate

if TYPE_CHECKING:
    from kimberley.client.boards.review_report import ReviewReport

SCALE: Final = 5
"""Columns left of the curve, for its percentages."""
NAME: Final = 20
"""The most columns of a name."""
FULL_BLOCK, UPPER, LOWER = "█", "▀", "▄"
LEAST: Final = 24
"""Columns of the shortest curve."""


def draw_curve(
    canvas: Canvas, report: ReviewReport, seat: int, whose: int, chapter: int | None, share: float = 1.0
) -> None:
    """Draws the chances, below a row that says whose they are: with two sides that of `seat`, with more players all,
    that of `whose` in front. `chapter` is in focus, and `share` is how much of the game is judged.
    """
    if not report.chances:
        return
    several = len(report.names) > 2
    chance = "Chances" if several else f"{short_name(report.names, seat, NAME)}’s chance"
    when = "" if canvas.portrait else f" after each {report.chapter_unit}{'' if report.open else ', with hindsight'}"
    unjudged = f" {report.unjudged}" if report.unjudged else ""
    heads = [f"{chance} to win{period} (%){f'.{unjudged}' if unjudged else ''}" for period in (when, "")]
    head = next((head for head in heads if cell_width(head) <= canvas.width - 2), heads[-1])
    canvas.put(1, 0, truncate(head, canvas.width - 2), "soft")
    below = canvas.region(0, 1, max(LEAST, round(share * canvas.width)), canvas.height - 1)
    if several:
        draw_lines(below, report, whose, chapter)
    else:
        _draw_area(below, report, seat, chapter)


def _draw_area(canvas: Canvas, report: ReviewReport, seat: int, chapter: int | None) -> None:
    """Draws the chance of one side: above the middle its color, below it the other’s."""
    chances, marks = report.chances, report.marks
    rows, room = canvas.height - 1, canvas.width - SCALE - 3
    for y, percent in ((0, "100"), (rows // 2, "50"), (rows - 1, "0")):
        canvas.right(SCALE - 1, y, percent, "soft")
    edges = [SCALE + room * number // len(chances) for number in range(len(chances) + 1)]
    for (left, right), one in zip(pairwise(edges), chances, strict=True):
        here = chapter == one.chapter
        canvas.fill(left, 0, right - left, rows, "raised" if here else "panel")
        if not canvas.portrait:
            canvas.hit(left, 0, right - left, rows + 1, ("chapter", one.chapter))
    chapters = [one.chapter for one in chances]
    at = chapters.index(chapter) if chapter is not None else None
    labels = list(map(str, chapters))
    columns = [(left + right - len(label)) // 2 for label, (left, right) in zip(labels, pairwise(edges), strict=True)]
    draw_labels(canvas, rows, labels, columns, at, 2)
    for x, height in enumerate(_heights([one.chances[seat] for one in chances], room, 2 * rows)):
        above = height >= rows
        fg = marks[seat if above else 1 - seat][1]
        low, high = (rows, height) if above else (height, rows)
        for y in range(rows):
            bottom = 2 * (rows - 1 - y)
            halves = low <= bottom < high, low <= bottom + 1 < high
            if any(halves):
                canvas.put(SCALE + x, y, FULL_BLOCK if all(halves) else LOWER if halves[0] else UPPER, fg)


def _heights(chances: list[float], room: int, most: int) -> list[int]:
    """Returns the chance for each column, in half rows, interpolated between the middles of the months."""
    heights = []
    for x in range(room):
        place = min(max(0.0, (x + 0.5) * len(chances) / room - 0.5), len(chances) - 1.0)
        first = int(place)
        after = chances[min(first + 1, len(chances) - 1)]
        heights.append(round(most * (chances[first] + (after - chances[first]) * (place - first))))
    return heights


def draw_lines(canvas: Canvas, report: ReviewReport, whose: int, chapter: int | None) -> None:
    """Draws a line for the chance of each seat, that of `whose` in front, and the numbers of the chapters below."""
    rows, marks = canvas.height - 1, report.marks
    percents = [one.percents for one in report.chances]
    lines = LineChart(marks, percents, 0, 100, "%", whose)
    for percent in (100, round(100 / len(marks)), 0):
        canvas.right(SCALE - 1, lines.row(rows, percent), str(percent), "soft")
    chart = canvas.region(SCALE, 0, canvas.width - SCALE, rows)
    chapters = [one.chapter for one in report.chances]
    at = chapters.index(chapter) if chapter is not None else None
    lines.draw(chart, at)
    columns = [SCALE + lines.column(chart.width, number) for number in range(len(chapters))]
    labels = list(map(str, chapters))
    below = [x - (len(label) - 1) // 2 for x, label in zip(columns, labels, strict=True)]
    draw_labels(canvas, rows, labels, below, at, 2)
    edges = [SCALE, *((left + right) // 2 + 1 for left, right in pairwise(columns)), columns[-1] + 2]
    for number, (left, right) in zip(chapters, pairwise(edges), strict=True):
        if not canvas.portrait:
            canvas.hit(left, 0, right - left, canvas.height, ("chapter", number))
