"""The events of a table at one seat, in addition to those of the game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from kimberley.protocol.events import ChatMessage, Event

Phase: TypeAlias = Literal["open", "words", "playing", "closing", "done", "failed"]


@dataclass(frozen=True, slots=True)
class TableChanged:
    """Something outside the game has changed: "people", "phase", "agreed", "away", "absent", "again", "aside",
    "abandon", "network" or "far".
    """

    what: str


@dataclass(frozen=True, slots=True)
class Notice:
    """Something went wrong that does not end the table: a sentence for the player."""

    text: str


@dataclass(frozen=True, slots=True)
class ChatLine(ChatMessage):
    """A line of the chat of a table, before, in or after a game. `checked` says whether it certainly comes from the
    person at that seat: that person has said it over a connection of their own or signed it, and their key is known or
    the words were the same.
    """

    checked: bool = True


TableEvent: TypeAlias = Event | TableChanged | Notice
