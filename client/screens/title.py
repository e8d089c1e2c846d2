"""The title screen: the name, the gem, the installed games, and the three ways to a table."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Final

from kimberley.client.screens.nearby import NearbyScreen
from kimberley.client.screens.shell import Shell
from kimberley.client.session.services import UnfinishedGame
from kimberley.client.ui import gem, wordmark
from kimberley.client.ui.bars import key_bar, whole_sentences
from kimberley.client.ui.buttons import button
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.columns import Column, TableColumns
from kimberley.client.ui.glyphs import cell_width, truncate, wrap
from kimberley.client.ui.keys import HELP_KEY, Hint, key_name
from kimberley.client.ui.lists import LEAST_ROWS, Scroll, touch_row
from kimberley.client.ui.panels import paragraph
from kimberley.client.ui.screen import Help, MenuItem, Section
from kimberley.client.ui.spans import Span
from kimberley.client.ui.touch import bar_rows
from kimberley.games.phrases import count_of, join_names
from kimberley.p2p.base.platform import in_background

SPARKS: Final = ((24, -1, "·"), (27, 1, "•"), (-3, 3, "·"))
"""Where the gem sparkles: columns and rows from its top left corner."""

SUMMARY_ROOM: Final = 42
SUMMARY_ROWS: Final = 2
BUTTONS: Final = (("Play alone", "a"), ("Host", "h"), ("Join", "j"))
SETTLE_SECONDS: Final = 0.3
NAME: Final = "KIMBERLEY"
AND: Final = " and "
"""Between the tables nearby and the tournaments."""
GO_ON_ROWS: Final = 2
"""The rows above the buttons of a portrait screen: who the player is."""


class TitleScreen(NearbyScreen):
    """The first screen, and the last."""

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell)
        self.games = shell.games()
        self.scroll = Scroll(next((i for i, g in enumerate(self.games) if g.id == shell.settings.game), 0))
        self.open = 0
        self.tournaments = 0
        self.unfinished: tuple[UnfinishedGame, ...] = ()
        self.focus: int | None = None
        self.summaries: dict[str, Sequence[str]] = {}
        """For each game, what it is, in lines."""
        self._looked = False
        """Whether the unfinished games are known."""
        self._wants_on = False
        """Whether the user has asked to resume one before they were."""
        self._lit: float | None = None
        self._dark = shell.calm

    # -- the model -----------------------------------------------------------------------------------------------------

    @property
    def _buttons(self) -> list[tuple[str, str]]:
        """Returns the buttons that the game in focus has: one without bots cannot be played alone."""
        from kimberley.games.bots.lookup import has_bots

        alone = not self.games or has_bots(self.games[self.scroll.focus])
        offered = {BUTTONS[0]: alone, BUTTONS[1]: self.shell.services.may_host}
        return [button for button in BUTTONS if offered.get(button, True)]

    def opened(self) -> None:
        self.ui.start(self.load())

    async def load(self) -> None:
        """Loads what later screens need, after the title has been drawn."""
        await asyncio.sleep(SETTLE_SECONDS)
        await self._look_back()
        self.summaries = await in_background(summaries_of, [game.id for game in self.games])
        self.refresh()
        await in_background(_load_screens)
        await self.warm()

    async def _look_back(self) -> None:
        """Looks for unfinished games."""
        self.unfinished = await self.shell.services.unfinished()
        self._looked = True
        self.refresh()
        if self._wants_on:
            self._wants_on = False
            self.ui.toast("")
            self._go_on()

    def shown(self) -> None:
        super().shown()
        if self._warmed:
            self.ui.start(self._look_back())
            self._play()

    def _play(self) -> None:
        """Plays the music of the title, which goes on without transitions."""
        if self.shell.audio.silence:
            return
        from kimberley.client.audio.title import TITLE

        self.shell.audio.play_piece(TITLE)

    def on_tables_changed(self) -> None:
        tables = self.shell.services.nearby().tables
        joinable = [table for table in tables if table.versions is None and table.key != "you"]
        self.open = sum(table.tournament is None and not table.full for table in joinable)
        self.tournaments = sum(table.tournament is not None and not table.over for table in joinable)
        self.ui.redraw()

    def _glint(self, now: float) -> float | None:
        """Returns how far the light has moved across the name, from 0 to 1; None if there is no light."""
        if self._dark:
            return None
        if self._lit is None:
            self._lit = now
        share = (now - self._lit) / wordmark.GLINT_SECONDS
        self._dark = share >= 1
        return None if self._dark else share

    # -- the view ------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, now: float) -> None:
        if canvas.portrait:
            self._draw_upright(canvas, now)
            return
        scale = 2 if canvas.width >= 2 * wordmark.WIDTH + 4 and canvas.height >= 40 else 1
        spare = canvas.height - 24 - (scale - 1) * wordmark.ROWS
        rows = gem.ROWS + min(max(0, spare - 2), 8) * (canvas.width >= 96)
        stone = rows * gem.WIDTH // gem.ROWS
        top = 1 + max(0, spare - (rows - gem.ROWS)) // 3
        wordmark.draw_wordmark(canvas, (canvas.width - wordmark.WIDTH * scale) // 2, top, self._glint(now), scale)
        below = top + wordmark.ROWS * scale + 1
        canvas.center(0, below, canvas.width, self._motto(), "soft")

        left = (canvas.width - stone - 5 - 40) // 2
        stone_top = below + 3
        gem.draw_gem(canvas, left, stone_top, stone, rows)
        for x, y, spark in SPARKS:
            canvas.put(left + x * stone // gem.WIDTH, stone_top + y * rows // gem.ROWS, spark, "ice")
        self._draw_choices(canvas, left + stone + 5, stone_top - 1, rows + 2)
        canvas.put(1, canvas.height - 2, self.shell.version, "soft")
        # The offer to resume names its key.
        drawn = ("enter", *(key for _, key in self._buttons)) if canvas.touch else ("g",)
        key_bar(canvas, [hint for hint in self._hints() if key_name(hint.key) not in drawn])

    def _draw_upright(self, canvas: Canvas, now: float) -> None:
        """Draws everything in one column: the name, the gem, the games within reach of the thumb, and the buttons."""
        del now
        width = canvas.width
        canvas.center(0, 1, width, " ".join(NAME), "ice", bold=True)
        for number, line in enumerate(wrap(self._motto(), width - 2)):
            canvas.center(0, 3 + number, width, line, "soft")
        top, left = 6, (width - gem.WIDTH) // 2
        gem.draw_gem(canvas, left, top)
        for x, y, spark in SPARKS:
            canvas.put(left + x, top + y, spark, "ice")
        y = top + gem.ROWS + 1
        rows = (canvas.height - y - bar_rows(canvas) - GO_ON_ROWS - SUMMARY_ROWS - 2) // LEAST_ROWS
        for number, index in enumerate(self.scroll.shown(len(self.games), rows)):
            game, focused = self.games[index], index == self.scroll.focus
            players = Span(_players(game.seats), "soft")
            row = y + LEAST_ROWS * number
            touch_row(canvas, row, Span(game.title), players, (), focused, ("game", index))
        y += LEAST_ROWS * min(rows, len(self.games))
        if self.games:
            summary = " ".join(self.summaries.get(self.games[self.scroll.focus].id, ()))
            paragraph(canvas, 1, y, wrap(summary, width - 2, SUMMARY_ROWS + 1))
        y = canvas.height - bar_rows(canvas) - GO_ON_ROWS
        after = canvas.put(1, y, "You are ", "soft")
        after = canvas.put(after, y, truncate(self.shell.settings.name, 10), "text", bold=True)
        canvas.hit(0, y, after + 1, LEAST_ROWS, "key:n")
        if nearby := self._nearby(width - after - 3):
            self._hit_nearby(canvas, canvas.right(width - 1, y, nearby, "ok"), y, nearby, LEAST_ROWS)
        buttons = [Hint(key, label, primary=number == 0) for number, (label, key) in enumerate(self._buttons)]
        key_bar(canvas, [*buttons, *self._hints()[1:]])

    def _motto(self) -> str:
        count = len(self.games)
        games = "a diamond game" if count == 1 else f"{_NUMBERS.get(count, str(count))} diamond games"
        return f"{games} · no game server · every game proven fair"

    def _draw_choices(self, canvas: Canvas, x: int, y: int, rows: int) -> None:
        """Draws the list of games, the buttons and the user's name, spread over `rows`."""
        room, spare = 40, max(0, rows - 12)
        listed = max(1, min(len(self.games), rows - 7))
        y += min(spare, 5 - min(listed, 5)) // 2 + (5 - min(listed, 5)) // 2
        canvas.put(x + 1, y, "Game", "soft")
        canvas.right(x + room, y, "players", "soft")
        table = TableColumns((Column(room=29, gap=3), Column(room=6, right=True)), room)
        for number, index in enumerate(self.scroll.shown(len(self.games), listed)):
            game = self.games[index]
            cells = (Span(game.title), Span(_players(game.seats), "soft"))
            focused = index == self.scroll.focus
            table.row(canvas, x, y + 1 + number, cells, focused=focused, action=("game", index))
        if self.scroll.top:
            canvas.put(x + 7, y, "▴ more", "soft")
            canvas.hit(x + 6, y, 8, 1, ("game", self.scroll.top - 1))
        if (beyond := self.scroll.top + listed) < len(self.games):
            canvas.put(x + 15, y, "▾ more", "soft")
            canvas.hit(x + 14, y, 8, 1, ("game", beyond))
        line = y + 1 + listed
        if self.games:
            paragraph(canvas, x + 1, line, self.summaries.get(self.games[self.scroll.focus].id, ()))
        at, line = x, line + SUMMARY_ROWS + 1
        for number, (label, key) in enumerate(self._buttons):
            at = 1 + button(canvas, at, line, label, key, primary=number == 0, focused=self.focus == number)
        line += 2
        if self.unfinished:
            self._draw_go_on(canvas, x, line, self._ready)
            line += 1
        line += 1
        after = canvas.put(x + 1, line, "You are ", "soft")
        name = truncate(self.shell.settings.name, 10)
        after = canvas.put(after, line, name, "text", bold=True)
        canvas.hit(x, line, after - x + 1, 1, "key:n")
        if nearby := self._nearby(canvas.width - after - 2):
            canvas.put(after + 2, line, nearby, "ok")
            self._hit_nearby(canvas, after + 2, line, nearby, 1)

    def _hit_nearby(self, canvas: Canvas, x: int, y: int, nearby: str, rows: int) -> None:
        """Makes a click on what is open nearby show the list, at the tournament if the click is on that."""
        tables, comma, _ = nearby.partition(AND) if self.tournaments else (nearby, "", "")
        canvas.hit(x - 1, y, cell_width(nearby) + 2, rows, "tournament" if self.tournaments else "key:j")
        if comma:
            canvas.hit(x - 1, y, cell_width(tables) + 2, rows, "key:j")

    def _nearby(self, room: int) -> str:
        """Returns what is open on this network, in a few words."""
        tables = count_of(self.open, "table") if self.open else ""
        cups = self.tournaments
        tournaments = "a tournament" if cups == 1 else count_of(cups, "tournament") if cups else ""
        found = AND.join(filter(None, (tables, tournaments)))
        whole = f"{found} nearby" if found else ""
        return whole if cell_width(whole) <= room else truncate(found, room)

    def _draw_go_on(self, canvas: Canvas, x: int, y: int, ready: Sequence[UnfinishedGame]) -> None:
        """Draws the offer to resume in two rows: with whom, which game, how far it got, and when it was last played."""
        from kimberley.client.session.game_lists import written_when
        from kimberley.client.session.unfinished_games import choices_played

        room = canvas.width - x - 2
        if not ready:
            self._draw_stuck(canvas, x, y, room)
            return
        last = ready[0]
        several = f"Resume one of {len(ready)} games"
        label = several if len(ready) > 1 else f"Resume with {join_names(last.others)}"
        after = canvas.put(x + 1, y, truncate(label, 36), "money", bold=True)
        after = canvas.put(after + 1, y, "g", "soft")
        canvas.hit(x, y, room, 2, "key:g")
        played = choices_played(last)
        if len(ready) == 1 and cell_width(played) <= x + room - after - 2:
            canvas.put(after + 2, y, played, "soft")
        canvas.put(x + 1, y + 1, truncate(f"{last.title}, {written_when(last.written)}", room), "soft")

    def _draw_stuck(self, canvas: Canvas, x: int, y: int, room: int) -> None:
        """Draws in two rows which game cannot be resumed here, and why."""
        game = self.unfinished[0]
        label = f"{game.title} with {join_names(game.others)}" if game.others else game.title
        after = canvas.put(x + 1, y, truncate(label, room - 3), "soft")
        canvas.put(after + 1, y, "g", "soft")
        canvas.put(x + 1, y + 1, whole_sentences(game.problem or "", room), "soft")
        canvas.hit(x, y, room, 2, "key:g")

    @property
    def _ready(self) -> list[UnfinishedGame]:
        """The games that can be resumed."""
        return [game for game in self.unfinished if game.problem is None]

    def _hints(self) -> list[Hint]:
        game = [Hint("↑ ↓", "game")] if len(self.games) > 1 else []
        return [
            Hint("Enter", "play"),
            *([Hint("g", "resume")] if self._ready else []),
            *game,
            Hint("s", "settings"),
            Hint("r", "finished"),
            Hint(HELP_KEY, "help"),
            Hint("q", "quit"),
            Hint("n", "name"),
        ]

    # -- keys and clicks -----------------------------------------------------------------------------------------------

    def key(self, name: str) -> bool:
        from kimberley.client.screens.join import open_join
        from kimberley.client.screens.settings import NicknameDialog, SettingsScreen, ask_name

        if name in ("left", "right", "tab", "s-tab"):
            step = -1 if name in ("left", "s-tab") else 1
            before = self.focus if self.focus is not None else -1 if step > 0 else 0
            self.focus = (before + step) % len(self._buttons)
            return True
        if self.scroll.key(name, len(self.games)):
            return True
        if name == "enter":
            name = self._buttons[min(self.focus or 0, len(self._buttons) - 1)][1]
        match name:
            case "a":
                self._play_alone()
            case "h" if self.shell.services.may_host:
                ask_name(self.shell, self._host)
            case "j":
                ask_name(self.shell, partial(open_join, self.shell))
            case "g" if self.unfinished:
                self._go_on()
            case "g" if not self._looked:
                self._wants_on = True
                self.ui.toast("Looking for games to resume.")
            case "r":
                self._show_records()
            case "n":
                self.ui.push(NicknameDialog(self.shell))
            case "s":
                self.ui.push(SettingsScreen(self.shell))
            case "q":
                self._quit()
            case "esc" if self.shell.still_needed:
                self._quit()
            case "esc":
                self.ui.confirm("Quit", "Quit Kimberley?", "Quit", "Stay", lambda: self.ui.pop(self))
            case _:
                return False
        return True

    def click(self, action: Action, x: int, y: int, button: str) -> bool:
        match action:
            case ("game", int(index)):
                if self.scroll.focus == index:
                    self._play_alone()
                self.scroll.focus = index
                return True
            case "tournament":
                from kimberley.client.screens.join import JoinScreen
                from kimberley.client.screens.settings import ask_name

                ask_name(self.shell, lambda: self.ui.push(JoinScreen(self.shell, tournament=True)))
                return True
        return False

    def wheel(self, action: Action | None, x: int, y: int, steps: int) -> bool:
        return self.scroll.wheel(steps, len(self.games))

    def skip(self, now: float) -> bool:
        # The key stops the light and still has its own effect: nobody should have to press it twice.
        self._dark = True
        return False

    def next_frame(self, now: float) -> float | None:
        return None if self._dark else now + 0.04

    def _play_alone(self) -> None:
        from kimberley.client.screens.guide_offer import GuidedTable, offer_guide
        from kimberley.client.screens.setup import SetupScreen
        from kimberley.client.session.options import NO_BOTS
        from kimberley.games.bots.lookup import has_bots

        if not self.games:
            return
        game = self.games[self.scroll.focus]
        if not has_bots(game):
            self.ui.toast(NO_BOTS.format(game.title))
            return
        screen = SetupScreen(self.shell, game)
        # If there is nothing to set, the game begins.
        offer_guide(self.shell, GuidedTable(game), partial(self.ui.push, screen) if screen.rows else screen.begin)

    def _host(self) -> None:
        """Opens a table with the options last chosen. They can be changed there."""
        from kimberley.client.session.options import for_people, for_table

        if not self.games:
            return
        game, settings = self.games[self.scroll.focus], self.shell.settings
        settings.game = game.id
        settings.save()
        seats, options = for_table(settings, game)
        opening = partial(self.shell.services.host, game.id, for_people(settings, options), seats)
        self.shell.sit(game.title, "Opening the table.", opening)

    def _go_on(self) -> None:
        from kimberley.client.screens.resume import ResumeScreen, resume_game

        if not self.unfinished:
            self.ui.toast("No game to resume.")
        elif len(self.unfinished) == 1 and self._ready:
            resume_game(self.shell, self.unfinished[0])
        else:
            self.ui.push(ResumeScreen(self.shell, self.unfinished))

    def _quit(self) -> None:
        from kimberley.client.screens.dialogs import quit_elsewhere

        quit_elsewhere(self.shell, lambda: self.ui.pop(self))

    def _show_records(self) -> None:
        from kimberley.client.screens.records import RecordsScreen

        self.ui.push(RecordsScreen(self.shell))

    def menu(self) -> list[MenuItem]:
        again = [MenuItem("Resume a game", "g", self._go_on)] if self.unfinished else []
        records = MenuItem("Finished games", "r", self._show_records)
        return [*again, records, MenuItem("Quit", "q", self._quit)]

    def game_id(self) -> str | None:
        return self.games[self.scroll.focus].id if self.games else None

    @property
    def _to_a_table(self) -> Section:
        """Help: how the user gets to a table with others."""
        services = self.shell.services
        if services.only_host is None:
            return Section(
                "Host and join",
                "One of you hosts and the others join: on the same network your table appears in their list. There is "
                "no game server: each computer keeps its player’s secrets and reveals only what the rules require.",
            )
        if services.may_host:
            return Section(
                "Host and join",
                "One of you hosts; the others open the same link and join. Your secrets stay on this phone or "
                "computer, if the person who serves this page is honest.",
            )
        if services.in_tournament:
            return Section(
                "Join",
                "You join the tournament of the referee who serves this page. Your secrets stay on this phone or "
                "computer, if the referee is honest.",
            )
        return Section(
            "Join",
            "You join the table of the host that serves this page. Your secrets stay on this phone or computer, if "
            "the host is honest.",
        )

    def help(self) -> Help:
        return Help(
            "Kimberley",
            (
                Section(
                    "Play alone",
                    "Play the computer at the level you choose. It plays by the same rules and protocol as a person, "
                    "and the game is proven fair in the same way.",
                ),
                self._to_a_table,
                Section(
                    "Fairness",
                    "Secrets are locked in when chosen, and shown after the game. Anyone can check the file of a "
                    "finished game: kimberley verify FILE. r lists your finished games.",
                    by_touch=Section(
                        "Fairness",
                        "Secrets are locked in when chosen, and shown after the game. Anyone can check a finished "
                        "game. To check one here, choose Finished games in the menu.",
                    ),
                ),
            ),
        )


def summaries_of(games: Sequence[str]) -> dict[str, Sequence[str]]:
    """Returns what each game is, in two lines."""
    from kimberley.client.boards.registry import board_of

    boards = {name: board_of(name) for name in games}
    summaries = {name: board.summary for name, board in boards.items() if board is not None}
    return {name: wrap(summary, SUMMARY_ROOM, SUMMARY_ROWS) for name, summary in summaries.items()}


def _load_screens() -> None:
    """Imports the screens that a key opens from here."""
    import kimberley.client.screens.join
    import kimberley.client.screens.setup  # noqa: F401


_NUMBERS: Final = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}


def _players(seats: tuple[int, ...]) -> str:
    """Returns the numbers of players: "2", "2–6" if there is no gap, else "2, 4"."""
    if len(seats) > 2 and seats == tuple(range(seats[0], seats[-1] + 1)):
        return f"{seats[0]}–{seats[-1]}"
    return ", ".join(str(count) for count in seats)
