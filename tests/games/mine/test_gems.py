"""Gems in Diamond Mine: exploring, carrying, dropping on the way, bringing home, what they are worth, and the end."""

from __future__ import annotations

from random import Random

import pytest

from kimberley.games.mine.rules import QUIET, State
from kimberley.games.mine.spaces import CardSpace
from kimberley.games.mine.squares import name, square
from kimberley.games.table import HIDDEN, Result, Show
from tests.support.mine import (
    BLUE,
    GREEN,
    PURPLE,
    RED,
    filled,
    go,
    medium,
    move,
    moves,
    position,
    refused,
    result,
    shown,
    small,
    takes,
    together,
    told,
)


def quiet_round(state: State, *, ends: tuple[bool, bool] = (False, False)) -> State:
    """Plays a round of two seats in which both only step from one square to another."""
    state = told(state, tuple((1, end) for end in ends))
    while not isinstance(state.ask(), Result) and state.phase == "move":
        space = moves(state)
        inner = [
            end for end in space.targets() if space.mine.vein_at(end) is None and end != space.mine.home(state.turn)
        ]
        state = go(state, name(inner[0]))
    return state


# -- exploring ---------------------------------------------------------------------------------------------------------


def test_landing_on_a_vein_shows_both_its_gems_to_all() -> None:
    state = shown(position(2, veins="d5", pawns="d4 g6"), 1, 1).apply(move("d5"))
    assert state.ask() == Show((0, 20), ((0, None),))
    state = state.apply(((BLUE,), (RED,)))
    assert state.mine.opened[0]
    assert (state.color(0), state.color(20)) == (BLUE, RED)
    assert [state.items[gem].seen for gem in (0, 20)] == [(3,), (3,)]
    assert (state.unknown()[0][BLUE], state.unknown()[1][RED]) == (4, 4)


def test_before_it_is_shown_nobody_knows_a_color_or_what_it_is_worth() -> None:
    state = filled(2)
    assert all(state.color(gem) is state.worth(gem, 1) is HIDDEN for gem in range(40))


def test_a_pawn_may_take_all_some_or_none_of_what_it_can_carry() -> None:
    state = go(shown(position(2, veins="d5", pawns="d4 g6"), 1, 1), "d5")
    assert takes(state).offers() == ((), (0,), (20,), (0, 20))
    assert told(state, (0, 20)).mine.carried[0] == (0, 20)
    assert told(state, ()).mine.inside[0] == (0, 20)
    one = told(state, (20,))
    assert (one.mine.carried[0], one.mine.inside[0], one.turn) == ((20,), (0,), 1)


@pytest.mark.parametrize(
    ("carried", "offers"),
    [
        ((small(BLUE, 3),), ((), (0,), (20,))),
        ((small(BLUE, 3), small(BLUE, 4)), ((), (0,))),
        ((medium(BLUE, 3),), ((), (0,))),
    ],
)
def test_a_pawn_carries_three_pips_at_most(carried: tuple[int, ...], offers: tuple[tuple[int, ...], ...]) -> None:
    state = go(shown(position(2, veins="d5", pawns="d4 g6", carried={0: carried}), 1, 1), "d5")
    assert takes(state).offers() == offers
    assert "room for" in str(takes(state).violation((0, 20)))


def test_what_is_taken_lies_in_the_vein_and_is_named_once_and_in_order() -> None:
    space = takes(go(shown(position(2, veins="d5 e5", pawns="d4 g6"), 1, 1), "d5"))
    for strange in ((1,), (20, 0), (0, 0), [0], 0, None, (False,), ("0",), (-1,), (99,)):
        assert space.violation(strange) is not None  # type: ignore[arg-type]


@pytest.mark.parametrize("carried", [(small(3), small(4), small(5)), (small(6), medium(BLUE, 4))])
def test_who_has_no_room_opens_a_vein_and_is_not_asked(carried: tuple[int, ...]) -> None:
    state = go(shown(position(2, veins="d5", pawns="d4 g6", carried={0: carried}), 1, 1), "d5")
    assert (state.mine.opened[0], state.turn, state.phase) == (True, 1, "move")


def test_who_has_room_for_a_small_gem_is_not_asked_where_only_a_medium_one_is_left() -> None:
    state = position(2, veins="d5", inside={"d5": (20,)}, pawns="d4 g6", carried={0: (small(1), small(2))})
    assert go(shown(state, 1, 1), "d5").turn == 1


def test_an_open_vein_is_visited_again_without_being_shown_again() -> None:
    state = position(2, veins="d5", inside={"d5": (20,)}, pawns="d4 g6")
    state = shown(state, 1, 1).apply(move("d5"))
    assert takes(state).gems == (20,)
    assert told(state, (20,)).mine.is_exhausted(0)


# -- on the way --------------------------------------------------------------------------------------------------------


def test_a_gem_is_dropped_on_a_square_that_the_pawn_passes() -> None:
    gem, other = small(BLUE), small(GREEN)
    state = shown(position(2, pawns="d2 g6", carried={0: (gem, other)}), 3, 1)
    for place in ("d3", "d4"):
        after = go(state, "d5", dropped={place: gem})
        assert after.mine.loose == ((square(place), gem),)
        assert after.mine.carried[0] == (other,)
    both = go(state, "d5", dropped={"d3": other, "d4": gem})
    assert both.mine.loose == ((square("d3"), other), (square("d4"), gem))
    assert both.mine.carried[0] == ()


def test_one_gem_is_dropped_on_a_square_at_most() -> None:
    gem, other = small(BLUE), small(GREEN)
    space = moves(shown(position(2, pawns="d2 g6", carried={0: (gem, other)}), 3, 1))
    d3 = square("d3")
    assert "each once" in str(space.violation((square("d5"), (), ((d3, gem), (d3, other)))))
    lying = position(2, pawns="d2 g6", carried={0: (gem,)}, loose={"d3": medium(RED)})
    assert "already a gem on" in refused(shown(lying, 3, 1), "d5", dropped={"d3": gem})


def test_nothing_is_dropped_where_the_pawn_stops_on_the_square_it_leaves_or_off_the_way() -> None:
    gem = small(BLUE)
    state = shown(position(2, pawns="d2 g6", carried={0: (gem,)}), 2, 1)
    assert "not where you stop" in refused(state, "d4", dropped={"d4": gem})
    assert "squares on the way" in refused(state, "d4", dropped={"d2": gem})
    assert "squares on the way" in refused(state, "d4", dropped={"e3": gem})
    assert moves(state).droppable(square("d4")) == (square("d3"),)
    assert moves(shown(position(2, pawns="d2 g6", carried={0: (gem,)}), 1, 1)).droppable(square("d3")) == ()


@pytest.mark.parametrize("left", [(0, 20), (20,)])
def test_nothing_is_dropped_on_a_vein(left: tuple[int, ...]) -> None:
    gem = small(BLUE)
    state = position(2, veins="d3", inside={"d3": left}, pawns="d2 g6", carried={0: (gem,)})
    assert "there is a vein" in refused(shown(state, 2, 1), "d4", dropped={"d3": gem})


def test_nothing_is_dropped_on_an_exhausted_vein_that_does_not_bar_the_way() -> None:
    gem = small(BLUE)
    state = position(2, veins="b2", inside={"b2": ()}, pawns="b1 g6", carried={0: (gem,)})
    assert "there is a vein" in refused(shown(state, 2, 1), "b3", dropped={"b2": gem})


def test_only_what_is_carried_is_dropped() -> None:
    state = shown(position(2, pawns="d2 g6", carried={0: (small(BLUE),), 1: (small(GREEN),)}), 2, 1)
    for gem in (small(GREEN), small(RED, 4), 99, -1):
        assert "you can drop only what you carry" in refused(state, "d4", dropped={"d3": gem})


def test_any_pawn_picks_up_what_lies_on_its_way_and_where_it_stops() -> None:
    gem, other = small(BLUE), medium(GREEN)
    state = shown(position(2, pawns="d2 g6", loose={"d3": gem, "d4": other}, first=0), 2, 1)
    assert go(state, "d4", "d3 d4").mine.carried[0] == (gem, other)
    assert go(state, "d4", "d4").mine.loose == ((square("d3"), gem),)
    assert go(state, "d4").mine.carried[0] == ()
    assert "there is no gem on f4" in refused(state, "f4", "f4")
    assert "squares on the way" in refused(state, "f4", "d3")
    assert "squares on the way" in str(moves(state).violation((square("d4"), (square("d4"), square("d3")), ())))


def test_nothing_is_picked_up_that_is_too_much_to_carry() -> None:
    state = position(2, pawns="d2 g6", carried={0: (small(1), small(2))}, loose={"d3": medium(GREEN)})
    assert "carry at most 3 pips" in refused(shown(state, 2, 1), "d4", "d3")


def test_a_gem_is_dropped_to_pick_up_another_further_on() -> None:
    gem, other = medium(BLUE), medium(RED)
    state = position(2, pawns="d2 g6", carried={0: (gem,)}, loose={"d4": other})
    after = go(shown(state, 3, 1), "d5", "d4", {"d3": gem})
    assert (after.mine.carried[0], after.mine.loose) == ((other,), ((square("d3"), gem),))


def test_on_one_square_a_gem_is_picked_up_before_another_is_dropped() -> None:
    lying, gem = small(BLUE), small(RED)
    state = position(2, pawns="d2 g6", carried={0: (gem,)}, loose={"d3": lying})
    after = go(shown(state, 2, 1), "d4", "d3", {"d3": gem})
    assert (after.mine.carried[0], after.mine.loose) == ((lying,), ((square("d3"), gem),))
    full = position(2, pawns="d2 g6", carried={0: (medium(RED), small(3))}, loose={"d3": lying})
    assert "carry at most 3 pips" in refused(shown(full, 2, 1), "d4", "d3", {"d3": small(3)})


def test_a_choice_at_random_may_pick_up_and_drop_on_one_square() -> None:
    space = moves(shown(position(2, pawns="d2 g6", carried={0: (small(RED),)}, loose={"d3": small(BLUE)}), 2, 1))
    found = {space.pick(Random(seed)) for seed in range(200)}
    assert all(space.violation(choice) is None for choice in found)
    assert (square("d4"), (square("d3"),), ((square("d3"), small(RED)),)) in found


def test_a_gem_is_moved_on_by_picking_it_up_and_dropping_it_on_the_next_square() -> None:
    state = position(2, pawns="d2 g6", loose={"d3": small(BLUE)})
    after = go(shown(state, 3, 1), "d5", "d3", {"d4": small(BLUE)})
    assert (after.mine.carried[0], after.mine.loose) == ((), ((square("d4"), small(BLUE)),))


# -- bringing home -----------------------------------------------------------------------------------------------------


def test_whoever_comes_home_unloads_everything() -> None:
    state = position(2, pawns="a3 g6", carried={0: (small(BLUE), medium(RED))}, stored={0: (small(RED),)})
    after = go(shown(state, 2, 1), "a1")
    assert after.mine.stored[0] == (small(RED), small(BLUE), medium(RED))
    assert after.mine.carried[0] == ()
    assert after.score(0) == 2 + 1 + 4


def test_what_is_picked_up_on_the_way_home_is_unloaded_too() -> None:
    state = position(2, pawns="a3 g6", loose={"a2": small(BLUE)})
    assert go(shown(state, 2, 1), "a1", "a2").mine.stored[0] == (small(BLUE),)


# -- what gems are worth -----------------------------------------------------------------------------------------------


def test_own_color_is_worth_double_and_flawless_triple() -> None:
    state = position(2, flawless=PURPLE)
    worth = {
        (seat, color): (state.worth(small(color), seat), state.worth(medium(color), seat))
        for seat in (0, 1)
        for color in (RED, BLUE, GREEN, PURPLE)
    }
    assert worth == {
        (0, RED): (2, 4),
        (0, BLUE): (1, 2),
        (0, GREEN): (1, 2),
        (0, PURPLE): (3, 6),
        (1, RED): (1, 2),
        (1, BLUE): (2, 4),
        (1, GREEN): (1, 2),
        (1, PURPLE): (3, 6),
    }


def test_of_four_without_a_fifth_color_nothing_is_worth_triple() -> None:
    state = position(4)
    assert [state.worth(medium(color), 3) for color in range(4)] == [2, 2, 2, 4]
    assert [state.worth(small(color), 0) for color in range(4)] == [2, 1, 1, 1]


def test_what_is_carried_does_not_score() -> None:
    state = position(2, carried={0: (small(RED), medium(RED))}, stored={0: (small(BLUE),), 1: (medium(BLUE),)})
    assert [state.score(seat) for seat in (0, 1)] == [1, 4]


# -- the end -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "last"), [(2, 6), (4, 8)])
def test_the_game_ends_at_once_with_the_last_vein(seats: int, last: int) -> None:
    veins = ["d5", "b4", "b6", "c7", "f6", "e2", "e7", "g4"]
    inside: dict[str, tuple[int, ...]] = dict.fromkeys(veins[1:last], ())
    inside["d5"] = (0,)
    pawns = "d4 g6" if seats == 2 else "d4 a8 h8 h1"
    state = position(seats, veins=" ".join(veins), inside=inside, pawns=pawns, stored={1: (small(GREEN, 1),)})
    assert state.mine.exhausted == last - 1
    state = go(shown(state, *(1,) * seats), "d5")
    assert not isinstance(told(state, ()).ask(), Result)
    ended = result(told(state, (0,)))
    assert ended.reason == f"{last} veins were exhausted"
    assert ended.scores == ((0,), (1,), (0,), (0,))[:seats]
    assert ended.winners == (1,)
    assert ended.places == (2, 1, 2, 2)[:seats]


def test_equal_points_share_a_place() -> None:
    state = position(2, stored={0: (medium(BLUE),), 1: (medium(RED),)})
    ended = result(told(state, ((1, True), (2, True))))
    assert (ended.places, ended.scores) == ((1, 1), ((2,), (2,)))


def test_the_game_ends_by_agreement_only_if_all_agree_in_the_same_round() -> None:
    state = position(2, pawns="d4 f6")
    one = told(state, ((1, True), (1, False)))
    assert (one.willing, one.phase) == ((True, False), "move")
    after = quiet_round(state, ends=(True, False))
    assert after.willing == (True, False)
    assert not isinstance(quiet_round(after, ends=(False, True)).ask(), Result)
    ended = quiet_round(after, ends=(True, True))
    assert result(ended).reason == "both players agreed to end the game"
    assert ended.mine == after.mine


def test_thirty_rounds_without_a_gem_taken_or_unloaded_end_the_game() -> None:
    state = position(2, pawns="d4 f6")
    for number in range(QUIET):
        assert (state.quiet, state.round) == (number, number + 1)
        space = together(state).spaces[0]
        assert space == CardSpace(number)
        state = quiet_round(state)
    assert result(state).reason == "no gem was taken or brought home for 30 rounds"


def test_taking_and_unloading_start_the_count_anew_and_nothing_else_does() -> None:
    quiet = position(2, veins="d5", pawns="d4 f6", quiet=QUIET - 1)
    opened = go(shown(quiet, 1, 1), "d5")
    assert isinstance(go(told(opened, ()), "f5").ask(), Result)
    assert go(told(opened, (0,)), "f5").quiet == 0
    carrying = position(2, pawns="a2 f6", carried={0: (0,)}, quiet=QUIET - 1)
    assert go(go(shown(carrying, 1, 1), "a1"), "f5").quiet == 0
    empty = position(2, pawns="a2 f6", quiet=QUIET - 1)
    assert isinstance(go(go(shown(empty, 1, 1), "a1"), "f5").ask(), Result)
    lying = position(2, pawns="d4 f6", loose={"d5": 0}, quiet=QUIET - 1)
    assert isinstance(go(go(shown(lying, 1, 1), "d5", "d5"), "f5").ask(), Result)
