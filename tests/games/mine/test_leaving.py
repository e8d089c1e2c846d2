"""Seats that leave a game of Diamond Mine, and seats that resign it."""

from __future__ import annotations

import pytest

from kimberley.games.mine import GAME
from kimberley.games.mine.moves import obstacle, reach
from kimberley.games.mine.rules import State
from kimberley.games.mine.squares import square
from kimberley.games.table import Result, SupportsLeave
from tests.support.mine import (
    BLUE,
    GREEN,
    RED,
    filled,
    go,
    medium,
    places,
    played,
    position,
    result,
    shown,
    small,
    squares,
    takes,
    together,
    told,
)

PAWNS = "c3 c6 f6 f3"


def leave(state: State, *seats: int) -> State:
    for seat in seats:
        assert isinstance(state, SupportsLeave)
        left = state.leave(seat)
        assert isinstance(left, State)
        state = left
    return state


# -- what becomes of a seat --------------------------------------------------------------------------------------------


def test_a_pawn_goes_with_all_that_it_carries_and_what_is_at_home_stays() -> None:
    state = position(4, pawns=PAWNS, carried={1: (small(RED), medium(RED))}, stored={1: (small(BLUE),)})
    after = leave(state, 1)
    assert after.present == (True, False, True, True)
    assert after.mine.pawns == (square("c3"), None, *squares("f6 f3"))
    assert (after.mine.carried[1], after.mine.lost) == ((), (small(RED), medium(RED)))
    assert (after.mine.stored[1], after.score(1)) == ((small(BLUE),), 2)
    assert reach(after.mine, 1) == {1: (), 2: (), 3: ()}


def test_the_home_of_a_seat_that_left_stays_closed_and_its_place_on_the_board_is_free() -> None:
    after = leave(position(4, pawns="c3 c6 f6 f3"), 1)
    assert obstacle(after.mine, 0, square("a8")) == "a8 is another player’s home"
    assert obstacle(after.mine, 0, square("c6")) is None


def test_exhausted_veins_beside_the_home_of_a_seat_that_left_still_bar_nobody() -> None:
    after = leave(position(4, veins="b7", inside={"b7": ()}, pawns=PAWNS), 1)
    assert obstacle(after.mine, 0, square("b7")) is None


# -- when it leaves ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("gone", [0, 1, 2, 3])
def test_the_others_place_the_nests_that_are_left(gone: int) -> None:
    state = leave(filled(4, begins=1), gone)
    turns = []
    while state.phase == "place":
        turns.append(places(state).seat)
        state = state.apply(places(state).open()[0])
    around = [seat for seat in (1, 2, 3, 0) if seat != gone]
    assert turns == [*around, *around, *around[:2]]
    assert (state.mine.pawns[gone], state.first) == (None, 1 if gone != 1 else 2)
    assert all(state.mine.pawns[seat] is not None for seat in around)


@pytest.mark.parametrize("phase", ["lots", "small", "medium"])
def test_who_leaves_before_the_nests_are_placed_places_none(phase: str) -> None:
    state = GAME.start(4, {}, 0)
    while state.phase != phase:
        state = state.apply((0, 0, 0) if state.phase == "lots" else ())
    state = leave(state, 0)
    while state.phase != "place":
        state = state.apply((0, 0, 0) if state.phase == "lots" else ())
    assert places(state).seat == 1
    assert GAME.starting_seat(state) == 0


def test_who_leaves_while_cards_are_chosen_has_shown_none() -> None:
    state = position(4, pawns=PAWNS, first=1)
    after = leave(state.apply(((1, False), None, (1, True), (1, False))), 1)
    assert (after.cards, after.willing) == ((1, None, 1, 1), (False, False, True, False))
    for seat in (2, 3, 0):
        assert after.turn == seat
        after = go(after, {2: "e6", 3: "e3", 0: "d3"}[seat])
    assert (after.round, after.first, after.order()) == (2, 2, (2, 3, 0))
    assert [space is None for space in together(after).spaces] == [False, True, False, False]


def test_who_leaves_instead_of_moving_is_passed_over() -> None:
    after = leave(shown(position(4, pawns=PAWNS), 1, 1, 1, 1), 0)
    assert (after.turn, after.phase, after.acted) == (1, "move", (True, False, False, False))


def test_who_leaves_out_of_turn_is_passed_over_when_its_turn_comes() -> None:
    after = leave(shown(position(4, pawns=PAWNS), 1, 1, 1, 1), 1)
    assert (after.turn, after.phase) == (0, "move")
    assert go(after, "d3").turn == 2


def test_the_last_to_act_that_leaves_ends_the_round() -> None:
    state = shown(position(4, pawns=PAWNS), 1, 1, 1, 1)
    for end in ("d3", "d6", "e6"):
        state = go(state, end)
    assert state.turn == 3
    after = leave(state, 3)
    assert (after.phase, after.round, after.first) == ("cards", 2, 1)


def test_who_leaves_on_a_vein_takes_nothing() -> None:
    state = go(shown(position(4, veins="c4", pawns=PAWNS), 1, 1, 1, 1), "c4")
    assert takes(state).gems == (0, 20)
    after = leave(state, 0)
    assert (after.turn, after.mine.inside[0], after.mine.opened[0]) == (1, (0, 20), True)


def test_who_leaves_while_a_vein_is_shown_takes_nothing_and_it_is_open() -> None:
    state = shown(position(4, veins="c4", pawns=PAWNS), 1, 1, 1, 1).apply((square("c4"), (), ()))
    assert state.phase == "show"
    after = told(leave(state, 0), ((RED,), (GREEN,)))
    assert (after.turn, after.phase, after.mine.opened[0]) == (1, "move", True)


def test_those_who_stay_end_the_game_by_agreement_among_themselves() -> None:
    state = leave(position(4, pawns=PAWNS), 2)
    agreed = result(told(state, ((1, True), (2, True), None, (3, True))))
    assert agreed.reason == "all remaining players agreed to end the game"
    state = told(position(4, pawns=PAWNS), ((1, True), (2, True), None, (3, True)))
    assert not isinstance(leave(state, 2).ask(), Result)


# -- the end -----------------------------------------------------------------------------------------------------------


def test_who_left_comes_after_all_who_stayed_whatever_is_at_home() -> None:
    state = position(4, stored={0: (medium(RED), small(RED)), 1: (small(RED),), 2: (small(GREEN),)})
    state = leave(state, 0)
    ended = result(told(state, (None, (1, True), (1, True), (1, True))))
    assert ended.scores == ((6,), (1,), (2,), (0,))
    assert ended.places == (4, 2, 1, 3)


@pytest.mark.parametrize("last", [0, 1, 2, 3])
def test_the_last_one_at_the_table_has_won(last: int) -> None:
    state = leave(position(4, pawns=PAWNS), *(seat for seat in range(4) if seat != last))
    assert result(state).winners == (last,)
    assert result(state).reason == "only one player is left"


def test_of_two_whoever_resigns_loses_and_both_share_the_first_place() -> None:
    for state in played(2, 3):
        for seat in (0, 1):
            assert GAME.resignation_result(state, (seat,)).winners == (1 - seat,)
            assert result(leave(state, seat)).winners == (1 - seat,) or isinstance(state.ask(), Result)
        assert GAME.resignation_result(state, (0, 1)).places == (1, 1)


def test_of_four_those_who_resign_come_after_those_who_do_not() -> None:
    state = leave(position(4), 3)
    assert GAME.resignation_result(state, (1,)).places == (1, 3, 1, 3)
    assert GAME.resignation_result(state, (0, 1, 2)).places == (1, 1, 1, 4)


@pytest.mark.parametrize("seed", range(12))
def test_games_that_seats_leave_come_to_an_end(seed: int) -> None:
    states = list(played(4, seed, leaves=True))
    ended = result(states[-1])
    present = states[-1].present
    assert all(ended.places[seat] <= sum(present) for seat in range(4) if present[seat])
    assert all(ended.places[seat] > sum(present) for seat in range(4) if not present[seat])
