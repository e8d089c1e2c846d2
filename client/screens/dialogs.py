"""Dialogs over a screen: asking back, the menu, help, the line to chat in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from client.canvas import Action, Canvas
from client.glyphs import clean, fitted, width, wrapped
from client.people import called, goes_on, in_a_row, left
from client.screen import Help, MenuItem, Screen, Section, Ui
from client.seats import TableLike
from client.widgets import Field, Hint, Scroll, Text, button, button_width, dialog, key_bar

if TYPE_CHECKING:
    from client.screens.shell import Shell


class Confirm(Screen):
    """Asks back: yes or no. What is lost by a mistake is not the first button."""

    overlay = True

    def __init__(
        self, ui: Ui, title: str, text: str, yes: str, no: str, then: Callable[[], None], *, key: str = "y"
    ) -> None:
        super().__init__(ui)
        self.title, self.lines = title, wrapped(text, 44)
        self.buttons = ((yes, key), (no, "Esc"))
        self.then = then
        self.focus: int | None = None

    def draw(self, canvas: Canvas, now: float) -> None:
        room = max(max(map(width, self.lines)), sum(button_width(*each) + 1 for each in self.buttons))
        inside = dialog(canvas, room + 8, len(self.lines) + 7, self.title)
        for number, line in enumerate(self.lines):
            inside.put(1, 1 + number, line)
        x = 1
        for number, (label, key) in enumerate(self.buttons):
            x = 1 + button(
                inside, x, len(self.lines) + 3, label, key, primary=number == 0, focused=self.focus == number,
                fill=None if number == 0 else "line",
            )  # fmt: skip
        key_bar(canvas, [Hint(self.buttons[0][1], self.buttons[0][0].lower()), Hint("Esc", self.buttons[1][0].lower())])

    def key(self, name: str) -> bool:
        match name:
            case "left" | "right" | "tab" | "s-tab" | "up" | "down":
                self.focus = 1 if self.focus == 0 else 0
            case "enter" if self.focus != 1:
                self._yes()
            case "esc" | "n" | "enter":
                self.ui.pop(self)
            case _ if name == self.buttons[0][1]:
                self._yes()
            case _:
                return False
        return True

    def _yes(self) -> None:
        self.ui.pop(self)
        self.then()


class Menu(Screen):
    """The menu (F10, the START of old): a list of things to do."""

    overlay = True

    def __init__(self, ui: Ui, items: Sequence[MenuItem]) -> None:
        super().__init__(ui)
        self.items = items
        self.scroll = Scroll()

    def draw(self, canvas: Canvas, now: float) -> None:
        inside = dialog(canvas, 40, len(self.items) + 4, "Menu")
        for number, item in enumerate(self.items):
            y, focused = 1 + number, number == self.scroll.focus
            if focused:
                inside.fill(0, y, inside.width, 1, "paper")
                inside.put(1, y, "▸", "ink", bold=True)
            inside.put(3, y, item.label, "ink" if focused else "text", bold=focused)
            shown = item.key.capitalize() if len(item.key) > 1 else item.key
            inside.right(inside.width - 1, y, shown, "ink" if focused else "soft")
            inside.hit(0, y, inside.width, 1, number)
        key_bar(canvas, [Hint("↑ ↓", "choose"), Hint("Enter", "do it"), Hint("Esc", "back")])

    def key(self, name: str) -> bool:
        if self.scroll.key(name, len(self.items)):
            return True
        if name in ("esc", "f10"):
            self.ui.pop(self)
            return True
        if name == "enter":
            self._run(self.items[self.scroll.focus])
            return True
        chosen = next((item for item in self.items if item.key == name), None)
        if chosen:
            self._run(chosen)
        return chosen is not None

    def click(self, action: Action, x: int, y: int, button: str) -> bool:
        if isinstance(action, int):
            self._run(self.items[action])
            return True
        return False

    def wheel(self, action: Action | None, x: int, y: int, steps: int) -> bool:
        return self.scroll.key("up" if steps < 0 else "down", len(self.items))

    def _run(self, item: MenuItem) -> None:
        self.ui.pop(self)
        item.run()


CONTROLS: Final = Help(
    "Controls",
    (
        Section("Touch", "Everything that can be touched answers a click, also the keys named in the last row. "
                "The wheel steps amounts and scrolls lists. A right click cancels."),
        Section("Keys", "Tab goes on to the next thing, arrows move and change, Enter does it, Esc takes it back. "
                "The letter on a button presses it."),
        Section("Always", "F1 helps with what is shown. F10 is the menu. c opens the chat at a table. "
                "Ctrl-L draws the screen anew, Ctrl-C leaves."),
        Section("Signs", "? is what you cannot know. The other signs of a game are told by F1. "
                "Whatever moves jumps to its end at any key."),
    ),
)  # fmt: skip


GOES_ON: Final = (
    "You give up, for good. The others play on without you; what you hold is dealt with as the rules say, and the "
    "whole game is still proven fair."
)


def menu(shell: Shell, screen: Screen) -> Menu:
    """The menu over a screen: its own lines, help, controls and colours, and what one can do at its table."""
    from client.screens.settings import SettingsScreen

    items: list[MenuItem] = []
    if screen.help() is not None:
        items.append(MenuItem("Help", "f1", lambda: show_help(shell, screen)))
    items.append(MenuItem("Controls", "k", lambda: shell.push(HelpDialog(shell, CONTROLS))))
    if not isinstance(screen, SettingsScreen):
        items.append(MenuItem("Colours and settings", "s", lambda: shell.push(SettingsScreen(shell))))
    table = screen.table
    if table is not None and can_talk(table):
        items.append(MenuItem("Chat", "c", lambda: shell.push(ChatLine(shell, table))))
    items += screen.menu()
    if table is not None:
        items.append(MenuItem("Who sits here", "w", lambda: show_people(shell)))
        items += parting(shell, table)
        if table.phase == "playing" and table.seat not in left(table):
            label = "Leave the game" if goes_on(table) else "Resign"
            items.append(MenuItem(label, "r", lambda: resign(shell, table)))
        items.append(MenuItem("Leave the table", "q", lambda: leave_table(shell, table)))
    items.append(MenuItem("Back", "esc", lambda: None))
    return Menu(shell, items)


def parting(shell: Shell, table: TableLike) -> list[MenuItem]:
    """How a game may end before its end, other than by leaving it."""
    items: list[MenuItem] = []
    if table.can_put_aside and table.seat not in table.aside_from and table.seat not in left(table):
        who = in_a_row(called(table, sorted(table.aside_from)))
        asked = f"{who} would like to. " if table.aside_from else ""
        text = f"{asked}When all agree, the table closes, and you go on another day: every seat keeps what it said."
        agree = partial(shell.confirm, "Put the game aside", text, "Put aside", "Play on", partial(table.aside, True))
        items.append(MenuItem("Put the game aside", "p", agree))
    if table.absent and table.seat not in table.abandon_from:
        names = in_a_row(called(table, list(table.absent)))
        text = f"{names} did not come back. The game ends without a result; its record names whose step is absent, and "
        text += "that you attest it. When all who remain declare so, it is over."
        give_up = partial(shell.confirm, "Give up waiting", text, "Give up", "Wait", table.abandon)
        items.append(MenuItem("Give up waiting", "g", give_up))
    return items


def show_help(ui: Ui, screen: Screen) -> None:
    """Shows the help of a screen, or how everything is controlled where it has none."""
    ui.push(HelpDialog(ui, screen.help() or CONTROLS))


def show_people(shell: Shell) -> None:
    """Shows who sits at one's table."""
    from client.screens.people import PeopleDialog

    if shell.sitting is not None:
        shell.push(PeopleDialog(shell, shell.sitting.table, shell.sitting.waits))


def can_talk(table: TableLike) -> bool:
    """Whether what is said now is heard: table talk belongs to a game."""
    return table.phase in ("playing", "closing")


def resign(ui: Ui, table: TableLike) -> None:
    """Asks back, then resigns; with three seats and more the others play on, where the game allows it."""
    if goes_on(table):
        ui.confirm("Leave the game", f"{GOES_ON} You may stay and watch.", "Leave the game", "Play on", table.resign)
        return
    text = "The others win at once, and the game is proven fair as it stands."
    ui.confirm("Resign", text, "Resign", "Play on", table.resign)


def leave_table(shell: Shell, table: TableLike) -> None:
    """Leaves a table; asks back while a game runs."""
    sitting = shell.sitting
    if sitting is None:
        shell.home()
    elif sitting.counts and table.phase in ("words", "playing", "closing"):
        shell.confirm("Leave the game", "It counts for the tournament: the referee will call it lost for you. You stay "
                      "in the tournament.", "Leave", "Play on", sitting.leave)  # fmt: skip
    elif table.phase == "playing" and goes_on(table):
        shell.confirm("Leave the table", f"{GOES_ON} To stay and watch, leave the game only.", "Leave", "Stay",
                      sitting.leave)  # fmt: skip
    elif table.phase in ("playing", "closing") and table.seat not in left(table):
        shell.confirm("Leave the table", "The game is not over. Who leaves leaves it without a result, and without a "
                      "proof; resigning would end it properly.", "Leave", "Stay", sitting.leave)  # fmt: skip
    else:
        sitting.leave()


def leave(shell: Shell, top: Screen) -> None:
    """Ctrl-C: asks back at a table, else the program ends. A second one always ends it."""
    if isinstance(top, Confirm) or (shell.sitting is None and shell.attending is None):
        shell.quit()
    elif shell.attending is not None:
        shell.confirm("Leave Kimberley", "You play in a tournament. Your place and your game are kept; your clock runs "
                      "on. Join again to come back.", "Leave", "Stay", shell.quit)  # fmt: skip
    else:
        shell.confirm("Leave Kimberley", "You sit at a table. Leave it and the program?", "Leave", "Stay", shell.quit)


class HelpDialog(Screen):
    """Help for what is shown: sections with headings, scrolled where they are long."""

    overlay = True
    ROOM: ClassVar = 66

    def __init__(self, ui: Ui, help_: Help) -> None:
        super().__init__(ui)
        self.title = help_.title
        self.lines: list[Text] = []
        for section in help_.sections:
            if self.lines:
                self.lines.append(Text(""))
            self.lines.append(Text(section.heading, "text", bold=True))
            self.lines += [Text(line, "soft") for line in wrapped(section.text, self.ROOM - 10)]
        self.top = 0
        self._rows = len(self.lines)

    def draw(self, canvas: Canvas, now: float) -> None:
        self._rows = min(len(self.lines), canvas.height - 7)
        self.top = min(max(0, self.top), len(self.lines) - self._rows)
        inside = dialog(canvas, self.ROOM, self._rows + 4, self.title)
        for number, line in enumerate(self.lines[self.top : self.top + self._rows]):
            inside.put(1, 1 + number, line.text, line.fg, bold=line.bold)
        if self.top:
            inside.put(inside.width - 1, 1, "▴", "soft")
        if self.top + self._rows < len(self.lines):
            inside.put(inside.width - 1, self._rows, "▾", "soft")
        scrolls = [Hint("↑ ↓", "scroll")] if self._rows < len(self.lines) else []
        key_bar(canvas, [*scrolls, Hint("Esc", "back")])

    def key(self, name: str) -> bool:
        steps = {"up": -1, "down": 1, "pageup": -self._rows, "pagedown": self._rows, " ": self._rows}
        if name in steps:
            self.top += steps[name]
        elif name in ("esc", "enter", "f1", "q"):
            self.ui.pop(self)
        else:
            return False
        return True

    def wheel(self, action: Action | None, x: int, y: int, steps: int) -> bool:
        self.top += steps
        return True


class ChatLine(Screen):
    """What was said, and a line to say something, above the keys."""

    overlay = True
    dims = False
    SHOWN: ClassVar = 8

    def __init__(self, ui: Ui, table: TableLike) -> None:
        super().__init__(ui)
        self._table = table
        self.field = Field(limit=200)

    def draw(self, canvas: Canvas, now: float) -> None:
        talk = list(self._table.talk)[-self.SHOWN :]
        rows = max(1, len(talk)) + 4
        y, room = canvas.height - 1 - rows, min(78, canvas.width - 2)
        x = (canvas.width - room) // 2
        canvas.box(x, y, room, rows, "Chat", bg="raised", line="soft")
        if not talk:
            canvas.put(x + 3, y + 1, "Nobody has said anything yet.", "soft")
        for number, said in enumerate(talk):
            name = self._table.names[said.seat]
            after = canvas.put(x + 3, y + 1 + number, name, f"seat{said.seat + 1}", bold=True)
            canvas.put(after + 2, y + 1 + number, fitted(clean(said.text), room - (after - x) - 5))
        canvas.fill(x + 2, y + rows - 2, room - 4, 1, "ink")
        self.field.draw(canvas, x + 3, y + rows - 2, room - 6, True, ground="ink")
        key_bar(canvas, [Hint("Enter", "say it"), Hint("Esc", "back")])

    def key(self, name: str) -> bool:
        if name == "esc":
            self.ui.pop(self)
        elif name == "enter":
            text = self.field.text.strip()
            if text:
                self._table.say(text)
                self.field.clear()
            else:
                self.ui.pop(self)
        else:
            return self.field.key(name)
        return True

    def paste(self, text: str) -> bool:
        self.field.paste(text)
        return True
