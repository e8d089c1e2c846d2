"""The review of a game: what each seat knew at every decision, and what the judged decisions add up to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from statistics import fmean
from typing import Any

import pytest

from kimberley.games.bots.review import (
    Assessment,
    CauseKind,
    ChancePoint,
    DecisionPoint,
    RatedChoice,
    ReviewedDecision,
    Swing,
    accuracy,
    cause_of,
    compared,
    conclude,
    decision_points,
    luck_in,
    of_two,
    review_decision,
    swings,
)
from kimberley.games.diamond_trust import GAME
from kimberley.games.table import Answer, Ask, Observation, Plain, Result, Roll, Show
from tests.support.chance import at_random
from tests.support.seated_arena import SeatedArena


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
    """Returns a decision after which its seat has that chance, though `loss` more could be had."""
    made = RatedChoice("made", 10 * chance, of_two(seat, chance))
    best = RatedChoice("best", 10 * (chance + loss), of_two(seat, chance + loss))
    known = Assessment(seat, made, best if loss else made)
    return ReviewedDecision(step, seat, "move", known, known)


def test_chances_and_accuracy_follow_from_the_decisions() -> None:
    decisions = [decision(5, 0, 0.9), decision(1, 0, 0.4, loss=0.2), decision(3, 1, 0.4), decision(1, 1, 0.5)]
    found = conclude("points", decisions, 2)
    assert [(one.step, one.seat) for one in found.decisions] == [(1, 0), (1, 1), (3, 1), (5, 0)]
    assert [one.step for one in found.chances] == [1, 3, 5]
    assert found.chances[0].chances == pytest.approx((0.45, 0.55)), "both seats' judgments count"
    assert list(found.accuracy) == pytest.approx([(100 + accuracy(0.2)) / 2, 100])


def test_a_loss_that_would_be_shown_as_nothing_is_no_mistake_and_costs_no_accuracy() -> None:
    small, large = decision(1, 0, 0.5, loss=0.004), decision(1, 0, 0.5, loss=0.006)
    assert [one.mistake for one in (small, large)] == [False, True]
    assert [one.accuracy for one in (small, large)] == pytest.approx([100, accuracy(0.006)])


def test_a_change_counts_as_far_as_it_lasted() -> None:
    series = [of_two(0, chance) for chance in (0.5, 0.95, 0.3, 0.7, 0.6, 1.0)]
    found = swings(series, 0)
    assert [(one.at, one.seat, one.rose) for one in found[:2]] == [(5, 0, True), (5, 1, False)]
    assert [round(one.lasting, 6) for one in found] == [0.4, 0.4, 0.3, 0.3], "0.95 did not last, 0.7 became 0.6"
    assert swings(series[:1], 0) == swings([], 0) == []


def test_the_fall_of_a_leading_loser_can_be_the_turn() -> None:
    series = [(0.1, 0.8, 0.1), (0.4, 0.2, 0.4), (0.8, 0.1, 0.1)]
    assert [(one.at, one.seat, one.rose) for one in swings(series, 0)[:2]] == [(1, 1, False), (2, 0, True)]


def explained(*decisions: ReviewedDecision, rose: bool = True, draws: tuple[int, ...] = ()) -> tuple[Any, ...]:
    """Returns what explains a rise of seat 0 from 50 percent, or a fall of seat 1."""
    points = [ChancePoint(0, (0.5, 0.5)), *conclude("points", decisions, 2).chances]
    found = cause_of(Swing(1, 0 if rose else 1, rose, 0.1), points, decisions, draws)
    return () if found is None else (found.kind, round(found.weight, 3), found.decision)


def test_a_mistake_of_the_loser_explains_a_rise_and_the_best_choice_of_the_winner_does_not() -> None:
    best = decision(2, 0, 0.9)
    mistake = decision(2, 1, 0.1, loss=0.35)
    assert explained(best) == ()
    assert explained(best, mistake) == (CauseKind.MISTAKE, 0.35, mistake)
    assert explained(best, mistake, rose=False) == (CauseKind.MISTAKE, 0.35, mistake)
    unlucky = replace(mistake, known=best.known)
    assert explained(best, unlucky) == (CauseKind.HINDSIGHT, 0.35, unlucky)


def test_a_mistake_of_the_winner_explains_no_rise() -> None:
    assert explained(decision(2, 0, 0.9, loss=0.058)) == ()


@dataclass
class Wavering:
    """A judge that draws worlds, and finds another choice better by one amount each time."""

    gains: list[float]
    hidden = False

    def by_knowledge(self, observation: Observation, chosen: Plain, rng: Random) -> Assessment:
        rng.random()
        seat, gain = observation.seat, self.gains.pop(0)
        made, other = (
            RatedChoice(name, chance, of_two(seat, chance)) for name, chance in ((chosen, 0.5), ("", 0.5 + gain))
        )
        return Assessment(seat, made, other if gain else made)


@pytest.mark.parametrize(
    ("gains", "lost"),
    [([0.11, 0.0], 0.0), ([0.11, 0.06], 0.06), ([0.0], 0.0), ([0.004], 0.004)],
    ids=["ahead by luck", "ahead again", "the best", "hardly ahead"],
)
def test_a_mistake_is_one_in_other_worlds_too_and_costs_what_it_costs_there(gains: list[float], lost: float) -> None:
    state: Any = GAME.start(2, {}, None)
    observation = Observation(0, state, ())
    judge: Any = Wavering(list(gains))
    found = review_decision(judge, DecisionPoint(0, observation, state, (), "made"), "salt")
    assert found is not None
    assert found.known.lost_chance == pytest.approx(lost)
    assert judge.gains == []


def test_what_was_drawn_explains_what_no_decision_does() -> None:
    mistake = decision(2, 0, 0.9, loss=0.058)
    assert explained(mistake, draws=(1,)) == (CauseKind.LUCK, 0.458, None)
    assert explained(mistake, draws=(3,)) == (), "it was drawn later"


def test_what_one_player_had_seen_is_no_luck_when_it_is_shown_to_all() -> None:
    dealt, spent, both = Show((4,), ((1, 0),)), Show((4,), ((1, None),)), Show((4, 5), ((1, None),))
    story: list[tuple[Ask, Answer]] = [(Roll((6,)), (3,)), (dealt, ((2,),)), (spent, ((2,),)), (both, ((2,), (1,)))]
    assert luck_in(story) == {0, 1, 3}


def test_a_seat_that_decided_nothing_has_no_accuracy() -> None:
    found = conclude("points", [decision(1, 1, 0.7)], 2)
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
    found = conclude("points", decisions, 3)
    assert decisions[0].known.lost_chance == pytest.approx(0.3)
    assert [one.chances for one in found.chances] == [
        pytest.approx(each) for each in ((0.25, 0.35, 0.4), (0.1, 0.7, 0.2), (0.0, 1.0, 0.0))
    ]


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
    found = compared(0, [made, other], [[5.0, 5.0, 5.0, 5.0], leads], least=1.0)
    assert (found.chosen, found.best) == (made, other if better else made)
    assert found.others == (() if better else (other,))
