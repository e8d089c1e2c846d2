"""What a review shows of all seats: both sides or all players at the top, and what their choices cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kimberley.client.boards.review_report import accuracy_text, cost
from kimberley.client.boards.standings import outcomes, places_in_a_row, winners
from kimberley.client.screens.review_curve import FULL_BLOCK
from kimberley.client.session.participants import short_name
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import cell_width, truncate, wrap
from kimberley.client.ui.palette import Color
from kimberley.client.ui.panels import paragraph
from kimberley.games.table import ReasonKind
from kimberley.p2p.sentences.notices import place_number
from kimberley.p2p.sentences.verdicts import reason_named

if TYPE_CHECKING:
    from kimberley.client.boards.review_report import ReviewReport
    from kimberley.games.table import Result

MIDDLE: Final = 20
NARROW_MIDDLE: Final = 14
"""The columns that say who won, and those on a portrait screen."""
BAR: Final = 10
"""Columns of a bar of one hundred percent."""
BAR_ROOM: Final = 36
"""From this many columns on, a player has a bar."""
COSTS: Final = 8
"""Columns of each number about the choices of a seat."""
COSTS_ARE: Final = "The cost is how much of the chance to win was given away."


def draw_bar(canvas: Canvas, x: int, y: int, percent: float, fg: Color) -> None:
    canvas.fill(x, y, BAR, 1, "line")
    canvas.put(x, y, FULL_BLOCK * round(BAR * percent / 100), fg)


def draw_sides(canvas: Canvas, report: ReviewReport) -> None:
    """Draws both sides with their accuracy, and between them, on paper, who won."""
    names, result = report.names, report.audited.result
    middle = NARROW_MIDDLE if canvas.portrait else MIDDLE
    half = (canvas.width - middle) // 2
    canvas.fill(0, 0, canvas.width, canvas.height, "panel")
    canvas.fill(half, 0, middle, canvas.height, "paper")
    outcome = wrap(winners(names, result, None), middle - 2) if result is not None else []
    agreed = result is not None and result.kind is ReasonKind.AGREED
    why = wrap(reason_named(result, names), middle - 2) if result is not None and not agreed else []
    fits = len(outcome + why) <= canvas.height
    for y, text in enumerate((outcome + why if fits else outcome)[: canvas.height]):
        bold = y < len(outcome)
        canvas.center(half, y, middle, text, "ink" if bold else "faded", "paper", bold=bold)
    for seat in range(len(names)):
        if not canvas.portrait:
            canvas.hit(seat * (half + middle), 0, half, canvas.height, ("whose", seat))
        _draw_side(canvas, report, seat, half)


def _draw_side(canvas: Canvas, report: ReviewReport, seat: int, room: int) -> None:
    """Draws one side in `room` columns, at the left or right. A portrait screen has only its name and accuracy."""
    sign, fg = report.marks[seat]
    percent = report.review.accuracy[seat]
    accuracy = accuracy_text(percent)
    label = "" if canvas.portrait else "accuracy "
    mistakes = "" if canvas.portrait else " of ".join(map(str, report.mistakes_of(seat)))
    mistakes_label = mistakes and "mistakes "
    own = _called(report.names[seat], room - cell_width(sign) - 2, canvas.portrait)
    if seat == 0:
        at = canvas.put(1, 0, sign, fg, bold=True)
        canvas.put(at + 1, 0, own, "text", bold=True)
        canvas.put(canvas.put(1, 1, mistakes_label, "soft"), 1, mistakes, "text", bold=True)
        at = canvas.put(1, 2, label, "soft")
        at = canvas.put(at, 2, accuracy, "text", bold=True) + 1
    else:
        at = canvas.right(canvas.width - 1, 0, sign, fg, bold=True)
        canvas.right(at - 1, 0, own, "text", bold=True)
        canvas.right(canvas.right(canvas.width - 1, 1, mistakes, "text", bold=True), 1, mistakes_label, "soft")
        at = canvas.right(canvas.right(canvas.width - 1, 2, accuracy, "text", bold=True), 2, label, "soft") - 1 - BAR
    if not canvas.portrait and percent is not None:
        draw_bar(canvas, at, 2, percent, fg)


def _called(name: str, room: int, whole: bool) -> str:
    """Returns a name in `room` columns; empty where it must be `whole` and is too long: the sentences below have it."""
    return truncate(name, room) if not whole or cell_width(name) <= room else ""


def draw_players(canvas: Canvas, report: ReviewReport, whose: int) -> None:
    """Draws who won in the first row, and each player's place and accuracy in two more; the player `whose` decisions
    are listed is on paper.
    """
    names, result = report.names, report.audited.result
    canvas.fill(0, 0, canvas.width, canvas.height, "panel")
    label = canvas.right(canvas.width - 2, 0, "accuracy", "soft")
    if result is not None:
        outcome = winners(names, result, None)
        fits = cell_width(outcome) + 3 <= label
        several = f"{len(result.winners)} players win"
        headline = outcome if fits or len(result.winners) == 1 else several
        x = canvas.put(1, 0, truncate(headline, label - 2), "text", bold=True)
        told = outcomes(names, result, None)[:-1]
        full = next((text for text in told if 1 + cell_width(text) < label), "") if fits else ""
        canvas.put(x, 0, full.removeprefix(outcome), "text")
    in_a_row = places_in_a_row(len(names))
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
    x = cell.put(1, 0, place_number(result.places, seat), soft) + 1 if result is not None else 1
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


def draw_costs(canvas: Canvas, report: ReviewReport, whose: int) -> None:
    """Draws for each seat how many choices were mistakes, the highest cost, and the total; the player's own seat,
    `whose`, is bold.
    """
    middle, right = canvas.width - COSTS, canvas.width
    canvas.right(middle - COSTS, 0, "mistakes", "soft")
    canvas.right(middle, 0, "highest", "soft")
    canvas.right(right, 0, "total", "soft")
    for seat, (sign, fg) in enumerate(report.marks):
        y = seat + 1
        mistakes, every = report.mistakes_of(seat)
        own = report.lines_of(seat)
        x = canvas.right(middle - COSTS, y, f"{mistakes}/{every}", "text")
        total = cost(sum(line.lost for line in own)) if mistakes else ""
        for end, lost in ((middle, own[0].cost if own else ""), (right, total)):
            canvas.right(end, y, lost or "–", "text")
        at = canvas.put(0, y, sign, fg, bold=True) + 1
        canvas.put(at, y, short_name(report.names, seat, max(1, x - at - 1)), "text", bold=seat == whose)
    below = wrap(COSTS_ARE, canvas.width)
    if len(below) <= canvas.height - len(report.marks) - 2:
        paragraph(canvas, 0, len(report.marks) + 2, below, "soft")
