"""The keys that prompt_toolkit reads by itself: those of the console of Windows, which sends no sequences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.key_binding.key_processor import KeyPressEvent
from prompt_toolkit.keys import Keys

NAMES: Final[dict[str, str]] = {
    Keys.Up: "up",
    Keys.Down: "down",
    Keys.Left: "left",
    Keys.Right: "right",
    Keys.ShiftUp: "up",
    Keys.ShiftDown: "down",
    Keys.ShiftLeft: "left",
    Keys.ShiftRight: "right",
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


def bindings(key: Callable[[str], None], paste: Callable[[str], None]) -> KeyBindings:
    """Returns bindings that send keys by name to `key`, at once, and pasted text to `paste`."""
    keys = KeyBindings()

    def press(event: KeyPressEvent) -> None:
        pressed = event.key_sequence[0]
        if pressed.key == Keys.Escape and (together := event.key_processor.input_queue):
            together.popleft()  # With Alt, the console sends Escape and the key at once.
            return
        name = NAMES.get(pressed.key) or pressed.key
        if pressed.key in NAMES or len(name) == 1:
            key(name)

    def pasted(event: KeyPressEvent) -> None:
        paste(event.data)

    for special in NAMES:
        keys.add(special, eager=True)(press)
    # Not eager: pasted text and clicks also arrive as keys, and have their own bindings.
    keys.add(Keys.Any)(press)
    keys.add(Keys.BracketedPaste, eager=True)(pasted)
    return keys
