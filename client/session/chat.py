"""What a player has not read of the chat yet, and whether a table has a chat at all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from kimberley.client.session.ports import TableLike
from kimberley.protocol.events import ChatMessage

SECONDS_A_CHARACTER: Final = 0.06
LEAST_SECONDS: Final = 4.0
OPENS_LATER: Final = (
    "The chat opens with the game. Before the four words are compared, someone in between could read and change what "
    "you write."
)
OVER: Final = "The game is over, and so is its chat."


def can_talk(table: TableLike) -> bool:
    """Whether the chat is open: it is only during a game."""
    return table.phase in ("playing", "closing")


def why_silent(table: TableLike) -> str:
    """Says why the chat is closed; empty if it is open."""
    if can_talk(table):
        return ""
    return OPENS_LATER if table.phase in ("open", "words") else OVER


def reading_seconds(text: str) -> float:
    """How long a chat line stays on the board, in seconds: as long as it takes to read."""
    return max(LEAST_SECONDS, SECONDS_A_CHARACTER * len(text))


class UnreadChat:
    """Counts what others have written since the player last looked at the chat, and keeps the last line in sight for
    as long as it takes to read.
    """

    def __init__(self, table: TableLike, clock: Callable[[], float]) -> None:
        self._table, self._clock = table, clock
        self._open = False
        self._latest: tuple[ChatMessage, float] | None = None
        self.count = 0
        """How many lines the player has not read."""

    def on_message(self, message: ChatMessage) -> None:
        """Somebody has written a line."""
        if message.seat != self._table.seat and not self._open:
            self.count += 1
            self._latest = message, self._clock() + reading_seconds(message.text)

    def opened(self) -> None:
        """The player looks at the chat from now on."""
        self._open, self._latest, self.count = True, None, 0

    def closed(self) -> None:
        """The player looks at the chat no more."""
        self._open = False

    def latest(self, now: float) -> ChatMessage | None:
        """The line to show on the board at a time, if any."""
        return self._latest[0] if self._latest is not None and now < self._latest[1] else None

    def next_frame(self, now: float) -> float | None:
        """When that line goes, as a time like `now`; None if none is shown."""
        return self._latest[1] if self._latest is not None and now < self._latest[1] else None
