"""A grid of cells to draw on, with areas that the mouse can click.

    canvas = Canvas(80, 24)
    canvas.fill(0, 0, 80, 1, "panel")                     # sets the background and clears the text
    canvas.put(1, 0, "◆", "ice")                          # keeps the background
    canvas.put(3, 0, "Diamond", "text", bold=True)
    canvas.box(2, 4, 30, 6, "Seats", bg="panel")          # a rounded frame with its title
    canvas.hit(2, 4, 30, 6, ("seat", 1))                  # what a click there means; the last one added wins
    inner = canvas.region(3, 5, 28, 4)                    # has its own origin and cuts off what lies outside
    canvas.dim()                                          # everything so far, before a dialog is drawn

Columns and rows count from 0 at the top left. Whatever lies outside is cut off. Colors are roles of
`client.ui.palette`, or mixtures (`canvas.palette.mixed("uige", "ink", 0.3)`). Wide characters take two cells. Combining
characters join the cell before them. All drawing uses the full set of glyphs; a canvas with `ascii_only` spells them in
ASCII, cell for cell (`client.ui.glyphs`).

A picture that is costly to draw and seldom changes is drawn once on its own canvas, then copied: `canvas.blit(x, y,
map)`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Final, NamedTuple, TypeAlias

from kimberley.client.ui.glyphs import UNSAFE, cell_width, cells_of, clean, to_ascii
from kimberley.client.ui.palette import Color, Depth, Dimmed, Palette

Action: TypeAlias = Hashable
"""What a click means to a screen. The text "key:NAME" stands for that key, and the app translates it."""


class Style(NamedTuple):
    """How a cell is drawn."""

    fg: Color
    bg: Color
    bold: bool = False
    underline: bool = False


class Cell(NamedTuple):
    """A cell as `Canvas.cell` returns it. `char` is empty in the second half of a wide character."""

    char: str
    style: Style


class HitArea(NamedTuple):
    """An area that can be clicked, in the coordinates of the whole canvas, and whether it is drawn as a `button`."""

    x: int
    y: int
    width: int
    height: int
    action: Action
    button: bool = False

    def has(self, x: int, y: int) -> bool:
        """Returns whether a cell is in it."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height

    def rows_from(self, x: int, y: int) -> float:
        """Returns how many rows a cell is away from it; a column counts as half a row. 0 within it."""
        aside = max(self.x - x, x - self.x - self.width + 1, 0)
        return max(self.y - y, y - self.y - self.height + 1, aside / 2, 0)


class StripArea(NamedTuple):
    """Where a screen has its phase strip on the whole canvas, and whether it is as wide as the canvas."""

    x: int
    row: int
    columns: int
    rows: int
    full: bool

    def has(self, x: int, y: int) -> bool:
        return self.x <= x < self.x + self.columns and self.row <= y < self.row + self.rows


_BLANK: Final = Style("text", "ink")
_style: Final[Callable[[tuple[Color, Color, bool, bool]], Style]] = partial(tuple.__new__, Style)
"""`Style` of all four values. A frame makes thousands, and this takes half as long as naming them."""


@lru_cache(maxsize=8192)
def _prepared(text: str, ascii_only: bool) -> tuple[str, bool]:
    """Returns a text as it is written, and whether each of its characters takes one cell. Frames repeat most texts."""
    text = to_ascii(text) if ascii_only else clean(text)
    return text, text.isascii() or all(cells_of(character) == 1 for character in text)


@lru_cache(maxsize=8192)
def _dimmed(style: Style, percent: int) -> Style:
    """Returns the style of fainter text on a darker ground."""
    return Style(Dimmed(style.fg, percent), Dimmed(style.bg, percent))


class ListArea(NamedTuple):
    """Where a screen has a list on the whole canvas: its heading if it is `headed`, and below that its rows."""

    x: int
    y: int
    width: int
    height: int
    headed: bool = True


class _Grid:
    """The cells and areas that a canvas shares with its regions."""

    def __init__(self, width: int, height: int) -> None:
        self.chars = [[" "] * width for _ in range(height)]
        self.styles = [[_BLANK] * width for _ in range(height)]
        self.hits: list[HitArea] = []
        self.strip: StripArea | None = None
        self.lists: list[ListArea] = []
        self.caret: tuple[int, int] | None = None
        self.reserved = 0
        self.resting: frozenset[Action] = frozenset()
        self.covered = False
        self.left_out: dict[str, tuple[str, Action]] = {}


class Canvas:
    """`width` columns by `height` rows of cells. The initial background is ink.

    On a `portrait` canvas, narrow and high, widgets are as large as a finger needs them, and no key has to be known. On
    a `touch` canvas, which a portrait one always is, the keys are buttons.
    On an `inert` canvas, such as a picture on a page, no key and no click acts. So nothing there may offer one.
    """

    def __init__(
        self,
        width: int,
        height: int,
        palette: Palette | None = None,
        *,
        ascii_only: bool = False,
        inert: bool = False,
        portrait: bool = False,
        touch: bool = False,
    ) -> None:
        self.width: Final = max(0, width)
        self.height: Final = max(0, height)
        self.palette: Final = palette or Palette(Depth.TRUE)
        self.ascii_only: Final = ascii_only
        self.inert: Final = inert
        self.portrait: Final = portrait
        self.touch: Final = touch or portrait
        self._grid = _Grid(self.width, self.height)
        self._left = self._top = 0

    def region(self, x: int, y: int, width: int, height: int) -> Canvas:
        """Returns a part of this canvas as a canvas of its own. Drawing there shows here, cut to the overlap of
        both.
        """
        right, bottom = min(x + width, self.width), min(y + height, self.height)
        # A region that starts left of or above its parent is moved to the parent's edge: nothing needs a separate clip
        # rectangle.
        x, y = max(0, x), max(0, y)
        return self._part(x, y, max(0, right - x), max(0, bottom - y))

    def deeper(self, rows: int) -> Canvas:
        """Returns this canvas with `rows` further rows below it, or as many of them as the whole canvas has."""
        return self._part(0, 0, self.width, min(self.height + rows, len(self._grid.chars) - self._top))

    @property
    def side(self) -> Canvas:
        """The columns of the whole canvas to the right of this one, from its first row on."""
        columns = len(self._grid.chars[0]) - self._left - self.width if self._grid.chars else 0
        return self._part(self.width, 0, columns, self.height)

    def _part(self, x: int, y: int, width: int, height: int) -> Canvas:
        part = Canvas.__new__(Canvas)
        part.width, part.height = width, height  # type: ignore[misc]
        part.palette, part.ascii_only = self.palette, self.ascii_only  # type: ignore[misc]
        part.inert, part.portrait, part.touch = self.inert, self.portrait, self.touch  # type: ignore[misc]
        part._grid, part._left, part._top = self._grid, self._left + x, self._top + y
        return part

    # -- text ----------------------------------------------------------------------------------------------------------

    def put(
        self,
        x: int,
        y: int,
        text: str,
        fg: Color = "text",
        bg: Color | None = None,
        bold: bool = False,
        underline: bool = False,
    ) -> int:
        """Writes `text`. Without `bg`, each cell keeps its background. Returns the column after the text."""
        text, narrow = _prepared(text, self.ascii_only)
        if not 0 <= y < self.height:
            return x + cell_width(text)
        if not narrow:
            return self._put_wide(x, y, text, fg, bg, bold, underline)
        end = x + len(text)
        if x < 0 or end > self.width:
            text, x = text[max(0, -x) : max(0, self.width - x)], max(0, x)
        if text:
            self._write(x, y, list(text), fg, bg, bold, underline)
        return end

    def _put_wide(self, x: int, y: int, text: str, fg: Color, bg: Color | None, bold: bool, underline: bool) -> int:
        for character in text:
            cells = cells_of(character)
            if character in UNSAFE:
                continue
            if cells == 0:
                if 0 < x <= self.width:
                    column = self._left + x - 1
                    chars = self._grid.chars[self._top + y]
                    # After the second half of a wide character, the mark belongs to its first half.
                    column -= 1 if chars[column] == "" and column else 0
                    chars[column] += character
                continue
            if x >= 0 and x + cells <= self.width:
                self._write(x, y, [character, ""][:cells], fg, bg, bold, underline)
            elif 0 <= x < self.width:
                self._write(x, y, [" "], fg, bg, bold, underline)
            x += cells
        return x

    def _write(
        self, x: int, y: int, cells: list[str], fg: Color, bg: Color | None, bold: bool, underline: bool
    ) -> None:
        left, row, count = self._left + x, self._top + y, len(cells)
        chars, styles = self._grid.chars[row], self._grid.styles[row]
        # Half of a wide character that is left behind would shift the row, so it becomes a space.
        if chars[left] == "" and left:
            chars[left - 1] = " "
        if left + count < len(chars) and chars[left + count] == "":
            chars[left + count] = " "
        chars[left : left + count] = cells
        if bg is not None:
            styles[left : left + count] = [_style((fg, bg, bold, underline))] * count
            return
        under = styles[left : left + count]
        if count == 1 or under.count(under[0]) == count:
            styles[left : left + count] = [_style((fg, under[0].bg, bold, underline))] * count
            return
        before: Color | None = None
        style = _BLANK
        for column, below in enumerate(under, left):
            if below.bg is not before:
                before = below.bg
                style = _style((fg, before, bold, underline))
            styles[column] = style

    def right(self, x: int, y: int, text: str, fg: Color = "text", bg: Color | None = None, bold: bool = False) -> int:
        """Writes `text` so that it ends before column `x`. Returns the column where it starts."""
        start = x - cell_width(text)
        self.put(start, y, text, fg, bg, bold)
        return start

    def beside(
        self, right: bool, x: int, y: int, text: str, fg: Color = "text", bg: Color | None = None, bold: bool = False
    ) -> int:
        """Writes `text` inwards from the left edge or the right one, `x` columns from it. Returns the column after the
        text, from that edge. So two players who face each other are drawn alike.
        """
        return (
            self.width - self.right(self.width - x, y, text, fg, bg, bold)
            if right
            else self.put(x, y, text, fg, bg, bold)
        )

    def center(
        self, x: int, y: int, room: int, text: str, fg: Color = "text", bg: Color | None = None, bold: bool = False
    ) -> None:
        """Centers `text` in the `room` columns from `x`."""
        self.put(x + (room - cell_width(text)) // 2, y, text, fg, bg, bold)

    # -- areas ---------------------------------------------------------------------------------------------------------

    def fill(self, x: int, y: int, width: int, height: int, bg: Color, char: str = " ", fg: Color = "text") -> None:
        """Clears a rectangle to a background color, or fills it with one narrow character."""
        left, right = max(0, x), min(x + width, self.width)
        if right <= left:
            return
        for row in range(max(0, y), min(y + height, self.height)):
            glyph = to_ascii(char) if self.ascii_only else char
            self._write(left, row, [glyph] * (right - left), fg, bg, False, False)

    def ground(self, x: int, y: int, width: int, height: int, bg: Color) -> None:
        """Changes the background of a rectangle and keeps its text."""
        for _, styles, column in self._cells(x, y, width, height):
            style = styles[column]
            styles[column] = Style(style.fg, bg, style.bold, style.underline)

    def dim(
        self, x: int = 0, y: int = 0, width: int | None = None, height: int | None = None, percent: int = 50
    ) -> None:
        """Mixes a rectangle (by default everything) with the ink. Text becomes fainter and keeps its shape."""
        room_x, room_y = self.width if width is None else width, self.height if height is None else height
        left, right = self._left + max(0, x), self._left + min(x + room_x, self.width)
        for row in range(max(0, y), min(y + room_y, self.height)):
            styles = self._grid.styles[self._top + row]
            before, faint = None, _BLANK
            for column in range(left, right):
                if (style := styles[column]) is not before:
                    before, faint = style, _dimmed(style, percent)
                styles[column] = faint

    def box(
        self,
        x: int,
        y: int,
        width: int,
        height: int,
        title: str = "",
        *,
        bg: Color | None = None,
        line: Color = "line",
        fg: Color = "text",
        square: bool = False,
    ) -> None:
        """Draws a frame around a rectangle.

        Args:
            x, y: the top left cell of the frame.
            width, height: columns and rows, including the frame.
            title: bold text in the top line.
            bg: clears the rectangle to this color; without it, the inside stays.
            line: color of the frame.
            fg: color of the title.
            square: draws square corners instead of rounded ones.
        """
        if bg is not None:
            self.fill(x, y, width, height, bg)
        corners = "┌┐└┘" if square else "╭╮╰╯"
        right, bottom = x + width - 1, y + height - 1
        self.put(x, y, corners[0] + "─" * (width - 2) + corners[1], line)
        self.put(x, bottom, corners[2] + "─" * (width - 2) + corners[3], line)
        for row in range(y + 1, bottom):
            self.put(x, row, "│", line)
            self.put(right, row, "│", line)
        if title:
            self.put(x + 2, y, f" {title} ", fg, bold=True)

    def rule(self, x: int, y: int, width: int, fg: Color = "line") -> None:
        """Draws a thin horizontal line."""
        self.put(x, y, "─" * width, fg)

    def blit(self, x: int, y: int, other: Canvas) -> None:
        """Copies another canvas, with its cells and click areas, so that its top left is at (x, y)."""
        left, right = max(0, -x), min(other.width, self.width - x)
        if right <= left:
            return
        at, count = self._left + x + left, right - left
        for row in range(max(0, -y), min(other.height, self.height - y)):
            source, target = other._top + row, self._top + y + row
            begin = other._left + left
            self._grid.chars[target][at : at + count] = other._grid.chars[source][begin : begin + count]
            self._grid.styles[target][at : at + count] = other._grid.styles[source][begin : begin + count]
        for hit in other._grid.hits:
            left, top = hit.x - other._left + x, hit.y - other._top + y
            self.hit(left, top, hit.width, hit.height, hit.action, button=hit.button)
        for area in other._grid.lists:
            self.mark_list(
                area.x - other._left + x, area.y - other._top + y, area.width, area.height, headed=area.headed
            )  # fmt: skip

    # -- what an app adds to a screen ----------------------------------------------------------------------------------

    @property
    def strip(self) -> StripArea | None:
        """Returns where the phase strip was drawn, if it was."""
        return self._grid.strip

    def mark_strip(self, x: int, y: int, columns: int, rows: int) -> None:
        """Notes where the phase strip is."""
        full = columns >= len(self._grid.chars[0]) if self._grid.chars else False
        self._grid.strip = StripArea(self._left + x, self._top + y, columns, rows, full)

    @property
    def lists(self) -> Sequence[ListArea]:
        """Returns where lists with a heading were drawn."""
        return tuple(self._grid.lists)

    def mark_list(self, x: int, y: int, width: int, height: int, *, headed: bool = True) -> None:
        """Notes where a list is, with its heading in the first row: no note leaves that without the rows below it. If
        it is not `headed`, all its cells are rows: a note hides all or none of each.
        """
        self._grid.lists.append(ListArea(self._left + x, self._top + y, width, height, headed))

    def reserve(self, columns: int) -> None:
        """Keeps columns at the right end of the key row for the app."""
        self._grid.reserved = columns

    @property
    def key_room(self) -> int:
        """The columns of this canvas that its key row may use."""
        whole = len(self._grid.chars[0]) if self._grid.chars else 0
        return min(self.width, whole - self._grid.reserved - self._left)

    def insert_rows(self, y: int, count: int) -> None:
        """Moves the row `y` and all below it down by `count` rows, with their click areas. The last rows are lost."""
        grid = self._grid
        blank = _Grid(len(grid.chars[0]) if grid.chars else 0, count)
        grid.chars[y:] = [*blank.chars, *grid.chars[y:-count]]
        grid.styles[y:] = [*blank.styles, *grid.styles[y:-count]]
        if grid.caret is not None and grid.caret[1] >= y:
            grid.caret = grid.caret[0], grid.caret[1] + count
        if grid.strip is not None and grid.strip.row >= y:
            grid.strip = grid.strip._replace(row=grid.strip.row + count)
        grid.lists[:] = [area._replace(y=area.y + count) if area.y >= y else area for area in grid.lists]
        grid.hits[:] = [
            hit._replace(y=hit.y + count) if hit.y >= y
            else hit._replace(height=hit.height + count) if hit.y + hit.height > y
            else hit
            for hit in grid.hits
        ]  # fmt: skip

    @property
    def resting(self) -> frozenset[Action]:
        """Returns the actions that clicks do not send for a moment: their buttons are drawn faint."""
        return self._grid.resting

    def rest(self, actions: Collection[Action]) -> None:
        """Sets the actions that clicks do not send for a moment. Call it before the buttons are drawn."""
        self._grid.resting = frozenset(actions)

    # -- the keyboard --------------------------------------------------------------------------------------------------

    @property
    def caret(self) -> tuple[int, int] | None:
        """Column and row of the whole canvas where typed text goes; None if it goes nowhere."""
        return self._grid.caret

    def mark_caret(self, x: int, y: int) -> None:
        """Says that typed text goes to this cell. A phone then offers its keyboard."""
        self._grid.caret = self._left + x, self._top + y

    # -- the mouse -----------------------------------------------------------------------------------------------------

    def hit(self, x: int, y: int, width: int, height: int, action: Action, *, button: bool = False) -> None:
        """Makes a rectangle clickable. If rectangles overlap, the last one added wins. Messages do not cover what looks
        like a `button`.
        """
        left, top = max(0, x), max(0, y)
        wide, high = min(x + width, self.width) - left, min(y + height, self.height) - top
        if wide > 0 and high > 0:
            self._grid.hits.append(HitArea(self._left + left, self._top + top, wide, high, action, button))

    def touched(self, x: int, y: int, reach: int = 0) -> Action | None:
        """Returns the action of a click on a cell of the whole canvas, or None. One that hits nothing means the nearest
        area that is at most `reach` rows away, or twice as many columns. The phase strip is text and means nothing
        else.
        """
        exact, strip = self._touched_at(x, y), self._grid.strip
        on_strip = strip is not None and not self._grid.covered and strip.has(x, y)
        if not reach or on_strip or exact not in (None, "nothing"):
            return exact
        near = [(away, hit) for hit in reversed(self._grid.hits) if (away := hit.rows_from(x, y)) <= reach]
        near = [pair for pair in near if pair[1].action != "nothing"]
        return min(near, key=lambda pair: pair[0])[1].action if near else exact

    def _touched_at(self, x: int, y: int) -> Action | None:
        return next((hit.action for hit in reversed(self._grid.hits) if hit.has(x, y)), None)

    def has_button(self, y: int, rows: int) -> bool:
        """Returns whether there is a button in any of the `rows` of this canvas from `y` on."""
        left, top = self._left, self._top + y
        return any(
            hit.button and left - hit.width < hit.x < left + self.width and top - hit.height < hit.y < top + rows
            for hit in self._grid.hits
        )

    @property
    def hits(self) -> Sequence[HitArea]:
        """All click areas, in the order in which they were added."""
        return tuple(self._grid.hits)

    def block(self, kept: Collection[Action] = ()) -> None:
        """Removes all click areas and the caret, so that only what is drawn from here on, a dialog, can be used, and
        what means one of `kept` in the first row.
        """
        self._grid.hits[:] = [hit for hit in self._grid.hits if hit.y == 0 and hit.action in kept]
        self._grid.caret = None
        self._grid.left_out.clear()
        self._grid.covered = True

    @property
    def covered(self) -> bool:
        """Returns whether what is drawn now lies over another screen."""
        return self._grid.covered

    def leave_out(self, label: str, key: str, action: Action | None = None) -> None:
        """Notes a key that the menu also offers: a character that not every keyboard types, or on a portrait canvas one
        for which there is no room. Without an action, the menu sends the key.
        """
        self._grid.left_out.setdefault(key, (label, f"key:{key}" if action is None else action))

    @property
    def left_out(self) -> Mapping[str, tuple[str, Action]]:
        """What such keys do and what a click on their line sends, by their names; the most useful first."""
        return self._grid.left_out

    # -- reading -------------------------------------------------------------------------------------------------------

    def cell(self, x: int, y: int) -> Cell:
        """Returns the cell at a position of this canvas. Raises IndexError outside."""
        if not (0 <= x < self.width and 0 <= y < self.height):
            raise IndexError(f"({x}, {y}) is outside {self.width} x {self.height}")
        row, column = self._top + y, self._left + x
        return Cell(self._grid.chars[row][column], self._grid.styles[row][column])

    def row(self, y: int) -> tuple[list[str], list[Style]]:
        """Returns the characters and styles of a whole row of the grid, for display. Do not change them."""
        return self._grid.chars[y], self._grid.styles[y]

    def lines(self) -> list[str]:
        """Returns the text of every row, without trailing spaces."""
        rows = range(self._top, self._top + self.height)
        columns = slice(self._left, self._left + self.width)
        return ["".join(self._grid.chars[row][columns]).rstrip() for row in rows]

    def runs(self, y: int) -> list[tuple[str, str]]:
        """Returns a row as prompt_toolkit fragments, (style, text), with equal neighbors merged."""
        runs: list[tuple[str, str]] = []
        chars, styles = self.row(self._top + y)
        start = self._left
        for column in range(start + 1, self._left + self.width + 1):
            if column == self._left + self.width or styles[column] != styles[start]:
                runs.append((self.palette.style(*styles[start]), "".join(chars[start:column])))
                start = column
        return runs

    def _cells(self, x: int, y: int, width: int, height: int) -> Iterator[tuple[list[str], list[Style], int]]:
        for row in range(max(0, y), min(y + height, self.height)):
            chars, styles = self._grid.chars[self._top + row], self._grid.styles[self._top + row]
            for column in range(max(0, x), min(x + width, self.width)):
                yield chars, styles, self._left + column
