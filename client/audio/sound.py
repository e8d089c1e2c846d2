"""The names of all sounds. Each tells something that the screen also tells (docs/sounds.md)."""

from __future__ import annotations

from enum import Enum
from typing import Final


class Sound(Enum):
    """What a sound tells. `effects` has what it sounds like."""

    YOUR_MOVE = "your move"
    COIN = "coin"
    DIAMOND = "diamond"
    AGENT_TURNED = "agent bribed"
    """Only a seat that may know of it hears this."""
    STAMP = "stamp"
    """The Inspector took something."""
    CHAT = "chat"
    JOINED = "joined"
    LOST = "lost"
    """A connection was lost."""
    BACK = "back"
    """A player whose connection was lost is back."""
    CLOCK = "clock"
    """A second has passed, with less than ten left."""


UNDER_LID: Final = frozenset({Sound.YOUR_MOVE, Sound.CHAT, Sound.JOINED, Sound.LOST, Sound.BACK})
"""Sounds of what the dark screen shows while the lid is closed."""
BOARD_SOUNDS: Final = frozenset({Sound.YOUR_MOVE, Sound.COIN, Sound.DIAMOND, Sound.AGENT_TURNED, Sound.STAMP})
"""Sounds that wait until the board shows what they tell, which depends on what is shown first to its player alone."""
