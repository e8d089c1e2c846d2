"""How a step of the guide looks: a speech bubble on paper beside what it points at."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

from kimberley.client.boards.guide import AnyShown, Areas, GuideStep
from kimberley.client.ui.canvas import Action, Canvas, HitArea, ListArea
from kimberley.client.ui.glyphs import cell_width
from kimberley.client.ui.keys import NEXT_KEY, STOP_KEY
from kimberley.client.ui.lists import LEAST_ROWS
from kimberley.client.ui.palette import Depth
from kimberley.client.ui.spans import Spans, draw_lines, text_lines
from kimberley.client.ui.touch import TOUCH_ROWS, bar_rows

Cells = int
"""Cells of a canvas, a bit each, row by row: a bubble has many possible places, and comparing two numbers is quick."""
NEXT: Final = ("guide", "next")
STOP: Final = ("guide", "stop")
HOLD: Final = ("guide", "hold")
"""The action of a click on a bubble that waits for the player to do something: nothing happens, except on `STOP`."""
ROOMS: Final = (57, 42, 38, 34, 30, 24, 68, 74, 27, 23)
"""The widths to try, in columns, the best one first."""
WIDTH_COST: Final = 12
"""How much less each further width must hide than the one before it, to be chosen."""
BUTTON: Final = 3.0
AREA: Final = 0.5
"""What it costs to hide a cell of a button, or of another area that can be clicked; a letter or a digit costs 1."""
SENTENCE: Final = 40.0
"""What it costs to leave only a part of a line of text readable, for each row."""
TEXT: Final = re.compile(r"\S+(?: \S+)*")
"""A line of text: its words are one space apart."""
WORD: Final = re.compile(r"[^\W_]+")
"""A word or a number."""
LOW: Final = 66
"""From this width on, the title stands in the first row of the text, and what to do in the last one, so that the bubble
is low. The narrower of the two leaves room for a button at its right.
"""
SIGNS: Final = "◆◇✗$?"
"""What can be read besides letters and digits."""
NEXT_LABELS: Final = (f"{NEXT_KEY} next", "next")
CLOSE_LABELS: Final = (f"{NEXT_KEY} close", "close")
STOP_LABELS: Final = (f"{STOP_KEY} stop guide", "stop the guide")
"""By its key, and as a button."""
COUNT: Final = "Note {number} of {count}"
"""How far the guide has got. It has fewer than ten notes."""
COUNT_COLUMNS: Final = len(COUNT.format(number=1, count=9))
ROOMY: Final = 30
"""From this many rows on, a bubble has empty rows around its text, but not on a phone held upright, where it would hide
more of the board.
"""


class _Row(NamedTuple):
    """The cells of a row with a letter or a digit, those with something to read, those that continue a word or a number
    begun further left, and those within a line of text that have words on both sides.
    """

    letters: Cells
    readable: Cells
    in_words: Cells
    in_lines: Cells


class Bubble(NamedTuple):
    """A bubble and its place: the top left cell, columns and rows, and the cell of its tail, if it has one.

    `tail` is (column, row, glyph of the wedge, glyph of the arrow without colors).
    """

    x: int
    y: int
    room: int
    rows: int
    tail: tuple[int, int, str, str] | None = None


def target_of(canvas: Canvas, step: GuideStep, shown: AnyShown) -> HitArea | None:
    """Returns the rectangle around all that a step points at, between the bars; None if that is not drawn now. What is
    drawn a second time elsewhere, as below the map of a phone, is not a part of it.
    """
    hits = list[HitArea]()
    for hit in canvas.hits:
        if 0 < hit.y < canvas.height - 1 and step.at(hit.action, shown) and not _is_drawn_apart(hit, hits):
            hits.append(hit)
    if not hits:
        return None
    x, y = min(hit.x for hit in hits), min(hit.y for hit in hits)
    right, bottom = max(hit.x + hit.width for hit in hits), max(hit.y + hit.height for hit in hits)
    return HitArea(x, y, right - x, bottom - y, hits[0].action)


def _is_drawn_apart(hit: HitArea, others: Iterable[HitArea]) -> bool:
    """Returns whether others with the same meaning are all in rows that are apart from those of an area."""
    same = [other for other in others if other.action == hit.action]
    return bool(same) and all(hit.y > other.y + other.height or other.y > hit.y + hit.height for other in same)


def cells_to_keep(canvas: Canvas, step: GuideStep, shown: AnyShown) -> tuple[Cells, ...]:
    """Returns the cells that the bubble of a step does not hide if it can, then fewer and fewer of them: buttons matter
    more than other areas that stand for a key, these more than text to read, and the areas to choose from most of all.
    """
    buttons, others = _cells(canvas, buttons_on(canvas)), _cells(canvas, _lines_for_keys(canvas))
    free = _cells(canvas, (hit for hit in canvas.hits if step.free(hit.action, shown)))
    readable = _cells_of(canvas, [row.readable for row in _rows_of(canvas)])
    text = readable & _on_top(canvas, step.clear, shown)
    first = readable & _on_top(canvas, step.first, shown)
    kept = free | buttons
    return kept | others | text, kept | others | first, kept | others, kept | text, kept | first, kept, free


def buttons_on(canvas: Canvas) -> list[HitArea]:
    """Returns the buttons between the bars."""
    between = range(1, canvas.height - bar_rows(canvas))
    return [hit for hit in canvas.hits if hit.button and hit.y in between]


def _lines_for_keys(canvas: Canvas) -> list[HitArea]:
    """Returns the other areas between the bars that stand for a key, without panels that are higher than a button: one
    opens something when clicked anywhere, so it still works if a part of it is hidden.
    """
    between = range(1, canvas.height - bar_rows(canvas))
    return [hit for hit in canvas.hits if is_button(hit) and hit.y in between and hit.height <= TOUCH_ROWS]


def _columns(canvas: Canvas) -> int:
    """Returns how many bits a row takes: a canvas may be a part of a wider one."""
    return len(canvas.row(0)[0])


def _cells(canvas: Canvas, areas: Iterable[HitArea | Bubble]) -> Cells:
    columns, cells = _columns(canvas), 0
    for x, y, wide, high, *_ in areas:
        cells |= _at_top_left(wide, high, columns) << columns * y + x
    return cells


@lru_cache(maxsize=1024)
def _at_top_left(wide: int, high: int, columns: int) -> Cells:
    """Returns the cells of a rectangle at the top left."""
    return sum((1 << wide) - 1 << columns * y for y in range(high))


def _cells_of(canvas: Canvas, rows: Iterable[Cells]) -> Cells:
    """Returns the cells of all rows, from those of each."""
    columns = _columns(canvas)
    return sum(row << columns * y for y, row in enumerate(rows))


def _rows_of(canvas: Canvas) -> list[_Row]:
    return [_row(tuple(canvas.row(y)[0])) for y in range(canvas.height)]


@lru_cache(maxsize=1024)
def _row(chars: tuple[str, ...]) -> _Row:
    """Returns what stands in a row. It is cached, since most rows stay the same from frame to frame."""
    text = "".join(char[:1] or " " for char in chars)
    words = [word.span() for word in WORD.finditer(text)]
    lines = [[word.span() for word in WORD.finditer(text, *line.span())] for line in TEXT.finditer(text)]
    return _Row(
        sum(1 << x for x, char in enumerate(text) if char.isalnum()),
        sum(1 << x for x, char in enumerate(chars) if char.isalnum() or char in SIGNS),
        sum(_within(first, end) for first, end in words),
        sum(_within(words[0][0], words[-1][1]) for words in lines if words),
    )


def _within(first: int, end: int) -> Cells:
    """Returns the cells of a row between two columns, without the first one."""
    return (1 << end) - (1 << first + 1)


def _on_top(canvas: Canvas, areas: Areas, shown: AnyShown) -> Cells:
    """Returns the cells of some areas, without those that later areas cover."""
    cells = 0
    for hit in canvas.hits:
        here = _cells(canvas, [hit])
        cells = cells | here if areas(hit.action, shown) else cells & ~here
    return cells


def draw_bubble(
    canvas: Canvas,
    step: GuideStep,
    target: HitArea | None,
    number: int,
    count: int,
    clear: Sequence[Cells] = (),
    last: Bubble | None = None,
) -> Bubble:
    """Draws step `number` of `count` beside `target`, and hides none of the first `clear` cells if it can, or else of
    the next ones. It stays where it was `last`, if that is possible. Returns where it is.
    """
    hidden, step = _Hidden(canvas), replace(step, last=number == count)
    bubble = _place(canvas, step, target, hidden, (*clear, 0), last)
    if hidden.under_tail(bubble):
        bubble = bubble._replace(tail=None)
    canvas.fill(bubble.x, bubble.y, bubble.room, bubble.rows, "paper")
    canvas.hit(bubble.x, bubble.y, bubble.room, bubble.rows, HOLD if step.do else NEXT)
    if bubble.tail is not None:
        x, y, wedge, arrow = bubble.tail
        plain = canvas.ascii_only or canvas.palette.depth is Depth.NONE
        canvas.put(x - (0 if plain else len(wedge) // 2), y, arrow if plain else wedge, "paper", bold=True)
    pad = _pad(canvas)
    inner = canvas.region(bubble.x + 2, bubble.y + pad, bubble.room - 4, bubble.rows - 2 * pad)
    y = 0 if bubble.room >= LOW else 1 + pad
    y = draw_lines(inner, 0, y, _lines(step, inner.width))
    inner.put(0, 0, step.title, "ink", bold=True)
    y += pad
    inner.put(0, y, COUNT.format(number=number, count=count), "faded")
    if bubble.room >= LOW:
        inner.put(COUNT_COLUMNS + 2, y, step.do, "ink", bold=True)
    for keys in _foot(inner, step, inner.width):
        x = inner.width
        for label, action in reversed(keys):
            x = inner.right(x, y, label, "faded", bold=action == NEXT)
            rows = LEAST_ROWS if inner.touch else 1
            inner.hit(x, y + 1 - rows, cell_width(label), rows, action)
            x -= 3
        y += 1
    return bubble


def _lines(step: GuideStep, room: int) -> list[Spans]:
    """Returns what a step says in lines of at most `room` columns; what to do is bold."""
    if room >= LOW - 4:
        return text_lines(f"{step.title}: {step.text}", room, "ink")
    do = text_lines(step.do, room, "ink", bold=True) if step.do else []
    return text_lines(step.text, room, "ink") + do


def _foot(canvas: Canvas, step: GuideStep, room: int) -> list[list[tuple[str, Action]]]:
    """Returns the keys of the guide, row by row. The first row has the number of the note, too."""
    go_on, stop = (CLOSE_LABELS if step.last else NEXT_LABELS)[canvas.touch], STOP_LABELS[canvas.touch]
    keys: list[tuple[str, Action]] = [
        *([] if step.do else [(go_on, NEXT)]),
        *([] if step.last and not step.do else [(stop, STOP)]),
    ]
    wide = sum(cell_width(label) + 3 for label, _ in keys)
    if COUNT_COLUMNS + wide <= room:
        return [keys]
    if wide - 3 <= room:
        return [[], keys]
    # A finger covers more than one row: it must not touch the next label as well.
    above: list[list[tuple[str, Action]]] = [[] for _ in range(LEAST_ROWS - 1 if canvas.touch else 0)]
    return [row for number, key in enumerate(keys) for row in (*(above if number else [[]]), [key])]


def _low_fits(canvas: Canvas, step: GuideStep, room: int) -> bool:
    """Returns whether the last row of a bubble has room for everything in it if the bubble is low."""
    columns = sum(map(cell_width, (step.do, STOP_LABELS[canvas.touch])))
    return room < LOW - 4 or COUNT_COLUMNS + columns + 5 <= room


def _pad(canvas: Canvas) -> int:
    return int(canvas.height >= ROOMY and not canvas.portrait)


def _rows(canvas: Canvas, step: GuideStep, room: int) -> int:
    """Returns the rows of a bubble of `room` columns."""
    foot = _foot(canvas, step, room - 4)
    return int(room < LOW) + len(_lines(step, room - 4)) + len(foot) + 4 * _pad(canvas)


def _strip_cells(canvas: Canvas) -> Cells:
    """Returns the cells of a phase strip that is as wide as the canvas."""
    strip = canvas.strip
    if strip is None or not strip.full:
        return 0
    return _at_top_left(_columns(canvas), strip.rows, _columns(canvas)) << _columns(canvas) * strip.row


# -- where it is -------------------------------------------------------------------------------------------------------


def _place(
    canvas: Canvas,
    step: GuideStep,
    target: HitArea | None,
    hidden: _Hidden,
    clear: Sequence[Cells],
    last: Bubble | None,
) -> Bubble:
    """Returns the place where a bubble hides least, never what it points at: beside that, or else at a side of the
    canvas. Its edges cut no word in two and tear no list if that can be helped: half a word can read like another one,
    and a heading or a number that is left alone like a part of the note.
    """
    sizes = [
        (room, _rows(canvas, step, room))
        for room in ROOMS
        if cell_width(step.title) + 4 <= room <= canvas.width - 2 and _low_fits(canvas, step, room - 4)
    ]
    beside = [] if target is None else hidden.possible(
        (WIDTH_COST * order, bubble)
        for order, (room, rows) in enumerate(sizes)
        for bubble in _beside(canvas, target, room, rows)
    )  # fmt: skip
    about = 0 if target is None else _cells(canvas, [target])
    same = None
    if last is not None and (last.room, last.rows) in sizes:
        same = next((bubble for _, bubble, _ in beside if bubble[:4] == last[:4]), last._replace(tail=None))
        if hidden.allows(same, clear[0] | about) and not hidden.cuts(same):
            return same
    shifted = [] if target is None else hidden.possible(
        (WIDTH_COST * order, bubble)
        for order, (room, rows) in enumerate(sizes)
        for bubble in _shifted(canvas, target, room, rows)
    )  # fmt: skip
    anywhere = hidden.possible(
        (0, Bubble(x, y, room, rows))
        for room, rows in sizes
        for y in range(1, canvas.height - rows)
        for x in (1, canvas.width - room - 1, *(area.x for area in canvas.lists))
    )
    best, strong, weak = clear[0], clear[:-2], clear[-2:]
    # A button may be pressed while a note is read: it matters more than seeing what the note is about.
    ways = (
        *((kept, cells) for kept in (about, 0) for cells in strong),
        *((kept, cells) for cells in weak for kept in (about, 0)),
    )
    for (kept, cells), whole in product(ways, (True, False)):
        if (
            same is not None
            and (cells is not best or not best)
            and hidden.allows(same, cells | kept)
            and not (whole and hidden.cuts(same))
        ):
            return same
        for bubbles in (beside, shifted, anywhere):
            allowed = [
                (hidden.by(bubble) + cost, bubble)
                for cost, bubble, under in bubbles
                if not under & (cells | kept) and not (whole and hidden.cuts(bubble))
            ]
            if allowed:
                return min(allowed, key=lambda costly: costly[0])[1]
    raise LookupError("a canvas has room for a bubble")


def _beside(canvas: Canvas, target: HitArea, room: int, rows: int) -> Iterator[Bubble]:
    """Yields the places below, above, right and left of an area, with the tail between."""
    middle_x, middle_y = target.x + target.width // 2, target.y + target.height // 2
    right, bottom = target.x + target.width, target.y + target.height
    for x in {max(1, min(x, canvas.width - room - 1)) for x in (target.x - 2, middle_x - room // 2, right + 2 - room)}:
        yield from _in_columns(target, x, room, rows)
    highest = canvas.height - 1 - rows
    for y in {max(1, min(y, highest)) for y in (target.y, middle_y - rows // 2, bottom - rows)}:
        yield from _in_rows(target, y, room, rows)


def _shifted(canvas: Canvas, target: HitArea, room: int, rows: int) -> Iterator[Bubble]:
    """Yields all places below, above, right and left of an area."""
    right, bottom = target.x + target.width, target.y + target.height
    for x in range(max(1, target.x + 3 - room), min(right - 2, canvas.width - room - 1) + 1):
        yield from _in_columns(target, x, room, rows)
    for y in range(max(1, target.y + 1 - rows), min(bottom, canvas.height - rows) - 1):
        yield from _in_rows(target, y, room, rows)


def _in_columns(target: HitArea, x: int, room: int, rows: int) -> Iterator[Bubble]:
    """Yields the places below and above an area that begin in a column, if the tail meets the area."""
    right, bottom = target.x + target.width, target.y + target.height
    tail = max(x + 2, min(target.x + target.width // 2, x + room - 3))
    if target.x <= tail < right:
        yield Bubble(x, bottom + 1, room, rows, (tail, bottom, "▄█▄", "▴"))
        yield Bubble(x, target.y - rows - 1, room, rows, (tail, target.y - 1, "▀█▀", "▾"))


def _in_rows(target: HitArea, y: int, room: int, rows: int) -> Iterator[Bubble]:
    """Yields the places right and left of an area that begin in a row."""
    right, tail = target.x + target.width, max(y, min(target.y + target.height // 2, y + rows - 1))
    yield Bubble(right + 1, y, room, rows, (right, tail, "█", "◂"))
    yield Bubble(target.x - room - 1, y, room, rows, (target.x - 1, tail, "█", "▸"))


def _list_cells(canvas: Canvas, area: ListArea, letters: Sequence[Cells]) -> tuple[Cells, list[Cells]]:
    """Returns the cells right below the heading of a list, and row by row the letters from the heading on; of a list
    without one no cells, and row by row all of them.
    """
    columns = _columns(canvas)
    across = (1 << area.width) - 1 << area.x
    rows = [
        (letters[y] & across if area.headed else across) << columns * y
        for y in range(area.y, min(area.y + area.height, len(letters)))
    ]
    return across << columns * (area.y + 1) if area.headed else 0, rows


class _Hidden:
    """What a bubble would hide of a board."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas, self._strip = canvas, _strip_cells(canvas)
        rows = _rows_of(canvas)
        self._letters = _cells_of(canvas, [row.letters for row in rows])
        self._in_words = _cells_of(canvas, [row.in_words for row in rows])
        self._in_lines = _cells_of(canvas, [row.in_lines for row in rows])
        self._areas: Sequence[HitArea] = canvas.hits
        letters = [row.letters for row in rows]
        self._lists = [_list_cells(canvas, area, letters) for area in canvas.lists]

    def possible(self, bubbles: Iterable[tuple[int, Bubble]]) -> list[tuple[int, Bubble, Cells]]:
        """Returns the bubbles that lie on the canvas and hide no bar, each with its cost and its cells."""
        return [
            (cost, bubble, cells)
            for cost, bubble in bubbles
            if self._on_canvas(bubble) and not (cells := _cells(self._canvas, [bubble])) & self._strip
        ]

    def _on_canvas(self, bubble: Bubble) -> bool:
        """Returns whether a bubble lies between the bars at the edges of the canvas."""
        right, bottom = bubble.x + bubble.room, bubble.y + bubble.rows
        return (
            min(bubble.x, bubble.y) >= 1
            and right <= self._canvas.width
            and bottom <= self._canvas.height - bar_rows(self._canvas)
        )

    def allows(self, bubble: Bubble, clear: Cells) -> bool:
        """Returns whether a bubble is possible and hides no cell that is to be `clear`."""
        return self._on_canvas(bubble) and not _cells(self._canvas, [bubble]) & (clear | self._strip)

    def cuts(self, bubble: Bubble) -> bool:
        """Returns whether an edge of a bubble cuts a word in two or tears a list: its heading would stand right above
        the bubble, or a part of a row beside it.
        """
        if self._edges(self._in_words, bubble):
            return True
        under = _cells(self._canvas, [bubble])
        return any(
            (under & below and not under & rows[0]) or any(under & row and row & ~under for row in rows)
            for below, rows in self._lists
        )

    def under_tail(self, bubble: Bubble) -> bool:
        """Returns whether the tail of a bubble would hide a part of a line of text."""
        if bubble.tail is None:
            return False
        x, y, wedge, _ = bubble.tail
        tail = HitArea(x - len(wedge) // 2, y, len(wedge), 1, None)
        return bool(_cells(self._canvas, [tail]) & (self._letters | self._in_lines))

    def _edges(self, within: Cells, bubble: Bubble) -> int:
        """Returns the number of rows in which the left edge is within something, plus the same for the right edge."""
        left = _cells(self._canvas, [bubble._replace(room=1)])
        return (within & left).bit_count() + (within & left << bubble.room).bit_count()

    def by(self, bubble: Bubble) -> float:
        """Returns the cost of what a bubble hides."""
        text = (self._letters & _cells(self._canvas, [bubble])).bit_count()
        halves = SENTENCE * self._edges(self._in_lines, bubble)
        return (
            text + halves + sum(_overlap(bubble, area) * (BUTTON if is_button(area) else AREA) for area in self._areas)
        )


def is_button(area: HitArea) -> bool:
    """Returns whether a click on an area stands for a key."""
    return isinstance(area.action, str) and area.action.startswith("key:")


def _overlap(bubble: Bubble, area: HitArea) -> int:
    """Returns how many cells of an area a bubble hides."""
    wide = min(bubble.x + bubble.room, area.x + area.width) - max(bubble.x, area.x)
    high = min(bubble.y + bubble.rows, area.y + area.height) - max(bubble.y, area.y)
    return max(0, wide) * max(0, high)
