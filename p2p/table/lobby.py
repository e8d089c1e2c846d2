"""Before a game: the players at the table, until all have signed its roster (SPEC.md, section 9).

    host to a newcomer   ("table", game, rules, options, seats, people, sitting), and to all whenever that changes
    seat to host         ("vote", "ready", False)   the options or the number of seats have changed
    host to a seat       ("table", ...)             after a game, with somebody not ready: the table is open again
    newcomer to host     ("sit", nickname, port)
    newcomer to host     ("queue",)                 has said `sit`, sees itself at no seat, and wants to wait for one
    host to a newcomer   ("queue", place)           its place among those who wait, from 1
    seat to host         ("vote", "ready", yes)

`people` lists (identity, nickname) in seat order, `sitting` what else is known of each seat: (ready, bot, address,
port). `port` is where the seat listens, 0 if it does not; `address` is where the host sees the seat, "" if that means
nothing to others: then the seat is where they reach the host. The host calls seats in its own program bots: a label,
which says nothing about their keys. The host itself is never one.

If the number of players is fixed, the host begins when all seats are taken, and after a game when the host is ready,
too; otherwise when all players are ready and their number is allowed. Then comes the round of `table.seating`. A
newcomer who finds no free seat waits for one; `admission` says whose turn it is.
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
from kimberley.p2p.table.admission import Admission, Applicant
from kimberley.p2p.table.hold_ups import HoldUps
from kimberley.p2p.table.seat_queue import NO_SEAT, SeatQueue, SeatRequest, turn_away
from kimberley.p2p.table.seating import ANSWERING, ASKING, Person, RandomSource, SeatingCoordinator, SeatingParticipant
from kimberley.p2p.table.terms import TableTerms
from kimberley.p2p.transport.address import is_ip, is_loopback
from kimberley.p2p.transport.frames import Frame, are_integers
from kimberley.p2p.transport.link import Link
from kimberley.protocol.roster import BadRoster, SignedRoster

log = logging.getLogger(__name__)

ROUND_SECONDS: Final = 20.0  # SPEC: round
"""Time for one round of seating, which needs no person."""
LOST_SEAT: Final = "You lost your seat: {}. Join again."
MOST_READY: Final = 1000  # SPEC: changes of readiness
"""How often a seat may say whether it is ready before it is dropped: all others are told each time."""


@dataclass(frozen=True, slots=True)
class SeatStatus:
    """What the host says about a seat, apart from identity and nickname. `bot` is a label for people: nothing may rely
    on it.
    """

    ready: bool = False
    bot: bool = False
    address: str = ""
    port: int = 0

    def plain(self) -> Plain:
        return self.ready, self.bot, self.address, self.port


class Lobby(ABC):
    """One side of the lobby."""

    def __init__(
        self,
        identity: Identity,
        terms: TableTerms,
        numbers: Sequence[int],
        people: Sequence[Person],
        signed: Callable[[SignedRoster, bytes], None],
        changed: Callable[[], None],
    ) -> None:
        """Begins with these players.

        Args:
            identity: The own identity.
            terms: What is played.
            numbers: How many players may play.
            people: The players so far, in seat order.
            signed: Called with each roster that all have signed, and this seat's seed.
            changed: Called when the players, or what is known of them, change.

        """
        self.terms = terms
        self.numbers = tuple(numbers)
        self.people = tuple(people)
        self.sitting: tuple[SeatStatus, ...] = tuple(SeatStatus() for _ in people)
        """The status of each seat, in the order of `people`."""
        self.turns: tuple[bytes, ...] = ()
        """The identities in the order in which they begin further games, starting with the seat after the one that
        began the last one. Empty if no game has settled that, or if the players have changed.
        """
        self.after_game = False
        """Whether the table was opened again after a game. Then its host says when a full table begins."""
        self.draw: RandomSource = random_bytes
        """The source of this seat's secrets."""
        self._identity = identity
        self._signed = signed
        self._changed = changed
        self._seating: SeatingParticipant | None = None
        self._round_runs = False
        self._number = -1

    @abstractmethod
    def on_frame(self, link: Link, frame: Frame) -> bool:
        """Handles a frame of the lobby. Returns False for any other frame."""

    @abstractmethod
    def reply(self, frame: Frame) -> None:
        """Sends this seat's answer to the host."""

    def answer(self, frame: Frame) -> None:
        """Takes this seat's part in the round. Raises BadRoster, Malformed."""
        if not are_integers(*frame[1:2]):
            raise BadRoster("the host begins a round of seating without a number")
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
            self._signed(self._seating.signed, self._seating.seed)

    def _begin(self, number: int) -> None:
        """Begins the round with this number. Raises BadRoster."""
        if number <= self._number:
            raise BadRoster("the host repeats a number of a round of seating")
        if len(self.people) not in self.numbers:
            raise BadRoster("the host begins with a number of players that this game does not allow")
        self._number, self._round_runs = number, True

    @property
    def number(self) -> int:
        """The number of the latest round."""
        return max(self._number, 0)

    def set_round(self, number: int) -> None:
        """Sets the round that led to the game in which the table is resumed."""
        self._number = number

    @property
    def _begins(self) -> int | None:
        """The seat whose turn it is to begin."""
        seats = {key: seat for seat, (key, _) in enumerate(self.people)}
        return next((seats[key] for key in self.turns if key in seats), None)

    def on_reopened(self) -> None:
        """Called when the table was opened again after the words were shown."""
        self.turns = ()
        self._round_runs = False

    def open_again(self) -> None:
        """Opens the table again after a game."""
        self.turns = ()
        self._round_runs = False
        self.after_game = True


def not_ready(sitting: Sequence[SeatStatus]) -> tuple[SeatStatus, ...]:
    """Returns these seats, with nobody ready: the players, or what they play, have changed."""
    return tuple(replace(seat, ready=False) for seat in sitting)


class HostLobby(Lobby):
    """The host's side. It admits newcomers, and then is a seat like the others."""

    def __init__(
        self,
        identity: Identity,
        nickname: str,
        terms: TableTerms,
        numbers: Sequence[int],
        signed: Callable[[SignedRoster, bytes], None],
        changed: Callable[[], None],
    ) -> None:
        super().__init__(identity, terms, numbers, [(identity.public, nickname)], signed, changed)
        self.links: dict[bytes, Link] = {}
        """Links to the seats at the table."""
        self.is_open = True
        """Whether seats are given. Not while words are compared, or a game is played."""
        self.is_known: Callable[[bytes, str], bool] = lambda identity, nickname: False
        """Whether this player has compared words with that identity under that nickname."""
        self._admission = Admission()
        self.waiting = SeatQueue(
            self._admission,
            lambda link: link.send(self.table_frame()),
            lambda: self.has_seat,
            self.give_seat,
            changed,
        )
        """Those who have come and have no seat."""
        self.hold_ups = HoldUps(self._admission)
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
        """Notes whether a player is ready for the game to begin."""
        self.sitting = tuple(
            replace(sitting, ready=yes) if key == identity else sitting
            for (key, _), sitting in zip(self.people, self.sitting, strict=True)
        )
        self._broadcast()
        self._maybe_begin()

    def change_terms(self, terms: TableTerms, numbers: Sequence[int]) -> None:
        """Changes the options, the most players, and how many may play. Nobody is ready for them yet."""
        self.terms, self.numbers = terms, tuple(numbers)
        self.sitting = not_ready(self.sitting)
        self._broadcast()
        self._maybe_begin()
        self.waiting.give_seats()

    def admit(self, link: Link) -> None:
        """Admits a newcomer that has connected."""
        identity = link.identity
        if identity in self.links or identity in self.waiting:
            turn_away(link, "You already have a seat here, perhaps in another window.")
        elif link.local and not self.has_seat:
            turn_away(link, NO_SEAT)
        elif (reason := self._admission.refusal(self._applicant(link, known=True))) is not None:
            turn_away(link, reason)
        else:
            self.waiting.add(link)

    def on_frame(self, link: Link, frame: Frame) -> bool:
        match frame:
            case ("sit", str() as nickname, int() as port) if are_integers(port) and 0 <= port < 1 << 16:
                self._sit(link, nickname, port)
            case ("queue",):
                if not self.waiting.wait(link) and link.identity not in self.links:
                    link.refuse(
                        "Your program wants to wait before it asks for a seat. Use the same version as the host."
                    )
            case ("sit", *_):
                link.refuse("Your program asks for a seat in an unknown way. Use the host’s version.")
            case ("vote", "ready", bool() as yes) if link.identity in self.links:
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
        """Called when a player has left, or was lost, before the game began: the seat is free again."""
        self.waiting.remove(link)
        if self.links.get(link.identity) is link:
            owed = self._gathering is not None and link.identity in self._gathering.missing
            self.hold_ups.on_seat_free(link, owed=owed)
            del self.links[link.identity]
            self._keep([person[0] for person in self.people if person[0] != link.identity])
            self.turns = ()
            if self.beginning:
                self.sitting = not_ready(self.sitting)
            self._end_round()
            self._broadcast()
            self._maybe_begin()
            self.waiting.give_seats()

    def next_round(self, *, at_once: bool) -> None:
        """Goes on to another game with the players who are still here: everybody moves up one seat. The round begins
        `at_once`, since all are ready, or waits until they are.
        """
        order = [key for key, _ in (*self.people[1:], self.people[0])]
        self._keep([key for key in order if key == self._identity.public or key in self.links])
        self.sitting = tuple(replace(sitting, ready=at_once) for sitting in self.sitting)
        self._broadcast()
        if at_once:
            self._begin_round()

    def set_round(self, number: int) -> None:
        super().set_round(number)
        self._round = number

    def on_reopened(self) -> None:
        super().on_reopened()
        self.sitting = not_ready(self.sitting)

    def close(self) -> None:
        self._end_round()
        self.waiting.close()
        self.hold_ups.close()

    @property
    def has_seat(self) -> bool:
        """Whether a seat can be given now."""
        return self.is_open and not self.full and not self.beginning

    def _lose(self, link: Link, reason: str) -> None:
        """Takes away a seat for what its program does, or does not do."""
        self.hold_ups.count(link)
        link.refuse(LOST_SEAT.format(reason))

    def _drop_unready(self) -> None:
        """Drops the seats that have long kept all others waiting by not being ready."""
        ready = {key for (key, _), sitting in zip(self.people, self.sitting, strict=True) if sitting.ready}
        for link in [one for key, one in self.links.items() if key not in ready and self.hold_ups.is_late(key)]:
            self._lose(link, "you did not say in time that you were ready")
        self._broadcast()

    def _applicant(self, link: Link, *, known: bool) -> Applicant:
        return Applicant(link.identity, link.address, known, asyncio.get_running_loop().time())

    def _sit(self, link: Link, nickname: str, port: int) -> None:
        if not self.waiting.take(link):
            self._lose(link, "your program asked for a seat twice")
            return
        link.nickname = nickname_from(nickname)
        request = SeatRequest(link, self._applicant(link, known=self.is_known(link.identity, link.nickname)), port)
        if not link.local:
            self.waiting.request(request)
        elif self.has_seat:
            self.give_seat(request)
        else:
            turn_away(link, NO_SEAT)

    def give_seat(self, request: SeatRequest) -> None:
        """Gives somebody the next seat."""
        link = request.link
        self.links[link.identity] = link
        self.hold_ups.on_seat_taken(link)
        self.people = (*self.people, (link.identity, link.nickname))
        address = link.address.partition("%")[0]
        if link.local or not is_ip(address) or is_loopback(address):
            # Nobody else can reach the seat at this address.
            address = ""
        self.sitting = (*self.sitting, SeatStatus(False, link.local, address, request.port))
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
        ready = {key: sitting.ready for (key, _), sitting in zip(self.people, self.sitting, strict=True)}
        due = self.full and (ready[self._identity.public] or not self.after_game)
        willing = all(ready.values()) if len(self.numbers) > 1 else due
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
        self.hold_ups.on_asked()
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

    def _broadcast(self) -> None:
        for link in self.links.values():
            link.send(self.table_frame())
        ready = {key: sitting.ready for (key, _), sitting in zip(self.people, self.sitting, strict=True)}
        asks = len(self.numbers) > 1 and len(self.people) in self.numbers and self.is_open
        waits = asks and not self.beginning and ready[self._identity.public] and not all(ready.values())
        self.hold_ups.await_ready(waits, self._drop_unready)
        self._changed()

    def table_frame(self) -> Frame:
        """Returns the frame that tells the terms, and who sits where."""
        terms = self.terms
        sitting = tuple(one.plain() for one in self.sitting)
        return "table", terms.game, terms.rules, terms.options, terms.seats, self.people, sitting
