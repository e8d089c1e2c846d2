"""The unfinished games: with whom, how far they got, and when they were last played."""

from __future__ import annotations

from functools import partial
from typing import Final

from kimberley.client.screens.shell import Shell
from kimberley.client.session.services import UnfinishedGame
from kimberley.client.ui.bars import key_bar, phase_strip, title_bar
from kimberley.client.ui.buttons import button
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.columns import Column, TableColumns
from kimberley.client.ui.glyphs import wrap
from kimberley.client.ui.keys import Hint
from kimberley.client.ui.layout import stage
from kimberley.client.ui.lists import LEAST_ROWS, Scroll, touch_row
from kimberley.client.ui.palette import Color
from kimberley.client.ui.panels import paragraph
from kimberley.client.ui.screen import Help, Screen, Section
from kimberley.client.ui.spans import Span
from kimberley.games.phrases import join_names

COLUMNS: Final = (
    Column("Game", 29, gap=1, indent=2),
    Column("With", fills=True),
    Column("Played", 18),
    Column("Last", 13, right=True),
)
RETURNS: Final = "You return to your seat exactly as you left it."
COMES_BACK: Final = (
    f"{RETURNS} Kimberley looks for the others where they were and on this network: no need to remember addresses."
)
COMES_BACK_THERE: Final = "You return to your seat exactly as you left it, and reach the others through the host."


def resume_game(shell: Shell, game: UnfinishedGame) -> None:
    """Takes the seat of an unfinished game again."""
    shell.sit(game.title, f"Resuming with {join_names(game.others)}.", partial(shell.services.resume, game))


class ResumeScreen(Screen):
    """The list of unfinished games, and how to resume the one in focus."""

    def __init__(self, shell: Shell, games: tuple[UnfinishedGame, ...]) -> None:
        super().__init__(shell)
        self.shell = shell
        self.games = games
        self.scroll = Scroll()

    def _resume(self) -> None:
        game = self.games[self.scroll.focus]
        if game.problem is not None:
            self.ui.toast(game.problem, bad=True)
            return
        resume_game(self.shell, game)

    @property
    def _comes_back(self) -> str:
        if self.games[self.scroll.focus].alone:
            return RETURNS
        return COMES_BACK if self.shell.services.only_host is None else COMES_BACK_THERE

    def draw(self, canvas: Canvas, now: float) -> None:
        from kimberley.client.session.game_lists import written_when
        from kimberley.client.session.unfinished_games import choices_played

        title_bar(canvas, "Resume", self.shell.settings.name)
        phase_strip(canvas, 1, "RESUME", "Interrupted games, most recent first. Pick one.")
        if canvas.touch:
            self._draw_upright(canvas)
            return
        room = min(canvas.width, 104)
        ground = canvas.region((canvas.width - room) // 2, 2, room, canvas.height - 3)
        table = TableColumns(COLUMNS, ground.width - 2)
        table.headings(ground, 1, 1)
        ground.rule(1, 2, ground.width - 2)
        for number, index in enumerate(self.scroll.shown(len(self.games), ground.height - 12)):
            game = self.games[index]
            fg = "text" if game.problem is None else "soft"
            cells = (
                Span(game.title, fg),
                Span(join_names(game.others), fg), Span(choices_played(game), "soft"),
                Span(written_when(game.written) if game.written else "", "soft"),
            )  # fmt: skip
            focused = index == self.scroll.focus
            table.row(ground, 1, 3 + number, cells, focused=focused, action=("game", index))
        game = self.games[self.scroll.focus]
        below = ground.height - 7
        paragraph(ground, 1, below, wrap(game.problem or self._comes_back, ground.width - 2, 4),
                  "warning" if game.problem else "soft")  # fmt: skip
        if game.problem is None:
            button(ground, 1, ground.height - 3, "Resume", "Enter", primary=True)
        else:
            ground.put(1, ground.height - 3, "  Cannot resume now  ", "soft", "panel")
        go_on = [Hint("Enter", "resume")] if game.problem is None else []
        key_bar(canvas, [Hint("↑ ↓", "game"), *go_on, Hint("Esc", "back")])

    def _draw_upright(self, canvas: Canvas) -> None:
        """Draws the list for a finger, and below it what there is to know about the game in focus."""
        from kimberley.client.session.game_lists import written_when
        from kimberley.client.session.unfinished_games import choices_played

        ground = stage(canvas)
        game = self.games[self.scroll.focus]
        about = wrap(game.problem or f"{choices_played(game).capitalize()}. {self._comes_back}", ground.width - 2)
        rows = (ground.height - len(about) - 1) // LEAST_ROWS
        for number, index in enumerate(self.scroll.shown(len(self.games), rows)):
            listed = self.games[index]
            fg: Color = "text" if listed.problem is None else "soft"
            when = Span(written_when(listed.written) if listed.written else "", "soft")
            below = (Span(join_names(listed.others), fg), when)
            nothing = Span("")
            focused = index == self.scroll.focus
            touch_row(ground, LEAST_ROWS * number, Span(listed.title, fg), nothing, below, focused, ("game", index))
        y = ground.height - len(about)
        paragraph(ground, 1, y, about, "warning" if game.problem else "soft")
        go_on = [Hint("Enter", "resume", primary=True)] if game.problem is None else []
        key_bar(canvas, [*go_on, Hint("Esc", "back")])

    def key(self, name: str) -> bool:
        if self.scroll.key(name, len(self.games)):
            return True
        match name:
            case "enter":
                self._resume()
            case "esc":
                self.ui.pop(self)
            case _:
                return False
        return True

    def click(self, action: Action, x: int, y: int, button: str) -> bool:
        match action:
            case ("game", int(index)):
                if self.scroll.focus == index:
                    self._resume()
                self.scroll.focus = index
                return True
        return False

    def wheel(self, action: Action | None, x: int, y: int, steps: int) -> bool:
        return self.scroll.wheel(steps, len(self.games))

    def game_id(self) -> str | None:
        return self.games[self.scroll.focus].game or None

    def help(self) -> Help:
        again = (Section("Meeting again", f"{self._comes_back} The table waits until everyone is back."),)
        return Help(
            "Resuming",
            (
                Section("Interrupted", "You quit, the program stopped unexpectedly (a crash, a power cut, a full "
                                       "disk), or everyone agreed to save the game for later. The choices you "
                                       "confirmed are saved."),
                Section("Not in the list", "A game you left or resigned cannot be resumed. With two players, it is "
                                           "over for both of you."),
                *(() if self.games[self.scroll.focus].alone else again),
                Section("Cannot be resumed", "Kimberley refuses a damaged saved game, since your program could "
                                             "contradict what it has signed, which counts as cheating. The message "
                                             "says what to do."),
            ),
        )  # fmt: skip
