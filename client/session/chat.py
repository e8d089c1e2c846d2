"""What a player has not read of the chat yet, and whether a table has a chat at all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from kimberley.client.session.participants import only_bots
from kimberley.client.session.ports import TableLike
from kimberley.p2p.table.events import ChatLine

SECONDS_A_CHARACTER: Final = 0.06
LEAST_SECONDS: Final = 4.0
PART_SECONDS: Final = 0.5
"""Seconds between two looks at which part of a long line is due."""
NOBODY: Final = "Nobody else is here yet."
ONLY_BOTS: Final = "Bots do not chat."
OVER: Final = "The table is closed, and so is the chat."
UNCHECKED_MARK: Final = "?"
NOT_YET_CHECKED: Final = "Unchecked: someone on the network could read and change this chat."
COMPARE_ELSEWHERE: Final = "Do not compare the words here: they could be changed on the way."
NOT_CHECKED: Final = "Unchecked: the host, or someone on the network, could have changed it."


def can_talk(table: TableLike) -> bool:
    """Returns whether the chat is open: it is while another person is there."""
    return not why_silent(table)


def why_silent(table: TableLike) -> str:
    """Says why the chat is closed; empty if it is open."""
    if table.phase == "failed":
        return OVER
    if only_bots(table):
        return ONLY_BOTS
    return NOBODY if len(table.names) < 2 else ""


def speaker_name(table: TableLike, line: ChatLine) -> str:
    """Returns who has said a line, with a mark if that is not checked."""
    name = table.names[line.seat]
    return name if line.checked else f"{name} {UNCHECKED_MARK}"


def unchecked_note(table: TableLike) -> str:
    """Says what the mark means at this table now; empty if there is nothing to say. Whoever could change the chat could
    change four words in it, too.
    """
    early = table.phase in ("open", "words")
    strangers = early and any(known in ("new", "changed") for known in table.acquaintance)
    if not strangers and all(line.checked for line in table.talk):
        return ""
    if table.phase == "words":
        return COMPARE_ELSEWHERE
    return NOT_YET_CHECKED if early else NOT_CHECKED


def reading_seconds(text: str) -> float:
    """Returns how long a chat line stays on the board, in seconds: as long as it takes to read."""
    return max(LEAST_SECONDS, SECONDS_A_CHARACTER * len(text))


class UnreadChat:
    """Counts what others have written since the player last looked at the chat, and keeps the last line in sight for
    as long as it takes to read.
    """

    def __init__(self, table: TableLike, clock: Callable[[], float]) -> None:
        self._table, self._clock = table, clock
        self._open = False
        self._latest: tuple[ChatLine, float] | None = None
        self.count = 0
        """How many lines the player has not read."""

    def on_message(self, message: ChatLine) -> None:
        """Somebody has written a line. The player's own is kept in sight, too: sending it closes the chat."""
        if self._open:
            return
        self.count += message.seat != self._table.seat
        self._latest = message, self._clock() + reading_seconds(message.text)

    def opened(self) -> None:
        """The player looks at the chat from now on."""
        self._open, self._latest, self.count = True, None, 0

    def closed(self) -> None:
        """The player looks at the chat no more."""
        self._open = False

    def latest(self, now: float) -> ChatLine | None:
        """Returns the line to show on the board at a time, if any."""
        return self._latest[0] if self._latest is not None and now < self._latest[1] else None

    def part(self, now: float, parts: int) -> int:
        """Returns which of so many parts of that line is shown at a time, if each has its share of the time; from 0."""
        if self._latest is None:
            return 0
        message, until = self._latest
        return max(0, min(parts - 1, int(parts * (1 - (until - now) / reading_seconds(message.text)))))

    def next_frame(self, now: float) -> float | None:
        """Returns when that line goes, or might show its next part, as a time like `now`; None if none is shown."""
        if self._latest is None or now >= self._latest[1]:
            return None
        message, until = self._latest
        return min(until, now + PART_SECONDS) if reading_seconds(message.text) > LEAST_SECONDS else until
