"""The events of a table at one seat, in addition to those of the game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from kimberley.protocol.events import Event

MOST_LINES: Final = 500  # SPEC: lines of chat kept
"""The last lines of a chat that are kept. Nothing limits how long people sit at a table."""


class News:
    """What a part of a table tells its player. Each part may have a class of its own, defined next to it."""

    __slots__ = ()

    def notice(self, names: Sequence[str]) -> Notice | None:
        """Returns what to tell players and spectators, given the names of the seats; None for nothing, or where each
        client shows it in its own way.
        """
        return None


@dataclass(frozen=True, slots=True)
class TableChanged(News):
    """Something outside the game has changed: "people", "phase", "agreed", "away", "absent", "again", "aside",
    "abandon", "resigning", "network" or "far".
    """

    what: str


@dataclass(frozen=True, slots=True)
class Notice(News):
    """A sentence for the player. If `bad`, something went wrong that does not end the table."""

    text: str
    bad: bool = True

    def notice(self, names: Sequence[str]) -> Notice:
        return self


@dataclass(frozen=True, slots=True)
class ChatLine(News):
    """A line of the chat of a table, before, in or after a game. `checked` says whether it certainly comes from the
    person at that seat: that person has said it over a connection of their own, and their key is known or the words
    were the same.
    """

    seat: int
    text: str
    checked: bool = True


TableEvent: TypeAlias = Event | News
