"""Diamond Mine before the first card: lots, the bag that nobody sees into, the nests and where they stand."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from kimberley.games.mine import GAME
from kimberley.games.mine.rules import NESTS, State
from kimberley.games.mine.squares import homes, name, quadrant, square
from kimberley.games.table import HIDDEN, Item, Roll, Shuffle, Unreadable
from tests.support.mine import GREEN, PURPLE, RED, WHITE, filled, places, played, squares, together


def placed(seats: int, names: str, begins: int = 0) -> State:
    state = filled(seats, begins=begins)
    for place in squares(names):
        assert places(state).violation(place) is None, name(place)
        state = state.apply(place)
    return state


# -- lots --------------------------------------------------------------------------------------------------------------


def test_lots_decide_who_begins_and_who_has_which_color() -> None:
    for seats in GAME.seats:
        start = GAME.start(seats, {})
        assert GAME.starting_seat(start) is None
        assert start.ask() == Roll((seats, 4, 3, 2))
        for begins in range(seats):
            assert GAME.starting_seat(start.apply((begins, 0, 0, 0))) == begins


def test_who_begins_is_not_rolled_where_it_is_settled() -> None:
    start = GAME.start(4, {}, 2)
    assert start.ask() == Roll((4, 3, 2))
    state = start.apply((3, 0, 1))
    assert (GAME.starting_seat(state), state.turn, state.colors) == (2, 2, (PURPLE, RED, GREEN, 1))


def test_two_seats_have_different_colors_and_a_third_one_is_flawless() -> None:
    drawn = Counter(
        (state.colors, state.flawless)
        for lots in product(range(4), range(3), range(2))
        if (state := GAME.start(2, {}, 0).apply(lots))
    )
    assert len(drawn) == 24
    for (colors, flawless), times in drawn.items():
        assert times == 1
        assert len({*colors, flawless}) == 3
        assert flawless != WHITE


def test_four_seats_have_the_four_colors_and_none_is_flawless_but_a_fifth() -> None:
    for fifth in (False, True):
        drawn = set()
        for lots in product(range(4), range(3), range(2)):
            state = GAME.start(4, {"flawless": fifth}, 0).apply(lots)
            drawn.add(state.colors)
            assert sorted(state.colors) == [0, 1, 2, 3]
            assert state.flawless == (WHITE if fifth else None)
        assert len(drawn) == 24


def test_what_cannot_be_played_is_refused_with_what_can() -> None:
    for seats in (1, 3, 5):
        with pytest.raises(ValueError, match="2 or 4 players"):
            GAME.start(seats, {})
    with pytest.raises(ValueError, match="only for four players"):
        GAME.start(2, {"flawless": True})
    with pytest.raises(ValueError, match="flawless is one of no, yes, not 1"):
        GAME.start(4, {"flawless": 1})
    with pytest.raises(ValueError, match="only flawless"):
        GAME.start(4, {"color": True})
    with pytest.raises(ValueError, match="seat 4 cannot begin"):
        GAME.start(4, {}, 4)


# -- the bag -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "fifth", "colors"), [(2, False, 4), (4, False, 4), (4, True, 5)])
def test_five_small_and_five_medium_gems_of_each_color_are_shuffled_apart(seats: int, fifth: bool, colors: int) -> None:
    state = GAME.start(seats, {"flawless": fifth}, 0).apply((0, 0, 0))
    for bag in ("small gems", "medium gems"):
        ask = state.ask()
        assert isinstance(ask, Shuffle)
        assert ask.bag == bag
        assert Counter(ask.items) == {(color,): 5 for color in range(colors)}
        state = state.apply(tuple(Item(item, (HIDDEN,), (0,)) for item in range(5 * colors)))


@pytest.mark.parametrize(("seats", "nests"), [(2, 10), (4, 8)])
def test_each_nest_has_one_small_and_one_medium_gem_and_the_rest_stays_out(seats: int, nests: int) -> None:
    state = filled(seats)
    assert len(state.mine.inside) == NESTS[seats] == nests
    assert all([state.size(gem) for gem in gems] == [1, 2] for gems in state.mine.inside)
    in_nests = {gem for gems in state.mine.inside for gem in gems}
    assert len(in_nests) == 2 * nests
    assert in_nests.isdisjoint(state.rest())
    assert in_nests | {*state.rest()} == set(range(40))
    assert state.unknown() == ((5, 5, 5, 5), (5, 5, 5, 5))


# -- nests on the board --------------------------------------------------------------------------------------------


def test_nests_are_placed_in_turn_clockwise_by_whoever_begins() -> None:
    for seats in GAME.seats:
        for begins in range(seats):
            state = filled(seats, begins=begins)
            for number, place in enumerate(squares("d2 e2 d7 e7 b4 b5 g4 g5 d8 e1")[: NESTS[seats]]):
                space = places(state)
                assert space.seat == state.turn == (begins + number) % seats
                choice = place if space.violation(place) is None else space.open()[0]
                state = state.apply(choice)
            assert together(state).topic == "card"


def test_a_nest_stands_outside_ones_own_quarter_on_an_open_square_and_on_no_home() -> None:
    state = filled(2).apply(square("e5"))
    space = places(state)
    assert space.seat == 1
    assert "own quarter" in str(space.violation(square("f6")))
    assert "home" in str(space.violation(square("a1")))
    assert space.violation(square("a8")) is None
    assert "squares 0 to 63" in str(space.violation(64))
    assert "squares 0 to 63" in str(space.violation(-1))
    taken = places(placed(2, "e4 d4"))
    assert "already a nest on e4" in str(taken.violation(square("e4")))
    assert set(taken.open()) == set(range(64)) - quadrant(square("a1")) - {*homes(2), square("e4")}


@pytest.mark.parametrize("strange", [None, True, "e4", (36,), 36.0])
def test_a_nest_is_placed_by_the_number_of_its_square(strange: object) -> None:
    space = places(filled(2))
    with pytest.raises(Unreadable, match="a number from 0 to 63"):
        space.read(strange)  # type: ignore[arg-type]
    assert space.read(square("e4")) == square("e4")
    assert [space.violation(beyond) for beyond in (-1, 64)] == ["the board has the squares 0 to 63"] * 2


def test_of_four_no_nest_stands_on_any_corner() -> None:
    space = places(filled(4))
    assert all("home" in str(space.violation(square(corner))) for corner in ("a1", "a8", "h8", "h1"))
    assert quadrant(square("h1")) == {*squares("e1 f1 g1 h1 e2 f2 g2 h2 e3 f3 g3 h3 e4 f4 g4 h4")}
    for seat in range(4):
        space = places(filled(4, begins=seat))
        assert quadrant(homes(4)[seat]).isdisjoint(space.open())
        assert len(space.open()) == 64 - 16 - 3


def test_pawns_stand_in_their_corners_when_the_last_nest_is_placed() -> None:
    before = placed(2, "e1 a8 e2 b8 e3 c8 e4 d8 e5")
    assert before.mine.pawns == (None, None)
    after = before.apply(square("a5"))
    assert after.mine.pawns == squares("a1 h8")
    assert (after.round, after.first, after.phase) == (1, 0, "cards")
    assert placed(4, "e8 e1 a5 a4 f8 f1 b5 b4").mine.pawns == squares("a1 a8 h8 h1")


def test_nobody_sees_a_gem_before_a_vein_is_opened() -> None:
    for seats, fifth in ((2, False), (4, False), (4, True)):
        for state in played(seats, 7, fifth=fifth):
            unopened = [nest for nest, opened in enumerate(state.mine.opened) if not opened]
            hidden = {*state.rest(), *(gem for nest in unopened for gem in state.mine.inside[nest])}
            assert all(item.seen == (0,) for item in state.items if item.handle in hidden)
