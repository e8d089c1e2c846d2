"""Before a game: who sits at the table, until all have signed its roster.

    host to a newcomer   ("table", game, rules, options, seats, people, sitting), and to all whenever that changes
    newcomer to host     ("sit", nickname, port)
    seat to host         ("ready", yes)

`people` lists (identity, nickname) in seat order, `sitting` what else is known of each: (ready, bot, address, port).
`port` is that of the seat's own door, 0 if it has none; `address` is where the host sees the seat, "" where that says
nothing to others: then it is where they reach the host. A bot is one that sits in the host's program, as the host says:
a label, which says nothing about its key. The host itself is none.

Where the game leaves a choice of how many play, the host begins when all who sit are ready and it is played by so many;
where it does not, when all seats are taken. Then comes the round of `p2p.seating`.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from games.table import Game, Plain
from p2p.address import is_ip, is_loopback
from p2p.channel import Channel, Lost
from p2p.crowd import first_to_go
from p2p.frames import Frame, whole
from p2p.hello import Refused, refusal, refused
from p2p.identity import Identity, nickname_from
from p2p.link import Link
from p2p.seating import ANSWERING, ASKING, Draw, Gathering, Person, Seating
from p2p.terms import Terms, check_options
from p2p.trouble import Trouble
from protocol.encoding import Malformed
from protocol.roster import MOST_OPTIONS, MOST_SEATS, BadRoster, SignedRoster

log = logging.getLogger(__name__)

SIT_SECONDS: Final = 10.0
"""For a newcomer to take a seat."""
ROUND_SECONDS: Final = 20.0
"""For a round of seating, which needs nobody's hand."""
MOST_BROKEN_OFF: Final = 2
"""Rounds that may end after a seat has opened its nonce in them, before it leaves."""
MOST_NEWCOMERS: Final = 8
HOST_A_BOT: Final = (
    "The host of this table calls itself a bot, which no honest program does. It may be a trick to keep you from "
    "comparing the four words: do not play there."
)
MOST_READY: Final = 1000
"""Times that somebody says whether the game may begin, before it loses its seat: all others are told each time."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """What the host says of who sits at a seat, besides identity and nickname. `bot` is for a person to read: nothing
    may rest on it.
    """

    ready: bool = False
    bot: bool = False
    address: str = ""
    port: int = 0

    def plain(self) -> Plain:
        return self.ready, self.bot, self.address, self.port


class Lobby(ABC):
    """One side of it. `numbers` are how many may play; `ready` is given each roster that all have signed, with this
    seat's seed.
    """

    def __init__(
        self,
        identity: Identity,
        terms: Terms,
        numbers: Sequence[int],
        people: Sequence[Person],
        ready: Callable[[SignedRoster, bytes], None],
        changed: Callable[[], None],
    ) -> None:
        self.terms = terms
        self.numbers = tuple(numbers)
        self.people = tuple(people)
        self.sitting: tuple[Sitting, ...] = tuple(Sitting() for _ in people)
        """By seat, like `people`."""
        self.turns: tuple[bytes, ...] = ()
        """Whose turn it is to begin another game: the identities of the last one, from the seat after the one that
        began it. Empty where no game has settled that, or another company sits here now."""
        self.invited: tuple[bytes, ...] = ()
        """Who alone may sit, in seat order; empty where anybody may."""
        self.draw: Draw = secrets.token_bytes
        """Where this seat's secrets come from."""
        self._identity = identity
        self._ready = ready
        self._changed = changed
        self._seating: Seating | None = None
        self._number = -1
        self._broken_off = 0

    @abstractmethod
    def take(self, link: Link, frame: Frame) -> bool:
        """A frame that may belong here; False if it does not."""

    @abstractmethod
    def _reply(self, frame: Frame) -> None:
        """This seat's answer on its way to the host."""

    def _answer(self, frame: Frame) -> None:
        """This seat's part in the round. Raises BadRoster, Malformed."""
        if not whole(*frame[1:2]):
            raise BadRoster("the host does not count its rounds of seating")
        if frame[0] == ASKING[0] and len(frame) == 2 and isinstance(frame[1], int):
            self._begin(frame[1])
            self._seating = Seating(self._identity, self.terms.signed, self.people, frame[1], self._begins, self.draw)
        if self._seating is None:
            raise BadRoster("the host does not follow the order of seating")
        if self._seating.people != self.people:
            # Keys are judged, and names shown, by what the host says of the table: it must be what is signed.
            raise BadRoster("the host has changed who sits at the table")
        answer = self._seating.answer(frame)
        if answer is not None:
            self._reply(answer)
        elif self._seating.signed is not None:
            self._ready(self._seating.signed, self._seating.seed)

    def _begin(self, number: int) -> None:
        """A round with this number begins. Raises BadRoster."""
        if number <= self._number:
            raise BadRoster("the host does not count its rounds of seating upwards")
        if len(self.people) not in self.numbers:
            raise BadRoster("the host begins with so many as cannot play this game")
        if self.invited and tuple(key for key, _ in self.people) != self.invited:
            raise BadRoster("the host begins with others than those who were paired")
        self._number = number
        if self._seating is not None and self._seating.opened and self._seating.signed is None:
            self._broken_off += 1
        if self._broken_off > MOST_BROKEN_OFF:
            raise BadRoster("the host starts over again and again, as one does who looks for words that suit")

    @property
    def number(self) -> int:
        """The number of the latest round."""
        return max(self._number, 0)

    def resumed(self, number: int) -> None:
        """The table is taken up again, in the game that this round led to."""
        self._number = number

    @property
    def _begins(self) -> int | None:
        """The seat whose turn it is to begin."""
        seats = {key: seat for seat, (key, _) in enumerate(self.people)}
        return next((seats[key] for key in self.turns if key in seats), None)

    def reopened(self) -> None:
        """Words were on the screens and the table was opened again: that, too, is a round broken off."""
        self._broken_off += 1
        self.turns = ()


class HostLobby(Lobby):
    """The host's side: it opens the door, and is a seat like the others afterwards."""

    def __init__(
        self,
        identity: Identity,
        nickname: str,
        terms: Terms,
        numbers: Sequence[int],
        ready: Callable[[SignedRoster, bytes], None],
        changed: Callable[[], None],
    ) -> None:
        super().__init__(identity, terms, numbers, [(identity.public, nickname)], ready, changed)
        self.links: dict[bytes, Link] = {}
        """Links to those who sit at the table."""
        self._newcomers: dict[bytes, Link] = {}
        self._said_ready: Counter[bytes] = Counter()
        self._gathering: Gathering | None = None
        self._round = 0
        self._timer: asyncio.TimerHandle | None = None

    @property
    def full(self) -> bool:
        return len(self.people) == self.terms.seats

    @property
    def beginning(self) -> bool:
        """Whether a round of seating is under way."""
        return self._gathering is not None

    def open_door(self, port: int) -> None:
        """The host's own door, as others are told of it."""
        self.sitting = (replace(self.sitting[0], port=port), *self.sitting[1:])

    def ready(self, identity: bytes, yes: bool) -> None:
        """Somebody's word on whether the game may begin."""
        self.sitting = tuple(
            replace(sitting, ready=yes) if key == identity else sitting
            for (key, _), sitting in zip(self.people, self.sitting, strict=True)
        )
        self._tell_all()
        self._maybe_begin()

    def welcome(self, link: Link) -> None:
        """Somebody came through the door."""
        identity = link.identity
        if identity in self.links or identity in self._newcomers:
            self._turn_away(link, "You sit at this table already, in another window perhaps.")
        elif self.full or self.beginning:
            self._turn_away(link, "Every seat at this table is taken.")
        else:
            if len(self._newcomers) >= MOST_NEWCOMERS:
                goes = first_to_go(self._newcomers.values(), lambda newcomer: newcomer.address)
                del self._newcomers[goes.identity]
                self._turn_away(goes, "Others came to this table meanwhile, and you had not sat down.")
            self._newcomers[identity] = link
            link.send(self._table())
            asyncio.get_running_loop().call_later(SIT_SECONDS, self._waited, link)

    def take(self, link: Link, frame: Frame) -> bool:
        match frame:
            case ("sit", str() as nickname, int() as port) if whole(port) and 0 <= port < 1 << 16:
                self._sit(link, nickname, port)
            case ("sit", *_):
                link.drop("it does not sit down as a seat does")
            case ("ready", bool() as yes) if link.identity in self.links:
                self._said_ready[link.identity] += 1
                if self._said_ready[link.identity] > MOST_READY:
                    link.drop("it changes its mind about being ready without end")
                elif not self.beginning:
                    self.ready(link.identity, yes)
            case (str() as kind, int() as number, *_) if kind in ANSWERING and whole(number):
                self._collect(link, frame)
            case _:
                return False
        return True

    def gone(self, link: Link) -> None:
        """Somebody has left, or was lost, before the game began: the seat is free again."""
        if self._newcomers.get(link.identity) is link:
            del self._newcomers[link.identity]
        if self.links.get(link.identity) is link:
            del self.links[link.identity]
            self._keep([person[0] for person in self.people if person[0] != link.identity])
            self.turns = ()
            if self.beginning:
                self._ask_again()
            self._end_round()
            self._tell_all()
            self._maybe_begin()

    def can_go_on(self, number: int) -> bool:
        """Whether so many can play another game here."""
        return number in self.numbers

    def next_round(self) -> None:
        """Another game for those who are still here: everybody moves up one seat."""
        order = [key for key, _ in (*self.people[1:], self.people[0])]
        self._keep([key for key in order if key == self._identity.public or key in self.links])
        self.sitting = tuple(replace(sitting, ready=True) for sitting in self.sitting)
        self._tell_all()
        self._begin_round()

    def resumed(self, number: int) -> None:
        super().resumed(number)
        self._round = number

    def reopened(self) -> None:
        super().reopened()
        self._ask_again()

    def _ask_again(self) -> None:
        """Nobody is ready any more: it was for another company."""
        self.sitting = tuple(replace(sitting, ready=False) for sitting in self.sitting)

    def close(self) -> None:
        self._end_round()

    def newcomers(self) -> tuple[Link, ...]:
        """Links to those who have not sat down."""
        return tuple(self._newcomers.values())

    def _sit(self, link: Link, nickname: str, port: int) -> None:
        if self._newcomers.pop(link.identity, None) is not link:
            link.drop("it sits down twice")
        elif self.full or self.beginning:
            self._turn_away(link, "Every seat at this table is taken: somebody was quicker.")
        else:
            link.nickname = nickname_from(nickname)
            self.links[link.identity] = link
            self.people = (*self.people, (link.identity, link.nickname))
            address = "" if link.local or is_loopback(link.address) else link.address.partition("%")[0]
            self.sitting = (*self.sitting, Sitting(False, link.local, address, port))
            if self.invited:
                self._keep([key for key in self.invited if key in dict(self.people)])
            self._tell_all()
            self._maybe_begin()

    def _keep(self, order: Sequence[bytes]) -> None:
        """These people, in this order, and what is known of them."""
        known = {person[0]: (person, sitting) for person, sitting in zip(self.people, self.sitting, strict=True)}
        self.people = tuple(known[key][0] for key in order)
        self.sitting = tuple(known[key][1] for key in order)

    def _maybe_begin(self) -> None:
        """Begins the round, if all that it takes is there."""
        number = len(self.people)
        willing = all(sitting.ready for sitting in self.sitting) if len(self.numbers) > 1 else self.full
        if self.beginning or not willing or number not in self.numbers:
            return
        for other in (*self._newcomers.values(),):
            self._turn_away(other, "Every seat at this table is taken: somebody was quicker.")
        self._newcomers.clear()
        self._begin_round()

    def _begin_round(self) -> None:
        self._end_round()
        self._round += 1
        self._gathering = Gathering(self.terms.signed, self.people, self._round, self._begins)
        self._timer = asyncio.get_running_loop().call_later(ROUND_SECONDS, self._too_slow, self._gathering)
        self._ask_all(self._gathering.ask())

    def _end_round(self) -> None:
        self._gathering = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _ask_all(self, frame: Frame) -> None:
        for link in self.links.values():
            link.send(frame)
        if frame[0] == ASKING[-1]:
            self._end_round()
        self._answer(frame)

    def _reply(self, frame: Frame) -> None:
        """Raises BadRoster."""
        self._gather(self._identity.public, frame)

    def _collect(self, link: Link, frame: Frame) -> None:
        if self._gathering is None or frame[1] != self._round:
            return  # It belongs to a round that was given up.
        try:
            self._gather(link.identity, frame)
        except BadRoster as error:
            link.drop(str(error))

    def _gather(self, identity: bytes, frame: Frame) -> None:
        assert self._gathering is not None
        following = self._gathering.take(identity, frame)
        if following is not None:
            self._ask_all(following)

    def _too_slow(self, gathering: Gathering) -> None:
        if gathering is self._gathering:
            for identity in gathering.missing:
                if identity in self.links:
                    self.links[identity].drop("it does not answer while the table is being set")

    def _waited(self, link: Link) -> None:
        if self._newcomers.get(link.identity) is link:
            del self._newcomers[link.identity]
            link.drop("it came and did not sit down")

    def _turn_away(self, link: Link, reason: str) -> None:
        log.info("%s turned away: %s", link.address, reason)
        link.leave(refusal(reason))

    def _tell_all(self) -> None:
        for link in self.links.values():
            link.send(self._table())
        self._changed()

    def _table(self) -> Frame:
        terms = self.terms
        sitting = tuple(one.plain() for one in self.sitting)
        return "table", terms.game, terms.rules, terms.options, terms.seats, self.people, sitting


class GuestLobby(Lobby):
    """A joiner's side. `failed` is told when the host does what must not be signed."""

    def __init__(
        self,
        identity: Identity,
        terms: Terms,
        numbers: Sequence[int],
        people: Sequence[Person],
        ready: Callable[[SignedRoster, bytes], None],
        changed: Callable[[], None],
        failed: Callable[[str], None],
    ) -> None:
        super().__init__(identity, terms, numbers, people, ready, changed)
        self.host: Link | None = None
        self._failed = failed

    @property
    def sits(self) -> bool:
        """Whether the host has given this seat a place."""
        return self._identity.public in dict(self.people)

    def take(self, link: Link, frame: Frame) -> bool:
        if link is not self.host or not (frame[0] == "table" or frame[0] in ASKING):
            return False
        try:
            if frame[0] == "table":
                terms, self.people, self.sitting = read_table(frame, link.identity)
                if not terms.same(self.terms):
                    raise BadRoster("the host has changed the game or its options")
                self._changed()
            else:
                self._answer(frame)
        except (BadRoster, Malformed) as error:
            self._failed(f"The table cannot be trusted: {error}. Do not play there.")
        except Trouble as error:
            self._failed(str(error))
        return True

    def _reply(self, frame: Frame) -> None:
        assert self.host is not None
        self.host.send(frame)


def read_table(frame: Frame, host: bytes) -> tuple[Terms, tuple[Person, ...], tuple[Sitting, ...]]:
    """What the `host`, known by the identity that it has proven, says of its table. Raises Trouble."""
    match frame:
        case (
            "table",
            str() as game,
            int() as rules,
            tuple() as options,
            int() as seats,
            tuple() as people,
            tuple() as sitting,
        ) if (
            whole(rules, seats)
            and 2 <= seats <= MOST_SEATS
            and len(options) <= MOST_OPTIONS
            and 0 < len(people) <= seats
        ):
            named = [(option[0], option[1]) for option in options if isinstance(option, tuple) and len(option) == 2]
            known = [person for person in people if isinstance(person, tuple) and len(person) == 2]
            settled = tuple((name, value) for name, value in named if isinstance(name, str))
            there = tuple((key, name) for key, name in known if isinstance(key, bytes) and isinstance(name, str))
            if any(name != nickname_from(name) for _, name in there):
                raise Trouble(
                    "A nickname at this table is too long or has invisible characters. Its owner must change it."
                )
            seen = tuple(one for one in map(_sitting, sitting) if one is not None)
            if len(settled) == len(options) and len(there) == len(people) == len(dict(there)) == len(seen):
                if any(one.bot for (key, _), one in zip(there, seen, strict=True) if key == host):
                    raise Trouble(HOST_A_BOT)
                return Terms(game, rules, settled, seats), there, seen
    reason = refused(frame)
    if reason is not None:
        raise Refused(reason)
    raise Trouble("It does not speak as a table of this game does.")


def _sitting(plain: Plain) -> Sitting | None:
    match plain:
        case (bool() as ready, bool() as bot, str() as address, int() as port) if (
            type(port) is int and 0 <= port < 1 << 16 and (not address or is_ip(address))
        ):
            return Sitting(ready, bot, address, port)
    return None


async def arrive(channel: Channel, find: Callable[[str], Game]) -> tuple[Game, Terms]:
    """What is played at the table behind a channel. Raises Trouble, Refused among them, if one cannot play there."""
    terms, _, _ = read_table(await _next(channel), channel.peer)
    return _game(find, terms), terms


async def sit_down(channel: Channel, lobby: GuestLobby, nickname: str, port: int) -> None:
    """Takes a seat at that table. `port` is that of the seat's own door, or 0. Raises Trouble if that cannot be."""
    channel.send(("sit", nickname, port))
    while not lobby.sits:
        terms, lobby.people, lobby.sitting = read_table(await _next(channel), channel.peer)
        if not terms.same(lobby.terms):
            raise Trouble("The host has changed the game meanwhile. Join again.")


async def _next(channel: Channel) -> Frame:
    try:
        async with asyncio.timeout(SIT_SECONDS):
            return await channel.receive()
    except TimeoutError:
        raise Trouble(f"{channel.address} does not give you a seat. Try again.") from None
    except Lost as error:
        raise Trouble(f"{channel.address} ended the connection: {error}. Try again.") from error


def _game(find: Callable[[str], Game], terms: Terms) -> Game:
    """The game of a table, as it is installed here. Raises Trouble."""
    try:
        game = find(terms.game)
    except LookupError:
        raise Trouble(
            f"This table plays {terms.game!r}, which is not installed here. Install it, and join again."
        ) from None
    if game.revision != terms.rules:
        raise Trouble(
            f"The host has revision {terms.rules} of the rules of {game.title}, you have {game.revision}: "
            "update the older program."
        )
    if terms.seats not in game.seats:
        raise Trouble(f"{game.title} is not played by {terms.seats} here. Use the same version.")
    check_options(game, terms)
    return game
