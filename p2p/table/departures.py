"""Seats that leave the table, this one or another.

Frames between seats:

    ("bye", reason)            the seat leaves
    ("refused", reason)        there is no longer a place for this seat
"""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from kimberley.p2p.base.text import clean
from kimberley.p2p.table.adjournment import Adjournment
from kimberley.p2p.table.admission import REMOVED
from kimberley.p2p.table.context import TableContext
from kimberley.p2p.table.ending import LEFT
from kimberley.p2p.table.events import TableChanged
from kimberley.p2p.table.match import Match
from kimberley.p2p.table.part import TablePart
from kimberley.p2p.table.rematch import Rematch
from kimberley.p2p.table.seats import Seats
from kimberley.p2p.transport.frames import Frame
from kimberley.p2p.transport.link import Link

log = logging.getLogger(__name__)

LEAVE_SECONDS: Final = 10.0  # SPEC: parting
"""How long a leaving seat waits for lost connections to come back."""
LEAVE_POLL_SECONDS: Final = 0.1


class Departures(TablePart):
    """Leaves the table, and decides whether it continues without a seat that leaves."""

    def __init__(self, table: TableContext, seats: Seats, rematch: Rematch, adjournment: Adjournment) -> None:
        self.frames = {"bye": self._on_frame, "refused": self._on_frame}
        self._table = table
        self._seats = seats
        self._rematch = rematch
        self._adjournment = adjournment
        self._gave_up: set[bytes] = set()
        """The identities that said goodbye during this game and have not come back."""

    # -- this seat leaves ----------------------------------------------------------------------------------------------

    def leave(self) -> None:
        """Leaves the table. An unfinished game keeps an incomplete record. If the others can play on, this seat stays
        connected until it has given them what they need.
        """
        table = self._table
        if table.left or table.leaving:
            return
        seat = table.occupants.seat
        if table.at.plays and seat not in table.match.left and not table.match.needs(seat):
            table.leaving = True
            if table.endpoint is not None:
                table.endpoint.withdraw()
            table.match.resign()
        else:
            table.fail(LEFT)

    def on_seat_left(self, match: Match, seat: int) -> None:
        """Called when a seat has left a game; the others play on."""
        if seat == self._table.occupants.seat and self._table.leaving:
            self._table.tasks.start(self._depart(match))
        # Its goodbye can come before the envelopes with which it left the game, if others pass those on.
        for identity in self._gave_up & self._table.links.keys():
            if self._table.occupants.seat_of(identity) == seat:
                self._seats.drop(self._table.links[identity])
        self._table.publish(TableChanged("away"))
        self._adjournment.on_seat_left()

    async def _depart(self, match: Match) -> None:
        """Leaves once the others need nothing more from this seat and all can know that it leaves; after a while, one
        of them is enough.
        """
        loop = asyncio.get_running_loop()
        waited = loop.time() + LEAVE_SECONDS
        while not self._table.left:
            sent = [match.catch_up.has_all(link) for link in self._table.links.values()]
            if all(sent) or (any(sent) and loop.time() > waited):
                self._table.fail(LEFT)
            await asyncio.sleep(LEAVE_POLL_SECONDS)

    # -- another seat leaves -------------------------------------------------------------------------------------------

    def game_changed(self) -> None:
        self._gave_up.clear()
        self._table.parting.clear()

    def link_restored(self, link: Link) -> None:
        self._gave_up.discard(link.identity)
        self._table.parting.discard(link.identity)

    def _on_frame(self, link: Link, frame: Frame) -> bool:
        match frame:
            case ("bye", str() as reason):
                problem = f"{link.nickname} {clean(reason, 200) or 'left the table'}."
                self._table.parting.add(link.identity)
                self._table.call_after(lambda: self._on_goodbye(link, problem))
            case ("refused", str() as reason):
                self._table.call_after(lambda: self._on_refused(link, clean(reason, 200)))
            case _:
                return False
        return True

    def _on_goodbye(self, link: Link, problem: str) -> None:
        self._table.parting.discard(link.identity)
        if self._table.at.before_game and link.identity == self._table.host_key:
            # The table is closed.
            self._table.barred = True
        self._on_bye(link, problem)

    def _on_refused(self, link: Link, reason: str) -> None:
        if reason == REMOVED and self._table.at.before_game and link.identity == self._table.host_key:
            self._table.barred = True
            self._on_bye(link, reason)
        else:
            self._on_bye(link, f"{link.nickname} closed the connection: {reason.rstrip('.')}.")

    def _on_bye(self, link: Link, problem: str) -> None:
        table = self._table
        if table.at.before_game:
            self._seats.on_lost(link, problem)
        elif self._stops_without(link) or self._is_alone_without(link):
            table.end(problem, "left the table")
        elif table.at.is_over or table.occupants.seat_of(link.identity) in table.gone_seats:
            self._seats.drop(link)
            self._rematch.begin_if_agreed()
        else:
            log.info("%s Waiting for the player to come back.", problem)
            link.mark_lost()
        table.publish(TableChanged("away"))

    def _stops_without(self, link: Link) -> bool:
        """Returns whether the table cannot continue, or begin again, without the seat behind a link."""
        table = self._table
        if not table.policy.players_end_game:
            return False
        if table.at.is_over:
            return len(table.links) < 2 or link.identity == table.host_key
        return table.match.needs(table.occupants.seat_of(link.identity))

    def _is_alone_without(self, link: Link) -> bool:
        """Returns whether all others who still play this game have said goodbye by now."""
        table = self._table
        if table.at.is_over or not table.policy.players_end_game:
            return False
        self._gave_up.add(link.identity)
        others = {key for key in table.links if table.occupants.seat_of(key) not in table.gone_seats}
        return others <= self._gave_up
