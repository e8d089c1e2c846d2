"""Games with few dollars, solved exactly: last rounds, two rounds, sales; and what the bot gives away in them."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from kimberley.games.diamond_trust.rules import RoundStep
from tests.support.effort import tries
from tests.support.reduced import LAST_ROUNDS, LOADED, ONE_EACH, Reduced, exploitability, value
from tests.support.sequence_form import NONE, SequenceForm
from tests.support.small_rounds import HELD_OUT, MET, SMALL, TWO, GameTree, Small
from tests.support.strategies import strategies
from tests.support.trust import HUILA, MOXICO, UIGE

PURE = ["one auction, $1 each", "two regions, one agent each, $2"]
SALE = "a sale, then two diamonds more"
MIXED_SALE = "a sale, then the last two"
TWO_ROUNDS = "two rounds, a sale between them"


def kuhn_poker() -> SequenceForm:
    """Returns the poker of Kuhn (1950): three cards, one for each of two players, one more dollar to bet."""
    form = SequenceForm()
    for mine, theirs in permutations(range(3), 2):
        won = 1 if mine > theirs else -1
        first = form.enter(0, NONE, mine, 2)[0].sequences
        after_pass = form.enter(1, NONE, (theirs, "pass"), 2)[0].sequences
        after_bet = form.enter(1, NONE, (theirs, "bet"), 2)[0].sequences
        again = form.enter(0, first[0], "bet", 2)[0].sequences
        for own, other, worth in (
            (first[0], after_pass[0], won), (again[0], after_pass[1], -1), (again[1], after_pass[1], 2 * won),
            (first[1], after_bet[0], 1), (first[1], after_bet[1], 2 * won),
        ):  # fmt: skip
            form.leaf(own, other, worth / 6)
    return form


@pytest.mark.nightly
@pytest.mark.slow
def test_the_linear_program_solves_matching_pennies_and_a_saddle() -> None:
    assert value(np.array([[1.0, 0.0], [0.0, 1.0]])) == pytest.approx(0.5)
    assert value(np.array([[3.0, 1.0], [4.0, 2.0]])) == pytest.approx(2.0)


@pytest.mark.nightly
@pytest.mark.slow
def test_the_sequence_form_solves_poker() -> None:
    form = kuhn_poker()
    worth, plan = form.solve()
    assert worth == pytest.approx(-1 / 18)
    assert form.least(plan) == pytest.approx(worth)
    always_pass = np.array([1.0 if number == NONE or number % 2 else 0.0 for number in range(form.count[0])])
    assert form.least(always_pass) == pytest.approx(-1)


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize("name", [*PURE, "two agents each, the Inspector on one of the regions, $2"])
def test_equal_sides_are_worth_a_half(name: str) -> None:
    rows, columns, matrix = LAST_ROUNDS[name].matrix()
    assert rows == columns
    assert matrix == pytest.approx(1 - matrix.T)
    assert value(matrix) == pytest.approx(0.5)


@pytest.mark.nightly
@pytest.mark.slow
def test_more_dollars_win_an_auction() -> None:
    assert value(Reduced(ONE_EACH, (0, 0, 0, 0, 2, 0), UIGE, (2, 1)).matrix()[2]) == pytest.approx(1.0)


@pytest.mark.nightly
@pytest.mark.slow
def test_both_solvers_agree_on_a_last_round() -> None:
    """One lists orders and lets the simulator judge; the other follows the rules proper, told and hidden."""
    agents, diamonds, vault = LOADED, (0, 0, 0, 1, 2, 0), (5, 5)
    for cash in ((2, 1), (1, 2)):
        listed = value(Reduced(agents, diamonds, MOXICO, cash, vault).matrix()[2])
        small = Small(agents, diamonds, MOXICO, cash, vault, months_left=0, step=RoundStep.PLAN)
        assert GameTree(small).form.solve()[0] == pytest.approx(listed)


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize("name", [TWO_ROUNDS, SALE, MIXED_SALE])
def test_what_solves_a_small_game_cannot_be_exploited(name: str) -> None:
    form = GameTree(SMALL[name]).form
    worth, plan = form.solve()
    assert worth == pytest.approx(0.5)
    assert form.least(plan) == pytest.approx(worth)
    stays = plan.copy()
    stays[1:] = 0
    for known in form.sets[0]:
        stays[known.sequences[0]] = stays[known.parent]
    assert form.least(stays) < worth


@pytest.mark.nightly
@pytest.mark.slow
def test_a_dollar_more_wins_two_auctions() -> None:
    richer = Small(MET, TWO, UIGE, (2, 1), step=RoundStep.PLAN)
    assert GameTree(richer).form.solve()[0] > 0.5
    assert GameTree(replace(richer, cash=(1, 2))).form.solve()[0] < 0.5


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize("name", ["tuned", "search:1"])
@pytest.mark.parametrize("reduced", PURE)
def test_it_plays_small_auctions_exactly(name: str, reduced: str) -> None:
    assert exploitability(LAST_ROUNDS[reduced], strategies(name), 5) == pytest.approx(0, abs=0.01)


@pytest.mark.nightly
@pytest.mark.slow
def test_a_search_sells_exactly_where_one_number_is_best_and_a_policy_does_not() -> None:
    tree = GameTree(SMALL[SALE])
    for name in tries(("search:1",), ("search:1", "search:4")):
        assert tree.exploitability(strategies(name), 5) == pytest.approx(0)
    assert tree.exploitability(strategies("tuned"), 5) == pytest.approx(0.5)


@pytest.mark.nightly
@pytest.mark.slow
def test_what_a_player_gives_away_is_found_at_its_step() -> None:
    found = GameTree(SMALL[SALE]).given_away(strategies("tuned"), 1)
    assert found.pop(("sale plan", 1)) == pytest.approx(0.5)
    assert found.keys() == {(step, 0) for step in ("inspect", "move", "pay", "plan")}
    assert all(figure == pytest.approx(0) for figure in found.values())


@pytest.mark.nightly
@pytest.mark.slow
def test_a_search_gives_away_less_of_two_rounds_than_a_policy() -> None:
    tree = GameTree(replace(HELD_OUT["two rounds, apart"], inspector=HUILA, step=RoundStep.PAY))
    seeds = tries(1, 5)
    tuned, level = (tree.exploitability(strategies(name), seeds) for name in ("tuned", "search:1"))
    assert level == pytest.approx(0, abs=0.1)
    assert tuned == pytest.approx(0.7)
