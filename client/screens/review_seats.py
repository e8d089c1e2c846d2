"""What the review shows of all seats: what their choices cost; with three and more, the head and a line for each."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from kimberley.client.boards.line_chart import LineChart, draw_labels
from kimberley.client.boards.review_report import SIGNS
from kimberley.client.boards.standings import IN_A_ROW, winners
from kimberley.client.session.participants import short_name
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import cell_width, wrap
from kimberley.client.ui.palette import Color
from kimberley.client.ui.panels import paragraph

if TYPE_CHECKING:
    from kimberley.client.boards.review_report import ReviewReport
    from kimberley.games.table import Result

SCALE: Final = 5
"""Columns left of the curve, for its percents."""
BAR: Final = 10
"""Columns of a bar, which is all of one hundred percent."""
BAR_ROOM: Final = 36
"""From so many columns on a player has a bar."""
FULL_BLOCK: Final = "█"
COSTS: Final = 8
"""Columns of a cost of all choices of a seat."""


def accuracy_text(accuracy: float | None) -> str:
    """An accuracy in percent; a dash for a seat that decided nothing."""
    return "–" if accuracy is None else f"{round(accuracy)} %"


def draw_bar(canvas: Canvas, x: int, y: int, percent: float, fg: Color) -> None:
    canvas.fill(x, y, BAR, 1, "line")
    canvas.put(x, y, FULL_BLOCK * round(BAR * percent / 100), fg)


def draw_players(canvas: Canvas, report: ReviewReport, whose: int) -> None:
    """Says in the first row who won, and in two more each player's place and accuracy; `whose` decisions are listed is
    on paper.
    """
    names, result = report.names, report.audited.result
    canvas.fill(0, 0, canvas.width, canvas.height, "panel")
    label = canvas.right(canvas.width - 2, 0, "accuracy", "soft")
    if result is not None:
        said = winners(names, result, None)
        fits = cell_width(said) + 3 <= label
        x = canvas.put(1, 0, said if fits else f"{len(result.winners)} players have won", "text", bold=True)
        why = f": {result.reason}."
        if fits and x + cell_width(why) < label:
            canvas.put(x, 0, why, "text")
    in_a_row = 2 if canvas.portrait and len(names) <= 4 else IN_A_ROW
    room = canvas.width // in_a_row
    for seat in range(len(names)):
        cell = canvas.region(room * (seat % in_a_row), 1 + seat // in_a_row, room - 1, 1)
        _draw_player(cell, report, seat, result, seat == whose)
        if not canvas.portrait:
            cell.hit(0, 0, cell.width, 1, ("whose", seat))


def _draw_player(cell: Canvas, report: ReviewReport, seat: int, result: Result | None, chosen: bool) -> None:
    sign, fg = report.marks[seat]
    soft, text, paint = ("ink", "ink", "ink") if chosen else ("soft", "text", fg)
    cell.fill(0, 0, cell.width, 1, "paper" if chosen else "panel")
    x = cell.put(1, 0, f"{result.places[seat]}.", soft) + 1 if result is not None else 1
    x = cell.put(x, 0, sign, paint, bold=True) + 1
    accuracy = report.review.accuracy[seat]
    right = cell.right(cell.width - 1, 0, accuracy_text(accuracy), text, bold=True) - 1
    if cell.width >= BAR_ROOM and accuracy is not None:
        right -= BAR
        draw_bar(cell, right, 0, accuracy, fg)
        right -= 1
    # Where a portrait screen has no room for a name, the sentences below have it.
    if not cell.portrait or cell_width(report.names[seat]) <= right - x:
        cell.put(x, 0, short_name(report.names, seat, max(1, right - x)), text, bold=chosen)


def draw_lines(canvas: Canvas, report: ReviewReport, whose: int, chapter: int | None) -> None:
    """A line for the chance of each seat, that of `whose` in front, and the numbers of the chapters below them."""
    rows, marks = canvas.height - 1, report.marks
    percents = [[round(100 * chance) for chance in one.chances] for one in report.chances]
    lines = LineChart(marks, percents, 0, 100, " %", whose)
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


def draw_costs(canvas: Canvas, report: ReviewReport, whose: int) -> None:
    """For each seat how many choices were the best, what the others cost at most, and all together; the own seat,
    `whose`, is bold.
    """
    unit = report.review.unit
    signed = unit in SIGNS
    middle, right = canvas.width - COSTS, canvas.width
    canvas.right(middle - COSTS, 0, "best", "soft")
    canvas.right(middle, 0, "highest", "soft")
    canvas.right(right, 0, "in all", "soft")
    for seat, (sign, fg) in enumerate(report.marks):
        y = seat + 1
        best, every = report.best_of(seat)
        losses = [line.loss for line in report.lines_of(seat)]
        x = canvas.right(middle - COSTS, y, f"{best}/{every}", "text")
        for end, loss in ((middle, max(losses, default=0.0)), (right, sum(losses))):
            said = (report.cost(loss) if signed else f"{loss:.2f}") if loss > 0 else "–"
            canvas.right(end, y, said, "text")
        at = canvas.put(0, y, sign, fg, bold=True) + 1
        canvas.put(at, y, short_name(report.names, seat, max(1, x - at - 1)), "text", bold=seat == whose)
    if not signed:
        rows = canvas.height - len(report.marks) - 2
        paragraph(canvas, 0, len(report.marks) + 2, wrap(f"Costs are in {unit}.", canvas.width)[:rows], "soft")
