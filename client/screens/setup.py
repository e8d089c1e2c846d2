"""The settings before a game: the level of the other side, the options of the game, the last look."""

from __future__ import annotations

from functools import partial
from typing import Final, Literal, NamedTuple

from kimberley.client.screens.guide_offer import has_guide, play_guided
from kimberley.client.screens.rows import RowsScreen
from kimberley.client.screens.shell import Shell
from kimberley.client.session.options import duration, refusal, remember, remembered
from kimberley.client.ui.bars import key_bar, phase_strip, title_bar
from kimberley.client.ui.buttons import button, stepper, touch_stepper
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.glyphs import cell_width, wrap
from kimberley.client.ui.hints import Hint
from kimberley.client.ui.layout import stage
from kimberley.client.ui.lists import LEAST_ROWS
from kimberley.client.ui.panels import panel, paragraph, progress
from kimberley.client.ui.screen import Help, MenuItem, Section
from kimberley.games.levels import nearest_level
from kimberley.games.options import format_value
from kimberley.games.table import Game, Plain
from kimberley.p2p.table.common_options import FINAL_ADJUSTMENT, GRACE, NO_LIMIT, UNTIL_DONE, AdjustTimes, adjust_times

LEVEL: Final = "level"
SEATS: Final = "seats"
MAY: Final = "How many can play. If the game allows fewer, it can start as soon as everyone here is ready."
BOTS: Final = "bots play when you add them"
ADJUST: Final = (NO_LIMIT.text, UNTIL_DONE.text, "6", "12", "20", "30")
"""The times to adjust that are offered, as they are typed."""
GAUGE: Final = 10
"""The columns of the bar that shows how high a level is."""
GRACES: Final = (30, 60, 120, 300, 900, 3600, 86400)
CLOSE: Final = 3
"""Up to this many options have an empty row between them. More are packed closer, so that the buttons fit."""


class SetupRow(NamedTuple):
    """A row that can be changed: its name, its label, its possible values with their labels, and an explanation."""

    name: str
    label: str
    values: tuple[tuple[Plain, str], ...]
    about: str


def _index(row: SetupRow, kept: Plain) -> int:
    """The index of a value in a row, or 0 if the row does not have it."""
    return next((index for index, (value, _) in enumerate(row.values) if format_value(value) == format_value(kept)), 0)


def _time_label(times: AdjustTimes) -> str:
    if not times.most:
        return "no limit"
    return f"{times.most} s" if times.fixed else "until both are done"


class SetupScreen(RowsScreen):
    """The options before the player plays alone or hosts a game. Left and right change them, Enter starts."""

    def __init__(self, shell: Shell, game: Game, kind: Literal["alone", "host"]) -> None:
        super().__init__(shell)
        self.game, self.kind = game, kind
        self.rows = self._rows()
        settings = shell.settings
        kept = {
            LEVEL: nearest_level(game, settings.level),
            SEATS: settings.seats,
            GRACE: settings.grace,
            **remembered(settings, game, alone=kind == "alone"),
        }
        kept[FINAL_ADJUSTMENT] = adjust_times(kept).text
        self.at = {row.name: _index(row, kept.get(row.name)) for row in self.rows}
        self.refused = self._refusal()
        """Why the rules do not allow a table with these options, as a sentence; None if they do."""

    # -- the model -----------------------------------------------------------------------------------------------------

    def _rows(self) -> list[SetupRow]:
        rows = []
        if self.many:
            counts = tuple((count, f"{count} players") for count in self.game.seats)
            may = "The number of players, including you." if self.kind == "alone" else MAY
            rows.append(SetupRow(SEATS, "Seats", counts, may))
        if self.kind == "alone" or self.many:
            levels = tuple((n, f"{n}  {level.name}") for n, level in enumerate(self.game.levels, 1))
            who = "your opponent plays" if not self.many else "the others play" if self.kind == "alone" else BOTS
            label = "Level" if self.kind == "alone" else "Bot level"
            rows.append(SetupRow(LEVEL, label, levels, f"How well {who}: from 1, for a first game, to {len(levels)}."))
        rows += [SetupRow(option.name, option.label, option.values, option.about) for option in self.game.options]
        if self.game.last_looks:
            rows.append(self._last_look())
        if self.kind == "host":
            rows.append(self._grace())
        return rows

    def _last_look(self) -> SetupRow:
        settings = self.shell.settings
        kept = settings.adjust_alone if self.kind == "alone" else settings.adjust
        looks = tuple((text, _time_label(AdjustTimes.read(text))) for text in dict.fromkeys((*ADJUST, kept)))
        if self.kind == "alone":
            about = (
                "How long you can adjust your plan after double agents report. No limit: take your time; you are "
                "asked only if an agent reported to you."
            )
        else:
            about = (
                "How long both can adjust their plans after double agents report. Until both are done: "
                f"{UNTIL_DONE.most} s at most, and within {UNTIL_DONE.quiet} s you give nothing away. No limit: the "
                "wait may give you away."
            )
        return SetupRow(FINAL_ADJUSTMENT, "Time to adjust", looks, about)

    def _grace(self) -> SetupRow:
        offered = sorted({*GRACES, self.shell.settings.grace})
        return SetupRow(GRACE, "Absent player", tuple((seconds, duration(seconds)) for seconds in offered),
                   "How long to wait for a player who lost the connection before the others can end the game. They "
                   "do not have to: a player who comes back gets the seat back."
        )  # fmt: skip

    @property
    def many(self) -> bool:
        """Returns whether the player can choose the number of seats."""
        return len(self.game.seats) > 1

    def names(self) -> list[str]:
        return [row.name for row in self.rows]

    def _values(self) -> dict[str, Plain]:
        """The chosen values, by name."""
        return {row.name: row.values[self.at[row.name]][0] for row in self.rows}

    def _options(self) -> dict[str, Plain]:
        """The chosen options of the table: all values except the level and the number of seats."""
        chosen = {name: value for name, value in self._values().items() if name not in (LEVEL, SEATS)}
        if isinstance(times := chosen.get(FINAL_ADJUSTMENT), str):
            chosen |= AdjustTimes.read(times).options
        return chosen

    def _whole(self, name: str, otherwise: int) -> int:
        value = self._values().get(name, otherwise)
        assert isinstance(value, int)
        return value

    @property
    def seats(self) -> int:
        """The chosen number of seats."""
        return self._whole(SEATS, self.game.seats[0])

    def _about(self) -> str:
        """What is said below the rows: why there can be no such table, or what the row in focus is about."""
        row = self.rows[self.focus]
        level = f"{self.game.levels[self.at[LEVEL]].about} " if row.name == LEVEL else ""
        return self.refused or f"{level}{row.about}"

    def _refusal(self) -> str | None:
        return refusal(self.game, self.seats, self._options())

    def change(self, name: str, steps: int) -> None:
        row = self.rows[self.names().index(name)]
        self.at[name] = min(max(0, self.at[name] + steps), len(row.values) - 1)
        self.refused = self._refusal()

    def begin(self) -> None:
        """Opens a table with the chosen options, if the rules allow them."""
        settings, game, seats, options = self.shell.settings, self.game, self.seats, self._options()
        if self.refused is not None:
            self.ui.toast(self.refused, bad=True)
            return
        settings.level = self._whole(LEVEL, settings.level)
        settings.game = game.id
        if self.many:
            settings.seats = seats
        remember(settings, game, options, alone=self.kind == "alone")
        settings.save()
        services = self.shell.services
        if self.kind == "alone":
            opening = partial(services.alone, game.id, options, seats, settings.level)
            self.shell.sit(game.title, "Setting up the table.", opening)
        else:
            self.shell.sit(game.title, "Opening the table.", partial(services.host, game.id, options, seats))

    # -- the view ------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, now: float) -> None:
        title_bar(canvas, self.game.title, self.shell.settings.name)
        sentence = (
            "Choose how strong the computer is." if self.kind == "alone" else "Set the options, then open the table."
        )
        phase_strip(canvas, 1, "ALONE" if self.kind == "alone" else "HOST", sentence, f"{self.seats} seats")
        ground = stage(canvas)
        if canvas.touch:
            self._draw_upright(ground)
            start = "play" if self.kind == "alone" else "open the table"
            key_bar(canvas, [Hint("Enter", start, primary=True), Hint("Esc", "back")])
            return
        labels = max([12, *(cell_width(row.label) for row in self.rows)])
        values = max(cell_width(label) for row in self.rows for _, label in row.values) + 4
        room = min(ground.width - 2, max(60, labels + values + GAUGE + 18))
        gap = 2 if len(self.rows) <= CLOSE else 1
        below, x = gap * len(self.rows), (ground.width - room) // 2
        inside = panel(ground, x, 2, room, below + 8, "Play alone" if self.kind == "alone" else "Host")
        for number, row in enumerate(self.rows):
            self._draw_row(inside, 1 + gap * number, row, number == self.focus, labels + 4, values)
        about = wrap(self._about(), inside.width - 4)
        paragraph(inside, 2, below + 2, about, "warning" if self.refused else "soft")
        y = below + 12
        after = button(ground, x, y, "Play" if self.kind == "alone" else "Open the table", "Enter", primary=True)
        button(ground, after + 1, y, "Back", "Esc")
        key_bar(canvas, [
            *([Hint("↑ ↓", "option")] if len(self.rows) > 1 else []),
            Hint("← →", "change"), Hint("Enter", "play" if self.kind == "alone" else "open"),
            Hint("Esc", "back"), Hint("F1", "help"),
        ])  # fmt: skip

    def _draw_upright(self, ground: Canvas) -> None:
        """Draws the rows for a finger, and below them what the one in focus is about."""
        room = ground.width - 2
        about = wrap(self._about(), room)
        pitch = LEAST_ROWS + (len(self.rows) * (LEAST_ROWS + 1) + len(about) < ground.height)
        for number, row in enumerate(self.rows):
            value = row.values[self.at[row.name]][1]
            touch_stepper(ground, 1, number * pitch, room, value, less=(row.name, -1), more=(row.name, 1),
                          label=row.label, focused=number == self.focus)  # fmt: skip
        y = len(self.rows) * pitch + 1
        paragraph(ground, 1, y, about[: ground.height - y], "warning" if self.refused else "soft")

    def _draw_row(self, canvas: Canvas, y: int, row: SetupRow, focused: bool, x: int, room: int) -> None:
        if focused:
            canvas.put(0, y, "▸", "text", bold=True)
        canvas.put(2, y, row.label, "text" if focused else "soft", bold=focused)
        at = self.at[row.name]
        less, more = (row.name, -1), (row.name, 1)
        after = stepper(canvas, x, y, row.values[at][1], less=less, more=more, room=room, focused=focused)
        if row.name == LEVEL and canvas.width - after >= GAUGE + 2:
            progress(canvas, after + 2, y, GAUGE, (at + 1) / len(row.values))

    # -- keys and clicks -----------------------------------------------------------------------------------------------

    def key(self, name: str) -> bool:
        match name:
            case "pageup" | "pagedown":
                self.change(self.rows[self.focus].name, 5 if name == "pageup" else -5)
            case "enter":
                self.begin()
            case _:
                return super().key(name)
        return True

    def wheel(self, action: Action | None, x: int, y: int, steps: int) -> bool:
        name = str(action[0]) if isinstance(action, tuple) else self.rows[self.focus].name
        return self.click((name, -steps), x, y, "left")

    def menu(self) -> list[MenuItem]:
        if self.kind == "host" or not has_guide(self.game):
            return []
        return [MenuItem("A guided game", "g", lambda: play_guided(self.shell, self.game))]

    def game_id(self) -> str:
        return self.game.id

    def help(self) -> Help:
        return Help(
            self.game.title,
            tuple(Section(row.label, row.about or "An option of this game.") for row in self.rows),
        )
