"""Sentences that all games, screens and the line mode share."""

from __future__ import annotations

import pytest

from kimberley.p2p.sentences.notices import as_sentence


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
