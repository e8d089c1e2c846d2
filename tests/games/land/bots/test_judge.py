"""The judge of the land game: it calls a blunder a blunder, a good turn the best, and knows who has won."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Final

import pytest

from kimberley.games.arena import Arena
from kimberley.games.bots.review import Assessment, DecisionPoint, SupportsReview, accuracy, equally_good
from kimberley.games.land import GAME
from kimberley.games.land.bots import BOTS
from kimberley.games.land.bots.bot import LandBot
from kimberley.games.land.bots.judge import ADVISERS, LandJudge, considered, shortened, turn_of, worlds
from kimberley.games.land.deals import Deals
from kimberley.games.land.notation import parse_deals
from kimberley.games.land.rules import State
from kimberley.games.table import Decide, Observation, Result, Roll
from tests.support.effort import OTHER_VALUE, tries
from tests.support.land import Owned, roll, space, table

LEVEL: Final = 1
EACH: Final = tries(3, 1)
"""One of so many turns of a whole game is judged."""
JOINED: Owned = {
    **dict.fromkeys(("e1", "e2", "e3", "e4"), (0, "30")),
    **dict.fromkeys(("d1", "d2", "d3", "d4"), (0, "200")),
}
"""Diamonds that are joined to the river by farmland."""
NEAR: Owned = {"d1": (0, "100"), **dict.fromkeys(("g1", "h1", "i1", "j1"), (1, "0"))}
"""Seat 0 can sell diamonds for 50K, and seat 1 will earn 12.6K at the start of its next turn."""


def read(state: State, deals: str) -> Deals:
    return parse_deals(space(state).draft(), deals)


def judged(state: State, chosen: Deals, seed: int = 1) -> Assessment | None:
    found = LandJudge(LEVEL).by_knowledge(Observation(state.seat, state, ()), chosen, Random(seed))
    if found is not None:
        for rated in (found.chosen, found.best, *found.others):
            assert sum(rated.chances) == pytest.approx(1)
    return found


def of_bot(state: State) -> Deals:
    return turn_of(LandBot(20, 0), state)


@pytest.mark.parametrize(
    ("state", "deals"),
    [
        pytest.param(roll(table(JOINED, (200, 500))), "sell d1 d2 d3 d4", id="sells what earns", marks=OTHER_VALUE),
        pytest.param(
            roll(table(JOINED, (200, 500))),
            "price d1 d2 d3 d4 999",
            id="pays tax on prices beyond all need",
            marks=OTHER_VALUE,
        ),
        pytest.param(roll(table({"a9": (1, "400")}), (2, 0)), "buy a9 1.00", id="pays a rival 400K for desert"),
        pytest.param(roll(table(NEAR, (960, 990))), "pass", id="lets the rival win"),
    ],
)
def test_a_blunder_is_one_and_the_turn_of_the_bot_is_none(state: State, deals: str) -> None:
    blunder, sound = judged(state, read(state, deals)), judged(state, of_bot(state))
    assert blunder is not None
    assert sound is not None
    assert blunder.loss > 40
    assert blunder.lost_chance > 0.25
    assert sound.loss == 0


@pytest.mark.nightly
@pytest.mark.slow
def test_only_turns_that_end_alike_are_equally_good() -> None:
    state = roll(table(cash=(500, 500)), (0, 1))
    buys, turned_round, waits = (read(state, deals) for deals in ("buy e1 g1 300", "buy g1 e1 300", "pass"))
    judge, known = LandJudge(LEVEL), Observation(state.seat, state, ())
    assert buys != turned_round
    assert equally_good(judge, known, buys, turned_round, Random(1))
    assert not equally_good(judge, known, buys, waits, Random(1))


def test_who_wins_at_once_has_won() -> None:
    found = judged(roll(table(NEAR, (960, 990))), read(roll(table(NEAR, (960, 990))), "sell d1"))
    assert found is not None
    assert found.chosen.chances == (1, 0)


def test_where_there_is_one_choice_nothing_is_judged() -> None:
    """Whoever can afford nothing, and owns nothing in the sector, has only one turn."""
    poor = roll(table({"d1": (0, "100")}, (0, 500)), (2, 2))
    assert judged(poor, ()) is None
    assert judged(roll(table({"d1": (0, "100")}, (0, 500))), ()) is not None
    assert judged(roll(table({"d1": (0, "100")}, (6, 500)), (2, 2)), ()) is not None


@pytest.mark.nightly
@pytest.mark.slow
def test_the_same_chance_gives_the_same_judgment() -> None:
    state = roll(table(JOINED, (200, 500)))
    assert judged(state, (), seed=7) == judged(state, (), seed=7)
    assert judged(state, (), seed=7) != judged(state, (), seed=8)


@pytest.mark.nightly
@pytest.mark.slow
def test_nothing_is_hidden() -> None:
    state = roll(table(JOINED, (200, 500)))
    chosen = read(state, "sell d1")
    judge = BOTS.judge(LEVEL)
    observation = Observation(0, state, ())
    assert isinstance(BOTS, SupportsReview)
    assert (judge.unit, judge.hidden) == ("K", False)
    by_truth = judge.by_truth(DecisionPoint(3, observation, state, chosen, chosen), Random(1))
    assert by_truth == judge.by_knowledge(observation, chosen, Random(1))


@pytest.mark.nightly
@pytest.mark.slow
def test_at_a_table_of_three_whoever_is_out_has_no_chance() -> None:
    state = roll(table(JOINED, (200, 300, 500)))
    found, without = judged(state, ()), judged(state.leave(2), ())
    assert found is not None
    assert without is not None
    assert min(found.chosen.chances) > 0
    assert without.chosen.chances[2] == 0


# -- what a turn is compared with --------------------------------------------------------------------------------------


def test_a_turn_is_compared_with_turns_of_the_bot_and_with_what_the_bot_would_add_to_it() -> None:
    state = roll(table(cash=(30, 500)), (0, 1))
    made = read(state, "buy e1 300")
    turns = considered(state, made)
    assert turns[0] == made
    assert of_bot(state) in turns
    (added,) = (turn for turn in turns[1:] if turn not in [turn_of(LandBot(level, 0), state) for level in ADVISERS])
    assert added[0][:2] == made[0][:2]
    assert added[0][-1] < 3000, "it sets a better price"
    assert len(added) > 3
    assert considered(state, of_bot(state)).count(of_bot(state)) == 1


@pytest.mark.parametrize(
    ("deals", "short"),
    [
        ("buy a1 3; price a1 4; price d2 4; price d2 7", "buy a1 4; price d2 7"),
        ("sell d1; buy a1 3; buy d1 5; price d1 8", "buy a1 3; price d1 8"),
        ("buy a1 3; sell d1; sell a1", "sell d1"),
        ("price d1 8; sell d1", "sell d1"),
    ],
)
def test_a_turn_is_shortened_to_what_comes_of_it(deals: str, short: str) -> None:
    state = roll(table(JOINED, (200, 500)))
    made = read(state, deals)
    found = shortened(space(state), made)
    assert found == read(state, short)
    longer, shorter = state.apply(made), state.apply(found)
    assert shorter.land == longer.land
    assert shorter.cash >= longer.cash


def test_what_is_bought_of_a_rival_and_sold_on_stays_in_a_turn() -> None:
    state = roll(table({**JOINED, "c1": (1, "1")}, (200, 500)))
    made = read(state, "buy c1 20; sell c1")
    assert shortened(space(state), made) == made
    assert shortened(space(state), read(state, "buy c1 20; sell c1; buy c1 30")) == read(state, "buy c1 30")


def test_in_every_turn_each_roll_comes_once_in_36_worlds() -> None:
    drawn = worlds(36, Random(1))
    assert {len(set(turn)) for turn in zip(*drawn, strict=True)} == {36}
    assert len(set(drawn)) == 36
    assert len(worlds(80, Random(1))) == 80


# -- whole games -------------------------------------------------------------------------------------------------------


def turns_of_game(level: int, seats: int, seed: int) -> Iterator[tuple[State, Deals]]:
    """Yields a short game of bots of a level: each position in which one chooses, with its turn."""
    arena = Arena(GAME.start(seats, {"map": "small", "turns": 25}, 0), Random(seed))
    while not isinstance(ask := arena.truth.ask(), Result):
        assert isinstance(ask, Decide | Roll)
        state = arena.truth
        assert isinstance(state, State)
        choices = {}
        if isinstance(ask, Decide):
            choices[ask.seat] = turn_of(LandBot(level, seed + ask.seat), state)
            yield state, choices[ask.seat]
        arena.advance(choices)


@pytest.mark.nightly
@pytest.mark.slow
def test_a_whole_game_of_the_best_bot_is_accurate_and_one_of_the_worst_costs_more() -> None:
    mean, cost = {}, {}
    for level in (1, 20):
        turns = islice(turns_of_game(level, 3, 1), None, None, EACH)
        found = [one for state, turn in turns if (one := judged(state, turn)) is not None]
        assert len(found) > 60 / EACH
        mean[level] = sum(accuracy(one.lost_chance) for one in found) / len(found)
        cost[level] = sum(one.loss for one in found)
    assert mean[20] > 98
    assert mean[20] > mean[1]
    assert cost[20] < cost[1] / 3
