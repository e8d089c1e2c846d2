"""The settings before a game: the level of the other side, the options of the game, the last look.

A player alone chooses them before the table is set up, a host at the open table.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from kimberley.client.screens.guide_offer import GuidedTable, has_guide
from kimberley.client.screens.removal import REMOVE_KEY, choose_whom_to_remove
from kimberley.client.screens.rows import RowsScreen
from kimberley.client.screens.shell import Shell
from kimberley.client.session.bots import can_seat_bots
from kimberley.client.session.options import for_other_game, remember, remembered
from kimberley.client.session.participants import removable_seats, seats_taken
from kimberley.client.ui.bars import key_bar, phase_strip, title_bar
from kimberley.client.ui.buttons import button, stepper, touch_stepper
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.glyphs import cell_width, wrap
from kimberley.client.ui.keys import Hint
from kimberley.client.ui.layout import stage
from kimberley.client.ui.lists import LEAST_ROWS
from kimberley.client.ui.panels import panel, paragraph, progress
from kimberley.client.ui.screen import Help, MenuItem, Section
from kimberley.games.bots.levels import level_sentence, levels_of, nearest_level
from kimberley.games.bots.lookup import has_bots
from kimberley.games.options import format_seat_counts, format_value
from kimberley.games.phrases import join_names
from kimberley.games.table import Game, Plain
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.sentences.notices import SETTING_UP
from kimberley.p2p.sentences.options import adjust_time, duration, refusal
from kimberley.p2p.table.common_options import (
    FINAL_ADJUSTMENT,
    GRACE,
    GRACE_SECONDS,
    NO_LIMIT,
    UNTIL_DONE,
    AdjustTimes,
    adjust_times,
)
from kimberley.protocol.play import NotAllowed

if TYPE_CHECKING:
    from kimberley.p2p.table.table import Table

GAME: Final = "game"
LEVEL: Final = "level"
SEATS: Final = "seats"
MAY: Final = "How many can play. If the game allows fewer, it can start as soon as everyone here is ready."
BOTS: Final = "your bots play"
ADJUST: Final = (NO_LIMIT.text, UNTIL_DONE.text, "6", "12", "20", "30")
"""The times to adjust that are offered, as they are typed."""
CHOOSES_GAME: Final = (
    "The game at this table. Each game keeps the options you last chose for it. The time to return is the same for all "
    "games."
)
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
    """Returns the index of a value in a row, or 0 if the row does not have it."""
    return next((index for index, (value, _) in enumerate(row.values) if format_value(value) == format_value(kept)), 0)


class SetupScreen(RowsScreen):
    """The options of a game that the player plays alone, or of the player's own open `table`.

    Left and right change them. At a table each change takes effect at once; otherwise Enter starts the game.
    """

    def __init__(self, shell: Shell, game: Game, table: Table | None = None, *, other_game: bool = False) -> None:
        """Takes `other_game`, which says whether the game is to be chosen before anything else."""
        super().__init__(shell)
        self.game, self._table = game, table
        self.rows: list[SetupRow] = []
        self.at: dict[str, int] = {}
        """The chosen value of each row, as an index."""
        self.refused: str | None = None
        """Why the rules do not allow a table with these options, as a sentence; None if they do."""
        self._bots_gone: list[str] = []
        """The names of the bots that left because they play another game, or made room for people."""
        self._seated = 0 if table is None else len(table.occupants.names)
        """How many sat at the table when the choice was last checked."""
        settings = shell.settings
        if table is None:
            self._fill(settings.seats, remembered(settings, game, alone=True))
        else:
            self._fill(table.occupants.seats, table.occupants.options)
            self.focus = 0 if other_game else 1

    # -- the model -----------------------------------------------------------------------------------------------------

    def _fill(self, seats: int, options: Mapping[str, Plain]) -> None:
        """Makes the rows of the game, with these values chosen."""
        self.rows = self._rows()
        level = nearest_level(self.game, self.shell.settings.level)
        kept = {GAME: self.game.id, LEVEL: level, SEATS: seats, GRACE: GRACE_SECONDS, **options}
        kept[FINAL_ADJUSTMENT] = adjust_times(kept).text
        self.at = {row.name: _index(row, kept.get(row.name)) for row in self.rows}
        self.refused = self._refusal()

    def _rows(self) -> list[SetupRow]:
        rows = []
        if self._table is not None:
            games = tuple((game.id, game.title) for game in self.shell.games())
            rows.append(SetupRow(GAME, "Game", games, CHOOSES_GAME))
        if self.many:
            counts = tuple((count, f"{count} players") for count in self.game.seats)
            may = "The number of players, including you." if self._table is None else MAY
            rows.append(SetupRow(SEATS, "Seats", counts, may))
        if has_bots(self.game) and (self._table is None or self._bots()):
            levels = tuple((n, f"{n}  {level.name}") for n, level in enumerate(levels_of(self.game), 1))
            who = BOTS if self._table is not None else "the computer plays"
            label = "Level" if self._table is None else "Bot level"
            rows.append(SetupRow(LEVEL, label, levels, f"How well {who}, from 1 (for a first game) to {len(levels)}."))
        for option in self.game.options:
            usual = dict(self.game.quick).get(option.name, option.values[0][0])
            label = next(label for value, label in option.values if format_value(value) == format_value(usual))
            about = option.about if self._table is None else f"Default: {label}. {option.about}"
            rows.append(SetupRow(option.name, option.label, option.values, about))
        if self.game.last_looks:
            rows.append(self._last_look())
        if self._table is not None:
            rows.append(self._grace(self._table))
        return rows

    def _bots(self) -> list[int]:
        """Returns the seats of the player's bots at the table."""
        return (
            [] if self._table is None else [n for n, who in enumerate(self._table.words.acquaintance) if who == "bot"]
        )

    def _last_look(self) -> SetupRow:
        settings, table = self.shell.settings, self._table
        kept = settings.adjust_alone if table is None else adjust_times(table.occupants.options).text
        looks = tuple((text, adjust_time(AdjustTimes.read(text))) for text in dict.fromkeys((*ADJUST, kept)))
        until_done = f"{adjust_time(UNTIL_DONE)}: until both are done"
        if table is None:
            about = (
                "How long the adjust step lasts. In it, you can change your plan if you got a report. "
                f"{until_done}. No limit: take your time; you will be asked only if an agent reported to you."
            )
        else:
            about = (
                f"Default: {adjust_time(UNTIL_DONE)}. How long the adjust step lasts. In it, a side that got a "
                f"report can change its plan. {until_done}; finish within {UNTIL_DONE.quiet} s, and nobody can tell "
                "that an agent reported to you. No limit: the wait may give you away."
            )
        return SetupRow(FINAL_ADJUSTMENT, "Adjust time", looks, about)

    def _grace(self, table: Table) -> SetupRow:
        offered = sorted({*GRACES, table.abandonment.grace})
        return SetupRow(GRACE, "Time to return", tuple((seconds, duration(seconds)) for seconds in offered),
                   f"Default: {duration(GRACE_SECONDS)}. How long the others wait for a player who lost the "
                   "connection. After that, they can keep waiting, or end the game."
        )  # fmt: skip

    @property
    def many(self) -> bool:
        """Returns whether the player can choose the number of seats."""
        return len(self.game.seats) > 1

    def names(self) -> list[str]:
        return [row.name for row in self.rows]

    def _values(self) -> dict[str, Plain]:
        """Returns the chosen values, by name."""
        return {row.name: row.values[self.at[row.name]][0] for row in self.rows}

    def _options(self) -> dict[str, Plain]:
        """Returns the chosen options of the table: all values except the game, the level and the number of seats."""
        chosen = {name: value for name, value in self._values().items() if name not in (GAME, LEVEL, SEATS)}
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
        """Returns what is said below the rows: why there can be no such table, or what the row in focus is about."""
        row = self.rows[self.focus]
        level = f" {level_sentence(self.game, self.at[LEVEL] + 1)}" if row.name == LEVEL else ""
        return self.refused or f"{row.about}{level}"

    def _refusal(self) -> str | None:
        if self._too_few_seats:
            if self._people() > max(self.game.seats):
                fitting = format_seat_counts(self.game.seats)
                return f"{self.game.title} is for {fitting} players. Remove a player, or choose another game."
            return f"{self._people()} people are seated. Remove a player, or choose more seats."
        return refusal(self.game, self.seats, self._options())

    def _people(self) -> int:
        """Returns how many people sit at the table."""
        return 0 if self._table is None else len(self._table.occupants.names) - len(self._bots())

    @property
    def _too_few_seats(self) -> bool:
        """Whether more people are seated than the choice has seats for. Bots make room."""
        return self.seats < self._people()

    def change(self, name: str, steps: int) -> None:
        row = self.rows[self.names().index(name)]
        self.at[name] = (self.at[name] + steps) % len(row.values)
        if name == GAME and self._table is not None:
            self._choose_game(self._table)
        self.refused = self._refusal()
        if self._table is not None and name != LEVEL:
            self._change_table(self._table)

    def _change_table(self, table: Table) -> None:
        """Gives the table the chosen game, options and seats, if the rules and those who are seated allow them."""
        if self.refused is not None:
            return
        options = self._options()
        if options.get(GRACE) == GRACE_SECONDS:
            del options[GRACE]
        # The game may have begun meanwhile.
        with suppress(NotAllowed):
            if table.game.id != self.game.id:
                # A bot plays one game only.
                self._send_bots_away(table, len(self._bots()))
            self._send_bots_away(table, len(table.occupants.names) - self.seats)
            table.hosting.change_options(options, self.seats, self.game)
            self.rows = self._rows()

    def _send_bots_away(self, table: Table, number: int) -> None:
        """Takes back the seats of `number` bots, the last ones first."""
        for seat in self._bots()[::-1][: max(0, number)]:
            self._bots_gone.append(table.occupants.names[seat])
            table.hosting.send_away(seat)

    def tick(self, now: float) -> None:
        """Lets a refused choice take effect, once enough players have left or been removed."""
        table = self._table
        if table is None or table.phase != "open" or self._seated == len(table.occupants.names):
            return
        self._seated = len(table.occupants.names)
        before, self.refused = self.refused, self._refusal()
        if before is not None:
            self._change_table(table)

    def _choose_game(self, table: Table) -> None:
        """Shows the chosen game with the options of the last table where it was played."""
        chosen, settings = self._values()[GAME], self.shell.settings
        if chosen == self.game.id:
            return
        self.game = next(game for game in self.shell.games() if game.id == chosen)
        self._fill(*for_other_game(settings, self.game, self._people(), self._whole(GRACE, settings.grace)))

    def closed(self) -> None:
        if self._table is None:
            return
        settings, before = self.shell.settings, nearest_level(self.game, self.shell.settings.level)
        if self.refused is None:
            self._remember()
        elif self._table.game.id != self.game.id:
            self.ui.toast(f"The game is {self._table.game.title}.")
        if nearest_level(self.game, settings.level) != before and self._table.phase == "open":
            self.ui.start(self._replace_bots(self._table))
        elif self._bots_gone and self._table.phase == "open":
            self._seat_bots_again(self._table)

    def _seat_bots_again(self, table: Table) -> None:
        """Gives free seats to the bots that left, and names those that stay away."""
        free = table.occupants.seats - len(table.occupants.names) if can_seat_bots(table) else 0
        if gone := self._bots_gone[::-1][free:]:
            self.ui.toast(f"{join_names(gone)} left the table.")
        if again := len(self._bots_gone) - len(gone):
            self.ui.start(self._seat_bots(table, again))

    async def _replace_bots(self, table: Table) -> None:
        """Puts bots of the chosen level in the place of those at the table."""
        seats = self._bots()
        for seat in reversed(seats):
            table.hosting.send_away(seat)
        await self._seat_bots(table, len(seats))

    async def _seat_bots(self, table: Table, number: int) -> None:
        try:
            for _ in range(number):
                await self.shell.services.seat_bot(table, self.shell.settings.level)
        except UserError as error:
            self.ui.toast(str(error), bad=True)

    def _remember(self) -> None:
        """Keeps what was chosen for the next table."""
        settings, options = self.shell.settings, self._options()
        settings.level = self._whole(LEVEL, settings.level)
        settings.game = self.game.id
        if self.many:
            settings.seats = self.seats
        remember(settings, self.game, options, alone=self._table is None)
        settings.save()

    def begin(self) -> None:
        """Sets up a table with the chosen options, if the rules allow them."""
        if self.refused is not None:
            self.ui.toast(self.refused, bad=True)
            return
        self._remember()
        alone, level = self.shell.services.alone, self.shell.settings.level
        opening = partial(alone, self.game.id, self._options(), self.seats, level)
        self.shell.sit(self.game.title, SETTING_UP, opening)

    def _strip(self) -> tuple[str, str, str]:
        """Returns what the phase strip says."""
        table = self._table
        if table is None:
            return "ALONE", "Choose how strong the computer is.", f"{self.seats} seats"
        if self.refused is not None:
            return "OPTIONS", "This choice does not count yet.", seats_taken(table)
        bots = {*self._bots(), table.occupants.seat}
        others = [name for seat, name in enumerate(table.occupants.names) if seat not in bots]
        see = "see" if len(others) > 1 else "sees"
        note = f" {join_names(others)} {see} them." if others else ""
        return "OPTIONS", f"Changes take effect at once.{note}", seats_taken(table)

    # -- the view ------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, now: float) -> None:
        title_bar(canvas, (self._table or self).game.title, self.shell.settings.name)
        phase_strip(canvas, 1, *self._strip())
        alone = self._table is None
        ground = stage(canvas)
        if canvas.touch:
            self._draw_upright(ground)
            start = [Hint("Enter", "play", primary=True)] if alone else []
            waits = self.refused is not None
            remove = [Hint(REMOVE_KEY, "remove", primary=True)] if self._to_remove() else []
            leave = Hint("Esc", "back" if alone or waits else "done", primary=not alone and not waits)
            key_bar(canvas, [*start, *remove, leave])
            return
        labels = max([12, *(cell_width(row.label) for row in self.rows)])
        values = max(cell_width(label) for row in self.rows for _, label in row.values) + 4
        room = min(ground.width - 2, max(60, labels + values + GAUGE + 18))
        gap = 2 if len(self.rows) <= CLOSE else 1
        below, x = gap * len(self.rows), (ground.width - room) // 2
        inside = panel(ground, x, 2, room, below + 8, "Play alone" if alone else "Options")
        for number, row in enumerate(self.rows):
            self._draw_row(inside, 1 + gap * number, row, number == self.focus, labels + 4, values)
        about = wrap(self._about(), inside.width - 4)
        paragraph(inside, 2, below + 2, about, "warning" if self.refused else "soft")
        y = below + 12
        for number, (label, key) in enumerate(buttons := self._buttons()):
            x = button(ground, x, y, label, key, primary=number == 0) + 1
        key_bar(canvas, [
            *([Hint("↑ ↓", "option")] if len(self.rows) > 1 else []),
            Hint("← →", "change"), *(Hint(key, label.lower()) for label, key in buttons),
        ])  # fmt: skip

    def _buttons(self) -> list[tuple[str, str]]:
        """Returns the buttons with their keys, the one that most people want first. A refused choice has no Done."""
        if self._table is None:
            return [("Play", "Enter"), ("Back", "Esc")]
        if self.refused is None:
            return [("Done", "Enter")]
        return [*([("Remove", REMOVE_KEY)] if self._to_remove() else []), ("Back", "Esc")]

    def _to_remove(self) -> list[int]:
        """Returns the seats of people, one of whom has to leave for the choice to take effect."""
        return removable_seats(self._table) if self._table is not None and self._too_few_seats else []

    def _draw_upright(self, ground: Canvas) -> None:
        """Draws the rows for a finger, and below them what the one in focus is about."""
        room = ground.width - 2
        about = wrap(self._about(), room)
        pitch = LEAST_ROWS + (len(self.rows) * (LEAST_ROWS + 1) + len(about) < ground.height)
        for number, row in enumerate(self.rows):
            value = row.values[self.at[row.name]][1]
            touch_stepper(ground, 1, number * pitch, room, value, less=(row.name, -1), more=(row.name, 1),
                          select=(row.name, 0), label=row.label, focused=number == self.focus)  # fmt: skip
        y = len(self.rows) * pitch + 1
        paragraph(ground, 1, y, about[: ground.height - y], "warning" if self.refused else "soft")

    def _draw_row(self, canvas: Canvas, y: int, row: SetupRow, focused: bool, x: int, room: int) -> None:
        if focused:
            canvas.put(0, y, "▸", "text", bold=True)
        canvas.put(2, y, row.label, "text" if focused else "soft", bold=focused)
        canvas.hit(0, y, canvas.width, 1, (row.name, 0))
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
            case "enter" if self._table is None:
                self.begin()
            case "enter" if self.refused is not None:
                self.ui.toast(self.refused, bad=True)
            case "enter":
                self.ui.pop(self)
            case _ if name == REMOVE_KEY and self._table is not None and (seats := self._to_remove()):
                choose_whom_to_remove(self.ui, self._table, seats)
            case _:
                return super().key(name)
        return True

    def wheel(self, action: Action | None, x: int, y: int, steps: int) -> bool:
        name = str(action[0]) if isinstance(action, tuple) else self.rows[self.focus].name
        return self.click((name, -steps), x, y, "left")

    def menu(self) -> list[MenuItem]:
        if self._table is not None or not has_guide(self.game):
            return []
        return [MenuItem("A guided game", "g", lambda: GuidedTable(self.game).play(self.shell), inside=True)]

    def game_id(self) -> str:
        return self.game.id

    def help(self) -> Help:
        return Help(
            self.game.title,
            tuple(Section(row.label, row.about or "An option of this game.") for row in self.rows),
        )
