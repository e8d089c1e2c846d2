"""What is settled before a game: the level of the other side, the options of the game, the last look."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from client.canvas import Action, Canvas
from client.glyphs import wrapped
from client.screen import Help, Screen, Section
from client.screens.shell import Shell
from client.screens.stage import LAST_LOOK, stage
from client.widgets import Hint, button, key_bar, panel, paragraph, phase_strip, progress, stepper, title_bar
from games.table import Game, Plain

LEVELS: Final = 20
LOOKS: Final = (0, 6, 12, 20, 30)
KINDS: Final = ("apprentice", "trader", "dealer", "broker", "magnate")


class Row(NamedTuple):
    """A line that can be changed: its name, label, what it may be, with words for each."""

    name: str
    label: str
    values: tuple[tuple[Plain, str], ...]
    about: str


class SetupScreen(Screen):
    """Options before one plays alone or hosts. Left and right change, Enter starts."""

    def __init__(self, shell: Shell, game: Game, kind: Literal["alone", "host"]) -> None:
        super().__init__(shell)
        self.shell, self.game, self.kind = shell, game, kind
        self.rows = self._rows()
        self.at = {row.name: self._index(row) for row in self.rows}
        self.focus = 0

    # -- the model -----------------------------------------------------------------------------------------------------

    def _rows(self) -> list[Row]:
        rows = []
        if self.kind == "alone":
            levels = tuple((n, f"{n}  {KINDS[(n - 1) * len(KINDS) // LEVELS]}") for n in range(1, LEVELS + 1))
            rows.append(Row("level", "Level", levels, "How well the other side plays, from 1 to 20."))
        rows += [Row(option.name, option.label, option.values, "") for option in self.game.options]
        offered = sorted({*LOOKS, self.ui.settings.last_look})
        looks = tuple((seconds, f"{seconds} s" if seconds else "off") for seconds in offered)
        rows.append(
            Row(LAST_LOOK, "Last look", looks,
                "The time that every side has to change its plan after an agent may have talked. It is the same "
                "whether one did or not, so it tells nothing. Off: all say Done, and how long one takes may tell.")
        )  # fmt: skip
        return rows

    def _index(self, row: Row) -> int:
        kept = {"level": self.ui.settings.level, LAST_LOOK: self.ui.settings.last_look}.get(row.name)
        return next((index for index, (value, _) in enumerate(row.values) if value == kept), 0)

    def _value(self, name: str) -> Plain:
        row = next(row for row in self.rows if row.name == name)
        return row.values[self.at[name]][0]

    def _change(self, steps: int) -> None:
        row = self.rows[self.focus]
        self.at[row.name] = min(max(0, self.at[row.name] + steps), len(row.values) - 1)

    def _begin(self) -> None:
        settings = self.ui.settings
        level = self._value("level") if self.kind == "alone" else settings.level
        look = self._value(LAST_LOOK)
        assert isinstance(level, int)
        assert isinstance(look, int)
        settings.level, settings.last_look, settings.game = level, look, self.game.id
        settings.save()
        options = {row.name: self._value(row.name) for row in self.rows if row.name != "level"}
        services = self.shell.services
        if self.kind == "alone":
            self.shell.sit(self.game.title, "The table is being set.", services.alone(self.game.id, options, level))
        else:
            self.shell.sit(self.game.title, "The table is being opened.", services.host(self.game.id, options))

    # -- the view ------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, now: float) -> None:
        title_bar(canvas, self.game.title, self.ui.settings.name)
        sentence = "Choose how strong the other side is." if self.kind == "alone" else "Settle the table, then open it."
        phase_strip(canvas, 1, "ALONE" if self.kind == "alone" else "HOST", sentence, f"{self.game.seats[0]} seats")
        ground = stage(canvas)
        room = 60
        inside = panel(ground, 10, 2, room, 2 * len(self.rows) + 8, "Play alone" if self.kind == "alone" else "Host")
        for number, row in enumerate(self.rows):
            self._draw_row(inside, 1 + 2 * number, row, number == self.focus)
        about = wrapped(self.rows[self.focus].about, inside.width - 4)
        paragraph(inside, 2, 2 * len(self.rows) + 2, about)
        y = 2 * len(self.rows) + 12
        after = button(ground, 10, y, "Play" if self.kind == "alone" else "Open the table", "Enter", primary=True)
        button(ground, after + 1, y, "Back", "Esc")
        key_bar(canvas, [
            *([Hint("↑ ↓", "option")] if len(self.rows) > 1 else []),
            Hint("←", "less"), Hint("→", "more"), Hint("Enter", "play" if self.kind == "alone" else "open"),
            Hint("Esc", "back"), Hint("F1", "help"),
        ])  # fmt: skip

    def _draw_row(self, canvas: Canvas, y: int, row: Row, focused: bool) -> None:
        if focused:
            canvas.put(0, y, "▸", "text", bold=True)
        canvas.put(2, y, row.label, "text" if focused else "soft", bold=focused)
        at = self.at[row.name]
        room = max(len(label) for _, label in row.values) + 4
        after = stepper(canvas, 16, y, row.values[at][1], less=(row.name, -1), more=(row.name, 1), room=room)
        if row.name == "level" and canvas.width - after > LEVELS // 2 + 2:
            progress(canvas, after + 2, y, LEVELS // 2, (at + 1) / LEVELS)

    # -- keys and clicks -----------------------------------------------------------------------------------------------

    def key(self, name: str) -> bool:
        match name:
            case "up" | "s-tab":
                self.focus = (self.focus - 1) % len(self.rows)
            case "down" | "tab":
                self.focus = (self.focus + 1) % len(self.rows)
            case "left" | "-":
                self._change(-1)
            case "right" | "+" | " ":
                self._change(1)
            case "pageup" | "pagedown":
                self._change(5 if name == "pageup" else -5)
            case "enter":
                self._begin()
            case "esc":
                self.ui.pop(self)
            case _:
                return False
        return True

    def click(self, action: Action, x: int, y: int, button: str) -> bool:
        match action:
            case (str(name), int(steps)):
                self.focus = next(index for index, row in enumerate(self.rows) if row.name == name)
                self._change(steps)
                return True
        return False

    def wheel(self, action: Action | None, x: int, y: int, steps: int) -> bool:
        if isinstance(action, tuple):
            self.click((action[0], -steps), x, y, "left")
        else:
            self._change(-steps)
        return True

    def help(self) -> Help:
        return Help(
            self.game.title,
            tuple(Section(row.label, row.about or "An option of this game.") for row in self.rows),
        )
