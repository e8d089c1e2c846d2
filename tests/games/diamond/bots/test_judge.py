"""The judge of Diamond: an optimal line of a solved ending costs nothing, a blunder costs all that it gives away."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest

from kimberley.games.bots.review import Assessment, SupportsReview, equally_good
from kimberley.games.diamond.bots import BOTS
from kimberley.games.diamond.bots.bot import DiamondBot
from kimberley.games.diamond.bots.judge import DiamondJudge, chance
from kimberley.games.diamond.bots.search import Search
from kimberley.games.diamond.notation import format_turn, read_position
from kimberley.games.diamond.position import Position
from kimberley.games.diamond.rules import State
from kimberley.games.table import Decide, Observation, Result, evolve
from tests.support.diamond import at, placing

LEVEL = 10
IN_THREE = ("1wn4/wbnwnwn1/2bn2w1/b3w1w1/2nw1b2/2nbb3/2wbb3/7 w 0", "4w2/5w2/3wwbw1/3wbbb1/4wbw1/3bwbb1/4bbbw/5wb w 1")
"""Endings that are solved: the side to move wins with its second turn."""
HOPELESS = "wwww1w1/2b3b1/7b/b4bbn/1b1bwbww/1b3ww1/1b2wb2/7 w 0"


def judged(state: State, turn: str, level: int = LEVEL) -> Assessment | None:
    ask = state.ask()
    assert isinstance(ask, Decide)
    return DiamondJudge(level).by_knowledge(Observation(ask.seat, state, ()), turn, Random(1))


def loss(state: State, turn: str) -> float:
    found = judged(state, turn)
    assert found is not None
    return found.loss


def best(position: Position) -> str:
    return format_turn(position, Search(20_000).best(position).move)


@pytest.mark.parametrize("written", IN_THREE)
def test_an_optimal_line_of_a_solved_ending_costs_nothing(written: str) -> None:
    state = at(read_position(written))
    turns = 0
    while not isinstance(state.ask(), Result):
        turn = best(state.position)
        assert loss(state, turn) == 0
        state, turns = state.apply(turn), turns + 1
    assert turns == 3


@pytest.mark.nightly
@pytest.mark.slow
def test_two_ways_to_win_are_equally_good_until_one_of_them_ends_the_game() -> None:
    start = at(read_position(IN_THREE[0]))
    wins = best(start.position)
    closer = start.apply(wins)
    closer = closer.apply(best(closer.position))
    for state, alike in ((start, True), (closer, False)):
        seat = state.ask().seat  # type: ignore[union-attr]
        turn = best(state.position)
        found = equally_good(DiamondJudge(LEVEL), Observation(seat, state, ()), turn, turn, Random(1))
        assert found == alike
    other = next(
        turn for turn in map(partial(format_turn, start.position), start.position.moves()) if loss(start, turn)
    )
    assert not equally_good(DiamondJudge(LEVEL), Observation(start.ask().seat, start, ()), wins, other, Random(1))  # type: ignore[union-attr]


@pytest.mark.slow
def test_a_turn_that_gives_a_win_away_costs_at_least_half_a_point() -> None:
    state = at(read_position(IN_THREE[0]))
    keeps = best(state.position)
    given_away = next(
        turn
        for move in state.position.moves()
        if (turn := format_turn(state.position, move)) != keeps
        and Search(3_000).best(state.position.after(move)).score > 0
    )
    assert loss(state, given_away) >= 0.5


@pytest.mark.slow
def test_what_only_a_shallow_search_finds_worse_is_no_mistake() -> None:
    """A search as long as the bot's finds another turn 29 percent better; one as long as a hint's, that both lose."""
    state = at(read_position(HOPELESS))
    made, other = (
        1 - chance(Search(3 * DiamondBot(LEVEL, 0).nodes).best(state.apply(turn).position).score)
        for turn in ("g3-g2*", "d8-d7")
    )
    assert other - made > 0.1
    assert loss(state, "g3-g2*") == 0


@pytest.mark.parametrize(("times", "worth"), [(1, 1), pytest.param(2, 0.5, marks=pytest.mark.slow)])
def test_a_position_that_comes_about_again_is_a_draw_only_the_third_time(times: int, worth: float) -> None:
    position = read_position(IN_THREE[0])
    turn = Search(20_000).best(position).move
    after = position.after(turn)
    met = times * tuple(after.after(reply) for reply in after.moves())
    assessed = judged(evolve(at(position), earlier=met), format_turn(position, turn))
    assert assessed is not None
    assert assessed.chosen.worth == worth


def test_a_draw_that_was_offered_is_better_than_a_lost_position() -> None:
    """White, to move, loses by force, and could have taken the draw."""
    position = read_position(IN_THREE[0])
    after = position.after(Search(20_000).best(position).move)
    lost = evolve(at(after), offered=True)
    playing_on = judged(lost, best(after))
    assert playing_on is not None
    assert (playing_on.chosen.worth, playing_on.best.choice, playing_on.best.worth) == (0, "=", 0.5)
    taken = judged(lost, "=")
    assert taken is not None
    assert taken.loss == 0


def test_the_first_placements_are_not_judged() -> None:
    assert judged(at(placing("", "")), "d4") is None
    assert judged(at(placing("d4", "")), "e5") is None
    assert judged(at(placing("d4", "e5")), "d5", level=1) is not None


def test_chances_of_scores_are_those_of_the_other_side_turned_round() -> None:
    assert chance(0) == 0.5
    assert chance(35) == pytest.approx(1 - chance(-35))
    assert chance(99_990) == 1
    assert isinstance(BOTS, SupportsReview)
    assert BOTS.judge(3).unit == "points"
