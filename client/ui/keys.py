"""The keys that mean the same on several screens, and what a key does, as bars, buttons and boards name it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from kimberley.client.ui.canvas import Action

HELP_KEY: Final = "F1"
CHAT_KEY: Final = "F2"
NEXT_KEY: Final = "F3"
STOP_KEY: Final = "F4"
"""F3 goes on from a note of the guide that only tells something, F4 stops the guide. No board has a meaning for either,
so that Enter and all others mean what the board says.
"""
AGAIN_KEY: Final = "F5"
MUTE_KEY: Final = "F6"
MENU_KEY: Final = "F10"
"""Function keys, as hints name them. `client/screens/app.py` handles those of every screen."""
CHAT_LETTER: Final = "c"
MUTE_LETTER: Final = "m"
"""The same where nothing is typed: not where squares are, for instance."""
LOG_KEY: Final = "l"
LID_KEY: Final = "z"
"""Darkens the screen."""
DANGER_KEY: Final = "x"
"""Answers yes to what cannot be taken back. `y` says yes elsewhere, also right below such a question."""
SPELLED: Final = {
    "↑": "up", "↓": "down", "←": "left", "→": "right", "Space": " ", "PgUp": "pageup", "PgDn": "pagedown",
    "Del": "delete",
}  # fmt: skip
"""Keys whose hints differ from their names."""


def key_name(label: str) -> str:
    """Returns the key that a hint such as "Enter", "F1", "←" or "d" names. For several ("← →"), the last."""
    last = label.split()[-1] if label.split() else label
    return SPELLED.get(last) or (last.lower() if len(last) > 1 else last)


def in_menu(key: str) -> bool:
    """Returns whether the menu offers what a key does, since not every keyboard types it."""
    return len(key) == 1 and key.isascii() and not key.isdigit()


class Hint(NamedTuple):
    """An entry of the key bar: the key as written there, what it does, and the action if it differs from the key.

    The `primary` one is what most people want now. It is in ice where keys are buttons.
    """

    key: str
    label: str
    action: Action | None = None
    primary: bool = False

    @property
    def means(self) -> Action:
        """Returns what a click on it sends."""
        return f"key:{key_name(self.key)}" if self.action is None else self.action
