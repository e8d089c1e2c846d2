"""The judge of Diamond Trust: it never peeks, finds a blunder, and calls a choice the best where nothing is better."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from kimberley.games.bots.review import DecisionPoint, SupportsReview, equally_good, review_decision
from kimberley.games.diamond_trust import GAME
from kimberley.games.diamond_trust.angola import HOME
from kimberley.games.diamond_trust.bots import BOTS
from kimberley.games.diamond_trust.bots.effort import Effort
from kimberley.games.diamond_trust.bots.judge import TrustJudge, bound
from kimberley.games.diamond_trust.bots.strategist import choice_of_row, row_of_choice
from kimberley.games.diamond_trust.rules import RoundStep, State
from kimberley.games.table import Plain
from tests.support.effort import first_is_quick
from tests.support.laws import TwoJudged
from tests.support.trust import CUANDO, HUILA, LUNDA, UIGE, Trust

LITTLE = Effort(32, 4, 4)
MORE = Effort(1500, 16, 40)


@pytest.mark.slow
@pytest.mark.parametrize("seat", first_is_quick(0, 1))
def test_what_a_seat_may_not_know_changes_no_judgment_by_what_it_knew(seat: int) -> None:
    pair = TwoJudged(TrustJudge(LITTLE), 3, GAME, 2, seat, Random(seat))
    pair.run()
    assert pair.differed
    assert pair.judged > 5


def last_month(salaries: tuple[int, int, int] = (2, 2, 2)) -> Trust:
    """Returns the last move of a game, everybody at home, with money for it."""
    table = Trust(CUANDO)
    table.choose((0, 0, 0), salaries)
    table.become(months_left=0)
    return table


def point_of(table: Trust, seat: int, choices: tuple[Plain, Plain]) -> DecisionPoint:
    return DecisionPoint(2, table.seats.observation(seat), table.truth, choices, choices[seat])


STAYS = ((HOME, 0, 0),) * 3
GOES = ((UIGE, 4, 0), (LUNDA, 4, 0), (HUILA, 4, 0))


def test_to_stay_home_in_the_last_month_is_a_blunder() -> None:
    table = last_month()
    blunder = review_decision(TrustJudge(MORE), point_of(table, 0, (STAYS, GOES)), "salt")
    sound = review_decision(TrustJudge(MORE), point_of(table, 0, (GOES, GOES)), "salt")
    assert blunder is not None
    assert sound is not None
    assert blunder.kind == "plan"
    assert blunder.known.loss > 1
    assert blunder.accuracy < sound.accuracy


def test_choices_are_equally_good_only_where_that_is_certain() -> None:
    known = last_month().seats.observation(0)
    assert equally_good(TrustJudge(MORE), known, GOES, GOES, Random(1))
    assert not equally_good(TrustJudge(MORE), known, GOES, STAYS, Random(1))


def test_once_a_game_is_decided_a_choice_costs_diamonds_and_no_accuracy() -> None:
    table = last_month()
    table.become(vault=(40, 2))
    judged = review_decision(TrustJudge(MORE), point_of(table, 0, (STAYS, GOES)), "salt")
    assert judged is not None
    assert judged.known.loss > 1
    assert judged.known.lost_chance == 0
    assert judged.accuracy == 100


def test_with_everything_known_what_seemed_best_is_compared_too() -> None:
    """With so little effort, the judge finds other choices for itself."""
    table = last_month()
    point = point_of(table, 0, (STAYS, GOES))
    best = ((UIGE, 5, 0), (LUNDA, 5, 0), (HUILA, 5, 0))
    found = TrustJudge(LITTLE).by_truth(replace(point, alternative=best), Random(1))
    assert best in [found.best.choice, *(other.choice for other in found.others)]
    found = TrustJudge(LITTLE).by_truth(point, Random(1))
    assert best not in [found.best.choice, *(other.choice for other in found.others)]


def test_with_everything_known_it_knows_what_the_other_side_chooses_at_the_same_time() -> None:
    """Paying a dollar more than the other side in all three regions takes all that is there."""
    table = last_month()
    theirs = ((UIGE, 1, 0), (LUNDA, 1, 0), (HUILA, 1, 0))
    point = point_of(table, 0, (((UIGE, 2, 0), (LUNDA, 2, 0), (HUILA, 2, 0)), theirs))
    dear = replace(point, answer=(point.chosen, ((UIGE, 3, 0), (LUNDA, 3, 0), (HUILA, 3, 0))))
    judge = TrustJudge(MORE)
    won, lost = (judge.by_truth(each, Random(3)).chosen for each in (point, dear))
    assert (won.chances, lost.chances) == ((1, 0), (0, 1))
    assert won.worth == 4
    assert lost.worth == -4
    assert judge.by_knowledge(point.observation, point.chosen, Random(3)) == judge.by_knowledge(
        dear.observation, dear.chosen, Random(3)
    )


def test_where_there_is_one_choice_nothing_is_judged() -> None:
    table = Trust()
    table.choose((0, 0, 0), (0, 0, 0))
    table.choose(GOES, STAYS)
    state = table.view(0)
    assert state.step is RoundStep.MOVE
    assert bound(state, 0)
    assert TrustJudge(LITTLE).by_knowledge(table.seats.observation(0), GOES, Random(1)) is None


def test_the_same_salt_gives_the_same_judgment() -> None:
    point = point_of(last_month(), 1, (GOES, STAYS))
    first, second = (review_decision(TrustJudge(LITTLE), point, "salt") for _ in range(2))
    assert first == second
    assert isinstance(BOTS, SupportsReview)
    assert BOTS.judge(1).hidden


@pytest.mark.parametrize("choice", [GOES, STAYS])
def test_a_choice_and_its_row_stand_for_each_other(choice: Plain) -> None:
    state = last_month().view(0)
    assert isinstance(state, State)
    assert choice_of_row(state, 0, row_of_choice(state, 0, choice)) == choice
