"""A short finished game with a review that was made up: every decision cost a little, in turn for each seat."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

from kimberley.client.boards.review_report import ReviewReport
from kimberley.games.bots.review import (
    Assessment,
    RatedChoice,
    ReviewedDecision,
    conclude,
    decision_points,
    kind_of,
    of_two,
)
from kimberley.games.table import Plain, Result, space_for
from kimberley.protocol.audit import AuditedGame
from tests.support.board_snapshots import Scenario, finished_game

SCENARIOS = {
    "diamond": Scenario("diamond", 2, 10, {}),
    "diamond-trust": Scenario("diamond-trust", 2, 1, {}),
    "land": Scenario("land", 3, 1, {}, {"map": "small"}, bots=True),
    "mine": Scenario("mine", 4, 1, {}, bots=True),
    "piecepack": Scenario("piecepack", 6, 5, {}, bots=True),
}
OPEN = ("diamond", "land")
"""Games in which nothing is hidden."""
UNITS = {"diamond": "points", "diamond-trust": "diamonds", "land": "K", "mine": "points", "piecepack": "points"}


@cache
def finished(name: str) -> AuditedGame:
    """Returns a game played at random."""
    return finished_game(SCENARIOS[name])


@cache
def made_up_report(name: str) -> ReviewReport:
    """Returns the report of a review in which every fifth decision was a mistake, and seat 0’s chance rises."""
    audited, seats = finished(name), SCENARIOS[name].seats
    points = list(decision_points(audited.start, audited.story, seats))
    decisions = []
    for number, point in enumerate(points):
        ask = point.observation.state.ask()
        assert not isinstance(ask, Result)
        chances = _made_up_chances(seats, point.seat, 0.6 * number / len(points))
        own = chances[point.seat]
        made = RatedChoice(point.chosen, 4 * own, chances)
        space = space_for(ask, point.seat)
        assert space is not None
        other: Plain = space.pick(Random(number))
        better = RatedChoice(
            other, 4 * own + 0.5 + number % 4, _raised(chances, point.seat, min(1.0, own + 0.02 * (1 + number % 4)))
        )
        known = Assessment(point.seat, made, better if number % 5 == 0 and other != point.chosen else made, (better,))
        true = known if name in OPEN else replace(known, others=())
        decisions.append(ReviewedDecision(point.step, point.seat, kind_of(point), known, true))
    return ReviewReport(audited, conclude(UNITS[name], decisions, seats))


def _made_up_chances(seats: int, judged: int, gained: float) -> tuple[float, ...]:
    """Returns the chances after a decision: seat 0 has gained that much, and the others change places."""
    first = 0.6 / seats + gained
    if seats == 2:
        return of_two(judged, first if judged == 0 else 1 - first)
    weights = [seat * (0.6 - gained) + (seats - seat) * gained for seat in range(1, seats)]
    return first, *((1 - first) * weight / sum(weights) for weight in weights)


def _raised(chances: tuple[float, ...], seat: int, own: float) -> tuple[float, ...]:
    """Returns the chances if one seat has its `own` instead, and the others share the rest in proportion."""
    share = (1 - own) / (1 - chances[seat])
    return tuple(own if each == seat else chance * share for each, chance in enumerate(chances))
