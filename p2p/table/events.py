"""What a table at one seat tells its subscribers, besides the events of the game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from kimberley.protocol.events import Event

Phase: TypeAlias = Literal["open", "words", "playing", "closing", "done", "failed"]


@dataclass(frozen=True, slots=True)
class TableChanged:
    """Something besides the game has changed: "people", "phase", "agreed", "away", "absent", "again", "aside",
    "abandon" or "network".
    """

    what: str


@dataclass(frozen=True, slots=True)
class Notice:
    """Something went wrong that does not end the table: a sentence for the player."""

    text: str


TableEvent: TypeAlias = Event | TableChanged | Notice
