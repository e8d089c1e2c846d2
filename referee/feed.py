"""What the page cannot read from the store: the running games, their clocks, and who is connected.

The data goes one way, from the referee to the process of its page, as frames:

    ("here", identities)                the players who are connected
    ("join", address)                   what players type to join; empty if this machine has no address
    ("seats", port, digits)             where people who have only a browser play: the port of that page, and the
                                        digits in its link
    ("next", at)                        when the next round begins by itself, in milliseconds on this machine's
                                        monotonic clock, which all processes share; None if it waits for something
    ("at", round, table)                the frames that follow are about this table
    ("signed", roster)                  its game has begun
    ("envelope", bytes)                 an envelope of this game, in the order in which the referee received them
    ("clocks", clocks, running, at)     its clocks as they are stored, the seats whose clocks run, and the time on that
                                        clock in milliseconds
    ("waits", seats, doing, until)      whom it waits for before its game (`readiness.TableWait`), until when on that
                                        clock in milliseconds; without entries: for nobody any more
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kimberley.p2p.base.platform import monotonic
from kimberley.p2p.sentences.ways_to_join import addresses_for_others
from kimberley.p2p.tournament.clock import TableClocks
from kimberley.p2p.tournament.messages import TableId
from kimberley.p2p.transport.frames import Frame, encode
from kimberley.referee.server import TournamentServer, next_round_at
from kimberley.referee.table_wait import TableWait

MOST_BATCH: Final = 1 << 20
"""Bytes after which a batch ends. The rest waits for the next one."""


class Feed:
    """What a page does not know yet about a tournament server."""

    def __init__(self, server: TournamentServer) -> None:
        self._server = server
        self._here: frozenset[bytes] | None = None
        self._join: str | None = None
        self._seats: tuple[int, str] | None = None
        self._next: float | None = None
        self._shown: dict[TableId, int] = {}
        """How many envelopes of each game the page has."""
        self._clocks: dict[TableId, TableClocks] = {}
        self._waits: dict[TableId, TableWait] = {}

    def batch(self) -> bytes:
        """Returns the frames since the last batch. What does not fit comes with the next batch."""
        batch = bytearray()
        for frame in self._news():
            batch += encode(frame)
            if len(batch) >= MOST_BATCH:
                break
        return bytes(batch)

    def _news(self) -> Iterator[Frame]:
        """Yields the frames that the page does not have yet. A yielded frame counts as known to the page."""
        if self._server.present != self._here:
            self._here = self._server.present
            yield "here", tuple(sorted(self._here))
        join = next(iter(addresses_for_others(self._server.addresses)), "")
        if join != self._join:
            self._join = join
            yield "join", join
        if (seats := self._server.seats) is not None and seats != self._seats:
            self._seats = seats
            yield "seats", *seats
        following = next_round_at(self._server)
        if differs(following, self._next):
            self._next = following
            yield "next", None if following is None else round(1000 * following)
        referees = {**self._server.decided_by, **self._server.referees}
        self._shown = {place: count for place, count in self._shown.items() if place in referees}
        self._clocks = {place: clocks for place, clocks in self._clocks.items() if place in referees}
        self._waits = {place: wait for place, wait in self._waits.items() if place in referees}
        for place, referee in referees.items():
            begins = referee.signed is not None and place not in self._shown
            new = referee.envelopes(self._shown.get(place, 0))
            ticks = referee.clocks != self._clocks.get(place)
            waits = referee.wait != self._waits.get(place)
            if not (begins or new or ticks or waits):
                continue
            yield "at", place.round, place.number
            if begins and referee.signed is not None:
                self._shown[place] = 0
                yield "signed", referee.signed.plain()
            for envelope in new:
                self._shown[place] += 1
                yield "envelope", envelope
            if waits:
                yield self._waiting(place, referee.wait)
            if ticks:
                self._clocks[place] = referee.clocks
                at = monotonic()
                yield "clocks", referee.clocks.plain(at), tuple(sorted(referee.clocks.running)), round(1000 * at)

    def _waiting(self, place: TableId, wait: TableWait | None) -> Frame:
        if wait is None:
            del self._waits[place]
            return ("waits",)
        self._waits[place] = wait
        return "waits", wait.seats, wait.doing, round(1000 * wait.until)


def differs(one: float | None, other: float | None) -> bool:
    """Returns whether two times are more than a second apart. A time of day wanders a little against a
    monotonic clock.
    """
    return abs(one - other) > 1 if one is not None and other is not None else one is not other
