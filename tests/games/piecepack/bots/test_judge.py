"""The judge of the piecepack game: it never peeks, finds blunders, and does not fault a choice that nothing is better
than.
"""

from __future__ import annotations

from random import Random

import pytest

from kimberley.games.bots.levels import make_bot
from kimberley.games.bots.review import Assessment, DecisionPoint, SupportsReview, equally_good, odds, review_decision
from kimberley.games.piecepack import GAME
from kimberley.games.piecepack.bots import BOTS
from kimberley.games.piecepack.bots.judge import PiecepackJudge, chances_to_win, standings, yet_to_act
from kimberley.games.piecepack.field import Tile
from kimberley.games.piecepack.rules import State
from kimberley.games.table import Decide, Observation, Plain, evolve
from tests.support.laws import TwoJudged
from tests.support.piecepack import CROWDED, after, choose, hidden, kind, named, settle, table

LEVEL = 10


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "watcher"), [(3, 0), (4, 3)])
def test_what_a_seat_may_not_know_changes_no_judgment_by_what_it_knew(seats: int, watcher: int) -> None:
    pair = TwoJudged(PiecepackJudge(1), 4, GAME, seats, watcher, Random(seats))
    pair.run()
    assert pair.differed
    assert pair.judged > 5


def point_of(state: State, chosen: Plain) -> DecisionPoint:
    """Returns a decision of the seat that is asked, which has seen all hands."""
    ask = state.ask()
    assert isinstance(ask, Decide)
    assert ask.space.violation(chosen) is None
    return DecisionPoint(0, Observation(ask.seat, state, ()), state, chosen, chosen)


def judged(state: State, chosen: Plain) -> Assessment:
    found = PiecepackJudge(LEVEL).by_knowledge(point_of(state, chosen).observation, chosen, Random(1))
    assert found is not None
    assert found.chosen.choice == chosen
    for rated in (found.chosen, found.best, *found.others):
        assert sum(rated.chances) == pytest.approx(1)
    return found


LAST_TILES = ((0, 1), (0, 2), (0, 3), (0, 4))


def with_diamonds() -> State:
    """Returns a state in which seat 0 stands between a black market and a holy site, with 60 points to get now or
    never.
    """
    return table(["D4 D5 D3", "C5 C4"], "H2 D1 S0 H1", suits="HMC", stack=LAST_TILES[:1], pawns=(1, 3, 3))


def test_to_carry_diamonds_away_from_the_market_is_a_blunder_and_to_sell_them_is_not() -> None:
    blunder, sound = judged(with_diamonds(), ("step", 0)), judged(with_diamonds(), ("step", 2))
    assert blunder.best.choice == ("step", 2)
    assert blunder.loss > 50
    assert blunder.lost_chance > 0.5
    assert (sound.loss, sound.lost_chance) == (0, 0)
    assert sound.chosen.chances[0] > 0.9


def test_choices_are_equally_good_only_where_that_is_certain() -> None:
    state = with_diamonds()
    known = point_of(state, ("step", 2)).observation
    assert equally_good(PiecepackJudge(LEVEL), known, ("step", 2), ("step", 2), Random(1))
    assert not equally_good(PiecepackJudge(LEVEL), known, ("step", 2), ("step", 0), Random(1))


@pytest.mark.parametrize(
    "state",
    [
        with_diamonds(),
        table(["P2 H1"], "D3 S0 H1", pawns=(0, 2, 2)),
        table(["H0 M0 P5"], "S2 S0 H1", pawns=(0, 2, 2)),
        table(["D0 D5", "C5 C4"], "D1 S0 H1 H2", pawns=(0, 3, 3)),
    ],
)
def test_what_the_bot_of_its_level_chooses_costs_nothing(state: State) -> None:
    choice = make_bot(GAME, LEVEL, 1).choose(Observation(0, state, ()))
    assert judged(state, choice).loss == 0


@pytest.mark.nightly
@pytest.mark.slow
def test_with_everything_known_it_knows_which_coin_to_steal() -> None:
    """Seat 0 has beaten seat 1, and steals one of two diamonds, of which it knows neither."""
    begun = table(["C1 S1", "D0 D5"], "S1 M1")
    state = after(begun, ("club", 1, named(begun, "C1")))
    for name, costs in (("D0", True), ("D5", False)):
        coin = named(state, name)
        assert judged(hidden(state, 0), coin).loss == 0
        true = PiecepackJudge(LEVEL).by_truth(point_of(state, coin), Random(2))
        assert true.best.choice == named(state, "D5")
        assert (true.loss > 1) is costs


@pytest.mark.slow
def test_with_everything_known_it_knows_what_is_drawn_next() -> None:
    """The coin that a moon would draw is a five of spades; or the null of hearts, which is good for nothing."""
    found = []
    for name in ("P5", "H0"):
        state = table(["M1"], "M0 D5", acted=1, stepped=True)
        first = next(coin for coin in state.bag if coin.parts == kind(name))
        state = evolve(state, bag=(first, *(coin for coin in state.bag if coin is not first)))
        found.append(PiecepackJudge(LEVEL).by_truth(point_of(state, ("moon", named(state, "M1"))), Random(2)))
        assert judged(hidden(state, 0), ("end",)) == judged(
            hidden(table(["M1"], "M0 D5", acted=1, stepped=True), 0), ("end",)
        )
    assert found[0].chosen.worth > found[1].chosen.worth + 1


def test_where_there_is_one_choice_nothing_is_judged_nor_what_a_spy_looks_at() -> None:
    bound = point_of(table([""], suits="MSC"), ("step", 1))
    assert review_decision(PiecepackJudge(LEVEL), bound, "salt") is None
    spying = after(table(["", "H1 D5"], "S0 P3", suits="MSC"), ("step", 1))
    assert spying.phase == "peek"
    assert review_decision(PiecepackJudge(LEVEL), point_of(spying, named(spying, "H1")), "salt") is None


def test_hearts_that_ward_off_an_attack_on_diamonds_are_well_spent() -> None:
    attacked = table(["C2", "H2 H5 D4 D5"], "D1 S0")
    attacked = hidden(settle(choose(attacked, ("club", 1, named(attacked, "C2")))), 1)
    assert judged(attacked, named(attacked, "H2")).loss == 0
    assert judged(attacked, ()).loss > 1


def chances(end: State) -> tuple[float, ...]:
    return chances_to_win(end, standings(end))


def test_who_has_won_has_every_chance_and_who_has_left_has_none() -> None:
    assert chances(table([""], scores=(40, 40, 12), ended="over")) == (0.5, 0.5, 0)
    left = chances(table(["D4 D5 D3"], "D1 S0 H1").leave(1))
    assert left[0] > left[2] > left[1] == 0
    assert sum(left) == pytest.approx(1)


@pytest.mark.parametrize(("tiles", "acting"), [(1, set()), (2, {1}), (3, {1, 2}), (4, {0, 1, 2})])
def test_who_draws_the_last_tile_acts_no_more(tiles: int, acting: set[int]) -> None:
    end = table(["D4 D5 D3"], "D1 S0 H1", stack=LAST_TILES[:tiles], phase="explore", turn=1)
    assert yet_to_act(end) == acting
    assert (standings(end)[0] > 0) is (0 in acting), "diamonds that cannot be sold any more are worth nothing"


def test_who_cannot_explore_draws_no_tile() -> None:
    crowded = [Tile(*kind(name), *place) for name, place in CROWDED.items()]
    end = table([""], crowded, stack=LAST_TILES[:1], phase="act", turn=1, pawns=(3, 0, 1))
    assert yet_to_act(end) == {1, 2}


def test_a_lead_tells_more_the_fewer_tiles_are_left() -> None:
    early, late = (chances(table([""], scores=(20, 0, 0), stack=LAST_TILES * times)) for times in (7, 1))
    assert 1 / 3 < early[0] < late[0] < 1
    assert odds({0: 5.0, 2: 5.0}, 3.0, 0.1) == {0: 0.5, 2: 0.5}


def test_a_lead_is_safe_only_when_nobody_acts_any_more() -> None:
    far_behind, decided = (
        chances(table([""], scores=(500, 0, 0), stack=LAST_TILES[:tiles], phase="explore")) for tiles in (2, 1)
    )
    assert 0.8 < far_behind[0] < 1
    assert decided == (1, 0, 0)


def test_the_same_salt_gives_the_same_judgment() -> None:
    point = point_of(with_diamonds(), ("step", 0))
    first, second = (review_decision(PiecepackJudge(1), point, "salt") for _ in range(2))
    assert first == second
    assert first is not None
    assert first.kind == "action"
    assert isinstance(BOTS, SupportsReview)
    assert BOTS.judge(1).hidden
    assert BOTS.judge(1).unit == "points"
