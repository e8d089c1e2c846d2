"""The review of a finished game: the chances, the turning point, and what each decision cost."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from kimberley.client.boards.registry import find_board
from kimberley.client.boards.review_report import NONE_FOUND, ReviewLine, ReviewReport, options, percent
from kimberley.client.screens.review_curve import NAME, draw_curve
from kimberley.client.screens.review_seats import draw_costs, draw_players, draw_sides
from kimberley.client.screens.shell import Shell
from kimberley.client.session.participants import short_name
from kimberley.client.ui.bars import key_bar, phase_strip, title_bar, whole_lines
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.columns import Column, TableColumns
from kimberley.client.ui.glyphs import apart, wrap
from kimberley.client.ui.keys import Hint
from kimberley.client.ui.lists import Scroll, tabs
from kimberley.client.ui.panels import panel, paragraph
from kimberley.client.ui.screen import Help, Screen, Section
from kimberley.client.ui.spans import Span
from kimberley.client.ui.touch import bar_rows, touch_bar
from kimberley.games.phrases import count_of
from kimberley.p2p.base.platform import in_background

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kimberley.client.screens.review_making import ReviewMaking
    from kimberley.protocol.audit import AuditedGame

HEAD_ROWS: Final = 3
CURVE_ROWS: Final = 6
UPRIGHT_CURVE_ROWS: Final = 8
HIGH_CURVE_ROWS: Final = 10
WIDE: Final = 110
HIGH: Final = 34
"""From this many columns and rows on, the decision in focus has a panel of its own."""
PANEL: Final = 38
COST: Final = 6
CHOSEN: Final = 2
"""The column of the list for what was chosen."""
TOLD_ROWS: Final = 5
"""The most rows for the decision in focus in words, where it has no panel."""
TOLD_LABEL: Final = 11
"""Columns to the left of these words."""
TURN_ROWS: Final = 3
"""The most rows for the turning point."""
TURN: Final = "TURNING POINT"
JUDGING: Final = "JUDGING"
REVIEW: Final = "REVIEW"
LISTED: Final = "Each decision is listed as soon as it is judged."
LEAVING: Final = "If you leave this screen, judging continues."
KEY_LINES: Final = 2
MORE: Final = ", …"
"""Follows a part of a choice if there is more of it."""
TELLING: Final = 9
"""Rows for the decision in focus on a portrait screen."""


class ReviewScreen(Screen):
    """Judges a finished game, unless that was done before, and shows each decision as soon as it is judged. Judging
    goes on when the player leaves the screen.
    """

    def __init__(self, shell: Shell, audited: AuditedGame, path: Path, seat: int | None = None) -> None:
        """Takes the player's own `seat`, None for one who watches."""
        super().__init__(shell)
        self.shell = shell
        self.scroll = Scroll()
        self.report: ReviewReport | None = None
        self._audited, self._path = audited, path
        self._making: ReviewMaking | None = None
        self._seats = len(audited.record.table.roster.seats)
        self._seat, self._plays = seat or 0, seat is not None
        self._whose = self._seat
        self._by_cost = True

    # -- the model -----------------------------------------------------------------------------------------------------

    def opened(self) -> None:
        self._making = self.shell.reviews.open(self._audited, self._path)
        self._making.changed = self._changed
        self._changed()

    def closed(self) -> None:
        assert self._making is not None
        self._making.changed = None

    def _changed(self) -> None:
        """Shows what is judged. A decision that the player has moved to stays in focus."""
        assert self._making is not None
        line = self._line if self.scroll.focus else None
        self.report = self._making.report
        if line is not None:
            self.scroll.focus = self._lines.index(line)
        if self._making.not_kept:
            self.ui.toast(self._making.not_kept, bad=True)
        self.ui.redraw()

    @property
    def _problem(self) -> str:
        """Why the game cannot be reviewed, in a sentence."""
        return self._making.problem if self._making is not None else ""

    @property
    def _lines(self) -> Sequence[ReviewLine]:
        return self.report.lines_of(self._whose, self._by_cost) if self.report is not None else ()

    @property
    def _line(self) -> ReviewLine | None:
        """The decision in focus."""
        lines = self._lines
        return lines[min(self.scroll.focus, len(lines) - 1)] if lines else None

    # -- the view ------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, now: float) -> None:
        del now
        title = find_board(self._audited.record.table.roster.game).game.title
        title_bar(canvas, f"{title} · review")
        if self.report is None:
            self._draw_progress(canvas)
            key_bar(canvas, [Hint("Esc", "back", primary=True)])
            return
        head = canvas.region(0, 1, canvas.width, HEAD_ROWS)
        if self._seats > 2:
            draw_players(head, self.report, self._whose)
        else:
            draw_sides(head, self.report)
        if canvas.portrait:
            self._draw_upright(canvas, self.report)
            return
        wide = canvas.width >= WIDE and canvas.height >= HIGH
        room = canvas.width - (PANEL if wide else 0)
        rows = HIGH_CURVE_ROWS if canvas.height >= HIGH else CURVE_ROWS
        line = self._line
        self._draw_curve(canvas.region(0, 4, room, rows + 2), self.report)
        details = self._details(line, canvas.width - TOLD_LABEL - 1) if line is not None and not wide else []
        top = self._draw_turn(canvas, 6 + rows, self.report) + wide
        bottom = canvas.height - 1
        self._draw_list(canvas.region(0, top, room, bottom - top - len(details)), self.report)
        if wide:
            inside = panel(canvas, room, 5, PANEL - 1, rows + 1, "What it cost")
            draw_costs(inside, self.report, self._seat)
            if line is not None:
                where = self.report.where(line.chapter, line.decision.kind)
                inside = panel(canvas, room, top + 1, PANEL - 1, bottom - 2 - top, where)
                self._draw_options(inside, line, self.report)
        elif details:
            canvas.fill(0, bottom - len(details), canvas.width, len(details), "panel")
            for y, (label, text) in enumerate(details, bottom - len(details)):
                canvas.put(1, y, label, "soft")
                canvas.put(TOLD_LABEL, y, text, "text")
        key_bar(canvas, self._hints)

    @property
    def _hints(self) -> list[Hint]:
        if self.report is None or (self.report.whole and not self.report.lines):
            return [Hint("Esc", "back")]
        if not self._lines:
            return [Hint("Tab", "player"), Hint("Esc", "back")]
        return [
            Hint("← →", self.report.chapter_unit),
            Hint("↑ ↓", "decision"),
            Hint("Enter", "show"),
            Hint("Tab", "player"),
            Hint("o", "order"),
            Hint("Esc", "back"),
        ]

    def _draw_progress(self, canvas: Canvas) -> None:
        if self._problem:
            paragraph(canvas, 1, 3, wrap(self._problem, canvas.width - 2), "text")
            return
        phase_strip(canvas, 1, REVIEW, "Reading the game…")

    def _draw_curve(self, canvas: Canvas, report: ReviewReport) -> None:
        line = self._line
        draw_curve(canvas, report, self._seat, self._whose, line.chapter if line is not None else None, self._share)

    def _draw_turn(self, canvas: Canvas, y: int, report: ReviewReport) -> int:
        """Draws the turning point, or how much is judged, from a row on, and returns the row below it."""
        label = (TURN if report.lines else REVIEW) if report.whole else JUDGING
        indent = len(label) + 3
        rows = whole_lines(self._turn(report), canvas.width - indent - 1, TURN_ROWS)
        phase_strip(canvas, y, label, rows[0])
        for below, row in enumerate(rows[1:], y + 1):
            canvas.fill(0, below, canvas.width, 1, "raised")
            canvas.put(indent, below, row, "text")
        return y + len(rows)

    @property
    def _share(self) -> float:
        """How much is judged, from 0 to 1."""
        return self._making.share if self._making is not None else 0.0

    def _turn(self, report: ReviewReport) -> str:
        """Returns the turning point in sentences. Until all is judged, returns how much is."""
        if not report.whole:
            listed = LISTED if report.lines else "Nothing to list yet."
            return f"{round(100 * self._share)}% judged. {listed} {LEAVING}"
        if not report.lines:
            return report.none_judged
        return report.turning_point(self._seat) or "This game had no turning point."

    # -- the decisions -------------------------------------------------------------------------------------------------

    def _draw_list(self, canvas: Canvas, report: ReviewReport) -> None:
        lines = self._lines
        columns = (
            Column(report.chapter_unit.capitalize(), 5, right=True, gap=2),
            Column(room=10),
            Column("Chosen", fills=True),
            Column("Better choice", fills=True, gap=2),
            Column("Cost", COST, right=True),
        )
        table = TableColumns(columns, canvas.width, margin=1)
        self._draw_tabs(canvas, report)
        table.headings(canvas, 0, 1)
        for y, index in enumerate(self.scroll.shown(len(lines), canvas.height - 2), start=2):
            line = lines[index]
            # There is room only for what the better choice changes.
            rest = MORE if line.replaced != line.chosen else ""
            chosen, other = apart(line.replaced, line.better, table.places[CHOSEN].room - len(rest))
            chosen += rest if not chosen.endswith("…") else ""
            better = Span(other) if line.better else Span(NONE_FOUND, "soft")
            price = Span(line.cost, "warning") if line.better else Span("✓", "ok")
            number, kind = Span(str(line.chapter), bold=True), Span(report.decided(line.decision.kind), "soft")
            cells = (number, kind, Span(chosen), better, price)
            table.row(canvas, 0, y, cells, focused=index == self.scroll.focus, action=("line", index))

    def _draw_tabs(self, canvas: Canvas, report: ReviewReport) -> None:
        """Draws whose decisions are listed, and in which order."""
        canvas.right(canvas.width - 1, 0, "by cost" if self._by_cost else "in order", "soft")
        decisions = count_of(len(self._lines), "decision") if self._lines or report.whole else "no decisions yet"
        if self._seats > 2:
            x = canvas.put(1, 0, *report.marks[self._whose], bold=True) + 1
            canvas.put(x, 0, f"{short_name(report.names, self._whose, NAME)}, {decisions}", "text", bold=True)
            return
        names = [short_name(report.names, seat, NAME) for seat in range(self._seats)]
        names[self._whose] = f"{names[self._whose]}, {decisions}"
        tabs(canvas, 0, 0, names, self._whose, lambda seat: ("whose", seat))

    def _details(self, line: ReviewLine, room: int) -> list[tuple[str, str]]:
        """Returns the decision in focus in full, as rows of a label and a text: the list has excerpts of long choices.

        The player who decided is told why another choice is better, if there is room for that. If there is not even
        room for the whole choice, only the part that the better one changes is shown.
        """
        advice = self._advice(line)
        assert self.report is not None
        known, true = self.report.better(line), self.report.in_hindsight(line)
        part = f"{line.replaced}{MORE}" if line.replaced != line.chosen else line.chosen
        for chosen, better in ((line.chosen, self.report.better(line, advice)), (line.chosen, known), (part, known)):
            details = {"Chosen": chosen, "Better": better} | ({"Hindsight": true} if true else {})
            rows = [
                (label if not number else "", text)
                for label, words in details.items()
                for number, text in enumerate(wrap(words, room))
            ]
            if len(rows) <= TOLD_ROWS:
                break
        return rows[:TOLD_ROWS]

    def _advice(self, line: ReviewLine) -> str:
        """Returns why another choice is better, told to the player who decided; empty for the decisions of others."""
        assert self.report is not None
        return self.report.advice(line) if self._plays and line.decision.seat == self._seat else ""

    def _draw_options(self, canvas: Canvas, line: ReviewLine, report: ReviewReport) -> None:
        """Draws what the compared choices were worth, and what was best with everything known."""
        y = 0
        canvas.put(0, y, "Options compared", "soft")
        canvas.right(canvas.width, y, "to win", "soft")
        known = line.decision.known
        for rated in options(line.decision):
            made = rated.choice == known.chosen.choice
            beside = known.best.choice if made else known.chosen.choice
            text = line.chosen if made else report.words(line, rated, beside)
            parts = wrap(text, canvas.width - 8)
            if y + len(parts) >= canvas.height - 4:
                break
            for number, part in enumerate(parts):
                y += 1
                canvas.put(0, y, "▸" if made and not number else " ", "text", bold=True)
                canvas.put(2, y, part, "text", bold=made)
                if not number:
                    canvas.right(canvas.width, y, f"{percent(rated.chances[line.decision.seat])}%", "text", bold=made)
        y += 2
        if advice := self._advice(line):
            y = paragraph(canvas, 0, y, whole_lines(advice, canvas.width, max(0, canvas.height - y)), "text") + 1
        true = report.in_hindsight(line)
        hindsight = f"In hindsight, {true}." if true else ""
        if len(lines := wrap(hindsight, canvas.width)) <= canvas.height - y:
            paragraph(canvas, 0, y, lines, "soft")

    def _draw_upright(self, canvas: Canvas, report: ReviewReport) -> None:
        """Draws the curve, the turning point, and the decision in focus in sentences."""
        bottom = canvas.height - bar_rows(canvas, KEY_LINES)
        self._draw_curve(canvas.region(0, 4, canvas.width, UPRIGHT_CURVE_ROWS + 2), report)
        y = 6 + UPRIGHT_CURVE_ROWS
        room = canvas.width - 2
        rows = bottom - TELLING - y - 1
        paragraph(canvas, 1, y, whole_lines(self._turn(report), room, rows), "text")
        if (line := self._line) is not None:
            canvas.fill(0, bottom - TELLING, canvas.width, TELLING, "panel")
            sentence = f"{report.sentence(line)} {self._advice(line)}"
            paragraph(canvas, 1, bottom - TELLING, whole_lines(sentence, room, TELLING), "text")
        moves = [Hint("↓", "next"), Hint("Esc", "back"), Hint("Enter", "show"), Hint("↑", "previous")]
        touch_bar(canvas, [*moves, Hint("Tab", "player"), Hint("o", "order")], KEY_LINES)

    # -- keys and clicks -----------------------------------------------------------------------------------------------

    def key(self, name: str) -> bool:
        if name == "esc":
            self.ui.pop(self)
            return True
        if self.report is None:
            return False
        if self.scroll.key(name, len(self._lines)):
            return True
        match name:
            case "left" | "right":
                self._leap(-1 if name == "left" else 1)
            case "tab" | "s-tab":
                self._look_at((self._whose + (1 if name == "tab" else -1)) % self._seats)
            case "o":
                self._by_cost = not self._by_cost
                self.scroll.focus = 0
            case "enter" if (line := self._line) is not None:
                self.ui.toast("Opening the decision on the board.")
                # What was chosen there comes next.
                self.ui.start(self._replay(line.decision.step - 1))
            case _:
                return False
        return True

    def _look_at(self, seat: int) -> None:
        self._whose, self.scroll.focus = seat, 0

    def _leap(self, way: int) -> None:
        """Goes to the month before or after, to the first of its decisions in the list."""
        line = self._line
        chapters = sorted({one.chapter for one in self._lines})
        if line is not None:
            at = min(max(0, chapters.index(line.chapter) + way), len(chapters) - 1)
            self._go_to(chapters[at])

    def _go_to(self, chapter: int) -> None:
        rows = [index for index, line in enumerate(self._lines) if line.chapter == chapter]
        self.scroll.focus = rows[0] if rows else self.scroll.focus

    async def _replay(self, step: int) -> None:
        """Opens the replay after a step. It reads the story on a thread, so that the screen does not freeze."""
        assert self.report is not None
        board = find_board(self._audited.record.table.roster.game)
        screen = await in_background(board.replay, self._audited, self.report.names, self.ui, step)
        if self.shell.stack and self.shell.stack[-1] is self:
            self.ui.toast("")
            self.ui.push(screen)

    def click(self, action: Action, x: int, y: int, button: str) -> bool:
        match action:
            case ("line", int(index)):
                again, self.scroll.focus = self.scroll.focus == index, index
                return not again or self.key("enter")
            case ("whose", int(seat)):
                self._look_at(seat)
                return True
            case ("chapter", int(chapter)):
                self._go_to(chapter)
                return True
        return False

    def wheel(self, action: Action | None, x: int, y: int, steps: int) -> bool:
        return self.report is not None and self.scroll.wheel(steps, len(self._lines))

    def game_id(self) -> str:
        return self._audited.record.table.roster.game

    def help(self) -> Help:
        game = find_board(self.game_id()).game
        unjudged = game.unjudged
        left_out = f"{_LEFT_OUT}, nor is a choice that cannot be judged: {unjudged}" if unjudged else _LEFT_OUT
        choices = Section("Better choice, cost", f"{_COST} {left_out}.{f' {_HINDSIGHT}' if game.hides else ''}")
        unit = self.report.chapter_unit if self.report is not None else "move"
        curve = Section(
            "The curve", f"The chance to win after each {unit}{', with hindsight' if game.hides else ''}. {_CURVE}"
        )
        return Help("The review", (choices, curve, *_ABOUT))


_COST: Final = (
    "The judge goes by what you knew then, not by how it turned out. A choice is called better only if it is clearly "
    "better. The cost is how much of your chance to win you gave away."
)
_LEFT_OUT: Final = "A turn with only one choice is not listed"
_HINDSIGHT: Final = (
    "Hindsight knows everything, everyone’s choices included, so its choice and its percentage can differ from "
    "those of the better choice. Both are shown only as far as they differ from your own choice."
)
_CURVE: Final = (
    "It depends on more than your choices, so it can fall by more or by less than your choice cost. The turning point "
    "is the largest change that lasted and that has a clear cause. ← and → move along the curve."
)
_ABOUT: Final = (
    Section("Accuracy", "How close your choices came to the best ones, given what you knew. As on chess sites, 100 "
                        "means that nothing was clearly better. Where most choices are equally good, even a weak "
                        "player has high accuracy: look at the cost. In a terminal: kimberley review FILE."),
    Section("Keys", "Tab switches players, o sorts by cost or by turn, and Enter shows the board before a decision. "
                    "The review is saved next to the record."),
)  # fmt: skip
