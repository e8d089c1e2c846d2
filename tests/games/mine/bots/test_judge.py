"""The judge of Diamond Mine: it never peeks, finds a blunder, and calls a choice the best where nothing is better."""

from __future__ import annotations

from random import Random
from typing import cast

import pytest

from kimberley.games.bots.levels import make_bot
from kimberley.games.bots.review import Assessment, DecisionPoint, SupportsReview, review_decision
from kimberley.games.mine import GAME
from kimberley.games.mine.bots import BOTS
from kimberley.games.mine.bots.judge import MineJudge
from kimberley.games.mine.rules import State
from kimberley.games.table import Answer, Observation, Plain, Result, evolve, space_for
from tests.support.effort import tries
from tests.support.laws import steps
from tests.support.mine import (
    BLUE,
    GREEN,
    RED,
    filled,
    go,
    hidden,
    last_vein,
    medium,
    move,
    position,
    shown,
    small,
    walled_in,
    with_other_colors,
)
from tests.support.seated_arena import SeatedArena

QUICK = 2
GOOD = 10
EVERY = 29
"""One of so many decisions is judged, in all phases."""
EACH = tries(4, 1)
"""One of so many choices of each bot is judged."""


def known(state: State, seat: int, chosen: Plain, level: int = GOOD) -> Assessment | None:
    return MineJudge(level).by_knowledge(Observation(seat, hidden(state), ()), chosen, Random(1))


def loss(state: State, seat: int, chosen: Plain) -> float:
    found = known(state, seat, chosen)
    assert found is not None
    return found.loss


def point(state: State, seat: int, answer: Answer) -> DecisionPoint:
    ask = state.ask()
    assert not isinstance(ask, Result)
    return DecisionPoint(0, Observation(seat, hidden(state), ()), state, answer, ask.choice_in(answer, seat))


def true(state: State, seat: int, answer: Answer) -> Assessment:
    return MineJudge(GOOD).by_truth(point(state, seat, answer), Random(1))


# -- what it knows -----------------------------------------------------------------------------------------------------


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 4])
def test_what_nobody_has_seen_changes_no_judgment_by_what_a_seat_knew(seats: int) -> None:
    rng = Random(5)
    judged = 0
    for number, (table, _) in enumerate(steps(GAME, seats, Random(8))):
        truth = cast(State, table.arena.truth)
        space = space_for(truth.ask(), truth.turn)
        if number % EVERY or space is None:
            continue
        chosen = space.pick(rng)
        views = (cast(State, table.views[truth.turn]), truth, with_other_colors(truth, rng))
        one, *others = (
            MineJudge(QUICK).by_knowledge(Observation(truth.turn, view, ()), chosen, Random(7)) for view in views
        )
        assert others == [one, one]
        judged += one is not None
    assert judged > 3


EVEN = "c5 a6 c7 d6 b8 e3 f1 g3 f4 h2"
"""Veins that lie in the same way on both sides of the diagonal. In c5 are gems of the color of seat 0, in e3 others."""


def two_veins() -> State:
    """Returns a state in which seat 0 can go to c5 or to e3, and knows nothing of either."""
    return shown(position(2, veins=EVEN, pawns="d4 g7"), 1, 1)


@pytest.mark.nightly
@pytest.mark.slow
def test_with_everything_known_it_knows_what_is_in_unopened_veins() -> None:
    state = two_veins()
    rich, poor = move("c5"), move("e3")
    assert loss(state, 0, rich) == loss(state, 0, poor) == 0
    assert true(state, 0, rich).loss == 0
    mistake = true(state, 0, poor)
    assert mistake.loss > 1
    assert mistake.best.choice == rich


@pytest.mark.nightly
@pytest.mark.slow
def test_with_everything_known_it_knows_the_cards_that_others_show_at_the_same_time() -> None:
    """Both want the gems on d4, which end the game. Seat 1 acts first, and gets there with a 2."""
    shut = dict.fromkeys(("b4", "b6", "c7", "f2", "e2"), ())
    veins = " ".join(("d4", *shut))
    stored = {1: (small(GREEN),)}
    held = {"d4": (0, 20), **shut}
    state = position(2, veins=veins, inside=held, pawns="c3 d2", first=1, stored=stored, carried={0: (25,)})
    taken, left = (((1, False), (card, False)) for card in (2, 3))
    assert true(state, 0, left).chosen.chances == (1, 0)
    assert true(state, 0, taken).chosen.chances[0] < 0.8
    judgments = [review_decision(MineJudge(QUICK), point(state, 0, answer), "salt") for answer in (taken, left)]
    assert all(judgments)
    one, other = judgments
    assert one is not None
    assert other is not None
    assert one.known == other.known
    assert one.true != other.true


@pytest.mark.nightly
@pytest.mark.slow
def test_a_game_that_all_agree_to_end_is_over_with_everything_known() -> None:
    state = position(2, pawns="d4 f6", stored={0: (small(GREEN),)}, quiet=5)
    over = true(state, 0, ((1, True), (2, True)))
    assert over.chosen.chances == (1, 0)
    assert over.loss == 0
    assert true(state, 0, ((1, True), (2, False))).chosen.chances[0] < 0.9


# -- what it says ------------------------------------------------------------------------------------------------------


@pytest.mark.nightly
@pytest.mark.slow
def test_to_carry_a_full_load_away_from_home_is_a_blunder_and_to_bring_it_home_is_not() -> None:
    state = position(2, veins=EVEN, pawns="a4 g5", carried={0: (small(RED, 1), medium(RED, 1))})
    assert loss(state, 0, (3, False)) == 0
    assert loss(state, 0, (2, False)) > 1
    away = known(shown(state, 3, 1), 0, move("a7"))
    assert away is not None
    assert away.loss > 1
    assert away.lost_chance > 0.05
    assert away.best.choice == move("a1")
    assert loss(shown(state, 3, 1), 0, move("a1")) == 0


@pytest.mark.slow
def test_to_end_a_game_that_one_would_win_after_going_home_is_a_blunder() -> None:
    """Seat 0 stands on the last vein, with what it lacks, two squares from home; seat 1 is far from both."""
    shut = dict.fromkeys(("b4", "b6", "c7", "f6", "e2"), ())
    stored = {0: (small(GREEN, 0), small(GREEN, 1)), 1: (medium(GREEN, 0),)}
    state = position(
        2, veins=" ".join(("c3", *shut)), inside={"c3": (0,), **shut}, pawns="d4 h7", carried={0: (25,)}, stored=stored
    )
    state = go(shown(state, 1, 1), "c3")
    ended = known(state, 0, (0,))
    assert ended is not None
    assert ended.chosen.chances == (0.5, 0.5)
    assert ended.best.choice == ()
    assert ended.loss > 1
    assert loss(state, 0, ()) == 0


def test_to_end_a_game_that_is_won_costs_nothing() -> None:
    assert loss(last_vein(5, 0), 0, (0,)) == 0


@pytest.mark.nightly
@pytest.mark.slow
def test_to_leave_the_gem_that_is_worth_more_is_a_blunder() -> None:
    state = position(2, veins="d5", inside={"d5": (0, 20)}, pawns="d4 g6", carried={0: (small(BLUE),)})
    state = evolve(shown(state, 1, 1), phase="take", nest=0)
    assert loss(state, 0, (20,)) == 0
    assert loss(state, 0, ()) > 1


def test_where_there_is_one_choice_nothing_is_judged() -> None:
    corner = position(2, veins="a3 c3", inside={"a3": (), "c3": ()})
    assert known(shown(corner, 3, 1), 0, move("d1")) is None
    assert known(walled_in(), 0, (1, False)) is None


def test_where_nests_are_placed_is_not_judged() -> None:
    state = filled(2)
    space = space_for(state.ask(), 0)
    assert space is not None
    assert known(state, 0, space.pick(Random(1))) is None


@pytest.mark.slow
def test_of_four_each_has_a_chance_and_who_has_left_has_none() -> None:
    state = position(4, pawns="a4 a8 g5 h1", carried={0: (small(RED, 1), medium(RED, 1))})
    found = known(state, 0, (3, False), QUICK)
    assert found is not None
    assert len(found.chosen.chances) == 4
    assert all(found.chosen.chances)
    assert sum(found.chosen.chances) == pytest.approx(1)
    left = known(state.leave(3), 0, (3, False), QUICK)
    assert left is not None
    assert left.chosen.chances[3] == 0
    assert sum(left.chosen.chances) == pytest.approx(1)


@pytest.mark.nightly
@pytest.mark.slow
def test_the_same_salt_gives_the_same_judgment() -> None:
    decision = point(two_veins(), 0, move("e3"))
    first, second = (review_decision(MineJudge(QUICK), decision, "salt") for _ in range(2))
    assert first == second
    assert isinstance(BOTS, SupportsReview)
    assert BOTS.judge(1).hidden
    assert BOTS.judge(20).unit == "points"


@pytest.mark.nightly
@pytest.mark.slow
def test_choices_of_a_good_bot_cost_little_beside_those_of_a_bad_one() -> None:
    bots = [make_bot(GAME, GOOD, 0), make_bot(GAME, 1, 1)]
    table, costs, made = SeatedArena(GAME, 2, Random(7)), [0.0, 0.0], [0, 0]
    while not isinstance(ask := table.arena.truth.ask(), Result):
        choices = {}
        for seat in ask.choosers:
            choices[seat] = bots[seat].choose(table.observation(seat))
            made[seat] += 1
            if made[seat] % EACH == 0:
                judged = MineJudge(GOOD).by_knowledge(table.observation(seat), choices[seat], Random(seat))
                costs[seat] += judged.loss if judged else 0
        table.apply(table.arena.answer(ask, choices))
    assert 2 * costs[0] < costs[1]
