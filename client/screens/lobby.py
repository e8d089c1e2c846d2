"""The lobby: everybody at the table compares four words, once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from client.canvas import Canvas
from client.glyphs import fitted, wrapped
from client.palette import Colour
from client.screen import Help, Screen, Section
from client.screens.shell import Shell
from client.screens.stage import card, facts, option_lines, seat_mark, stage
from client.seats import TableLike
from client.widgets import Hint, button, button_width, key_bar, panel, paragraph, phase_strip, title_bar

if TYPE_CHECKING:
    from client.sitting import Sitting

MEETINGS: Final = {"new": "first meeting", "met": "met before", "bot": "a bot"}

KEYS: Final = {
    "new": "key new to you", "met": "✓ key met before", "changed": "! not the key you know",
    "bot": "a bot, in this program",
}  # fmt: skip


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

    def _waiting(self) -> str:
        table = self._table
        missing = ["you" if seat == table.seat else table.names[seat]
                   for seat in range(len(table.names)) if not table.agreed[seat]]  # fmt: skip
        missing.sort(key=lambda name: name != "you")
        if not missing:
            return "The game begins."
        head = ", ".join(missing[:-1])
        return f"Waiting for {head} and {missing[-1]}." if head else f"Waiting for {missing[-1]}."

    # -- the view ------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, now: float) -> None:
        table = self._table
        owner = "your table" if table.host else f"{table.names[table.host_seat]}’s table"
        title_bar(canvas, f"{table.game.title} · {owner}")
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
        inside = panel(ground, 1, 1, 32, 12 if count < 5 else 2 * count + 3, "Seats")
        for seat in range(count):
            y = 1 + gap * seat
            at = seat_mark(inside, 0, y, seat) + 1
            said = "✓ same" if table.agreed[seat] else "comparing"
            start = inside.right(inside.width, y, said, "ok" if table.agreed[seat] else "money")
            role = "you" if seat == table.seat else "host" if seat == table.host_seat else ""
            # The name gives way before the state does: it is what the eye waits for.
            name = fitted(table.names[seat], start - at - 1 - (len(role) + 1 if role else 0))
            at = inside.put(at, y, name, "text", bold=True)
            inside.put(at + 1, y, role, "soft")
            known = table.acquaintance[seat]
            if known == "changed" or gap == 3:
                inside.put(4, y + 1, KEYS.get(known, ""), "warning" if known == "changed" else "soft")
        if count < 5:
            inside.put(0, inside.height - 1, "all seats taken", "soft")

    def _draw_words(self, ground: Canvas) -> None:
        ground.put(36, 1, "The same on every screen?", "text", bold=True)
        for number, word in enumerate(self._table.phrase or ("…",) * 4):
            card(ground, 36 + 22 * (number % 2), 4 + 4 * (number // 2), 20, number + 1, word)
        advice = ("Read them aloud, or look at both screens.", "If one differs, someone sits in between.")
        paragraph(ground, 36, 10, advice)

    def _draw_below(self, ground: Canvas, changed: list[str]) -> None:
        table = self._table
        if changed:
            names = " and ".join(changed)
            said = wrapped(f"You know {names} with another key. Unless they told you that it is new, "
                            "somebody plays under their name.", 42)  # fmt: skip
            ground.put(1, 14, "! Not the key you know", "warning", bold=True)
            ground.rule(1, 15, 44, "warning")
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
        ground.put(47, 19, fitted(self._waiting(), ground.width - 48), "ok" if agreed else "money")

    def _draw_options(self, ground: Canvas) -> None:
        table = self._table
        if table.warning:
            ground.put(1, 14, "! Take care", "warning", bold=True)
            ground.rule(1, 15, 44, "warning")
            paragraph(ground, 1, 16, wrapped(table.warning, 42)[:5], "text")
            return
        lines = option_lines(table.game, table.options) or [("none", "the game as it is")]
        ground.put(1, 14, "Options", "text", bold=True)
        ground.rule(1, 15, ground.width - 2)
        facts(ground.region(0, 0, 46, ground.height), 1, 16, lines, 13)

    # -- keys ----------------------------------------------------------------------------------------------------------

    def key(self, name: str) -> bool:
        table = self._table
        match name:
            case "y" if not table.agreed[table.seat]:
                changed = self._changed()
                if changed:
                    self.ui.confirm("Another key", f"You know {changed[0]} with another key. Play with this one?",
                                    "Play", "Back", lambda: self._same(True))  # fmt: skip
                else:
                    self._same(True)
            case "n" if not table.agreed[table.seat]:
                self.ui.confirm("Different words", "Then somebody may sit in between, and the table is closed. Try "
                                "again, and if it happens again, use another network.", "Leave", "Back",
                                self._differ)  # fmt: skip
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
