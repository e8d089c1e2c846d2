"""The servers that bring this player together with friends far away."""

from __future__ import annotations

from typing import Final

from kimberley.client.screens.shell import Shell
from kimberley.client.ui.bars import key_bar
from kimberley.client.ui.buttons import button
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.glyphs import wrap
from kimberley.client.ui.keys import Hint
from kimberley.client.ui.panels import dialog, paragraph
from kimberley.client.ui.screen import Screen
from kimberley.client.ui.text_field import TextField
from kimberley.p2p.far.codes import NO_MAILBOX, NO_RELAY, is_mailbox, is_relay

TITLE: Final = "Friends far away"
LABELS: Final = ("Mailbox server", "Relay")
PLACEHOLDERS: Final = ("ws://mailbox.example:4000/v1", "tcp:relay.example:4001")
BLANK: Final = (
    "Leave both blank to use the public servers of magic-wormhole. Your friends must set the same mailbox server. The "
    "relay is used only when you host."
)
MOST_TYPED: Final = 200


class FarServersDialog(Screen):
    """Asks for both servers. If a text does not name one, says so and leaves the settings as they were."""

    overlay = True
    typed = True

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell)
        self.shell = shell
        kept = shell.settings
        self.fields = tuple(TextField(text, limit=MOST_TYPED, selected=True) for text in (kept.mailbox, kept.relay))
        self.focus = 0
        self.problem: str | None = None

    def draw(self, canvas: Canvas, now: float) -> None:
        inside = dialog(canvas, 66, 15 if canvas.touch else 18, TITLE)
        room, y = inside.width - 2, 1
        for number, (label, placeholder) in enumerate(zip(LABELS, PLACEHOLDERS, strict=True)):
            focused = number == self.focus
            inside.put(1, y, label, "text" if focused else "soft", bold=focused)
            self.fields[number].draw(inside, 1, y + 1, room, focused, placeholder, ("field", number), "ink")
            inside.hit(1, y, room, 2, ("field", number))
            y += 3
        note, color = (BLANK, "soft") if self.problem is None else (self.problem, "warning")
        paragraph(inside, 1, y, wrap(note, room), color)
        if not canvas.touch:
            after = button(inside, 1, inside.height - 3, "Save", "Enter", primary=True)
            button(inside, after + 1, inside.height - 3, "Back", "Esc", fill="line")
        key_bar(canvas, [Hint("Enter", "save", primary=True), Hint("Tab", "other field"), Hint("Esc", "back")])

    def _save(self) -> None:
        mailbox, relay = (field.text.strip() for field in self.fields)
        if mailbox and not is_mailbox(mailbox):
            self.problem, self.focus = f"{NO_MAILBOX.format(text=mailbox)}.", 0
        elif relay and not is_relay(relay):
            self.problem, self.focus = f"{NO_RELAY.format(text=relay)}.", 1
        else:
            kept = self.shell.settings
            kept.mailbox, kept.relay = mailbox, relay
            kept.save()
            self.ui.pop(self)

    def key(self, name: str) -> bool:
        match name:
            case "enter":
                self._save()
            case "esc":
                self.ui.pop(self)
            case "tab" | "s-tab" | "up" | "down":
                self.focus = 1 - self.focus
            case _:
                return self.fields[self.focus].key(name)
        return True

    def paste(self, text: str) -> bool:
        self.fields[self.focus].paste(text)
        return True

    def click(self, action: Action, x: int, y: int, button: str) -> bool:
        match action:
            case ("field", int(number)):
                self.focus = number
                return True
        return False
