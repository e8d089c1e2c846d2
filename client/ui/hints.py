"""What a key does, as bars, buttons and boards name it."""

from __future__ import annotations

from typing import Final, NamedTuple

from kimberley.client.ui.canvas import Action

SPELLED: Final = {
    "↑": "up", "↓": "down", "←": "left", "→": "right", "Space": " ", "PgUp": "pageup", "PgDn": "pagedown",
    "Del": "delete",
}  # fmt: skip
"""Keys whose hints differ from their names."""


def key_name(shown: str) -> str:
    """Returns the key that a hint such as "Enter", "F1", "←" or "d" names. For several ("← →"), the last."""
    last = shown.split()[-1] if shown.split() else shown
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
