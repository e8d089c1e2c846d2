"""What a page cannot read in the store: the games that are played, their clocks, and who is connected.

It goes one way, from the referee to the process of its page, as frames:

    ("here", identities)                the players who are connected
    ("at", round, table)                what follows is of this table
    ("signed", roster)                  its game has begun
    ("envelope", bytes)                 an envelope of it, in the order in which the referee took them
    ("clocks", clocks, running, at)     its clocks as they are stored, and the seats whose clocks run, at a time in
                                        milliseconds of the running clock of this machine, which all processes share
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Final

from p2p.frames import Frame, encode
from p2p.referee.clock import Clocks
from p2p.referee.desk import Desk
from p2p.referee.wire import Place

MOST_BATCH: Final = 1 << 20
"""Bytes of news, from which on the rest waits for the next batch."""


class Feed:
    """What a page does not know yet of a desk."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._here: frozenset[bytes] | None = None
        self._shown: dict[Place, int] = {}
        """Of each game, how many of its envelopes the page has."""
        self._clocks: dict[Place, Clocks] = {}

    def batch(self) -> bytes:
        """Frames of what has happened since the last batch; what does not fit in comes with the next one."""
        found = bytearray()
        for frame in self._news():
            found += encode(frame)
            if len(found) >= MOST_BATCH:
                break
        return bytes(found)

    def _news(self) -> Iterator[Frame]:
        """Whatever is yielded counts as known to the page."""
        if self._desk.present != self._here:
            self._here = self._desk.present
            yield "here", tuple(sorted(self._here))
        arbiters = {**self._desk.decided_by, **self._desk.arbiters}
        self._shown = {place: count for place, count in self._shown.items() if place in arbiters}
        self._clocks = {place: clocks for place, clocks in self._clocks.items() if place in arbiters}
        for place, arbiter in arbiters.items():
            begins = arbiter.signed is not None and place not in self._shown
            new = arbiter.envelopes(self._shown.get(place, 0))
            ticks = arbiter.clocks != self._clocks.get(place)
            if not (begins or new or ticks):
                continue
            yield "at", place.round, place.table
            if begins and arbiter.signed is not None:
                self._shown[place] = 0
                yield "signed", arbiter.signed.plain()
            for envelope in new:
                self._shown[place] += 1
                yield "envelope", envelope
            if ticks:
                self._clocks[place] = arbiter.clocks
                at = time.monotonic()
                yield "clocks", arbiter.clocks.plain(at), tuple(sorted(arbiter.clocks.running)), round(1000 * at)
