"""Turns, positions and whole games of Diamond, written and read."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kimberley.games.diamond.board import NAMED, NAMES
from kimberley.games.diamond.notation import (
    ParsedTurn,
    TurnNotationError,
    format_move,
    read_position,
    read_turn,
    write_position,
)
from kimberley.games.diamond.position import BLACK, WHITE, DrawAgreement, Movement, Placement, Position, Removal, Swap
from kimberley.games.diamond.rules import State, TurnSpace
from kimberley.games.diamond.score_sheet import ScoreSheet, read_sheet, turns_of_story, write_sheet
from kimberley.games.table import Decide, Roll

B2, B1, B3 = NAMED["b2"], NAMED["b1"], NAMED["b3"]
TURNS = {
    "b2": ParsedTurn(Placement(B2)),
    "b1-b2": ParsedTurn(Movement(B1, B2)),
    "b1-b2*": ParsedTurn(Movement(B1, B2), captures=True),
    "(b3)": ParsedTurn(Removal(B3)),
    "swap": ParsedTurn(Swap()),
    "=": ParsedTurn(DrawAgreement()),
    "b2 =": ParsedTurn(Placement(B2), offers=True),
    "b1-b2* =": ParsedTurn(Movement(B1, B2), captures=True, offers=True),
    "swap =": ParsedTurn(Swap(), offers=True),
}


@pytest.mark.parametrize("text", TURNS)
def test_a_turn_is_read_and_written(text: str) -> None:
    assert read_turn(text) == TURNS[text]
    assert format_move(*TURNS[text]) == text


@pytest.mark.parametrize("text", ["", " b2", "b2 ", "B2", "b2=", "b2  =", "b1b2", "b1-b2**", "b3)", "(b3)*", "= =",
                                  "swap=", "a8", "b1-h1", "i2", "b9", "b2*", "b1-b2\n", "swap\n"])  # fmt: skip
def test_what_is_spelled_otherwise_is_no_turn(text: str) -> None:
    with pytest.raises(TurnNotationError):
        read_turn(text)


# -- positions ---------------------------------------------------------------------------------------------------------


def random_game(seed: int, most: int = 200) -> list[State]:
    """Returns the states of a game by random turns."""
    rng = Random(seed)
    states = [State(first=0)]
    while isinstance(ask := states[-1].ask(), Decide) and len(states) < most:
        states.append(states[-1].apply(ask.space.pick(rng)))
    return states


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32))
def test_every_position_is_read_as_it_was_written(seed: int) -> None:
    for state in random_game(seed):
        assert read_position(write_position(state.position)) == state.position


def test_the_start_is_written_in_rows_from_the_top() -> None:
    assert write_position(Position()) == "7/8/8/8/8/8/8/7 b 24"
    one = Position().after(Placement(NAMED["b8"]))
    assert write_position(one) == "b6/8/8/8/8/8/8/7 w 23s"
    assert write_position(one.after(Swap())) == "b6/8/8/8/8/8/8/7 w 23"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "eight rows"),
        ("7/8/8/8/8/8/8/7 b", "eight rows"),
        ("7/8/8/8/8/8/7 b 24", "8 rows, not 7"),
        ("8/8/8/8/8/8/8/7 b 24", "row 8 has 7 points, not 8"),
        ("7/8/8/8/8/8/8/7 w 24", "it is Black’s turn"),
        ("7/8/8/8/8/8/8/7 b 22", "1 black and 1 white"),
        ("7/8/8/8/8/8/8/7 b 25", "24 pieces to place, not 25"),
        ("7/8/8/8/8/8/8/7 b 24s", "White may swap"),
        ("n6/8/8/8/8/8/8/7 b 24", "no neutral pieces"),
        ("bbbbbbb/bbbbbb2/8/8/8/8/8/7 b 0", "too many pieces"),
    ],
)
def test_what_is_no_position_is_refused_with_the_reason(text: str, told: str) -> None:
    with pytest.raises(TurnNotationError, match=told):
        read_position(text)


# -- games -------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 120), st.sampled_from([(), (BLACK,), (WHITE,), (BLACK, WHITE)]))
def test_a_game_is_loaded_as_it_was_saved(seed: int, most: int, resigned: tuple[int, ...]) -> None:
    states = random_game(seed, most + 1)
    over = not isinstance(states[-1].ask(), Decide)
    sheet = ScoreSheet(tuple(str(state.last) for state in states[1:]), () if over else resigned)
    text = write_sheet(sheet)
    assert read_sheet(text) == sheet
    assert write_sheet(read_sheet(text)) == text
    assert read_sheet(text).states() == states
    bare = " ".join(word for word in text.split() if not word.isdecimal())
    assert read_sheet(bare) == sheet


def test_a_sheet_looks_as_players_write_it() -> None:
    sheet = ScoreSheet(("d4", "swap", "e5 =", "c3", "b2 =", "="))
    text = "1  d4        swap\n2  e5 =      c3\n3  b2 =      =\n"
    assert write_sheet(sheet) == text
    assert read_sheet(text) == sheet
    assert write_sheet(ScoreSheet(("d4", "swap"), (BLACK,))) == "1  d4        swap\n2  black resigns\n"
    assert write_sheet(ScoreSheet(("d4", "swap"), (WHITE,))) == "1  d4        swap\n2  resigns\n"
    assert read_sheet("1. d4 swap 2. white resigns") == ScoreSheet(("d4", "swap"), (WHITE,))
    assert read_sheet("") == ScoreSheet()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("d4 d4", "move 1, 'd4': d4 is occupied"),
        ("1 d4 3 e5", "'3' found where move 1 is due"),
        ("1 d4 e5 3 c3", "'3' found where move 2 is due"),
        ("d4 e5 swap", "move 2, 'swap': only White"),
        ("d4 = = c3", "move 2, 'c3': the game is over, both sides agreed to a draw"),
        ("d4 = = resigns", "nobody can resign: the game is over"),
        ("=", "no draw was offered"),
        ("hello", "is not a turn"),
    ],
)
def test_what_is_no_game_is_refused_with_the_move(text: str, told: str) -> None:
    with pytest.raises(TurnNotationError, match=told):
        read_sheet(text)


def test_turns_are_found_in_a_story() -> None:
    space = TurnSpace(Position())
    story = [(Roll((2,)), (1,)), (Decide(1, space, "placement"), "d4"), (Decide(0, space, "placement"), "swap")]
    assert turns_of_story(story) == ("d4", "swap")
    assert len(NAMES) == 62
