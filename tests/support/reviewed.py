"""A short finished game with a review that was made up: every decision cost a little, in turn for each seat."""

from __future__ import annotations

from functools import cache
from random import Random

from kimberley.client.boards.review_report import ReviewReport
from kimberley.games.review import Assessment, RatedChoice, ReviewedDecision, conclude, decision_points, of_two
from kimberley.games.table import Plain, Result, space_for
from kimberley.protocol.audit import AuditedGame
from tests.support.board_snapshots import Scenario, finished_game

SCENARIOS = {
    "diamond": Scenario("diamond", 2, 10, {}),
    "diamond-trust": Scenario("diamond-trust", 2, 1, {}),
}
UNITS = {"diamond": "points", "diamond-trust": "diamonds"}


@cache
def finished(name: str) -> AuditedGame:
    """A game played at random."""
    return finished_game(SCENARIOS[name])


@cache
def made_up_report(name: str) -> ReviewReport:
    """The report of a review in which each fifth decision was a mistake, and seat 0’s chance rises to the end."""
    audited = finished(name)
    points = list(decision_points(audited.start, audited.story, 2))
    decisions = []
    for number, point in enumerate(points):
        ask = point.observation.state.ask()
        assert not isinstance(ask, Result)
        chance = 0.3 + 0.6 * number / len(points)
        own = chance if point.seat == 0 else 1 - chance
        made = RatedChoice(point.chosen, 4 * own, of_two(point.seat, own))
        space = space_for(ask, point.seat)
        assert space is not None
        other: Plain = space.pick(Random(number))
        better = RatedChoice(other, 4 * own + 0.5 + number % 4, of_two(point.seat, min(1.0, own + 0.06)))
        known = Assessment(point.seat, made, better if number % 5 == 0 and other != point.chosen else made, (better,))
        kind = "last look" if ask.last_look else ask.subject
        decisions.append(ReviewedDecision(point.step, point.seat, kind, known, known))
    return ReviewReport(audited, conclude(UNITS[name], decisions, audited.result, 2))
