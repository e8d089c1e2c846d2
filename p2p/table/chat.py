"""The chat of a table, before, in and after a game. Nobody signs it.

    ("say", speaker, text)     a line, and the identity of its speaker

A seat says it to all others. Until a game has begun for it, only the host is connected to everybody: the seat says it
to the host alone, who passes it on. And each seat passes on to its spectators what it hears and says.
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
from kimberley.p2p.table.events import MOST_LINES, ChatLine
from kimberley.p2p.table.part import TablePart
from kimberley.p2p.table.trust_store import TRUSTED
from kimberley.p2p.table.words import WordsVerification
from kimberley.p2p.transport.channel import ChannelTiming
from kimberley.p2p.transport.frames import Frame
from kimberley.p2p.transport.link import Link

log = logging.getLogger(__name__)

MOST_TEXT: Final = 500  # SPEC: characters of a line of chat
"""Characters of a line of the chat."""
SAY_BURST: Final = 5  # SPEC: lines of chat sent at once
"""Lines that this seat says at once."""
HEAR_BURST: Final = 20  # SPEC: lines of chat heard from a seat at once
"""Lines of another seat that are heard at once: a connection may have held them back."""
LINES_A_SECOND: Final = 1.0
MOST_NOTED: Final = 1000  # SPEC: lines of chat noted
"""Lines of one game that the journal holds."""
TOO_FAST: Final = "Too much at once: not sent. Wait a few seconds."
AWAY: Final = "{name} is away and will not see this."
LOST: Final = "{name} lost the connection and may have missed what you just wrote."


@dataclass(frozen=True, slots=True)
class _Spoken:
    """A line as it was heard. People change seats between games, so it is kept by identity."""

    speaker: bytes
    text: str
    directly: bool
    """Whether the speaker itself has sent it."""


class TableChat(TablePart):
    """What is said at a table, for as long as this seat is there."""

    def __init__(self, table: TableContext, words: WordsVerification) -> None:
        self.frames = {"say": self._on_say}
        self._table = table
        self._words = words
        self._lines: deque[_Spoken] = deque(maxlen=MOST_LINES)
        self._noted = 0
        self._said_at: dict[bytes, float] = {}
        """The loop's time when this seat last sent a line to each other seat."""
        self._own_rate = TokenBucket(SAY_BURST, LINES_A_SECOND, 0.0)
        self._rates = TokenBuckets(HEAR_BURST, LINES_A_SECOND)
        self._muted = RateLimitedLog(log)

    @property
    def lines(self) -> tuple[ChatLine, ...]:
        """The lines of those who sit here, the latest last."""
        keys = {key for key, _ in self._table.lobby.people}
        return tuple(self._line(spoken) for spoken in self._lines if spoken.speaker in keys)

    def game_changed(self) -> None:
        self._noted = 0

    # -- what the player says ------------------------------------------------------------------------------------------

    def say(self, text: str) -> None:
        """Says something to all at the table."""
        table, line = self._table, clean(text, MOST_TEXT)
        if not line or table.left:
            return
        if self._own_rate.try_acquire(self._now):
            self._send(line)
            self._add(_Spoken(table.identity.public, line, directly=True))
        else:
            table.notify(TOO_FAST)

    def _send(self, text: str) -> None:
        table = self._table
        to_all = table.host or not table.at.before_game
        for link in table.links.values():
            if not to_all and link.identity != table.host_key:
                continue
            if link.connected:
                self._said_at[link.identity] = self._now
                link.send(("say", table.identity.public, text))
            elif self._plays(link):
                table.notify(AWAY.format(name=link.nickname))

    def link_changed(self, link: Link) -> None:
        """Says that a line may be lost: a connection can be dead for a while before anybody notices."""
        said_at = self._said_at.pop(link.identity, float("-inf"))
        if self._now - said_at < ChannelTiming().idle and self._plays(link):
            self._table.notify(LOST.format(name=link.nickname))

    def _plays(self, link: Link) -> bool:
        """Returns whether the seat behind a link has a game at this table that it has not left."""
        table = self._table
        if table.at.before_game or table.links.get(link.identity) is not link:
            return False
        return table.occupants.seat_of(link.identity) not in table.gone_seats

    # -- what others say -----------------------------------------------------------------------------------------------

    def restore(self, talk: tuple[tuple[bytes, str], ...]) -> None:
        """Restores what was said in a game, from its journal."""
        people = {key for key, _ in self._table.lobby.people}
        self._noted = len(talk)
        for speaker, text in talk:
            if speaker in people:
                self._keep(_Spoken(speaker, clean(text, MOST_TEXT), directly=True))

    def _on_say(self, link: Link, frame: Frame) -> bool:
        match frame:
            case ("say", bytes() as speaker, str() as text) if len(text) <= MOST_TEXT and self._may_say(link, speaker):
                if self._hear(link, speaker, text) and self._passes_on(link):
                    for other in self._table.links.values():
                        if other is not link:
                            other.send(frame)
                return True
        return False

    def _may_say(self, link: Link, speaker: bytes) -> bool:
        """Returns whether a line of a speaker may come over a link: the speaker's own, or the host's, for others."""
        table = self._table
        if speaker == link.identity or link.identity != table.host_key:
            return speaker == link.identity
        return speaker != table.identity.public and speaker in {key for key, _ in table.lobby.people}

    def _passes_on(self, link: Link) -> bool:
        """Returns whether the seat behind a link needs this one to reach the others: no game has begun for it."""
        table = self._table
        return table.host and (table.at.is_open or not table.match.catch_up.has_begun(link))

    def _hear(self, link: Link, speaker: bytes, text: str) -> bool:
        """Takes a line that came over a link, unless too many did."""
        if not self._rates.try_acquire(f"{link.identity.hex()} {speaker.hex()}", self._now):
            self._muted.log(f"{link.nickname} sends too much at once and is muted")
            return False
        if line := clean(text, MOST_TEXT):
            self._add(_Spoken(speaker, line, directly=speaker == link.identity))
        return True

    # -- lines ---------------------------------------------------------------------------------------------------------

    def _add(self, spoken: _Spoken) -> None:
        table = self._table
        if spoken.directly and (match := table.played) is not None and self._noted < MOST_NOTED:
            self._noted += 1
            match.write_note("heard", spoken.speaker, spoken.text)
        self._keep(spoken)
        table.publish(self._line(spoken))

    def _keep(self, spoken: _Spoken) -> None:
        self._lines.append(spoken)
        self._table.spectators.say(spoken.speaker, spoken.text)

    def _line(self, spoken: _Spoken) -> ChatLine:
        seat = self._table.occupants.seat_of(spoken.speaker)
        return ChatLine(seat, spoken.text, spoken.directly and self._is_known(spoken.speaker, seat))

    def _is_known(self, key: bytes, seat: int) -> bool:
        """Returns whether this identity is certainly that of the person at this seat."""
        match = self._table.match
        agreed = match.begun and key in dict(match.people)
        return agreed or self._words.acquaintance[seat] in TRUSTED

    @property
    def _now(self) -> float:
        return asyncio.get_running_loop().time()
