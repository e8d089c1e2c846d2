"""Sentences in spans: which words are marked, and how they are broken into lines, and the end of a log."""

from __future__ import annotations

from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import wrap
from kimberley.client.ui.palette import Depth, Palette
from kimberley.client.ui.spans import Span, Spans, draw_lines, hanging, log_tail, marked, wrapped

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


def text_of(lines: list[Spans]) -> list[str]:
    return ["".join(span.text for span in line) for line in lines]


def test_a_text_hangs_below_its_beginning() -> None:
    text = (Span("one two three", "soft"),)
    assert text_of(hanging(Span("7 ", bold=True), text, 9)) == ["7 one two", "  three"]
    assert text_of(hanging(Span(""), text, 9, indent=2)) == ["one two", "  three"]
    assert text_of(hanging(Span(""), text, 8, indent=2)) == ["one", "  two", "  three"]
    assert text_of(hanging(Span("名 "), text, 10)) == ["名 one two", "   three"]


LOG = [(Span(f"{number} "), (Span(text, "soft"),)) for number, text in enumerate(("one two", "three", "four five"))]
LINES = ["0 one", "  two", "1 three", "2 four", "  five"]


def test_the_end_of_a_log_has_so_many_lines() -> None:
    for rows in range(7):
        assert text_of(log_tail(LOG, 7, rows)) == LINES[max(0, len(LINES) - rows) :]


def test_the_end_of_a_log_has_only_whole_entries_if_asked_for() -> None:
    held = [len(log_tail(LOG, 7, rows, whole=True)) for rows in range(7)]
    assert held == [0, 0, 2, 3, 3, 5, 5]


def test_lines_are_drawn_below_each_other() -> None:
    canvas = Canvas(9, 7, Palette(Depth.TRUE))
    assert draw_lines(canvas, 1, 1, log_tail(LOG, 7, 5)) == 6
    assert [line.rstrip() for line in canvas.lines()] == ["", *(f" {line}" for line in LINES), ""]
