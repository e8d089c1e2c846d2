"""The lobby, where everyone at the table compares four words once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kimberley.client.screens.dialogs import leave_table
from kimberley.client.screens.removal import REMOVE_KEY, REMOVING, choose_whom_to_remove
from kimberley.client.screens.shell import Shell
from kimberley.client.session.clocks import words_countdown
from kimberley.client.session.participants import (
    OTHER_OWNER,
    awaited_seats,
    compared_with,
    key_status,
    may_be_far,
    names_with_you,
    removable_seats,
    short_name,
    sits_beside_owner,
    table_owner,
    waiting_lines,
    words_differ,
)
from kimberley.client.ui.bars import key_bar, phase_strip, title_bar
from kimberley.client.ui.buttons import button, button_width
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import wrap
from kimberley.client.ui.keys import Hint
from kimberley.client.ui.layout import draw_options, seat_mark, stage, word_card
from kimberley.client.ui.palette import Color
from kimberley.client.ui.panels import panel, paragraph
from kimberley.client.ui.screen import Help, Screen, Section
from kimberley.games.phrases import count_of, join_names
from kimberley.p2p.sentences.options import option_lines

if TYPE_CHECKING:
    from kimberley.client.screens.shell import TableFlowLike
    from kimberley.p2p.table.table import Table

ROOM_KEY: Final = "o"
IN_ROOM: Final = {True: "Same room: sounds give nothing away", False: "Music from the host’s computer only"}
"""What a row offers, by whether the player is the host."""
ONE_ROOM: Final = Section(
    "In the same room",
    f"Music from two computers clashes. Press {ROOM_KEY}: then only the host’s computer plays music, and sounds that "
    "could give a secret away are off, because the others would hear them. This affects only your own computer, so "
    f"each of you has to press {ROOM_KEY}.",
)
ADVICE: Final = ("Read them aloud or compare the screens.", "If one differs, someone may be tampering.")
ADVICE_FAR: Final = ("Compare them over the phone.", "If one differs, someone may be tampering.")
CONFIRMED: Final = "You confirmed that the four words match."
OTHER_KEY: Final = "! Key changed"
STANDARD: Final = "This is the standard game."
NEW_KEY: Final = "{}’s key has changed."
NEW_KEYS: Final = "The keys of {} have changed."
OTHER_OWNERS: Final = "{} have names of people you know, but different keys."
CARE: Final = "! Be careful"
MEETINGS: Final = {"new": "not verified", "met": "verified", "bot": "a bot"}


class LobbyScreen(Screen):
    """Who sits at the table, and the four words that reveal anyone who tampers with the connection."""

    def __init__(self, shell: Shell, table: Table, flow: TableFlowLike) -> None:
        super().__init__(shell)
        self.shell, self.table_flow, self._table = shell, flow, table
        self._now = 0.0

    @property
    def table(self) -> Table:
        return self._table

    # -- the model -----------------------------------------------------------------------------------------------------

    def _others(self) -> list[int]:
        return [seat for seat in range(len(self._table.occupants.names)) if seat != self._table.occupants.seat]

    def _removable(self) -> list[int]:
        """Returns the seats of people whom the player can remove."""
        return [] if self.table_flow.counts else removable_seats(self._table)

    def _changed(self) -> list[int]:
        """Returns the seats of the others whose nickname is known with a different key."""
        return [seat for seat in self._others() if self._table.words.acquaintance[seat] == "changed"]

    def _other_key(self, changed: list[int]) -> str:
        one = len(changed) == 1
        if self._are_owners_here(changed):
            doubt = f"Someone else may be using {'that name' if one else 'those names'}."
        else:
            doubt = f"Unless they told you about it, someone else may be using their {'name' if one else 'names'}."
        return f"{self._keys(changed)} {doubt}"

    def _keys(self, changed: list[int]) -> str:
        one, names = len(changed) == 1, join_names([self._table.occupants.names[seat] for seat in changed])
        if self._are_owners_here(changed):
            return (OTHER_OWNER if one else OTHER_OWNERS).format(names)
        return (NEW_KEY if one else NEW_KEYS).format(names)

    def _are_owners_here(self, changed: list[int]) -> bool:
        """Returns whether a known owner of one of the names is at the table: that player's key has not changed."""
        return any(sits_beside_owner(self._table, seat) for seat in changed)

    @property
    def _agreed(self) -> bool:
        """Whether the player has said that the words are the same."""
        return self._table.words.agreed[self._table.occupants.seat]

    def _waiting(self, room: int) -> list[str]:
        if (countdown := words_countdown(self._table, self._now)) is not None:
            return wrap(countdown, room)
        missing = names_with_you(self._table, awaited_seats(self._table))
        return waiting_lines(missing, "", room) if missing else ["Starting…"]

    # -- the view ------------------------------------------------------------------------------------------------------

    def next_frame(self, now: float) -> float | None:
        return None if words_countdown(self._table, now) is None else int(now) + 1

    def draw(self, canvas: Canvas, now: float) -> None:
        table, self._now = self._table, now
        title_bar(canvas, f"{table.game.title} · {table_owner(table)}")
        changed = self._changed()
        if changed:
            note, fg = "! key changed", "warning"
        else:
            known = {table.words.acquaintance[seat] for seat in self._others()}
            note, fg = next((text for key, text in MEETINGS.items() if key in known), ""), "soft"
        compare = f"Compare the four words with {compared_with(table)}, once."
        phase_strip(canvas, 1, "LOBBY", CONFIRMED if self._agreed else compare, note, fg)
        ground = stage(canvas)
        if canvas.portrait:
            self._draw_upright(ground, changed)
        else:
            self._draw_seats(ground)
            self._draw_words(ground)
            self._draw_below(ground, changed)
        same = Hint("y", "same", primary=not changed)
        # In a tournament the referee sets up a new table.
        differ = "different" if self.shell.tournament_flow is not None else "different: leave"
        answers = [] if self._agreed else [same, Hint("n", differ)]
        remove = [Hint(REMOVE_KEY, "remove player")] if self._removable() else []
        key_bar(canvas, [*answers, *remove, Hint("Esc", "leave")])

    def _draw_upright(self, ground: Canvas, changed: list[int]) -> None:
        """Draws everything in one column: the words, the seats, and what else there is to know."""
        table, room = self._table, ground.width - 2
        self._draw_cards(ground, 1, 0, room // 2 - 1, room // 2 + 1)
        y = paragraph(ground, 1, 9, [line for text in self._advice for line in wrap(text, room)]) + 1
        ground.put(1, y, "Seats", "text", bold=True)
        for seat in range(len(table.occupants.names)):
            self._draw_seat(ground.region(1, y + 1, room, 2 * len(table.occupants.names)), 2 * seat, seat, key=True)
        y += 2 * len(table.occupants.names) + 2
        y = paragraph(ground, 1, y, self._waiting(room), "ok" if self._agreed else "money") + 1
        if changed or table.words.warning:
            text = self._other_key(changed) if changed else table.words.warning or ""
            ground.put(1, y, OTHER_KEY if changed else CARE, "warning", bold=True)
            paragraph(ground, 1, y + 1, wrap(text, room), "text")
        else:
            draw_options(ground, 1, y, room, ground.height - y, option_lines(table.game, table.occupants.options))

    def _draw_seats(self, ground: Canvas) -> None:
        table = self._table
        count = len(table.occupants.names)
        gap = 3 if count < 4 else 2
        inside = panel(ground, 1, 1, 32, max(12, 2 * count + 2), "Seats")
        for seat in range(count):
            self._draw_seat(inside, 1 + gap * seat, seat, key=table.words.acquaintance[seat] == "changed" or gap == 3)
        if count < 5:
            free = table.occupants.seats - count
            note = count_of(free, "empty seat") if free else "table full"
            if table.hosting.queue:
                note = f"{len(table.hosting.queue)} in the queue"
            inside.put(0, inside.height - 1, note, "soft")

    def _draw_seat(self, inside: Canvas, y: int, seat: int, *, key: bool) -> None:
        """Draws who sits there and whether the words are the same; if asked for, what is known of the `key` in the next
        row.
        """
        table = self._table
        at = seat_mark(inside, 0, y, seat) + 1
        state = (
            "✓ same" if table.words.agreed[seat] else "connecting" if seat in table.reconnection.away else "comparing"
        )
        start = inside.right(inside.width, y, state, "ok" if table.words.agreed[seat] else "money")
        role = "you" if seat == table.occupants.seat else "host" if seat == table.host_seat else ""
        # If there is little room, shorten the name and not the state: the player is waiting for the state.
        name = short_name(table.occupants.names, seat, start - at - 1 - (len(role) + 1 if role else 0))
        at = inside.put(at, y, name, "text", bold=True)
        inside.put(at + 1, y, role, "soft")
        if key:
            inside.put(4, y + 1, *key_status(table, seat))

    def _draw_cards(self, ground: Canvas, x: int, y: int, room: int, pitch: int) -> None:
        """Draws the question and the four words, in cards of `room` columns, each `pitch` after the one before it."""
        ground.put(x, y, "The four words" if self._agreed else "Same words on every screen?", "text", bold=True)
        for number, word in enumerate(self._table.words.phrase or ("…",) * 4):
            word_card(ground, x + pitch * (number % 2), y + 3 + 4 * (number // 2), room, number + 1, word)

    @property
    def _advice(self) -> tuple[str, str]:
        return ADVICE_FAR if may_be_far(self._table) else ADVICE

    def _draw_words(self, ground: Canvas) -> None:
        self._draw_cards(ground, 36, 1, 20, 22)
        paragraph(ground, 36, 10, self._advice)
        if not self.shell.audio.silence and not may_be_far(self._table):
            self._draw_room(ground)

    def _draw_room(self, ground: Canvas) -> None:
        """Offers what two machines in one room need."""
        mark = "[x]" if self.shell.audio.one_room else "[ ]"
        text = f"{mark} {IN_ROOM[self._table.host]}"
        end = ground.put(36, 12, text, "text" if self.shell.audio.one_room else "soft")
        ground.put(end + 1, 12, ROOM_KEY, "text", bold=True)
        ground.hit(36, 12, end + 2 - 36, 1, f"key:{ROOM_KEY}")

    def _draw_below(self, ground: Canvas, changed: list[int]) -> None:
        table = self._table
        if changed:
            self._head(ground, OTHER_KEY, 44, "warning")
            paragraph(ground, 1, 16, wrap(self._other_key(changed), 44, 5), "text")
        else:
            self._draw_options(ground)
        agreed = table.words.agreed[table.occupants.seat]
        x = 47
        if not agreed:
            fill: Color = "button" if changed else "ok"
            x += button_width("Same", "y") + 1
            button(ground, 47, 17, "Same", "y", fill=fill)
        button(ground, x, 17, "Leave" if agreed else "Different", "Esc" if agreed else "n")
        paragraph(ground, 47, 19, self._waiting(ground.width - 48), "ok" if agreed else "money")

    def _head(self, ground: Canvas, title: str, room: int, fg: Color) -> None:
        """Draws the heading below the seats. With six seats there is no row left for a rule under it."""
        crowded = len(self._table.occupants.names) > 5
        ground.put(1, 15 if crowded else 14, title, fg, bold=True)
        if not crowded:
            ground.rule(1, 15, room, "line" if fg == "text" else fg)

    def _draw_options(self, ground: Canvas) -> None:
        table = self._table
        if table.words.warning:
            self._head(ground, CARE, 44, "warning")
            paragraph(ground, 1, 16, wrap(table.words.warning, 42, 5), "text")
            return
        self._head(ground, "Options", ground.width - 2, "text")
        lines = option_lines(table.game, table.occupants.options)
        draw_options(ground, 1, 16, 45, 5, lines)
        if not lines:
            ground.put(1, 16, STANDARD, "text")

    # -- keys ----------------------------------------------------------------------------------------------------------

    def key(self, name: str) -> bool:
        table = self._table
        match name:
            case "y" if not self._agreed:
                changed = self._changed()
                if changed:
                    question = f"{self._keys(changed)} Play anyway?"
                    self.ui.confirm("Key changed", question, "Play", "Back", lambda: self._same(True), danger=True)
                else:
                    self._same(True)
            case "n" if not self._agreed:
                why = words_differ(counts=self.table_flow.counts)
                self.ui.confirm("Different words", why, "Leave", "Back", self._differ, danger=True)
            case _ if name == REMOVE_KEY and (seats := self._removable()):
                choose_whom_to_remove(self.ui, table, seats)
            case _ if name == ROOM_KEY and not self.shell.audio.silence:
                self.ui.toast(self.shell.audio.toggle_room(host=table.host))
            case "esc":
                leave_table(self.shell, table)
            case _:
                return False
        return True

    def _same(self, yes: bool) -> None:
        self._table.words.answer(yes)
        self.ui.redraw()

    def _differ(self) -> None:
        self._table.words.answer(False)
        self.table_flow.leave()

    def help(self) -> Help:
        paired = self.shell.tournament_flow is not None
        differ = "Say so: the referee sets up a new table." if paired else "Say so and leave."
        return Help(
            "Four words",
            (
                Section("Why", "No server vouches for anyone. If someone sat between you and passed your messages on, "
                               "your screens would show different words."),
                Section("How", "Read the words to each other, across the table or over the phone. If all four match on "
                               "every screen, say so. Once is enough: your programs remember."),
                Section("Different", f"{differ} Nothing is lost: no secrets have been sent yet."),
                *(REMOVING if self._removable() else ()),
                *(() if self.shell.audio.silence or may_be_far(self._table) else (ONE_ROOM,)),
            ),
        )  # fmt: skip
