"""What a hint in Diamond says of a turn."""

from __future__ import annotations

from kimberley.client.boards.diamond.advice import advise, advise_next
from kimberley.games.diamond.rules import State


def test_the_hint_for_the_first_piece_says_nothing_that_is_true_of_every_point() -> None:
    empty = State(first=0)
    assert advise(empty, "f8") == "Place on f8: White could take over a better point by swapping."
    assert advise_next(empty, "f8", "a2").fact == ""
    assert "f8 is a corner of" in advise(empty.apply("d4"), "f8")
