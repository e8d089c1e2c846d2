"""How pawns move in Diamond Mine: cards shown at once, straight lines, what bars the way, whose turn it is."""

from __future__ import annotations

import pytest

from kimberley.games.mine.moves import obstacle, reach
from kimberley.games.mine.spaces import CardSpace
from kimberley.games.mine.squares import name, square, way
from kimberley.games.table import Unreadable
from tests.support.mine import go, move, moves, position, refused, shown, small, squares, takes, together, told


def names(places: tuple[int, ...]) -> set[str]:
    return {name(place) for place in places}


# -- cards -------------------------------------------------------------------------------------------------------------


def test_all_choose_a_card_of_three_at_the_same_time() -> None:
    for seats in (2, 4):
        ask = together(position(seats))
        assert len(ask.spaces) == seats
        for space in ask.spaces:
            assert isinstance(space, CardSpace)
            assert [card for card in range(-1, 6) if space.violation((card, False)) is None] == [1, 2, 3]
            for strange in (2, (2,), (2, 0), (True, False), [2, False], (2, False, False), None, "2"):
                with pytest.raises(Unreadable, match="a card"):
                    space.read(strange)  # type: ignore[arg-type]


def test_seats_act_clockwise_and_the_first_of_a_round_is_last_in_the_next() -> None:
    state = position(4, pawns="c3 c6 f6 f3", first=2)
    for first in (2, 3, 0, 1, 2):
        state = shown(state, 1, 1, 1, 1)
        order = tuple((first + turn) % 4 for turn in range(4))
        assert state.order() == order
        for seat in order:
            assert (state.turn, state.phase) == (seat, "move")
            inner = next(end for end in squares("c3 c6 f6 f3 d3 d6 e6 e3 c4 c5 f5 f4") if end in moves(state).targets())
            state = go(state, name(inner))
    assert state.round == 6


def test_cards_are_out_of_sight_again_when_the_next_are_chosen() -> None:
    state = shown(position(2, pawns="c3 f6"), 1, 2)
    assert state.cards == (1, 2)
    state = go(go(state, "c4"), "f4")
    assert (state.cards, state.acted, state.first) == ((None, None), (False, False), 1)


@pytest.mark.parametrize("word", ["", "a", "a0", "a9", "i1", "A1", "a10", "1a"])
def test_other_words_name_no_square(word: str) -> None:
    with pytest.raises(ValueError, match=f"'{word}' is not a square: squares go from a1 to h8"):
        square(word)


# -- straight lines ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "ends"),
    [
        (1, "d5 e5 e4 e3 d3 c3 c4 c5"),
        (2, "d6 f6 f4 f2 d2 b2 b4 b6"),
        (3, "d7 g7 g4 g1 d1 a1 a4 a7"),
    ],
)
def test_a_pawn_goes_as_far_as_its_card_says_in_one_of_eight_directions(card: int, ends: str) -> None:
    state = shown(position(2, pawns="d4 h8"), card, 1)
    assert names(moves(state).targets()) == set(ends.split())
    for end in range(64):
        allowed = moves(state).violation((end, (), ())) is None
        assert allowed == (name(end) in ends.split())


def test_squares_on_the_way_are_those_of_the_line() -> None:
    assert way(square("d4"), square("a7")) == squares("c5 b6 a7")
    assert way(square("d4"), square("e6")) == ()
    assert way(square("d4"), square("d4")) == ()
    assert way(square("h4"), square("a5")) == ()


def test_a_knights_move_standing_still_and_leaving_the_board_are_refused() -> None:
    state = shown(position(2, pawns="h4 a8"), 2, 1)
    for end in ("g2", "h4", "h5", "a4", "a5", "b4"):
        assert "2 squares in a straight line" in refused(state, end)
    assert names(moves(state).targets()) == {"h6", "h2", "f6", "f4", "f2"}


def test_one_must_move_if_one_can_and_there_is_no_choice_not_to() -> None:
    space = moves(shown(position(2, pawns="d4 h8"), 2, 1))
    for none in ((27, (), ()), (-1, (), ()), None, ()):
        assert space.violation(none) is not None


# -- what bars the way -------------------------------------------------------------------------------------------------


def test_other_pawns_bar_the_way() -> None:
    state = shown(position(2, pawns="d4 d6"), 2, 1)
    assert "another pawn is on d6" in refused(state, "d6")
    state = shown(position(2, pawns="d4 d6"), 3, 1)
    assert "another pawn is on d6" in refused(state, "d7")
    assert square("d5") in reach(state.mine, 0)[1]


def test_others_homes_are_neither_entered_nor_crossed() -> None:
    state = shown(position(2, pawns="f6 c3"), 2, 2)
    assert "h8 is another player’s home" in refused(state, "h8")
    state = go(state, "f4")
    assert "a1 is another player’s home" in refused(state, "a1")
    assert obstacle(position(4, pawns="c3 c6 f6 f3").mine, 0, square("h1")) == "h1 is another player’s home"
    assert obstacle(position(2).mine, 0, square("h1")) is None


def test_one_passes_over_veins_without_opening_them() -> None:
    state = go(shown(position(2, veins="d5", pawns="d4 g6"), 2, 1), "d6")
    assert state.mine.opened == (False,) * 10
    assert state.turn == 1


def test_exhausted_veins_bar_the_way_and_cannot_be_landed_on() -> None:
    state = position(2, veins="d5 e5", inside={"d5": ()}, pawns="d4 g6")
    assert "the vein on d5 is exhausted" in refused(shown(state, 1, 1), "d5")
    assert "the vein on d5 is exhausted" in refused(shown(state, 3, 1), "d7")
    assert square("e5") in moves(shown(state, 1, 1)).targets()


@pytest.mark.parametrize("vein", ["g8", "h7", "g7", "b2", "a2"])
def test_exhausted_veins_beside_any_home_bar_nobodys_way(vein: str) -> None:
    spare = position(2, veins=vein, inside={vein: ()}, pawns="d4 e5")
    for seat in (0, 1):
        assert obstacle(spare.mine, seat, square(vein)) is None


@pytest.mark.parametrize("vein", ["f8", "f7", "c3", "b7", "a7", "g1"])
def test_exhausted_veins_further_off_or_by_a_corner_that_is_nobodys_home_do(vein: str) -> None:
    spare = position(2, veins=vein, inside={vein: ()}, pawns="d4 e5")
    for seat in (0, 1):
        assert "exhausted" in str(obstacle(spare.mine, seat, square(vein)))


def test_of_four_every_corner_is_a_home() -> None:
    mine = position(4, veins="b7 g1", inside={"b7": (), "g1": ()}, pawns="d4 e5 d5 e4").mine
    assert [obstacle(mine, seat, place) for seat in range(4) for place in squares("b7 g1")] == [None] * 8


def test_one_crosses_and_lands_on_an_exhausted_vein_beside_a_home() -> None:
    state = position(2, veins="b2", inside={"b2": ()}, pawns="c3 g6")
    assert go(shown(state, 2, 1), "a1").mine.pawns[0] == square("a1")
    state = go(shown(state, 1, 1), "b2")
    assert (state.mine.pawns[0], state.turn, state.phase) == (square("b2"), 1, "move")


# -- who cannot move ---------------------------------------------------------------------------------------------------


def test_who_cannot_move_as_far_as_the_card_says_stays_and_is_not_asked() -> None:
    shut = {"b2": (), "b3": (), "a3": (), "c2": (), "c1": (), "c3": ()}
    state = position(2, veins=" ".join(shut), inside=shut, pawns="b1 e5")
    assert reach(state.mine, 0) == {1: squares("b2 a1 a2"), 2: (), 3: ()}
    for card in (2, 3):
        after = shown(state, card, 1)
        assert (after.turn, after.acted, after.mine.pawns) == (1, (True, False), state.mine.pawns)
    assert shown(state, 1, 1).turn == 0


def test_a_round_in_which_nobody_can_move_is_over_at_once() -> None:
    shut = dict.fromkeys(("a3", "b3", "c3", "c2", "c1", "f8", "f7", "f6", "g6", "h6"), ())
    state = shown(position(2, veins=" ".join(shut), inside=shut), 3, 3)
    assert (state.round, state.phase, state.first, state.quiet) == (2, "cards", 1, 1)


def test_whether_one_can_move_is_seen_when_ones_turn_comes() -> None:
    shut = dict.fromkeys(("a3", "c1"), ())
    state = position(2, veins="a3 c1", inside=shut, pawns="a1 b2", first=1)
    assert reach(state.mine, 0)[2] == ()
    state = go(shown(state, 2, 2), "d4")
    assert (state.turn, names(moves(state).targets())) == (0, {"c3"})


# -- one spelling ------------------------------------------------------------------------------------------------------


def test_a_move_is_spelled_in_one_way() -> None:
    state = shown(position(2, pawns="a4 g6", loose={"b4": small(0)}), 3, 1)
    space = moves(state)
    assert space.violation(move("d4", "b4", {"c4": small(0)})) is None
    d4, b4, c4 = squares("d4 b4 c4")
    for strange in (
        (d4, (b4, b4), ()),
        (d4, [b4], ()),
        (d4, (b4,)),
        (d4, (b4,), ((c4, 0), (c4, 0))),
        (d4, (b4,), ((c4,),)),
        (d4, (b4,), ((c4, False),)),
        (float(d4), (), ()),
        (d4, (square("h8"),), ()),
        (d4, (b4,), ((square("h7"), 0),)),
        d4,
        None,
    ):
        assert space.violation(strange) is not None  # type: ignore[arg-type]


def test_a_vein_just_exhausted_does_not_hold_the_pawn_that_stands_on_it() -> None:
    state = position(2, veins="d5", inside={"d5": (small(1),)}, pawns="d4 g6")
    state = go(shown(state, 1, 1), "d5")
    assert takes(state).gems == (small(1),)
    state = go(told(state, (small(1),)), "g7")
    state = go(shown(state, 2, 1), "g6")
    assert state.mine.is_exhausted(0)
    assert names(moves(state).targets()) == {"d7", "f7", "f5", "f3", "d3", "b3", "b5", "b7"}
