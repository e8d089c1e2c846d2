"""The screen after a game: how it went as a graph, or the rows of the dossier; below it the audit's verdict."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

from kimberley.client.boards import take_back
from kimberley.client.boards.curve_panel import CurvePanel
from kimberley.client.boards.curve_screen import graph_help
from kimberley.client.boards.end_picture import save_picture
from kimberley.client.boards.registry import find_board
from kimberley.client.boards.report import Dossier, DossierRow
from kimberley.client.boards.standings import draw_standings
from kimberley.client.screens.shell import Shell
from kimberley.client.session.reviewing import reviewable
from kimberley.client.ui.bars import title_bar
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.columns import TableColumns
from kimberley.client.ui.glyphs import cell_width, excerpt, truncate, wrap
from kimberley.client.ui.keys import Hint
from kimberley.client.ui.lists import Scroll
from kimberley.client.ui.palette import Color
from kimberley.client.ui.panels import paragraph
from kimberley.client.ui.screen import Screen, Section
from kimberley.client.ui.touch import bar_rows
from kimberley.games.phrases import join_names
from kimberley.games.table import Game, Result
from kimberley.p2p.base.platform import in_background
from kimberley.p2p.sentences.notices import as_sentence
from kimberley.p2p.sentences.verdicts import VerdictLike

if TYPE_CHECKING:
    from kimberley.protocol.audit import AuditedGame

VERDICTS: Final[dict[str, tuple[str, Color, Color]]] = {
    "fair": (" FAIR ✓ ", "ink", "ok"),
    "unfair": (" UNFAIR × ", "bright", "alarm"),
    "incomplete": (" INCOMPLETE ", "ink", "money"),
    "damaged": (" DAMAGED ", "ink", "money"),
    "unknown": (" CAN’T CHECK ", "ink", "money"),
}

HEAD_ROWS: Final = 5
"""The rows above the graph on a portrait screen."""
KEY_LINES: Final = 2
"""The lines of buttons there."""
SIGN_ROWS: Final = 2
"""The most rows of the verdict's sentence."""
NOTCH: Final = 3
"""The lines that one notch of the wheel scrolls there."""
WIDEST: Final = 98
"""Most columns of the list: in a wider one the cells of a row would be too far apart."""


class FinishedGame(NamedTuple):
    """A finished game: who played, how it ended, and who resigned before the end.

    `seat` is the player's own, or None for a spectator. `verdict` is None while the audit runs, or if a `problem`
    prevents it. `path` is where the record is kept. In `practice` a choice was taken back.
    """

    game: Game
    names: Sequence[str]
    seat: int | None
    result: Result | None
    gone: Sequence[int]
    verdict: VerdictLike | None
    problem: str | None
    path: Path | None
    practice: bool = False


class AuditScreen(Screen):
    """The dossier of a finished game, and the verdict. Subclasses draw what is below."""

    MORE_ROWS: ClassVar[int] = 0
    """Rows between the verdict and the keys on a portrait screen, for subclasses."""
    BELOW: Final = 9
    """Rows from the verdict to the bottom of the screen."""

    def __init__(self, shell: Shell, dossier: Dossier | None) -> None:
        """Takes a `dossier`, the board's account of the game."""
        super().__init__(shell)
        self.shell = shell
        self.scroll = Scroll()
        self.dossier = dossier
        self.graph = CurvePanel(dossier.curve) if dossier is not None and dossier.curve is not None else None
        self.board = dossier.board if dossier is not None and self.graph is None else None
        self.shows_picture = bool(self.pictured)
        """Whether the graph or the last position is shown, rather than the rows."""
        self._columns = TableColumns((), 0)
        self._rows: tuple[DossierRow, ...] = ()
        self._built = 0
        self._from = self._page = self._body_rows = 0
        """On a portrait screen, the first line of the sentences that is shown, how many lines are shown, and how many
        there are; elsewhere 0.
        """

    @property
    @abstractmethod
    def finished(self) -> FinishedGame:
        """Returns what is known about the game so far."""

    @property
    @abstractmethod
    def audited(self) -> AuditedGame | None:
        """The game with all that its audit found, for the replay."""

    @property
    def pictured(self) -> str:
        """What the end shows at first, in a word: the graph, or the board with the last position; empty if neither."""
        return "graph" if self.graph is not None else "board" if self.board is not None else ""

    @property
    def over_picture(self) -> bool:
        """Returns whether `d` has led from the picture to the rows. Esc goes back to it."""
        return bool(self.pictured) and not self.shows_picture

    @property
    def _called(self) -> str:
        return self.dossier.called if self.dossier is not None else "dossier"

    # -- the model -----------------------------------------------------------------------------------------------------

    def _build(self, room: int) -> None:
        if self.dossier is not None and room != self._built:
            self._built = room
            self._columns, self._rows = self.dossier.build(room)

    def _verdict(self) -> tuple[str, tuple[str, Color, Color]]:
        """Returns the verdict in a sentence, and its label with colors."""
        finished = self.finished
        verdict, names = finished.verdict, finished.names
        if finished.practice:
            return take_back.VERDICT, (" PRACTICE ", "ink", "paper")
        if verdict is None:
            problem = finished.problem
            sign: tuple[str, Color, Color] = (
                (" NOT SAVED ", "ink", "money") if problem else (" CHECKING… ", "ink", "paper")
            )
            return problem or "Checking that the game was fair…", sign
        from kimberley.p2p.sentences.verdicts import verdict_reason

        return as_sentence(verdict_reason(verdict, names), names), VERDICTS[verdict.code]

    def _signed(self, room: int) -> str:
        """Returns who signed the end, who resigned before, whose audit is missing: by name, or counted if the names are
        too long.
        """
        names, gone, verdict = self.finished.names, self.finished.gone, self.finished.verdict
        if verdict is None or self.finished.practice:
            return ""
        everybody = range(len(names))
        absent = [seat for seat in verdict.seats if verdict.code == "incomplete" and seat in everybody]
        signed = [seat for seat in everybody if seat not in gone and seat not in absent]
        # Whoever left does not know whether the others have signed since.
        missing = absent if self.finished.seat not in gone else []
        parts = (
            ("Signed by {}.", "{} of {} players signed.", signed),
            ("{} resigned before the end.", "{} resigned before the end.", gone),
            ("Not signed by {}.", "{} did not sign.", missing),
        )
        clauses = [(text, counted, seats) for text, counted, seats in parts if seats]
        named = " ".join(text.format(join_names([names[seat] for seat in seats])) for text, _, seats in clauses)
        if cell_width(named) <= room:
            return named
        return " ".join(counted.format(len(seats), len(everybody)) for _, counted, seats in clauses)

    # -- the view ------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, now: float) -> None:
        del now
        finished = self.finished
        title_bar(canvas, f"{finished.game.title} · {'the end' if self.shows_picture else f'the {self._called}'}")
        bottom = canvas.height - self.BELOW
        if self.board is not None and self.shows_picture and not canvas.portrait:
            top = bottom + 5 - len(self._sign_lines(canvas.width))
            self.board(canvas.region(0, 1, canvas.width, top - 1))
            self._draw_sign(canvas, top)
            return
        if self.dossier is not None:
            self.dossier.head(canvas.region(0, 1, canvas.width, 3))
        elif finished.result is not None:
            draw_standings(canvas.region(0, 1, canvas.width, 3), finished.names, finished.result, finished.seat)
        if canvas.portrait:
            self._draw_upright(canvas)
            return
        if self.graph is not None and self.shows_picture:
            top = bottom + 5 - len(self._sign_lines(canvas.width))
            self.graph.draw(canvas.region(0, 4, canvas.width, top - 4))
            self._draw_sign(canvas, top)
            return
        self._draw_rows(canvas, 5, bottom)
        self._draw_verdict(canvas, bottom + 1)

    def _draw_upright(self, canvas: Canvas) -> None:
        """Draws the graph, or what happened in sentences, and below it the verdict."""
        verdict, (sign, fg, bg) = self._verdict()
        room = canvas.width - 2
        lines = [line for text in (verdict, self._signed(room * 2)) if text for line in wrap(text, room)]
        bottom = canvas.height - bar_rows(canvas, KEY_LINES) - self.MORE_ROWS - len(lines) - 2
        canvas.fill(0, bottom + 1, canvas.width, len(lines) + 1, "panel")
        canvas.put(0, bottom + 1, sign, fg, bg, bold=True)
        if self.finished.path is not None:
            kept = "saved in this browser" if self.shell.gives_files else "record saved"
            canvas.right(canvas.width - 1, bottom + 1, kept, "soft")
        paragraph(canvas, 1, bottom + 2, lines, "text")
        picture = self.graph.draw if self.graph is not None else self.board
        if picture is not None and self.shows_picture:
            picture(canvas.region(0, HEAD_ROWS, canvas.width, bottom - HEAD_ROWS))
            return
        body = [line for text in self._sentences for line in (*wrap(text, room), "")][:-1]
        self._page, self._body_rows = bottom - HEAD_ROWS, len(body)
        self._from = max(0, min(self._from, len(body) - self._page))
        paragraph(canvas, 1, HEAD_ROWS, body[self._from : self._from + self._page], "text")

    @property
    def _sentences(self) -> Sequence[str]:
        """What happened, in sentences, without what the graph says."""
        if self.dossier is None:
            return ()
        drawn = self.graph.curve.lines if self.graph is not None else ()
        return [line for line in self.dossier.lines if line not in drawn]

    def _scroll_body(self, name: str) -> bool:
        """Scrolls the sentences by a key. Returns False if the key does not scroll."""
        steps = {"pageup": 1 - self._page, "pagedown": self._page - 1, "up": -NOTCH, "down": NOTCH}
        self._from = max(0, self._from + steps.get(name, 0))
        return name in steps

    def upright_hints(self, *own: Hint) -> list[Hint]:
        """Returns the buttons of a portrait screen, with those that a subclass adds."""
        if self.shows_picture:
            moves = [Hint("→", "later"), Hint("←", "earlier")] if self.graph is not None else []
            views = [Hint("d", self._called), *moves, self._show_hint]
        else:
            picture = [Hint("g", self.pictured)] if self.pictured else []
            pages = [Hint("PgDn", "page down"), Hint("PgUp", "page up")] if self._body_rows > self._page else []
            views = [*picture, *pages]
        return [*own, *self._review_hints, *self._record_hints, *views, Hint("y", "copy text"), *self._picture_hints]

    @property
    def _show_hint(self) -> Hint:
        return Hint("Enter", "replay" if self.shows_picture and self.board is not None else "show")

    @property
    def _record_hints(self) -> list[Hint]:
        """The key that exports the record, where that is possible."""
        return [Hint("r", "export record")] if self.finished.path is not None and self.shell.gives_files else []

    @property
    def _may_review(self) -> bool:
        if self.finished.path is None or self.audited is None or self.shell.gives_files:
            return False
        return reviewable(self.audited)

    @property
    def _review_hints(self) -> list[Hint]:
        """The key for the review of the game, where there is one."""
        return [Hint("r", "review")] if self._may_review else []

    @property
    def _picture_hints(self) -> list[Hint]:
        """The key for a picture of the end, which is kept beside the record."""
        return [Hint("s", "picture")] if self.finished.path is not None else []

    def _draw_rows(self, canvas: Canvas, top: int, bottom: int) -> None:
        self._build(min(canvas.width - 2, WIDEST))
        self._columns.headings(canvas, 1, top)
        canvas.rule(1, top + 1, canvas.width - 2)
        first, room = top + 2, bottom - top - 2
        if not self._rows and self.dossier is not None:
            canvas.put(2, first, self.dossier.empty, "soft")
        visible = self.scroll.shown(len(self._rows), room)
        for y, index in enumerate(visible, start=first):
            focused = index == self.scroll.focus
            if focused:
                canvas.fill(0, y, canvas.width, 1, "raised")
                canvas.put(0, y, "▸", "text", bold=True)
            self._columns.row(canvas, 1, y, self._rows[index].cells, cut=excerpt)
            canvas.hit(0, y, canvas.width, 1, ("row", index))
        if visible and visible.start > 0:
            canvas.put(canvas.width - 1, first, "▴", "soft")
            canvas.hit(canvas.width - 2, first, 2, 1, "key:pageup")
        if visible and visible.stop < len(self._rows):
            canvas.put(canvas.width - 1, bottom - 1, "▾", "soft")
            canvas.hit(canvas.width - 2, bottom - 1, 2, 1, "key:pagedown")

    def _sign_lines(self, width: int) -> list[str]:
        """Returns the verdict's sentence as it is broken beside its label."""
        verdict, (sign, _, _) = self._verdict()
        return wrap(verdict, width - cell_width(sign) - 3, SIGN_ROWS)

    def _draw_sign(self, canvas: Canvas, y: int) -> int:
        """Draws the verdict. Returns the row below it."""
        _, (sign, fg, bg) = self._verdict()
        lines = self._sign_lines(canvas.width)
        canvas.fill(0, y, canvas.width, len(lines), "panel")
        paragraph(canvas, canvas.put(0, y, sign, fg, bg, bold=True) + 2, y, lines, "text")
        return y + len(lines)

    def _draw_verdict(self, canvas: Canvas, y: int) -> None:
        canvas.fill(0, y, canvas.width, 4, "panel")
        bottom, y = y + 4, self._draw_sign(canvas, y)
        canvas.put(1, y, truncate(self._signed(canvas.width - 2), canvas.width - 2), "soft")
        y += 1
        if (record := self.finished.path) is not None and not self.ui.window.has_shell:
            canvas.put(1, y, "The record is saved in this browser. Export it as proof.", "soft")
        elif record is not None:
            path = home_short(record)
            canvas.put(1, y, "Record  ", "soft")
            canvas.put(9, y, cut_left(path, canvas.width - 10), "text")
            canvas.hit(1, y, canvas.width - 2, 1, "path")
            if y + 1 < bottom:
                after = canvas.put(1, y + 1, "Check it anywhere: ", "soft")
                canvas.put(after, y + 1, "kimberley verify FILE", "ice")
        elif self.finished.verdict is not None and self.finished.problem is not None:
            paragraph(canvas, 1, y, wrap(self.finished.problem, canvas.width - 2, bottom - y), "warning")

    # -- keys and clicks -----------------------------------------------------------------------------------------------

    def hints(self, *own: Hint) -> list[Hint]:
        """Returns the key row, with the keys that a subclass adds."""
        if self.shows_picture:
            move = [Hint("← →", self.graph.curve.unit)] if self.graph is not None else []
            move = [Hint("d", self._called), *move]
        else:
            move = [*([Hint("g", self.pictured)] if self.pictured else [])]
            if self._rows or self._page:
                move.append(Hint("↑ ↓", "scroll"))
        return [
            *move,
            *([self._show_hint] if self.shows_picture or self._rows else []),
            *self._review_hints,
            *own,
            Hint("y", "copy text"),
            *self._picture_hints,
            *self._record_hints,
        ]

    def key(self, name: str) -> bool:
        if self.shows_picture and self.graph is not None and self.graph.key(name):
            return True
        if not self.shows_picture and (
            self._scroll_body(name) if self._page else self.scroll.key(name, len(self._rows))
        ):
            return True
        match name:
            case "enter":
                self._show_round()
            case "g" | "d" if self.pictured:
                self.shows_picture = name == "g"
            case "esc" if self.over_picture:
                self.shows_picture = True
            case "y" if self.dossier is not None:
                self._copy("\n".join(self._text(self.dossier)), self._called.capitalize())
            case "r" if self.finished.path is not None and self.shell.gives_files:
                self.shell.give_file(self.finished.path)
            case "r" if self._may_review:
                self._review()
            case "s" if self.finished.path is not None and self.audited is not None:
                self.ui.start(self._save_picture(self.audited, self.finished.path))
            case _:
                return False
        return True

    def _text(self, dossier: Dossier) -> list[str]:
        """Returns the dossier as text: all sentences, the verdict, and where the record is."""
        finished = self.finished
        path = [f"Record: {finished.path}"] if finished.path is not None else []
        return [f"{finished.game.title}: {join_names(finished.names)}", *dossier.lines, self._verdict()[0], *path]

    def _copy(self, text: str, what: str) -> None:
        self.ui.copy(text)
        self.ui.toast(self.ui.window.copied(f"{what} copied"))

    async def _save_picture(self, audited: AuditedGame, record: Path) -> None:
        """Writes the picture of the end beside the record. Raises UserError. It draws on a thread."""
        finished = self.finished
        path = await in_background(save_picture, audited, finished.names, record)
        if self.shell.gives_files:
            self.shell.give_file(path)
        else:
            self.ui.toast(f"Saved: {home_short(path)}")

    def _review(self) -> None:
        from kimberley.client.screens.review import ReviewScreen

        finished = self.finished
        if self.audited is not None and finished.path is not None:
            self.ui.push(ReviewScreen(self.shell, self.audited, finished.path, finished.seat))

    def click(self, action: Action, x: int, y: int, button: str) -> bool:
        match action:
            case ("row", int(index)):
                again = self.scroll.focus == index
                self.scroll.focus = index
                if again:
                    self._show_round()
                return True
            case ("sample", int(at)) if self.graph is not None:
                if self.graph.choose(at):
                    self._show_round()
                return True
            case "path" if self.finished.path is not None and self.shell.gives_files:
                self.shell.give_file(self.finished.path)
                return True
            case "path" if self.finished.path is not None:
                self._copy(str(self.finished.path), "Path")
                return True
        return False

    def wheel(self, action: Action | None, x: int, y: int, steps: int) -> bool:
        if self.graph is not None and self.shows_picture:
            return self.graph.key("left" if steps < 0 else "right")
        if self._page:
            return self.key("up" if steps < 0 else "down")
        return not self.shows_picture and self.scroll.wheel(steps, len(self._rows))

    def game_id(self) -> str:
        return self.finished.game.id

    @property
    def about(self) -> tuple[Section, ...]:
        """The sections of the help."""
        other, touched, line = "", "", "line"
        if self.shows_picture:
            other, touched = f"d shows the {self._called}. ", f"The other tab shows the {self._called}. "
            line = self.graph.curve.unit if self.graph is not None else ""
        elif self.pictured:
            other, touched = f"g shows the {self.pictured}. ", f"The other tab shows the {self.pictured}. "
        shows = f"shows the selected {line} on the board. " if line else "replays the game. "
        enter, shown = f"Enter {shows}", f"{self._show_hint.label.capitalize()} {shows}"
        if not (self.shows_picture or self._rows):
            enter = shown = ""
        picture = " s saves a picture of the end next to the record." if self._picture_hints else ""
        touched_picture = " Picture saves a picture of the end." if self._picture_hints else ""
        review = " r reviews the game: what each choice cost and what was better." if self._may_review else ""
        happened = Section(
            "What happened",
            f"{other}{enter}y copies everything as text.{picture}{review}",
            by_touch=Section("What happened", f"{touched}{shown}Copy text copies everything.{touched_picture}"),
        )
        graph = (graph_help(self.graph.curve),) if self.graph is not None and self.shows_picture else ()
        return (*graph, happened, *_ABOUT)

    def _show_round(self) -> None:
        # A line that continues the one above it belongs to the same step.
        steps = [row.step for row in self._rows[: self.scroll.focus + 1] if row.step is not None]
        if self.shows_picture and self.graph is not None:
            steps = [self.graph.step]
        elif self.shows_picture and self.audited is not None:
            steps = [0]
        if steps and self.audited is not None:
            self.ui.toast("Opening the board.")
            self.ui.start(self._replay(self.audited, steps[-1]))

    async def _replay(self, audited: AuditedGame, step: int) -> None:
        """Opens the replay at a step. It reads the story on a thread, so that the screen does not freeze."""
        finished = self.finished
        board = find_board(finished.game.id)
        screen = await in_background(board.replay, audited, finished.names, self.ui, step)
        if self.shell.stack and self.shell.stack[-1] is self:
            self.ui.toast("")
            self.ui.push(screen)


_ABOUT: Final = (
    Section("The verdict", "After a game, each player’s program publishes its secret seed. Every move is replayed from "
                           "these seeds and compared with the signed messages."),
    Section("The record", "The whole game in one file. Anyone can check it, even someone who was not there: "
                          "kimberley verify FILE. Nobody can change it without being noticed.",
            by_touch=Section("The record", "The whole game in one file. Anyone with a copy can check it, even someone "
                                           "who was not there. Nobody can change it without being noticed.")),
)  # fmt: skip


def home_short(path: Path) -> str:
    """Returns a path with ~ for the user's home folder."""
    try:
        return f"~/{path.relative_to(Path.home())}"
    except (ValueError, RuntimeError):
        return str(path)


def cut_left(text: str, room: int) -> str:
    """Returns `text`, cut at the left to `room` cells: the name of a file is at the end of its path."""
    if cell_width(text) <= room:
        return text
    while cell_width(text) > room - 1:
        text = text[1:]
    return "…" + text
