"""The review of a game: what each seat knew at every decision, and what the judged decisions add up to."""

from __future__ import annotations

from random import Random
from statistics import fmean

import pytest

from kimberley.games.arena import SeatedArena
from kimberley.games.diamond_trust import GAME
from kimberley.games.review import (
    Assessment,
    RatedChoice,
    ReviewedDecision,
    accuracy,
    compared,
    conclude,
    decision_points,
    of_two,
)
from kimberley.games.table import Answer, Ask, Observation, Plain, Result
from tests.support.chance import at_random


def test_the_points_of_a_story_are_what_each_seat_knew_when_it_chose() -> None:
    table = SeatedArena(GAME, 2, Random(4))
    rng = Random(4)
    story: list[tuple[Ask, Answer]] = []
    asked: list[tuple[int, Observation, Plain]] = []
    while not isinstance(ask := table.arena.truth.ask(), Result):
        choices = {seat: at_random(rng)(table.observation(seat)) for seat in ask.choosers}
        asked += [(len(story), table.observation(seat), choice) for seat, choice in choices.items()]
        answer = table.arena.answer(ask, choices)
        story.append((ask, answer))
        table.apply(answer)
    points = list(decision_points(table.start, story, 2))
    assert [(point.step, point.observation, point.chosen) for point in points] == asked
    assert points[-1].truth.apply(points[-1].answer).ask() == story[points[-1].step + 1][0]


@pytest.mark.parametrize(("lost", "least", "most"), [(0.0, 100, 100), (0.05, 78, 82), (0.3, 20, 30), (1.0, 0, 0)])
def test_accuracy_falls_with_the_chance_that_was_lost(lost: float, least: float, most: float) -> None:
    assert least <= accuracy(lost) <= most


def decision(step: int, seat: int, chance: float, loss: float = 0.0) -> ReviewedDecision:
    """A decision after which its seat has that chance, though `loss` more was to be had."""
    made = RatedChoice("made", 10 * chance, of_two(seat, chance))
    best = RatedChoice("best", 10 * (chance + loss), of_two(seat, chance + loss))
    known = Assessment(seat, made, best if loss else made)
    return ReviewedDecision(step, seat, "move", known, known)


WON_BY_0 = Result((1, 2), ((1,), (0,)), "it ended")


def test_chances_accuracy_and_the_turning_point_follow_from_the_decisions() -> None:
    decisions = [decision(5, 0, 0.9), decision(1, 0, 0.4, loss=0.2), decision(3, 1, 0.4), decision(1, 1, 0.5)]
    found = conclude("points", decisions, WON_BY_0, 2)
    assert [(one.step, one.seat) for one in found.decisions] == [(1, 0), (1, 1), (3, 1), (5, 0)]
    assert [one.step for one in found.chances] == [1, 3, 5]
    assert found.chances[0].chances == pytest.approx((0.45, 0.55)), "both seats' judgments count"
    assert list(found.accuracy) == pytest.approx([(100 + accuracy(0.2)) / 2, 100])
    turn = found.turning_point
    assert turn is not None
    assert (turn.step, turn.seat) == (5, 0)
    assert (turn.before, turn.after) == pytest.approx((0.6, 0.9))


def test_the_first_step_is_no_turning_point_since_nobody_judged_what_preceded_it() -> None:
    decisions = [decision(1, 0, 0.9), decision(2, 0, 0.8), decision(3, 0, 0.85)]
    turn = conclude("points", decisions, WON_BY_0, 2).turning_point
    assert turn is not None
    assert (turn.step, turn.before, turn.after) == (3, 0.8, 0.85)
    assert conclude("points", decisions[:2], WON_BY_0, 2).turning_point is None


def test_a_game_without_a_winner_did_not_turn_and_a_seat_that_decided_nothing_has_no_accuracy() -> None:
    drawn = Result((1, 1), ((0,), (0,)), "a draw")
    found = conclude("points", [decision(1, 1, 0.7)], drawn, 2)
    assert found.turning_point is None
    assert found.accuracy == (None, 100)
    assert [one.step for one in found.chances] == [1]
    assert found.chances[0].chances == pytest.approx((0.3, 0.7))


def test_at_a_table_of_three_each_seat_has_its_own_chance() -> None:
    def judged(step: int, seat: int, *chances: float, best: tuple[float, ...] = ()) -> ReviewedDecision:
        made = RatedChoice("made", 1.0, chances)
        known = Assessment(seat, made, RatedChoice("best", 2.0, best) if best else made)
        return ReviewedDecision(step, seat, "move", known, known)

    decisions = [
        judged(0, 0, 0.2, 0.4, 0.4, best=(0.5, 0.3, 0.2)),
        judged(0, 2, 0.3, 0.3, 0.4),
        judged(1, 1, 0.1, 0.7, 0.2),
        judged(2, 2, 0.0, 1.0, 0.0),
    ]
    found = conclude("points", decisions, Result((2, 1, 3), ((1,), (2,), (0,)), "it ended"), 3)
    assert decisions[0].known.lost_chance == pytest.approx(0.3)
    assert [one.chances for one in found.chances] == [
        pytest.approx(each) for each in ((0.25, 0.35, 0.4), (0.1, 0.7, 0.2), (0.0, 1.0, 0.0))
    ]
    turn = found.turning_point
    assert turn is not None
    assert (turn.step, turn.seat) == (1, 1)
    assert (turn.before, turn.after) == pytest.approx((0.35, 0.7))


@pytest.mark.parametrize(
    ("leads", "chance", "better"),
    [
        ([8.0, 9.0, 7.0, 8.0], 0.6, True),
        ([8.0, 9.0, 7.0, 8.0], 0.4, False),
        ([5.5, 5.5, 5.5, 5.5], 0.6, False),
        ([29.0, -9.0, 3.0, 9.0], 0.6, False),
    ],
    ids=["clearly ahead", "a chance is lost", "by half a point", "by luck"],
)
def test_only_a_choice_that_is_clearly_ahead_and_loses_no_chance_is_better(
    leads: list[float], chance: float, better: bool
) -> None:
    made = RatedChoice("made", 5.0, (0.5, 0.5))
    other = RatedChoice("other", fmean(leads), (chance, 1 - chance))
    found = compared(0, [made, other], [[5.0, 5.0, 5.0, 5.0], leads], certain=2.0, least=1.0)
    assert (found.chosen, found.best) == (made, other if better else made)
    assert found.others == (() if better else (other,))
