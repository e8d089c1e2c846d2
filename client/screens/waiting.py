"""An open table: which seats are taken, who is ready, and for the host, what the others type to join.

A friend who has no copy of the program gets one from the host, if the host says so (`session.table_sharing`).

At a table for two the game begins as soon as both players are there. At a larger table the host may give free seats to
bots. If fewer players than seats are enough, the game begins when everyone has said "ready".
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from kimberley.client.screens.copy_for_friend import CopyForFriend
from kimberley.client.screens.copy_panel import draw_offer, draw_preparing
from kimberley.client.screens.dialogs import leave_table
from kimberley.client.screens.network_advice import ADVICE_SECONDS
from kimberley.client.screens.removal import REMOVE_KEY, REMOVING, ask_to_remove, choose_whom_to_remove
from kimberley.client.screens.setup import SetupScreen
from kimberley.client.screens.shell import Shell
from kimberley.client.session.bots import can_seat_bots
from kimberley.client.session.participants import (
    awaited_seats,
    is_ready,
    names_with_you,
    removable_seats,
    seats_taken,
    short_name,
    table_owner,
    waiting_lines,
    you_removed,
)
from kimberley.client.ui.bars import key_bar, phase_strip, title_bar
from kimberley.client.ui.buttons import button, button_width
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.glyphs import cell_width, wrap
from kimberley.client.ui.keys import Hint
from kimberley.client.ui.layout import command_line, command_rows, draw_options, seat_mark, stage
from kimberley.client.ui.palette import Color
from kimberley.client.ui.panels import panel, paragraph
from kimberley.client.ui.qr_code import LITTLE_QUIET, QUIET, can_show_codes, code_lines, draw_code
from kimberley.client.ui.screen import LANDSCAPE, Help, Screen, ScreenSize, Section
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.extras import MissingExtra
from kimberley.p2p.sentences.notices import BEGINS_NEXT, OTHERS_TO_JOIN
from kimberley.p2p.sentences.options import option_lines
from kimberley.p2p.sentences.ways_to_join import FAR_WAITS, NEEDS_INTERFACE, addresses_for_others, needs_interface

if TYPE_CHECKING:
    from kimberley.client.screens.shell import TableFlowLike
    from kimberley.p2p.table.table import Table

WHEN_READY: Final = "When enough players are here and everyone is ready"
WHEN_FULL: Final = "When every seat is taken"
ALL_SEATED: Final = "Everyone is here."
MOST_CODE: Final = 37
"""Most columns of a code: more would not leave room for how to join."""
LINK_VERSION: Final = 3
"""The size of the code of a link to the page: 53 characters, as many as an IPv4 address and five digits of a port
need.
"""
BUTTONS_FROM: Final = 16
TIPS_ROWS: Final = 4
WAYS_COLUMNS: Final = 42
CODE_SEATS: Final = 4
LARGEST_SHARING: Final = (120, 30)
"""Columns and rows that the screen for a friend without a copy takes, if there are that many."""
BUTTON_ROWS: Final = 3
WAITING_ROWS: Final = 2
SEAT_COLUMNS: Final = 44
INVITE: Final = "A friend without Kimberley"
INVITED: Final = "Show the invitation again"
CODE: Final = "The code holds the join command."
LINK_CODE: Final = "To play on a phone, scan this."
OTHERS_JOIN: Final = "How to join"
FAR: Final = "A friend far away"
FAR_KEY: Final = "a"
FAR_WAYS: Final = ("In Kimberley: Join, then type the code.", "Or in a terminal:")
PICK_TABLE: Final = "In Kimberley: Join, then pick your table."
TYPE_ADDRESS: Final = "In Kimberley: Join, then type the address."
ONE_FRIEND: Final = "One friend can use this code."
FOR_ONE: Final = f"{ONE_FRIEND} Others on your network find your table in Join."
ANOTHER_CODE: Final = "Replace {code} with a new code? The old one stops working."
ALL_USED: Final = f"The code was used. Another friend? Press {FAR_KEY}."
BY_LINK: Final = "The others open your link and join here."
OPTIONS_KEY: Final = "o"
HOST_STARTS: Final = "The host starts this game, or chooses another."
WORDS_FIRST: Final = "If someone is not verified yet, you first compare four words."


class WaitingScreen(Screen):
    """An open table, as a player at it sees it."""

    def __init__(self, shell: Shell, table: Table, flow: TableFlowLike) -> None:
        super().__init__(shell)
        self.shell, self.table_flow, self._table = shell, flow, table
        self._by_link = table.host and shell.services.only_host is not None
        """Whether nobody has to type the table's address, since all come by one link."""
        self.ways = addresses_for_others(table.addresses) if table.host and not self._by_link else ()
        self._sharing = CopyForFriend(shell, flow.sharing, self._copy)
        self._since = shell.now()
        self._advises = False
        """Whether nobody has come for so long that the network may be why."""
        self._draws_code = False
        """Whether the code of the link or the command is on the screen."""

    def opened(self) -> None:
        if self._serves:
            self.ui.start(self._sharing.serve())

    @property
    def _serves(self) -> bool:
        """Whether a phone may join through a page, if one can be served."""
        return self.shares and not self._table.far.used and self.shell.services.serves_pages

    @property
    def _code(self) -> list[str]:
        """The code of the link to the page, if it is served, or else of the command; empty if it is too large,
        or nobody can come.
        """
        if not self.ways or not self.free:
            return []
        # The link comes some seconds later than the command, and must not move what is below and beside the code.
        least = LINK_VERSION if self._serves else 1
        text = self._sharing.link or self._command
        codes = (code_lines(text, quiet, least=least) for quiet in (QUIET, LITTLE_QUIET))
        return next((code for code in codes if len(code[0]) <= MOST_CODE), [])

    @property
    def needs(self) -> tuple[ScreenSize, ...]:
        # What is shared is one long line for another terminal.
        return (LANDSCAPE,) if self._sharing.shows else super().needs

    @property
    def _command(self) -> str:
        return f"kimberley join {self._table.far.code or self.ways[0]}"

    @property
    def _by_code(self) -> bool:
        """Whether others join by a code. Where none could be had and nobody has come by one, they join as usual."""
        far = self._table.far
        return far.used and (far.problem is None or far.code is not None or bool(far.keys))

    @property
    def _is_listed(self) -> bool:
        """Whether others on the network find the table in their list."""
        return self._table.announces and not self._table.unannounced

    def _why_no_code(self, room: int) -> list[str]:
        """Returns why no code could be had, in rows of at most `room` columns."""
        problem = self._table.far.problem
        return wrap(problem, room) if problem else []

    @property
    def _can_copy(self) -> bool:
        """Whether there is a command that others type, and a seat for them."""
        far = self._table.far
        return self._table.host and bool(self.free) and (far.code is not None if self._by_code else bool(self.ways))

    @property
    def table(self) -> Table:
        return self._table

    # -- the model -----------------------------------------------------------------------------------------------------

    @property
    def shares(self) -> bool:
        """Returns whether the player may give a copy of the program to a friend: somebody can reach the table, and it
        is the player's own.
        """
        return self._table.host and bool(self._table.port) and not self.table_flow.counts

    @property
    def seats_bots(self) -> bool:
        """Returns whether the player may give a free seat to a bot."""
        return can_seat_bots(self._table)

    @property
    def sets_options(self) -> bool:
        """Returns whether the player may change the options."""
        return self._table.host and not self.table_flow.counts

    @property
    def free(self) -> int:
        """Returns how many seats are free."""
        return self._table.occupants.seats - len(self._table.occupants.names)

    def _bots(self) -> list[int]:
        """Returns the seats of bots that the player can send away."""
        who = self._table.words.acquaintance
        return [seat for seat, known in enumerate(who) if known == "bot"] if self.seats_bots else []

    def _people(self) -> list[int]:
        """Returns the seats of people whom the player can remove."""
        return removable_seats(self._table) if not self.table_flow.counts else []

    def _ready(self) -> bool:
        return is_ready(self._table, self._table.occupants.seat)

    @property
    def _says_ready(self) -> bool:
        """Whether the player says when to begin: after a game the host does, once all are here."""
        return self._table.occupants.asks_ready or (self._table.host and self._table.hosting.begins and not self.free)

    @property
    def _ready_label(self) -> str:
        return "Start" if self._table.hosting.begins else "Not ready" if self._ready() else "Ready"

    @property
    def _when(self) -> str:
        """When the game begins."""
        if self._table.hosting.begins and self._table.host:
            return "The game begins when you press Start. You can also choose another game."
        full = not self.free and not self._table.occupants.asks_ready
        # Who has joined after a game does not know that the host starts the next one. Otherwise it begins at once.
        if self._table.hosting.begins or (full and not self._table.host):
            return HOST_STARTS
        if full:
            return f"{BEGINS_NEXT} {WORDS_FIRST}"
        when = WHEN_READY if self._table.occupants.asks_ready else WHEN_FULL
        return f"{when}, the game begins. {WORDS_FIRST}"

    def _waiting(self, room: int, rows: int = WAITING_ROWS) -> list[str]:
        """Returns what the table is waiting for, in at most `rows` lines."""
        table = self._table
        flow, playable = len(table.occupants.names), table.occupants.numbers
        missing = names_with_you(table, awaited_seats(table))
        more = next((number for number in playable if number >= flow), flow) - flow
        if more:
            missing.append("1 more player" if more == 1 else f"{more} more players")
        if not missing:
            return wrap(f"Everyone is ready. {BEGINS_NEXT}", room)
        may = " You can leave seats empty." if self.free and not more else ""
        return waiting_lines(missing, may, room, rows)

    def _sentence(self) -> str:
        """Returns what the player does now, for the phase strip."""
        if self.table_flow.sharing.preparing and self.table_flow.sharing.is_asked:
            return "Building a copy for your friend."
        if self._table.occupants.asks_ready and self._ready():
            return "You are ready."
        if self._table.occupants.asks_ready and len(self._table.occupants.names) >= self._table.occupants.numbers[0]:
            return "Press Ready when you are. Others can still join." if self.free else "Press Ready when you are."
        if not self.free:
            if self._table.hosting.begins:
                return "Start this game, or choose another." if self._table.host else HOST_STARTS
            return ALL_SEATED
        if self._table.host:
            return "Your table is open: waiting for someone to join."
        return f"You are seated. {OTHERS_TO_JOIN}"

    # -- the view ------------------------------------------------------------------------------------------------------

    def next_frame(self, now: float) -> float | None:
        advice = self._since + ADVICE_SECONDS
        return advice if now < advice else None

    def draw(self, canvas: Canvas, now: float) -> None:
        table = self._table
        self._advises = now - self._since >= ADVICE_SECONDS and not self._people()
        title_bar(
            canvas, f"{table.game.title} · {table_owner(table)}", self.shell.settings.name if not table.host else ""
        )
        seats = seats_taken(table)
        phase_strip(canvas, 1, "HOST" if table.host else "SEATED", self._sentence(), seats)
        self._draws_code = False
        if self._sharing.shows:
            self._draw_sharing(canvas)
        else:
            self._draw_table(canvas)
        # Where there are keys, a button above names it.
        key_bar(canvas, [hint for hint in self._hints() if canvas.touch or hint.key != OPTIONS_KEY])

    def _draw_table(self, canvas: Canvas) -> None:
        table, ground = self._table, stage(canvas)
        lines = option_lines(table.game, table.occupants.options)
        if canvas.portrait:
            self._draw_upright(ground, lines)
            return
        code = self._code if can_show_codes(canvas) and not table.far.used else []
        # With many seats and a warning, there is no room for it.
        if code and not (table.unannounced and table.occupants.seats > CODE_SEATS):
            self._draws_code = True
            self._draw_with_code(ground, code, lines)
        else:
            self._draw_without_code(ground, lines)
        self._draw_buttons(ground)

    def _draw_upright(self, ground: Canvas, options: Sequence[tuple[str, str]]) -> None:
        """Draws everything in one column: the seats, what comes next or how others join, and the options."""
        table, room = self._table, ground.width - 2
        inside = panel(ground, 0, 0, ground.width, 2 * table.occupants.seats + 2, "Seats")
        for seat in range(table.occupants.seats):
            self._draw_seat(inside, 2 * seat, seat)
        y = 2 * table.occupants.seats + 3
        if table.occupants.asks_ready or self._table.hosting.begins:
            y = paragraph(ground, 1, y, self._waiting(room), "ok" if self._ready() else "money") + 1
        if self._by_link:
            ground.put(1, y, OTHERS_JOIN, "text", bold=True)
            y = paragraph(ground, 1, y + 1, wrap(BY_LINK, room)) + 1
        elif table.host and self._by_code:
            y = self._draw_far(ground, 1, y)
        elif table.host and self.ways and self.free:
            ground.put(1, y, OTHERS_JOIN, "text", bold=True)
            y = command_rows(ground, 0, y + 1, self._command, "panel")
            y = paragraph(ground, 1, y, wrap(NEEDS_INTERFACE, room) if needs_interface(self.ways) else [])
            y = paragraph(ground, 1, y, self._why_no_code(room), "warning") + 1
        y = paragraph(ground, 1, y, wrap(self._when, room)) + 1
        draw_options(ground, 1, y, room, ground.height - y, options)
        if self.sets_options:
            ground.hit(1, y, room, max(2, len(options)), f"key:{OPTIONS_KEY}")

    def _draw_sharing(self, canvas: Canvas) -> None:
        """Draws the screen for a friend who has no copy."""
        table, offer = self._table, self.table_flow.sharing.offer
        ground = stage(canvas, *LARGEST_SHARING)
        join = self._command if self._can_copy else None
        left = draw_preparing(ground) if offer is None else draw_offer(ground, offer, join, far=table.far.used)
        rows = table.occupants.seats if left.height - BUTTON_ROWS - WAITING_ROWS > table.occupants.seats else 0
        for seat in range(rows):
            self._draw_seat(left.region(1, 1, SEAT_COLUMNS, rows), seat, seat)
        if table.occupants.asks_ready:
            fg: Color = "ok" if self._ready() else "money"
            y = max(0, left.height - BUTTON_ROWS - WAITING_ROWS)
            paragraph(left, 1, y, self._waiting(left.width - 2, left.height - BUTTON_ROWS - y), fg)
        buttons = [
            (self._sharing.stop_label, "f"),
            *([(self._ready_label, "r")] if self._says_ready else []),
            ("Back", "Esc"),
        ]
        x = max(0, left.width - sum(button_width(*pair) + 1 for pair in buttons))
        for label, key in buttons:
            fill: Color | None = "ok" if key == "r" and not self._ready() else None
            x = button(left, x, left.height - 2, label, key, fill=fill) + 1

    def _draw_with_code(self, ground: Canvas, code: list[str], options: Sequence[tuple[str, str]]) -> None:
        """Draws the code at the left, the options below it, and all else at the right."""
        draw_code(ground, 1, 0, code)
        room = len(code[0])
        ground.put(1, len(code), CODE if self._sharing.link is None else LINK_CODE, "soft")
        self._draw_options_button(ground, 34, len(code))
        top = len(code) + 1
        # If the player says when to begin, the rows below the buttons say who is waited for.
        below = top > BUTTONS_FROM + BUTTON_ROWS and not self._says_ready
        wide = ground.width - 1 if below else 45
        draw_options(ground, 1, top, wide, ground.height - top, options)
        x = min(room + 3, ground.width - WAYS_COLUMNS)
        y = self._draw_commands(ground, x, 0)
        ground.put(x, y + 1, "Seats", "text", bold=True)
        inside = ground.region(x, y + 2, ground.width - x - 2, self._table.occupants.seats)
        for seat in range(self._table.occupants.seats):
            self._draw_seat(inside, seat, seat)
        if not self._advises:
            return
        if (y := y + 3 + self._table.occupants.seats) + TIPS_ROWS <= BUTTONS_FROM:
            self._draw_tips(ground, x, y)
        else:
            ground.put(x, y - 1, f"Firewall: allow UDP 5353, TCP {self._table.port}", "soft")

    def _draw_without_code(self, ground: Canvas, options: Sequence[tuple[str, str]]) -> None:
        table = self._table
        inside = panel(ground, 1, 1, 32, max(12, 2 * table.occupants.seats + 2), "Seats")
        for seat in range(table.occupants.seats):
            self._draw_seat(inside, 1 + 2 * seat, seat)
        if table.host and self.free:
            self._draw_ways(ground)
        else:
            ground.put(36, 1, "What happens next", "text", bold=True)
            paragraph(ground, 36, 3, wrap(self._when, 42))
        if self.sets_options:
            self._draw_options_button(ground, 1, 16)
        elif options:
            ground.put(1, 16, "Options", "text", bold=True)
        if options:
            ground.rule(1, 17, 42)
            draw_options(ground, 1, 18, 44, 3, options)

    def _draw_options_button(self, ground: Canvas, x: int, y: int) -> None:
        if self.sets_options:
            button(ground, x, y, "Options", OPTIONS_KEY, tall=False)

    def _draw_seat(self, inside: Canvas, y: int, seat: int) -> None:
        if seat < len(self._table.occupants.names):
            self._draw_person(inside, y, seat)
            return
        inside.put(0, y, str(seat + 1), "soft")
        inside.put(2, y, "◇ free", "soft")
        if self.seats_bots:
            at = inside.right(inside.width, y, " add a bot ", "text", "line")
            inside.hit(at, y, inside.width - at, 2 if inside.portrait else 1, "key:b")

    def _draw_person(self, inside: Canvas, y: int, seat: int) -> None:
        table = self._table
        at, end = seat_mark(inside, 0, y, seat) + 1, inside.width
        if seat in self._bots() or seat in self._people():
            end = inside.right(end, y, "  ×  " if inside.portrait else " × ", "text", "line")
            inside.hit(end, y, inside.width - end, 2 if inside.portrait else 1, ("away", seat))
            end -= 1
        ready = is_ready(table, seat)
        if seat < len(table.occupants.called_bots) and table.occupants.called_bots[seat]:
            end = inside.right(end, y, "bot", "ok" if ready else "soft")
        elif table.occupants.asks_ready:
            end = inside.right(end, y, "✓ ready" if ready else "not ready", "ok" if ready else "money")
        role = "you" if seat == table.occupants.seat else "host" if seat == table.host_seat else ""
        name = short_name(table.occupants.names, seat, end - at - 1 - (len(role) + 1 if role else 0))
        at = inside.put(at, y, name, "text", bold=True)
        inside.put(at + 1, y, role, "soft")

    def _draw_far(self, ground: Canvas, x: int, y: int) -> int:
        """Draws the code for a friend far away, or why there is none. Returns the row after it."""
        far, room = self._table.far, ground.width - x - 1
        ground.put(x, y, FAR, "text", bold=True)
        if far.problem is not None:
            return paragraph(ground, x, y + 1, wrap(far.problem, room), "warning")
        if far.code is None:
            return paragraph(ground, x, y + 1, wrap(FAR_WAITS if far.asked else ALL_USED, room))
        for row in range(3):
            command_line(ground, x, y + 1 + row, far.code if row == 1 else " " * cell_width(far.code), "panel")
        y = paragraph(ground, x, y + 5, FAR_WAYS)
        y = command_rows(ground, x, y, self._command)
        return paragraph(ground, x, y, wrap(FOR_ONE if self._is_listed else ONE_FRIEND, room)) + 1

    def _draw_commands(self, ground: Canvas, x: int, y: int) -> int:
        """Draws how others join. Returns the row after the empty one below it."""
        if self._by_code:
            return self._draw_far(ground, x, y) + 1
        after = ground.put(x, y, OTHERS_JOIN, "text", bold=True)
        if self.shares:
            button(ground, after + 3, y, FAR, FAR_KEY, tall=False)
        terminal = ["Or in a terminal:"] if self.ways else []
        y = paragraph(ground, x, y + 1, [PICK_TABLE if self._is_listed else TYPE_ADDRESS, *terminal])
        room = ground.width - x - 4
        fitting = [way for way in self.ways if cell_width(f"kimberley join {way}") <= room]
        for number, way in enumerate((fitting or self.ways[:1])[:2]):
            y = command_rows(ground, x, y, f"kimberley join {way}", "panel" if number == 0 else "ink")
        if needs_interface(self.ways):
            y = paragraph(ground, x, y, wrap(NEEDS_INTERFACE, ground.width - x - 1))
        if self._table.unannounced:
            warned = wrap("Others must type the address: this network does not carry multicast.", ground.width - x - 1)
            y = paragraph(ground, x, y, warned, "warning")
        y = paragraph(ground, x, y, self._why_no_code(ground.width - x - 1), "warning")
        if not self.ways:
            y = paragraph(ground, x, y, ["No network: only someone on", "this computer can join."])
        if self.shares:
            button(ground, x, y + 1, INVITED if self.table_flow.sharing.is_asked else INVITE, "f", tall=False)
        return y + 2

    def _draw_ways(self, ground: Canvas) -> None:
        if self._by_link:
            ground.put(36, 1, OTHERS_JOIN, "text", bold=True)
            paragraph(ground, 36, 3, wrap(BY_LINK, 42))
            return
        y = self._draw_commands(ground, 36, 1)
        if self._advises and not self._table.far.used and y + 1 + TIPS_ROWS <= BUTTONS_FROM:
            self._draw_tips(ground, 36, y + 1)

    def _draw_tips(self, ground: Canvas, x: int, y: int) -> None:
        ground.put(x, y, "If nobody can find it", "text", bold=True)
        short = ground.region(x, y + 1, ground.width - x - 1, 3)
        for line, (label, text) in enumerate((
            ("Network", "the same one, not guest Wi-Fi"),
            ("Firewall", f"allow UDP 5353, TCP {self._table.port}"),
            ("Isolation", "some Wi-Fi keeps devices apart"),
        )):  # fmt: skip
            short.put(0, line, label, "text", bold=True)
            short.put(11, line, text, "soft")

    def _draw_buttons(self, ground: Canvas) -> None:
        if not self._says_ready:
            button(ground, 47, 18, "Close the table" if self._table.host else "Leave", "Esc")
            return
        after = button(ground, 47, 17, self._ready_label, "r", fill=None if self._ready() else "ok")
        button(ground, after + 1, 17, "Close" if self._table.host else "Leave", "Esc")
        paragraph(ground, 47, 19, self._waiting(ground.width - 48), "ok" if self._ready() else "money")

    def _hints(self) -> list[Hint]:
        table = self._table
        ready = [Hint("r", self._ready_label.lower(), primary=True)] if self._says_ready else []
        bots = [
            *([Hint("b", "add bot")] if self.seats_bots and self.free else []),
            *([Hint("-", "remove bot")] if self._bots() else []),
            *([Hint(REMOVE_KEY, "remove player" if self._bots() else "remove")] if self._people() else []),
        ]
        if self._sharing.shows:
            return [
                *ready, *bots,
                *self._sharing.hints(),
            ]  # fmt: skip
        return [
            *ready,
            *([Hint(OPTIONS_KEY, "options")] if self.sets_options else []),
            *bots,
            *([Hint("y", "copy command")] if self._can_copy else []),
            *([Hint(FAR_KEY, "far away")] if self.shares and self.free else []),
            Hint("Esc", "close the table" if table.host else "leave"),
        ]  # fmt: skip

    # -- keys and clicks -----------------------------------------------------------------------------------------------

    def key(self, name: str) -> bool:
        table = self._table
        match name:
            case _ if self._sharing.key(name, may_start=self.shares):
                pass
            case "esc":
                leave_table(self.shell, table)
            case "y" if (text := self._to_copy) is not None:
                self._copy(text)
            case _ if name == OPTIONS_KEY and self.sets_options and not self._sharing.shows:
                self.ui.push(SetupScreen(self.shell, table.game, table))
            case _ if name == FAR_KEY and self.shares and self.free:
                self._ask_for_code()
            case "r" if self._says_ready:
                table.seating.ready(self._table.hosting.begins or not self._ready())
            case "b" if self.seats_bots and self.free:
                self.ui.start(self.shell.services.seat_bot(table, self.shell.settings.level))
            case "-" if bots := self._bots():
                self._remove_bot(bots[-1])
            case _ if name == REMOVE_KEY and (people := self._people()):
                choose_whom_to_remove(self.ui, table, people)
            case _:
                return False
        return True

    def _remove_bot(self, seat: int) -> None:
        name = self._table.occupants.names[seat]
        self._table.hosting.send_away(seat)
        # The table has just announced that this bot has left.
        self.ui.toast(you_removed(name))

    @property
    def _to_copy(self) -> str | None:
        """What others type."""
        if self._sharing.shows:
            return self._sharing.line
        return self._command if self._can_copy else None

    def _ask_for_code(self) -> None:
        """Asks for a code; if one is shown, asks for confirmation before replacing it."""
        if self._table.far.code is None:
            self._invite_far(anew=False)
        else:
            replace = partial(self._invite_far, anew=True)
            question = ANOTHER_CODE.format(code=self._table.far.code)
            self.ui.confirm(FAR, question, "New code", "Keep it", replace, danger=True)

    def _invite_far(self, *, anew: bool) -> None:
        """Asks for a code for a friend far away, or says what that needs."""
        try:
            self.shell.services.invite_far(self._table, anew=anew)
        except MissingExtra as missing:
            if missing.line:
                copy = partial(self._copy, missing.line)
                self.ui.confirm(FAR, str(missing), "Copy the line", "Back", copy)
            else:
                self.ui.toast(str(missing), bad=True)
        except UserError as error:
            self.ui.toast(str(error), bad=True)

    def _copy(self, text: str) -> None:
        self.ui.copy(text)
        self.ui.toast(self.ui.window.copied())

    def click(self, action: Action, x: int, y: int, button: str) -> bool:
        match action:
            case ("away", int(seat)) if seat in self._bots():
                self._remove_bot(seat)
                return True
            case ("away", int(seat)) if seat in self._people():
                ask_to_remove(self.ui, self._table, self._table.occupants.names[seat])
                return True
        return False

    def help(self) -> Help:
        waiting = self._when
        if self._table.hosting.begins:
            waiting = f"The game begins when {'you press' if self._table.host else 'the host presses'} Start."
        ready = (
            Section("Ready", "Press r when you are ready; press it again to change your mind. Seats can stay empty if "
                             "there are enough players.",
                    by_touch=Section("Ready", "Press Ready when you are; Not ready changes it back. Seats can stay "
                                              "empty if there are enough players.")),
        )  # fmt: skip
        changes = "Everyone who has joined sees each change"
        if self._table.occupants.asks_ready:
            changes += "; players who were ready must press Ready again"
        options = (Section("Options", f"You can change the game and its options while the table is open. {changes}."),)
        bots = (
            Section("Bots", "b adds a bot, and - removes it. It runs in your program, so the others must trust you.",
                    by_touch=Section("Bots", "You can add a bot and remove it. It runs in your program, so the others "
                                             "must trust you.")),
        ) if self._table.host else (
            Section("Bots", "The host can add a bot and remove it. It runs in the host’s program: trust the bot only "
                            "if you trust the host."),
        )  # fmt: skip
        code = (
            Section("The QR code", "A friend on this network scans it to play on a phone. Friends who have Kimberley "
                                f"type the command{', or find your table in Join' if self._is_listed else ''}."),
        ) if self._draws_code and self._sharing.link is not None else (
            Section("The QR code", "A phone that scans it shows the join command as text. y copies the "
                                f"command, if your {self.ui.window.program} allows that."),
        ) if self._draws_code else ()  # fmt: skip
        far = (
            Section(FAR, f"Press {FAR_KEY} for a code, such as 7-velvet-harbor, for one friend who is not on your "
                         "network. They type it in Join, or after kimberley join in a terminal. Compare the four words "
                         "over the phone. The next code appears when the friend has joined, if seats are still free. "
                         f"If a code does not work, press {FAR_KEY} for another."),
        ) if self.shares and self.free else ()  # fmt: skip
        not_found = Section(
            "Not found?", "Both computers must be on the same network, and not on guest Wi-Fi, which keeps devices "
                          f"apart. Firewalls must allow UDP 5353 and TCP {self._table.port}. If a friend’s list stays "
                          "empty, they can type the address shown here: that works whenever the two computers can "
                          "reach each other.",
        )  # fmt: skip
        return Help(
            "An open table",
            (
                Section("Waiting", waiting),
                *([Section(OTHERS_JOIN, BY_LINK)] if self._by_link else []),
                *(options if self.sets_options else ()),
                *(ready if self._table.occupants.asks_ready else ()),
                *(bots if self._table.occupants.seats > 2 and not self.table_flow.counts else ()),
                *code,
                *far,
                *([self._sharing.help()] if self.shares and (self.free or self._sharing.shows) else []),
                *([not_found] if self.ways and self.free and not self._by_code else []),
                *(REMOVING if self._table.host and not self.table_flow.counts else ()),
            ),
        )  # fmt: skip
