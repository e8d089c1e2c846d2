"""Tables: where columns lie, what gives way in a narrow one, and how rows are cut, joined and clicked."""

from __future__ import annotations

import pytest

from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.columns import CellText, Column, TableColumns
from kimberley.client.ui.spans import Span

LEDGER = (
    Column(room=1),
    Column("Who", 6, gap=1),
    Column("cash", 6, right=True, least=4),
    Column("land", right=True, drops=1),
    Column("sales due", 9, right=True, drops=2),
)


def places(columns: TableColumns) -> dict[int, tuple[int, int]]:
    return {number: (place.x, place.end) for number, place in columns.places.items()}


def drawn(columns: TableColumns, *cells: CellText, width: int | None = None) -> str:
    canvas = Canvas(columns.room if width is None else width, 1)
    columns.row(canvas, 0, 0, cells)
    return canvas.lines()[0]


def test_columns_lie_beside_each_other_and_are_as_wide_as_their_headings_if_nothing_is_said() -> None:
    columns = TableColumns((Column("Game"), Column("Host", 10), Column("Seats", gap=3, indent=2)), 40)
    assert places(columns) == {0: (0, 4), 1: (5, 15), 2: (20, 25)}
    canvas = Canvas(40, 2)
    columns.headings(canvas, 1, 0)
    columns.row(canvas, 1, 1, (Span("Land"), Span("ana"), Span("1/2", "soft")))
    assert canvas.lines() == [" Game Host         Seats", " Land ana            1/2"]
    assert canvas.cell(21, 1).style.fg == canvas.cell(1, 0).style.fg == "soft"


def test_columns_become_as_wide_as_their_cells_but_not_as_those_that_adapt() -> None:
    rows: tuple[tuple[CellText, ...], ...] = (
        ((Span("12"), Span("345")), lambda room: Span("x" * room), Span("1")),
        (Span("a heading of its own"), None, Span("22")),
    )
    assert places(TableColumns((Column(), Column("Who", 4), Column(right=True)), 40, rows)) == {
        0: (0, 5), 1: (6, 10), 2: (11, 13)
    }  # fmt: skip


def test_an_empty_column_takes_no_room_and_has_no_gap() -> None:
    columns = Column(), Column(fills=True), Column(right=True, gap=2)
    labelled: tuple[CellText, ...] = Span("3."), (), ()
    gaining: tuple[CellText, ...] = (), (), Span("+7")
    for rows, text in (((), (0, 20)), ((labelled,), (3, 20)), ((gaining,), (0, 16)), ((labelled, gaining), (3, 16))):
        assert places(TableColumns(columns, 20, rows))[1] == text


def test_those_that_fill_a_table_share_what_the_others_leave() -> None:
    columns = (Column("Game", 3, fills=True), Column("Host", 6, fills=True, gap=2), Column("Seats", right=True))
    assert places(TableColumns(columns, 27)) == {0: (0, 8), 1: (10, 21), 2: (22, 27)}
    # What cannot be divided evenly is left before the last one, also where a margin follows it.
    assert places(TableColumns(columns, 28)) == {0: (0, 8), 1: (10, 21), 2: (23, 28)}
    assert places(TableColumns(columns, 29, margin=1)) == {0: (0, 8), 1: (10, 21), 2: (23, 28)}
    # Where no room is left, they give way.
    assert places(TableColumns(columns, 15)) == {0: (0, 2), 1: (4, 9), 2: (10, 15)}


@pytest.mark.parametrize(
    ("room", "kept", "cash"),
    [(30, (0, 1, 2, 3, 4), 6), (29, (0, 1, 2, 3), 6), (20, (0, 1, 2, 3), 6), (19, (0, 1, 2), 6), (14, (0, 1, 2), 4)],
)
def test_a_table_that_is_too_narrow_leaves_columns_out_by_their_priority_and_then_shrinks_others(
    room: int, kept: tuple[int, ...], cash: int
) -> None:
    columns = TableColumns(LEDGER, room)
    assert tuple(columns.places) == kept
    assert columns.places[2].room == cash
    row = drawn(columns, (), Span("ana"), Span("12.5"), Span("7"), Span("+3"))
    assert row.split() == ["ana", "12.5", "7", "+3"][: len(kept) - 1]


def test_a_column_that_has_become_narrower_has_its_short_heading() -> None:
    columns = (Column("Who", 4), Column("revenue", 9, right=True, least=5, short="rev."))
    for room, heading in ((14, "Who    revenue"), (10, "Who   rev.")):
        canvas = Canvas(20, 1)
        TableColumns(columns, room).headings(canvas, 0, 0)
        assert canvas.lines()[0] == heading


def test_texts_are_cut_where_their_column_ends_span_by_span() -> None:
    columns = TableColumns((Column(room=6), Column(room=4, right=True)), 11)
    assert drawn(columns, Span("Diamond Trust"), Span("2 ms")) == "Diamo… 2 ms"
    assert drawn(columns, (Span("ab"), Span("cdefg"), Span("h")), ()) == "abcde…"


def test_a_number_that_is_too_wide_takes_its_room_from_the_cell_before_it() -> None:
    columns = TableColumns((Column(room=8), Column(room=3, right=True)), 12)
    assert drawn(columns, Span("alexandra"), Span("7")) == "alexand…   7"
    assert drawn(columns, Span("alexandra"), Span("123456")) == "alex… 123456"
    assert drawn(columns, lambda room: Span(f"<{room}>"), Span("123456")) == "<5>   123456"


def test_a_cell_goes_on_over_the_columns_after_it() -> None:
    columns = TableColumns((Column(room=3), Column(room=3, right=True), Column(room=3, right=True)), 11)
    assert drawn(columns, Span("ana"), Span("out of it")) == "ana out of…"
    assert drawn(columns, Span("everyone"), None, Span("5")) == "everyo…   5"


def test_a_row_has_a_ground_and_can_be_clicked_over_its_whole_width() -> None:
    canvas = Canvas(20, 3)
    columns = TableColumns((Column(room=4), Column(room=4)), 12, margin=2)
    columns.row(canvas, 2, 1, (Span("ana"),), ground="raised", action=("seat", 0))
    raised = {(x, y) for x in range(20) for y in range(3) if canvas.cell(x, y).style.bg == "raised"}
    clicked = {(x, y) for x in range(20) for y in range(3) if canvas.touched(x, y) == ("seat", 0)}
    assert raised == clicked == {(x, 1) for x in range(2, 14)}


def test_the_focused_row_is_ink_on_paper_with_its_mark() -> None:
    canvas = Canvas(30, 1)
    columns = TableColumns((Column("Game", 10, gap=3), Column("Away", 6, right=True, gap=7)), 30)
    columns.row(canvas, 0, 0, (Span("Diamond Trust of London"), Span("2 ms", "soft")), focused=True, action="row")
    assert canvas.lines()[0] == " ▸ Diamond T…         2 ms"
    assert {canvas.cell(x, 0).style.bg for x in range(30)} == {"paper"}
    assert [canvas.cell(x, 0).style.bold for x in (1, 3, 23)] == [True, True, False]
    assert canvas.touched(29, 0) == "row"


def test_texts_keep_their_colors() -> None:
    canvas = Canvas(8, 1)
    spans = Span("a", "ice", True, "paper"), Span("b", underline=True)
    TableColumns((Column(fills=True),), 8).row(canvas, 0, 0, (spans,))
    first, second = canvas.cell(0, 0).style, canvas.cell(1, 0).style
    assert (first.fg, first.bg, first.bold, first.underline) == ("ice", "paper", True, False)
    assert (second.fg, second.bg, second.bold, second.underline) == ("text", "ink", False, True)
