"""What a player has not read of the chat yet, and whether a table has a chat at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from kimberley.client.session.participants import only_bots
from kimberley.p2p.table.events import ChatLine

if TYPE_CHECKING:
    from kimberley.p2p.table.table import Table

SECONDS_A_CHARACTER: Final = 0.06
LEAST_SECONDS: Final = 4.0
UNSEEN_SECONDS: Final = 60.0
"""How long a line of another player stays while this player touches nothing, and so may be looking elsewhere."""
PART_SECONDS: Final = 0.5
"""Seconds between two checks of which part of a long line is due."""
NOBODY: Final = "Nobody else is here yet."
ONLY_BOTS: Final = "Bots do not chat."
OVER: Final = "The table is closed, and so is the chat."
UNCHECKED_MARK: Final = "?"
NOT_YET_CHECKED: Final = "Unchecked: someone on the network could read and change this chat."
COMPARE_ELSEWHERE: Final = "Do not compare the words here: they could be changed on the way."
NOT_CHECKED: Final = "Unchecked: the host, or someone on the network, could have changed it."


def can_talk(table: Table) -> bool:
    """Returns whether the chat is open: it is while another person is there."""
    return not why_silent(table)


def why_silent(table: Table) -> str:
    """Says why the chat is closed; empty if it is open."""
    if table.phase == "failed":
        return OVER
    if only_bots(table):
        return ONLY_BOTS
    return NOBODY if len(table.occupants.names) < 2 else ""


def speaker_name(names: Sequence[str], line: ChatLine) -> str:
    """Returns who wrote a line, with a mark if that is not checked."""
    name = names[line.seat]
    return name if line.checked else f"{name} {UNCHECKED_MARK}"


def unchecked_note(table: Table) -> str:
    """Says what the mark means at this table now; empty if there is nothing to say. Anyone who could change the chat
    could also change four words in it.
    """
    early = table.phase in ("open", "words")
    strangers = early and any(known in ("new", "changed") for known in table.words.acquaintance)
    if not strangers and all(line.checked for line in table.chat.lines):
        return ""
    if table.phase == "words":
        return COMPARE_ELSEWHERE
    return NOT_YET_CHECKED if early else NOT_CHECKED


def reading_seconds(text: str) -> float:
    """Returns how long a chat line stays on the board, in seconds: as long as it takes to read."""
    return max(LEAST_SECONDS, SECONDS_A_CHARACTER * len(text))


class UnreadChat:
    """Counts what others have written since the player last looked at the chat, and keeps the last line in sight until
    the player is there again, and then for as long as it takes to read.
    """

    def __init__(self, table: Table, clock: Callable[[], float]) -> None:
        self._table, self._clock = table, clock
        self._open = False
        self._latest: tuple[ChatLine, float, float] | None = None
        """The last line, and from when until when it is to be read."""
        self.count = 0
        """How many lines the player has not read."""

    def on_message(self, message: ChatLine) -> None:
        """Takes a line that somebody has written. The player's own stays in sight: sending it closes the chat."""
        if self._open:
            return
        own, now = message.seat == self._table.occupants.seat, self._clock()
        self.count += not own
        self._latest = message, now, now + (reading_seconds(message.text) if own else UNSEEN_SECONDS)

    def on_input(self) -> None:
        """Notes that the player is there: has pressed a key, or clicked."""
        if self._latest is None:
            return
        message, _, until = self._latest
        now = self._clock()
        if (read := now + reading_seconds(message.text)) < until:
            self._latest = message, now, read

    def opened(self) -> None:
        """Notes that the player looks at the chat from now on."""
        self._open, self._latest, self.count = True, None, 0

    def closed(self) -> None:
        """Notes that the player no longer looks at the chat."""
        self._open = False

    def latest(self, now: float) -> ChatLine | None:
        """Returns the line to show on the board at the time `now`, if any."""
        return self._latest[0] if self._latest is not None and now < self._latest[2] else None

    def part(self, now: float, parts: int) -> int:
        """Returns which of that many `parts` of the line is shown at the time `now`, from 0: each in turn for its share
        of the time that the line takes to read.
        """
        if self._latest is None:
            return 0
        message, since, _ = self._latest
        return max(0, int(parts * (now - since) / reading_seconds(message.text))) % parts

    def next_frame(self, now: float) -> float | None:
        """Returns when that line goes, or might show its next part, as a time like `now`; None if none is shown."""
        if self._latest is None or now >= self._latest[2]:
            return None
        message, _, until = self._latest
        return min(until, now + PART_SECONDS) if reading_seconds(message.text) > LEAST_SECONDS else until
