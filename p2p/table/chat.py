"""The chat of a table. During a game what a seat says is an envelope; before and after it, nobody signs it.

Frames between seats:

    ("say", text, pass on)     what the sender says; whether the host is to pass it on to the other seats
    ("said", identity, text)   from the host: what another seat has said

Until the roster is signed only the host is connected to everybody, so before a game the host passes on what the others
say. After a game all are connected, and everybody says it to everybody.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from dataclasses import dataclass
from typing import Final

from kimberley.p2p.base.rate_limited_log import RateLimitedLog
from kimberley.p2p.base.text import clean
from kimberley.p2p.base.token_bucket import TokenBucket, TokenBuckets
from kimberley.p2p.table.context import TableContext
from kimberley.p2p.table.events import ChatLine
from kimberley.p2p.table.part import TablePart
from kimberley.p2p.table.trust_store import TRUSTED
from kimberley.p2p.table.words import WordsVerification
from kimberley.p2p.transport.frames import Frame
from kimberley.p2p.transport.link import Link
from kimberley.protocol.envelope import MOST_TEXT
from kimberley.protocol.events import ChatMessage

log = logging.getLogger(__name__)

SAY_BURST: Final = 5
"""Lines that this seat says at once outside of a game."""
HEAR_BURST: Final = 20
"""Lines of another seat that are heard at once: a connection may have held them back."""
LINES_A_SECOND: Final = 1.0
MOST_LINES: Final = 500
"""The last lines that are kept. Nothing limits how long people sit at a table."""
TOO_FAST: Final = "Too much at once: not sent. Wait a few seconds."


@dataclass(frozen=True, slots=True)
class _Spoken:
    """A line as it was heard. People change seats between games, so it is kept by identity."""

    speaker: bytes
    text: str
    directly: bool
    """Whether the speaker itself has sent or signed it."""


class TableChat(TablePart):
    """What is said at a table, for as long as this seat is there."""

    def __init__(self, table: TableContext, words: WordsVerification) -> None:
        self.frames = {"say": self._on_say, "said": self._on_said}
        self._table = table
        self._words = words
        self._lines: deque[_Spoken] = deque(maxlen=MOST_LINES)
        self._own_rate = TokenBucket(SAY_BURST, LINES_A_SECOND, self._now)
        self._rates = TokenBuckets(HEAR_BURST, LINES_A_SECOND)
        self._muted = RateLimitedLog(log)

    @property
    def lines(self) -> tuple[ChatLine, ...]:
        """What those who sit here have said, the latest last."""
        keys = {key for key, _ in self._table.lobby.people}
        return tuple(self._line(spoken) for spoken in self._lines if spoken.speaker in keys)

    # -- what the player says ------------------------------------------------------------------------------------------

    def say(self, text: str) -> None:
        """Says something to all at the table: signed during a game, otherwise not."""
        table, said = self._table, clean(text, MOST_TEXT)
        if not said or table.left:
            return
        if table.phase in ("playing", "closing"):
            if table.match is not None:
                table.match.say(said)
        elif self._own_rate.try_acquire(self._now):
            self._send(said)
            self._add(_Spoken(table.identity.public, said, directly=True))
        else:
            table.notify(TOO_FAST)

    def _send(self, text: str) -> None:
        table = self._table
        if table.host or table.phase == "done":
            table.mesh.broadcast(("say", text, False))
        elif table.host_key in table.links:
            table.links[table.host_key].send(("say", text, True))

    # -- what others say -----------------------------------------------------------------------------------------------

    def on_signed(self, message: ChatMessage) -> None:
        """Called when a seat has said something in an envelope of the current game."""
        assert self._table.match is not None
        speaker = self._table.match.table.roster.seats[message.seat].identity
        self._add(_Spoken(speaker, clean(message.text, MOST_TEXT), directly=True))

    def restore(self, talk: tuple[ChatMessage, ...]) -> None:
        """Restores what was said in a game, as its journal has it."""
        people = self._table.lobby.people
        self._lines.extend(_Spoken(people[said.seat][0], clean(said.text, MOST_TEXT), directly=True) for said in talk)

    def _on_say(self, link: Link, frame: Frame) -> bool:
        match frame:
            case ("say", str() as text, bool() as passes) if len(text) <= MOST_TEXT:
                if self._hear(link, link.identity, text) and passes and self._table.host:
                    for other in self._table.links.values():
                        if other is not link:
                            other.send(("said", link.identity, text))
                return True
        return False

    def _on_said(self, link: Link, frame: Frame) -> bool:
        table = self._table
        others = {key for key, _ in table.lobby.people} - {table.identity.public, table.host_key}
        match frame:
            case ("said", bytes() as speaker, str() as text) if (
                link.identity == table.host_key and speaker in others and len(text) <= MOST_TEXT
            ):
                self._hear(link, speaker, text)
                return True
        return False

    def _hear(self, link: Link, speaker: bytes, text: str) -> bool:
        """Takes a line that came over a link, unless too many did."""
        if not self._rates.try_acquire(f"{link.identity.hex()} {speaker.hex()}", self._now):
            self._muted.log(f"{link.nickname} sends too much at once and is muted")
            return False
        if said := clean(text, MOST_TEXT):
            self._add(_Spoken(speaker, said, directly=speaker == link.identity))
        return True

    # -- lines ---------------------------------------------------------------------------------------------------------

    def _add(self, spoken: _Spoken) -> None:
        self._lines.append(spoken)
        self._table.publish(self._line(spoken))

    def _line(self, spoken: _Spoken) -> ChatLine:
        seat = self._table.occupants.seat_of(spoken.speaker)
        return ChatLine(seat, spoken.text, spoken.directly and self._is_known(spoken.speaker, seat))

    def _is_known(self, key: bytes, seat: int) -> bool:
        """Returns whether this identity is certainly that of the person at this seat."""
        match = self._table.match
        agreed = match is not None and match.begun and key in dict(match.people)
        return agreed or self._words.acquaintance[seat] in TRUSTED

    @property
    def _now(self) -> float:
        return asyncio.get_running_loop().time()
