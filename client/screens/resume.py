"""Games that wait to be taken up again: which there are, with whom, how far they have come."""

from __future__ import annotations

from typing import Final

from client.canvas import Action, Canvas
from client.glyphs import wrapped
from client.people import in_a_row
from client.screen import Help, Screen, Section
from client.screens.shell import Shell
from client.services import Unfinished
from client.widgets import (
    Column,
    Hint,
    Scroll,
    Text,
    button,
    headings,
    key_bar,
    list_row,
    paragraph,
    phase_strip,
    title_bar,
)  # fmt: skip

COMES_BACK: Final = (
    "You take your seat again exactly as it was. The others are looked for where they were, and on this network; "
    "nobody need remember an address."
)


class ResumeScreen(Screen):
    """The list, and what the focused game waits for."""

    def __init__(self, shell: Shell, games: tuple[Unfinished, ...]) -> None:
        super().__init__(shell)
        self.shell = shell
        self.games = games
        self.scroll = Scroll()

    def _resume(self) -> None:
        game = self.games[self.scroll.focus]
        if game.problem is not None:
            self.ui.toast(game.problem, bad=True)
            return
        self.shell.sit(game.title, f"Going on with {in_a_row(game.others)}.", self.shell.services.resume(game))

    def draw(self, canvas: Canvas, now: float) -> None:
        from client.resuming import played, when

        title_bar(canvas, "Go on", self.ui.settings.name)
        phase_strip(canvas, 1, "RESUME", "Games that were interrupted. Pick one to take your seat again.")
        room = min(canvas.width, 104)
        ground = canvas.region((canvas.width - room) // 2, 2, room, canvas.height - 3)
        columns = (
            Column("Game", 3, 26), Column("With", 30, room - 65), Column("Played", room - 34, 19),
            Column("Last", room - 14, 13, right=True),
        )  # fmt: skip
        headings(ground, 1, 1, (columns[0]._replace(x=1), *columns[1:]))
        ground.rule(1, 2, ground.width - 2)
        for number, index in enumerate(self.scroll.shown(len(self.games), ground.height - 11)):
            game = self.games[index]
            fg = "text" if game.problem is None else "soft"
            cells = (
                Text(game.title, fg), Text(in_a_row(game.others), fg), Text(played(game), "soft"),
                Text(when(game.written) if game.written else "", "soft"),
            )  # fmt: skip
            focused = index == self.scroll.focus
            list_row(ground, 1, 3 + number, ground.width - 2, columns, cells, focused, action=("game", index))
        game = self.games[self.scroll.focus]
        below = ground.height - 6
        paragraph(ground, 1, below, wrapped(game.problem or COMES_BACK, ground.width - 2)[:3],
                  "warning" if game.problem else "soft")  # fmt: skip
        button(ground, 1, ground.height - 3, "Go on", "Enter", primary=True)
        key_bar(canvas, [Hint("↑ ↓", "game"), Hint("Enter", "go on"), Hint("Esc", "back"), Hint("F1", "help")])

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
        return self.scroll.key("up" if steps < 0 else "down", len(self.games))

    def help(self) -> Help:
        return Help(
            "Going on",
            (
                Section("Interrupted", "A game whose program ended before the game did: a crash, a power cut, a full "
                        "disk, or all agreed to go on another day. Everything that your seat has said is kept."),
                Section("Meeting again", f"{COMES_BACK} The table waits until everyone is back."),
                Section("Not to be continued", "A damaged journal is refused, for your seat might contradict what it "
                        "said before: the message says what to do."),
            ),
        )  # fmt: skip
