"""The records of finished games: with whom, when, how each ended, and what its audit found."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from kimberley.client.screens.audit_screen import cut_left, home_short
from kimberley.client.screens.shell import Shell
from kimberley.client.session.game_lists import kept_when
from kimberley.client.session.kept_games import PRACTICE
from kimberley.client.ui.bars import key_bar, phase_strip, title_bar
from kimberley.client.ui.buttons import button, button_width
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.columns import Column, TableColumns
from kimberley.client.ui.glyphs import cell_width, truncate, wrap
from kimberley.client.ui.keys import Hint
from kimberley.client.ui.layout import stage
from kimberley.client.ui.lists import LEAST_ROWS, Scroll, touch_row
from kimberley.client.ui.palette import Color
from kimberley.client.ui.panels import panel, paragraph
from kimberley.client.ui.screen import Help, Screen, Section
from kimberley.client.ui.spans import Span
from kimberley.games.phrases import count_of, join_names
from kimberley.p2p.base.platform import in_background
from kimberley.p2p.sentences.notices import as_sentence

if TYPE_CHECKING:
    from kimberley.client.session.services import KeptGame

IN_SHORT: Final = "Your finished games, saved {where}."
WIDEST: Final = 104
COLORS: Final[dict[str, Color]] = {"✓": "ok", "!": "warning", "?": "money"}
"""The colors of the verdicts, by their signs."""
BUTTONS: Final = (("Replay", "Enter"), ("Review", "r"), ("Check again", "v"), ("Copy path", "y"), ("Delete", "Del"))
COLUMNS: Final = (
    Column("Game", 28, gap=1, indent=2), Column("With", 11, fills=True), Column("When", 12),
    Column("Result", 8, fills=True), Column("Verdict", 12),
)  # fmt: skip
GIVEN: Final = "Export record"
"""The label of the button for the path where that exports the file."""
NONE_YET: Final = (
    "No finished games yet. Once you finish one, it appears here: replay it on the board, or let anyone with the file "
    "check that it was fair."
)


class RecordsScreen(Screen):
    """The list of records, and what is known about the one in focus. Those not judged yet are audited one by one."""

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell)
        self.shell = shell
        self.scroll = Scroll()
        self.games: list[KeptGame] | None = None
        self._open = self._reading = False

    # -- the model -----------------------------------------------------------------------------------------------------

    def opened(self) -> None:
        self._open = True
        self.ui.start(self._load())

    def closed(self) -> None:
        self._open = False

    async def _load(self) -> None:
        self.games = list(await self.shell.services.records())
        self.ui.redraw()
        while self._open and (game := self._next()) is not None:
            self._put(await self.shell.services.verify(game))

    def _next(self) -> KeptGame | None:
        """Returns the record to be judged next: the one in focus, or else the first in the list."""
        games = self.games or []
        return next((game for game in (*games[self.scroll.focus :][:1], *games) if game.finding is None), None)

    def _put(self, judged: KeptGame) -> None:
        self.games = [judged if game.path == judged.path else game for game in self.games or []]
        self.ui.redraw()

    @property
    def _focused(self) -> KeptGame | None:
        games = self.games or []
        return games[self.scroll.focus] if self.scroll.focus < len(games) else None

    @property
    def _buttons(self) -> list[tuple[str, str]]:
        finding = self._focused.finding if self._focused is not None else None
        none = {"r"} if self.shell.gives_files or (finding is not None and finding.verdict != "fair") else set()
        none |= {"Enter"} if finding is not None and not finding.result else set()
        given = self.shell.gives_files
        return [(GIVEN if given and key == "y" else label, key) for label, key in BUTTONS if key not in none]

    # -- the view ------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, now: float) -> None:
        del now
        count = len(self.games or [])
        title_bar(canvas, "Finished games", self.shell.settings.name)
        counted = "" if self.games is None else count_of(count, "game")
        where = "on this computer" if self.ui.window.has_shell else "in this browser"
        doing = "Opening the record…" if self._reading else IN_SHORT.format(where=where)
        phase_strip(canvas, 1, "FINISHED", doing, counted)
        if canvas.touch:
            self._draw_upright(canvas)
            return
        room = min(canvas.width, WIDEST)
        ground = canvas.region((canvas.width - room) // 2, 2, room, canvas.height - 3)
        if self.games is None:
            ground.put(2, 1, "Reading the list…", "soft")
        elif not self.games:
            paragraph(ground, 2, 1, wrap(NONE_YET, 70))
        else:
            self._draw_list(ground, self.games)
        hints = [Hint("↑ ↓", "game"), *(Hint(key, label.lower()) for label, key in self._buttons)] if count else []
        # The way back is always in the row, whatever else has room there.
        key_bar(canvas, [*hints, Hint("Esc", "title", primary=True)])

    def _draw_upright(self, canvas: Canvas) -> None:
        """Draws the list for a finger, and below it what is known of the record in focus."""
        ground, games = stage(canvas), self.games
        room = ground.width - 2
        if not games:
            paragraph(ground, 1, 0, wrap("Reading the list…" if games is None else NONE_YET, room))
            key_bar(canvas, [Hint("Esc", "title", primary=True)])
            return
        details = 8
        for number, index in enumerate(self.scroll.shown(len(games), (ground.height - details) // LEAST_ROWS)):
            game = games[index]
            label = game.finding.label if game.finding is not None else "…"
            verdict = Span(label, COLORS.get(label[0], "soft"))
            below = (Span(", ".join(game.others), "soft"), Span(kept_when(game.written), "soft"))
            focused = index == self.scroll.focus
            touch_row(ground, LEAST_ROWS * number, Span(game.title), verdict, below, focused, ("game", index))
        game = games[self.scroll.focus]
        facts = [] if game.finding is None else [game.ending, game.reason]
        sentences = [as_sentence(fact, game.names) for fact in facts if fact]
        lines = [line for text in sentences for line in wrap(text, room)]
        paragraph(ground, 1, ground.height - details + 1, lines[: details - 1], "text")
        keys = [Hint(key, label.lower(), primary=number == 0) for number, (label, key) in enumerate(self._buttons)]
        key_bar(canvas, [keys[0], Hint("Esc", "title"), *keys[1:]])

    def _draw_list(self, ground: Canvas, games: list[KeptGame]) -> None:
        table = TableColumns(COLUMNS, ground.width - 2)
        table.headings(ground, 1, 0)
        ground.rule(1, 1, ground.width - 2)
        rows = ground.height - 13
        for number, index in enumerate(self.scroll.shown(len(games), rows)):
            self._draw_game(ground, 2 + number, table, index, games[index])
        if (more := len(games) - self.scroll.top - rows) > 0:
            ground.right(ground.width - 1, 2 + rows, f"{more} more ▾", "soft")
        game = games[self.scroll.focus]
        self._draw_details(ground, ground.height - 10, game)
        x = 1
        for number, (label, key) in enumerate(self._buttons):
            # What cannot be undone stands apart.
            x = x if key != "Del" else ground.width - 1 - button_width(label, key)
            x = 1 + button(ground, x, ground.height - 2, label, key, primary=number == 0)

    def _draw_game(self, ground: Canvas, y: int, table: TableColumns, index: int, game: KeptGame) -> None:
        label = game.finding.label if game.finding is not None else "…"
        # The panel below has the title with its mark, for which there is no room here.
        title = game.title.removesuffix(PRACTICE)
        practice = title != game.title
        if practice and game.finding is not None and game.finding.verdict == "fair":
            label = "practice"
        cells = (
            Span(title),
            Span(", ".join(game.others)),
            Span(kept_when(game.written), "soft"),
            Span(game.standing, "text" if game.is_won and not practice else "soft"),
            Span(label, COLORS.get(label[0], "soft")),
        )
        table.row(ground, 1, y, cells, focused=index == self.scroll.focus, action=("game", index))

    def _draw_details(self, ground: Canvas, y: int, game: KeptGame) -> None:
        """Draws a panel about the record in focus."""
        with_whom = f", with {join_names(game.others)}" if game.seat is not None else ""
        inside = panel(ground, 1, y, ground.width - 2, 7, truncate(f"{game.title}{with_whom}", ground.width - 10))
        finding = game.finding
        if finding is None:
            inside.put(1, 0, "Checking: replaying every move…", "soft")
        else:
            ending = [as_sentence(game.ending, game.names)] if game.ending else []
            y = paragraph(inside, 1, 0, [line for text in ending for line in wrap(text, inside.width - 2, 2)], "text")
            at = inside.put(1, y, finding.label, COLORS.get(finding.label[0], "soft"), bold=True) + 2
            reason, rows = as_sentence(game.reason, game.names), 4 - y
            lines = wrap(reason, inside.width - at)
            if len(lines) > rows:
                # A long reason goes on below the verdict.
                first = lines[0]
                inside.put(at, y, first, "soft")
                at, y, lines = 1, y + 1, wrap(reason.removeprefix(first).strip(), inside.width - 2, rows - 1)
            paragraph(inside, at, y, lines)
        size = f"{max(1, round(game.size / 1000))} kB"
        path = cut_left(home_short(game.path), inside.width - cell_width(size) - 4)
        at = inside.put(1, 4, path, "text")
        inside.hit(1, 4, at - 1, 1, "key:y")
        inside.put(at + 2, 4, size, "soft")

    # -- keys and clicks -----------------------------------------------------------------------------------------------

    def key(self, name: str) -> bool:
        if name == "esc":
            self.ui.pop(self)
            return True
        if (game := self._focused) is None:
            return False
        if self.scroll.key(name, len(self.games or [])):
            return True
        match name:
            case "enter":
                self._show(game)
            case "r" if not self.shell.gives_files:
                self._show(game, review=True)
            case "v":
                self.ui.start(self._verify(game))
            case "y":
                self.shell.give_file(game.path)
            case "delete":
                with_whom = f" with {join_names(game.others)}" if game.seat is not None else ""
                text = f"Delete your record of {game.title}{with_whom} for good?"
                self.ui.confirm("Delete the record", text, "Delete", "Keep", lambda: self._delete(game), danger=True)
            case _:
                return False
        return True

    def click(self, action: Action, x: int, y: int, button: str) -> bool:
        match action:
            case ("game", int(index)) if self.games:
                again, self.scroll.focus = self.scroll.focus == index, index
                if again:
                    self._show(self.games[index])
                return True
        return False

    def wheel(self, action: Action | None, x: int, y: int, steps: int) -> bool:
        return self.scroll.wheel(steps, len(self.games or []))

    async def _verify(self, game: KeptGame) -> None:
        """Audits a record anew, whatever an earlier audit found."""
        self._put(replace(game, finding=None))
        judged = await self.shell.services.verify(game)
        self._put(judged)
        if judged.finding is not None:
            self.ui.toast(f"Checked again: {judged.finding.label[2:]}.", bad=judged.finding.verdict != "fair")

    def _delete(self, game: KeptGame) -> None:
        try:
            game.path.unlink(missing_ok=True)
        except OSError as error:
            self.ui.toast(f"The record could not be deleted: {error.strerror}.", bad=True)
            return
        self.games = [other for other in self.games or [] if other.path != game.path]
        self.ui.redraw()

    def _show(self, game: KeptGame, review: bool = False) -> None:
        if not self._reading:
            self._reading = True
            self.ui.start(self._open_game(game, review))

    async def _open_game(self, game: KeptGame, review: bool) -> None:
        """Opens the replay of a record, or its review. It is read on a thread, so that the screen does not freeze."""
        from kimberley.client.boards.live_context import names_of
        from kimberley.client.boards.registry import find_board
        from kimberley.client.screens.review import ReviewScreen
        from kimberley.client.session.reviewing import reviewable
        from kimberley.client.session.verdicts import audit_file
        from kimberley.protocol.audit import CannotBeAudited

        def opened() -> Screen | None:
            audited = audit_file(game.path)
            roster = audited.record.table.roster
            if review:
                return ReviewScreen(self.shell, audited, game.path, game.seat) if reviewable(audited) else None
            return find_board(roster.game).replay(audited, names_of(roster), self.ui) if audited.result else None

        try:
            screen = await in_background(opened)
        except (CannotBeAudited, LookupError):
            screen = None
        finally:
            self._reading = False
        if screen is None:
            why = "This game cannot be reviewed." if review else "This record holds no game with a result."
            self.ui.toast(why, bad=True)
        elif self.shell.stack and self.shell.stack[-1] is self:
            self.ui.push(screen)

    def game_id(self) -> str | None:
        return (self._focused.game or None) if self._focused is not None else None

    @property
    def _about_keys(self) -> Section:
        """What the keys and buttons do that the record in focus has."""
        doing = {"Enter": "replays the game on its board", "r": "reviews it", "v": "checks it again",
                 "y": "copies the file’s path"}  # fmt: skip
        touched = {"Enter": "shows the game on its board", "r": "reviews it", "v": "replays every move",
                   "y": "gives you the file" if self.shell.gives_files else "copies the file’s path"}  # fmt: skip
        keys = ", ".join(f"{key} {doing[key]}" for _, key in self._buttons if key in doing)
        labels = join_names([f"{label} {touched[key]}" for label, key in self._buttons if key in touched])
        return Section("Keys", f"{keys}. In a terminal, kimberley list --finished shows the same list.",
                       by_touch=Section("By touch", f"{labels}."))  # fmt: skip

    def help(self) -> Help:
        return Help(
            "Finished games",
            (
                Section("A record", "The whole game in one file, with everything the players signed. Anyone can "
                                    "check it, even someone who was not there: kimberley verify FILE.",
                        by_touch=Section("A record", "The whole game in one file, with everything the players signed. "
                                                     "Anyone with a copy can check it, even someone who was not "
                                                     "there.")),
                Section("The verdict", "Fair: every move was replayed, and all signed messages match. Unfair: "
                                       "someone cheated, and the record proves it. Incomplete: something is missing, "
                                       "for example because the game stopped before its end."),
                *([self._about_keys] if self.games else []),
            ),
        )  # fmt: skip
