"""The names of keys, and bindings that pass every key to the app."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from prompt_toolkit.input.ansi_escape_sequences import ANSI_SEQUENCES
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.key_binding.bindings.mouse import load_mouse_bindings, typical_mouse_events
from prompt_toolkit.key_binding.key_processor import KeyPressEvent
from prompt_toolkit.keys import Keys

NAMES: Final[dict[str, str]] = {
    Keys.Up: "up",
    Keys.Down: "down",
    Keys.Left: "left",
    Keys.Right: "right",
    Keys.Home: "home",
    Keys.End: "end",
    Keys.PageUp: "pageup",
    Keys.PageDown: "pagedown",
    Keys.Delete: "delete",
    Keys.Escape: "esc",
    Keys.ControlM: "enter",
    Keys.ControlJ: "enter",
    Keys.ControlI: "tab",
    Keys.BackTab: "s-tab",
    Keys.ControlH: "backspace",
    Keys.SIGINT: "c-c",
    **{getattr(Keys, f"F{n}"): f"f{n}" for n in range(1, 13)},
    **{getattr(Keys, f"Control{c}"): f"c-{c.lower()}" for c in "ABCDEFGKLNOPQRSTUVWXYZ"},
}
"""The app's names for keys that are not characters, by their names in prompt_toolkit."""


FOCUS: Final = {Keys.F23: True, Keys.F24: False}
"""What the terminal's reports of its focus are read as: keys that no keyboard has."""
ANSI_SEQUENCES.update({"\x1b[I": Keys.F23, "\x1b[O": Keys.F24})

_NUMBERED: Final = re.compile(r"\x1b\[<?\d{1,6};\d{1,6};\d{1,6}[mM]")
"""A terminal's mouse report, in SGR or urxvt format."""


def is_report(data: str) -> bool:
    """Returns whether this is a complete mouse report. A fragment left by a bad connection is not."""
    if data.startswith("\x1b[M"):
        return len(data) == 6 and ord(data[3]) in typical_mouse_events
    return _NUMBERED.fullmatch(data) is not None


def bindings(key: Callable[[str], None], paste: Callable[[str], None], focus: Callable[[bool], None]) -> KeyBindings:
    """Bindings that send keys by name to `key`, at once, pasted text to `paste`, and reports of the terminal's focus
    to `focus`.

    prompt_toolkit handles mouse reports. Garbled ones would end the program, so they are ignored.
    """
    found = KeyBindings()

    def press(event: KeyPressEvent) -> None:
        pressed = event.key_sequence[0]
        name = NAMES.get(pressed.key) or pressed.key
        if pressed.key in NAMES or len(name) == 1:
            key(name)

    def pasted(event: KeyPressEvent) -> None:
        paste(event.data)

    reported = load_mouse_bindings().get_bindings_for_keys((Keys.Vt100MouseEvent,))[0].handler

    def moused(event: KeyPressEvent) -> object:
        return reported(event) if is_report(event.data) else NotImplemented

    def focused(event: KeyPressEvent) -> None:
        focus(FOCUS[Keys(event.key_sequence[0].key)])

    for report in FOCUS:
        found.add(report, eager=True)(focused)
    for each in NAMES:
        found.add(each, eager=True)(press)
    # Not eager: pasted text and clicks also arrive as keys, and have their own bindings.
    found.add(Keys.Any)(press)
    found.add(Keys.BracketedPaste, eager=True)(pasted)
    found.add(Keys.Vt100MouseEvent, eager=True)(moused)
    return found
