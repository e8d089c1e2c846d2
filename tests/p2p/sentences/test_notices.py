"""Sentences that all games, screens and the line mode share."""

from __future__ import annotations

import pytest

from kimberley.p2p.sentences.notices import as_sentence, not_possible


@pytest.mark.parametrize(
    ("text", "names", "said"),
    [
        ("every move was replayed", ("eve", "ben"), "Every move was replayed."),
        ("eve resigned", ("eve", "ben"), "eve resigned."),
        ("eve’s corner", ("eve", "ben"), "eve’s corner."),
        ("b2 is free", (), "b2 is free."),
        ("a draw.", ("", "ben"), "A draw."),
    ],
)
def test_a_sentence_begins_with_a_capital_unless_a_whole_name_or_a_square_comes_first(
    text: str, names: tuple[str, ...], said: str
) -> None:
    assert as_sentence(text, names) == said


def test_a_refusal_never_has_two_colons() -> None:
    assert not_possible("d4 is occupied by a black piece") == "Not possible: d4 is occupied by a black piece."
    square = "'z9' is not a square: squares go from a1 to h8"
    assert not_possible(square) == f"Not possible. {square}."
    assert not_possible("no line joins a1 and h8: go on") == "Not possible. No line joins a1 and h8: go on."
