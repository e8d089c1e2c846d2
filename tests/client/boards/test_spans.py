"""Sentences in spans: which words are marked, and how they are broken into lines."""

from __future__ import annotations

from kimberley.client.boards.report import Span
from kimberley.client.boards.spans import marked, wrapped
from kimberley.client.ui.glyphs import wrap

ANA, BEN = Span("ana", "ink", True, "seat1"), Span("ben king", "ink", True, "seat2")
MARKS = {"ana": ANA, "ben king": BEN, "ben": Span("ben", "ink", True, "seat3")}


def test_whole_words_are_marked_and_the_longer_name_wins() -> None:
    said = "ana beats ben king’s banana; ben is not anabel."
    spans = marked(said, MARKS)
    assert "".join(span.text for span in spans) == said
    assert [span.text for span in spans if span.bg is not None] == ["ana", "ben king", "ben"]
    assert spans[0] == ANA
    assert BEN in spans


def test_without_marks_a_sentence_is_one_span() -> None:
    assert marked("Nothing.", {}) == (Span("Nothing."),)


def test_lines_break_where_the_text_breaks_and_keep_their_colors() -> None:
    said = "ana gives ben king two small blue stones, and ben thanks  ana for them."
    for room in range(4, 60):
        lines = wrapped(marked(said, MARKS), room)
        assert ["".join(span.text for span in line) for line in lines] == wrap(said, room)
        colored = "".join(span.text for line in lines for span in line if span.bg == "seat2")
        assert colored.replace(" ", "") == "benking"
