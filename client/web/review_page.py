"""The review of a game as a page: one file, which loads nothing and runs nothing."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from kimberley.client.boards.review_report import ChapterChance, ReviewLine, ReviewReport, accuracy_text
from kimberley.client.web.picture import css_color
from kimberley.games.phrases import join_names
from kimberley.p2p.sentences.verdicts import describe_result
from kimberley.p2p.tournament.page_games import DASHES

WIDTH: Final = 720
HEIGHT: Final = 200


@dataclass(frozen=True, slots=True)
class ReviewedSide:
    """One player's part of the page: decisions in order, how many were mistakes, the costliest in words."""

    name: str
    accuracy: str
    mistakes: int
    costliest: str
    lines: list[ReviewLine]


class ChanceCurve(NamedTuple):
    """A player’s chances as a line: its color, dashes and points in SVG, and the place of the sign on it."""

    name: str
    sign: str
    color: str
    dashes: str
    points: str
    at: tuple[float, float]


def render(report: ReviewReport) -> str:
    """Returns the page of a review."""
    style = Markup(files("kimberley.client.web").joinpath("static/style.css").read_text("utf-8"))
    return _template().render(_facts(report), style=style)


def render_main(report: ReviewReport) -> str:
    """Returns the main part of that page, for a page that has the rest and the same style sheet."""
    template = _template()
    return "".join(template.blocks["main"](template.new_context(_facts(report))))


def _template() -> Template:
    templates = Environment(
        loader=PackageLoader("kimberley.client.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return templates.get_template("review.html")


def _facts(report: ReviewReport) -> dict[str, Any]:
    result = report.audited.result
    chances = report.chances
    turn = report.turn.chapter if report.turn is not None else None
    return {
        "title": report.title,
        "names": report.names,
        "players": join_names(report.names),
        "result": "" if result is None else describe_result(result, tuple(report.names), report.audited.departed),
        "sides": [_side(report, seat) for seat in range(len(report.names))],
        "chances": chances,
        "unit": report.chapter_unit,
        "turn": report.turning_point(),
        "turn_at": next((round(x, 1) for x, one in _places(report) if one.chapter == turn), None),
        "curves": _curves(report) if chances else [],
        "unjudged": report.unjudged,
        "none_judged": report.none_judged,
        "open": report.open,
        "width": WIDTH,
        "height": HEIGHT,
    }


def _places(report: ReviewReport) -> list[tuple[float, ChapterChance]]:
    """Returns each month, round or move with the place of its chances, in units from the left."""
    chances = report.chances
    return [(WIDTH * (number + 0.5) / len(chances), one) for number, one in enumerate(chances)]


def _curves(report: ReviewReport) -> list[ChanceCurve]:
    """Returns a curve for each player."""
    seats = len(report.names)
    curves = []
    for seat, (sign, color) in enumerate(report.marks):
        points = [(round(x, 1), round(HEIGHT * (1 - one.chances[seat]), 1)) for x, one in _places(report)]
        drawn = " ".join(f"{x},{y}" for x, y in points)
        at = points[len(points) * (seat + 1) // (seats + 1)]
        curves.append(ChanceCurve(report.names[seat], sign, css_color(color), DASHES[seat], drawn, at))
    return curves


def _side(report: ReviewReport, seat: int) -> ReviewedSide:
    lines = report.lines_of(seat, by_cost=False)
    return ReviewedSide(
        report.names[seat],
        accuracy_text(report.review.accuracy[seat]),
        report.mistakes_of(seat)[0],
        max(lines, key=lambda line: (line.lost, line.loss)).cost if lines else "",
        lines,
    )
