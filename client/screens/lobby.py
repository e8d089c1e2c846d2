"""The lobby: everybody at the table compares four words, once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from client.canvas import Canvas
from client.glyphs import wrapped
from client.options import option_lines
from client.palette import Colour
from client.people import called, in_a_row, owner, short_name, waited_for, waiting_lines
from client.screen import Help, Screen, Section
from client.screens.dialogs import leave_table
from client.screens.shell import Shell
from client.screens.stage import card, draw_options, seat_mark, stage
from client.seats import TableLike
from client.widgets import Hint, button, button_width, key_bar, panel, paragraph, phase_strip, title_bar

if TYPE_CHECKING:
    from client.sitting import Sitting

MEETINGS: Final = {"new": "first meeting", "met": "met before", "bot": "a bot"}

KEYS: Final = {
    "new": "key new to you", "met": "✓ key met before", "changed": "! not the key you know",
    "bot": "a bot, in this program",
}  # fmt: skip


def key_words(table: TableLike, seat: int) -> tuple[str, Colour]:
    """How well the key of a seat is known, and the colour of that; nothing for one's own."""
    known = table.acquaintance[seat] if seat < len(table.acquaintance) else ""
    if known == "new" and seat < len(table.called_bots) and table.called_bots[seat]:
        return "a bot, says the host", "soft"
    return KEYS.get(known, ""), "warning" if known == "changed" else "soft"


class LobbyScreen(Screen):
    """Who sits at the table, and the words that tell whether anybody sits in between."""

    def __init__(self, shell: Shell, table: TableLike, sitting: Sitting) -> None:
        super().__init__(shell)
        self.shell, self.sitting, self._table = shell, sitting, table

    @property
    def table(self) -> TableLike:
        return self._table

    # -- the model -----------------------------------------------------------------------------------------------------

    def _others(self) -> list[int]:
        return [seat for seat in range(len(self._table.names)) if seat != self._table.seat]

    def _changed(self) -> list[str]:
        """The others whose nickname is known with another key."""
        table = self._table
        return [table.names[seat] for seat in self._others() if table.acquaintance[seat] == "changed"]

    def _waiting(self, room: int) -> list[str]:
        missing = called(self._table, waited_for(self._table))
        return waiting_lines(missing, "", room) if missing else ["The game begins."]

    # -- the view ------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, now: float) -> None:
        table = self._table
        title_bar(canvas, f"{table.game.title} · {owner(table)}")
        changed = self._changed()
        if changed:
            note, fg = "! another key", "warning"
        else:
            known = {table.acquaintance[seat] for seat in self._others()}
            note, fg = next((text for key, text in MEETINGS.items() if key in known), ""), "soft"
        phase_strip(canvas, 1, "LOBBY", "Compare the four words once with everyone at the table.", note, fg)
        ground = stage(canvas)
        self._draw_seats(ground)
        self._draw_words(ground)
        self._draw_below(ground, changed)
        key_bar(canvas, [
            Hint("y", "the same"), Hint("n", "different, leave"), Hint("Esc", "leave"),
            Hint("F1", "help"),
        ])  # fmt: skip

    def _draw_seats(self, ground: Canvas) -> None:
        table = self._table
        count = len(table.names)
        gap = 3 if count < 4 else 2
        inside = panel(ground, 1, 1, 32, max(12, 2 * count + 2), "Seats")
        for seat in range(count):
            y = 1 + gap * seat
            at = seat_mark(inside, 0, y, seat) + 1
            said = "✓ same" if table.agreed[seat] else "connecting" if seat in table.away else "comparing"
            start = inside.right(inside.width, y, said, "ok" if table.agreed[seat] else "money")
            role = "you" if seat == table.seat else "host" if seat == table.host_seat else ""
            # The name gives way before the state does: it is what the eye waits for.
            name = short_name(table.names, seat, start - at - 1 - (len(role) + 1 if role else 0))
            at = inside.put(at, y, name, "text", bold=True)
            inside.put(at + 1, y, role, "soft")
            if table.acquaintance[seat] == "changed" or gap == 3:
                inside.put(4, y + 1, *key_words(table, seat))
        if count < 5:
            free = table.seats - count
            said = f"{free} {'seat stays' if free == 1 else 'seats stay'} free" if free else "all seats taken"
            inside.put(0, inside.height - 1, said, "soft")

    def _draw_words(self, ground: Canvas) -> None:
        ground.put(36, 1, "The same on every screen?", "text", bold=True)
        for number, word in enumerate(self._table.phrase or ("…",) * 4):
            card(ground, 36 + 22 * (number % 2), 4 + 4 * (number // 2), 20, number + 1, word)
        advice = ("Read them aloud, or look at both screens.", "If one differs, someone sits in between.")
        paragraph(ground, 36, 10, advice)

    def _draw_below(self, ground: Canvas, changed: list[str]) -> None:
        table = self._table
        if changed:
            said = wrapped(f"You know {in_a_row(changed)} with another key. Unless they told you that it is new, "
                            "somebody plays under their name.", 44)[:5]  # fmt: skip
            self._head(ground, "! Not the key you know", 44, "warning")
            paragraph(ground, 1, 16, said, "text")
        else:
            self._draw_options(ground)
        agreed = table.agreed[table.seat]
        x = 47
        if not agreed:
            fill: Colour = "button" if changed else "ok"
            x += button_width("The same", "y") + 1
            button(ground, 47, 17, "The same", "y", fill=fill)
        button(ground, x, 17, "Leave" if agreed else "Different", "Esc" if agreed else "n")
        paragraph(ground, 47, 19, self._waiting(ground.width - 48), "ok" if agreed else "money")

    def _head(self, ground: Canvas, title: str, room: int, fg: Colour) -> None:
        """The heading of what stands below the seats. Six of them leave no row for a line under it."""
        crowded = len(self._table.names) > 5
        ground.put(1, 15 if crowded else 14, title, fg, bold=True)
        if not crowded:
            ground.rule(1, 15, room, "line" if fg == "text" else fg)

    def _draw_options(self, ground: Canvas) -> None:
        table = self._table
        if table.warning:
            self._head(ground, "! Take care", 44, "warning")
            paragraph(ground, 1, 16, wrapped(table.warning, 42)[:5], "text")
            return
        lines = option_lines(table.game, table.options) or [("none", "the game as it is")]
        self._head(ground, "Options", ground.width - 2, "text")
        draw_options(ground, 1, 16, 45, 5, lines)

    # -- keys ----------------------------------------------------------------------------------------------------------

    def key(self, name: str) -> bool:
        table = self._table
        match name:
            case "y" if not table.agreed[table.seat]:
                changed = self._changed()
                if changed:
                    question = f"You know {in_a_row(changed)} with another key. Play with this one?"
                    self.ui.confirm("Another key", question, "Play", "Back", lambda: self._same(True))
                else:
                    self._same(True)
            case "n" if not table.agreed[table.seat]:
                again = "The referee has it set again" if self.sitting.counts else "Try again"
                self.ui.confirm("Different words", "Then somebody may sit in between, and the table is closed. "
                                f"{again}, and if it happens again, use another network.", "Leave", "Back",
                                self._differ)  # fmt: skip
            case "esc" if self.sitting.counts:
                leave_table(self.shell, table)
            case "esc":
                self.ui.confirm("Leave the table", "The others go back to the title screen.", "Leave", "Stay",
                                self.sitting.leave)  # fmt: skip
            case _:
                return False
        return True

    def _same(self, yes: bool) -> None:
        self._table.same(yes)
        self.ui.redraw()

    def _differ(self) -> None:
        self._table.same(False)
        self.sitting.leave()

    def help(self) -> Help:
        return Help(
            "Four words",
            (
                Section("Why", "There is no server to vouch for anyone. If somebody sat between you and the others and "
                        "passed on what you say, each screen would show other words."),
                Section("How", "Read the words to each other, over the table or the phone. If all four are the same "
                        "everywhere, say so. Once is enough: the keys are remembered."),
                Section("Different", "Say so and leave. Nothing is lost: no secret was told yet."),
            ),
        )  # fmt: skip
