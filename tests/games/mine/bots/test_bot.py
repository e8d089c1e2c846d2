"""The player for practice at Diamond Mine: what it sees, what it does not, and that more levels help."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import cast

import pytest

from kimberley.games.bots.levels import make_bot
from kimberley.games.mine import GAME
from kimberley.games.mine.bots.bot import LEVELS, WEARY, MineBot
from kimberley.games.mine.bots.distances import TURNS
from kimberley.games.mine.rules import State
from kimberley.games.mine.squares import quadrant
from kimberley.games.table import Chooser, Observation, Plain, Result, evolve, space_for
from tests.lab.mine.opponents import greedy
from tests.support.effort import first_is_quick
from tests.support.laws import steps
from tests.support.mine import (
    BLUE,
    GREEN,
    PURPLE,
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
    takes,
    told,
    walled_in,
    with_other_colors,
)
from tests.support.seated_arena import SeatedArena

GOOD = 10


def chosen(state: State, seat: int, level: int = GOOD, seed: int = 1) -> Plain:
    choice = MineBot(level, seed).choose(Observation(seat, state, ()))
    space = space_for(state.ask(), seat)
    assert space is not None
    assert space.violation(choice) is None
    return choice


# -- what it sees ------------------------------------------------------------------------------------------------------


def test_the_same_question_has_the_same_answer_and_another_seed_may_have_another() -> None:
    state = hidden(position(4))
    for level in (1, 4):
        assert chosen(state, 0, level) == chosen(state, 0, level)
    assert len({chosen(state, 0, 1, seed) for seed in range(20)}) > 1


def test_levels_grow() -> None:
    assert MineBot(1, 1).playouts == 0
    counts = [MineBot(level, 1).playouts for level in LEVELS]
    assert counts == sorted(set(counts))


def test_nothing_is_chosen_for_a_seat_that_is_not_asked() -> None:
    state = shown(position(2, pawns="c3 f6"), 1, 1)
    with pytest.raises(ValueError, match="nothing is asked of seat 1"):
        MineBot(1, 1).choose(Observation(1, state, ()))


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 4])
def test_hidden_colors_replaced_by_others_that_fit_change_no_choice(seats: int) -> None:
    rng = Random(5)
    compared = 0
    for number, (table, _) in enumerate(steps(GAME, seats, Random(8))):
        truth = cast(State, table.arena.truth)
        seat = truth.turn
        if number % 15 or space_for(truth.ask(), seat) is None:
            continue
        views = (cast(State, table.views[seat]), truth, with_other_colors(truth, rng))
        assert len({chosen(view, seat, 3) for view in views}) == 1
        compared += 1
    assert compared > 5


# -- what it does ------------------------------------------------------------------------------------------------------


def test_it_places_nests_nearer_to_its_own_home_than_to_others() -> None:
    for seats in GAME.seats:
        for begins in range(seats):
            state = filled(seats, begins=begins)
            place = chosen(state, begins)
            assert isinstance(place, int)
            own, *others = (TURNS[place][state.mine.home((begins + turn) % seats)] for turn in range(seats))
            assert place not in quadrant(state.mine.home(begins))
            assert own <= min(others)


def test_it_goes_home_with_a_full_load_when_home_is_a_move_away() -> None:
    state = hidden(position(2, pawns="a4 g5", carried={0: (small(RED, 1), medium(RED, 1))}))
    card, end = cast(tuple[int, bool], chosen(state, 0))
    assert (card, end) == (3, False)
    assert chosen(shown(state, 3, 1), 0) == move("a1")


@pytest.mark.slow
@pytest.mark.parametrize("seed", first_is_quick(*range(4)))
def test_after_some_quiet_rounds_it_goes_home_though_to_stay_away_puts_the_end_off(seed: int) -> None:
    state = position(
        2,
        veins="c8 g1 f1 h3 f2 d8 e1 c7 a5 h4",
        pawns="c1 h2",
        inside={
            **dict.fromkeys(("e1", "c7", "a5", "h4"), ()),
            "f1": (small(RED, 2),),
            "g1": (small(RED, 1), medium(RED, 1)),
        },
        carried={0: (medium(RED, 2), small(BLUE, 3)), 1: (medium(BLUE, 2), small(BLUE, 2))},
        stored={0: (medium(BLUE, 1), medium(BLUE, 3), small(BLUE, 1)), 1: (medium(BLUE, 4), small(BLUE, 4))},
    )
    assert chosen(state, 0, 14, seed) == (1, False), "behind, it waits for the other to empty the last vein but one"
    assert chosen(evolve(state, quiet=6), 0, 14, seed) in ((2, False), (2, True))


def test_it_takes_what_is_worth_more_to_it() -> None:
    state = position(2, veins="d5", inside={"d5": (small(RED, 0), medium(RED, 0))}, pawns="d4 g6")
    state = go(shown(state, 1, 1), "d5")
    assert chosen(state, 0) == (0, 20)
    full = position(2, veins="d5", inside={"d5": (0, 20)}, pawns="d4 g6", carried={0: (small(BLUE),)})
    assert chosen(go(shown(full, 1, 1), "d5"), 0) == (20,)


@pytest.mark.parametrize("level", [1, 5, 10])
def test_it_ends_a_game_that_it_wins_and_not_one_that_it_loses(level: int) -> None:
    assert takes(last_vein(5, 0)).gems == (0,)
    assert chosen(last_vein(5, 0), 0, level) == (0,)
    assert chosen(last_vein(0, 5), 0, level) == ()


def test_it_agrees_to_end_a_game_that_goes_on_for_nothing_sooner_if_it_leads() -> None:
    def agrees(seat: int, quiet: int) -> bool:
        state = hidden(position(2, pawns="d4 f6", stored={0: (small(RED, 3),)}, quiet=quiet))
        return cast(tuple[int, bool], chosen(state, seat, 1))[1]

    assert [agrees(0, quiet) for quiet in (0, 4, 5, 15)] == [False, False, True, True]
    assert [agrees(1, quiet) for quiet in (0, 5, 14, 15)] == [False, False, False, True]


def test_with_one_vein_left_all_agree_after_the_same_quiet_rounds() -> None:
    shut = dict.fromkeys(("a3", "b6", "c5", "e2", "g4"), ())

    def agrees(quiet: int) -> bool:
        state = position(2, veins=" ".join((*shut, "g7")), inside=shut, pawns="d4 f6", stored={0: (small(RED, 3),)})
        return cast(tuple[int, bool], chosen(hidden(evolve(state, quiet=quiet)), 1, 1))[1]

    assert [agrees(quiet) for quiet in (0, 4, 5)] == [False, False, True]


def test_it_agrees_at_once_where_one_more_vein_ends_the_game_and_it_cannot_better_its_place() -> None:
    shut = dict.fromkeys(("b4", "b6", "c7", "d5", "e2", "f6", "g4"), ())
    stored = {0: (small(RED, 1), small(RED, 2)), 1: (small(BLUE, 1),), 2: (small(RED, 3),)}

    def agree(*left: int) -> list[bool]:
        state = position(4, veins=" ".join(("c3", *shut)), inside={"c3": left, **shut}, stored=stored)
        return [cast(tuple[int, bool], chosen(hidden(state), seat, 1))[1] for seat in range(4)]

    assert agree(small(RED, 0)) == [True, True, True, True]
    assert agree(small(RED, 0), medium(RED, 0)) == [True, False, False, False]


def test_of_two_gems_that_are_the_last_it_takes_the_one_that_is_worth_more_unless_it_wins() -> None:
    shut = dict.fromkeys(("b4", "b6", "c7", "f6", "e2"), ())

    def taken(points: int) -> Plain:
        state = position(
            2,
            veins=" ".join(("d5", *shut)),
            inside={"d5": (small(RED, 0), medium(RED, 0)), **shut},
            pawns="d4 g7",
            stored={0: [small(GREEN, number) for number in range(points)], 1: (small(PURPLE),)},
        )
        return chosen(go(shown(state, 1, 1), "d5"), 0, 1)

    assert taken(0) == taken(3) == (medium(RED, 0),)
    assert taken(4) == (small(RED, 0), medium(RED, 0))


def test_the_last_gem_draws_the_leader_alone() -> None:
    shut = dict.fromkeys(("b4", "b6", "c7", "f6", "e2", "g4", "g3"), ())

    def goes_for_it(points: int) -> bool:
        state = position(
            4,
            veins=" ".join(("d5", *shut)),
            inside={"d5": (small(RED, 0),), **shut},
            pawns="d4 b8 g7 g2",
            stored={0: [small(GREEN, number) for number in range(points)], 1: (medium(GREEN, 0),)},
        )
        return greedy(1)(Observation(0, hidden(shown(state, 1, 1, 1, 1)), ())) == move("d5")

    assert [goes_for_it(points) for points in (1, 2, 3)] == [False, False, True]


def test_who_has_left_does_not_lead() -> None:
    shut = dict.fromkeys(("b4", "b6", "c7", "d5", "e2", "f6", "g4"), ())
    state = position(
        4,
        veins=" ".join(("c3", *shut)),
        inside={"c3": (small(RED, 0),), **shut},
        pawns="c2 g7 g2 b8",
        stored={0: (small(GREEN, 0),), 1: (medium(BLUE, 0),)},
    )
    assert chosen(go(shown(state, 1, 1, 1, 1), "c3"), 0, 1) == ()
    assert chosen(go(shown(state.leave(1), 1, 1, 1), "c3"), 0, 1) == (small(RED, 0),)


# -- how games end -----------------------------------------------------------------------------------------------------


def quiet_rounds(seats: int, seed: int, player: Callable[[int], Chooser]) -> tuple[int, int]:
    """Returns the most rounds in a row in which no gem was taken or unloaded: in a whole game, and at its end."""
    table, longest = SeatedArena(GAME, seats, Random(seed)), 0
    players = [player(10 * seed + seat) for seat in range(seats)]
    while not isinstance(ask := table.arena.truth.ask(), Result):
        longest = max(longest, cast(State, table.arena.truth).quiet)
        table.apply(table.arena.answer(ask, {seat: players[seat](table.observation(seat)) for seat in ask.choosers}))
    return longest, cast(State, table.arena.truth).quiet


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("seed", first_is_quick(*range(10)))
def test_it_goes_around_exhausted_veins_and_does_not_circle_before_them(seats: int, seed: int) -> None:
    longest, _ = quiet_rounds(seats, seed, greedy)
    assert longest < WEARY


@pytest.mark.parametrize("seed", first_is_quick(*range(10)))
def test_four_of_the_first_level_end_a_game_before_they_are_weary(seed: int) -> None:
    longest, last = quiet_rounds(4, seed, lambda number: MineBot(1, number).choose)
    assert longest < 2 * WEARY
    assert last < WEARY


def test_it_plays_on_where_it_cannot_move_with_any_card() -> None:
    state = walled_in()
    card, _ = cast(tuple[int, bool], chosen(hidden(state), 0, 3))
    assert card in (1, 2, 3)
    assert told(state, ((card, False), (1, False))).round == 1


# -- how well ----------------------------------------------------------------------------------------------------------


def anyhow(observation: Observation) -> Plain:
    """Returns any legal choice that does not end the game."""
    state = cast(State, observation.state)
    space = space_for(state.ask(), observation.seat)
    assert space is not None
    choice = space.pick(Random(f"{observation.seat} {len(observation.story)}"))
    return (cast(tuple[int, bool], choice)[0], False) if state.phase == "cards" else choice


def won(seats: int, games: int, better: int, worse: Chooser | int) -> float:
    """Returns the share of games that the better level wins; seats change from game to game. A shared place counts
    half.
    """
    wins = 0.0
    for game in range(games):
        players = []
        for seat in range(seats):
            level = better if (seat + game) % 2 == 0 else worse
            players.append(make_bot(GAME, level, 10 * game + seat).choose if isinstance(level, int) else level)
        winners = SeatedArena(GAME, seats, Random(game)).play(players).winners
        wins += sum((seat + game) % 2 == 0 for seat in winners) / len(winners)
    return wins / games


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 4])
def test_the_first_level_beats_anyhow(seats: int) -> None:
    assert won(seats, 10, 1, anyhow) == 1


@pytest.mark.nightly
@pytest.mark.slow
def test_thinking_ahead_beats_the_first_level() -> None:
    assert won(2, 8, 3, 1) > 0.6
