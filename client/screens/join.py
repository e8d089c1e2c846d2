"""Joining: a list of the tables on this network, and a field for an address."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from kimberley.client.screens.nearby import NearbyScreen
from kimberley.client.screens.network_advice import ADVICE_SECONDS, SILENT_SECONDS, connection_tips
from kimberley.client.screens.shell import Shell
from kimberley.client.screens.watch import open_watch
from kimberley.client.session.services import ListedTable, NearbyTables
from kimberley.client.session.table_list import TableList, is_open
from kimberley.client.ui.bars import key_bar, phase_strip, title_bar
from kimberley.client.ui.buttons import button, button_width
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.columns import Column, TableColumns
from kimberley.client.ui.glyphs import cell_width, truncate, wrap
from kimberley.client.ui.keys import Hint
from kimberley.client.ui.layout import command_line, stage
from kimberley.client.ui.lists import LEAST_ROWS, Scroll, touch_row
from kimberley.client.ui.palette import Color
from kimberley.client.ui.panels import panel, paragraph
from kimberley.client.ui.screen import Help, Section
from kimberley.client.ui.spans import Span, draw_lines, text_lines
from kimberley.client.ui.text_field import TextField
from kimberley.games.phrases import count_of
from kimberley.p2p.sentences.options import in_short
from kimberley.p2p.sentences.tournaments import describe_progress, tournament_kind

if TYPE_CHECKING:
    from kimberley.p2p.transport.table_card import TournamentCard

KEYS: Final[dict[str, tuple[str, Color, str]]] = {
    "met": ("✓ verified", "ok", "You have verified the host."),
    "new": ("? not verified", "money", "You have not verified the host."),
    "changed": ("! key changed", "warning", "The host’s key has changed."),
    "you": ("yourself", "soft", "This is your own table."),
    "bot": ("a bot", "soft", "The host is a bot."),
}


NOTED: Final = frozenset({"changed", "you", "bot"})
"""Of the above, those that the list names. The lobby says whether somebody is verified."""
SLOW_RTT: Final = 0.3
"""Seconds: a round trip that takes this long can be felt."""
WHERE: Final = "name, address or code"
NOTHING_TO_PICK: Final = "Wait for a table to appear, or type an address."
COLUMNS: Final = (
    Column("Game", 33, gap=1, indent=2, fills=True), Column("Host", 12, fills=True), Column("Seats", 11),
    Column(room=15, fills=True),
)  # fmt: skip
UPRIGHT_TABLES: Final = 7
"""The most tables that a portrait screen shows at once."""


def open_join(shell: Shell) -> None:
    """Shows the tables that can be joined; where only one host can be reached, joins its table or tournament."""
    host = shell.services.only_host
    if host is None:
        shell.push(JoinScreen(shell))
        return
    join = partial(shell.services.join, host, shell.tell_connecting)
    if shell.services.in_tournament:
        shell.sit("Join the tournament", "Joining the tournament.", join)
    else:
        shell.sit("Join a table", f"Joining {host}.", join)


class JoinScreen(NearbyScreen):
    """The list, the table in focus, and the address field."""

    def __init__(self, shell: Shell, address: str = "", *, tournament: bool = False) -> None:
        """Puts the focus on the first tournament of the list if `tournament`."""
        super().__init__(shell)
        self._seeks_tournament = tournament
        self.nearby = NearbyTables()
        self._list = TableList()
        self.scroll = Scroll()
        self.field = TextField(address, limit=80)
        self.typing = bool(address)
        self.mine: tuple[str, ...] = ()
        self._since = shell.now()

    # -- the model -----------------------------------------------------------------------------------------------------

    def opened(self) -> None:
        self.ui.start(self._listen())

    async def _listen(self) -> None:
        await self.warm()
        self.mine = await self.shell.services.addresses()
        self.ui.redraw()

    @property
    def tables(self) -> Sequence[ListedTable]:
        return self._list.rows

    def on_tables_changed(self) -> None:
        self.nearby = self.shell.services.nearby()
        self._list.update(self.nearby.tables, self.scroll.focus, self.shell.now())
        if self._seeks_tournament:
            tournaments = [index for index, table in enumerate(self.tables) if table.tournament is not None]
            self.scroll.focus = tournaments[0] if tournaments else self.scroll.focus
        elif not self._list.is_used and (focused := self._focused()) is not None and not is_open(focused):
            self.scroll.focus = next((index for index, table in enumerate(self.tables) if is_open(table)), 0)
        self.ui.redraw()

    def _fix(self) -> None:
        """Leaves every row and the focus where they are, since the player is using the list."""
        self._list.fix()
        self._seeks_tournament = False

    def _focused(self) -> ListedTable | None:
        return self.tables[self.scroll.focus] if self.scroll.focus < len(self.tables) else None

    def _join(self) -> None:
        typed, table = self.field.text.strip(), self._focused()
        if typed and (self.typing or table is None):
            self._sit(typed, typed)
        elif table is None:
            self.typing = True
        elif table.key == "you":
            self.ui.toast(
                "This is your own table. For a second player on this computer, start Kimberley with --data FOLDER.",
                bad=True,
            )
        elif table.gone:
            self.ui.toast(f"{_whose(table)} is {_gone(table)}.", bad=True)
        elif table.key == "changed":
            asked = (
                "You know a player of this name by another key. Ask your friend before you play: someone else may be "
                "using the name."
            )
            self.ui.confirm("Key changed", asked, "Join anyway", "Back", lambda: self._sit(table, table.title),
                            danger=True)  # fmt: skip
        else:
            self._sit(table, table.title)

    def _watch(self) -> None:
        """Watches the typed address or the table in focus, even if all of its seats are taken."""
        typed, table = self.field.text.strip(), self._focused()
        if typed and (self.typing or table is None):
            open_watch(self.shell, typed)
        elif table is None:
            self.typing = True
        elif table.gone:
            self.ui.toast(f"{_whose(table)} is {_gone(table)}.", bad=True)
        elif table.versions is not None:
            self.ui.toast(table.versions, bad=True)
        elif table.tournament is not None:
            self.ui.toast("To watch a tournament, open the web page of its referee, if it has one.", bad=True)
        else:
            open_watch(self.shell, table)

    def _sit(self, where: ListedTable | str, title: str) -> None:
        name = where if isinstance(where, str) else _whose(where)
        reach = partial(self.shell.services.join, where, self.shell.tell_connecting)
        self.shell.sit(title, f"Joining {name}.", reach)

    # -- the view ------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, now: float) -> None:
        title_bar(canvas, "Join a table", self.shell.settings.name)
        looked = int(now - self._since)
        waiting = f"looking for {looked} s" if not self.tables else count_of(self._list.count, "table")
        way = "Tables on this network. Pick one or type an address." if self.tables else NOTHING_TO_PICK
        phase_strip(canvas, 1, "JOIN", way, waiting)
        if canvas.portrait:
            self._draw_upright(canvas, now)
            return
        room = min(canvas.width, 104)
        ground = canvas.region((canvas.width - room) // 2, 2, room, canvas.height - 3)
        below = ground.height - 11
        if self.tables:
            self._draw_list(ground, below - 4)
            table = self._focused()
            if table is not None:
                self._draw_table(ground, below, table)
        else:
            self._draw_nothing(ground, now)
        self._draw_address(ground, ground.height - 4)
        rows = [Hint("↑ ↓", "table")] if self.tables else []
        there = bool(self.tables or self.field.text.strip())
        act = [Hint("Enter", "join"), Hint("w", "watch", ("watch",))] if there else []
        key_bar(canvas, [
            *rows, *act, Hint("/", "type an address"), Hint("Esc", "back"),
        ] if not self.typing else [
            *rows, Hint("Enter", "join"), Hint("Esc", "stop typing"),
        ])  # fmt: skip

    def _draw_upright(self, canvas: Canvas, now: float) -> None:
        """Draws the list for a finger, what is known of the table in focus, and the address."""
        ground = stage(canvas)
        room = ground.width - 2
        if self.tables:
            for number, index in enumerate(self.scroll.shown(len(self.tables), UPRIGHT_TABLES)):
                table = self.tables[index]
                wrong = [Span(label, fg) for label, fg, _ in _what_is_wrong(table)]
                below = (Span(_whose(table), "soft"), *wrong[:1])
                title, focused = Span(_what(table)), index == self.scroll.focus and not self.typing
                seats = Span(_seats(table), "soft")
                touch_row(ground, LEAST_ROWS * number, title, seats, below, focused, ("table", index))
        else:
            sentence, fg = self._nothing_said(now)
            paragraph(ground, 1, 0, wrap(sentence, room), fg)
        y = LEAST_ROWS * UPRIGHT_TABLES + 1
        if (focus := self._focused()) is not None:
            notes = [(_kind(focus), "soft"), *((sentence, fg) for _, fg, sentence in _what_is_wrong(focus))]
            for sentence, color in notes:
                y = paragraph(ground, 1, y, wrap(sentence, room), color)
        y = ground.height - 4
        ground.put(1, y, "Address", "text" if self.typing else "soft", bold=self.typing)
        self.field.draw(ground, 1, y + 1, room, self.typing, WHERE)
        ground.hit(1, y, room, LEAST_ROWS + 1, "address")
        watch = Hint("w", "watch")
        key_bar(canvas, [Hint("Enter", "join", primary=True), Hint("Esc", "back"), watch])

    def _silent(self, now: float) -> int:
        """Returns how many tables are announced and have had the time to answer, but did not."""
        return self.nearby.silent if now - self._since >= SILENT_SECONDS else 0

    def _nothing_said(self, now: float) -> tuple[str, Color]:
        """Returns what is said while no table has been found, and its color."""
        self.nearby = self.shell.services.nearby() if self.watching else self.nearby
        silent = self._silent(now)
        if self.nearby.problem:
            return "This computer cannot look for tables on the network.", "warning"
        if silent:
            if silent == 1:
                return "A table is announced but does not answer.", "money"
            return f"{silent} tables are announced but do not answer.", "money"
        if self._advises(now):
            return "Still looking. Tables appear here once they answer.", "text"
        return "Tables on this network appear here.", "text"

    def _advises(self, now: float) -> bool:
        """Returns whether nobody has been found for a long time, or something has failed."""
        return now - self._since >= ADVICE_SECONDS or bool(self._silent(now) or self.nearby.problem)

    def _draw_list(self, ground: Canvas, rows: int) -> None:
        columns = TableColumns(COLUMNS, ground.width - 2, margin=1)
        columns.headings(ground, 1, 1)
        ground.rule(1, 2, ground.width - 2)
        for number, index in enumerate(self.scroll.shown(len(self.tables), rows)):
            table = self.tables[index]
            wrong = _what_is_wrong(table)
            cells = (
                Span(_what(table), "soft" if table.gone or table.versions is not None else "text"),
                Span(table.host, "soft" if table.gone else "text"),
                Span(_seats(table), "soft"),
                Span(*wrong[0][:2]) if wrong else Span(""),
            )
            focused = index == self.scroll.focus and not self.typing
            columns.row(ground, 1, 3 + number, cells, focused=focused, action=("table", index))
        if len(self.tables) > rows:
            ground.right(ground.width - 1, 3 + rows, "▾ more", "soft")

    def _draw_table(self, ground: Canvas, y: int, table: ListedTable) -> None:
        whose = f"{_whose(table)}: {_gone(table)}" if table.gone else _whose(table)
        inside = panel(ground, 1, y, ground.width - 2, 6, whose)
        after = inside.put(1, 0, table.title, "text", bold=True)
        kind, room = _kind(table), max(1, inside.width - after - 3)
        wrong = [text_lines(sentence, inside.width - 2, fg) for _, fg, sentence in _what_is_wrong(table)]
        notes = [line for lines in wrong for line in lines][:2]
        row = 1
        if cell_width(kind) > room and len(notes) < 2:
            # What does not fit beside the title has the rows that the notes leave free.
            kind, *more = wrap(kind, room)
            row = paragraph(inside, 1, row, wrap(" ".join(more), inside.width - 2, 2 - len(notes)), "soft")
        inside.put(after + 3, 0, truncate(kind, room), "soft")
        address = f"address {table.address}"
        after = inside.put(1, row, "Seated " if table.tournament is None else "Players ", "soft")
        room = max(10, inside.width - after - cell_width(address) - 4)
        count = table.count if table.tournament is None else _progress(table.tournament)
        names = ": ".join(filter(None, (count, ", ".join(table.names))))
        after = inside.put(after, row, truncate(names, room), "text")
        after = inside.put(after + 3, row, "address ", "soft")
        inside.put(after, row, truncate(table.address, inside.width - after), "text")
        draw_lines(inside, 1, row + 1, notes)

    def _draw_nothing(self, ground: Canvas, now: float) -> None:
        from kimberley.p2p.transport.ports import DEFAULT_PORT

        room, rows = 64, 13
        x, y = (ground.width - room) // 2, 2 + max(0, ground.height - 21) // 3
        sentence, fg = self._nothing_said(now)
        if not self._advises(now):
            panel(ground, x, y, room, 5, "Looking for tables").put(1, 1, sentence, fg)
            return
        inside = panel(ground, x, y, room, rows, "No tables yet")
        inside.put(1, 1, sentence, fg)
        after = connection_tips(inside, 1, 3, DEFAULT_PORT)
        paragraph(inside, 1, after + 1, ["Type the host’s address below, or in a terminal type:"])
        command_line(inside, 1, after + 2, "kimberley join 192.168.1.7")
        x = command_line(inside, 1, after + 3, "kimberley doctor 192.168.1.7")
        inside.put(x + 1, after + 3, "finds the problem.", "soft")
        inside.put(1, after + 4, "A friend far away gives you a code: type it below.", "soft")

    def _draw_address(self, ground: Canvas, y: int) -> None:
        ground.put(2, y, "Address", "text" if self.typing else "soft", bold=self.typing)
        room = ground.width - 52
        self.field.draw(ground, 11, y, room, self.typing, WHERE, action="address")
        # Each button keeps its place: when a table appears, a click must not hit a button that it was not meant for.
        there = bool(self.tables or self.field.text.strip())
        after = button(ground, 13 + room, y, "Join", "Enter", primary=there)
        # Where an address is typed, w is a letter.
        button(ground, after + 1, y, "Watch", "" if self.typing else "w", action=("watch",))
        if self.typing:
            ground.leave_out("Watch", "w", ("watch",))
        button(ground, after + button_width("Watch", "w") + 2, y, "Back", action="key:esc")
        if any(table.key == "changed" for table in self.tables):
            ground.right(ground.width - 2, y + 2, "! key changed for a name you know: ask first", "warning")
        elif self.mine:
            ground.put(2, y + 2, f"Your address here: {self.mine[0]}", "soft")

    def next_frame(self, now: float) -> float | None:
        # The screen counts the seconds of the search only until it finds a table.
        return None if self.tables else self._since + int(now - self._since) + 1

    # -- keys and clicks -----------------------------------------------------------------------------------------------

    def key(self, name: str) -> bool:
        self._fix()
        if self.typing:
            match name:
                case "esc" | "tab" | "s-tab":
                    self.typing = False
                case "up" | "down" if self.tables:
                    self.typing = False
                case "enter":
                    self._join()
                case "/" if not self.field.text:
                    # The key row offered it a moment ago, and no address begins with it.
                    pass
                case _:
                    return self.field.key(name)
            return True
        if self.scroll.key(name, len(self.tables)):
            return True
        match name:
            case "/" | "tab" | "s-tab":
                self.typing = True
            case "enter":
                self._join()
            case "w":
                self._watch()
            case "esc":
                self.ui.pop(self)
            case _ if name.isascii() and name.isdigit():
                # An address begins with a digit, so a digit goes to the address field.
                self.typing = True
                self.field.key(name)
            case _:
                return False
        return True

    def paste(self, text: str) -> bool:
        self.typing = True
        self.field.paste(text.strip().removeprefix("kimberley ").removeprefix("join ").removeprefix("watch "))
        return True

    def click(self, action: Action, x: int, y: int, button: str) -> bool:
        self._fix()
        match action:
            case "address":
                self.typing = True
            case ("watch",):
                self._watch()
            case ("table", int(index)):
                again = self.scroll.focus == index and not self.typing
                self.scroll.focus, self.typing = index, False
                if again:
                    self._join()
            case _:
                return False
        return True

    def wheel(self, action: Action | None, x: int, y: int, steps: int) -> bool:
        self._fix()
        return self.scroll.wheel(steps, len(self.tables))

    def game_id(self) -> str | None:
        table = self._focused()
        return None if table is None else table.game

    def help(self) -> Help:
        return Help(
            "Join a table",
            (
                Section("The list", "Tables announce themselves on this network. New ones appear at the end of the "
                                    "list."),
                Section("By address", "Press / and type what the host’s screen shows: an address such as 192.168.1.7 "
                                      "(with :PORT if shown), or the host’s nickname."),
                Section("A friend far away", "Not on your network? The host gets a code at the open table, "
                                             "such as 7-velvet-harbor, and tells it to you. Type it where you would "
                                             "type an address."),
                Section("Watching", "Press w to watch the selected table, or the one whose address you typed, even "
                                    "mid-game. You see only what is public."),
                Section("Another version", "You can join a table if its rules and protocol have the same revisions as "
                                           "yours. If they differ and the host shares a copy, Enter shows where to "
                                           "get it. You have to trust that copy."),
                Section("Identity keys", "Every player has a key. ! key changed means that a name you know has a new "
                                         "key: ask that person first."),
            ),
        )  # fmt: skip


def _whose(table: ListedTable) -> str:
    # A host whose key has changed is named with the key.
    named = table.tournament is not None or table.key == "changed"
    return table.host if named else f"{table.host}’s table"


def _what(table: ListedTable) -> str:
    """Returns the game, after the word that tells a tournament from a table."""
    return table.title if table.tournament is None else f"Tournament: {table.title}"


def _kind(table: ListedTable) -> str:
    """Returns the options of a table; the format of a tournament and what is unusual at its tables."""
    options = in_short(table.options)
    if table.tournament is None:
        return options or f"{table.total} seats"
    return ", ".join(filter(None, (tournament_kind(table.tournament.format), options)))


def _seats(table: ListedTable) -> str:
    """Returns how many seats of a table are taken, or how many play in a tournament; else what has become of it."""
    if table.gone:
        return _gone(table)
    cup = table.tournament
    return (table.count or "full") if cup is None else count_of(cup.players, "player")


def _what_is_wrong(table: ListedTable) -> list[tuple[str, Color, str]]:
    """Returns what a player should know before joining a table: in a word or two, its color, and in a sentence."""
    notes: list[tuple[str, Color, str]] = [] if table.versions is None else [("! version", "warning", table.versions)]
    if table.key in NOTED:
        notes.append(KEYS[table.key])
    if table.rtt >= SLOW_RTT:
        notes.append(("slow", "money", f"The connection is slow: {table.rtt * 1000:.0f} ms for a round trip."))
    return notes


def _gone(table: ListedTable) -> str:
    return "closed" if table.tournament is None else "over"


def _progress(tournament: TournamentCard) -> str:
    """Returns how far along a tournament is."""
    return f"{tournament.players}, {describe_progress(tournament)}"
