"""The player for practice: it sees wins and losses several turns ahead, and the same question has the same answer."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from kimberley.games.bots.levels import make_bot
from kimberley.games.diamond import GAME
from kimberley.games.diamond.board import ALL, NEXT, POINTS, SQUARES, bits, points
from kimberley.games.diamond.bots.bot import LEVELS, DiamondBot
from kimberley.games.diamond.bots.evaluation import (
    CORNERS,
    both_sides,
    completing,
    held,
    room,
    spread,
    summary,
)
from kimberley.games.diamond.bots.search import WIN, Search
from kimberley.games.diamond.bots.turns import (
    AROUND,
    CAPTURES_AT,
    ON_COMING,
    ON_LEAVING,
    SQUARES_AROUND,
    STEPS_FROM,
    move_of,
)
from kimberley.games.diamond.notation import format_turn, read_position
from kimberley.games.diamond.position import BLACK, Movement, Position
from kimberley.games.diamond.rules import State
from kimberley.games.table import Decide, Observation
from tests.lab.diamond.opponents import reachable
from tests.support.diamond import SQUARES as SLOW_SQUARES
from tests.support.diamond import Slow, after, at, moving, placing
from tests.support.effort import first_is_quick
from tests.support.seated_arena import SeatedArena

WINS = {
    # By placing, with the last pieces: three turns, and five.
    "4w2/5w2/3wwbw1/3wbbb1/4wbw1/3bwbb1/4bbbw/5wb w 1": 3,
    "7/2ww4/3b2w1/3bww2/1bwwbw2/bbbb4/wbbw2b1/1wb4 w 1": 3,
    "4w2/5w2/3wwbw1/3wbbb1/4wbw1/5bb1/4bbbw/5wb w 3": 5,
    # By moving, past captures and blocks.
    "1wn4/wbnwnwn1/2bn2w1/b3w1w1/2nw1b2/2nbb3/2wbb3/7 w 0": 3,
    "2bb1w1/1bn1bn2/bnb1nn1w/2nnn3/1b2bnb1/2b1ww2/4w3/7 b 0": 3,
    "nbwb3/2nwbnw1/bb2wb1w/3nbw2/6n1/4n1n1/3ww3/4w1w w 0": 5,
}
"""Positions that the side to move wins, and in how many turns of both sides at the latest."""
FAR = {
    "nbwn3/2nn1nw1/8/5bb1/8/2n5/1bwn1ww1/6w w 0": 7,
    "nbwn3/2nn4/7w/4b3/8/1wb5/1b3w2/5ww w 0": 7,
}
CHOSEN = {
    "7/8/2w5/3b4/4b3/8/8/7 w 21": ("f7", -5, 2, 3001),
    "w4bw/2b1b1bw/ww2b3/1b3b2/4b1w1/1wbw4/b5wb/1w2w2 b 2": ("f7", 99997, 1, 89),
    "1w1w2w/bbb1w2b/w3b3/5b1b/1ww3bb/2n1n2n/3w2b1/2nww2 w 0": ("e8-d8*", -99998, 1, 25),
    "bww3b/w2bw2b/2wbww1b/1b1w2wb/b3w1w1/4b3/1w2b1b1/7 b 0": ("h8-g7", -43, 2, 3001),
    "3b3/8/2wn2b1/8/n3bw2/2n4w/8/1n2w2 b 0": ("e8-e7", -47, 4, 3001),
    "4w2/5w2/3wwbw1/3wbbb1/4wbw1/5bb1/4bbbw/5wb w 3": ("e3", 99995, 3, 762),
}
"""Turn, score, depth and nodes, as found by a search that judges every node as a whole."""
ENOUGH = 20_000


def observed(state: State) -> Observation:
    ask = state.ask()
    assert isinstance(ask, Decide)
    return Observation(ask.seat, state, ())


def test_it_reports_its_progress_and_compares_with_what_it_found() -> None:
    """The choice that comes next takes half as many nodes again, in the same search."""
    position = read_position("7/8/2w5/3b4/4b3/8/8/7 w 21")
    bot, shares = DiamondBot(12, 0), list[float]()
    observation = observed(at(position))
    with pytest.MonkeyPatch.context() as patch:
        look = Search._try

        def watched(search: Search, *args: Any) -> tuple[int, int]:
            shares.append(bot.progress)
            return look(search, *args)

        patch.setattr(Search, "_try", watched)
        assert bot.progress == 0
        chosen = bot.choose(observation)
        first, whole = len(shares), [*shares]
        assert bot.progress == 0
        other = bot.runner_up()
    assert other not in (None, chosen)
    assert len(shares) > first
    assert whole == sorted(whole)
    assert 0 < whole[0] < 0.2 < 0.9 < whole[-1] <= 1
    assert 0 < shares[first] < 0.2


@pytest.mark.parametrize("written", WINS)
def test_a_search_that_is_allowed_more_goes_on_and_finds_the_win(written: str) -> None:
    position = read_position(written)
    search = Search(20)
    assert search.best(position).score < WIN - 100
    search.allow(ENOUGH)
    assert search.progress == 0
    assert search.best(position).score >= WIN - WINS[written]
    assert search.nodes <= 20 + 1 + ENOUGH


@pytest.mark.parametrize("written", WINS)
def test_a_bot_sees_that_it_loses_whatever_it_chooses(written: str) -> None:
    position = read_position(written)
    bot = DiamondBot(20, 0)
    assert bot.loses_within is None
    best = bot.choose(observed(at(position)))
    assert bot.loses_within is None
    bot.choose(observed(after(at(position), str(best))))
    turns = WINS[written] // 2
    assert bot.loses_within in range(1, turns + 1)
    bot.runner_up()
    assert bot.loses_within in range(1, turns + 1)
    offered = after(at(position), f"{best!s} =")
    assert bot.choose(observed(offered)) == "="
    assert bot.loses_within is None, "a draw is not lost"


# -- what is computed on sets of points --------------------------------------------------------------------------------


def random_sets(count: int) -> list[tuple[int, int, int]]:
    """Pieces of two sides and neutral ones, thickly strewn."""
    rng = Random(5)
    found = []
    for _ in range(count):
        strewn = rng.sample(range(POINTS), 34)
        found.append(tuple(sum(1 << point for point in part) for part in (strewn[:14], strewn[14:28], strewn[28:])))
    return [(own, enemy, neutral) for own, enemy, neutral in found]


def test_points_beside_a_set_and_points_that_complete_a_square() -> None:
    for own, enemy, neutral in random_sets(200):
        others = enemy | neutral
        beside = 0
        for point in points(own):
            beside |= NEXT[point]
        assert spread(own) == beside
        lacking = {square & ~own for square in SQUARES if (square & own).bit_count() == 3 and not square & others}
        assert set(points(completing(own, others))) == {bit.bit_length() - 1 for bit in lacking}
        wins = {
            Position((own, enemy), neutral, BLACK, 0).after(move).won() is not None
            for move in Position((own, enemy), neutral, BLACK, 0).moves()
        }
        if not any(square & own == square or square & enemy == square for square in SQUARES):
            assert reachable(own, others) == (True in wins)


def test_squares_are_worth_more_the_fuller_they_are_and_nothing_once_spoilt() -> None:
    values = [held(bits(*names.split()), 0) for names in ("c4", "c4 c5", "c4 c5 d4")]
    assert values == sorted(set(values))
    spoilt = bits("d5")
    assert held(bits("c4", "c5", "d4"), spoilt) < values[0] + held(bits("c5"), 0) + held(bits("d4"), 0)


def test_both_sides_are_judged_as_each_alone() -> None:
    def alone(own: int, others: int) -> tuple[int, int]:
        """Returns what the squares of one side are worth, and the open points beside it, counted one by one."""
        squares = sum(CORNERS[(square & own).bit_count()] for square in SQUARES if not square & others)
        return squares, (spread(own) & ~(own | others)).bit_count()

    for own, enemy, neutral in random_sets(200):
        if any(square in (square & own, square & enemy) for square in SQUARES):
            continue
        first, second = alone(own, enemy | neutral), alone(enemy, own | neutral)
        sides, empty = both_sides(own, enemy), ALL & ~(own | enemy | neutral)
        assert held(sides, neutral) == first[0] - second[0] == -held(both_sides(enemy, own), neutral)
        assert room(spread(own), spread(enemy), empty) == first[1] - second[1]


def test_what_a_piece_changes_in_the_squares_is_what_they_say_afterwards() -> None:
    for own, enemy, neutral in random_sets(200):
        if any(square in (square & own, square & enemy) for square in SQUARES):
            continue
        whole = both_sides(own | neutral, enemy | neutral)
        before = summary(both_sides(own, enemy), neutral)
        for point in points(ALL & ~(enemy | neutral)):
            after, table = own ^ 1 << point, ON_LEAVING if own >> point & 1 else ON_COMING
            if not any(square & after == square for square in SQUARES):
                change = sum(table[whole & square] for square in SQUARES_AROUND[point])
                assert before + change == summary(both_sides(after, enemy), neutral)


def test_tables_of_turns_say_what_the_rules_say() -> None:
    for own, enemy, neutral in random_sets(200):
        position = Position((own, enemy), neutral, BLACK, 0)
        steps = [move_of(step, False) for at in points(own) for step in STEPS_FROM[at][NEXT[at] & position.empty]]
        moves = list(position.moves())
        assert sorted(steps) == sorted(move for move in moves if isinstance(move, Movement))
        captures = {
            move_of(step, False): (ends, taken)
            for to in points(position.empty)
            for step, ends, taken in CAPTURES_AT[to][both_sides(own, enemy) & AROUND[to]]
        }
        assert captures == {
            move: (1 << move.start | 1 << move.to, position.captured(move))
            for move in moves
            if isinstance(move, Movement) and position.captured(move)
        }


# -- forced wins -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", WINS)
def test_a_forced_win_is_found_and_holds_against_every_defence(text: str) -> None:
    check_win(read_position(text), WINS[text])


def check_win(position: Position, turns: int) -> None:
    """Checks that the side to move wins within so many turns, whatever the other does."""
    found = Search(ENOUGH).best(position)
    assert found.score >= WIN - turns, f"{found} in {position}"
    then = position.after(found.move)
    if then.won() is None:
        assert turns > 2
        assert then.can_move()
        for reply in then.moves():
            answered = then.after(reply)
            assert answered.won() is None
            check_win(answered, turns - 2)


@pytest.mark.slow
@pytest.mark.parametrize("text", first_is_quick(*FAR))
def test_a_win_seven_turns_deep_is_found_and_held_against_random_defence(text: str) -> None:
    for seed in range(6):
        rng, position, turns = Random(seed), read_position(text), FAR[text]
        while True:
            found = Search(ENOUGH).best(position)
            assert found.score >= WIN - turns
            position = position.after(found.move)
            if position.won() is not None:
                break
            position = position.after(rng.choice(list(position.moves())))
            turns -= 2
        assert turns >= 1


def wins_slowly(slow: Slow, turns: int) -> bool:
    """Returns whether the side to move forces a win within so many turns, by the slow rules."""
    for _, then in slow.turns():
        if then.over():
            if any(square <= then.sides[slow.turn] for square in SLOW_SQUARES):
                return True
        elif turns > 2 and all(not back.over() and wins_slowly(back, turns - 2) for _, back in then.turns()):
            return True
    return False


@pytest.mark.nightly
@pytest.mark.slow
def test_quick_wins_are_those_that_the_slow_rules_find() -> None:
    found = set()
    for text in WINS:
        position = read_position(text)
        rng = Random(text)
        for _ in range(6):
            options = [
                then for move in position.moves() if (then := position.after(move)).can_move() and not then.won()
            ]
            near = rng.choice(options)
            score = Search(ENOUGH).best(near).score
            slowly = wins_slowly(Slow.of(near), 1)
            assert (score == WIN - 1) == slowly, near
            found.add(slowly)
    assert found == {True, False}


# -- what is found does not depend on how it is computed ---------------------------------------------------------------


@pytest.mark.parametrize("text", CHOSEN)
def test_a_search_finds_the_same_turn_in_the_same_number_of_nodes(text: str) -> None:
    position = read_position(text)
    found = Search(3_000, noise=3, salt=5).best(position)
    assert (format_turn(position, found.move), found.score, found.depth, found.nodes) == CHOSEN[text]


# -- the player --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [1, 8, pytest.param(20, marks=pytest.mark.slow)])
def test_a_square_is_completed_at_once_and_the_enemys_is_stopped(level: int) -> None:
    player = DiamondBot(level, 3)
    assert player.choose(observed(at(placing("c4 c5 d4", "a1 a2 a3")))) == "d5"
    assert player.choose(observed(at(placing("c4 c5 d4 g1", "e5 a2 a4")))) == "d5"
    near = at(moving("c4 c5 d4 d6 a1", "a4 h8 h3"))
    assert after(near, str(player.choose(observed(near)))).position.won() is not None


def test_the_same_question_has_the_same_answer() -> None:
    state = after(State(first=0), "d4", "e5", "c3")
    for level in (1, 9):
        choices = {make_bot(GAME, level, 7).choose(observed(state)) for _ in range(3)}
        assert len(choices) == 1
    assert len({make_bot(GAME, 1, seed).choose(observed(State(first=0))) for seed in range(20)}) > 5


def test_levels_grow() -> None:
    nodes = [DiamondBot(level, 0).nodes for level in LEVELS]
    assert nodes == sorted(set(nodes))


def test_the_budget_bounds_what_is_looked_at() -> None:
    position = after(State(first=0), "d4", "e5", "c3").position
    for budget in (1, 50, 2000):
        found = Search(budget).best(position)
        assert found.nodes <= budget + 1
        assert position.violation(found.move) is None


def test_a_central_first_placement_is_swapped_and_a_poor_one_is_not() -> None:
    assert DiamondBot(5, 1).choose(observed(after(State(first=0), "d4"))) == "swap"
    assert DiamondBot(5, 1).choose(observed(after(State(first=0), "a1"))) != "swap"


def test_a_draw_is_taken_where_it_stands_badly_and_not_where_it_wins() -> None:
    bad = after(at(moving("c4 c5 d4 d6 f1 f2 f3", "a4 a5 e8", turn=BLACK)), "f1-g1 =")
    assert DiamondBot(9, 1).choose(observed(bad)) == "="
    good = after(at(moving("a4 f1", "c4 c5 d4 d6 e7", turn=BLACK)), "f1-g1 =")
    assert DiamondBot(9, 1).choose(observed(good)) == "d6-d5"


def test_who_is_not_asked_has_nothing_to_choose() -> None:
    with pytest.raises(ValueError, match="not to move"):
        DiamondBot(1, 1).choose(Observation(1, State(first=0), ()))
    with pytest.raises(ValueError, match="no turn"):
        Search(10).best(moving("a7", "a6 b7 b8"))


@pytest.mark.nightly
@pytest.mark.slow
def test_a_higher_level_plays_better() -> None:
    won = 0
    for seed in range(10):
        players = [DiamondBot(1, seed).choose, DiamondBot(7, seed).choose]
        result = SeatedArena(GAME, 2, Random(seed)).play(players if seed % 2 else players[::-1])
        won += result.winners == (seed % 2,)
    assert won >= 7


def test_what_a_search_says_is_written_as_a_legal_turn() -> None:
    for text in WINS:
        position = read_position(text)
        state = at(position)
        ask = state.ask()
        assert isinstance(ask, Decide)
        assert ask.space.violation(format_turn(position, Search(500, noise=9, salt=4).best(position).move)) is None
