"""The log of a game: every event in sentences, by chapters. Choosing an event shows its position on the board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from kimberley.client.boards.game_timeline import GameTimeline
from kimberley.client.session.participants import short_name
from kimberley.client.ui.bars import key_bar, phase_strip, title_bar
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.columns import Column, TableColumns
from kimberley.client.ui.keys import LOG_KEY, Hint
from kimberley.client.ui.lists import LEAST_ROWS, moved, tab_lines, tabs
from kimberley.client.ui.palette import Color
from kimberley.client.ui.screen import Help, Screen, Section, Ui
from kimberley.client.ui.spans import Span, Spans, draw_spans, wrapped
from kimberley.client.ui.text_field import TextField
from kimberley.client.ui.touch import bar_rows, touch_bar
from kimberley.games.phrases import count_of

TOP: Final = 5
UPRIGHT_TOP: Final = 6
"""The first row of the list; on a portrait screen, without the lines of the filters."""
KEY_LINES: Final = 2
"""The lines of buttons on a portrait screen."""
TEXT_X: Final = 4
"""The first column of an event."""
COLUMNS: Final = (Column(), Column(fills=True), Column(right=True, gap=2))
"""What an event is labelled with, what happened, and what it brought."""
NAME_ROOM: Final = 14
"""The most columns for a name on a filter."""
HELP: Final = Section(
    "The log",
    "Everything that has happened, latest at the bottom. Tab shows only one player’s moves, / searches. Enter shows "
    "the board after an event.",
    by_touch=Section(
        "The log",
        "Everything that has happened, latest at the bottom. Tap a name above to see only that player’s moves; "
        "Find searches. Tap an event twice to see the board after it.",
    ),
)


class Row(NamedTuple):
    """A row of the list: a heading (then `at` is 0), or a line of the sentences on position `at`."""

    at: int
    line: Spans
    first: bool = False


class GameLog(Screen):
    """The events of a game. `at` is the position now shown; `go` is called with the one to show.

    It closes when the screen below it is replaced, since it is about the game there.
    """

    overlay = True
    dims = False

    def __init__(self, ui: Ui, timeline: GameTimeline, at: int, go: Callable[[int], None]) -> None:
        super().__init__(ui)
        self._timeline, self._go = timeline, go
        self._focus = at
        self._seat: int | None = None
        """Whose events are listed; None for all."""
        self._find = TextField(limit=30)
        self._finding = False
        self._top, self._page = 0, 8

    # -- what is listed ------------------------------------------------------------------------------------------------

    @property
    def _filters(self) -> list[tuple[str, int | None]]:
        """The filters: (label, the seat whose events are listed; None for all)."""
        timeline = self._timeline
        seats = [seat for seat in timeline.acting_seats if seat != timeline.you]
        own = [] if timeline.you is None else [("yours", timeline.you)]
        return [("all", None), *own, *((f"{short_name(timeline.names, seat, NAME_ROOM)}’s", seat) for seat in seats)]

    @property
    def _filter_at(self) -> int:
        """The number of the filter that is on."""
        return next((at for at, (_, seat) in enumerate(self._filters) if seat == self._seat), 0)

    def _listed(self) -> list[int]:
        """Returns the positions of the events that pass the filter and contain the text that is searched for."""
        timeline, text = self._timeline, self._find.text.lower()
        seat = self._seat
        return [
            at
            for at in range(1, len(timeline.steps) + 1)
            if (seat is None or timeline.seat_of(at) == seat) and (not text or text in self._words(at))
        ]

    def _words(self, at: int) -> str:
        """Returns the text by which an event is found: its sentences as they are drawn, and as they are read aloud."""
        drawn = ["".join(span.text for span in spans) for spans in self._timeline.spans(at)]
        return " ".join([*drawn, *self._timeline.sentences(at)]).lower()

    def _rows(self, listed: Sequence[int], room: int, *, apart: bool = False) -> list[Row]:
        """Returns all rows of the list, in `room` columns. `apart`: each event has its label in a row of its own, above
        it, or an empty row below it.
        """
        rows: list[Row] = []
        before = ""
        for at in listed:
            heading = self._timeline.heading(at)
            if heading != before:
                rows += [Row(0, ()), Row(0, (Span(heading),))] if rows else [Row(0, (Span(heading),))]
                before = heading
            lines = [line for spans in self._timeline.spans(at) for line in wrapped(spans, room)]
            label = self._timeline.label(at)
            above = apart and bool(label or self._timeline.gain(at))
            if above:
                rows.append(Row(at, (Span(label, "soft"),), first=True))
            rows += [Row(at, line, number == 0 and not above) for number, line in enumerate(lines)]
            if apart and not above:
                rows.append(Row(at, ()))
        return rows

    # -- drawing -------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, now: float) -> None:
        del now
        listed = self._listed()
        canvas.fill(0, 0, canvas.width, canvas.height, "ink")
        title_bar(canvas, f"{self._timeline.title} · log")
        count = count_of(len(listed), "event")
        tip = "Enter shows the board." if self.ui.window.has_keys else "Tap twice to see the board."
        phase_strip(canvas, 1, "LOG", f"What happened. {tip}", count)
        filters = self._filters
        top = 5 if canvas.portrait else 3
        tabs(canvas, 1, top, [label for label, _ in filters], self._filter_at, lambda n: ("filter", filters[n][1]))
        self._draw_find(canvas, top)
        self._draw_list(canvas, listed)
        if canvas.portrait:
            show, back, find = Hint("Enter", "show", primary=True), Hint("Esc", "back"), Hint("/", "find")
            touch_bar(canvas, [show, back, find, Hint("PgDn", "later"), Hint("PgUp", "earlier")], KEY_LINES)
            return
        key_bar(canvas, [
            Hint("↑ ↓", "event"), Hint("PgUp PgDn", "page"), Hint("Tab", "filter"), Hint("/", "find"),
            Hint("Enter", "show"), Hint("Esc", "back"),
        ])  # fmt: skip

    def _draw_find(self, canvas: Canvas, y: int) -> None:
        if self._finding or self._find.text:
            x = canvas.width - 26
            y -= canvas.portrait
            canvas.put(x - 2, y, "/", "text", bold=True)
            self._find.draw(canvas, x, y, 24, self._finding, action=None if canvas.portrait else "key:/")
        elif not canvas.touch:
            canvas.right(canvas.width - 1, 3, "/ find", "soft")
            canvas.hit(canvas.width - 8, 3, 7, 1, "key:/")

    def _draw_list(self, canvas: Canvas, listed: Sequence[int]) -> None:
        top = self._list_top(canvas)
        room = self._page = canvas.height - top - bar_rows(canvas, KEY_LINES)
        if not listed:
            steps = len(self._timeline.steps)
            canvas.put(4, top, "No match." if steps else "Nothing yet.", "soft")
            return
        if self._focus not in listed:
            self._focus = max((at for at in listed if at <= self._focus), default=listed[0])
        beside = [(Span(self._timeline.label(at)), (), self._timeline.gain(at) or ()) for at in listed]
        columns = TableColumns(COLUMNS, canvas.width - TEXT_X, () if canvas.portrait else beside, margin=1)
        text = columns.places[1]
        rows = self._rows(listed, text.room, apart=canvas.portrait)
        here = [y for y, row in enumerate(rows) if row.at == self._focus]
        # The heading of the first event of a chapter is shown with it.
        first = here[0] - 1 if here[0] and not rows[here[0] - 1].at else here[0]
        self._top = max(0, min(max(self._top, here[-1] - room + 1), first, len(rows) - room))
        visible = rows[self._top : self._top + room]
        lines = Counter(row.at for row in visible)
        for y, row in enumerate(visible, start=top):
            self._draw_row(canvas, y, row, TEXT_X + text.x)
            if row.at and (not canvas.portrait or lines[row.at] >= LEAST_ROWS):
                canvas.hit(0, y, canvas.width, 1, ("event", row.at))

    def _list_top(self, canvas: Canvas) -> int:
        """Returns the first row of the list."""
        labels = [label for label, _ in self._filters]
        return UPRIGHT_TOP + LEAST_ROWS * tab_lines(canvas, 1, labels) if canvas.portrait else TOP

    def _draw_row(self, canvas: Canvas, y: int, row: Row, text_x: int) -> None:
        if not row.at:
            after = draw_spans(canvas, 1, y, [span._replace(bold=True) for span in row.line])
            if row.line:
                canvas.rule(after + 2, y, canvas.width - after - 3)
            return
        seat, focused = self._timeline.seat_of(row.at), row.at == self._focus
        own = seat is not None and seat == self._timeline.you
        fg: Color = "text" if own or seat is None else "soft"
        if focused:
            canvas.fill(0, y, canvas.width, 1, "paper")
            fg = "ink"
            canvas.put(1, y, "▸" if row.first else " ", fg, bold=True)
        if own and row.line:
            canvas.put(2, y, "▌", "ink" if focused else "ice")
        for span in row.line:
            plain = focused or not (span.bold or span.bg)
            text_x = canvas.put(text_x, y, span.text, fg if plain else span.fg, None if focused else span.bg, span.bold)
        if row.first:
            if not canvas.portrait:
                canvas.put(TEXT_X, y, self._timeline.label(row.at), "faded" if focused else "soft")
            if (gain := self._timeline.gain(row.at)) is not None:
                canvas.right(canvas.width - 1, y, gain.text, "ink" if focused else gain.fg, bold=gain.bold)

    # -- keys and the mouse --------------------------------------------------------------------------------------------

    def key(self, name: str) -> bool:
        if self._finding and self._find_key(name):
            return True
        match name:
            case "enter" if self._focus in self._listed():
                self.ui.pop(self)
                self._go(self._focus)
            case "esc" if self._find.text:
                self._find.clear()
            case _ if name in ("esc", LOG_KEY, "q"):
                self.ui.pop(self)
            case "tab" | "s-tab":
                filters, by = self._filters, 1 if name == "tab" else -1
                self._seat = filters[(self._filter_at + by) % len(filters)][1]
            case "/":
                self._finding = True
            case _:
                return self._walk(name)
        return True

    def _find_key(self, name: str) -> bool:
        """Handles a key while a text is typed. Returns False for one that moves in the list."""
        match name:
            case "enter":
                self._finding = False
            case "esc":
                self._finding = False
                self._find.clear()
            case "up" | "down" | "pageup" | "pagedown" | "tab" | "s-tab":
                return False
            case _:
                return self._find.key(name)
        return True

    def _walk(self, name: str) -> bool:
        """Moves the focus by a key. Returns False if the key does not move it."""
        listed = self._listed()
        steps = {"up": -1, "down": 1, "pageup": 1 - self._page, "pagedown": self._page - 1}
        match name:
            case "home" | "end" if listed:
                self._focus = listed[0 if name == "home" else -1]
            case _ if name in steps:
                return self._go_on(steps[name], around=name in ("up", "down"))
            case _:
                return False
        return True

    def _go_on(self, by: int, *, around: bool = False) -> bool:
        """Moves the focus by some events. Returns False if none is listed."""
        listed = self._listed()
        if listed:
            here = listed.index(self._focus) if self._focus in listed else len(listed) - 1
            self._focus = listed[moved(here, by, len(listed), around=around)]
        return bool(listed)

    def paste(self, text: str) -> bool:
        if self._finding:
            self._find.paste(text)
        return self._finding

    def click(self, action: Action, x: int, y: int, button: str) -> bool:
        del x, y, button
        match action:
            case ("event", int(at)):
                again = self._focus == at
                self._focus = at
                return self.key("enter") if again else True
            case ("filter", int() | None as seat):
                self._seat = seat
                return True
        return False

    def wheel(self, action: Action | None, x: int, y: int, steps: int) -> bool:
        del action, x, y
        return self._go_on(steps)

    def help(self) -> Help:
        return Help("The log", (HELP,))
