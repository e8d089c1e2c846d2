"""Before a game: the players at the table, until all have signed its roster (SPEC.md, section 9).

    host to a newcomer   ("table", game, rules, options, seats, people, sitting), and to all whenever that changes
    newcomer to host     ("sit", nickname, port)
    newcomer to host     ("queue",)                 has said `sit`, sees itself at no seat, and wants to wait for one
    host to a newcomer   ("queue", place)           its place among those who wait, from 1
    seat to host         ("ready", yes)

`people` lists (identity, nickname) in seat order, `sitting` what else is known of each seat: (ready, bot, address,
port). `port` is where the seat listens, 0 if it does not; `address` is where the host sees the seat, "" if that means
nothing to others: then the seat is where they reach the host. The host calls seats in its own program bots: a label,
which says nothing about their keys. The host itself is never one.

If the number of players is fixed, the host begins when all seats are taken; otherwise when all players are ready and
their number is allowed. Then comes the round of `table.seating`. Who finds no free seat waits for one; `admission` says
whose turn it is.
"""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from kimberley.games.table import Plain
from kimberley.p2p.base.platform import random_bytes
from kimberley.p2p.storage.identity import Identity, nickname_from
from kimberley.p2p.table.admission import Admission, Applicant, address_key
from kimberley.p2p.table.seating import ANSWERING, ASKING, Person, RandomSource, SeatingCoordinator, SeatingParticipant
from kimberley.p2p.table.terms import TableTerms
from kimberley.p2p.transport.address import is_ip, is_loopback
from kimberley.p2p.transport.connection_limits import choose_eviction
from kimberley.p2p.transport.frames import Frame, are_integers
from kimberley.p2p.transport.handshake import refusal_frame
from kimberley.p2p.transport.link import Link
from kimberley.protocol.roster import BadRoster, SignedRoster

log = logging.getLogger(__name__)

SIT_SECONDS: Final = 10.0
"""For a newcomer to take a seat."""
ROUND_SECONDS: Final = 20.0
"""For one round of seating, which needs no person."""
HELD_SECONDS: Final = 2.0
"""A connection that is lost in a round counts as a seat that was held back, if the round has waited for it so long."""
READY_SECONDS: Final = 120.0
"""For a seat to say that it is ready, once it sits and the host is ready."""
QUEUE_SECONDS: Final = 2.0
"""For a newcomer that found no free seat to say that it wants to wait for one."""
MOST_NEWCOMERS: Final = 8
MOST_QUEUED: Final = 16
NO_SEAT: Final = "Every seat at this table is taken."
LOST_SEAT: Final = "You lost your seat, since {}. Join again."
MOST_READY: Final = 1000
"""How often a seat may say whether it is ready before it is dropped: all others are told each time."""


@dataclass(frozen=True, slots=True)
class SeatStatus:
    """What the host says about a seat, besides identity and nickname. `bot` is a label for people: nothing may rely on
    it.
    """

    ready: bool = False
    bot: bool = False
    address: str = ""
    port: int = 0

    def plain(self) -> Plain:
        return self.ready, self.bot, self.address, self.port


@dataclass(slots=True, eq=False)
class Waiting:
    """Somebody who has said `sit` and waits for a seat. `asked` is whether it wants to wait; `place` is the place in
    the queue that it was told last.
    """

    link: Link
    applicant: Applicant
    nickname: str
    port: int
    asked: bool = False
    place: int = 0


class Lobby(ABC):
    """One side of the lobby."""

    def __init__(
        self,
        identity: Identity,
        terms: TableTerms,
        numbers: Sequence[int],
        people: Sequence[Person],
        ready: Callable[[SignedRoster, bytes], None],
        changed: Callable[[], None],
    ) -> None:
        """Begins with these players.

        Args:
            identity: The own identity.
            terms: What is played.
            numbers: How many players may play.
            people: The players so far, in seat order.
            ready: Called with each roster that all have signed, and this seat's seed.
            changed: Called when the players, or what is known of them, change.

        """
        self.terms = terms
        self.numbers = tuple(numbers)
        self.people = tuple(people)
        self.sitting: tuple[SeatStatus, ...] = tuple(SeatStatus() for _ in people)
        """By seat, like `people`."""
        self.turns: tuple[bytes, ...] = ()
        """The identities in the order in which they begin further games, starting with the seat after the one that
        began the last one. Empty if no game has settled that, or if the players have changed.
        """
        self.invited: tuple[bytes, ...] = ()
        """The only identities that may sit, in seat order; empty if anybody may."""
        self.draw: RandomSource = random_bytes
        """The source of this seat's secrets."""
        self._identity = identity
        self._ready = ready
        self._changed = changed
        self._seating: SeatingParticipant | None = None
        self._number = -1

    @abstractmethod
    def on_frame(self, link: Link, frame: Frame) -> bool:
        """Handles a frame of the lobby. False if it is not one."""

    @abstractmethod
    def reply(self, frame: Frame) -> None:
        """Sends this seat's answer to the host."""

    def answer(self, frame: Frame) -> None:
        """Takes this seat's part in the round. Raises BadRoster, Malformed."""
        if not are_integers(*frame[1:2]):
            raise BadRoster("the host does not count its rounds of seating")
        if frame[0] == ASKING[0] and len(frame) == 2 and isinstance(frame[1], int):
            self._begin(frame[1])
            self._seating = SeatingParticipant(
                self._identity, self.terms.signed, self.people, frame[1], self._begins, self.draw
            )
        if self._seating is None:
            raise BadRoster("the host does not follow the order of seating")
        if self._seating.people != self.people:
            # Keys were judged and names shown as the host announced them: the signed roster must be the same.
            raise BadRoster("the host has changed who sits at the table")
        answer = self._seating.answer(frame)
        if answer is not None:
            self.reply(answer)
        elif self._seating.signed is not None:
            self._ready(self._seating.signed, self._seating.seed)

    def _begin(self, number: int) -> None:
        """A round with this number begins. Raises BadRoster."""
        if number <= self._number:
            raise BadRoster("the host does not count its rounds of seating upwards")
        if len(self.people) not in self.numbers:
            raise BadRoster("the host begins with a number of players that this game does not allow")
        if self.invited and tuple(key for key, _ in self.people) != self.invited:
            raise BadRoster("the host begins with players who were not paired")
        self._number = number

    @property
    def number(self) -> int:
        """The number of the latest round."""
        return max(self._number, 0)

    def set_round(self, number: int) -> None:
        """The table is resumed, in the game that this round led to."""
        self._number = number

    @property
    def _begins(self) -> int | None:
        """The seat whose turn it is to begin."""
        seats = {key: seat for seat, (key, _) in enumerate(self.people)}
        return next((seats[key] for key in self.turns if key in seats), None)

    def on_reopened(self) -> None:
        """The table was opened again after the words were shown."""
        self.turns = ()


class HostLobby(Lobby):
    """The host's side. It admits newcomers, and then is a seat like the others."""

    def __init__(
        self,
        identity: Identity,
        nickname: str,
        terms: TableTerms,
        numbers: Sequence[int],
        ready: Callable[[SignedRoster, bytes], None],
        changed: Callable[[], None],
    ) -> None:
        super().__init__(identity, terms, numbers, [(identity.public, nickname)], ready, changed)
        self.links: dict[bytes, Link] = {}
        """Links to the seats at the table."""
        self.is_open = True
        """Whether seats are given. Not while words are compared, or a game is played."""
        self.is_known: Callable[[bytes, str], bool] = lambda identity, nickname: False
        """Whether this player has compared words with that identity, of that nickname."""
        self._newcomers: dict[bytes, Link] = {}
        self._queue: dict[bytes, Waiting] = {}
        """Those who have said `sit` and have no seat yet."""
        self._admission = Admission()
        self._turn: asyncio.TimerHandle | None = None
        """When the next of those who wait may take a free seat."""
        self._sat: dict[bytes, float] = {}
        """When each seat was taken."""
        self._charged: set[bytes] = set()
        """Those who are losing their seats, and for whom that was counted."""
        self._readiness: asyncio.TimerHandle | None = None
        """When those who are not ready lose their seats."""
        self._asked_at = 0.0
        """When the round has last asked for something."""
        self._said_ready: Counter[bytes] = Counter()
        self._gathering: SeatingCoordinator | None = None
        self._round = 0
        self._timer: asyncio.TimerHandle | None = None

    @property
    def full(self) -> bool:
        return len(self.people) == self.terms.seats

    @property
    def beginning(self) -> bool:
        """Whether a round of seating is running."""
        return self._gathering is not None

    def set_port(self, port: int) -> None:
        """Sets the port at which the host listens, as others are told."""
        self.sitting = (replace(self.sitting[0], port=port), *self.sitting[1:])

    def ready(self, identity: bytes, yes: bool) -> None:
        """A player says whether the game may begin."""
        self.sitting = tuple(
            replace(sitting, ready=yes) if key == identity else sitting
            for (key, _), sitting in zip(self.people, self.sitting, strict=True)
        )
        self._broadcast()
        self._maybe_begin()

    def admit(self, link: Link) -> None:
        """A newcomer has connected."""
        identity = link.identity
        if identity in self.links or identity in self._newcomers or identity in self._queue:
            self._turn_away(link, "You already sit at this table, perhaps in another window.")
        elif (self.invited or link.local) and not self._gives_seats:
            self._turn_away(link, NO_SEAT)
        elif (reason := self._admission.refusal(self._applicant(link, known=True))) is not None:
            self._turn_away(link, reason)
        else:
            if len(self._newcomers) >= MOST_NEWCOMERS:
                goes = choose_eviction(self._newcomers.values(), lambda newcomer: newcomer.address)
                del self._newcomers[goes.identity]
                self._turn_away(goes, "You did not sit down in time, and others came to this table.")
            self._newcomers[identity] = link
            link.send(self.table_frame())
            asyncio.get_running_loop().call_later(SIT_SECONDS, self._on_sit_timeout, link)

    def on_frame(self, link: Link, frame: Frame) -> bool:
        match frame:
            case ("sit", str() as nickname, int() as port) if are_integers(port) and 0 <= port < 1 << 16:
                self._sit(link, nickname, port)
            case ("queue",):
                if link.identity in self._queue:
                    self._queue[link.identity].asked = True
                    self._tell_places()
                elif link.identity not in self.links:
                    link.refuse(
                        "Your program asks to wait before it asks for a seat. Use the same version as the host."
                    )
            case ("sit", *_):
                link.refuse("Your program asks for a seat in an unknown way. Use the same version as the host.")
            case ("ready", bool() as yes) if link.identity in self.links:
                self._said_ready[link.identity] += 1
                if self._said_ready[link.identity] > MOST_READY:
                    self._lose(link, "your program keeps changing whether you are ready")
                elif not self.beginning:
                    self.ready(link.identity, yes)
            case (str() as kind, int() as number, *_) if kind in ANSWERING and are_integers(number):
                self._collect(link, frame)
            case _:
                return False
        return True

    def on_link_lost(self, link: Link) -> None:
        """A player has left, or was lost, before the game began: the seat is free again."""
        if self._newcomers.get(link.identity) is link:
            del self._newcomers[link.identity]
        if (waiting := self._queue.get(link.identity)) is not None and waiting.link is link:
            del self._queue[link.identity]
            self._on_queue_changed()
        if self.links.get(link.identity) is link:
            self._count_held(link)
            del self.links[link.identity]
            self._keep([person[0] for person in self.people if person[0] != link.identity])
            self.turns = ()
            if self.beginning:
                self._reset_ready()
            self._end_round()
            self._broadcast()
            self._maybe_begin()
            self._give_seats()

    def can_go_on(self, number: int) -> bool:
        """Whether `number` players can play another game here."""
        return number in self.numbers

    def next_round(self) -> None:
        """Another game for the players who are still here: everybody moves up one seat."""
        order = [key for key, _ in (*self.people[1:], self.people[0])]
        self._keep([key for key in order if key == self._identity.public or key in self.links])
        self.sitting = tuple(replace(sitting, ready=True) for sitting in self.sitting)
        self._broadcast()
        self._begin_round()

    def set_round(self, number: int) -> None:
        super().set_round(number)
        self._round = number

    def on_reopened(self) -> None:
        super().on_reopened()
        self._reset_ready()

    def _reset_ready(self) -> None:
        """Nobody is ready any more: the players have changed."""
        self.sitting = tuple(replace(sitting, ready=False) for sitting in self.sitting)

    def close(self) -> None:
        self._end_round()
        for timer in (self._turn, self._readiness):
            if timer is not None:
                timer.cancel()

    def newcomers(self) -> tuple[Link, ...]:
        """Links to those who have not sat down yet."""
        return (*self._newcomers.values(), *(waiting.link for waiting in self._queue.values()))

    # -- who waits -----------------------------------------------------------------------------------------------------

    @property
    def queue(self) -> tuple[str, ...]:
        """The nicknames of those who wait for a seat, in their turn."""
        return tuple(waiting.nickname for waiting in self._in_turn())

    def open_seats(self, is_open: bool) -> None:
        """Begins to give seats, or to give none."""
        self.is_open = is_open
        if is_open:
            self._give_seats()

    def turn_all_away(self, reason: str) -> None:
        """Nobody who waits here gets a seat any more."""
        links = self.newcomers()
        self._newcomers.clear()
        self._queue.clear()
        for link in links:
            self._turn_away(link, reason)

    def shut_out(self, link: Link) -> None:
        """The host removes somebody for good. If nobody else at the table comes from the same address, strangers from
        there are kept out, too. The seat is still to be freed.
        """
        key = address_key(link.address)
        shared = any(address_key(other.address) == key for other in self.links.values() if other is not link)
        self._admission.remove(link.identity, None if shared or link.local else link.address)
        for waiting in list(self._queue.values()):
            if (reason := self._admission.refusal(waiting.applicant)) is not None:
                del self._queue[waiting.link.identity]
                self._turn_away(waiting.link, reason)

    def hold_up(self, link: Link, reason: str) -> None:
        """A seat has held up the others while words were compared. The seat is still to be freed."""
        self._charge(link)
        log.info("%s loses its seat: %s", link.nickname, reason)

    @property
    def _gives_seats(self) -> bool:
        return self.is_open and not self.full and not self.beginning

    def _applicant(self, link: Link, *, known: bool) -> Applicant:
        return Applicant(link.identity, link.address, known, asyncio.get_running_loop().time())

    def _in_turn(self) -> list[Waiting]:
        now = asyncio.get_running_loop().time()
        ordered = self._admission.in_turn((waiting.applicant for waiting in self._queue.values()), now)
        return [self._queue[one.identity] for one in ordered]

    def _give_seats(self) -> None:
        """Gives free seats to those who wait and may have one, in their turn."""
        if self._turn is not None:
            self._turn.cancel()
            self._turn = None
        loop = asyncio.get_running_loop()
        while self._gives_seats and self._queue:
            ordered, now = self._in_turn(), loop.time()
            times = [self._admission.free_at(waiting.applicant, now) for waiting in ordered]
            following = next((waiting for waiting, time in zip(ordered, times, strict=True) if time <= now), None)
            if following is None:
                self._turn = loop.call_at(min(times), self._give_seats)
                break
            del self._queue[following.link.identity]
            self._take_seat(following)
        self._tell_places()

    def _tell_places(self) -> None:
        """Tells those who wait their places, where they have changed."""
        for place, waiting in enumerate(self._in_turn(), 1):
            if waiting.asked and waiting.place != place:
                waiting.place = place
                waiting.link.send(("queue", place))

    def _on_queue_changed(self) -> None:
        self._tell_places()
        self._changed()

    def _on_queue_timeout(self, waiting: Waiting) -> None:
        if self._queue.get(waiting.link.identity) is waiting and not waiting.asked:
            del self._queue[waiting.link.identity]
            self._turn_away(waiting.link, NO_SEAT)
            self._on_queue_changed()

    # -- who holds up the others ---------------------------------------------------------------------------------------

    def _lose(self, link: Link, reason: str) -> None:
        """A seat is lost for what its program does, or does not do."""
        self._charge(link)
        link.refuse(LOST_SEAT.format(reason))

    def _charge(self, link: Link) -> None:
        if not link.local and not self.invited:
            self._charged.add(link.identity)
            self._admission.on_seat_lost(link.identity, link.address, asyncio.get_running_loop().time())

    def _count_held(self, link: Link) -> None:
        """A seat is free again: if it has kept a round waiting, that counts as a lost seat."""
        held = asyncio.get_running_loop().time() - self._asked_at >= HELD_SECONDS
        missing = self._gathering is not None and link.identity in self._gathering.missing
        if link.identity not in self._charged and missing and held:
            self._charge(link)
        self._charged.discard(link.identity)
        self._sat.pop(link.identity, None)

    def _watch_readiness(self) -> None:
        """Begins to count the time of those who are not ready, or stops to."""
        status = {key: sitting.ready for (key, _), sitting in zip(self.people, self.sitting, strict=True)}
        waits = len(self.numbers) > 1 and len(self.people) in self.numbers and not self.invited and self.is_open
        due = waits and not self.beginning and status[self._identity.public] and not all(status.values())
        if not due and self._readiness is not None:
            self._readiness.cancel()
            self._readiness = None
        elif due and self._readiness is None:
            self._readiness = asyncio.get_running_loop().call_later(READY_SECONDS, self._on_readiness_timeout)

    def _on_readiness_timeout(self) -> None:
        self._readiness = None
        latest = asyncio.get_running_loop().time() - READY_SECONDS
        ready = {key for (key, _), sitting in zip(self.people, self.sitting, strict=True) if sitting.ready}
        for link in [
            one for key, one in self.links.items() if key not in ready and self._sat.get(key, latest) <= latest
        ]:
            self._lose(link, "you did not say in time that you are ready")
        self._watch_readiness()

    def _sit(self, link: Link, nickname: str, port: int) -> None:
        if self._newcomers.pop(link.identity, None) is not link:
            self._lose(link, "your program asked for a seat twice")
            return
        link.nickname = nickname_from(nickname)
        applicant = self._applicant(link, known=self.is_known(link.identity, link.nickname))
        waiting = Waiting(link, applicant, link.nickname, port)
        if (reason := self._admission.refusal(applicant)) is not None:
            self._turn_away(link, reason)
        elif self.invited or link.local:
            if self._gives_seats:
                self._take_seat(waiting)
            else:
                self._turn_away(link, NO_SEAT)
        else:
            self._queue[link.identity] = waiting
            self._give_seats()
            if self._queue.get(link.identity) is waiting:
                self._on_no_seat(waiting)

    def _on_no_seat(self, waiting: Waiting) -> None:
        """Somebody has to wait. A program that knows of the queue says so when it sees that it has no seat."""
        waiting.link.send(self.table_frame())
        asyncio.get_running_loop().call_later(QUEUE_SECONDS, self._on_queue_timeout, waiting)
        if len(self._queue) > MOST_QUEUED:
            last = self._in_turn()[-1]
            del self._queue[last.link.identity]
            self._turn_away(last.link, f"{NO_SEAT} Too many wait for one.")
        self._on_queue_changed()

    def _take_seat(self, waiting: Waiting) -> None:
        link = waiting.link
        self.links[link.identity] = link
        self._charged.discard(link.identity)
        self._sat[link.identity] = asyncio.get_running_loop().time()
        self.people = (*self.people, (link.identity, waiting.nickname))
        address = link.address.partition("%")[0]
        if link.local or not is_ip(address) or is_loopback(address):
            # Nobody else reaches the seat there.
            address = ""
        self.sitting = (*self.sitting, SeatStatus(False, link.local, address, waiting.port))
        if self.invited:
            self._keep([key for key in self.invited if key in dict(self.people)])
        self._broadcast()
        self._maybe_begin()

    def _keep(self, order: Sequence[bytes]) -> None:
        """Keeps only these players, in this order."""
        known = {person[0]: (person, sitting) for person, sitting in zip(self.people, self.sitting, strict=True)}
        self.people = tuple(known[key][0] for key in order)
        self.sitting = tuple(known[key][1] for key in order)

    def _maybe_begin(self) -> None:
        """Begins the round if the conditions are met."""
        number = len(self.people)
        willing = all(sitting.ready for sitting in self.sitting) if len(self.numbers) > 1 else self.full
        if self.beginning or not willing or number not in self.numbers:
            return
        self._begin_round()

    def _begin_round(self) -> None:
        self._end_round()
        self._round += 1
        self._gathering = SeatingCoordinator(self.terms.signed, self.people, self._round, self._begins)
        self._timer = asyncio.get_running_loop().call_later(ROUND_SECONDS, self._on_round_timeout, self._gathering)
        self.ask_all(self._gathering.ask())

    def _end_round(self) -> None:
        self._gathering = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def ask_all(self, frame: Frame) -> None:
        """Sends the next frame of the round to all, and answers it for this seat."""
        self._asked_at = asyncio.get_running_loop().time()
        for link in self.links.values():
            link.send(frame)
        if frame[0] == ASKING[-1]:
            self._end_round()
        self.answer(frame)

    def reply(self, frame: Frame) -> None:
        """Raises BadRoster."""
        self._gather(self._identity.public, frame)

    def _collect(self, link: Link, frame: Frame) -> None:
        if self._gathering is None or frame[1] != self._round:
            return  # It belongs to a round that was given up.
        try:
            self._gather(link.identity, frame)
        except BadRoster as error:
            self._lose(link, str(error))

    def _gather(self, identity: bytes, frame: Frame) -> None:
        assert self._gathering is not None
        following = self._gathering.on_answer(identity, frame)
        if following is not None:
            self.ask_all(following)

    def _on_round_timeout(self, gathering: SeatingCoordinator) -> None:
        if gathering is self._gathering:
            for identity in gathering.missing:
                if identity in self.links:
                    self._lose(self.links[identity], "your program did not answer in time")

    def _on_sit_timeout(self, link: Link) -> None:
        if self._newcomers.get(link.identity) is link:
            del self._newcomers[link.identity]
            link.refuse("You did not sit down in time. Join again.")

    def _turn_away(self, link: Link, reason: str) -> None:
        log.info("%s turned away: %s", link.address, reason)
        link.start_closing(refusal_frame(reason))

    def _broadcast(self) -> None:
        for link in self.links.values():
            link.send(self.table_frame())
        self._watch_readiness()
        self._changed()

    def table_frame(self) -> Frame:
        """What all who wait are told: the terms, and who sits where."""
        terms = self.terms
        sitting = tuple(one.plain() for one in self.sitting)
        return "table", terms.game, terms.rules, terms.options, terms.seats, self.people, sitting
