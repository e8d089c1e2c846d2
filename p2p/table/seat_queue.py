"""Those who have come to a host's table and have no seat: newcomers, and the queue of those who wait for one."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from kimberley.p2p.table.admission import Admission, Applicant, address_key
from kimberley.p2p.transport.connection_limits import choose_eviction
from kimberley.p2p.transport.handshake import refusal_frame
from kimberley.p2p.transport.link import Link

log = logging.getLogger(__name__)

SIT_SECONDS: Final = 10.0  # SPEC: newcomer, joiner
"""Time for a newcomer to take a seat."""
QUEUE_SECONDS: Final = 2.0  # SPEC: queue
"""Time for a newcomer that found no free seat to say that it wants to wait for one."""
MOST_NEWCOMERS: Final = 8  # SPEC: newcomers
MOST_QUEUED: Final = 16  # SPEC: newcomers in a queue
NO_SEAT: Final = "This table is full."


@dataclass(slots=True, eq=False)
class SeatRequest:
    """Somebody who has said `sit`. `asked` is whether it wants to wait if no seat is free; `place` is the place in the
    queue that it was told last.
    """

    link: Link
    applicant: Applicant
    port: int
    asked: bool = False
    place: int = 0


class SeatQueue:
    """Gives free seats to those who wait, in their turn."""

    def __init__(
        self,
        admission: Admission,
        show: Callable[[Link], None],
        has_seat: Callable[[], bool],
        give: Callable[[SeatRequest], None],
        changed: Callable[[], None],
    ) -> None:
        """Begins with nobody waiting.

        Args:
            admission: Who may have a seat.
            show: Sends somebody what all are told of the table.
            has_seat: Whether a seat can be given now.
            give: Gives a seat to somebody.
            changed: Called when those who wait have changed.
        """
        self._admission = admission
        self._show = show
        self._has_seat = has_seat
        self._give = give
        self._changed = changed
        self._newcomers: dict[bytes, Link] = {}
        self._queue: dict[bytes, SeatRequest] = {}
        self._turn: asyncio.TimerHandle | None = None
        """Fires when the next of those who wait may take a free seat."""

    def __contains__(self, identity: bytes) -> bool:
        return identity in self._newcomers or identity in self._queue

    @property
    def links(self) -> tuple[Link, ...]:
        """Links to all who have no seat."""
        return (*self._newcomers.values(), *(request.link for request in self._queue.values()))

    @property
    def names(self) -> tuple[str, ...]:
        """The nicknames of those who wait for a seat, in their turn."""
        return tuple(request.link.nickname for request in self._in_turn())

    # -- who comes and goes --------------------------------------------------------------------------------------------

    def add(self, link: Link) -> None:
        """Adds a newcomer that has connected."""
        if len(self._newcomers) >= MOST_NEWCOMERS:
            goes = choose_eviction(self._newcomers.values(), lambda newcomer: newcomer.address)
            del self._newcomers[goes.identity]
            turn_away(goes, "You took too long to join, and others were faster.")
        self._newcomers[link.identity] = link
        self._show(link)
        asyncio.get_running_loop().call_later(SIT_SECONDS, self._on_sit_timeout, link)

    def take(self, link: Link) -> bool:
        """Takes a newcomer out of the list, and returns whether it was one."""
        return self._newcomers.pop(link.identity, None) is link

    def request(self, request: SeatRequest) -> None:
        """Gives a seat to somebody who has said `sit`, or lets them wait for one."""
        link = request.link
        if (reason := self._admission.refusal(request.applicant)) is not None:
            turn_away(link, reason)
            return
        self._queue[link.identity] = request
        self.give_seats()
        if self._queue.get(link.identity) is not request:
            return
        # A program that knows of the queue says so when it sees that it has no seat.
        self._show(link)
        asyncio.get_running_loop().call_later(QUEUE_SECONDS, self._on_queue_timeout, request)
        if len(self._queue) > MOST_QUEUED:
            last = self._in_turn()[-1].link
            del self._queue[last.identity]
            turn_away(last, f"{NO_SEAT} Too many people are already waiting for a seat.")
        self._on_queue_changed()

    def wait(self, link: Link) -> bool:
        """Lets somebody wait for a seat. False if it has not said `sit`."""
        if link.identity not in self._queue:
            return False
        self._queue[link.identity].asked = True
        self._tell_places()
        return True

    def remove(self, link: Link) -> None:
        """Removes somebody without a seat who is gone."""
        if self._newcomers.get(link.identity) is link:
            del self._newcomers[link.identity]
        if (request := self._queue.get(link.identity)) is not None and request.link is link:
            del self._queue[link.identity]
            self._on_queue_changed()

    def shut_out(self, link: Link, others: Iterable[Link]) -> None:
        """Removes somebody for good; if none of the `others` at the table comes from the same address, strangers from
        there, too. Those who wait and can no longer have a seat are told.
        """
        key = address_key(link.address)
        shared = any(address_key(other.address) == key for other in others if other is not link)
        self._admission.remove(link.identity, None if shared else link.address)
        for request in list(self._queue.values()):
            if (reason := self._admission.refusal(request.applicant)) is not None:
                del self._queue[request.link.identity]
                turn_away(request.link, reason)

    def turn_all_away(self, reason: str) -> None:
        """Turns everybody who waits away for good."""
        links = self.links
        self._newcomers.clear()
        self._queue.clear()
        for link in links:
            turn_away(link, reason)

    def close(self) -> None:
        """Stops giving seats."""
        if self._turn is not None:
            self._turn.cancel()
            self._turn = None

    # -- whose turn it is ----------------------------------------------------------------------------------------------

    def give_seats(self) -> None:
        """Gives free seats to those who wait and may have one, in their turn."""
        self.close()
        loop = asyncio.get_running_loop()
        while self._queue and self._has_seat():
            ordered, now = self._in_turn(), loop.time()
            times = [self._admission.free_at(request.applicant, now) for request in ordered]
            following = next((request for request, time in zip(ordered, times, strict=True) if time <= now), None)
            if following is None:
                self._turn = loop.call_at(min(times), self.give_seats)
                break
            del self._queue[following.link.identity]
            self._give(following)
        self._tell_places()

    def _in_turn(self) -> list[SeatRequest]:
        now = asyncio.get_running_loop().time()
        ordered = self._admission.in_turn((request.applicant for request in self._queue.values()), now)
        return [self._queue[one.identity] for one in ordered]

    def _tell_places(self) -> None:
        """Tells those who wait their places, where they have changed."""
        for place, request in enumerate(self._in_turn(), 1):
            if request.asked and request.place != place:
                request.place = place
                request.link.send(("queue", place))

    def _on_queue_changed(self) -> None:
        self._tell_places()
        self._changed()

    def _on_queue_timeout(self, request: SeatRequest) -> None:
        if self._queue.get(request.link.identity) is request and not request.asked:
            del self._queue[request.link.identity]
            turn_away(request.link, NO_SEAT)
            self._on_queue_changed()

    def _on_sit_timeout(self, link: Link) -> None:
        if self._newcomers.get(link.identity) is link:
            del self._newcomers[link.identity]
            link.refuse("You took too long to join. Join again.")


def turn_away(link: Link, reason: str) -> None:
    """Ends a connection whose other side gets no seat. `reason` is a sentence for its player."""
    log.info("%s turned away: %s", link.address, reason)
    link.start_closing(refusal_frame(reason))
