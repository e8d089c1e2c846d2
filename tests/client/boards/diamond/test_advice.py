"""What a hint in Diamond says of a turn."""

from __future__ import annotations

from kimberley.client.boards.diamond.advice import advise, advise_next
from kimberley.games.diamond.rules import State
from tests.support.diamond import at, moving


def test_the_hint_for_the_first_piece_says_nothing_that_is_true_of_every_point() -> None:
    empty = State(first=0)
    assert advise(empty, "f8") == "Place on f8: White could take over a better point by swapping."
    assert advise_next(empty, "f8", "a2").fact == ""
    assert "f8 is a corner of" in advise(empty.apply("d4"), "f8")


def test_of_two_turns_that_win_at_once_the_hint_says_no_more_than_that() -> None:
    state = at(moving("b1 c1 c2 a2 b3", "h8 g8 f8"))
    assert advise(state, "a2-b2", "b3-b2") == "Move a2 to b2: it completes the square b1 b2 c1 c2 and wins."
    assert advise_next(state, "a2-b2", "b3-b2").fact == "it completes the square b1 b2 c1 c2 and wins as well"
