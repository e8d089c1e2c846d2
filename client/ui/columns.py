"""Tables: columns that find their own places, and rows of styled cells.

Rows are drawn one by one, as lists show only some of them:

    table = TableColumns((Column("Game", 28, indent=2), Column("Host", fills=True), Column("Seats", right=True)), 60)
    table.headings(canvas, 1, 1)
    table.row(canvas, 1, 2, (Span("Diamond"), Span("ana"), Span("1/2", "soft")), focused=True, action=("table", 0))
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.glyphs import cell_width, truncate
from kimberley.client.ui.palette import Color
from kimberley.client.ui.spans import Span, Spans, spans_width

CellText: TypeAlias = Span | Spans | Callable[[int], Span] | None
"""Styled text, or a function that returns it for a number of columns, such as a name that is shortened; that is not
cut. None stands for a column that the cell before it extends over.
"""


class Column(NamedTuple):
    """A column of a table.

    Args:
        heading: its heading, and `short` another one for a column that has become narrower.
        room: its least columns; without it, those of its heading, or none if it fills the table.
        right: aligns its cells to the right.
        gap: the columns before it; without it 1, and none before the first one. An empty column has none either.
        indent: how much further to the right its cells begin than its heading.
        fills: takes a share of what the others leave.
        least: the columns that are enough for it in a table that is too narrow.
        drops: a column with a number is left out of a table that is too narrow, the one with the highest number first.

    """

    heading: str = ""
    room: int = 0
    right: bool = False
    gap: int | None = None
    indent: int = 0
    fills: bool = False
    least: int | None = None
    short: str = ""
    drops: int = 0


class ColumnPlace(NamedTuple):
    """Where the cells of a column lie: the first column from the left edge of the table, and how many there are."""

    x: int
    room: int

    @property
    def end(self) -> int:
        """The first column after it."""
        return self.x + self.room


class TableColumns:
    """The columns of a table, each at its place. In a table that is too narrow, columns are left out by their `drops`,
    then all become as narrow as their `least`, and last those that fill it give way.
    """

    def __init__(
        self,
        columns: Sequence[Column],
        room: int,
        rows: Sequence[Sequence[CellText]] = (),
        *,
        margin: int = 0,
    ) -> None:
        """Finds the places.

        Args:
            columns: the columns, from left to right.
            room: the columns of the whole table, which its rows take.
            rows: cells to which the columns adapt.
            margin: columns that stay free at the right end.

        """
        self.columns: Final = tuple(columns)
        self.room: Final = room
        widths = [
            max([_least(column), *(_width(row, number) for row in rows)]) for number, column in enumerate(columns)
        ]
        wide = (number for number, width in enumerate(widths) if width or columns[number].fills)
        self._first = next(wide, 0)
        self.places: Final[Mapping[int, ColumnPlace]] = self._found(widths, room - margin)

    def headings(self, canvas: Canvas, x: int, y: int) -> None:
        """Draws the headings, soft."""
        for number, place in self.places.items():
            column = self.columns[number]
            text = column.short if column.short and place.room < column.room else column.heading
            if column.right:
                canvas.right(x + place.end, y, text, "soft")
            else:
                canvas.put(x + place.x - column.indent, y, text, "soft")

    def row(
        self,
        canvas: Canvas,
        x: int,
        y: int,
        cells: Sequence[CellText],
        *,
        focused: bool = False,
        ground: Color | None = None,
        action: Action | None = None,
        cut: Callable[[str, int], str] = truncate,
    ) -> None:
        """Draws a row. The focused one is ink on a paper bar, with `▸` in its second cell.

        Args:
            x, y: its left end.
            cells: a cell for each column; the last of fewer cells extends over the columns after it.
            focused: whether keys go to this row.
            ground: the background of the whole row.
            action: what a click on the row sends.
            cut: shortens a text that has no room.

        """
        if focused:
            canvas.fill(x, y, self.room, 1, "paper")
            canvas.put(x + 1, y, "▸", "ink", bold=True)
        elif ground is not None:
            canvas.fill(x, y, self.room, 1, ground)
        for number, start, end, spans in reversed(list(self._laid(cells))):
            for span in spans:
                fg: Color = "ink" if focused else span.fg
                text = cut(span.text, end - start)
                bold = span.bold or (focused and number == 0)
                start = canvas.put(x + start, y, text, fg, span.bg, bold, span.underline) - x
        if action is not None:
            canvas.hit(x, y, self.room, 1, action)

    def _laid(self, cells: Sequence[CellText]) -> Iterator[tuple[int, int, int, Spans]]:
        """Yields the cells, the last one first: the number of the column, where the text begins and where its room
        ends, and the text. One that is aligned to the right takes room from the cell before it, if it needs more.
        """
        stop = self.room
        for number, (place, right) in reversed(self._joined(cells).items()):
            end = place.end if right else max(place.x, min(place.end, stop))
            spans = _spans(cells[number], end - place.x)
            start = place.end - spans_width(spans) if right else place.x
            if any(span.text for span in spans):
                stop = start - self._gap(number)
            yield number, start, self.room if callable(cells[number]) else end, spans

    def _joined(self, cells: Sequence[CellText]) -> dict[int, tuple[ColumnPlace, bool]]:
        """Returns the place of each cell, and whether it is aligned to the right. One that extends over further columns
        has their places, and is not; the last of too few cells extends to the end.
        """
        joined: dict[int, tuple[ColumnPlace, bool]] = {}
        for number, place in self.places.items():
            if number < len(cells) and cells[number] is not None:
                joined[number] = place, self.columns[number].right
            elif joined:
                first, (start, _) = joined.popitem()
                joined[first] = ColumnPlace(start.x, place.end - start.x), False
        return joined

    def _gap(self, number: int) -> int:
        gap = self.columns[number].gap
        return gap if gap is not None else int(number != self._first)

    def _found(self, widths: Sequence[int], room: int) -> dict[int, ColumnPlace]:
        """Returns the places of the columns for which there is room, each as wide as its cells need it."""
        kept = dict(enumerate(widths))

        def before(number: int, width: int) -> int:
            column = self.columns[number]
            return self._gap(number) + column.indent if width or column.fills else 0

        def left() -> int:
            return room - sum(before(number, width) + width for number, width in kept.items())

        for number in sorted(kept, key=lambda number: -self.columns[number].drops):
            if left() < 0 and self.columns[number].drops:
                del kept[number]
        if left() < 0:
            for number, width in kept.items():
                least = self.columns[number].least
                kept[number] = width if least is None else min(width, least)
        filling = [number for number in kept if self.columns[number].fills]
        share, rest = divmod(left(), max(1, len(filling)))
        places: dict[int, ColumnPlace] = {}
        x = 0
        for number, width in kept.items():
            x += before(number, width)
            width = max(0, width + share) if number in filling else width
            places[number] = ColumnPlace(x, width)
            # What cannot be shared lies after the last column that fills the table.
            x += width + (rest if filling and number == filling[-1] else 0)
        return places


def _spans(cell: CellText, room: int) -> Spans:
    if cell is None:
        return ()
    if callable(cell):
        cell = cell(room)
    return (cell,) if isinstance(cell, Span) else cell


def _least(column: Column) -> int:
    return column.room or (0 if column.fills else cell_width(column.heading))


def _width(row: Sequence[CellText], number: int) -> int:
    """Returns how many columns a cell needs. One that adapts, or extends over further columns, needs none."""
    cell = row[number] if number < len(row) else None
    adapts = callable(cell) or (number + 1 < len(row) and row[number + 1] is None)
    return 0 if adapts else spans_width(_spans(cell, 0))
