"""The rules of Diamond: both phases, captures, neutral pieces, the swap, the win and the four draws."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kimberley.games.arena import Arena
from kimberley.games.diamond import GAME
from kimberley.games.diamond.board import NAMED, NEXT, bits, names, points
from kimberley.games.diamond.notation import format_turn
from kimberley.games.diamond.position import BLACK, WHITE, Position
from kimberley.games.diamond.rules import QUIET, State, TurnSpace
from kimberley.games.table import Decide, Result, Roll, space_for
from tests.support.diamond import Slow, after, at, moving, placing

START = State(first=0)


def space(state: State) -> TurnSpace:
    ask = state.ask()
    assert isinstance(ask, Decide)
    assert isinstance(ask.space, TurnSpace)
    return ask.space


def refused(state: State, turn: object) -> str:
    reason = space(state).violation(turn)  # type: ignore[arg-type]
    assert reason is not None, f"{turn!r} is allowed"
    return reason


def result(state: State) -> Result:
    ask = state.ask()
    assert isinstance(ask, Result), f"the game goes on: {ask}"
    return ask


# -- placement and the swap --------------------------------------------------------------------------------------------


def test_lots_decide_who_begins_as_black() -> None:
    start = GAME.start(2, {})
    assert start.ask() == Roll((2,))
    for first in (0, 1):
        state = start.apply((first,))
        ask = state.ask()
        assert isinstance(ask, Decide)
        assert (ask.seat, state.position.turn, ask.topic) == (first, BLACK, "placement")
        assert GAME.starting_seat(state) == GAME.starting_seat(after(state, "d4", "swap")) == first
    assert GAME.starting_seat(start) is None


@pytest.mark.parametrize("begins", [0, 1])
def test_a_seat_that_begins_already_is_not_rolled_for(begins: int) -> None:
    start = GAME.start(2, {}, begins)
    ask = start.ask()
    assert isinstance(ask, Decide)
    assert (ask.seat, GAME.starting_seat(start)) == (begins, begins)


def test_pieces_are_placed_in_turns_until_all_are_on_the_board() -> None:
    turns = "a1 b1 c1 d1 e1 f1 a2 b2 c2 d2 e2 f2 a4 b4 c4 d4 e4 f4 a5 b6 c7 d6 e7 f6"
    state = START
    for number, turn in enumerate(turns.split(" ")):
        ask = state.ask()
        assert isinstance(ask, Decide)
        assert (ask.seat, ask.topic) == (number % 2, "placement")
        state = after(state, turn)
    ask = state.ask()
    assert isinstance(ask, Decide)
    assert (ask.seat, ask.topic, state.position.placing) == (0, "move", False)


def test_a_placement_captures_nothing() -> None:
    state = at(placing("d4 a1", "d5 a7"))
    state = after(state, "e4")
    assert state.position.neutral == 0
    assert names(state.position.pieces[WHITE]) == ["a7", "d5"]


def test_a_square_can_be_completed_by_placing() -> None:
    state = after(at(placing("c4 c5 d4", "a1 a2 a3")), "d5")
    assert result(state).winners == (0,)
    assert result(state).reason == "Black completed the square c4 c5 d4 d5"


def test_a_swap_changes_the_players_and_not_the_board() -> None:
    state = after(START, "d4", "swap")
    assert names(state.position.pieces[BLACK]) == ["d4"]
    assert (state.color(0), state.color(1)) == (WHITE, BLACK)
    ask = state.ask()
    assert isinstance(ask, Decide)
    assert (ask.seat, state.position.turn) == (0, WHITE), "the first player goes on, as White"
    state = after(state, "e5")
    ask = state.ask()
    assert isinstance(ask, Decide)
    assert (ask.seat, state.position.turn) == (1, BLACK)


@pytest.mark.parametrize("turns", [(), ("d4", "e5"), ("d4", "swap"), ("d4", "e5", "c3")])
def test_only_white_may_swap_and_only_after_the_first_placement(turns: tuple[str, ...]) -> None:
    assert "only White can swap" in refused(after(START, *turns), "swap")


def test_who_wins_after_a_swap_is_the_one_who_swapped() -> None:
    state = after(START, "c4", "swap", "a1", "c5", "a2", "d4", "a3", "d5")
    assert result(state).winners == (1,)


# -- captures: the five examples ---------------------------------------------------------------------------------------


def test_example_1_a_piece_cornered_on_one_triangle_is_captured_and_becomes_neutral() -> None:
    state = after(at(moving("d4 f4 a1", "d5 h8")), "f4-e4*")
    assert names(state.position.neutral) == ["d5"]
    assert names(state.position.pieces[WHITE]) == ["h8"]
    assert names(state.position.pieces[BLACK]) == ["a1", "d4", "e4"]


def test_example_2_two_cornered_on_neighboring_triangles_both_stay() -> None:
    state = at(moving("d5 f4", "d4 e5"))
    reason = refused(state, "f4-e4*")
    assert reason == "that corners d4 and e5, so it captures none: write f4-e4"
    state = after(state, "f4-e4")
    assert names(state.position.pieces[WHITE]) == ["d4", "e5"]
    assert state.position.neutral == 0


def test_example_3_two_cornered_on_triangles_apart_both_stay() -> None:
    state = after(at(moving("e5 e3 d4", "f4 d5")), "e5-e4")
    assert names(state.position.pieces[WHITE]) == ["d5", "f4"]


def test_example_4_one_cornered_on_two_triangles_at_once_is_captured() -> None:
    state = at(moving("f4 d4 e5", "d5 h8"))
    assert refused(state, "f4-e4") == "that captures d5: write f4-e4*"
    assert names(after(state, "f4-e4*").position.neutral) == ["d5"]


def test_example_5_a_piece_moves_safely_between_two_enemies() -> None:
    state = after(at(moving("f4 a1", "d4 d5")), "f4-e4")
    assert names(state.position.pieces[BLACK]) == ["a1", "e4"]
    assert not any("*" in turn and "e4" not in turn for turn, _ in Slow.of(state.position).turns())


def test_white_captures_as_black_does() -> None:
    state = after(at(moving("d5 h8", "d4 f4 a1", turn=WHITE)), "f4-e4*")
    assert names(state.position.neutral) == ["d5"]
    assert names(state.position.pieces[BLACK]) == ["h8"]


def test_only_the_move_just_made_captures() -> None:
    """Black stands in White's corner by its own move, or because another piece left: nothing happens to it."""
    state = after(at(moving("f4 a1", "d5 h8 d4")), "f4-e4", "h8-h7")
    assert state.position.neutral == 0


def test_the_corner_that_a_piece_leaves_does_not_corner() -> None:
    assert refused(at(moving("d4 a1", "d5 h8")), "d4-e4*") == "that captures nothing: write d4-e4"


def test_neutral_pieces_corner_nobody() -> None:
    assert "captures nothing" in refused(at(moving("f4 a1", "d5 h8", "d4")), "f4-e4*")


# -- neutral pieces ----------------------------------------------------------------------------------------------------


def test_a_neutral_piece_is_removed_where_it_stands_alone() -> None:
    state = after(at(moving("a1 a2", "h8 h7", "d5 e5"), quiet=7), "(d5)")
    assert names(state.position.neutral) == ["e5"]
    assert (state.position.turn, state.quiet, state.earlier) == (WHITE, 0, ())


@pytest.mark.parametrize(("black", "white"), [("a1 d4", "h8"), ("a1", "h8 c5")])
def test_a_neutral_piece_stays_while_a_piece_stands_beside_it(black: str, white: str) -> None:
    assert "you cannot remove" in refused(at(moving(black, white, "d5")), "(d5)")


def test_the_pieces_beside_a_neutral_piece_are_counted() -> None:
    one = refused(at(moving("a1 d4", "h8", "d5")), "(d5)")
    assert one.endswith("while a white or black piece is next to it, on d4")
    both = refused(at(moving("a1 d4", "h8 c5", "d5")), "(d5)")
    assert both.endswith("while white or black pieces are next to it, on c5 and d4")


def test_only_neutral_pieces_are_removed_and_only_in_the_movement_phase() -> None:
    state = at(moving("a1", "h8", "d5"))
    for turn in ("(a1)", "(h8)", "(d4)"):
        assert "no neutral piece" in refused(state, turn)
    assert "no neutral piece" in refused(START, "(d5)")
    assert START.position.removable() == 0


def test_neutral_pieces_do_not_move_and_are_in_the_way() -> None:
    state = at(moving("d4", "h8", "d5"))
    assert "is neutral and cannot move" in refused(state, "d5-d6")
    assert "d5 is occupied by a neutral piece" in refused(state, "d4-d5")


# -- what is forbidden -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("turn", "reason"),
    [
        ("a1-a2", "pieces cannot move until all are placed; 23 to go"),
        ("d4", "d4 is occupied by a black piece"),
        ("a8", "the board has no point a8"),
        ("h1", "the board has no point h1"),
        ("d5*", "a placement captures nothing: write it without *"),
        ("D5", "'D5' is not a turn: write b2, b1-b2, b1-b2*, (b3), swap or ="),
        ("=", "no draw was offered; to offer one, add = to your turn"),
        ("", "'' is not a turn: write b2, b1-b2, b1-b2*, (b3), swap or ="),
        (7, "a turn is written as text: b2, b1-b2, b1-b2*, (b3), swap or ="),
    ],
)
def test_while_placing_each_refusal_names_its_rule(turn: object, reason: str) -> None:
    assert refused(after(START, "d4"), turn) == reason


@pytest.mark.parametrize(
    ("turn", "reason"),
    [
        ("d5", "all pieces are placed: move one, or remove a neutral one"),
        ("h8-h7", "Black has no piece on h8: the piece there is white"),
        ("b2-b3", "Black has no piece on b2: it is open"),
        ("d4-e5", "no line joins d4 and e5"),
        ("d4-d4", "no line joins d4 and d4"),
        ("d4-d5", "d5 is occupied by a white piece"),
        ("d4-c4*", "that captures nothing: write d4-c4"),
        ("swap", "only White can swap, once, right after Black’s first piece"),
    ],
)
def test_while_moving_each_refusal_names_its_rule(turn: str, reason: str) -> None:
    assert refused(at(moving("d4 a1", "d5 h8")), turn) == reason


# -- the win -----------------------------------------------------------------------------------------------------------


def test_who_completes_a_square_by_moving_wins() -> None:
    state = after(at(moving("c4 c5 d4 d6", "a1 h8")), "d6-d5")
    assert result(state).places == (1, 2)


def test_three_corners_and_a_neutral_or_enemy_piece_are_no_square() -> None:
    for white, neutral in (("d5 h8", ""), ("h8", "d5")):
        assert isinstance(at(moving("c4 c5 d4 a1", white, neutral)).ask(), Decide)


def test_four_corners_of_a_cell_that_is_no_square_win_nothing() -> None:
    assert isinstance(at(moving("d4 d5 e4 e5", "h8")).ask(), Decide)


def test_a_capture_can_complete_a_square() -> None:
    state = after(at(moving("c4 c5 d4 d6 e4", "e5 h8")), "d6-d5*")
    assert result(state).winners == (0,)
    assert names(state.position.neutral) == ["e5"]


# -- the draws ---------------------------------------------------------------------------------------------------------


def test_a_draw_is_offered_with_a_turn_and_taken_with_the_next() -> None:
    state = after(START, "d4 =")
    assert space(state).offered
    state = after(state, "=")
    assert result(state).places == (1, 1)
    assert result(state).reason == "both sides agreed to a draw"


def test_an_offer_is_declined_by_playing_on_and_cannot_be_taken_later() -> None:
    state = after(START, "d4 =", "e5", "c3")
    assert "no draw was offered" in refused(state, "=")


def test_an_offer_can_ride_with_any_turn_but_not_meet_another() -> None:
    assert space(after(START, "d4", "swap =")).offered
    assert space(after(at(moving("d4 f4 a1", "d5 h8")), "f4-e4* =")).offered
    assert space(after(at(moving("a1", "h8", "d5")), "(d5) =")).offered
    assert "already offered" in refused(after(START, "d4 ="), "e5 =")
    after(START, "d4 =", "e5", "c3 =", "=")


def test_a_win_goes_before_the_offer_that_rides_with_it() -> None:
    assert result(after(at(moving("c4 c5 d4 d6", "a1 h8")), "d6-d5 =")).winners == (0,)


def test_who_is_to_move_and_cannot_draws_even_where_a_neutral_piece_could_go() -> None:
    blocked = moving("a7", "a6 b7 b8 c2", "h3", turn=WHITE)
    state = after(at(blocked), "c2-c1")
    assert state.position.removable()
    assert result(state).places == (1, 1)
    assert result(state).reason == "Black has no piece that can move"


def test_it_holds_from_the_first_turn_of_the_movement_phase() -> None:
    """Black's twelve are walled in by White's and by each other when the last is placed."""
    white = "a6 b7 c8 d1 e2 f1 g2 h3"
    state = at(moving("a7 b8 g1 h2", white + " b6 c7 g3 f2", turn=BLACK))
    assert not state.position.can_move()
    assert "no piece that can move" in result(state).reason


def test_a_side_without_pieces_cannot_move() -> None:
    assert "White has no piece that can move" in result(after(at(moving("d4 f4 a1", "d5")), "f4-e4*")).reason


def test_the_third_time_of_a_position_draws() -> None:
    there_and_back = ("d4-c4", "h8-h7", "c4-d4", "h7-h8")
    state = after(at(moving("d4 a1", "h8 g5")), *there_and_back, *there_and_back[:-1])
    assert isinstance(state.ask(), Decide)
    assert result(after(state, "h7-h8")).reason == "the same position occurred three times"


def test_a_position_with_the_other_side_to_move_is_another() -> None:
    """Black loses a turn on a triangle of its own, so that White moves where Black did."""
    state = at(moving("d4 a1", "h8 g5"))
    state = after(state, "d4-c4", "h8-h7", "c4-c3", "h7-h8", "c3-d4")
    assert state.position.pieces == moving("d4 a1", "h8 g5").pieces
    assert state.earlier.count(state.position) == 0


def test_the_first_position_of_the_movement_phase_counts() -> None:
    state = at(placing("d4 a1 b3 c7 e2 f6 g1 g7 a4 b6 e8", "h8 g5 a3 b8 c2 d6 f1 f3 h4 a7 e6"))
    state = after(state, "c5", "b2")
    assert not state.position.placing
    there_and_back = ("d4-c4", "h8-h7", "c4-d4", "h7-h8")
    assert "three times" in result(after(state, *there_and_back, *there_and_back)).reason


def test_fifty_quiet_moves_draw() -> None:
    state = after(at(moving("d4 a1", "h8 g5"), quiet=QUIET - 2), "d4-c4")
    assert isinstance(state.ask(), Decide)
    assert result(after(state, "h8-h7")).reason == "50 turns in a row without a capture or a removal"


def test_a_capture_starts_the_count_anew_and_a_win_goes_before_it() -> None:
    state = after(at(moving("d4 f4 a1", "d5 h8"), quiet=QUIET - 1), "f4-e4*")
    assert (state.quiet, isinstance(state.ask(), Decide)) == (0, True)
    assert result(after(at(moving("c4 c5 d4 d6", "a1 h8"), quiet=QUIET - 1), "d6-d5")).winners == (0,)


def test_the_count_starts_with_the_movement_phase() -> None:
    state = at(placing("d4 a1 b3 c7 e2 f6 g1 g7 a4 b6 e8", "h8 g5 a3 b8 c2 d6 f1 f3 h4 a7 e6"))
    assert after(state, "c5", "b2").quiet == 0


# -- resigning ---------------------------------------------------------------------------------------------------------


def test_who_resigns_loses_and_is_named_by_color() -> None:
    state = after(START, "d4", "swap")
    assert GAME.resignation_result(state, (0,)).reason == "White resigned"
    assert GAME.resignation_result(state, (0,)).winners == (1,)
    assert GAME.resignation_result(GAME.start(2, {}), (1,)).winners == (0,)
    assert GAME.resignation_result(state, (0, 1)).places == (1, 1)


# -- whole games at random ---------------------------------------------------------------------------------------------


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32))
def test_a_capture_removes_exactly_one_piece_and_nothing_else_ever_does(seed: int) -> None:
    arena = Arena(GAME.start(2, {}), Random(seed))
    while not isinstance(ask := arena.truth.ask(), Result):
        before = arena.truth
        assert isinstance(before, State)
        offered = {seat: space_for(ask, seat) for seat in ask.choosers}
        arena.advance({seat: each.pick(arena.rng) for seat, each in offered.items() if each is not None})
        now = arena.truth
        assert isinstance(now, State)
        if isinstance(ask, Decide):
            check_pieces(before.position, now.position, str(now.last))


def check_pieces(before: Position, now: Position, turn: str) -> None:
    def counts(position: Position) -> tuple[int, int, int]:
        black, white = (side.bit_count() for side in position.pieces)
        return black, white, position.neutral.bit_count()

    change = [new - old for old, new in zip(counts(before), counts(now), strict=True)]
    mover = before.turn
    due = [0, 0, 0]
    if turn[0] == "(":
        due[2] = -1
    elif "*" in turn:
        due[1 - mover], due[2] = -1, 1
    elif before.placing and turn[0] not in "s=":
        due[mover] = 1
    assert change == due
    black, white = now.pieces
    assert black & white == black & now.neutral == white & now.neutral == 0, "two pieces stand on one point"


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32))
@pytest.mark.nightly
def test_whatever_is_offered_is_what_the_slow_rules_allow(seed: int) -> None:
    rng = Random(seed)
    state = START
    while isinstance(ask := state.ask(), Decide):
        assert isinstance(ask.space, TurnSpace)
        slow = dict(Slow.of(state.position).turns())
        assert {format_turn(state.position, move) for move in state.position.moves()} == set(slow)
        for turn in slow:
            assert ask.space.violation(turn) is None
        turn = rng.choice(sorted(slow))
        state = state.apply(turn)
        assert Slow.of(state.position).key() == slow[turn].key()


def test_a_wall_of_pieces_leaves_no_targets() -> None:
    position = moving("a7", "a6 b7 b8", turn=BLACK)
    assert position.targets(NAMED["a7"]) == 0
    assert set(points(NEXT[NAMED["a7"]])) == set(points(bits("a6", "b7", "b8")))
